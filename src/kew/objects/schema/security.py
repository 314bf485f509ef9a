"""Attributes of channel authentication records, authority records and message protection policies."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import ALTERATION_DATE, ALTERATION_TIME, COUNT, DESCRIPTION, MOST, OBJECT_NAME, live
from kew.objects.schema.model import DEFINE, AttributeSpec, ObjectType, Row
from kew.objects.texts import Name, ProfileName, Text
from kew.objects.values import Choice, ListOf, Number

MAPS: Final = "SSLPEERMAP ADDRESSMAP USERMAP QMGRMAP"
SOURCE: Final = Choice({"MAP": a.MQUSRC_MAP, "NOACCESS": a.MQUSRC_NOACCESS, "CHANNEL": a.MQUSRC_CHANNEL})
UIDS: Final = Choice({"NO": a.MQUIDSUPP_NO, "YES": a.MQUIDSUPP_YES})
WARN: Final = Choice({"NO": a.MQWARN_NO, "YES": a.MQWARN_YES})
CHECK: Final = Choice({"ASQMGR": a.MQCHK_AS_Q_MGR, "REQDADM": a.MQCHK_REQUIRED_ADMIN, "REQUIRED": a.MQCHK_REQUIRED})

CHLAUTH_ROWS: Final = (
    Row("DESCR", a.MQCA_CHLAUTH_DESC, DESCRIPTION, "", "Comment on the record."),
    Row("CUSTOM", a.MQCA_CUSTOM, Text(128), "", "Reserved.", refused="no custom value of a record is known"),
    Row(
        "ADDRLIST",
        a.MQCACH_CONNECTION_NAME_LIST,
        ListOf(Text(264), 256),
        "",
        "Addresses refused before a channel is chosen.",
        types="BLOCKADDR",
    ),
    Row(
        "SSLPEER",
        a.MQCACH_SSL_PEER_NAME,
        Text(1024),
        "",
        "Pattern of the subject of the partner's certificate.",
        types="SSLPEERMAP",
        role=DEFINE,
    ),
    Row(
        "SSLCERTI",
        a.MQCA_SSL_CERT_ISSUER_NAME,
        Text(1024),
        "",
        "Pattern of the issuer of the partner's certificate.",
        types="SSLPEERMAP",
        role=DEFINE,
    ),
    Row(
        "ADDRESS",
        a.MQCACH_CONNECTION_NAME,
        Text(264),
        "",
        "Pattern of the partner's address or host name.",
        types=MAPS,
        role=DEFINE,
    ),
    Row("CLNTUSER", a.MQCACH_CLIENT_USER_ID, Text(64), "", "User the client states.", types="USERMAP", role=DEFINE),
    Row(
        "QMNAME",
        a.MQCA_REMOTE_Q_MGR_NAME,
        Name(48, generic=True),
        "",
        "Pattern of the partner queue manager's name.",
        types="QMGRMAP",
        role=DEFINE,
    ),
    Row(
        "USERLIST",
        a.MQCACH_MCA_USER_ID_LIST,
        ListOf(Text(64), 100),
        "",
        "Users refused; *MQADMIN stands for administrators.",
        types="BLOCKUSER",
    ),
    Row("MCAUSER", a.MQCACH_MCA_USER_ID, Text(64), "", "User whose authority the channel gets.", types=MAPS),
    Row(
        "USERSRC",
        a.MQIACH_USER_SOURCE,
        SOURCE,
        "MAP",
        "Where the user comes from: this record, the channel, or nowhere.",
        types=MAPS,
    ),
    Row(
        "CHCKCLNT",
        a.MQIA_CHECK_CLIENT_BINDING,
        CHECK,
        "ASQMGR",
        "Whether a user and password must be given.",
        types=MAPS,
    ),
    Row("WARN", a.MQIACH_WARNING, WARN, "NO", "Whether a refusal is only reported."),
    ALTERATION_DATE,
    ALTERATION_TIME,
)

AUTHORITIES: Final = {
    "ALTUSR": a.MQAUTH_ALT_USER_AUTHORITY,
    "BROWSE": a.MQAUTH_BROWSE,
    "CHG": a.MQAUTH_CHANGE,
    "CLR": a.MQAUTH_CLEAR,
    "CONNECT": a.MQAUTH_CONNECT,
    "CRT": a.MQAUTH_CREATE,
    "CTRL": a.MQAUTH_CONTROL,
    "CTRLX": a.MQAUTH_CONTROL_EXTENDED,
    "DLT": a.MQAUTH_DELETE,
    "DSP": a.MQAUTH_DISPLAY,
    "GET": a.MQAUTH_INPUT,
    "INQ": a.MQAUTH_INQUIRE,
    "PASSALL": a.MQAUTH_PASS_ALL_CONTEXT,
    "PASSID": a.MQAUTH_PASS_IDENTITY_CONTEXT,
    "PUB": a.MQAUTH_PUBLISH,
    "PUT": a.MQAUTH_OUTPUT,
    "RESUME": a.MQAUTH_RESUME,
    "SET": a.MQAUTH_SET,
    "SETALL": a.MQAUTH_SET_ALL_CONTEXT,
    "SETID": a.MQAUTH_SET_IDENTITY_CONTEXT,
    "SUB": a.MQAUTH_SUBSCRIBE,
    "SYSTEM": a.MQAUTH_SYSTEM,
}
AUTHORITY_SETS: Final = {
    "NONE": a.MQAUTH_NONE,
    "ALL": a.MQAUTH_ALL,
    "ALLADM": a.MQAUTH_ALL_ADMIN,
    "ALLMQI": a.MQAUTH_ALL_MQI,
}
AUTHORITY_LIST: Final = ListOf(Choice({**AUTHORITIES, **AUTHORITY_SETS}), 64)
MQZAET_PRINCIPAL: Final = 1
MQZAET_GROUP: Final = 2
ENTITY_TYPE: Final = Choice({"PRINCIPAL": MQZAET_PRINCIPAL, "GROUP": MQZAET_GROUP})
OBJECT_TYPE: Final = Choice(
    {
        "QUEUE": o.MQOT_Q,
        "QMGR": o.MQOT_Q_MGR,
        "TOPIC": o.MQOT_TOPIC,
        "CHANNEL": o.MQOT_CHANNEL,
        "CLNTCONN": o.MQOT_CLNTCONN_CHANNEL,
        "PROCESS": o.MQOT_PROCESS,
        "NAMELIST": o.MQOT_NAMELIST,
        "AUTHINFO": o.MQOT_AUTH_INFO,
        "LISTENER": o.MQOT_LISTENER,
        "SERVICE": o.MQOT_SERVICE,
        "COMMINFO": o.MQOT_COMM_INFO,
        "RQMNAME": o.MQOT_REMOTE_Q_MGR_NAME,
    },
    synonyms={"Q": "QUEUE"},
)
AUTHREC_ROWS: Final = (
    Row("ENTITY", a.MQCACF_ENTITY_NAME, Text(64), "", "User or group.", role=DEFINE),
    Row("ENTTYPE", a.MQIACF_ENTITY_TYPE, ENTITY_TYPE, "PRINCIPAL", "Whether ENTITY is a user or a group.", role=DEFINE),
    Row("OBJTYPE", a.MQIACF_OBJECT_TYPE, OBJECT_TYPE, "QUEUE", "Kind of object.", role=DEFINE),
    Row("AUTHLIST", a.MQIACF_AUTHORIZATION_LIST, AUTHORITY_LIST, "NONE", "What is allowed."),
)

ENTAUTH_ROWS: Final = (
    live("OBJNAME", a.MQCACF_OBJECT_NAME, Text(48), "Name of the object."),
    live("ENTITY", a.MQCACF_ENTITY_NAME, Text(64), "User or group."),
    live("ENTTYPE", a.MQIACF_ENTITY_TYPE, ENTITY_TYPE, "Whether ENTITY is a user or a group."),
    live("OBJTYPE", a.MQIACF_OBJECT_TYPE, OBJECT_TYPE, "Kind of object."),
    live("AUTHLIST", a.MQIACF_AUTHORIZATION_LIST, AUTHORITY_LIST, "What is allowed, by all records together."),
)
AUTHSERV_ROWS: Final = (
    live("IFVER", a.MQIACF_INTERFACE_VERSION, COUNT, "Version of the interface of the authorisation service."),
    live("SERVCOMP", a.MQCACF_SERVICE_COMPONENT, Text(48), "Name of the component."),
    live("UIDSUPP", a.MQIACF_USER_ID_SUPPORT, UIDS, "Whether authorities may be given to users."),
)

WEAK: Final = "the algorithm is no longer safe"
ENCRYPTION: Final = Choice(
    {
        "NONE": a.MQMLP_ENCRYPTION_ALG_NONE,
        "AES128": a.MQMLP_ENCRYPTION_ALG_AES128,
        "AES256": a.MQMLP_ENCRYPTION_ALG_AES256,
    },
    refused={"RC2": WEAK, "DES": WEAK, "3DES": WEAK},
)
SIGNATURE: Final = Choice(
    {
        "NONE": a.MQMLP_SIGN_ALG_NONE,
        "SHA256": a.MQMLP_SIGN_ALG_SHA256,
        "SHA384": a.MQMLP_SIGN_ALG_SHA384,
        "SHA512": a.MQMLP_SIGN_ALG_SHA512,
    },
    refused={"MD5": WEAK, "SHA1": WEAK, "SHA224": WEAK},
)
TOLERATE: Final = Choice(
    {"NO": a.MQMLP_TOLERATE_UNPROTECTED_NO, "YES": a.MQMLP_TOLERATE_UNPROTECTED_YES},
    bare=a.MQMLP_TOLERATE_UNPROTECTED_YES,
)
KEY_REUSE: Final = Number(0, MOST, {"DISABLED": 0, "UNLIMITED": -1})
DISTINGUISHED_NAMES: Final = ListOf(Text(1024), 64)
POLICY_ROWS: Final = (
    Row("SIGNALG", a.MQIA_SIGNATURE_ALGORITHM, SIGNATURE, "NONE", "How messages are signed."),
    Row(
        "SIGNER",
        a.MQCA_SIGNER_DN,
        DISTINGUISHED_NAMES,
        "",
        "Subjects whose signature is accepted; none means any.",
        repeat=True,
    ),
    Row("ENCALG", a.MQIA_ENCRYPTION_ALGORITHM, ENCRYPTION, "NONE", "How messages are encrypted."),
    Row("RECIP", a.MQCA_RECIPIENT_DN, DISTINGUISHED_NAMES, "", "Subjects that can read the messages.", repeat=True),
    Row(
        "TOLERATE",
        a.MQIA_TOLERATE_UNPROTECTED,
        TOLERATE,
        "NO",
        "Whether messages without protection are still accepted.",
    ),
    Row("KEYREUSE", a.MQIA_KEY_REUSE_COUNT, KEY_REUSE, "DISABLED", "How many messages one symmetric key protects."),
)

RECORD_TYPES: Final = {
    "BLOCKUSER": a.MQCAUT_BLOCKUSER,
    "BLOCKADDR": a.MQCAUT_BLOCKADDR,
    "SSLPEERMAP": a.MQCAUT_SSLPEERMAP,
    "ADDRESSMAP": a.MQCAUT_ADDRESSMAP,
    "USERMAP": a.MQCAUT_USERMAP,
    "QMGRMAP": a.MQCAUT_QMGRMAP,
}
RECORD_HELP: Final = {
    "BLOCKUSER": "Refuses users on a channel.",
    "BLOCKADDR": "Refuses addresses before a channel is chosen.",
    "SSLPEERMAP": "Chooses the user by the partner's certificate.",
    "ADDRESSMAP": "Chooses the user by the partner's address.",
    "USERMAP": "Chooses the user by the user the client states.",
    "QMGRMAP": "Chooses the user by the partner queue manager's name.",
}
# Whom a record is about and what it says of them.
RECORD_SHOWN: Final = {
    "BLOCKADDR": "ADDRLIST",
    "BLOCKUSER": "USERLIST",
    "SSLPEERMAP": "SSLPEER SSLCERTI ADDRESS USERSRC",
    "ADDRESSMAP": "ADDRESS USERSRC",
    "USERMAP": "ADDRESS CLNTUSER USERSRC",
    "QMGRMAP": "ADDRESS QMNAME USERSRC",
}
CHLAUTH_NAME: Final = AttributeSpec(
    "CHLAUTH", a.MQCACH_CHANNEL_NAME, Name(20, generic=True), "", "Pattern of channel names."
)
PROFILE: Final = AttributeSpec("PROFILE", a.MQCACF_AUTH_PROFILE_NAME, ProfileName(), "", "Pattern of object names.")
POLICY_NAME: Final = AttributeSpec("POLICY", a.MQCA_POLICY_NAME, OBJECT_NAME, "", "Queue the policy protects.")

TYPES: Final = (
    *(
        ObjectType(
            name,
            "CHLAUTH",
            ("AMQ8878I", "Display channel authentication record details."),
            CHLAUTH_NAME,
            CHLAUTH_ROWS,
            type_keyword="TYPE",
            pcf_type=o.MQOT_CHLAUTH,
            pcf_subtype=(a.MQIACF_CHLAUTH_TYPE, RECORD_TYPES[name]),
            always=RECORD_SHOWN[name],
            help_text=RECORD_HELP[name],
        )
        for name in RECORD_TYPES
    ),
    ObjectType(
        "AUTHREC",
        "AUTHREC",
        ("AMQ8864I", "Display authority record details."),
        PROFILE,
        AUTHREC_ROWS,
        pcf_type=o.MQOT_AUTH_REC,
        always="ENTITY ENTTYPE OBJTYPE AUTHLIST",
        help_text="What a user or group may do with objects.",
    ),
    ObjectType(
        "ENTAUTH",
        "ENTAUTH",
        ("AMQ8866I", "Display entity authority details."),
        None,
        ENTAUTH_ROWS,
        status=True,
        always="OBJNAME ENTITY ENTTYPE OBJTYPE AUTHLIST",
        help_text="What a user or group may do with one object, by all records together.",
    ),
    ObjectType(
        "AUTHSERV",
        "AUTHSERV",
        ("AMQ8870I", "Display authority service details."),
        None,
        AUTHSERV_ROWS,
        status=True,
        help_text="What the authorisation service can do.",
    ),
    ObjectType(
        "POLICY",
        "POLICY",
        ("AMQ9086I", "Display policy details."),
        POLICY_NAME,
        POLICY_ROWS,
        pcf_type=o.MQOT_PROT_POLICY,
        help_text="How the messages of a queue are signed and encrypted.",
    ),
)
