"""Who comes in by a channel, and as whom: every combination, as the documented order of rules says."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.commands.actions.script import Script
from kew.objects.definition import Definition
from kew.qmgr.assemble import Host
from kew.security.admission import ConnectionAttempt
from kew.security.identity import Secret, User, UserFile
from tests.support.hosting import Notes, create, small
from tests.support.simdisk import SimDisk

CHANNELS = {"CH.MCA": "mca", "CH.BLANK": "", "CH.ADM": "", "CH.WARN": "mca", "Z.MCA": "mca", "Z.CHIEF": "chief"}


class Map(NamedTuple):
    """A record that maps, as the test knows it."""

    channel: str
    kind: str
    match: str
    address: str
    source: str  # NOACCESS, CHANNEL or the user it maps to
    check: str = "ASQMGR"
    warn: bool = False
    issuer: str = ""


MAPS = (
    Map("*", "ADDRESSMAP", "", "*", "NOACCESS"),
    Map("Z.*", "ADDRESSMAP", "", "10.*", "CHANNEL"),
    Map("CH.*", "ADDRESSMAP", "", "10.*", "CHANNEL"),
    Map("CH.*", "ADDRESSMAP", "", "10.1.*", "NOACCESS"),
    Map("CH.*", "ADDRESSMAP", "", "10.1.1.5", "m1"),
    Map("CH.MCA", "ADDRESSMAP", "", "10.2.*", "m2"),
    Map("CH.MCA*", "ADDRESSMAP", "", "10.2.0.1", "NOACCESS"),
    Map("CH.*", "USERMAP", "alice", "*", "m3"),
    Map("CH.*", "USERMAP", "alice", "10.9.*", "NOACCESS"),
    Map("CH.*", "USERMAP", "bob", "*", "CHANNEL", "REQUIRED"),
    Map("CH.ADM", "USERMAP", "chief", "*", "CHANNEL", "REQDADM"),
    Map("CH.*", "SSLPEERMAP", "CN=alice,O=x", "*", "m4"),
    Map("CH.*", "SSLPEERMAP", "O=x", "*", "NOACCESS"),
    Map("CH.*", "SSLPEERMAP", "O=y", "*", "m5", issuer="CN=CA"),
    Map("CH.*", "QMGRMAP", "QM*", "*", "m6"),
    Map("CH.*", "QMGRMAP", "QM2", "*", "NOACCESS"),
    Map("CH.WARN", "ADDRESSMAP", "", "*", "NOACCESS", warn=True),
)
BLOCKED_USERS = {"*": {"*MQADMIN", "m6"}, "CH.ADM": {"nobody"}, "CH.MCA": {"m2", "bob"}}
PASSWORDS = {"alice": "a", "bob": "b", "chief": "c"}
ADMINISTRATORS = {"chief"}


def commands() -> Iterator[str]:
    for channel, user in CHANNELS.items():
        yield f"DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) MCAUSER('{user}')"
    for each in MAPS:
        keyword = {"USERMAP": "CLNTUSER", "SSLPEERMAP": "SSLPEER", "QMGRMAP": "QMNAME"}.get(each.kind, "")
        text = f"SET CHLAUTH('{each.channel}') TYPE({each.kind}) ACTION(REPLACE)"
        text += f" {keyword}('{each.match}')" if keyword else ""
        text += f" ADDRESS('{each.address}')" if each.address != "*" or not keyword else ""
        text += f" SSLCERTI('{each.issuer}')" if each.issuer else ""
        mapped = each.source not in ("NOACCESS", "CHANNEL")
        text += f" MCAUSER('{each.source}')" if mapped else f" USERSRC({each.source})"
        yield text + f" CHCKCLNT({each.check}) WARN({'YES' if each.warn else 'NO'})"
    for channel, users in BLOCKED_USERS.items():
        listed = ",".join([f"'{user}'" for user in sorted(users)])
        yield f"SET CHLAUTH('{channel}') TYPE(BLOCKUSER) USERLIST({listed}) ACTION(REPLACE)"
    yield "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('192.168.*','2001:DB8:*')"
    yield "DEFINE AUTHINFO(AI) AUTHTYPE(IDPWOS) FAILDLAY(3)"


@pytest.fixture(scope="module")
def host() -> Host:
    disk = SimDisk()
    made = create(disk, small(pool=400), Notes())
    users = [
        User(name, Secret.of(password, cost=1), ("mqm",) if name in ADMINISTRATORS else ())
        for name, password in PASSWORDS.items()
    ]
    UserFile(disk, made.places.users, made.log.owner).write(users)
    made.refresh_users()
    made.install([Definition.of("QMGR", "QM1", {"CONNAUTH": "AI"})])
    said(made, *commands())
    return made


def said(host: Host, *lines: str) -> list[str]:
    script = Script(host.commands)
    found = [line for batch in script.run(list(lines)) for line in batch]
    assert not script.counts.failed + script.counts.syntax_errors, found
    return found


def about(pattern: str, text: str) -> bool:
    return text.startswith(pattern[:-1]) if pattern.endswith("*") else text == pattern


def has(peer: str, wanted: str) -> bool:
    return set(wanted.split(",")) <= set(peer.split(",")) if wanted else True


def fits(each: Map, arrival: ConnectionAttempt, user: str) -> bool:
    if not about(each.channel, arrival.channel) or not about(each.address, arrival.address):
        return False
    if each.kind == "SSLPEERMAP":
        return bool(arrival.peer) and has(arrival.peer, each.match) and has(arrival.issuer, each.issuer)
    if each.kind == "USERMAP":
        return not arrival.queue_manager and user == each.match
    if each.kind == "QMGRMAP":
        return bool(arrival.queue_manager) and about(each.match, arrival.queue_manager)
    return True


def precedence(each: Map) -> tuple[int, ...]:
    """Lower is stronger: channel name, kind of record, whom it names, address."""
    kind = {"SSLPEERMAP": 0, "USERMAP": 1, "QMGRMAP": 1, "ADDRESSMAP": 2}[each.kind]
    named = -each.match.count("=") if each.kind == "SSLPEERMAP" else int(each.match.endswith("*"))
    literal = each.address.rstrip("*").strip(".").split(".")
    parts = 0 if each.address == "*" else len(literal)
    return (-len(each.channel.rstrip("*")), int(each.channel.endswith("*")), kind, named, -len(each.issuer), -parts)


class Settings(NamedTuple):
    """What the queue manager says."""

    rules: bool
    check: str
    adopt: bool


def expected(arrival: ConnectionAttempt, settings: Settings) -> str | None:
    """The user, or None for a refusal, by the documented steps."""
    client = not arrival.queue_manager
    proven = ""
    if client and arrival.credentials is not None and settings.check != "NONE":
        name, password = arrival.credentials
        if PASSWORDS.get(name) != password:
            return None
        proven = name
    adopted = proven if settings.adopt else ""
    matching = [each for each in MAPS if fits(each, arrival, adopted or arrival.user)] if settings.rules else []
    rule = min(matching, key=precedence, default=None)
    if rule is not None and rule.source == "NOACCESS" and not rule.warn:
        return None
    mapped = rule.source if rule is not None and rule.source not in ("NOACCESS", "CHANNEL") else ""
    user = mapped or adopted or CHANNELS[arrival.channel]
    if not user:
        return None
    if not client:
        return user
    if settings.rules:
        lists = [name for name in BLOCKED_USERS if about(name, arrival.channel)]
        nearest = BLOCKED_USERS[max(lists, key=len)]
        if user in nearest or (user in ADMINISTRATORS and "*MQADMIN" in nearest):
            return None
    level = rule.check if rule is not None and rule.check != "ASQMGR" else settings.check
    demanded = level == "REQUIRED" or (level == "REQDADM" and user in ADMINISTRATORS)
    return None if demanded and not proven else user


def arrivals() -> Iterator[ConnectionAttempt]:
    addresses = ("10.0.0.1", "10.1.0.1", "10.1.1.5", "10.2.0.1", "10.9.0.1", "11.0.0.1")
    peers = (("", ""), ("CN=alice,O=x", ""), ("CN=bob,O=x", "CN=CA"), ("O=y", "CN=CA"), ("O=y", "CN=Other"))
    for channel, address in product(CHANNELS, addresses):
        for user, given, (peer, issuer) in product(("", "alice", "bob", "chief"), (None, "right", "wrong"), peers):
            if given == "wrong" and (peer or address != "10.0.0.1"):
                continue
            credentials = None
            if given is not None and user:
                credentials = (user, PASSWORDS[user] if given == "right" else "no")
            yield ConnectionAttempt(channel, address, user, credentials, peer, issuer)
        for partner in ("QM1", "QM2", "OTHER"):
            yield ConnectionAttempt(channel, address, queue_manager=partner)


def admitted(host: Host, arrival: ConnectionAttempt) -> str | None:
    assert isinstance(host.notices, Notes)
    before = len(host.notices.told)
    try:
        return host.gate.admit(arrival)
    except MQError as error:
        assert error.reason == MQRC_NOT_AUTHORIZED
        assert len(host.notices.told) > before, arrival  # the error log has the reason
        return None


@pytest.mark.parametrize("rules", [True, False])
def test_every_arrival_is_admitted_as_the_rules_say(host: Host, rules: bool) -> None:
    counted: Counter[bool] = Counter()
    said(host, f"ALTER QMGR CHLAUTH({'ENABLED' if rules else 'DISABLED'})")
    for check, adopt in product(("NONE", "OPTIONAL", "REQUIRED", "REQDADM"), (True, False)):
        said(host, f"ALTER AUTHINFO(AI) AUTHTYPE(IDPWOS) CHCKCLNT({check}) ADOPTCTX({'YES' if adopt else 'NO'})")
        for arrival in arrivals():
            wanted = expected(arrival, Settings(rules, check, adopt))
            assert admitted(host, arrival) == wanted, (arrival, check, adopt, wanted)
            counted[wanted is not None] += 1
    assert counted[True] > 1000
    assert counted[False] > 1000


def test_nobody_ever_comes_in_as_nobody(host: Host) -> None:
    said(host, "ALTER QMGR CHLAUTH(DISABLED)", "ALTER AUTHINFO(AI) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)")
    assert admitted(host, ConnectionAttempt("CH.BLANK", "10.0.0.1", "chief")) is None
    assert admitted(host, ConnectionAttempt("NO.SUCH", "10.0.0.1", "chief")) is None


def test_a_wrong_password_costs_time(host: Host) -> None:
    said(host, "ALTER AUTHINFO(AI) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)")
    with pytest.raises(MQError) as caught:
        host.gate.admit(ConnectionAttempt("CH.MCA", "10.0.0.1", "", ("alice", "wrong")))
    assert caught.value.facts["delay"] == 3
    assert isinstance(host.notices, Notes)
    assert host.notices.about("AMQ5534E")


def test_no_password_is_looked_at_where_anybody_is_refused(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    said(host, "ALTER QMGR CHLAUTH(ENABLED)", "ALTER AUTHINFO(AI) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL) ADOPTCTX(YES)")
    looked_at: list[str] = []
    accepts = host.directory.accepts

    def watched(user: str, password: str, by_system: bool = False) -> bool:
        looked_at.append(user)
        return accepts(user, password, by_system)

    monkeypatch.setattr(host.directory, "accepts", watched)
    counted: Counter[bool] = Counter()
    for arrival in arrivals():
        if arrival.credentials is None:
            continue
        rules = []
        for user in (*PASSWORDS, "nobody"):
            matching = [each for each in MAPS if fits(each, arrival, user)]
            rules.append(min(matching, key=precedence, default=None))
        refused = all(rule is not None and rule.source == "NOACCESS" and not rule.warn for rule in rules)
        looked_at.clear()
        came = admitted(host, arrival)
        assert bool(looked_at) != refused, arrival
        assert not (refused and came), arrival
        counted[refused] += 1
    assert counted[True] > 50
    assert counted[False] > 50


def test_addresses_can_be_shut_out_altogether(host: Host) -> None:
    said(host, "ALTER QMGR CHLAUTH(ENABLED)")
    assert host.gate.blocks("192.168.7.7")
    assert host.gate.blocks("::ffff:192.168.7.7")
    assert host.gate.blocks("2001:db8::1")
    assert host.gate.blocks("not an address")
    assert not host.gate.blocks("10.0.0.1")
    said(host, "ALTER QMGR CHLAUTH(DISABLED)")
    assert not host.gate.blocks("192.168.7.7")


def test_without_an_object_to_check_by_nobody_comes_in(host: Host) -> None:
    assert isinstance(host.notices, Notes)
    told = len(host.notices.about("CSQH903E"))
    answers = said(host, "ALTER QMGR CONNAUTH(NO.SUCH) CHLAUTH(DISABLED)")
    assert "CONNAUTH(NO.SUCH) is not an AUTHINFO of type IDPWOS: no program can connect" in answers[0]
    assert len(host.notices.about("CSQH903E")) == told + 1
    assert admitted(host, ConnectionAttempt("CH.MCA", "10.0.0.1")) is None
    with pytest.raises(MQError):
        host.gate.admit_local("ann", None)
    assert host.notices.about("CSQH903E")[told + 1 :] == [((), ("NO.SUCH",))] * 2
    assert not said(host, "ALTER QMGR CONNAUTH('')")[0].startswith("CSQN905I")
    assert admitted(host, ConnectionAttempt("CH.MCA", "10.0.0.1", "", ("alice", "wrong"))) == "mca"
    said(host, "ALTER QMGR CONNAUTH(AI)")


def test_the_object_to_check_by_does_not_go_unnoticed(host: Host) -> None:
    said(host, "DEFINE AUTHINFO(OTHER) AUTHTYPE(IDPWOS)", "ALTER QMGR CONNAUTH(OTHER)")
    assert "no program can connect" in said(host, "DELETE AUTHINFO(OTHER)")[0]
    said(host, "ALTER QMGR CONNAUTH(AI)", "DEFINE AUTHINFO(OTHER) AUTHTYPE(IDPWOS)")
    assert len(said(host, "DELETE AUTHINFO(OTHER)")) == 1


LOCAL = [
    ("NONE", None, True, "ann"),
    ("NONE", ("alice", "wrong"), True, "ann"),
    ("OPTIONAL", None, True, "ann"),
    ("OPTIONAL", ("alice", "a"), True, "alice"),
    ("OPTIONAL", ("alice", "a"), False, "ann"),
    ("OPTIONAL", ("alice", "wrong"), True, None),
    ("REQUIRED", None, True, None),
    ("REQUIRED", ("alice", "a"), False, "ann"),
    ("REQDADM", None, True, "ann"),
]


@pytest.mark.parametrize(("check", "credentials", "adopt", "wanted"), LOCAL)
def test_programs_on_this_machine(
    host: Host, check: str, credentials: tuple[str, str] | None, adopt: bool, wanted: str | None
) -> None:
    said(host, f"ALTER AUTHINFO(AI) AUTHTYPE(IDPWOS) CHCKLOCL({check}) ADOPTCTX({'YES' if adopt else 'NO'})")
    try:
        found: str | None = host.gate.admit_local("ann", credentials)
    except MQError:
        found = None
    assert found == wanted


def test_administrators_on_this_machine_prove_themselves(host: Host) -> None:
    said(host, "ALTER AUTHINFO(AI) AUTHTYPE(IDPWOS) CHCKLOCL(REQDADM) ADOPTCTX(YES)")
    with pytest.raises(MQError):
        host.gate.admit_local("chief", None)
    assert host.gate.admit_local("chief", ("chief", "c")) == "chief"
    with pytest.raises(MQError):
        host.gate.admit_local("", None)
    assert isinstance(host.notices, Notes)
    assert ((), ("this machine", "there is no user")) in host.notices.about("CSQH904E")
    said(host, "ALTER QMGR CHLAUTH(ENABLED)")
    assert admitted(host, ConnectionAttempt("CH.MCA", "nowhere")) is None
