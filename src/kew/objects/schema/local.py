"""Attributes of listeners, processes, namelists, services and authentication and communication information."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.codes import structures as s
from kew.objects.schema.channels import TRANSPORT
from kew.objects.schema.common import (
    LARGEST_NUMBER,
    MANAGER_DISPOSITION,
    OBJECT_NAME,
    SHARED_KINDS,
    SHARED_REASONS,
    SHARED_ROWS,
)
from kew.objects.schema.grid import rows
from kew.objects.schema.model import DEFINE, AttributeSpec, ObjectType, Row
from kew.objects.schema.values import Choice, ListOf

CONTROL: Final = Choice(
    {"MANUAL": a.MQSVC_CONTROL_MANUAL, "QMGR": a.MQSVC_CONTROL_Q_MGR, "STARTONLY": a.MQSVC_CONTROL_Q_MGR_START}
)
GROUP_DISPOSITION: Final = Row(
    "QSGDISP", a.MQIA_QSG_DISP, MANAGER_DISPOSITION, "QMGR", "Disposition in the queue sharing group.", role=DEFINE
)
APPLICATION: Final = Choice(
    {
        "UNIX": o.MQAT_UNIX,
        "CICS": o.MQAT_CICS,
        "DEF": o.MQAT_DEFAULT,
        "DOS": o.MQAT_DOS,
        "IMS": o.MQAT_IMS,
        "MVS": o.MQAT_MVS,
        "NOTESAGENT": o.MQAT_NOTES_AGENT,
        "NSK": o.MQAT_NSK,
        "OS2": o.MQAT_OS2,
        "OS400": o.MQAT_OS400,
        "USER": o.MQAT_USER,
        "WINDOWS": o.MQAT_WINDOWS,
        "WINDOWSNT": o.MQAT_WINDOWS_NT,
    },
    synonyms={"ZOS": "MVS", "AIX": "UNIX"},
    numbers=(65536, LARGEST_NUMBER),
)
LDAP: Final = "IDPWLDAP"

KINDS: Final = {
    **SHARED_KINDS,
    "control": CONTROL,
    "transport": TRANSPORT,
    "application": APPLICATION,
    "names": ListOf(OBJECT_NAME, 256),
    "namelist-type": Choice(
        {"NONE": a.MQNT_NONE, "QUEUE": a.MQNT_Q, "CLUSTER": a.MQNT_CLUSTER, "AUTHINFO": a.MQNT_AUTH_INFO},
        synonyms={"Q": "QUEUE"},
    ),
    "servtype": Choice({"COMMAND": a.MQSVC_TYPE_COMMAND, "SERVER": a.MQSVC_TYPE_SERVER}),
    "adoptctx": Choice({"NO": a.MQADPCTX_NO, "YES": a.MQADPCTX_YES}),
    "check-client": Choice(
        {
            "REQDADM": a.MQCHK_REQUIRED_ADMIN,
            "NONE": a.MQCHK_NONE,
            "OPTIONAL": a.MQCHK_OPTIONAL,
            "REQUIRED": a.MQCHK_REQUIRED,
        }
    ),
    "check-local": Choice(
        {
            "OPTIONAL": a.MQCHK_OPTIONAL,
            "NONE": a.MQCHK_NONE,
            "REQDADM": a.MQCHK_REQUIRED_ADMIN,
            "REQUIRED": a.MQCHK_REQUIRED,
        }
    ),
    "authenmd": Choice({"OS": a.MQAUTHENTICATE_OS, "PAM": a.MQAUTHENTICATE_PAM}),
    "authorisation": Choice(
        {
            "OS": a.MQLDAP_AUTHORMD_OS,
            "SEARCHGRP": a.MQLDAP_AUTHORMD_SEARCHGRP,
            "SEARCHUSR": a.MQLDAP_AUTHORMD_SEARCHUSR,
            "SRCHGRPSN": a.MQLDAP_AUTHORMD_SRCHGRPSN,
        }
    ),
    "nestgrp": Choice({"NO": a.MQLDAP_NESTGRP_NO, "YES": a.MQLDAP_NESTGRP_YES}),
    "seccomm": Choice({"NO": a.MQSECCOMM_NO, "YES": a.MQSECCOMM_YES, "ANON": a.MQSECCOMM_ANON}),
    "bridge": Choice({"ENABLED": s.MQMCB_ENABLED, "DISABLED": s.MQMCB_DISABLED}),
    "commev": Choice({"DISABLED": a.MQEVR_DISABLED, "ENABLED": a.MQEVR_ENABLED, "EXCEPTION": a.MQEVR_EXCEPTION}),
    "encoding": Choice(
        {
            "ASPUB": o.MQENC_AS_PUBLISHED,
            "NORMAL": o.MQENC_NORMAL,
            "REVERSED": o.MQENC_REVERSED,
            "S390": o.MQENC_S390,
            "TNS": o.MQENC_TNS,
        }
    ),
    "multicast-properties": Choice(
        {
            "ALL": a.MQMCP_ALL,
            "COMPAT": a.MQMCP_COMPAT,
            "NONE": a.MQMCP_NONE,
            "REPLY": a.MQMCP_REPLY,
            "USER": a.MQMCP_USER,
        }
    ),
    "nsubhist": Choice({"NONE": a.MQNSH_NONE, "ALL": a.MQNSH_ALL}),
    "type": Choice({"MULTICAST": a.MQCIT_MULTICAST}),
}
REASONS: Final = {
    **SHARED_REASONS,
    "no-ldap": "there is no LDAP client; use AUTHTYPE(IDPWOS)",
    "no-ocsp": "certificates are checked against revocation lists in files, not by OCSP",
}
SHARED: Final = {
    **SHARED_ROWS,
    "QSGDISP": GROUP_DISPOSITION,
}

LISTENER_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                       | kind                | default | types | notes            | meaning
CONTROL  | MQIACH_LISTENER_CONTROL   | control             | MANUAL  |       |                  | Whether the listener starts and stops with the queue manager.
TRPTYPE  | MQIACH_XMIT_PROTOCOL_TYPE | transport           | TCP     |       |                  | Transport.
PORT     | MQIACH_PORT               | number 0..65535     | 0       |       | restart          | Port to listen on; 0 for 1414.
IPADDR   | MQCACH_IP_ADDRESS         | text 48             |         |       | restart          | Address to listen on; blank for all.
BACKLOG  | MQIACH_BACKLOG            | number 0..999999999 | 0       |       | restart          | Connection requests the system may hold; 0 for its own limit.
ADAPTER  | MQIACH_ADAPTER            | number 0..255       | 0       |       | refused=tcp-only | NetBIOS adapter.
COMMANDS | MQIACH_COMMAND_COUNT      | number 0..255       | 0       |       | refused=tcp-only | NetBIOS commands.
LOCLNAME | MQCACH_LOCAL_NAME         | text 16             |         |       | refused=tcp-only | NetBIOS local name.
NTBNAMES | MQIACH_NAME_COUNT         | number 0..255       | 0       |       | refused=tcp-only | NetBIOS names.
SESSIONS | MQIACH_SESSION_COUNT      | number 0..255       | 0       |       | refused=tcp-only | NetBIOS sessions.
SOCKET   | MQIACH_SOCKET             | number 0..65535     | 0       |       | refused=tcp-only | SPX socket.
TPNAME   | MQCACH_TP_NAME            | text 64             |         |       | refused=tcp-only | LU 6.2 transaction program.
DESCR    | MQCACH_LISTENER_DESC      | description         |         |       |                  | Comment on the listener.
ALTDATE
ALTTIME
""",
    reasons=REASONS,
    shared=SHARED,
)

