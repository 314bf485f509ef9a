"""Attributes of listeners, processes, namelists, services and authentication and communication information."""

from typing import Final

from kew.codes import attributes as a
from kew.codes import options as o
from kew.codes import structures as s
from kew.objects.schema.channels import TRANSPORT
from kew.objects.schema.common import (
    ALTERATION_DATE,
    ALTERATION_TIME,
    DESCRIPTION,
    MANAGER_DISPOSITION,
    MOST,
    NO_MULTICAST,
    OBJECT_NAME,
    TCP_ONLY,
)
from kew.objects.schema.model import DEFINE, LIVE, RESTART, AttributeSpec, ObjectType, Row
from kew.objects.texts import Text
from kew.objects.values import Choice, ListOf, Number

CONTROL: Final = Choice(
    {"MANUAL": a.MQSVC_CONTROL_MANUAL, "QMGR": a.MQSVC_CONTROL_Q_MGR, "STARTONLY": a.MQSVC_CONTROL_Q_MGR_START}
)
GROUP_DISPOSITION: Final = Row(
    "QSGDISP", a.MQIA_QSG_DISP, MANAGER_DISPOSITION, "QMGR", "Disposition in the queue sharing group.", role=DEFINE
)

LISTENER_ROWS: Final = (
    Row(
        "CONTROL",
        a.MQIACH_LISTENER_CONTROL,
        CONTROL,
        "MANUAL",
        "Whether the listener starts and stops with the queue manager.",
    ),
    Row("TRPTYPE", a.MQIACH_XMIT_PROTOCOL_TYPE, TRANSPORT, "TCP", "Transport."),
    Row("PORT", a.MQIACH_PORT, Number(0, 65535), "0", "Port to listen on; 0 for 1414.", change=RESTART),
    Row("IPADDR", a.MQCACH_IP_ADDRESS, Text(48), "", "Address to listen on; blank for all.", change=RESTART),
    Row(
        "BACKLOG",
        a.MQIACH_BACKLOG,
        Number(0, MOST),
        "0",
        "Connection requests the system may hold; 0 for its own limit.",
        change=RESTART,
    ),
    Row("ADAPTER", a.MQIACH_ADAPTER, Number(0, 255), "0", "NetBIOS adapter.", refused=TCP_ONLY),
    Row("COMMANDS", a.MQIACH_COMMAND_COUNT, Number(0, 255), "0", "NetBIOS commands.", refused=TCP_ONLY),
    Row("LOCLNAME", a.MQCACH_LOCAL_NAME, Text(16), "", "NetBIOS local name.", refused=TCP_ONLY),
    Row("NTBNAMES", a.MQIACH_NAME_COUNT, Number(0, 255), "0", "NetBIOS names.", refused=TCP_ONLY),
    Row("SESSIONS", a.MQIACH_SESSION_COUNT, Number(0, 255), "0", "NetBIOS sessions.", refused=TCP_ONLY),
    Row("SOCKET", a.MQIACH_SOCKET, Number(0, 65535), "0", "SPX socket.", refused=TCP_ONLY),
    Row("TPNAME", a.MQCACH_TP_NAME, Text(64), "", "LU 6.2 transaction program.", refused=TCP_ONLY),
    Row("DESCR", a.MQCACH_LISTENER_DESC, DESCRIPTION, "", "Comment on the listener."),
    ALTERATION_DATE,
    ALTERATION_TIME,
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
    numbers=(65536, MOST),
)
PROCESS_ROWS: Final = (
    ALTERATION_DATE,
    ALTERATION_TIME,
    Row("APPLICID", a.MQCA_APPL_ID, Text(256), "", "Program that a trigger monitor should start."),
    Row("APPLTYPE", a.MQIA_APPL_TYPE, APPLICATION, "UNIX", "Kind of program."),
    Row("DESCR", a.MQCA_PROCESS_DESC, DESCRIPTION, "", "Comment on the process."),
    Row("ENVRDATA", a.MQCA_ENV_DATA, Text(128), "", "Environment passed to the trigger monitor."),
    GROUP_DISPOSITION,
    Row("USERDATA", a.MQCA_USER_DATA, Text(128), "", "Data passed to the program."),
)

