"""DEFINE, ALTER, DELETE and DISPLAY SUB, and DISPLAY SBSTATUS, for subscriptions of commands and of programs."""

import time
from collections.abc import Mapping
from typing import Final

from kew.codes import attributes as a
from kew.codes.errors import MQError
from kew.codes.options import MQEI_UNLIMITED, MQOO_OUTPUT, MQOT_Q
from kew.codes.reasons import MQRC_DURABILITY_NOT_ALLOWED, MQRC_SUB_INHIBITED
from kew.commands.actions import alter, define, delete, display
from kew.commands.actions.context import Context
from kew.commands.actions.guard import check_effective, check_rules
from kew.commands.actions.outcome import IN_USE, NOT_FOUND, Outcome, Refusal, Shown
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.commands.mqsc.where import matches
from kew.mqi.connections.connection import Connection
from kew.mqi.publishing.topics import check_published, whole_string
from kew.mqi.subscribing.managedqueues import drop_orphan, make_queue
from kew.mqi.subscribing.retained import send_retained
from kew.mqi.subscribing.subscribe import Begin
from kew.mqi.subscribing.unsubscribe import end_subscription
from kew.objects.caller import Caller
from kew.objects.catalogue import Decision, Record
from kew.objects.definition import Definition, altered, created
from kew.objects.schema import object_type
from kew.objects.schema.values import Value
from kew.security.openauthority import authorise_topic
from kew.security.rights import OUTPUT, SUBSCRIBE
from kew.selection.selector import selector_of
from kew.storage.log import LogAddress
from kew.topics.subscription import EXPIRES, FULL_STRING, PATTERN, Subscription, subscription_of
from kew.topics.tree import Settings

Values = dict[str, Value | None]
_EVERYBODY: Final = (a.MQSUBTYPE_USER, a.MQSUBTYPE_ALL)


class _ApplyAttributes(Decision):
    """The change of a subscription in use, made in the same hold of the engine lock as the change of its record."""

    def __init__(self, subscription: Subscription, values: Mapping[str, Value]) -> None:
        self.subscription = subscription
        self.values = values

    def apply(self) -> None:
        """Apply the new values."""
        self.subscription.apply(self.values)


def define_subscription(context: Context, command: Command) -> Outcome:
    """Carry out DEFINE SUB."""
    if command.name == PATTERN:
        return define.define(context, command)
    kind = object_type("SUB")
    check_effective(kind, command.attributes)
    with context.objects.lock:
        definition = define.described(context, command, kind)
        check_rules(definition)
        existing = context.engine.topics.by_name.get(command.name)
        if existing is not None:
            if not command.flag("REPLACE"):
                raise Refusal("AMQ8150E", "", command.name)
            return Outcome(command.spec.done, _replace(context, command, existing, definition))
        subscription, address = _make(context, command, definition)
    if not subscription.on_request:
        with context.engine.lock:
            connection = Connection(context.engine, "kew", context.engine.authority.owner)
        send_retained(connection, subscription)
    return Outcome(command.spec.done, address)


def _make(context: Context, command: Command, definition: Definition) -> tuple[Subscription, LogAddress]:
    engine = context.engine
    values = definition.values
    topic = whole_string(engine.topics.tree, definition.text("TOPICOBJ"), definition.text("TOPICSTR"))
    settings = engine.run(lambda: engine.topics.tree.settings(topic))
    selector = selector_of(definition.text("SELECTOR"))
    check_published(topic)
    if not settings.subscribing:
        raise MQError(MQRC_SUB_INHIBITED, topic=topic)
    if not settings.durable:
        raise MQError(MQRC_DURABILITY_NOT_ALLOWED, topic=topic)
    issuer = command.caller.user or engine.authority.owner
    values["SUBUSER"] = definition.text("SUBUSER") or issuer
    _authorise(context, str(values["SUBUSER"]), settings, definition.text("DEST"))
    values["SUBID"] = engine.ids.next()
    values["SUBTYPE"] = a.MQSUBTYPE_ADMIN
    values["SELTYPE"] = a.MQSELTYPE_STANDARD if selector is not None else a.MQSELTYPE_NONE
    if "DESTCORL" not in command.attributes:
        values["DESTCORL"] = engine.ids.next()
    values[FULL_STRING] = topic
    values[EXPIRES] = _end_of(definition.integer("EXPIRY"))
    made = None
    if definition.integer("DESTCLAS") == a.MQDC_MANAGED:
        made = make_queue(engine, context.queues, settings, True)
        values["DEST"] = made.name
    record = Record("SUB", "SUB", command.name, 0, created(values, time.time()))
    subscription = subscription_of(record)
    try:
        address = engine.catalogue.commit(
            engine.run, [record], [], Begin(engine.topics, subscription, 0), command.caller
        )
    except BaseException:
        if made is not None:
            drop_orphan(engine, context.queues, made)
        raise
    return subscription, address


