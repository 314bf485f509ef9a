"""The table of commands: each verb with each of its targets, and the keywords allowed there."""

from typing import Final

from kew.codes import commands as c
from kew.codes.attributes import MQCA_TOPIC_STRING
from kew.commands.mqsc import options as p
from kew.objects.schema import FAMILIES, AttributeSpec, Family, ObjectType, object_type
from kew.objects.schema.topics import TOPIC_STRING
from kew.objects.values import Flag

# Whether a command takes a name in parentheses.
NO_NAME: Final = ""
NAMED: Final = "name"
GENERIC: Final = "generic"  # a name, or its beginning and an asterisk
MAYBE: Final = "maybe"  # a name, unless another keyword says what is meant
MAYBE_GENERIC: Final = "maybe generic"

# Which attributes of the object a command may carry, and how.
NOTHING: Final = ""
DEFINES: Final = "define"
ALTERS: Final = "alter"
SHOWS: Final = "display"

VERBS: Final = {
    "ALTER": ("ALT",),
    "ARCHIVE": ("ARC",),
    "BACKUP": ("BAC",),
    "CLEAR": ("CLE",),
    "DEFINE": ("DEF",),
    "DELETE": ("DEL",),
    "DISPLAY": ("DIS",),
    "END": ("EXIT", "QUIT"),
    "MOVE": ("MOV",),
    "PING": ("PIN",),
    "RECOVER": ("REC",),
    "REFRESH": ("REF",),
    "RESET": (),
    "RESOLVE": ("RES",),
    "RESUME": (),
    "RVERIFY": ("REV",),
    "SET": (),
    "START": ("STA",),
    "STOP": ("STO",),
    "SUSPEND": ("SUS",),
}


class CommandSpec:
    """One verb with one target: what may follow, and what the command is in PCF."""

    def __init__(
        self,
        verb: str,
        target: str,
        family: Family | None,
        *,
        kind: ObjectType | None = None,
        synonyms: tuple[str, ...] = (),
        naming: str = NO_NAME,
        name_spec: AttributeSpec | None = None,
        carries: str = NOTHING,
        options: tuple[AttributeSpec, ...] = (),
        required: str = "",
        selectors: str = "",
        pcf: int = 0,
        done: str = "CSQ9022I",
        refused: str = "",
        help_text: str = "",
    ) -> None:
        self.verb = verb
        self.target = target
        self.family = family
        only = family.types[0] if family is not None and len(family.types) == 1 else None
        self.kind = kind or only  # the object type, where the target says it
        self.synonyms = synonyms
        self.naming = naming
        self.name_spec = name_spec or (family.name_spec if family is not None and naming else None)
        self.carries = carries
        self.options = options
        self.required = tuple(required.split())  # keywords it cannot do without; A|B is one of the two
        self.selectors = frozenset(selectors.split())  # attributes that DISPLAY takes with a value, to choose objects
        self.pcf = pcf
        self.done = done  # the message of success
        self.refused = refused  # why there is no such command in Kew
        self.help_text = help_text
        self.by_word: dict[str, AttributeSpec] = {}
        for option in options:
            for word in option.words:
                self.by_word[word] = option

    @property
    def title(self) -> str:
        """Verb and target, as messages name the command."""
        return f"{self.verb} {self.target}" if self.target else self.verb

    @property
    def type_option(self) -> AttributeSpec | None:
        """The option that says which type of the family is meant, None where the target says it."""
        if self.family is None or self.kind is not None:
            return None
        return self.by_word.get(self.family.type_keyword) if self.family.type_keyword else None

    def takes(self, spec: AttributeSpec) -> bool:
        """Whether the command may carry this attribute of its object."""
        if self.carries == DEFINES:
            return spec.definable
        if self.carries == ALTERS:
            return spec.alterable
        return self.carries == SHOWS

    def attributes(self, kind: ObjectType | None = None) -> list[AttributeSpec]:
        """Return the attributes the command may carry, for one type or for the whole family."""
        chosen = kind or self.kind
        if chosen is not None:
            return [spec for spec in chosen.attributes if self.takes(spec)]
        if self.family is None or not self.carries:
            return []
        unique = dict.fromkeys([spec.keyword for spec in self.family.by_word.values()])
        specs = [self.family.by_word.get(keyword) for keyword in unique]
        flags = {spec.keyword: spec for spec in self.family.by_word.values() if isinstance(spec.kind, Flag)}
        named = [spec or flags.get(keyword) for keyword, spec in zip(unique, specs, strict=True)]
        return [spec for spec in named if spec is not None and self.takes(spec)]


QUEUE_MESSAGES: Final = ("AMQ8006I", "AMQ8008I", "AMQ8007I")
NO_MESSAGES: Final = ("CSQ9022I", "CSQ9022I", "CSQ9022I")

