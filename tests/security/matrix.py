"""Every cell of the matrix: who, what, by which path. A cell says what it is, what happened and what should have."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import options as o
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.commands.actions.dispatch import perform
from kew.commands.mqsc.lexer import CommandReader, CommandText
from kew.commands.mqsc.parser import parse
from kew.commands.pcf.answer import PCFCommands
from kew.formats import pcf
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.objects.caller import Caller
from kew.qmgr.assemble import Host
from tests.security.oracle import World
from tests.support.pcf import Asked, request, text

NO = "AMQ8135E"


class Cell(NamedTuple):
    """One question and its two answers."""

    path: str
    who: str
    what: str
    expected: object
    happened: object

    @property
    def wrong(self) -> bool:
        """Whether the answers differ."""
        return self.expected != self.happened


# What each open option needs on the queue, and on the queue manager.
OPEN = {
    "input": (o.MQOO_INPUT_SHARED, "GET", ""),
    "input-default": (o.MQOO_INPUT_AS_Q_DEF, "GET", ""),
    "exclusive": (o.MQOO_INPUT_EXCLUSIVE, "GET", ""),
    "browse": (o.MQOO_BROWSE, "BROWSE", ""),
    "output": (o.MQOO_OUTPUT, "PUT", ""),
    "inquire": (o.MQOO_INQUIRE, "INQ", ""),
    "set": (o.MQOO_SET, "SET", ""),
    "save": (o.MQOO_INPUT_SHARED | o.MQOO_SAVE_ALL_CONTEXT, "GET", ""),
    "pass-identity": (o.MQOO_OUTPUT | o.MQOO_PASS_IDENTITY_CONTEXT, "PUT PASSID", ""),
    "pass-all": (o.MQOO_OUTPUT | o.MQOO_PASS_ALL_CONTEXT, "PUT PASSALL", ""),
    "set-identity": (o.MQOO_OUTPUT | o.MQOO_SET_IDENTITY_CONTEXT, "PUT SETID", "SETID"),
    "set-all": (o.MQOO_OUTPUT | o.MQOO_SET_ALL_CONTEXT, "PUT SETALL", "SETALL"),
    "both-ways": (o.MQOO_INPUT_SHARED | o.MQOO_OUTPUT | o.MQOO_INQUIRE, "GET PUT INQ", ""),
}
QUEUES = ("M.LOCAL", "M.OTHER", "M.ALIAS", "X.LOCAL")
PUT1 = {
    "plain": (0, "PUT", ""),
    "identity": (o.MQPMO_SET_IDENTITY_CONTEXT, "PUT SETID", "SETID"),
    "all": (o.MQPMO_SET_ALL_CONTEXT, "PUT SETALL", "SETALL"),
}


def _refused(act: Callable[[], object]) -> bool:
    try:
        act()
    except MQError as error:
        if error.reason == MQRC_NOT_AUTHORIZED:
            return True
        raise
    return False


def connecting(host: Host, world: World) -> Iterator[Cell]:
    """MQCONN."""
    for user in world.users:
        expected = "CONNECT" not in world.holds(user, "QMGR", "SELF")
        happened = _refused(lambda user=user: host.connect("matrix", user).disconnect())  # type: ignore[misc]
        yield Cell("connect", user, "", expected, happened)


def _may(world: World, user: str, queue: str, words: str, of_manager: str) -> bool:
    on_queue = world.holds(user, "QUEUE", queue) >= set(words.split())
    return on_queue and world.holds(user, "QMGR", "SELF") >= set(of_manager.split())


def _connected(host: Host, world: World) -> Iterator[tuple[str, LocalConnection]]:
    for user in world.users:
        if "CONNECT" in world.holds(user, "QMGR", "SELF"):
            connection = host.connect("matrix", user)
            yield user, connection
            connection.disconnect()


def opening(host: Host, world: World) -> Iterator[Cell]:
    """MQOPEN of queues and aliases."""
    for user, connection in _connected(host, world):
        for queue in QUEUES:
            for name, (options, words, of_manager) in OPEN.items():
                if queue == "M.ALIAS" and name == "set":
                    continue  # an alias has nothing to set
                refused = _refused(lambda: connection.close(connection.open(queue, options)))  # noqa: B023
                expected = not _may(world, user, queue, words, of_manager)
                yield Cell("open", user, f"{queue} {name}", expected, refused)


def putting(host: Host, world: World) -> Iterator[Cell]:
    """MQPUT1."""
    for user, connection in _connected(host, world):
        for queue in QUEUES:
            for name, (options, words, of_manager) in PUT1.items():
                message = MessageDescriptor(persistence=0, expiry=1)
                refused = _refused(lambda: connection.put1(queue, message, b"x", options))  # noqa: B023
                expected = not _may(world, user, queue, words, of_manager)
                yield Cell("put1", user, f"{queue} {name}", expected, refused)


# By which names a queue elsewhere is opened, and the queue whose authorities count.
ELSEWHERE = (
    ("M.REMOTE", "", "M.REMOTE"),
    ("X.REMOTE", "", "X.REMOTE"),
    ("M.FAR", "M.XMITQ", "M.XMITQ"),
    ("M.FAR", "X.XMITQ", "X.XMITQ"),
    ("M.FAR", "M.ALIAS.OF.MANAGER", "X.XMITQ"),
)


SENDING = ("output", "inquire", "set", "pass-identity", "pass-all", "set-identity", "set-all")
DEFINED = ("inquire", "set")  # what only a definition here can be opened for


def sending(host: Host, world: World) -> Iterator[Cell]:
    """MQOPEN and MQPUT1 of queues of other queue managers."""
    for user, connection in _connected(host, world):
        for queue, manager, counts in ELSEWHERE:
            for name, (options, words, of_manager) in OPEN.items():
                if name not in SENDING or (manager and name in DEFINED):
                    continue
                refused = _refused(
                    lambda: connection.close(connection.open(queue, options, manager=manager))  # noqa: B023
                )
                expected = not _may(world, user, counts, words, of_manager)
                yield Cell("sending", user, f"{queue} {manager} {name}", expected, refused)
            message = MessageDescriptor(persistence=0, expiry=1)
            refused = _refused(lambda: connection.put1(queue, message, b"x", manager=manager))  # noqa: B023
            expected = not _may(world, user, counts, "PUT", "")
            yield Cell("sending", user, f"{queue} {manager} put1", expected, refused)


def making(host: Host, world: World) -> Iterator[Cell]:
    """MQOPEN of a model queue, MQCLOSE of what it made by the maker and by somebody else."""
    for user, connection in _connected(host, world):
        held = world.holds(user, "QUEUE", "M.MODEL")
        for name in ("input", "output", "inquire"):
            options, words, _of_manager = OPEN[name]
            made: list[str] = []

            def act(options: int = options, made: list[str] = made, one: LocalConnection = connection) -> None:
                handle = one.open("M.MODEL", options, "M.MADE.*")
                made.append(handle.name)
                one.close(handle)

            yield Cell("model", user, name, not held >= {*words.split(), "DSP"}, _refused(act))
            for queue in made:
                yield Cell("own", user, "reopen", False, _refused(lambda: _delete(connection, queue)))  # noqa: B023
    owner = host.connect("matrix")
    for user, connection in _connected(host, world):
        theirs = owner.open("M.MODEL", o.MQOO_INQUIRE, "M.MADE.*")
        name = theirs.name
        held = world.holds(user, "QUEUE", name)
        owner.close(theirs)
        refused = True
        if held & {"INQ", "GET"}:
            refused = _refused(lambda: _delete(connection, name, held))  # noqa: B023
            yield Cell("close", user, "delete", "DLT" not in held, refused)
        if refused:
            for handle in list(connection.connection.handles.values()):
                connection.close(handle)
            owner.close(owner.open(name, o.MQOO_INQUIRE), o.MQCO_DELETE_PURGE)
    owner.disconnect()


def _delete(connection: LocalConnection, queue: str, held: frozenset[str] = frozenset({"INQ"})) -> None:
    options = o.MQOO_INQUIRE if "INQ" in held else o.MQOO_INPUT_SHARED
    connection.close(connection.open(queue, options), o.MQCO_DELETE_PURGE)


def standing_in(host: Host, world: World) -> Iterator[Cell]:
    """MQOPEN on behalf of an alternate user: that user's access, this user's context."""
    for user in ("qmgr-altusr", "qmgr-all", "chief", "stranger", "setter", "queue-get", "qmgr-connect"):
        manager = world.holds(user, "QMGR", "SELF")
        if "CONNECT" not in manager:
            continue
        connection = host.connect("matrix", user)
        for other in ("queue-get", "queue-put", "queue-all", "chief", "stranger", "setter", ""):
            for name, (options, words, of_manager) in OPEN.items():
                acting = set(words.split()) & {"GET", "PUT", "BROWSE", "INQ", "SET"}
                context = set(words.split()) - acting
                allowed = (
                    "ALTUSR" in manager
                    and world.holds(other, "QUEUE", "M.LOCAL") >= acting
                    and world.holds(user, "QUEUE", "M.LOCAL") >= context
                    and manager >= set(of_manager.split())
                )
                asked = options | o.MQOO_ALTERNATE_USER_AUTHORITY
                refused = _refused(
                    lambda: connection.close(connection.open("M.LOCAL", asked, alternate_user=other))  # noqa: B023
                )
                yield Cell("alternate", user, f"{other} {name}", not allowed, refused)
        connection.disconnect()


# A need is a choice of (type, name, word), one of which must be held.
Need = tuple[tuple[str, str, str], ...]
CHG_MANAGER: Need = (("QMGR", "SELF", "CHG"),)
CLAUSES = {
    "TOPIC": ("M.OBJECT", "TOPICSTR('m')", "SYSTEM.DEFAULT.TOPIC"),
    "PROCESS": ("M.OBJECT", "", "SYSTEM.DEFAULT.PROCESS"),
    "NAMELIST": ("M.OBJECT", "", "SYSTEM.DEFAULT.NAMELIST"),
    "LISTENER": ("M.OBJECT", "TRPTYPE(TCP)", "SYSTEM.DEFAULT.LISTENER.TCP"),
    "SERVICE": ("M.OBJECT", "", "SYSTEM.DEFAULT.SERVICE"),
    "AUTHINFO": ("M.OBJECT", "AUTHTYPE(IDPWOS)", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"),
    "COMMINFO": ("M.OBJECT", "TYPE(MULTICAST)", "SYSTEM.DEFAULT.COMMINFO.MULTICAST"),
    "CHANNEL": ("M.OBJECT", "CHLTYPE(SVRCONN)", "SYSTEM.DEF.SVRCONN"),
    "CLNTCONN": ("M.CLIENT", "CHLTYPE(CLNTCONN) CONNAME(here)", "SYSTEM.DEF.CLNTCONN"),
}
TARGETS = {"CLNTCONN": "CHANNEL"}


def create_need(kind: str, name: str) -> Need:
    """Who may make an object."""
    return ((kind, "@class", "CRT"), ("QMGR", "SELF", "CRT"), (kind, name, "CRT"))


def commands() -> Iterator[tuple[str, list[Need]]]:
    """Commands that change nothing when they are allowed, and what they need beside CONNECT and DSP."""
    for kind, (name, type_words, base) in CLAUSES.items():
        target = TARGETS.get(kind, kind)
        like = f"LIKE({name})"
        yield f"DEFINE {target}({name}) {type_words}", [create_need(kind, name), ((kind, base, "DSP"),)]
        yield f"DEFINE {target}({name}) {type_words} {like}", [create_need(kind, name), ((kind, name, "DSP"),)]
        yield (
            f"DEFINE {target}({name}) {type_words} {like} REPLACE",
            [((kind, name, "CHG"),), ((kind, name, "DSP"),)],
        )
        which = type_words.split(" ")[0] if kind in ("CHANNEL", "CLNTCONN", "AUTHINFO") else ""
        yield f"ALTER {target}({name}) {which} DESCR('')", [((kind, name, "CHG"),)]
        missing = f"DELETE {target}(M.GONE)"
        if kind != "CLNTCONN":
            yield missing, [((kind, "M.GONE", "DLT"),)]
        yield f"DISPLAY {target}({name})", [((kind, name, "DSP"),)]
    for kind in ("LISTENER", "SERVICE"):
        for verb in ("START", "STOP"):
            yield f"{verb} {kind}(M.GONE)", [((kind, "M.GONE", "CTRL"),)]
    for verb, word in (("START", "CTRL"), ("STOP", "CTRL"), ("PING", "CTRL"), ("RESET", "CTRLX"), ("RESOLVE", "CTRLX")):
        further = " ACTION(COMMIT)" if verb == "RESOLVE" else ""
        yield f"{verb} CHANNEL(M.GONE){further}", [(("CHANNEL", "M.GONE", word),)]
    yield "ALTER CHANNEL(M.BOTH) CHLTYPE(SVRCONN) DESCR('')", [(("CHANNEL", "M.BOTH", "CHG"),)]
    yield "ALTER CHANNEL(M.BOTH) CHLTYPE(CLNTCONN) DESCR('')", [(("CLNTCONN", "M.BOTH", "CHG"),)]
    yield "RESET CHANNEL(M.CLIENT)", [(("CLNTCONN", "M.CLIENT", "CTRLX"),)]
    yield "MOVE QLOCAL(M.GONE) TOQLOCAL(M.OTHER)", [(("QUEUE", "M.GONE", "CHG"),), (("QUEUE", "M.OTHER", "CHG"),)]
    yield "MOVE QLOCAL(M.GONE) TOQLOCAL(X.LOCAL)", [(("QUEUE", "M.GONE", "CHG"),), (("QUEUE", "X.LOCAL", "CHG"),)]
    for name in ("M.LOCAL", "X.LOCAL"):
        yield (
            f"DEFINE QLOCAL({name})",
            [create_need("QUEUE", name), (("QUEUE", "SYSTEM.DEFAULT.LOCAL.QUEUE", "DSP"),)],
        )
        yield f"DEFINE QLOCAL({name}) LIKE(M.OTHER)", [create_need("QUEUE", name), (("QUEUE", "M.OTHER", "DSP"),)]
        yield f"ALTER QLOCAL({name}) DESCR('')", [(("QUEUE", name, "CHG"),)]
        yield f"CLEAR QLOCAL({name})", [(("QUEUE", name, "CLR"),)]
        yield f"DISPLAY QLOCAL({name})", [(("QUEUE", name, "DSP"),)]
        yield f"DISPLAY QSTATUS({name})", [(("QUEUE", name, "DSP"),)]
        yield f"RESET QSTATS({name})", [(("QUEUE", name, "DSP"),), (("QUEUE", name, "CHG"),)]
    yield "DELETE QLOCAL(M.GONE)", [(("QUEUE", "M.GONE", "DLT"),)]
    yield "ALTER QMGR DESCR('')", [CHG_MANAGER]
    yield "SET AUTHREC PROFILE(NONE) OBJTYPE(QUEUE) PRINCIPAL('x') AUTHADD(NONE)", [CHG_MANAGER]
    yield "DELETE AUTHREC PROFILE(M.GONE) OBJTYPE(QUEUE) PRINCIPAL('x')", [CHG_MANAGER]
    yield "SET CHLAUTH(M.GONE) TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)", [CHG_MANAGER]
    yield "REFRESH SECURITY(*)", [CHG_MANAGER]
    yield "DEFINE STGCLASS(MGONE) PSID(77)", [CHG_MANAGER]
    yield "DELETE STGCLASS(MGONE)", [CHG_MANAGER]
    yield "RESET QSTATS(M.*)", [CHG_MANAGER]
    yield "STOP QMGR", [(("QMGR", "SELF", "CTRL"),)]
    for harmless in ("DISPLAY QMGR", "PING QMGR", "DISPLAY AUTHREC", "DISPLAY CHLAUTH(*)", "DISPLAY USAGE"):
        yield harmless, []


def commanding(host: Host, world: World) -> Iterator[Cell]:
    """MQSC on behalf of a user."""
    asked = [(line, needs, parse(next(_read(line)))) for line, needs in commands()]
    for user in [*world.users, ""]:
        for line, needs, command in asked:
            wanted = [(("QMGR", "SELF", "CONNECT"),), (("QMGR", "SELF", "DSP"),), *needs]
            allowed = all(
                any(word in world.holds(user, kind, name) for kind, name, word in choice) for choice in wanted
            )
            reply = perform(host.commands, command, Caller(user))
            yield Cell("command", user, line, not allowed, reply.message_id == NO)


def _read(line: str) -> Iterator[CommandText]:
    reader = CommandReader()
    yield from reader.feed(line)
    yield from reader.end()


Q = a.MQCA_Q_NAME
LOCAL_TYPE = pcf.Integer(a.MQIA_Q_TYPE, a.MQQT_LOCAL)
PROGRAMMED: tuple[tuple[str, bytes, list[Need]], ...] = (
    ("inquire", request(c.MQCMD_INQUIRE_Q, text(Q, "M.LOCAL")), [(("QUEUE", "M.LOCAL", "DSP"),)]),
    ("status", request(c.MQCMD_INQUIRE_Q_STATUS, text(Q, "M.LOCAL")), [(("QUEUE", "M.LOCAL", "DSP"),)]),
    ("clear", request(c.MQCMD_CLEAR_Q, text(Q, "M.LOCAL")), [(("QUEUE", "M.LOCAL", "CLR"),)]),
    (
        "change",
        request(c.MQCMD_CHANGE_Q, text(Q, "M.LOCAL"), LOCAL_TYPE, text(a.MQCA_Q_DESC, "")),
        [(("QUEUE", "M.LOCAL", "CHG"),)],
    ),
    ("delete", request(c.MQCMD_DELETE_Q, text(Q, "M.GONE")), [(("QUEUE", "M.GONE", "DLT"),)]),
    (
        "create",
        request(c.MQCMD_CREATE_Q, text(Q, "M.LOCAL"), LOCAL_TYPE),
        [create_need("QUEUE", "M.LOCAL"), (("QUEUE", "SYSTEM.DEFAULT.LOCAL.QUEUE", "DSP"),)],
    ),
    ("change manager", request(c.MQCMD_CHANGE_Q_MGR, text(a.MQCA_Q_MGR_DESC, "")), [CHG_MANAGER]),
    ("inquire manager", request(c.MQCMD_INQUIRE_Q_MGR), []),
    ("ping", request(c.MQCMD_PING_Q_MGR), []),
    (
        "escape",
        request(
            c.MQCMD_ESCAPE,
            pcf.Integer(a.MQIACF_ESCAPE_TYPE, a.MQET_MQSC),
            text(a.MQCACF_ESCAPE_TEXT, "ALTER QLOCAL(M.LOCAL) DESCR('')"),
        ),
        [(("QUEUE", "M.LOCAL", "CHG"),)],
    ),
)


def programming(host: Host, world: World) -> Iterator[Cell]:
    """PCF on behalf of a user."""
    commands = PCFCommands(host.commands)
    for user in [*world.users, ""]:
        for name, data, needs in PROGRAMMED:
            wanted = [(("QMGR", "SELF", "CONNECT"),), (("QMGR", "SELF", "DSP"),), *needs]
            allowed = all(
                any(word in world.holds(user, kind, object_name) for kind, object_name, word in choice)
                for choice in wanted
            )
            asked = Asked(commands.answer(data, 1208, Caller(user)).replies())
            yield Cell("pcf", user, name, not allowed, asked.reason == MQRC_NOT_AUTHORIZED)


def showing(host: Host, world: World) -> Iterator[Cell]:
    """What a generic DISPLAY shows to a user: the objects whose DSP the user holds, and no others."""
    everything = {"M.LOCAL", "M.OTHER", "M.ALIAS", "M.MODEL", "X.LOCAL"}
    command = parse(next(_read("DISPLAY QUEUE(*)")))
    for user in world.users:
        if not world.holds(user, "QMGR", "SELF") >= {"CONNECT", "DSP"}:
            continue
        reply = perform(host.commands, command, Caller(user))
        shown = {one.name for one in reply.shown}
        expected = {name for name in everything if "DSP" in world.holds(user, "QUEUE", name)}
        yield Cell("show", user, "QUEUE(*)", expected, shown & everything)


PATHS = (connecting, opening, putting, sending, making, standing_in, commanding, programming, showing)


def cells(host: Host, world: World, only: str = "") -> Iterator[Cell]:
    """All of them, or those of the users whose names begin in a way."""
    chosen = world
    if only:
        chosen = World()
        chosen.__dict__.update(world.__dict__)
        chosen.users = [user for user in world.users if user.startswith(tuple(only.split()))]
    for path in PATHS:
        yield from path(host, chosen)
