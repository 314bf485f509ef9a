"""Keywords of the queued publish/subscribe interface: commands, parameters and options in both forms.

An MQRFH has them as names and values (MQPSTopic), an MQRFH2 as elements of its folder psc (Topic); the options are the
same words in both, or a number in an MQRFH.
"""

from typing import Final

from kew.codes import attributes as a

PUBLISH: Final = "Publish"
REGISTER: Final = "RegSub"
DEREGISTER: Final = "DeregSub"
DELETE: Final = "DeletePub"
UPDATE: Final = "ReqUpdate"
REGISTER_PUBLISHER: Final = "RegPub"
DEREGISTER_PUBLISHER: Final = "DeregPub"

FIRST_COMMANDS: Final = (
    PUBLISH,
    REGISTER,
    DEREGISTER,
    DELETE,
    UPDATE,
    REGISTER_PUBLISHER,
    DEREGISTER_PUBLISHER,
)
SECOND_COMMANDS: Final = (PUBLISH, REGISTER, DEREGISTER, DELETE, UPDATE)
OF_STREAMS: Final = (PUBLISH, DELETE)  # which an MQRFH has on the queue of its stream, all others on the control queue

PREFIX: Final = "MQPS"
COMMAND: Final = "Command"
TOPIC: Final = "Topic"
REGISTRATION_OPTIONS: Final = "RegOpt"
PUBLICATION_OPTIONS: Final = "PubOpt"
DELETE_OPTIONS: Final = "DelOpt"
STREAM: Final = "StreamName"
MANAGER: Final = "QMgrName"
QUEUE: Final = "QName"
CORRELATION: Final = "CorrelId"
NAME: Final = "SubName"
IDENTITY: Final = "SubIdentity"
USER_DATA: Final = "SubUserData"
FILTER: Final = "Filter"
POINT: Final = "SubPoint"
TIME: Final = "PubTime"
NUMBER: Final = "SeqNum"

REPEATABLE: Final = (TOPIC, REGISTRATION_OPTIONS, PUBLICATION_OPTIONS, DELETE_OPTIONS)
_BOTH: Final = frozenset(
    (
        COMMAND,
        *REPEATABLE,
        *(MANAGER, QUEUE, CORRELATION, NAME, IDENTITY, USER_DATA, TIME, NUMBER),
    )
)
PLURAL: Final = {option + "s": option for option in (REGISTRATION_OPTIONS, PUBLICATION_OPTIONS, DELETE_OPTIONS)}
FIRST_PARAMETERS: Final = _BOTH | {STREAM}
SECOND_PARAMETERS: Final = _BOTH | {FILTER, POINT}
DATA: Final = ("MQPSStringData", "MQPSIntData")  # which go to the subscribers, as many times as they stand there

OPTIONS: Final[dict[str, dict[str, int]]] = {
    REGISTRATION_OPTIONS: {
        "AddName": a.MQREGO_ADD_NAME,
        "Anon": a.MQREGO_ANONYMOUS,
        "CorrelAsId": a.MQREGO_CORREL_ID_AS_IDENTITY,
        "DeregAll": a.MQREGO_DEREGISTER_ALL,
        "DirectReq": a.MQREGO_DIRECT_REQUESTS,
        "DupsOK": a.MQREGO_DUPLICATES_OK,
        "FullResp": a.MQREGO_FULL_RESPONSE,
        "InclStreamName": a.MQREGO_INCLUDE_STREAM_NAME,
        "InformIfRet": a.MQREGO_INFORM_IF_RETAINED,
        "JoinExcl": a.MQREGO_JOIN_EXCLUSIVE,
        "JoinShared": a.MQREGO_JOIN_SHARED,
        "LeaveOnly": a.MQREGO_LEAVE_ONLY,
        "Local": a.MQREGO_LOCAL,
        "Locked": a.MQREGO_LOCKED,
        "NewPubsOnly": a.MQREGO_NEW_PUBLICATIONS_ONLY,
        "NoAlter": a.MQREGO_NO_ALTERATION,
        "NonPers": a.MQREGO_NON_PERSISTENT,
        "None": a.MQREGO_NONE,
        "Pers": a.MQREGO_PERSISTENT,
        "PersAsPub": a.MQREGO_PERSISTENT_AS_PUBLISH,
        "PersAsQueue": a.MQREGO_PERSISTENT_AS_Q,
        "PubOnReqOnly": a.MQREGO_PUBLISH_ON_REQUEST_ONLY,
        "VariableUserId": a.MQREGO_VARIABLE_USER_ID,
    },
    PUBLICATION_OPTIONS: {
        "Anon": 0,
        "CorrelAsId": a.MQPUBO_CORREL_ID_AS_IDENTITY,
        "IsRetainedPub": a.MQPUBO_IS_RETAINED_PUBLICATION,
        "Local": 0,
        "NoReg": a.MQPUBO_NO_REGISTRATION,
        "None": a.MQPUBO_NONE,
        "OtherSubsOnly": a.MQPUBO_OTHER_SUBSCRIBERS_ONLY,
        "RetainPub": a.MQPUBO_RETAIN_PUBLICATION,
    },
    DELETE_OPTIONS: {"Local": a.MQDELO_LOCAL, "None": a.MQDELO_NONE},
}


def words_of(kind: str, options: int) -> list[str]:
    """Give options as words."""
    return [word for word, bit in OPTIONS[kind].items() if bit & options]