# target, synonyms, family, messages of DEFINE, ALTER and DELETE, PCF commands of DEFINE, ALTER, DELETE and DISPLAY
OBJECTS: Final = (
    (
        "QLOCAL",
        ("QL",),
        "QUEUE",
        QUEUE_MESSAGES,
        (c.MQCMD_CREATE_Q, c.MQCMD_CHANGE_Q, c.MQCMD_DELETE_Q, c.MQCMD_INQUIRE_Q),
    ),
    (
        "QALIAS",
        ("QA",),
        "QUEUE",
        QUEUE_MESSAGES,
        (c.MQCMD_CREATE_Q, c.MQCMD_CHANGE_Q, c.MQCMD_DELETE_Q, c.MQCMD_INQUIRE_Q),
    ),
    (
        "QREMOTE",
        ("QR",),
        "QUEUE",
        QUEUE_MESSAGES,
        (c.MQCMD_CREATE_Q, c.MQCMD_CHANGE_Q, c.MQCMD_DELETE_Q, c.MQCMD_INQUIRE_Q),
    ),
    (
        "QMODEL",
        ("QM",),
        "QUEUE",
        QUEUE_MESSAGES,
        (c.MQCMD_CREATE_Q, c.MQCMD_CHANGE_Q, c.MQCMD_DELETE_Q, c.MQCMD_INQUIRE_Q),
    ),
    (
        "CHANNEL",
        ("CHL",),
        "CHANNEL",
        ("AMQ8014I", "AMQ8016I", "AMQ8015I"),
        (c.MQCMD_CREATE_CHANNEL, c.MQCMD_CHANGE_CHANNEL, c.MQCMD_DELETE_CHANNEL, c.MQCMD_INQUIRE_CHANNEL),
    ),
    (
        "TOPIC",
        (),
        "TOPIC",
        ("AMQ8690I", "AMQ8691I", "AMQ8692I"),
        (c.MQCMD_CREATE_TOPIC, c.MQCMD_CHANGE_TOPIC, c.MQCMD_DELETE_TOPIC, c.MQCMD_INQUIRE_TOPIC),
    ),
    (
        "SUB",
        (),
        "SUB",
        ("AMQ8094I", "AMQ8095I", "AMQ8097I"),
        (
            c.MQCMD_CREATE_SUBSCRIPTION,
            c.MQCMD_CHANGE_SUBSCRIPTION,
            c.MQCMD_DELETE_SUBSCRIPTION,
            c.MQCMD_INQUIRE_SUBSCRIPTION,
        ),
    ),
    (
        "LISTENER",
        ("LSTR",),
        "LISTENER",
        ("AMQ8626I", "AMQ8623I", "AMQ8628I"),
        (c.MQCMD_CREATE_LISTENER, c.MQCMD_CHANGE_LISTENER, c.MQCMD_DELETE_LISTENER, c.MQCMD_INQUIRE_LISTENER),
    ),
    (
        "PROCESS",
        ("PRO",),
        "PROCESS",
        ("AMQ8010I", "AMQ8012I", "AMQ8011I"),
        (c.MQCMD_CREATE_PROCESS, c.MQCMD_CHANGE_PROCESS, c.MQCMD_DELETE_PROCESS, c.MQCMD_INQUIRE_PROCESS),
    ),
    (
        "NAMELIST",
        ("NL",),
        "NAMELIST",
        ("AMQ8552I", "AMQ8551I", "AMQ8553I"),
        (c.MQCMD_CREATE_NAMELIST, c.MQCMD_CHANGE_NAMELIST, c.MQCMD_DELETE_NAMELIST, c.MQCMD_INQUIRE_NAMELIST),
    ),
    (
        "SERVICE",
        (),
        "SERVICE",
        ("AMQ8625I", "AMQ8624I", "AMQ8627I"),
        (c.MQCMD_CREATE_SERVICE, c.MQCMD_CHANGE_SERVICE, c.MQCMD_DELETE_SERVICE, c.MQCMD_INQUIRE_SERVICE),
    ),
    (
        "AUTHINFO",
        (),
        "AUTHINFO",
        ("AMQ8563I", "AMQ8567I", "AMQ8564I"),
        (c.MQCMD_CREATE_AUTH_INFO, c.MQCMD_CHANGE_AUTH_INFO, c.MQCMD_DELETE_AUTH_INFO, c.MQCMD_INQUIRE_AUTH_INFO),
    ),
    (
        "COMMINFO",
        (),
        "COMMINFO",
        ("AMQ8858I", "AMQ8859I", "AMQ8860I"),
        (c.MQCMD_CREATE_COMM_INFO, c.MQCMD_CHANGE_COMM_INFO, c.MQCMD_DELETE_COMM_INFO, c.MQCMD_INQUIRE_COMM_INFO),
    ),
    (
        "STGCLASS",
        ("STC",),
        "STGCLASS",
        NO_MESSAGES,
        (c.MQCMD_CREATE_STG_CLASS, c.MQCMD_CHANGE_STG_CLASS, c.MQCMD_DELETE_STG_CLASS, c.MQCMD_INQUIRE_STG_CLASS),
    ),
    ("PSID", (), "PSID", NO_MESSAGES, (c.MQCMD_CREATE_PAGE_SET, c.MQCMD_CHANGE_PAGE_SET, c.MQCMD_DELETE_PAGE_SET, 0)),
    (
        "BUFFPOOL",
        ("BP",),
        "BUFFPOOL",
        NO_MESSAGES,
        (c.MQCMD_CREATE_BUFFER_POOL, c.MQCMD_CHANGE_BUFFER_POOL, c.MQCMD_DELETE_BUFFER_POOL, 0),
    ),
    (
        "CFSTRUCT",
        (),
        "CFSTRUCT",
        NO_MESSAGES,
        (c.MQCMD_CREATE_CF_STRUC, c.MQCMD_CHANGE_CF_STRUC, c.MQCMD_DELETE_CF_STRUC, c.MQCMD_INQUIRE_CF_STRUC),
    ),
)

