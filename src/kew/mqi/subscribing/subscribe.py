"""MQSUB: creates, alters and resumes subscriptions; and MQCLOSE of their handles.

Creating a subscription may wait for the disk (a durable one has a record, a managed one a queue), so MQSUB runs outside
the engine lock and takes the lock for each step. The lock of the definitions prevents two of the same name.
"""

import time
from collections.abc import Callable
from typing import Final

from kew.codes import attributes as a
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_KEEP_SUB,
    MQCO_QUIESCE,
    MQCO_REMOVE_SUB,
    MQEI_UNLIMITED,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_BROWSE,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SET,
    MQOO_SET_IDENTITY_CONTEXT,
    MQOT_Q,
    MQPRI_PRIORITY_AS_PUBLISHED,
    MQPRI_PRIORITY_AS_Q_DEF,
    MQSO_ALTER,
    MQSO_ALTERNATE_USER_AUTHORITY,
    MQSO_ANY_USERID,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_FAIL_IF_QUIESCING,
    MQSO_FIXED_USERID,
    MQSO_GROUP_SUB,
    MQSO_MANAGED,
    MQSO_NEW_PUBLICATIONS_ONLY,
    MQSO_NO_MULTICAST,
    MQSO_NO_READ_AHEAD,
    MQSO_PUBLICATIONS_ON_REQUEST,
    MQSO_READ_AHEAD,
    MQSO_RESUME,
    MQSO_SCOPE_QMGR,
    MQSO_SET_CORREL_ID,
    MQSO_SET_IDENTITY_CONTEXT,
    MQSO_WILDCARD_CHAR,
    MQSO_WILDCARD_TOPIC,
)
from kew.codes.reasons import (
    MQRC_DEST_CLASS_NOT_ALTERABLE,
    MQRC_DURABILITY_NOT_ALLOWED,
    MQRC_DURABILITY_NOT_ALTERABLE,
    MQRC_EXPIRY_ERROR,
    MQRC_GROUPING_NOT_ALTERABLE,
    MQRC_HANDLE_NOT_AVAILABLE,
    MQRC_HOBJ_ERROR,
    MQRC_IDENTITY_MISMATCH,
    MQRC_NO_SUBSCRIPTION,
    MQRC_NONE,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_OPTIONS_ERROR,
    MQRC_PRIORITY_ERROR,
    MQRC_PUBSUB_INHIBITED,
    MQRC_RETAINED_NOT_DELIVERED,
    MQRC_SELECTOR_NOT_ALTERABLE,
    MQRC_SUB_ALREADY_EXISTS,
    MQRC_SUB_INHIBITED,
    MQRC_SUB_JOIN_NOT_ALTERABLE,
    MQRC_SUB_NAME_ERROR,
    MQRC_SUB_USER_DATA_ERROR,
    MQRC_SUBLEVEL_NOT_ALTERABLE,
    MQRC_SUBSCRIPTION_IN_USE,
    MQRC_TOPIC_NOT_ALTERABLE,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine, wait_for_log
from kew.mqi.objects.open import Target, open_named, open_queue
from kew.mqi.publishing.topics import check_published, whole_string
from kew.mqi.subscribing.managedqueues import drop_orphan, make_queue
from kew.mqi.subscribing.retained import send_retained
from kew.mqi.subscribing.unsubscribe import end_subscription
from kew.objects.catalogue import Decision
from kew.objects.definition import altered, created
from kew.queues.administration import QueueAdministration
from kew.queues.queue import TEMPORARY_DYNAMIC
from kew.security.openauthority import authorise_topic
from kew.security.rights import OUTPUT, RESUME, SUBSCRIBE
from kew.selection.selector import selector_of
from kew.storage.log import NO_ADDRESS
from kew.topics.space import TopicSpace
from kew.topics.subscription import Subscription
from kew.topics.tree import Settings

_ACCESS: Final = MQSO_CREATE | MQSO_ALTER | MQSO_RESUME
_READ_AHEADS: Final = MQSO_READ_AHEAD | MQSO_NO_READ_AHEAD
_WILDCARDS: Final = MQSO_WILDCARD_CHAR | MQSO_WILDCARD_TOPIC
_USERS: Final = MQSO_ANY_USERID | MQSO_FIXED_USERID
_OPTIONS: Final = (
    _ACCESS
    | _READ_AHEADS
    | _WILDCARDS
    | _USERS
    | MQSO_DURABLE
    | MQSO_GROUP_SUB
    | MQSO_MANAGED
    | MQSO_SET_IDENTITY_CONTEXT
    | MQSO_NO_MULTICAST
    | MQSO_PUBLICATIONS_ON_REQUEST
    | MQSO_NEW_PUBLICATIONS_ONLY
    | MQSO_FAIL_IF_QUIESCING
    | MQSO_ALTERNATE_USER_AUTHORITY
    | MQSO_SET_CORREL_ID
    | MQSO_SCOPE_QMGR
)
_OPEN: Final = MQOO_INPUT_AS_Q_DEF | MQOO_BROWSE | MQOO_INQUIRE | MQOO_SET
_LONGEST: Final = 10240  # of a name, of user data and of a selector
_HIGHEST: Final = 9  # level
_PRIORITIES: Final = (MQPRI_PRIORITY_AS_PUBLISHED, MQPRI_PRIORITY_AS_Q_DEF, *range(10))


class SubscriptionRequest:
    """The request of an MQSUB: the fields of the MQSD."""

    def __init__(self, options: int, topic_string: str = "", topic_object: str = "", name: str = "") -> None:
        self.options = options
        self.topic_string = topic_string
        self.topic_object = topic_object
        self.name = name
        self.alternate_user = ""
        self.expiry = MQEI_UNLIMITED  # tenths of a second
        self.user_data = ""
        self.correlation_id = bytes(24)
        self.priority = MQPRI_PRIORITY_AS_PUBLISHED
        self.accounting_token = bytes(32)
        self.identity_data = b" " * 32
        self.selector = ""
        self.level = 1
        self.joins = False  # others may have the subscription open at the same time
        self.assisted = b""  # the identifier of a subscription that is open already: its queue is all that is wanted
        self.open_options = 0  # of the queue of a managed subscription, beside the usual ones
        self.shared: bool | None = False  # it is shared, as in JMS 2.0; None: shared or not

    def check(self) -> None:
        """Refuse options and values that no subscription can have."""
        options = self.options
        if options & ~_OPTIONS or not options & _ACCESS:
            raise MQError(MQRC_OPTIONS_ERROR, options=options)
        for exclusive in (_READ_AHEADS, _WILDCARDS, _USERS):
            if options & exclusive == exclusive:
                raise MQError(MQRC_OPTIONS_ERROR, options=options)
        if options & MQSO_GROUP_SUB and (options & MQSO_MANAGED or not options & MQSO_SET_CORREL_ID):
            raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="a queue and MQSO_SET_CORREL_ID")
        if len(self.name) > _LONGEST or (self._must_be_named() and not self.name):
            raise MQError(MQRC_SUB_NAME_ERROR, length=len(self.name))
        if len(self.user_data) > _LONGEST:
            raise MQError(MQRC_SUB_USER_DATA_ERROR, length=len(self.user_data))
        if self.expiry != MQEI_UNLIMITED and self.expiry <= 0:
            raise MQError(MQRC_EXPIRY_ERROR, expiry=self.expiry)
        if self.priority not in _PRIORITIES:
            raise MQError(MQRC_PRIORITY_ERROR, priority=self.priority)
        if not 0 <= self.level <= _HIGHEST:
            raise MQError(MQRC_OPTIONS_ERROR, level=self.level)

    def _must_be_named(self) -> bool:
        return self.options & (MQSO_DURABLE | MQSO_ALTER | MQSO_RESUME) != 0 and not self.assisted