NAMELIST_TYPE: Final = Choice(
    {"NONE": a.MQNT_NONE, "QUEUE": a.MQNT_Q, "CLUSTER": a.MQNT_CLUSTER, "AUTHINFO": a.MQNT_AUTH_INFO},
    synonyms={"Q": "QUEUE"},
)
NAMELIST_ROWS: Final = (
    Row("NAMCOUNT", a.MQIA_NAME_COUNT, Number(0, 256), "0", "How many names there are.", role=LIVE),
    Row("NAMES", a.MQCA_NAMES, ListOf(OBJECT_NAME, 256), "", "The names."),
    Row("NLTYPE", a.MQIA_NAMELIST_TYPE, NAMELIST_TYPE, "NONE", "What the names are names of."),
    GROUP_DISPOSITION,
    Row("DESCR", a.MQCA_NAMELIST_DESC, DESCRIPTION, "", "Comment on the namelist."),
    ALTERATION_DATE,
    ALTERATION_TIME,
)

SERVICE_ROWS: Final = (
    Row(
        "CONTROL",
        a.MQIA_SERVICE_CONTROL,
        CONTROL,
        "MANUAL",
        "Whether the service starts and stops with the queue manager.",
    ),
    Row(
        "SERVTYPE",
        a.MQIA_SERVICE_TYPE,
        Choice({"COMMAND": a.MQSVC_TYPE_COMMAND, "SERVER": a.MQSVC_TYPE_SERVER}),
        "COMMAND",
        "Whether several instances may run, or one that is watched.",
    ),
    Row("STARTCMD", a.MQCA_SERVICE_START_COMMAND, Text(255), "", "Program that starts the service.", change=RESTART),
    Row("STARTARG", a.MQCA_SERVICE_START_ARGS, Text(255), "", "Arguments of the start program.", change=RESTART),
    Row("STOPCMD", a.MQCA_SERVICE_STOP_COMMAND, Text(255), "", "Program that stops the service."),
    Row("STOPARG", a.MQCA_SERVICE_STOP_ARGS, Text(255), "", "Arguments of the stop program."),
    Row("STDOUT", a.MQCA_STDOUT_DESTINATION, Text(255), "", "File for the program's output.", change=RESTART),
    Row("STDERR", a.MQCA_STDERR_DESTINATION, Text(255), "", "File for the program's errors.", change=RESTART),
    Row("DESCR", a.MQCA_SERVICE_DESC, DESCRIPTION, "", "Comment on the service."),
    ALTERATION_DATE,
    ALTERATION_TIME,
)