def _authorise(context: Context, user: str, settings: Settings, destination: str) -> None:
    """Check that the user of a subscription may subscribe to the topic, and put to the destination."""
    authority = context.engine.authority
    authorise_topic(authority, user, "", settings.objects, 0, SUBSCRIBE, a.MQRQ_SUB_NOT_AUTHORIZED)
    if destination:
        authority.authorise(user, MQOT_Q, destination, OUTPUT, a.MQRQ_SUB_DEST_NOT_AUTHORIZED, MQOO_OUTPUT)


def _end_of(expiry: int) -> int:
    return 0 if expiry == MQEI_UNLIMITED else int(time.time() * 1000) + expiry * 100


def _replace(context: Context, command: Command, existing: Subscription, definition: Definition) -> LogAddress:
    kind = object_type("SUB")
    before = existing.values()
    for keyword, value in command.attributes.items():
        if not kind[keyword].alterable and before[keyword] != value:
            raise Refusal(messages.FAILED, f"{keyword} of a subscription that exists cannot be changed")
    changes = {keyword: definition.values[keyword] for keyword in _alterable(existing) if keyword in command.attributes}
    return _change(context, existing, changes, command.caller)


def _alterable(subscription: Subscription) -> list[str]:
    fixed = ("DEST", "DESTQMGR") if subscription.managed else ()
    return [spec.keyword for spec in object_type("SUB").attributes if spec.alterable and spec.keyword not in fixed]


def alter_subscription(context: Context, command: Command) -> Outcome:
    """Carry out ALTER SUB, by name or by SUBID."""
    if command.name == PATTERN:
        return alter.alter(context, command)
    with context.objects.lock:
        subscription = _existing(context, command)
        changeable = _alterable(subscription)
        for keyword in command.attributes:
            if keyword not in changeable:
                raise Refusal(messages.FAILED, f"{keyword} of a subscription that exists cannot be changed")
        check_effective(object_type("SUB"), command.attributes)
        return Outcome(command.spec.done, _change(context, subscription, command.attributes, command.caller))


def _change(context: Context, subscription: Subscription, changes: Mapping[str, Value], caller: Caller) -> LogAddress:
    engine = context.engine
    new = dict(changes)
    if "EXPIRY" in new:
        expiry = new["EXPIRY"]
        assert isinstance(expiry, int)
        new[EXPIRES] = _end_of(expiry)
    if "DEST" in new or "SUBUSER" in new:
        settings = engine.run(lambda: engine.topics.tree.settings(subscription.topic))
        destination = str(new.get("DEST", "" if subscription.managed else subscription.destination))
        _authorise(context, str(new.get("SUBUSER", subscription.user)), settings, destination)
    values = altered(subscription.values(), new, time.time())
    decision = _ApplyAttributes(subscription, values)
    if not subscription.durable:
        engine.run(decision.apply)
        return engine.log.next_address
    record = Record("SUB", "SUB", subscription.name, 0, values)
    return engine.catalogue.commit(engine.run, [record], [], decision, caller)


def delete_subscription(context: Context, command: Command) -> Outcome:
    """Carry out DELETE SUB, by name or by SUBID; the managed queue is deleted too, with its messages."""
    if command.name == PATTERN:
        return delete.delete(context, command)
    try:
        subscription = _existing(context, command)
    except Refusal:
        if command.options.get("IGNSTATE"):
            return Outcome(command.spec.done)
        raise
    with context.engine.catalogue.lock:  # so that no program opens it meanwhile
        if subscription.owners:
            why = "a program has the subscription open; DISPLAY SBSTATUS shows which"
            raise Refusal(IN_USE, why, subscription.name)
        return Outcome(
            command.spec.done, end_subscription(context.engine, context.queues, subscription, command.caller)
        )