# What an object of each target takes on top of its attributes: with DEFINE and ALTER, with DELETE, with DISPLAY; then
# the keyword DEFINE cannot do without, and the attributes by which DISPLAY chooses.
EXTRAS: Final[
    dict[str, tuple[tuple[AttributeSpec, ...], tuple[AttributeSpec, ...], tuple[AttributeSpec, ...], str, str]]
] = {
    "QUEUE": (
        (p.FORCE,),
        (p.PURGE, p.AUTHREC, p.IGNSTATE, p.QSGDISP),
        (p.QTYPE, p.QSGDISP),
        "",
        "CFSTRUCT CLUSNL CLUSTER PSID STGCLASS TARGTYPE",
    ),
    "CHANNEL": (
        (p.CHLTYPE,),
        (p.CHLTYPE, p.CHLTABLE, p.IGNSTATE, p.QSGDISP),
        (p.CHLTYPE_ALL, p.QSGDISP),
        "CHLTYPE",
        "",
    ),
    "TOPIC": ((p.TOPIC_LOCAL,), (p.AUTHREC, p.IGNSTATE, p.QSGDISP), (p.TOPIC_TYPE, p.QSGDISP), "", "CLUSTER"),
    "SUB": ((p.SUBID,), (p.SUBID, p.IGNSTATE), (p.SUBID, p.SUBTYPE, p.DURABLE, p.DISTYPE), "", ""),
    "LISTENER": ((), (p.IGNSTATE,), (), "", "TRPTYPE"),
    "PROCESS": ((), (p.IGNSTATE, p.QSGDISP), (p.QSGDISP,), "", ""),
    "NAMELIST": ((), (p.IGNSTATE, p.QSGDISP), (p.QSGDISP,), "", "NLTYPE"),
    "SERVICE": ((), (p.IGNSTATE,), (), "", ""),
    "AUTHINFO": ((p.AUTHTYPE,), (p.AUTHTYPE, p.IGNSTATE, p.QSGDISP), (p.AUTHTYPE_ALL, p.QSGDISP), "AUTHTYPE", ""),
    "COMMINFO": ((), (p.IGNSTATE,), (), "", "TYPE"),
    "STGCLASS": ((), (p.QSGDISP,), (p.QSGDISP,), "", "PSID"),
    "PSID": ((), (), (), "", ""),
    "BUFFPOOL": ((), (), (), "", ""),
    "CFSTRUCT": ((), (), (), "", ""),
}


def _objects() -> list[CommandSpec]:
    rows: list[CommandSpec] = []
    for target, short, family_name, said, pcf in OBJECTS:
        family = FAMILIES[family_name]
        kind = object_type(target) if family_name == "QUEUE" else None
        both, deleting, showing, needed, selectors = EXTRAS[family_name]
        where = MAYBE if family_name == "SUB" else NAMED
        what = (kind or family.types[0]).help_text
        made = (p.REPLACE, p.LIKE, p.CMDSCOPE, *[option for option in both if option is not p.SUBID])
        rows.append(
            CommandSpec(
                "DEFINE",
                target,
                family,
                kind=kind,
                synonyms=short,
                naming=NAMED,
                carries=DEFINES,
                options=made,
                required=needed,
                pcf=pcf[0],
                done=said[0],
                help_text=f"Creates: {what}",
            )
        )
        rows.append(
            CommandSpec(
                "ALTER",
                target,
                family,
                kind=kind,
                synonyms=short,
                naming=where,
                carries=ALTERS,
                options=(*both, p.CMDSCOPE),
                pcf=pcf[1],
                done=said[1],
                help_text=f"Changes: {what}",
            )
        )
        rows.append(
            CommandSpec(
                "DELETE",
                target,
                family,
                kind=kind,
                synonyms=short,
                naming=where,
                options=(*deleting, p.CMDSCOPE),
                pcf=pcf[2],
                done=said[2],
                help_text=f"Deletes: {what}",
            )
        )
        options = tuple([option for option in showing if kind is None or option is not p.QTYPE])
        rows.append(
            CommandSpec(
                "DISPLAY",
                target,
                family,
                kind=kind,
                synonyms=short,
                naming=MAYBE_GENERIC if family_name == "SUB" else GENERIC,
                carries=SHOWS,
                options=(*options, p.ALL, p.CMDSCOPE),
                selectors=selectors,
                pcf=pcf[3],
                done="",
                help_text=f"Shows: {what}",
            )
        )
    return rows


def _display(
    target: str,
    synonyms: tuple[str, ...],
    naming: str,
    options: tuple[AttributeSpec, ...],
    pcf: int,
    selectors: str = "",
    required: str = "",
    family: str = "",
    name_spec: AttributeSpec | None = None,
) -> CommandSpec:
    members = FAMILIES[family or target]
    return CommandSpec(
        "DISPLAY",
        target,
        members,
        synonyms=synonyms,
        naming=naming,
        name_spec=name_spec,
        carries=SHOWS,
        options=(*options, p.ALL, p.CMDSCOPE),
        selectors=selectors,
        required=required,
        pcf=pcf,
        done="",
        help_text=f"Shows: {members.types[0].help_text}",
    )


