"""The objects of a new queue manager and those of developers."""

from kew.objects import defaults
from kew.objects.definition import Definition
from kew.objects.rules import BadDefinition, check


def by_name(objects: list[Definition]) -> dict[tuple[str, str], Definition]:
    return {(one.kind.family, one.name): one for one in objects}


def test_every_type_has_its_pattern_object() -> None:
    system = by_name(defaults.system_objects())
    for family, name in [
        ("QUEUE", "SYSTEM.DEFAULT.LOCAL.QUEUE"),
        ("QUEUE", "SYSTEM.DEFAULT.ALIAS.QUEUE"),
        ("QUEUE", "SYSTEM.DEFAULT.REMOTE.QUEUE"),
        ("QUEUE", "SYSTEM.DEFAULT.MODEL.QUEUE"),
        ("TOPIC", "SYSTEM.DEFAULT.TOPIC"),
        ("SUB", "SYSTEM.DEFAULT.SUB"),
        ("PROCESS", "SYSTEM.DEFAULT.PROCESS"),
        ("NAMELIST", "SYSTEM.DEFAULT.NAMELIST"),
        ("LISTENER", "SYSTEM.DEFAULT.LISTENER.TCP"),
        ("SERVICE", "SYSTEM.DEFAULT.SERVICE"),
        ("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"),
        ("COMMINFO", "SYSTEM.DEFAULT.COMMINFO.MULTICAST"),
        ("STGCLASS", "DEFAULT"),
        ("CHANNEL", "SYSTEM.DEF.SVRCONN"),
        ("CHANNEL", "SYSTEM.DEF.SENDER"),
    ]:
        assert (family, name) in system, name


def test_the_queues_programs_rely_on_are_there() -> None:
    system = by_name(defaults.system_objects())
    command = system[("QUEUE", "SYSTEM.ADMIN.COMMAND.QUEUE")]
    assert command.integer("MAXMSGL") == 104857600
    cluster = system[("QUEUE", "SYSTEM.CLUSTER.TRANSMIT.QUEUE")]
    assert cluster.kind["USAGE"].format(cluster["USAGE"]) == "XMITQ"
    assert [name for family, name in system if name.startswith("SYSTEM.ADMIN.") and name.endswith(".EVENT")]
    assert ("QUEUE", "SYSTEM.CHANNEL.SYNCQ") in system
    root = system[("TOPIC", "SYSTEM.BASE.TOPIC")]
    inherited = [
        spec.keyword
        for spec in root.kind.attributes
        if spec.stored and not spec.refused and spec.format(root[spec.keyword]) == "ASPARENT"
    ]
    assert inherited == []


def test_no_object_is_there_twice() -> None:
    objects = defaults.system_objects() + defaults.developer_objects()
    keys = [(one.kind.name, one.name, one.values.get("OBJTYPE")) for one in objects]
    assert len(set(keys)) == len(keys)


def test_what_is_referred_to_exists() -> None:
    objects = defaults.system_objects() + defaults.developer_objects()
    names = {(one.kind.family, one.name) for one in objects}
    for one in objects:
        if "STGCLASS" in one.values:
            assert ("STGCLASS", one.text("STGCLASS")) in names
        if one.kind.name == "STGCLASS":
            assert ("PSID", str(one.integer("PSID"))) in names
        if one.kind.name == "PSID":
            assert ("BUFFPOOL", str(one.integer("BUFFPOOL"))) in names
    manager = defaults.queue_manager("QM1", developer=True)
    assert ("QUEUE", manager.text("DEADQ")) in names
    assert ("AUTHINFO", manager.text("CONNAUTH")) in names
    assert ("AUTHINFO", defaults.queue_manager("QM1").text("CONNAUTH")) in names


def test_only_channel_patterns_break_the_rules() -> None:
    broken: list[str] = []
    for one in defaults.system_objects() + defaults.developer_objects() + [defaults.queue_manager("QM1")]:
        try:
            check(one)
        except BadDefinition:
            broken.append(one.name)
    assert [name for name in broken if not name.startswith("SYSTEM.DEF.")] == []


def test_a_new_queue_manager_is_closed() -> None:
    system = defaults.system_objects()
    everyone = [one for one in system if one.kind.name == "ADDRESSMAP" and one.name == "*"]
    assert [one.kind["USERSRC"].format(one["USERSRC"]) for one in everyone] == ["NOACCESS"]
    assert [one for one in system if one.kind.name == "AUTHREC"] == []
    for one in system:
        if one.kind.family == "CHANNEL" and "MCAUSER" in one.values:
            assert one.text("MCAUSER") == ""


def test_developers_find_what_tutorials_use() -> None:
    objects = by_name(defaults.developer_objects())
    for name in ("DEV.QUEUE.1", "DEV.QUEUE.2", "DEV.QUEUE.3", "DEV.DEAD.LETTER.QUEUE", "DEV.APP.MODEL.QUEUE"):
        assert ("QUEUE", name) in objects
    assert objects[("TOPIC", "DEV.BASE.TOPIC")].text("TOPICSTR") == "dev/"
    assert objects[("CHANNEL", "DEV.APP.SVRCONN")].text("MCAUSER") == "app"
    assert ("CHANNEL", "DEV.ADMIN.SVRCONN") in objects
    information = objects[("AUTHINFO", "DEV.AUTHINFO")]
    assert information.kind["CHCKCLNT"].format(information["CHCKCLNT"]) == "REQDADM"
    assert information.kind["ADOPTCTX"].format(information["ADOPTCTX"]) == "YES"
    assert objects[("LISTENER", "DEV.LISTENER.TCP")].text("IPADDR") == "127.0.0.1"
    assert defaults.DEVELOPER_USERS == {"app": "password", "admin": "password"}