def _existing(context: Context, command: Command) -> Subscription:
    """Give the subscription that a command names or identifies."""
    identifier = command.options.get("SUBID")
    space = context.engine.topics
    with context.engine.lock:
        found = space.by_name.get(command.name) if command.name else None
        if isinstance(identifier, bytes):
            known = space.by_id.get(identifier)
            found = known if not command.name or known is found else None
    if found is None:
        raise Refusal(NOT_FOUND, "", command.name or _hexadecimal(identifier))
    return found


def _hexadecimal(identifier: object) -> str:
    return identifier.hex().upper() if isinstance(identifier, bytes) else ""


def _chosen(context: Context, command: Command) -> list[Subscription]:
    """Give the subscriptions that a DISPLAY selects, in the order of their names."""
    identifier = command.options.get("SUBID")
    asked = command.options.get("SUBTYPE", a.MQSUBTYPE_USER)
    durable = command.options.get("DURABLE", a.MQSUB_DURABLE_ALL)
    with context.engine.lock:
        everything = list(context.engine.topics.by_id.values())
    found = [
        each
        for each in everything
        if (not command.name or matches(command.name, each.name))
        and (identifier is None or each.id == identifier)
        and (asked in _EVERYBODY or each.kind == asked)
        and (durable == a.MQSUB_DURABLE_ALL or each.durable == (durable == a.MQSUB_DURABLE_YES))
    ]
    return sorted(found, key=_by_name)


def _by_name(subscription: Subscription) -> str:
    return subscription.name


def display_subscriptions(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY SUB."""
    kind = object_type("SUB")
    defined = command.options.get("DISTYPE", 0)
    shown: list[Shown] = []
    pattern = context.objects.find("SUB", PATTERN)
    asked = command.options.get("SUBTYPE", a.MQSUBTYPE_USER)
    wanted = "SUBID" not in command.options and asked in (*_EVERYBODY, a.MQSUBTYPE_ADMIN)
    if pattern is not None and wanted and command.name and matches(command.name, PATTERN):
        shown.append(Shown(kind, PATTERN, {**pattern.values, "DISTYPE": defined}))
    for each in _chosen(context, command):
        values: Values = dict(each.values())
        values["DISTYPE"] = defined
        if not defined:
            values["TOPICSTR"] = each.topic
        shown.append(Shown(kind, each.name, values))
    return display.finish(command, sorted(shown, key=_by_shown_name))


def _by_shown_name(shown: Shown) -> str:
    return shown.name


def display_subscription_status(context: Context, command: Command) -> Outcome:
    """Carry out DISPLAY SBSTATUS."""
    kind = object_type("SBSTATUS")
    return display.finish(
        command, [Shown(kind, each.name, status_of(context, each)) for each in _chosen(context, command)]
    )


def status_of(context: Context, subscription: Subscription) -> Values:
    """Give the status of a subscription."""
    resumed, last = stamp(subscription.resumed), stamp(subscription.last_message)
    return {
        "SUBID": subscription.id,
        "SUBUSER": subscription.user,
        "RESMDATE": resumed[0],
        "RESMTIME": resumed[1],
        "LMSGDATE": last[0],
        "LMSGTIME": last[1],
        "ACTCONN": active_connection(context, next(iter(subscription.owners), 0)),
        "DURABLE": a.MQSUB_DURABLE_YES if subscription.durable else a.MQSUB_DURABLE_NO,
        "MCASTREL": 0,
        "NUMMSGS": subscription.messages,
        "SUBTYPE": subscription.kind,
        "TOPICSTR": subscription.topic,
    }


def active_connection(context: Context, number: int) -> bytes:
    """Give the connection identifier for the number of a connection; zeros for 0."""
    return context.first_half + number.to_bytes(8, "big") if number else bytes(24)


def stamp(moment: float) -> tuple[str, str]:
    """Give a time as date and time of day; blank for never."""
    if not moment:
        return "", ""
    parts = time.localtime(moment)
    return time.strftime("%Y-%m-%d", parts), time.strftime("%H:%M:%S", parts)