DISPLAYS: Final = (
    _display(
        "QUEUE",
        ("Q",),
        GENERIC,
        (p.QTYPE, p.QSGDISP),
        c.MQCMD_INQUIRE_Q,
        "CFSTRUCT CLUSNL CLUSTER PSID STGCLASS TARGTYPE",
    ),
    _display("QCLUSTER", ("QC",), GENERIC, (p.QSGDISP,), c.MQCMD_INQUIRE_Q, "CLUSTER", family="QUEUE"),
    _display("TCLUSTER", ("TC",), GENERIC, (p.QSGDISP,), c.MQCMD_INQUIRE_TOPIC, "CLUSTER", family="TOPIC"),
    _display("QMGR", (), NO_NAME, (), c.MQCMD_INQUIRE_Q_MGR),
    _display("QSTATUS", ("QS",), GENERIC, (p.status_type("QSTATUS"), p.QSGDISP), c.MQCMD_INQUIRE_Q_STATUS),
    _display("CONN", (), MAYBE_GENERIC, (p.CONN_TYPE, p.EXTCONN, p.URDISP), c.MQCMD_INQUIRE_CONNECTION),
    _display("CHSTATUS", ("CHS",), GENERIC, (p.INSTANCE, p.CHLDISP), c.MQCMD_INQUIRE_CHANNEL_STATUS, "CONNAME XMITQ"),
    _display("LSSTATUS", (), GENERIC, (), c.MQCMD_INQUIRE_LISTENER_STATUS),
    _display("SVSTATUS", (), GENERIC, (), c.MQCMD_INQUIRE_SERVICE_STATUS),
    _display("TPSTATUS", ("TPS",), NAMED, (p.status_type("TPSTATUS"),), c.MQCMD_INQUIRE_TOPIC_STATUS),
    _display("SBSTATUS", (), MAYBE_GENERIC, (p.SUBID, p.SUBTYPE, p.DURABLE), c.MQCMD_INQUIRE_SUB_STATUS),
    _display("PUBSUB", (), NO_NAME, (p.PUBSUB_TYPE,), c.MQCMD_INQUIRE_PUBSUB_STATUS),
    _display("QMSTATUS", (), NO_NAME, (p.status_type("QMSTATUS"),), c.MQCMD_INQUIRE_Q_MGR_STATUS),
    _display("CLUSQMGR", (), GENERIC, (), c.MQCMD_INQUIRE_CLUSTER_Q_MGR, "CHANNEL CLUSTER"),
    _display(
        "CHLAUTH",
        (),
        GENERIC,
        (p.CHLAUTH_TYPE_ALL, p.MATCH_RECORD),
        c.MQCMD_INQUIRE_CHLAUTH_RECS,
        "ADDRESS CLNTUSER QMNAME SSLPEER SSLCERTI",
    ),
    _display(
        "AUTHREC",
        (),
        MAYBE_GENERIC,
        (p.PROFILE, p.OBJTYPE, p.PRINCIPAL, p.GROUP, p.MATCH_PROFILE, p.SERVCOMP),
        c.MQCMD_INQUIRE_AUTH_RECS,
    ),
    _display(
        "ENTAUTH",
        (),
        NO_NAME,
        (p.OBJTYPE, p.PRINCIPAL, p.GROUP, p.OBJNAME, p.SERVCOMP),
        c.MQCMD_INQUIRE_ENTITY_AUTH,
        required="OBJTYPE PRINCIPAL|GROUP",
    ),
    _display("AUTHSERV", (), NO_NAME, (), c.MQCMD_INQUIRE_AUTH_SERVICE),
    _display("POLICY", (), GENERIC, (), c.MQCMD_INQUIRE_PROT_POLICY),
    _display("LOG", (), NO_NAME, (), c.MQCMD_INQUIRE_LOG),
    _display("ARCHIVE", ("ARC",), NO_NAME, (), c.MQCMD_INQUIRE_ARCHIVE),
    _display("SYSTEM", (), NO_NAME, (), c.MQCMD_INQUIRE_SYSTEM),
    _display("USAGE", (), NO_NAME, (p.USAGE_TYPE, p.PSID), c.MQCMD_INQUIRE_USAGE),
    _display("THREAD", ("THD",), GENERIC, (p.THREAD_TYPE, p.QMNAME), c.MQCMD_INQUIRE_THREAD),
    _display(
        "TRACE",
        (),
        MAYBE,
        (p.CLASS, p.DEST, p.TNO, p.USERID, p.RMID, p.DETAIL, p.COMMENT),
        c.MQCMD_INQUIRE_TRACE,
        name_spec=p.TRACE,
    ),
    _display("CHINIT", ("CHI", "DQM"), NO_NAME, (), c.MQCMD_INQUIRE_CHANNEL_INIT),
    _display("CMDSERV", ("CS",), NO_NAME, (), c.MQCMD_INQUIRE_CMD_SERVER),
    _display("SECURITY", ("SEC",), NO_NAME, (), c.MQCMD_INQUIRE_SECURITY),
    _display("GROUP", (), NO_NAME, (p.OBSMSGS,), c.MQCMD_INQUIRE_QSG),
    _display("CFSTATUS", (), GENERIC, (p.status_type("CFSTATUS"), p.SMDS), c.MQCMD_INQUIRE_CF_STRUC_STATUS),
    _display("SMDS", (), GENERIC, (), c.MQCMD_INQUIRE_SMDS, "CFSTRUCT", "CFSTRUCT"),
    _display("SMDSCONN", (), GENERIC, (), c.MQCMD_INQUIRE_SMDSCONN, "CFSTRUCT", "CFSTRUCT"),
)