PROCESS_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf               | kind        | default | types | notes | meaning
ALTDATE
ALTTIME
APPLICID | MQCA_APPL_ID      | text 256    |         |       |       | Program that a trigger monitor should start.
APPLTYPE | MQIA_APPL_TYPE    | application | UNIX    |       |       | Kind of program.
DESCR    | MQCA_PROCESS_DESC | description |         |       |       | Comment on the process.
ENVRDATA | MQCA_ENV_DATA     | text 128    |         |       |       | Environment passed to the trigger monitor.
QSGDISP
USERDATA | MQCA_USER_DATA    | text 128    |         |       |       | Data passed to the program.
""",
    shared=SHARED,
)

NAMELIST_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                | kind          | default | types | notes | meaning
NAMCOUNT | MQIA_NAME_COUNT    | number 0..256 | 0       |       | live  | How many names there are.
NAMES    | MQCA_NAMES         | names         |         |       |       | The names.
NLTYPE   | MQIA_NAMELIST_TYPE | namelist-type | NONE    |       |       | Type of object that the names stand for.
QSGDISP
DESCR    | MQCA_NAMELIST_DESC | description   |         |       |       | Comment on the namelist.
ALTDATE
ALTTIME
""",
    shared=SHARED,
)

SERVICE_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                        | kind        | default | types | notes   | meaning
CONTROL  | MQIA_SERVICE_CONTROL       | control     | MANUAL  |       |         | Whether the service starts and stops with the queue manager.
SERVTYPE | MQIA_SERVICE_TYPE          | servtype    | COMMAND |       |         | Whether several instances may run, or one that is watched.
STARTCMD | MQCA_SERVICE_START_COMMAND | text 255    |         |       | restart | Program that starts the service.
STARTARG | MQCA_SERVICE_START_ARGS    | text 255    |         |       | restart | Arguments of the start program.
STOPCMD  | MQCA_SERVICE_STOP_COMMAND  | text 255    |         |       |         | Program that stops the service.
STOPARG  | MQCA_SERVICE_STOP_ARGS     | text 255    |         |       |         | Arguments of the stop program.
STDOUT   | MQCA_STDOUT_DESTINATION    | text 255    |         |       | restart | File for the program's output.
STDERR   | MQCA_STDERR_DESTINATION    | text 255    |         |       | restart | File for the program's errors.
DESCR    | MQCA_SERVICE_DESC          | description |         |       |         | Comment on the service.
ALTDATE
ALTTIME
""",
    shared=SHARED,
)

AUTHINFO_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                            | kind          | default  | types            | notes                                          | meaning
ADOPTCTX | MQIA_ADOPT_CONTEXT             | adoptctx      | NO       | IDPWOS IDPWLDAP  |                                                | Whether a checked user's authority is used from then on.
DESCR    | MQCA_AUTH_INFO_DESC            | description   |          |                  |                                                | Comment on the object.
CONNAME  | MQCA_AUTH_INFO_CONN_NAME       | text 264      |          | CRLLDAP IDPWLDAP | refused=no-ldap                                | Host and port of the LDAP server.
CHCKCLNT | MQIA_CHECK_CLIENT_BINDING      | check-client  | REQDADM  | IDPWOS IDPWLDAP  |                                                | Which client connections must give a user and password.
CHCKLOCL | MQIA_CHECK_LOCAL_BINDING       | check-local   | OPTIONAL | IDPWOS IDPWLDAP  |                                                | Which local connections must give a user and password.
FAILDLAY | MQIA_AUTHENTICATION_FAIL_DELAY | number 0..60  | 1        | IDPWOS IDPWLDAP  |                                                | Seconds a failed check is made to wait.
AUTHENMD | MQIA_AUTHENTICATION_METHOD     | authenmd      | OS       | IDPWOS           |                                                | How users are checked that the queue manager has no password of: not at all, or by PAM.
AUTHORMD | MQIA_LDAP_AUTHORMD             | authorisation | OS       | IDPWLDAP         | refused=no-ldap                                | How the groups of a user are found.
BASEDNG  | MQCA_LDAP_BASE_DN_GROUPS       | text 1024     |          | IDPWLDAP         | refused=no-ldap                                | Where groups are in the directory.
BASEDNU  | MQCA_LDAP_BASE_DN_USERS        | text 1024     |          | IDPWLDAP         | refused=no-ldap                                | Where users are in the directory.
CLASSGRP | MQCA_LDAP_GROUP_OBJECT_CLASS   | text 128      |          | IDPWLDAP         | refused=no-ldap                                | Class of groups.
CLASSUSR | MQCA_LDAP_USER_OBJECT_CLASS    | text 128      |          | IDPWLDAP         | refused=no-ldap mq=inetOrgPerson               | Class of users.
FINDGRP  | MQCA_LDAP_FIND_GROUP_FIELD     | text 128      |          | IDPWLDAP         | refused=no-ldap                                | Field that ties users and groups.
GRPFIELD | MQCA_LDAP_GROUP_ATTR_FIELD     | text 128      |          | IDPWLDAP         | refused=no-ldap                                | Field that names a group.
LDAPPWD  | MQCA_LDAP_PASSWORD             | text 256      |          | CRLLDAP IDPWLDAP | refused=no-ldap                                | Password for the directory; never shown.
LDAPUSER | MQCA_LDAP_USER_NAME            | text 1024     |          | CRLLDAP IDPWLDAP | refused=no-ldap                                | User for the directory.
NESTGRP  | MQIA_LDAP_NESTGRP              | nestgrp       | NO       | IDPWLDAP         | refused=no-ldap                                | Whether groups contain groups.
SECCOMM  | MQIA_LDAP_SECURE_COMM          | seccomm       | NO       | IDPWLDAP         | refused=no-ldap                                | Whether the directory is reached by TLS.
SHORTUSR | MQCA_LDAP_SHORT_USER_FIELD     | text 128      |          | IDPWLDAP         | refused=no-ldap                                | Field that holds a short user name.
USRFIELD | MQCA_LDAP_USER_ATTR_FIELD      | text 128      |          | IDPWLDAP         | refused=no-ldap                                | Field that names a user.
OCSPURL  | MQCA_AUTH_INFO_OCSP_URL        | text 256      |          | OCSP             | refused=no-ocsp mq=http://dummy.OCSP.responder | Address of the OCSP responder.
QSGDISP
ALTDATE
ALTTIME
""",
    reasons=REASONS,
    shared=SHARED,
)

