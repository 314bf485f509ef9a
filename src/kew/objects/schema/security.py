"""Attributes of channel authentication records, authority records and message protection policies."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.objects.schema.common import (
    LARGEST_NUMBER,
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.model import AttributeSpec, ObjectType
from kew.objects.schema.texts import Name, ProfileName, Text
from kew.objects.schema.values import Choice, ListOf, Number

MAPS: Final = "SSLPEERMAP ADDRESSMAP USERMAP QMGRMAP"
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
WEAK: Final = "the algorithm is no longer safe"
TOLERATE: Final = Choice(
    {"NO": a.MQMLP_TOLERATE_UNPROTECTED_NO, "YES": a.MQMLP_TOLERATE_UNPROTECTED_YES},
    bare=a.MQMLP_TOLERATE_UNPROTECTED_YES,
)

KINDS: Final = {
    **SHARED_KINDS,
    "addrlist": ListOf(Text(264), 256),
    "qmname": Name(48, generic=True),
    "userlist": ListOf(Text(64), 100),
    "source": Choice({"MAP": a.MQUSRC_MAP, "NOACCESS": a.MQUSRC_NOACCESS, "CHANNEL": a.MQUSRC_CHANNEL}),
    "check": Choice({"ASQMGR": a.MQCHK_AS_Q_MGR, "REQDADM": a.MQCHK_REQUIRED_ADMIN, "REQUIRED": a.MQCHK_REQUIRED}),
    "warn": Choice({"NO": a.MQWARN_NO, "YES": a.MQWARN_YES}),
    "entity-type": Choice({"PRINCIPAL": MQZAET_PRINCIPAL, "GROUP": MQZAET_GROUP}),
    "object-type": OBJECT_TYPE,
    "authority-list": AUTHORITY_LIST,
    "uids": Choice({"NO": a.MQUIDSUPP_NO, "YES": a.MQUIDSUPP_YES}),
    "signature": Choice(
        {
            "NONE": a.MQMLP_SIGN_ALG_NONE,
            "SHA256": a.MQMLP_SIGN_ALG_SHA256,
            "SHA384": a.MQMLP_SIGN_ALG_SHA384,
            "SHA512": a.MQMLP_SIGN_ALG_SHA512,
        },
        refused={"MD5": WEAK, "SHA1": WEAK, "SHA224": WEAK},
    ),
    "distinguished-names": ListOf(Text(1024), 64),
    "encryption": Choice(
        {
            "NONE": a.MQMLP_ENCRYPTION_ALG_NONE,
            "AES128": a.MQMLP_ENCRYPTION_ALG_AES128,
            "AES256": a.MQMLP_ENCRYPTION_ALG_AES256,
        },
        refused={"RC2": WEAK, "DES": WEAK, "3DES": WEAK},
    ),
    "tolerate": TOLERATE,
    "key-reuse": Number(0, LARGEST_NUMBER, {"DISABLED": 0, "UNLIMITED": -1}),
}
REASONS: Final = {
    **SHARED_REASONS,
    "custom": "no custom value of a record is known",
}

CHLAUTH_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                         | kind        | default | types                                 | notes          | meaning
DESCR    | MQCA_CHLAUTH_DESC           | description |         |                                       |                | Comment on the record.
CUSTOM   | MQCA_CUSTOM                 | text 128    |         |                                       | refused=custom | Reserved.
ADDRLIST | MQCACH_CONNECTION_NAME_LIST | addrlist    |         | BLOCKADDR                             |                | Addresses refused before a channel is chosen.
SSLPEER  | MQCACH_SSL_PEER_NAME        | text 1024   |         | SSLPEERMAP                            | define         | Pattern of the subject of the partner's certificate.
SSLCERTI | MQCA_SSL_CERT_ISSUER_NAME   | text 1024   |         | SSLPEERMAP                            | define         | Pattern of the issuer of the partner's certificate.
ADDRESS  | MQCACH_CONNECTION_NAME      | text 264    |         | SSLPEERMAP ADDRESSMAP USERMAP QMGRMAP | define         | Pattern of the partner's address or host name.
CLNTUSER | MQCACH_CLIENT_USER_ID       | text 64     |         | USERMAP                               | define         | User the client states.
QMNAME   | MQCA_REMOTE_Q_MGR_NAME      | qmname      |         | QMGRMAP                               | define         | Pattern of the partner queue manager's name.
USERLIST | MQCACH_MCA_USER_ID_LIST     | userlist    |         | BLOCKUSER                             |                | Users refused; *MQADMIN stands for administrators.
MCAUSER  | MQCACH_MCA_USER_ID          | text 64     |         | SSLPEERMAP ADDRESSMAP USERMAP QMGRMAP |                | User whose authority the channel gets.
USERSRC  | MQIACH_USER_SOURCE          | source      | MAP     | SSLPEERMAP ADDRESSMAP USERMAP QMGRMAP |                | Where the user comes from: this record, the channel, or nowhere.
CHCKCLNT | MQIA_CHECK_CLIENT_BINDING   | check       | ASQMGR  | SSLPEERMAP ADDRESSMAP USERMAP QMGRMAP |                | Whether a user and password must be given.
WARN     | MQIACH_WARNING              | warn        | NO      |                                       |                | Whether a refusal is only reported.
ALTDATE
ALTTIME
""",
    reasons=REASONS,
    shared=SHARED_ROWS,
)