class Subscribed:
    """The result of an MQSUB: two handles, the subscription, and the reason of a warning."""

    def __init__(self, handle: Handle, queue: Handle, subscription: Subscription) -> None:
        self.handle = handle
        self.queue = queue
        self.subscription = subscription
        self.reason = MQRC_NONE


def options_of(subscription: Subscription, asked: int) -> int:
    """Give the options that MQSUB returns: those of the request, and the attributes of the subscription."""
    return (
        asked
        | (MQSO_DURABLE if subscription.durable else 0)
        | (MQSO_MANAGED if subscription.managed else 0)
        | (MQSO_GROUP_SUB if subscription.grouped else 0)
        | (MQSO_PUBLICATIONS_ON_REQUEST if subscription.on_request else 0)
    )


class Begin(Decision):
    """The decision that a subscription takes effect; `owner` is the connection that has it open, 0 for none."""

    def __init__(self, space: TopicSpace, subscription: Subscription, owner: int) -> None:
        self.space = space
        self.subscription = subscription
        self.owner = owner

    def apply(self) -> None:
        """Let publications find the subscription."""
        if self.owner:
            self.subscription.owners.append(self.owner)
        self.space.add(self.subscription)


class Subscriber:
    """MQSUB for one connection."""

    def __init__(self, engine: Engine, administration: QueueAdministration, connection: Connection) -> None:
        self.engine = engine
        self.administration = administration
        self.connection = connection

    def subscribe(self, request: SubscriptionRequest, queue: Handle | None) -> Subscribed:
        """MQSUB; `queue` is the program's own queue for publications, None for a managed one."""
        request.check()
        self.engine.run(lambda: self._admit(request))
        with self.engine.catalogue.lock:
            if request.assisted:
                return self.engine.run(lambda: self._assist(request))
            existing = self.engine.topics.by_name.get(request.name) if request.name else None
            if existing is not None and not existing.owners and existing.has_expired(int(time.time() * 1000)):
                self.engine.calls.expired_subscriptions += 1
                end_subscription(self.engine, self.administration, existing)
                existing = None
            if existing is None:
                if not request.options & MQSO_CREATE:
                    raise MQError(MQRC_NO_SUBSCRIPTION, name=request.name)
                subscribed = self._create(request, queue)
            elif request.options & (MQSO_ALTER | MQSO_RESUME):
                return self._resume(request, existing, queue)
            else:
                raise MQError(MQRC_SUB_ALREADY_EXISTS, name=request.name)
        if not request.options & (MQSO_NEW_PUBLICATIONS_ONLY | MQSO_PUBLICATIONS_ON_REQUEST):
            _sent, missed = send_retained(self.connection, subscribed.subscription)
            if missed:
                subscribed.reason = MQRC_RETAINED_NOT_DELIVERED
        return subscribed

    def _admit(self, request: SubscriptionRequest) -> None:
        connection = self.connection
        connection.check()
        if not self.engine.topics.enabled:
            raise MQError(MQRC_PUBSUB_INHIBITED)
        if request.options & MQSO_FAIL_IF_QUIESCING:
            connection.refuse_if_quiescing()
        if len(connection.handles) + 2 > self.engine.max_handles:
            raise MQError(MQRC_HANDLE_NOT_AVAILABLE, handles=len(connection.handles))

    def _acting(self, request: SubscriptionRequest) -> str:
        alternate = request.options & MQSO_ALTERNATE_USER_AUTHORITY
        return request.alternate_user if alternate else self.connection.principal

    def _authorise(self, request: SubscriptionRequest, settings: Settings, right: int) -> None:
        options = 0
        if request.options & MQSO_ALTERNATE_USER_AUTHORITY:
            options |= MQOO_ALTERNATE_USER_AUTHORITY
        if request.options & MQSO_SET_IDENTITY_CONTEXT:
            options |= MQOO_SET_IDENTITY_CONTEXT
        authorise_topic(
            self.engine.authority,
            self.connection.principal,
            request.alternate_user,
            settings.objects,
            options,
            right,
            a.MQRQ_SUB_NOT_AUTHORIZED,
        )

    # -- making one ---------------------------------------------------------------------------------------------------

    def _create(self, request: SubscriptionRequest, queue: Handle | None) -> Subscribed:
        engine, options = self.engine, request.options
        durable = options & MQSO_DURABLE != 0

        def look() -> Settings:
            topic = whole_string(engine.topics.tree, request.topic_object, request.topic_string)
            settings = engine.topics.tree.settings(topic)
            self._authorise(request, settings, SUBSCRIBE)
            check_published(topic)
            if not settings.subscribing:
                raise MQError(MQRC_SUB_INHIBITED, topic=topic)
            if durable and not settings.durable:
                raise MQError(MQRC_DURABILITY_NOT_ALLOWED, topic=topic)
            return settings

        settings = engine.run(look)
        topic = whole_string(engine.topics.tree, request.topic_object, request.topic_string)
        subscription = Subscription(engine.ids.next(), request.name, topic, options & MQSO_WILDCARD_CHAR != 0)
        subscription.topic_object = request.topic_object
        subscription.topic_string = request.topic_string
        subscription.durable = durable
        subscription.managed = options & MQSO_MANAGED != 0
        subscription.level = request.level
        subscription.grouped = options & MQSO_GROUP_SUB != 0
        subscription.shared = request.shared is True
        subscription.joinable = request.joins
        subscription.scope = a.MQTSCOPE_QMGR if options & MQSO_SCOPE_QMGR else a.MQTSCOPE_ALL
        subscription.selector = selector_of(request.selector)
        subscription.correlation_id = engine.ids.next()
        subscription.accounting_token = self.connection.accounting_token
        self._take_over(request, subscription)
        subscription.created = created(_STAMPS, time.time())
        if subscription.managed:
            made = make_queue(engine, self.administration, settings, durable)
            subscription.destination = made.name
        else:
            subscription.destination = self._provided(request, queue, durable)
        try:
            self._begin(subscription)
            given = None if subscription.managed else queue
            return engine.run(lambda: self._handles(subscription, given, request.open_options))
        except BaseException:
            end_subscription(engine, self.administration, subscription)
            if subscription.managed:
                drop_orphan(engine, self.administration, made)
            raise

    def _take_over(self, request: SubscriptionRequest, subscription: Subscription) -> None:
        """Change a subscription as the request says, in the attributes that MQSO_ALTER may change."""
        options = request.options
        subscription.belong_to(self._acting(request))
        subscription.user_data = request.user_data
        subscription.priority = request.priority
        subscription.lifetime = request.expiry
        subscription.expires = 0
        if request.expiry != MQEI_UNLIMITED:
            subscription.expires = int(time.time() * 1000) + request.expiry * 100
        subscription.on_request = options & MQSO_PUBLICATIONS_ON_REQUEST != 0
        subscription.any_user = options & MQSO_ANY_USERID != 0
        if options & MQSO_SET_CORREL_ID:
            subscription.correlation_id = request.correlation_id
        if options & MQSO_SET_IDENTITY_CONTEXT:
            subscription.accounting_token = request.accounting_token
            subscription.identity_data = request.identity_data

    def _provided(self, request: SubscriptionRequest, queue: Handle | None, durable: bool) -> str:
        """Give the name of the queue that the program provides, if it may be used."""
        if queue is None or queue.queue is None or queue.owner != self.connection.number:
            raise MQError(MQRC_HOBJ_ERROR)
        if not (queue.input or queue.browse):
            raise MQError(MQRC_HOBJ_ERROR, handle=queue.number, expected="a queue opened for input or browse")
        if durable and queue.queue.dynamic == TEMPORARY_DYNAMIC:
            raise MQError(MQRC_DURABILITY_NOT_ALLOWED, queue=queue.name)
        acting, name = self._acting(request), queue.defined_as()
        if queue.queue.creator != acting or not acting:
            self.engine.authority.authorise(acting, MQOT_Q, name, OUTPUT, a.MQRQ_SUB_DEST_NOT_AUTHORIZED, MQOO_OUTPUT)
        return name

    def _begin(self, subscription: Subscription) -> None:
        engine = self.engine
        begin = Begin(engine.topics, subscription, self.connection.number)
        if subscription.durable:
            address = engine.catalogue.commit(engine.run, [subscription.record()], [], begin)
            wait_for_log(engine, address)
        else:
            engine.run(begin.apply)

    def _handles(self, subscription: Subscription, queue: Handle | None, more: int) -> Subscribed:
        """Open a subscription and its queue; called under the engine lock."""
        into = queue if queue is not None else self._open_destination(subscription, more)
        handle = Handle(0, subscription.name or subscription.topic, 0, None)
        handle.opened_name = subscription.topic
        handle.subscription = subscription
        self.connection.add_handle(handle)
        return Subscribed(handle, into, subscription)

    def _open_destination(self, subscription: Subscription, more: int) -> Handle:
        connection, name = self.connection, subscription.destination
        if not subscription.managed:
            return open_named(connection, self.administration, name, MQOO_INPUT_AS_Q_DEF | MQOO_BROWSE | MQOO_INQUIRE)
        found = self.engine.queues.by_name.get(name)
        if found is None:
            raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
        target = Target(found, None)
        target.created = True  # a managed queue of this subscription: no further authority is needed
        handle = open_queue(connection, target, name, _OPEN | more)
        handle.created = False
        return handle

    # -- taking one up again ------------------------------------------------------------------------------------------

    def _resume(self, request: SubscriptionRequest, existing: Subscription, queue: Handle | None) -> Subscribed:
        engine, options = self.engine, request.options
        alters = options & MQSO_ALTER != 0
        acting = self._acting(request)
        succeeds = existing.user != acting  # publications are put for this user from now on

        def look() -> None:
            if request.shared is not None and request.shared != existing.shared:
                raise MQError(MQRC_SUB_JOIN_NOT_ALTERABLE, name=existing.name)
            if existing.owners and not (existing.joinable and request.joins):
                raise MQError(MQRC_SUBSCRIPTION_IN_USE, name=existing.name)
            settings = engine.topics.tree.settings(existing.topic)
            self._authorise(request, settings, RESUME | SUBSCRIBE if alters or succeeds else RESUME)
            if succeeds and not existing.any_user:
                raise MQError(MQRC_IDENTITY_MISMATCH, name=existing.name)
            given = request.topic_object or request.topic_string
            tree = engine.topics.tree
            if given and whole_string(tree, request.topic_object, request.topic_string) != existing.topic:
                raise MQError(MQRC_TOPIC_NOT_ALTERABLE, topic=existing.topic)
            if alters:
                _check_alteration(request, existing)

        engine.run(look)
        provided = queue if queue is not None and not existing.managed else None
        if alters:
            self._alter(request, existing, provided)
        elif succeeds:
            self._change(existing, lambda: existing.belong_to(acting))

        def take() -> Subscribed:
            taken = self._handles(existing, provided, request.open_options)
            existing.owners.append(self.connection.number)
            existing.joinable = request.joins
            existing.resumed = time.time()
            return taken

        return engine.run(take)

    def _assist(self, request: SubscriptionRequest) -> Subscribed:
        """Open the queue of a subscription that another handle has open; called under the engine lock."""
        existing = self.engine.topics.by_id.get(request.assisted)
        if existing is None or not existing.owners:
            raise MQError(MQRC_NO_SUBSCRIPTION, identifier=request.assisted.hex())
        self._authorise(request, self.engine.topics.tree.settings(existing.topic), SUBSCRIBE)
        if existing.user != self._acting(request):
            raise MQError(MQRC_IDENTITY_MISMATCH, name=existing.name)
        taken = self._handles(existing, None, request.open_options)
        taken.handle.assists = True
        return taken

    def _alter(self, request: SubscriptionRequest, existing: Subscription, queue: Handle | None) -> None:
        destination = existing.destination
        if queue is not None:
            destination = self._provided(request, queue, existing.durable)

        def change() -> None:
            self._take_over(request, existing)
            existing.destination = destination
            existing.created = altered(existing.created, {}, time.time())

        self._change(existing, change)

    def _change(self, existing: Subscription, change: Callable[[], None]) -> None:
        """Change a subscription, and its record if it is durable."""
        engine = self.engine
        if existing.durable:
            before = existing.values()
            engine.run(change)
            try:
                address = engine.catalogue.commit(engine.run, [existing.record()], [])
            except BaseException:
                engine.run(lambda: existing.apply(before))
                raise
            wait_for_log(engine, address)
        else:
            engine.run(change)

    # -- giving it up -------------------------------------------------------------------------------------------------

    def close(self, handle: Handle, options: int) -> None:
        """MQCLOSE of a subscription's handle: a non-durable subscription ends with it, a durable one on request."""
        connection, engine = self.connection, self.engine
        subscription = handle.subscription
        if handle.owner != connection.number or subscription is None:
            raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
        if options & ~(MQCO_KEEP_SUB | MQCO_REMOVE_SUB | MQCO_QUIESCE):
            raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, options=options)
        if options & MQCO_KEEP_SUB and (options & MQCO_REMOVE_SUB or not subscription.durable):
            raise MQError(MQRC_OPTIONS_ERROR, options=options)
        own = 0 if handle.assists else 1

        def step() -> None:
            if options & MQCO_REMOVE_SUB and len(subscription.owners) > own:
                raise MQError(MQRC_SUBSCRIPTION_IN_USE, name=subscription.name)
            if not handle.assists:
                subscription.owners.remove(connection.number)
            handle.close()
            handle.subscription = None
            del connection.handles[handle.number]

        address = NO_ADDRESS
        with engine.catalogue.lock:  # so that no program resumes it between its last close and its end
            engine.run(step)
            if options & MQCO_REMOVE_SUB or not (subscription.durable or subscription.owners):
                address = end_subscription(engine, self.administration, subscription)
        if address:
            wait_for_log(engine, address)


_STAMPS: Final = {"CRDATE": "", "CRTIME": "", "ALTDATE": "", "ALTTIME": ""}


def _check_alteration(request: SubscriptionRequest, existing: Subscription) -> None:
    options = request.options
    if (options & MQSO_DURABLE != 0) != existing.durable:
        raise MQError(MQRC_DURABILITY_NOT_ALTERABLE, name=existing.name)
    if (options & MQSO_MANAGED != 0) != existing.managed:
        raise MQError(MQRC_DEST_CLASS_NOT_ALTERABLE, name=existing.name)
    if (options & MQSO_GROUP_SUB != 0) != existing.grouped:
        raise MQError(MQRC_GROUPING_NOT_ALTERABLE, name=existing.name)
    if request.level != existing.level:
        raise MQError(MQRC_SUBLEVEL_NOT_ALTERABLE, name=existing.name)
    if request.selector.strip(" \0") != ("" if existing.selector is None else existing.selector.text.strip(" \0")):
        raise MQError(MQRC_SELECTOR_NOT_ALTERABLE, name=existing.name)
