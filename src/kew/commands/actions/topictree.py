"""DISPLAY TPSTATUS and PUBSUB, and CLEAR TOPICSTR."""

from typing import Final

from kew.codes import attributes as a
from kew.commands.actions.context import Context
from kew.commands.actions.display import finish
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal, Shown
from kew.commands.actions.subscriptions import Values, active_connection, stamp
from kew.commands.mqsc.parser import Command
from kew.mqi.engine import Engine
from kew.objects.catalogue import Record
from kew.objects.schema import ObjectType, object_type
from kew.objects.schema.values import Value
from kew.topics.retained import matching
from kew.topics.subscription import Subscription
from kew.topics.tree import FAMILY, ROOT, string_of


class _Tree:
    """The topic strings in use, with the subscribers and publishers of each."""

    def __init__(self, engine: Engine) -> None:
        space = engine.topics
        self.objects: dict[str, Record] = {}
        for record in engine.catalogue.of_family(FAMILY):
            if string_of(record) or record.name == ROOT:
                self.objects[string_of(record)] = record
        self.subscriptions: dict[str, list[Subscription]] = {}
        for subscription in space.by_id.values():
            self.subscriptions.setdefault(subscription.topic, []).append(subscription)
        self.publishers: dict[str, int] = {}
        for publisher in space.publishers.values():
            self.publishers[publisher.topic] = self.publishers.get(publisher.topic, 0) + 1
        self.retained = set(space.retained.topics())

    def points(self) -> list[str]:
        """Give all topic strings in use, and those above them."""
        found = {""}
        for topic in (*self.objects, *self.subscriptions, *self.publishers, *self.retained):
            levels = topic.split("/")
            found.update(["/".join(levels[:count]) for count in range(1, len(levels) + 1)])
        return sorted(found)


def display_topic_status(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY TPSTATUS: show topic strings, their subscribers or their publishers."""
    kind = command.kind
    assert kind is not None
    engine = context.engine
    with engine.lock:
        tree = _Tree(engine)
    topics = matching(tree.points(), command.name, False)
    if command.name in ("", "#") and "" not in topics:
        topics.insert(0, "")
    shown: list[Shown] = []
    for topic in topics:
        if kind.name == "TPSTATUS":
            shown.append(Shown(kind, topic, _point(engine, tree, topic)))
        elif kind.name == "TPSUB":
            shown.extend([Shown(kind, topic, _subscriber(context, each)) for each in tree.subscriptions.get(topic, ())])
        else:
            shown.extend(_publishers(context, kind, topic))
    return finish(command, shown)


def _point(engine: Engine, tree: _Tree, topic: str) -> Values:
    with engine.lock:
        settings = engine.topics.tree.settings(topic)
    record = tree.objects.get(topic)
    values: dict[str, Value | None] = dict(settings.values)
    values["ADMIN"] = record.name if record is not None else ""
    values["CLROUTE"] = a.MQCLROUTE_NONE
    values["CLUSTER"] = ""
    values["COMMINFO"] = ""
    values["PUBCOUNT"] = tree.publishers.get(topic, 0)
    values["SUBCOUNT"] = len(tree.subscriptions.get(topic, ()))
    values["RETAINED"] = int(topic in tree.retained and _has_retained(engine, topic))
    return values


def _has_retained(engine: Engine, topic: str) -> bool:
    def look() -> bool:
        return engine.topics.retained.newest(topic, int(engine.clock.now() * 1000)) is not None

    return engine.run(look)


def _subscriber(context: Context, subscription: Subscription) -> Values:
    last, resumed = stamp(subscription.last_message), stamp(subscription.resumed)
    return {
        "SUBID": subscription.id,
        "SUBUSER": subscription.user,
        "RESMDATE": resumed[0],
        "RESMTIME": resumed[1],
        "LMSGDATE": last[0],
        "LMSGTIME": last[1],
        "DURABLE": a.MQSUB_DURABLE_YES if subscription.durable else a.MQSUB_DURABLE_NO,
        "SUBTYPE": subscription.kind,
        "ACTCONN": active_connection(context, next(iter(subscription.owners), 0)),
        "NUMMSGS": subscription.messages,
        "MCASTREL": 0,
    }


def _publishers(context: Context, kind: ObjectType, topic: str) -> list[Shown]:
    with context.engine.lock:
        found = [each for each in context.engine.topics.publishers.values() if each.topic == topic]
    shown = []
    for each in found:
        last = stamp(each.last)
        values: Values = {
            "LPUBDATE": last[0],
            "LPUBTIME": last[1],
            "ACTCONN": active_connection(context, each.owner),
            "NUMPUBS": each.publications,
            "MCASTREL": 0,
        }
        shown.append(Shown(kind, topic, values))
    return shown


_ENGINE_STATES: Final[dict[object, int]] = {
    a.MQPSM_ENABLED: a.MQPS_STATUS_ACTIVE,
    a.MQPSM_COMPAT: a.MQPS_STATUS_COMPAT,
    a.MQPSM_DISABLED: a.MQPS_STATUS_INACTIVE,
}


def display_publish_subscribe(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY PUBSUB: show the local engine; there are no relations to other queue managers."""
    engine = context.engine
    with engine.lock:
        tree = _Tree(engine)
        count = len(engine.topics.by_id)
        own = engine.catalogue.records.get(("QMGR", engine.name))
    mode = a.MQPSM_ENABLED if own is None else own.values["PSMODE"]
    values: Values = {
        "TYPE": a.MQPSST_LOCAL,
        "QMNAME": context.name,
        "STATUS": _ENGINE_STATES[mode],
        "SUBCOUNT": count,
        "TPCOUNT": len(tree.points()),
    }
    asked = command.options.get("TYPE", a.MQPSST_ALL)
    shown = [Shown(object_type("PUBSUB"), "", values)] if asked in (a.MQPSST_ALL, a.MQPSST_LOCAL) else []
    return finish(command, shown)


def clear_topic_string(context: Context, command: Command) -> Outcome:
    """Carry out CLEAR TOPICSTR: remove the retained publication of a topic."""
    engine = context.engine
    kept = engine.topics.retained

    def step() -> int:
        queue = kept.queue
        items = kept.live(command.name)
        for item in items:
            assert queue is not None
            queue.take(item, None)
        kept.forget_gone(command.name)
        return len(items)

    if not engine.run(step) and command.name not in _Tree(engine).points():
        raise Refusal(NOT_FOUND, "", command.name)
    return Outcome(command.spec.done, engine.log.next_address)