COMMINFO_ROWS: Final = rows(
    KINDS,
    """
keyword  | pcf                           | kind                                      | default   | types | notes                | meaning
ALTDATE
ALTTIME
BRIDGE   | MQIA_MCAST_BRIDGE             | bridge                                    | ENABLED   |       | refused=no-multicast | Whether publications cross between multicast and queues.
CCSID    | MQIA_CODED_CHAR_SET_ID        | number 0..65535 ASPUB=MQCCSI_AS_PUBLISHED | ASPUB     |       | refused=no-multicast | Character set of multicast messages.
COMMEV   | MQIA_COMM_EVENT               | commev                                    | DISABLED  |       | refused=no-multicast | Whether multicast events are made.
DESCR    | MQCA_COMM_INFO_DESC           | description                               |           |       |                      | Comment on the object.
ENCODING | MQIACF_ENCODING               | encoding                                  | ASPUB     |       | refused=no-multicast | Encoding of multicast messages.
GRPADDR  | MQCACH_GROUP_ADDRESS          | text 264                                  | 239.0.0.0 |       | refused=no-multicast | Group address.
MCHBINT  | MQIACH_MC_HB_INTERVAL         | number 0..999999                          | 2000      |       | refused=no-multicast | Milliseconds between heartbeats.
MCPROP   | MQIACH_MULTICAST_PROPERTIES   | multicast-properties                      | ALL       |       | refused=no-multicast | Which properties travel.
MONINT   | MQIA_MONITOR_INTERVAL         | number 0..999999                          | 60        |       | refused=no-multicast | Seconds between monitoring messages.
MSGHIST  | MQIACH_MSG_HISTORY            | number 0..999999999                       | 100       |       | refused=no-multicast | Kilobytes kept for retransmission.
NSUBHIST | MQIACH_NEW_SUBSCRIBER_HISTORY | nsubhist                                  | NONE      |       | refused=no-multicast | Messages that a new subscriber receives.
PORT     | MQIACH_PORT                   | number 0..65535                           | 1414      |       | refused=no-multicast | Port.
TYPE     | MQIA_COMM_INFO_TYPE           | type                                      | MULTICAST |       | define               | Kind of communication.
""",
    reasons=REASONS,
    shared=SHARED,
)