TOPIC_STRING_NAME: Final = p.option("TOPICSTR", MQCA_TOPIC_STRING, TOPIC_STRING, "Topic string.")
CONNECTION_NAME: Final = FAMILIES["CONN"].name_spec
CLUSTER_NAME: Final = p.option("CLUSTER", 0, p.CLUSTER.kind, "Cluster; * for all.")
LISTENER_OPTIONS: Final = (p.TRPTYPE, p.PORT, p.IPADDR, p.INDISP, p.IGNSTATE, p.CMDSCOPE)
TRACE_OPTIONS: Final = (p.CLASS, p.DEST, p.RMID, p.USERID, p.COMMENT, p.CMDSCOPE)
USE_KEW: Final = "the kew command starts queue managers"

ACTIONS: Final = (
    CommandSpec(
        "ALTER",
        "QMGR",
        FAMILIES["QMGR"],
        kind=object_type("QMGR"),
        carries=ALTERS,
        options=(p.FORCE, p.CMDSCOPE),
        pcf=c.MQCMD_CHANGE_Q_MGR,
        done="AMQ8005I",
        help_text="Changes the queue manager.",
    ),
    CommandSpec(
        "ALTER",
        "SMDS",
        FAMILIES["SMDS"],
        kind=object_type("SMDS"),
        naming=NAMED,
        carries=ALTERS,
        options=(p.CFSTRUCT,),
        required="CFSTRUCT",
        pcf=c.MQCMD_CHANGE_SMDS,
        help_text="Changes a shared message data set.",
    ),
    CommandSpec(
        "ALTER",
        "SECURITY",
        FAMILIES["SECURITY"],
        kind=object_type("SECURITY"),
        synonyms=("SEC",),
        carries=ALTERS,
        options=(p.CMDSCOPE,),
        pcf=c.MQCMD_CHANGE_SECURITY,
        help_text="Changes how long users are remembered.",
    ),
    CommandSpec(
        "ALTER",
        "TRACE",
        FAMILIES["TRACE"],
        naming=NAMED,
        name_spec=p.TRACE,
        options=(p.TNO, p.CLASS, p.IFCID, p.COMMENT, p.CMDSCOPE),
        required="TNO",
        pcf=c.MQCMD_CHANGE_TRACE,
        help_text="Changes a running trace.",
    ),
    CommandSpec(
        "ARCHIVE",
        "LOG",
        FAMILIES["LOG"],
        options=(p.ARCHIVE_MODE, p.ARCHIVE_TIME, p.ARCHIVE_WAIT, p.CANCEL, p.CMDSCOPE),
        pcf=c.MQCMD_ARCHIVE_LOG,
        help_text="Closes the log extent and archives it.",
    ),
    CommandSpec(
        "BACKUP",
        "CFSTRUCT",
        FAMILIES["CFSTRUCT"],
        naming=NAMED,
        options=(p.EXCLINT, p.CMDSCOPE),
        pcf=c.MQCMD_BACKUP_CF_STRUC,
        help_text="Backs up a structure to the log.",
    ),
    CommandSpec(
        "CLEAR",
        "QLOCAL",
        FAMILIES["QUEUE"],
        kind=object_type("QLOCAL"),
        synonyms=("QL",),
        naming=NAMED,
        options=(p.QSGDISP, p.CMDSCOPE),
        pcf=c.MQCMD_CLEAR_Q,
        done="AMQ8022I",
        help_text="Deletes all messages of a queue.",
    ),
    CommandSpec(
        "CLEAR",
        "TOPICSTR",
        None,
        naming=NAMED,
        name_spec=TOPIC_STRING_NAME,
        options=(p.CLRTYPE, p.CLEAR_SCOPE, p.CMDSCOPE),
        required="CLRTYPE",
        pcf=c.MQCMD_CLEAR_TOPIC_STRING,
        done="AMQ8773I",
        help_text="Drops the retained publication of a topic string.",
    ),
    CommandSpec(
        "DEFINE",
        "LOG",
        FAMILIES["LOG"],
        naming=NAMED,
        name_spec=p.option("LOG", 0, p.ENVPARM.kind, "File of the new log extent."),
        options=(p.COPY, p.CMDSCOPE),
        pcf=c.MQCMD_CREATE_LOG,
        help_text="Adds an active log extent.",
    ),
    CommandSpec(
        "DELETE",
        "AUTHREC",
        FAMILIES["AUTHREC"],
        kind=object_type("AUTHREC"),
        naming=MAYBE,
        options=(p.PROFILE, p.OBJTYPE, p.PRINCIPAL, p.GROUP, p.IGNSTATE, p.SERVCOMP),
        required="OBJTYPE PRINCIPAL|GROUP",
        pcf=c.MQCMD_DELETE_AUTH_REC,
        done="AMQ8863I",
        help_text="Deletes an authority record.",
    ),
    CommandSpec(
        "DELETE",
        "POLICY",
        FAMILIES["POLICY"],
        kind=object_type("POLICY"),
        naming=NAMED,
        options=(p.IGNSTATE,),
        pcf=c.MQCMD_DELETE_PROT_POLICY,
        done="AMQ9088I",
        help_text="Deletes a message protection policy.",
    ),
    CommandSpec("END", "", None, done="", help_text="Ends the session."),
    CommandSpec(
        "MOVE",
        "QLOCAL",
        FAMILIES["QUEUE"],
        kind=object_type("QLOCAL"),
        synonyms=("QL",),
        naming=NAMED,
        options=(p.TOQLOCAL, p.MOVE_TYPE, p.QSGDISP, p.CMDSCOPE),
        required="TOQLOCAL",
        pcf=c.MQCMD_MOVE_Q,
        help_text="Moves all messages of a queue to another.",
    ),
    CommandSpec(
        "PING",
        "CHANNEL",
        FAMILIES["CHANNEL"],
        synonyms=("CHL",),
        naming=NAMED,
        options=(p.DATALEN, p.CHLDISP, p.CMDSCOPE),
        pcf=c.MQCMD_PING_CHANNEL,
        done="AMQ8020I",
        help_text="Tests a channel by sending data to the partner.",
    ),
    CommandSpec(
        "PING",
        "QMGR",
        FAMILIES["QMGR"],
        pcf=c.MQCMD_PING_Q_MGR,
        done="AMQ8415I",
        help_text="Tests whether commands are carried out.",
    ),
    CommandSpec(
        "RECOVER",
        "CFSTRUCT",
        FAMILIES["CFSTRUCT"],
        naming=NAMED,
        options=(p.RECOVER_TYPE, p.CMDSCOPE),
        pcf=c.MQCMD_RECOVER_CF_STRUC,
        help_text="Recovers a structure from backup and log.",
    ),
    CommandSpec(
        "RECOVER",
        "BSDS",
        None,
        options=(p.CMDSCOPE,),
        pcf=c.MQCMD_RECOVER_BSDS,
        help_text="Makes the second bootstrap file again.",
    ),
    CommandSpec(
        "REFRESH",
        "CLUSTER",
        None,
        naming=NAMED,
        name_spec=CLUSTER_NAME,
        options=(p.REPOS, p.CMDSCOPE),
        pcf=c.MQCMD_REFRESH_CLUSTER,
        done="AMQ8558I",
        help_text="Drops and learns again what is known of a cluster.",
    ),
    CommandSpec(
        "REFRESH",
        "QMGR",
        FAMILIES["QMGR"],
        options=(p.REFRESH_TYPE, p.OBJECT, p.OBJECT_NAME, p.INCLINT, p.CMDSCOPE),
        required="TYPE",
        pcf=c.MQCMD_REFRESH_Q_MGR,
        done="AMQ8005I",
        help_text="Scans for expired messages, or writes configuration events.",
    ),
    CommandSpec(
        "REFRESH",
        "SECURITY",
        FAMILIES["SECURITY"],
        synonyms=("SEC",),
        naming=MAYBE,
        name_spec=p.option("SECURITY", 0, p.ENVPARM.kind, "Class of security; * for all."),
        options=(p.SECURITY_TYPE, p.CMDSCOPE),
        pcf=c.MQCMD_REFRESH_SECURITY,
        done="AMQ8560I",
        help_text="Reads users, authorities and keys again.",
    ),
    CommandSpec(
        "RESET",
        "CHANNEL",
        FAMILIES["CHANNEL"],
        synonyms=("CHL",),
        naming=NAMED,
        options=(p.SEQNUM, p.CHLDISP, p.CMDSCOPE),
        pcf=c.MQCMD_RESET_CHANNEL,
        done="AMQ8023I",
        help_text="Sets the sequence number of a channel.",
    ),
    CommandSpec(
        "RESET",
        "CLUSTER",
        None,
        naming=NAMED,
        name_spec=CLUSTER_NAME,
        options=(p.ACTION_CLUSTER, p.QMNAME, p.QMID, p.QUEUES, p.CMDSCOPE),
        required="ACTION",
        pcf=c.MQCMD_RESET_CLUSTER,
        done="AMQ8559I",
        help_text="Removes a queue manager from a cluster by force.",
    ),
    CommandSpec(
        "RESET",
        "QMGR",
        FAMILIES["QMGR"],
        options=(p.RESET_TYPE, p.CHILD, p.PARENT, p.REDUCE, p.ARCHIVED, p.CMDSCOPE),
        required="TYPE",
        pcf=c.MQCMD_RESET_Q_MGR,
        done="AMQ8005I",
        help_text="Begins a new log extent, or writes statistics now.",
    ),
    CommandSpec(
        "RESET",
        "QSTATS",
        FAMILIES["QUEUE"],
        naming=GENERIC,
        options=(p.CMDSCOPE,),
        pcf=c.MQCMD_RESET_Q_STATS,
        help_text="Shows and clears the counts of a queue.",
    ),
    CommandSpec(
        "RESET",
        "CFSTRUCT",
        FAMILIES["CFSTRUCT"],
        naming=NAMED,
        options=(p.ACTION_FAIL,),
        required="ACTION",
        pcf=c.MQCMD_RESET_CF_STRUC,
        help_text="Makes a structure fail, so that it can be recovered.",
    ),
    CommandSpec(
        "RESET",
        "SMDS",
        FAMILIES["SMDS"],
        kind=object_type("SMDS"),
        naming=NAMED,
        options=(p.CFSTRUCT, p.ACCESS, p.STATUS_SMDS),
        required="CFSTRUCT",
        pcf=c.MQCMD_RESET_SMDS,
        help_text="Sets the state of a shared message data set.",
    ),
    CommandSpec(
        "RESET",
        "TPIPE",
        None,
        naming=NAMED,
        name_spec=TOPIC_STRING_NAME,
        pcf=c.MQCMD_RESET_TPIPE,
        refused="there is no OTMA bridge to IMS",
        help_text="Sets the sequence numbers of an IMS pipe.",
    ),
    CommandSpec(
        "RESOLVE",
        "CHANNEL",
        FAMILIES["CHANNEL"],
        synonyms=("CHL",),
        naming=NAMED,
        options=(p.ACTION_INDOUBT, p.CHLDISP, p.CMDSCOPE),
        required="ACTION",
        pcf=c.MQCMD_RESOLVE_CHANNEL,
        done="AMQ8025I",
        help_text="Ends a batch of a channel that is in doubt.",
    ),
    CommandSpec(
        "RESOLVE",
        "INDOUBT",
        FAMILIES["THREAD"],
        synonyms=("IND",),
        naming=NAMED,
        options=(p.ACTION_INDOUBT, p.NID, p.QMNAME, p.CMDSCOPE),
        required="ACTION",
        pcf=c.MQCMD_RESOLVE_INDOUBT,
        help_text="Ends units of work that are in doubt.",
    ),
    CommandSpec(
        "RESUME",
        "QMGR",
        FAMILIES["QMGR"],
        options=(p.CLUSTER, p.CLUSNL, p.FACILITY, p.LOG, p.CMDSCOPE),
        pcf=c.MQCMD_RESUME_Q_MGR,
        done="AMQ8556I",
        help_text="Undoes SUSPEND QMGR.",
    ),
    CommandSpec(
        "RVERIFY",
        "SECURITY",
        FAMILIES["SECURITY"],
        synonyms=("SEC",),
        naming=NAMED,
        name_spec=p.option("SECURITY", 0, p.USERID.kind, "Users."),
        options=(p.CMDSCOPE,),
        pcf=c.MQCMD_REVERIFY_SECURITY,
        help_text="Forgets what is known of users.",
    ),
    CommandSpec(
        "SET",
        "ARCHIVE",
        FAMILIES["ARCHIVE"],
        kind=object_type("ARCHIVE"),
        synonyms=("ARC",),
        carries=ALTERS,
        options=(p.DEFAULT, p.CMDSCOPE),
        pcf=c.MQCMD_SET_ARCHIVE,
        help_text="Changes parameters of archiving.",
    ),
    CommandSpec(
        "SET",
        "AUTHREC",
        FAMILIES["AUTHREC"],
        kind=object_type("AUTHREC"),
        naming=MAYBE,
        options=(p.PROFILE, p.OBJTYPE, p.PRINCIPAL, p.GROUP, p.AUTHADD, p.AUTHRMV, p.SERVCOMP),
        required="OBJTYPE PRINCIPAL|GROUP AUTHADD|AUTHRMV",
        pcf=c.MQCMD_SET_AUTH_REC,
        done="AMQ8862I",
        help_text="Gives or takes authority.",
    ),
    CommandSpec(
        "SET",
        "CHLAUTH",
        FAMILIES["CHLAUTH"],
        naming=GENERIC,
        carries=DEFINES,
        options=(p.CHLAUTH_TYPE, p.ACTION_RECORD, p.CMDSCOPE),
        required="TYPE",
        pcf=c.MQCMD_SET_CHLAUTH_REC,
        done="AMQ8877I",
        help_text="Makes or removes a channel authentication record.",
    ),
    CommandSpec(
        "SET",
        "LOG",
        FAMILIES["LOG"],
        kind=object_type("LOG"),
        carries=ALTERS,
        options=(p.DEFAULT, p.CMDSCOPE),
        pcf=c.MQCMD_SET_LOG,
        help_text="Changes parameters of the log.",
    ),
    CommandSpec(
        "SET",
        "POLICY",
        FAMILIES["POLICY"],
        kind=object_type("POLICY"),
        naming=NAMED,
        carries=DEFINES,
        options=(p.ACTION_POLICY, p.ENFORCE),
        pcf=c.MQCMD_SET_PROT_POLICY,
        done="AMQ9087I",
        help_text="Makes or removes a message protection policy.",
    ),
    CommandSpec(
        "SET",
        "SYSTEM",
        FAMILIES["SYSTEM"],
        kind=object_type("SYSTEM"),
        carries=ALTERS,
        options=(p.DEFAULT, p.CMDSCOPE),
        pcf=c.MQCMD_SET_SYSTEM,
        help_text="Changes system parameters.",
    ),
    CommandSpec(
        "START",
        "CHANNEL",
        FAMILIES["CHANNEL"],
        synonyms=("CHL",),
        naming=NAMED,
        options=(p.CHLTYPE, p.CHLDISP, p.IGNSTATE, p.CMDSCOPE),
        pcf=c.MQCMD_START_CHANNEL,
        done="AMQ8018I",
        help_text="Starts a channel.",
    ),
    CommandSpec(
        "START",
        "CHINIT",
        FAMILIES["CHINIT"],
        synonyms=("CHI",),
        options=(p.INITQ, p.ENVPARM, p.CMDSCOPE),
        pcf=c.MQCMD_START_CHANNEL_INIT,
        done="AMQ8024I",
        help_text="Starts the channel initiator.",
    ),
    CommandSpec(
        "START",
        "CMDSERV",
        FAMILIES["CMDSERV"],
        synonyms=("CS",),
        pcf=c.MQCMD_START_CMD_SERVER,
        help_text="Starts the command server.",
    ),
    CommandSpec(
        "START",
        "LISTENER",
        FAMILIES["LISTENER"],
        synonyms=("LSTR",),
        naming=MAYBE,
        options=LISTENER_OPTIONS,
        pcf=c.MQCMD_START_CHANNEL_LISTENER,
        done="AMQ8021I",
        help_text="Starts a listener.",
    ),
    CommandSpec(
        "START",
        "QMGR",
        FAMILIES["QMGR"],
        options=(p.ENVPARM,),
        pcf=c.MQCMD_START_Q_MGR,
        refused=USE_KEW,
        help_text="Starts the queue manager.",
    ),
    CommandSpec(
        "START",
        "SERVICE",
        FAMILIES["SERVICE"],
        naming=NAMED,
        options=(p.IGNSTATE,),
        pcf=c.MQCMD_START_SERVICE,
        done="AMQ8733I",
        help_text="Starts a service.",
    ),
    CommandSpec(
        "START",
        "SMDSCONN",
        FAMILIES["SMDSCONN"],
        kind=object_type("SMDSCONN"),
        naming=GENERIC,
        options=(p.CFSTRUCT, p.CMDSCOPE),
        required="CFSTRUCT",
        pcf=c.MQCMD_START_SMDSCONN,
        help_text="Allows use of a shared message data set again.",
    ),
    CommandSpec(
        "START",
        "TRACE",
        FAMILIES["TRACE"],
        naming=MAYBE,
        name_spec=p.TRACE,
        options=(*TRACE_OPTIONS, p.TDATA, p.IFCID),
        pcf=c.MQCMD_START_TRACE,
        help_text="Starts a trace.",
    ),
    CommandSpec(
        "STOP",
        "CHANNEL",
        FAMILIES["CHANNEL"],
        synonyms=("CHL",),
        naming=NAMED,
        options=(p.CHLTYPE, p.MODE_STOP, p.STATUS_STOP, p.CONNAME, p.QMNAME, p.CHLDISP, p.IGNSTATE, p.CMDSCOPE),
        pcf=c.MQCMD_STOP_CHANNEL,
        done="AMQ8019I",
        help_text="Stops a channel.",
    ),
    CommandSpec(
        "STOP",
        "CHINIT",
        FAMILIES["CHINIT"],
        synonyms=("CHI",),
        options=(p.SHARED, p.CMDSCOPE),
        pcf=c.MQCMD_STOP_CHANNEL_INIT,
        help_text="Stops the channel initiator.",
    ),
    CommandSpec(
        "STOP",
        "CMDSERV",
        FAMILIES["CMDSERV"],
        synonyms=("CS",),
        pcf=c.MQCMD_STOP_CMD_SERVER,
        help_text="Stops the command server.",
    ),
    CommandSpec(
        "STOP",
        "CONN",
        FAMILIES["CONN"],
        naming=NAMED,
        options=(p.EXTCONN,),
        pcf=c.MQCMD_STOP_CONNECTION,
        done="AMQ8457I",
        help_text="Breaks a connection.",
    ),
    CommandSpec(
        "STOP",
        "LISTENER",
        FAMILIES["LISTENER"],
        synonyms=("LSTR",),
        naming=MAYBE,
        options=LISTENER_OPTIONS,
        pcf=c.MQCMD_STOP_CHANNEL_LISTENER,
        done="AMQ8706I",
        help_text="Stops a listener.",
    ),
    CommandSpec(
        "STOP",
        "QMGR",
        FAMILIES["QMGR"],
        options=(p.MODE_STOP, p.CMDSCOPE),
        pcf=c.MQCMD_STOP_Q_MGR,
        help_text="Stops the queue manager.",
    ),
    CommandSpec(
        "STOP",
        "SERVICE",
        FAMILIES["SERVICE"],
        naming=NAMED,
        options=(p.IGNSTATE,),
        pcf=c.MQCMD_STOP_SERVICE,
        done="AMQ8734I",
        help_text="Stops a service.",
    ),
    CommandSpec(
        "STOP",
        "SMDSCONN",
        FAMILIES["SMDSCONN"],
        kind=object_type("SMDSCONN"),
        naming=GENERIC,
        options=(p.CFSTRUCT, p.CMDSCOPE),
        required="CFSTRUCT",
        pcf=c.MQCMD_STOP_SMDSCONN,
        help_text="Ends use of a shared message data set.",
    ),
    CommandSpec(
        "STOP",
        "TRACE",
        FAMILIES["TRACE"],
        naming=NAMED,
        name_spec=p.TRACE,
        options=(*TRACE_OPTIONS, p.TNO),
        pcf=c.MQCMD_STOP_TRACE,
        help_text="Stops a trace.",
    ),
    CommandSpec(
        "SUSPEND",
        "QMGR",
        FAMILIES["QMGR"],
        options=(p.CLUSTER, p.CLUSNL, p.FACILITY, p.LOG, p.MODE_STOP, p.CMDSCOPE),
        pcf=c.MQCMD_SUSPEND_Q_MGR,
        done="AMQ8557I",
        help_text="Leaves a cluster for a while, or holds logging.",
    ),
)


def _table() -> dict[str, dict[str, CommandSpec]]:
    table: dict[str, dict[str, CommandSpec]] = {verb: {} for verb in VERBS}
    for spec in (*_objects(), *DISPLAYS, *ACTIONS):
        for word in (spec.target, *spec.synonyms):
            table[spec.verb][word] = spec
    return table


COMMANDS: Final[dict[str, dict[str, CommandSpec]]] = _table()
VERB_WORDS: Final[dict[str, str]] = {word: verb for verb, short in VERBS.items() for word in (verb, *short)}


def all_commands() -> list[CommandSpec]:
    """Return every command once."""
    return [spec for targets in COMMANDS.values() for word, spec in targets.items() if word == spec.target]


def find_verb(word: str) -> str:
    """Return the verb that a word or its abbreviation names, empty if none."""
    return VERB_WORDS.get(word.upper(), "")
