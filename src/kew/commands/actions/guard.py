"""Guards of changes and deletions: the rules of the object's type, and programs that have the object open."""

from collections.abc import Mapping

from kew.codes.reasons import MQRCCF_SSL_PEER_NAME_ERROR
from kew.commands.actions.context import Context
from kew.commands.actions.find import CHANNEL, QUEUE
from kew.commands.actions.outcome import IN_USE, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.formats.distinguishedname import BadName
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.puts.remote import RemoteOutlet
from kew.objects.catalogue import Decision, Record
from kew.objects.definition import Definition
from kew.objects.rules import BadDefinition, check
from kew.objects.schema import EMPTY, FORCE, AttributeSpec, ObjectType, object_type
from kew.objects.schema.values import Value
from kew.queues.queue import Queue
from kew.security.peernames import PeerPattern
from kew.topics.tree import FAMILY, string_of


def check_rules(definition: Definition) -> None:
    """Refuse attributes that contradict each other."""
    try:
        check(definition)
    except BadDefinition as bad:
        raise Refusal(messages.CONFLICT, f"{bad}.") from bad
    if definition.kind.family == CHANNEL and "SSLPEER" in definition.kind:
        _check_peer(definition.text("SSLPEER"))


def _check_peer(pattern: str) -> None:
    try:
        PeerPattern(pattern)
    except BadName as bad:
        raise Refusal(messages.FAILED, f"SSLPEER: {bad}.", reason=MQRCCF_SSL_PEER_NAME_ERROR) from bad


def unusable_checks(context: Context) -> list[str]:
    """Give a remark if CONNAUTH now names an object that cannot check passwords."""
    name = context.gate.unusable_checks()
    if not name:
        return []
    return [
        f"{messages.ADVICE}: CONNAUTH({name}) is not an AUTHINFO of type IDPWOS: no program can connect until "
        f"DEFINE AUTHINFO({name}) AUTHTYPE(IDPWOS) or another ALTER QMGR CONNAUTH"
    ]


def check_effective(kind: ObjectType, given: Mapping[str, Value]) -> None:
    """Refuse a value that would have no effect."""
    for keyword, value in given.items():
        spec = kind[keyword]
        if spec.pending and value != spec.default and not spec.is_default_of_mq(value):
            nothing = ". Nothing of the command was done." if len(given) > 1 else ""
            raise Refusal(messages.NOT_YET, f"{spec.show(value)}: {spec.pending}{nothing}")


def take_defaults(command: Command) -> list[str]:
    """Replace MQ's default in a command by Kew's where Kew supports no other value; give a remark on each.

    A script that dmpmqcfg wrote from a queue manager of MQ can therefore be loaded whole.
    """
    remarks: list[str] = []
    family = command.spec.family.types if command.spec.family is not None else ()
    kinds = family if command.kind is None else (command.kind,)
    for keyword, value in list(command.attributes.items()):
        for kind in kinds:
            spec = kind.by_keyword.get(keyword)
            why = (spec.pending or spec.refused) if spec is not None else ""
            if spec is not None and why and value != spec.default and spec.is_default_of_mq(value):
                command.attributes[keyword] = spec.default
                remarks.append(f"{messages.ADVICE}: {spec.show(value)} is a default of MQ; {_kept(spec)}: {why}")
                break
    return remarks


def _kept(spec: AttributeSpec) -> str:
    return f"here it is {spec.show(spec.default).strip()}" if spec.kind.format(spec.default).strip() else "left blank"


def connections(context: Context) -> list[Connection]:
    """Give the connections, oldest first; called under the engine lock."""
    return [each for each in context.engine.connections.values() if isinstance(each, Connection)]


def connection_name(connection: Connection) -> str:
    """Give the second half of a connection's identifier, as CONN shows it."""
    return connection.number.to_bytes(8, "big").hex().upper()


def queues_named(context: Context, name: str) -> list[Queue]:
    """Give the queues in use whose names match; their state is read one by one, in short holds of the lock."""
    with context.engine.lock:
        everything = list(context.engine.queues.by_name.items())
    return [queue for _name, queue in sorted([each for each in everything if matches(name, each[0])], key=_by_name)]