AUTHREC_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                       | kind           | default   | types | notes  | meaning
ENTITY   | MQCACF_ENTITY_NAME        | text 64        |           |       | define | User or group.
ENTTYPE  | MQIACF_ENTITY_TYPE        | entity-type    | PRINCIPAL |       | define | Whether ENTITY is a user or a group.
OBJTYPE  | MQIACF_OBJECT_TYPE        | object-type    | QUEUE     |       | define | Kind of object.
AUTHLIST | MQIACF_AUTHORIZATION_LIST | authority-list | NONE      |       |        | Authorities on the object.
""",
)

ENTAUTH_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                       | kind           | default | types | notes | meaning
OBJNAME  | MQCACF_OBJECT_NAME        | text 48        |         |       | live  | Name of the object.
ENTITY   | MQCACF_ENTITY_NAME        | text 64        |         |       | live  | User or group.
ENTTYPE  | MQIACF_ENTITY_TYPE        | entity-type    |         |       | live  | Whether ENTITY is a user or a group.
OBJTYPE  | MQIACF_OBJECT_TYPE        | object-type    |         |       | live  | Kind of object.
AUTHLIST | MQIACF_AUTHORIZATION_LIST | authority-list |         |       | live  | Authorities on the object, by all records together.
""",
)

AUTHSERV_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                      | kind    | default | types | notes | meaning
IFVER    | MQIACF_INTERFACE_VERSION | count   |         |       | live  | Version of the interface of the authorisation service.
SERVCOMP | MQCACF_SERVICE_COMPONENT | text 48 |         |       | live  | Name of the component.
UIDSUPP  | MQIACF_USER_ID_SUPPORT   | uids    |         |       | live  | Whether authorities may be given to users.
""",
)

POLICY_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                       | kind                | default  | types | notes  | meaning
SIGNALG  | MQIA_SIGNATURE_ALGORITHM  | signature           | NONE     |       |        | How messages are signed.
SIGNER   | MQCA_SIGNER_DN            | distinguished-names |          |       | repeat | Subjects whose signature is accepted; none means any.
ENCALG   | MQIA_ENCRYPTION_ALGORITHM | encryption          | NONE     |       |        | How messages are encrypted.
RECIP    | MQCA_RECIPIENT_DN         | distinguished-names |          |       | repeat | Subjects that can read the messages.
TOLERATE | MQIA_TOLERATE_UNPROTECTED | tolerate            | NO       |       |        | Whether messages without protection are still accepted.
KEYREUSE | MQIA_KEY_REUSE_COUNT      | key-reuse           | DISABLED |       |        | How many messages one symmetric key protects.
""",
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

# The connections that a record matches, and their user.
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
        help_text="Authorities of a user or group on objects.",
    ),
    ObjectType(
        "ENTAUTH",
        "ENTAUTH",
        ("AMQ8866I", "Display entity authority details."),
        None,
        ENTAUTH_ROWS,
        status=True,
        always="OBJNAME ENTITY ENTTYPE OBJTYPE AUTHLIST",
        help_text="Authorities of a user or group on one object, by all records together.",
    ),
    ObjectType(
        "AUTHSERV",
        "AUTHSERV",
        ("AMQ8870I", "Display authority service details."),
        None,
        AUTHSERV_ROWS,
        status=True,
        help_text="Capabilities of the authorisation service.",
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