NO_LDAP: Final = "there is no LDAP client; use AUTHTYPE(IDPWOS)"
NO_OCSP: Final = "certificates are checked against revocation lists in files, not by OCSP"
LDAP: Final = "IDPWLDAP"
CHECK_CLIENT: Final = Choice(
    {
        "REQDADM": a.MQCHK_REQUIRED_ADMIN,
        "NONE": a.MQCHK_NONE,
        "OPTIONAL": a.MQCHK_OPTIONAL,
        "REQUIRED": a.MQCHK_REQUIRED,
    }
)
CHECK_LOCAL: Final = Choice(
    {
        "OPTIONAL": a.MQCHK_OPTIONAL,
        "NONE": a.MQCHK_NONE,
        "REQDADM": a.MQCHK_REQUIRED_ADMIN,
        "REQUIRED": a.MQCHK_REQUIRED,
    }
)
AUTHORISATION: Final = Choice(
    {
        "OS": a.MQLDAP_AUTHORMD_OS,
        "SEARCHGRP": a.MQLDAP_AUTHORMD_SEARCHGRP,
        "SEARCHUSR": a.MQLDAP_AUTHORMD_SEARCHUSR,
        "SRCHGRPSN": a.MQLDAP_AUTHORMD_SRCHGRPSN,
    }
)
AUTHINFO_ROWS: Final = (
    Row(
        "ADOPTCTX",
        a.MQIA_ADOPT_CONTEXT,
        Choice({"NO": a.MQADPCTX_NO, "YES": a.MQADPCTX_YES}),
        "NO",
        "Whether a checked user's authority is used from then on.",
        types="IDPWOS IDPWLDAP",
    ),
    Row("DESCR", a.MQCA_AUTH_INFO_DESC, DESCRIPTION, "", "Comment on the object."),
    Row(
        "CONNAME",
        a.MQCA_AUTH_INFO_CONN_NAME,
        Text(264),
        "",
        "Host and port of the LDAP server.",
        types="CRLLDAP IDPWLDAP",
        refused=NO_LDAP,
    ),
    Row(
        "CHCKCLNT",
        a.MQIA_CHECK_CLIENT_BINDING,
        CHECK_CLIENT,
        "REQDADM",
        "Which client connections must give a user and password.",
        types="IDPWOS IDPWLDAP",
    ),
    Row(
        "CHCKLOCL",
        a.MQIA_CHECK_LOCAL_BINDING,
        CHECK_LOCAL,
        "OPTIONAL",
        "Which local connections must give a user and password.",
        types="IDPWOS IDPWLDAP",
    ),
    Row(
        "FAILDLAY",
        a.MQIA_AUTHENTICATION_FAIL_DELAY,
        Number(0, 60),
        "1",
        "Seconds a failed check is made to wait.",
        types="IDPWOS IDPWLDAP",
    ),
    Row(
        "AUTHENMD",
        a.MQIA_AUTHENTICATION_METHOD,
        Choice({"OS": a.MQAUTHENTICATE_OS, "PAM": a.MQAUTHENTICATE_PAM}),
        "OS",
        "How users are checked that the queue manager has no password of: not at all, or by PAM.",
        types="IDPWOS",
    ),
    Row(
        "AUTHORMD",
        a.MQIA_LDAP_AUTHORMD,
        AUTHORISATION,
        "OS",
        "How the groups of a user are found.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "BASEDNG",
        a.MQCA_LDAP_BASE_DN_GROUPS,
        Text(1024),
        "",
        "Where groups are in the directory.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "BASEDNU",
        a.MQCA_LDAP_BASE_DN_USERS,
        Text(1024),
        "",
        "Where users are in the directory.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row("CLASSGRP", a.MQCA_LDAP_GROUP_OBJECT_CLASS, Text(128), "", "Class of groups.", types=LDAP, refused=NO_LDAP),
    Row("CLASSUSR", a.MQCA_LDAP_USER_OBJECT_CLASS, Text(128), "", "Class of users.", types=LDAP, refused=NO_LDAP),
    Row(
        "FINDGRP",
        a.MQCA_LDAP_FIND_GROUP_FIELD,
        Text(128),
        "",
        "Field that ties users and groups.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "GRPFIELD",
        a.MQCA_LDAP_GROUP_ATTR_FIELD,
        Text(128),
        "",
        "Field that names a group.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "LDAPPWD",
        a.MQCA_LDAP_PASSWORD,
        Text(256),
        "",
        "Password for the directory; never shown.",
        types="CRLLDAP IDPWLDAP",
        refused=NO_LDAP,
    ),
    Row(
        "LDAPUSER",
        a.MQCA_LDAP_USER_NAME,
        Text(1024),
        "",
        "User for the directory.",
        types="CRLLDAP IDPWLDAP",
        refused=NO_LDAP,
    ),
    Row(
        "NESTGRP",
        a.MQIA_LDAP_NESTGRP,
        Choice({"NO": a.MQLDAP_NESTGRP_NO, "YES": a.MQLDAP_NESTGRP_YES}),
        "NO",
        "Whether groups contain groups.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "SECCOMM",
        a.MQIA_LDAP_SECURE_COMM,
        Choice({"NO": a.MQSECCOMM_NO, "YES": a.MQSECCOMM_YES, "ANON": a.MQSECCOMM_ANON}),
        "NO",
        "Whether the directory is reached by TLS.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "SHORTUSR",
        a.MQCA_LDAP_SHORT_USER_FIELD,
        Text(128),
        "",
        "Field that holds a short user name.",
        types=LDAP,
        refused=NO_LDAP,
    ),
    Row(
        "USRFIELD", a.MQCA_LDAP_USER_ATTR_FIELD, Text(128), "", "Field that names a user.", types=LDAP, refused=NO_LDAP
    ),
    Row(
        "OCSPURL",
        a.MQCA_AUTH_INFO_OCSP_URL,
        Text(256),
        "",
        "Address of the OCSP responder.",
        types="OCSP",
        refused=NO_OCSP,
    ),
    GROUP_DISPOSITION,
    ALTERATION_DATE,
    ALTERATION_TIME,
)

MULTICAST_PROPERTIES: Final = Choice(
    {"ALL": a.MQMCP_ALL, "COMPAT": a.MQMCP_COMPAT, "NONE": a.MQMCP_NONE, "REPLY": a.MQMCP_REPLY, "USER": a.MQMCP_USER}
)
COMMINFO_ROWS: Final = (
    ALTERATION_DATE,
    ALTERATION_TIME,
    Row(
        "BRIDGE",
        a.MQIA_MCAST_BRIDGE,
        Choice({"ENABLED": s.MQMCB_ENABLED, "DISABLED": s.MQMCB_DISABLED}),
        "ENABLED",
        "Whether publications cross between multicast and queues.",
        refused=NO_MULTICAST,
    ),
    Row(
        "CCSID",
        a.MQIA_CODED_CHAR_SET_ID,
        Number(0, 65535, {"ASPUB": o.MQCCSI_AS_PUBLISHED}),
        "ASPUB",
        "Character set of multicast messages.",
        refused=NO_MULTICAST,
    ),
    Row(
        "COMMEV",
        a.MQIA_COMM_EVENT,
        Choice({"DISABLED": a.MQEVR_DISABLED, "ENABLED": a.MQEVR_ENABLED, "EXCEPTION": a.MQEVR_EXCEPTION}),
        "DISABLED",
        "Whether multicast events are made.",
        refused=NO_MULTICAST,
    ),
    Row("DESCR", a.MQCA_COMM_INFO_DESC, DESCRIPTION, "", "Comment on the object."),
    Row(
        "ENCODING",
        a.MQIACF_ENCODING,
        Choice(
            {
                "ASPUB": o.MQENC_AS_PUBLISHED,
                "NORMAL": o.MQENC_NORMAL,
                "REVERSED": o.MQENC_REVERSED,
                "S390": o.MQENC_S390,
                "TNS": o.MQENC_TNS,
            }
        ),
        "ASPUB",
        "Encoding of multicast messages.",
        refused=NO_MULTICAST,
    ),
    Row("GRPADDR", a.MQCACH_GROUP_ADDRESS, Text(264), "239.0.0.0", "Group address.", refused=NO_MULTICAST),
    Row(
        "MCHBINT",
        a.MQIACH_MC_HB_INTERVAL,
        Number(0, 999999),
        "2000",
        "Milliseconds between heartbeats.",
        refused=NO_MULTICAST,
    ),
    Row(
        "MCPROP",
        a.MQIACH_MULTICAST_PROPERTIES,
        MULTICAST_PROPERTIES,
        "ALL",
        "Which properties travel.",
        refused=NO_MULTICAST,
    ),
    Row(
        "MONINT",
        a.MQIA_MONITOR_INTERVAL,
        Number(0, 999999),
        "60",
        "Seconds between monitoring messages.",
        refused=NO_MULTICAST,
    ),
    Row(
        "MSGHIST",
        a.MQIACH_MSG_HISTORY,
        Number(0, MOST),
        "100",
        "Kilobytes kept for retransmission.",
        refused=NO_MULTICAST,
    ),
    Row(
        "NSUBHIST",
        a.MQIACH_NEW_SUBSCRIBER_HISTORY,
        Choice({"NONE": a.MQNSH_NONE, "ALL": a.MQNSH_ALL}),
        "NONE",
        "What a new subscriber receives.",
        refused=NO_MULTICAST,
    ),
    Row("PORT", a.MQIACH_PORT, Number(0, 65535), "1414", "Port.", refused=NO_MULTICAST),
    Row(
        "TYPE",
        a.MQIA_COMM_INFO_TYPE,
        Choice({"MULTICAST": a.MQCIT_MULTICAST}),
        "MULTICAST",
        "Kind of communication.",
        role=DEFINE,
    ),
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