def _by_name(each: tuple[str, Queue]) -> str:
    return each[0]


def handles(context: Context) -> list[tuple[Connection, Handle]]:
    """Give all open handles, oldest connection first; called under the engine lock."""
    return [(connection, handle) for connection in connections(context) for handle in connection.handles.values()]


def _opened(context: Context, name: str) -> bool:
    """Say whether a program has a queue or topic open by the name of a definition; called under the engine lock."""
    return any(_opened_by(handle, name) for _connection, handle in handles(context))


def _opened_by(handle: Handle, name: str) -> bool:
    if isinstance(handle.outlet, RemoteOutlet):
        return name in handle.outlet.names
    return handle.opened_name == name and (handle.queue is not None or handle.alias_values is not None)


def check_closed(context: Context, record: Record) -> None:
    """Refuse the deletion of an object that a program has open by its name; called under the engine lock."""
    if _opened(context, record.name):
        raise Refusal(IN_USE, "", record.name)


def check_use(context: Context, record: Record, values: Mapping[str, Value], force: bool) -> None:
    """Refuse a change that the open handles of a queue, or the messages on it, do not allow.

    Called under the engine lock, in the hold in which the change is decided.
    """
    kind = object_type(record.kind)
    changed = [kind[keyword] for keyword, value in values.items() if record.values.get(keyword) != value]
    guarded = [spec for spec in changed if spec.change in (FORCE, EMPTY)]
    if not guarded:
        return
    queue = context.engine.queues.by_name.get(record.name)
    is_open = queue.handles > 0 if queue is not None else _opened(context, record.name)
    holds = queue is not None and (queue.depth > 0 or queue.uncommitted > 0)
    for spec in guarded:
        if spec.change == FORCE and is_open and not force:
            raise Refusal(IN_USE, f"{spec.keyword} needs FORCE while the queue is open", record.name)
        if spec.change == EMPTY and (is_open or holds):
            raise Refusal(IN_USE, f"{spec.keyword} changes only while the queue is closed and empty", record.name)


def users_of_class(context: Context, storage_class: str) -> list[str]:
    """Give the names of the queues that use a storage class."""
    everything = [*context.objects.catalogue.of_family(QUEUE), *context.queues.temporary.values()]
    return [record.name for record in everything if record.values.get("STGCLASS") == storage_class]


def check_page_set(context: Context, definition: Definition) -> None:
    """Refuse a storage class whose page set cannot hold messages."""
    number = definition.integer("PSID")
    page_sets = context.engine.store.page_sets
    if number == 0 or number not in page_sets:
        there = ", ".join([str(each) for each in sorted(page_sets) if each])
        raise Refusal(messages.FAILED, f"PSID({number}) cannot hold messages; page sets that can: {there}")


def check_topic_string(context: Context, definition: Definition) -> None:
    """Refuse a topic object for a topic string that another object has."""
    if definition.kind.family != FAMILY:
        return
    wanted = definition.text("TOPICSTR").removesuffix("/")
    for record in context.objects.catalogue.of_family(FAMILY):
        if record.name != definition.name and wanted and string_of(record) == wanted:
            raise Refusal(messages.FAILED, f"topic object {record.name} stands for the topic string {wanted!r}")


class ClassChange(Decision):
    """The change of a storage class to another page set, to which its queues move; none of them may have messages."""

    def __init__(self, context: Context, definition: Definition) -> None:
        self.name = definition.name
        self.page_set = context.engine.store.page_sets[definition.integer("PSID")]
        by_name = context.engine.queues.by_name
        users = users_of_class(context, self.name)  # under the lock of the objects, so that these stay
        self.queues = [by_name[name] for name in users if name in by_name]

    def check(self) -> None:
        """Refuse the change while a queue has messages in another page set."""
        for queue in self.queues:
            home = queue.store.page_set
            if home is not self.page_set and (queue.depth or queue.store.rooted):
                raise Refusal(IN_USE, f"queue {queue.name} has messages in page set {home.id}", self.name)

    def apply(self) -> None:
        """Move the queues of the class to the new page set."""
        for queue in self.queues:
            queue.store.page_set = self.page_set
