"""The world of the matrix: a queue manager with objects of every type, and users who hold one thing each."""

from kew.commands.actions.script import Script
from kew.qmgr.assemble import Host
from kew.security.identity import Secret, User, UserFile
from tests.security.oracle import MQI, PLAIN, TYPES, World, words_of
from tests.support.authorities import grant
from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

OBJECTS = """
DEFINE QLOCAL(M.LOCAL)
DEFINE QLOCAL(M.OTHER)
DEFINE QALIAS(M.ALIAS) TARGET(M.LOCAL)
DEFINE QMODEL(M.MODEL) DEFTYPE(PERMDYN)
DEFINE QLOCAL(X.LOCAL)
DEFINE QLOCAL(M.XMITQ) USAGE(XMITQ)
DEFINE QLOCAL(X.XMITQ) USAGE(XMITQ)
DEFINE QREMOTE(M.REMOTE) RNAME(FAR) RQMNAME(X.XMITQ)
DEFINE QREMOTE(X.REMOTE) RNAME(FAR) RQMNAME(M.XMITQ)
DEFINE QREMOTE(M.ALIAS.OF.MANAGER) RNAME(' ') RQMNAME(FAR) XMITQ(X.XMITQ)
DEFINE TOPIC(M.OBJECT) TOPICSTR('m')
DEFINE CHANNEL(M.OBJECT) CHLTYPE(SVRCONN)
DEFINE CHANNEL(M.CLIENT) CHLTYPE(CLNTCONN) CONNAME(here)
DEFINE CHANNEL(M.BOTH) CHLTYPE(SVRCONN)
DEFINE CHANNEL(M.BOTH) CHLTYPE(CLNTCONN) CONNAME(here)
DEFINE PROCESS(M.OBJECT)
DEFINE NAMELIST(M.OBJECT)
DEFINE AUTHINFO(M.OBJECT) AUTHTYPE(IDPWOS)
DEFINE LISTENER(M.OBJECT) TRPTYPE(TCP)
DEFINE SERVICE(M.OBJECT)
DEFINE COMMINFO(M.OBJECT) TYPE(MULTICAST)
"""
BASE = "CONNECT,DSP"


def single_rights(kind: str) -> list[str]:
    """The words that a type of object has, each by itself, and those that stand for many."""
    return [*sorted(words_of(kind, "ALL") - {"SYSTEM"}), "CRT", "ALLMQI", "ALLADM", "ALL", "NONE"]


def build() -> World:
    """Say who there is and what they were given."""
    world = World()
    for kind in TYPES:
        for word in single_rights(kind):
            user = world.user(f"{kind}-{word}".lower())
            if kind == "QMGR":
                world.give(user, "QMGR", "SELF", f"{BASE},{word}" if word != "NONE" else BASE)
            else:
                world.give(user, "QMGR", "SELF", BASE)
                world.give(user, kind, "M.**", word)
    for word in [*MQI["QUEUE"].split(), *PLAIN.split(), "CLR"]:
        group = f"group-{word}".lower()
        world.user(f"member-{word}".lower(), "base", group)
        world.give(group, "QUEUE", "M.**", word, group=True)
    world.give("base", "QMGR", "SELF", BASE, group=True)
    for kind in TYPES:
        if kind != "QMGR":
            user = world.user(f"maker-{kind}".lower())
            world.give(user, "QMGR", "SELF", BASE)
            world.give(user, kind, "@class", "CRT")
            world.give(user, kind, "**", "DSP")
    _special(world)
    return world


def _special(world: World) -> None:
    world.user("stranger")
    world.user("chief", "mqm")
    world.mighty.add("chief")
    everything = ",".join(sorted(words_of("QUEUE", "ALL")))
    world.user("unconnected")  # everything, but may not connect
    world.give("unconnected", "QMGR", "SELF", "DSP,CHG,INQ,SETALL,SETID,ALTUSR")
    world.user("blind")  # may connect, but not display the queue manager
    world.give("blind", "QMGR", "SELF", "CONNECT,CHG,INQ,SETALL,SETID,ALTUSR")
    world.user("setter")  # context needs the authority on the queue manager too
    world.give("setter", "QMGR", "SELF", f"{BASE},SETALL,SETID")
    world.user("passer")
    world.give("passer", "QMGR", "SELF", BASE)
    for user in ("unconnected", "blind", "setter", "passer"):
        world.give(user, "QUEUE", "M.**", everything)
    world.user("added", "group-get", "group-put", "base")  # groups add up
    world.user("narrowed")  # a more specific profile takes away
    world.give("narrowed", "QMGR", "SELF", BASE)
    world.give("narrowed", "QUEUE", "M.**", everything)
    world.give("narrowed", "QUEUE", "M.LOCAL", "NONE")
    world.give("narrowed", "QUEUE", "M.?LIAS", "PUT")
    world.user("layered", "base", "group-get")  # the user's own record does not hide the group's
    world.give("layered", "QUEUE", "M.*", "NONE")
    world.give("layered", "QUEUE", "**", everything)
    world.user("elsewhere")  # the same authority on other names
    world.give("elsewhere", "QMGR", "SELF", f"{BASE},SETALL,SETID")
    world.give("elsewhere", "QUEUE", "X.**", everything)


def raise_world(world: World) -> Host:
    """Start the queue manager of a world."""
    disk = SimDisk()
    host = create(disk, small(pool=400, log_pages=1024))
    users = [User(name, Secret.of("x", cost=1), groups) for name, groups in world.groups.items()]
    UserFile(disk, host.places.users, host.log.owner).write(users)
    host.refresh_users()
    script = Script(host.commands)
    said = [line for batch in script.run(OBJECTS.split("\n")) for line in batch]
    assert not script.counts.failed, said
    for each in world.grants:
        grant(host, each.entity, TYPES[each.kind], each.profile, each.words, each.group)
    return host