AUTH_TYPES: Final = {
    "CRLLDAP": o.MQAIT_CRL_LDAP,
    "OCSP": o.MQAIT_OCSP,
    "IDPWOS": o.MQAIT_IDPW_OS,
    "IDPWLDAP": o.MQAIT_IDPW_LDAP,
}

AUTH_HELP: Final = {
    "CRLLDAP": "Where certificate revocation lists are.",
    "OCSP": "Where certificates are checked for revocation.",
    "IDPWOS": "How users and passwords are checked on this system.",
    "IDPWLDAP": "How users and passwords are checked in a directory.",
}

AUTH_NAME: Final = AttributeSpec("AUTHINFO", a.MQCA_AUTH_INFO_NAME, OBJECT_NAME, "", "Name of the object.")


def _single(
    name: str,
    title: tuple[str, str],
    pcf: int,
    rows: tuple[Row, ...],
    object_type: int,
    help_text: str,
    short: tuple[str, ...] = (),
) -> ObjectType:
    spec = AttributeSpec(name, pcf, OBJECT_NAME, "", f"Name of the {name.lower()}.")
    return ObjectType(name, name, title, spec, rows, synonyms=short, pcf_type=object_type, help_text=help_text)


TYPES: Final = (
    _single(
        "LISTENER",
        ("AMQ8630I", "Display listener information details."),
        a.MQCACH_LISTENER_NAME,
        LISTENER_ROWS,
        o.MQOT_LISTENER,
        "Where connections come in.",
        ("LSTR",),
    ),
    _single(
        "PROCESS",
        ("AMQ8407I", "Display Process details."),
        a.MQCA_PROCESS_NAME,
        PROCESS_ROWS,
        o.MQOT_PROCESS,
        "A program that a trigger starts.",
        ("PRO",),
    ),
    _single(
        "NAMELIST",
        ("AMQ8550I", "Display namelist details."),
        a.MQCA_NAMELIST_NAME,
        NAMELIST_ROWS,
        o.MQOT_NAMELIST,
        "A list of names.",
        ("NL",),
    ),
    _single(
        "SERVICE",
        ("AMQ8629I", "Display service information details."),
        a.MQCA_SERVICE_NAME,
        SERVICE_ROWS,
        o.MQOT_SERVICE,
        "A program that runs beside the queue manager.",
    ),
    _single(
        "COMMINFO",
        ("AMQ8861I", "Display communication information details."),
        a.MQCA_COMM_INFO_NAME,
        COMMINFO_ROWS,
        o.MQOT_COMM_INFO,
        "Multicast parameters.",
    ),
    *(
        ObjectType(
            name,
            "AUTHINFO",
            ("AMQ8566I", "Display authentication information details."),
            AUTH_NAME,
            AUTHINFO_ROWS,
            type_keyword="AUTHTYPE",
            pcf_type=o.MQOT_AUTH_INFO,
            pcf_subtype=(a.MQIA_AUTH_INFO_TYPE, AUTH_TYPES[name]),
            help_text=AUTH_HELP[name],
        )
        for name in AUTH_TYPES
    ),
)
