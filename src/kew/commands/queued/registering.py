"""Commands of subscribers: RegSub, DeregSub and ReqUpdate.

A registration is a subscription with the registrant's queue as its destination. It is durable, unless the queue is
temporary: then it ends with the queue. Another RegSub alters it.

A subscription is found by its name if the command has one, else by its traditional identity: stream, queue manager,
queue, correlation id, topic, filter. Registrants may share a subscription by its name (`joining.py`).

A command is carried out for the user of its message, who must have the authority to subscribe to the topic and to put
to the queue. A subscription of another user is altered or ended only if both commands have VariableUserId.
"""

import time
from collections.abc import Callable
from typing import Final

from kew.codes import attributes as a
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import Broken, MQError
from kew.codes.options import MQOO_ALTERNATE_USER_AUTHORITY, MQOO_OUTPUT
from kew.codes.reasons import (
    MQRC_DURABILITY_NOT_ALLOWED,
    MQRC_NOT_AUTHORIZED,
    MQRC_PUBSUB_INHIBITED,
    MQRC_RFH_PARM_MISSING,
    MQRC_SUB_INHIBITED,
    MQRC_SUB_USER_DATA_ERROR,
    MQRC_TOPIC_STRING_ERROR,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRCCF_DUPLICATE_IDENTITY,
    MQRCCF_DUPLICATE_SUBSCRIPTION,
    MQRCCF_FILTER_ERROR,
    MQRCCF_NO_RETAINED_MSG,
    MQRCCF_NOT_REGISTERED,
    MQRCCF_Q_MGR_NAME_ERROR,
    MQRCCF_Q_NAME_ERROR,
    MQRCCF_REG_OPTIONS_ERROR,
    MQRCCF_SUB_NAME_ERROR,
    MQRCCF_SUBSCRIPTION_IN_USE,
    MQRCCF_TOPIC_ERROR,
    MQRCCF_WRONG_USER,
)
from kew.commands.queued import words
from kew.commands.queued.joining import JOINS, details, join, leave, name_of
from kew.commands.queued.request import Request
from kew.commands.queued.response import Answer, refused
from kew.commands.queued.streams import TopicStream
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import wait_for_log
from kew.mqi.local.connection import LocalConnection
from kew.mqi.publishing.topics import check_published
from kew.mqi.subscribing.retained import send_retained
from kew.mqi.subscribing.subscribe import Begin
from kew.mqi.subscribing.unsubscribe import end_subscription
from kew.objects.catalogue import Decision
from kew.objects.definition import altered, created
from kew.queues.queue import TEMPORARY_DYNAMIC
from kew.security.openauthority import authorise_topic
from kew.security.rights import SUBSCRIBE
from kew.selection.selector import Selector, selector_of
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.topics.registration import Registration, registration_of
from kew.topics.space import TopicSpace
from kew.topics.subscription import ANY_CORRELATION, FAMILY, Subscription

Act = Callable[[str], Answer]

PERSISTENCES: Final = (
    a.MQREGO_NON_PERSISTENT,
    a.MQREGO_PERSISTENT,
    a.MQREGO_PERSISTENT_AS_PUBLISH,
    a.MQREGO_PERSISTENT_AS_Q,
)
# Options that are of one command and not of the subscription.
_PASSING: Final = JOINS | a.MQREGO_FULL_RESPONSE | a.MQREGO_ADD_NAME | a.MQREGO_NO_ALTERATION
_LONGEST: Final = 10240
_STAMPS: Final = {"CRDATE": "", "CRTIME": "", "ALTDATE": "", "ALTTIME": ""}


class _Rename(Decision):
    """The replacement of a subscription by its altered copy, which may have another name."""

    def __init__(self, space: TopicSpace, before: Subscription, after: Subscription) -> None:
        self.space = space
        self.before = before
        self.after = after

    def apply(self) -> None:
        """Replace the old subscription by the copy in the topic space."""
        self.space.remove(self.before)
        self.space.add(self.after)


class Registrar:
    """The commands of one registrant."""

    def __init__(
        self, connection: LocalConnection, request: Request, descriptor: MessageDescriptor, stream: TopicStream
    ) -> None:
        self._connection = connection
        self._engine = connection.engine
        self._request = request
        self._descriptor = descriptor
        self._stream = stream
        self._user = descriptor.user_identifier.rstrip(b" \0").decode(errors="replace")
        self._options = request.registering
        self._identity = request.values.get(words.IDENTITY, "")

    # -- RegSub -------------------------------------------------------------------------------------------------------

    def register(self) -> list[Answer]:
        """Carry out RegSub: for each topic create a subscription, or alter the existing one."""
        request = self._request
        self._check_register()
        if not request.topics:
            raise MQError(MQRC_RFH_PARM_MISSING, parameter=words.TOPIC)
        if words.NAME in request.values and len(request.topics) > 1:
            raise MQError(MQRCCF_SUB_NAME_ERROR, topics=len(request.topics))
        if self._options & a.MQREGO_FULL_RESPONSE and len(request.topics) > 1:
            raise MQError(MQRCCF_REG_OPTIONS_ERROR, topics=len(request.topics))
        return [self._each(topic, self._register) for topic in request.topics]

    def _check_register(self) -> None:
        options, values = self._options, self._request.values
        wrong = a.MQREGO_DEREGISTER_ALL | a.MQREGO_LEAVE_ONLY | a.MQREGO_DIRECT_REQUESTS
        joins = options & JOINS
        several = len([each for each in PERSISTENCES if options & each]) > 1
        if options & wrong or joins == JOINS or several or (joins and words.IDENTITY not in values):
            raise MQError(MQRCCF_REG_OPTIONS_ERROR, options=options)
        if options & a.MQREGO_ADD_NAME and words.NAME not in values:
            raise MQError(MQRCCF_REG_OPTIONS_ERROR, options=options)
        if words.NAME in values and not values[words.NAME]:
            raise MQError(MQRCCF_SUB_NAME_ERROR)
        if len(values.get(words.USER_DATA, "")) > _LONGEST:
            raise MQError(MQRC_SUB_USER_DATA_ERROR, length=len(values[words.USER_DATA]))

    def _each(self, topic: str, act: Act) -> Answer:
        try:
            return act(topic)
        except Broken:
            raise
        except MQError as error:
            if error.reason == MQRC_TOPIC_STRING_ERROR:
                error = MQError(MQRCCF_TOPIC_ERROR)
            return refused(error, topic)

    def _register(self, topic: str) -> Answer:
        wanted = self._registration(topic)
        selector = self._selector()
        lasts = self._check(wanted)
        with self._engine.catalogue.lock:
            existing = self._existing(wanted)
            if existing is None:
                warning = join(wanted, None, self._identity, self._options)
                subscription = self._make(wanted, selector, lasts)
            else:
                subscription, warning = self._again(wanted, existing, lasts)
        options = registration_of(subscription.registration).options
        if not options & (a.MQREGO_NEW_PUBLICATIONS_ONLY | a.MQREGO_PUBLISH_ON_REQUEST_ONLY):
            send_retained(self._connection.connection, subscription)
        return self._answer(subscription, warning)

    def _check(self, wanted: Registration) -> bool:
        """Refuse a registration for which the user has no authority; says whether the subscription is durable.

        A subscription that is only joined stays unchanged, even if the command names another topic or queue.
        """
        with self._engine.catalogue.lock:
            existing = self._existing(wanted)
        if existing is not None and self._options & a.MQREGO_NO_ALTERATION:
            self._authorise(registration_of(existing.registration).topic)
            return existing.durable
        self._authorise(wanted.topic)
        return self._check_destination(wanted)

    def _registration(self, topic: str) -> Registration:
        """Give the registration for a topic."""
        request, descriptor = self._request, self._descriptor
        if not topic:
            raise MQError(MQRCCF_TOPIC_ERROR)
        found = Registration()
        found.form = request.form
        found.options = self._options & ~_PASSING
        found.stream, found.prefix, found.topic = self._stream.name, self._stream.prefix, topic
        found.manager = request.name(words.MANAGER, descriptor.reply_to_queue_manager)
        if found.manager == self._engine.name:
            found.manager = ""
        found.queue = request.name(words.QUEUE, descriptor.reply_to_queue)
        if not found.queue:
            raise MQError(MQRCCF_Q_NAME_ERROR)
        as_id = self._options & a.MQREGO_CORREL_ID_AS_IDENTITY != 0
        found.correlation_id = request.correlation_id(descriptor, as_id)
        found.filter = request.values.get(words.FILTER, "").strip(" \0")
        found.name = request.values.get(words.NAME, "")
        if len(name_of(found)) > _LONGEST:
            raise MQError(MQRCCF_SUB_NAME_ERROR if found.name else MQRCCF_TOPIC_ERROR)
        return found

    def _selector(self) -> Selector | None:
        try:
            return selector_of(self._request.values.get(words.FILTER, ""))
        except MQError as error:
            raise MQError(MQRCCF_FILTER_ERROR, why=str(error)) from error

    def _authorise(self, topic: str) -> None:
        """Check that the user may subscribe to a topic, and that the topic takes durable subscriptions."""
        engine = self._engine

        def look() -> None:
            if not engine.topics.enabled:
                raise MQError(MQRC_PUBSUB_INHIBITED)
            settings = engine.topics.tree.settings(self._stream.whole(topic))
            owner = self._connection.connection.principal
            options, why = MQOO_ALTERNATE_USER_AUTHORITY, a.MQRQ_SUB_NOT_AUTHORIZED
            authorise_topic(engine.authority, owner, self._user, settings.objects, options, SUBSCRIBE, why)
            check_published(self._stream.whole(topic))
            if not settings.subscribing:
                raise MQError(MQRC_SUB_INHIBITED, topic=topic)
            if not settings.durable:
                raise MQError(MQRC_DURABILITY_NOT_ALLOWED, topic=topic)

        engine.run(look)

    def _check_destination(self, wanted: Registration) -> bool:
        """Check that the destination queue exists and the user may put to it; says whether the queue is permanent."""
        connection = self._connection
        record = connection.administration.find(wanted.queue) if not wanted.manager else None
        if record is not None and record.kind == "QMODEL":
            raise MQError(MQRCCF_Q_NAME_ERROR, queue=wanted.queue)
        options = MQOO_OUTPUT | MQOO_ALTERNATE_USER_AUTHORITY
        try:
            handle = connection.open(wanted.queue, options, alternate_user=self._user, manager=wanted.manager)
        except Broken:
            raise
        except MQError as error:
            if error.reason == MQRC_NOT_AUTHORIZED:
                raise
            reason = MQRCCF_Q_MGR_NAME_ERROR if error.reason == MQRC_UNKNOWN_REMOTE_Q_MGR else MQRCCF_Q_NAME_ERROR
            raise MQError(reason, queue=wanted.queue, manager=wanted.manager) from error
        lasts = handle.queue is None or handle.queue.dynamic != TEMPORARY_DYNAMIC
        connection.close(handle)
        return lasts

    # -- finding one --------------------------------------------------------------------------------------------------

    def _existing(self, wanted: Registration) -> Subscription | None:
        """Find the existing subscription of a registration, None if it is new; called under the definitions' lock."""
        space = self._engine.topics
        alike = self._alike(wanted)
        if not wanted.name:
            return alike
        named = space.by_name.get(name_of(wanted))
        if named is not None and not named.registration:
            raise MQError(MQRCCF_DUPLICATE_SUBSCRIPTION, name=wanted.name)
        if named is not None and self._options & a.MQREGO_NO_ALTERATION:
            return named
        adds = self._options & a.MQREGO_ADD_NAME
        if alike is not None and alike is not named:
            if adds and named is None and not registration_of(alike.registration).name:
                return alike
            raise MQError(MQRCCF_DUPLICATE_SUBSCRIPTION, name=wanted.name)
        if named is not None and (adds or registration_of(named.registration).topic != wanted.topic):
            raise MQError(MQRCCF_DUPLICATE_SUBSCRIPTION, name=wanted.name)
        return named

    def _alike(self, wanted: Registration) -> Subscription | None:
        for each in self._engine.topics.registered.get(wanted.whose(), ()):
            if registration_of(each.registration).same_identity(wanted):
                return each
        return None

    def _check_user(self, existing: Subscription, registration: Registration) -> None:
        """Refuse to change a subscription that is open, or another user's unless both commands have VariableUserId."""
        if existing.owners:
            raise MQError(MQRCCF_SUBSCRIPTION_IN_USE, name=existing.name)
        varies = registration.options & self._options & a.MQREGO_VARIABLE_USER_ID
        if existing.user != self._user and not varies:
            raise MQError(MQRCCF_WRONG_USER if self._request.form == 2 else MQRCCF_DUPLICATE_IDENTITY)

    # -- making and altering one --------------------------------------------------------------------------------------

    def _fill(self, subscription: Subscription, wanted: Registration) -> None:
        """Apply the alterable attributes of the command to a subscription."""
        request, descriptor = self._request, self._descriptor
        subscription.belong_to(self._user)
        subscription.accounting_token = descriptor.accounting_token
        subscription.identity_data = descriptor.application_identity_data
        subscription.destination, subscription.destination_manager = wanted.queue, wanted.manager
        as_id = wanted.correlation_id.strip(b"\0")
        subscription.correlation_id = wanted.correlation_id if as_id else ANY_CORRELATION
        subscription.user_data = request.values.get(words.USER_DATA, "")
        subscription.properties = a.MQPSPROP_COMPAT if request.form == 1 else a.MQPSPROP_RFH2
        subscription.on_request = wanted.options & a.MQREGO_PUBLISH_ON_REQUEST_ONLY != 0
        subscription.any_user = wanted.options & a.MQREGO_VARIABLE_USER_ID != 0
        subscription.scope = a.MQTSCOPE_QMGR if wanted.options & a.MQREGO_LOCAL else a.MQTSCOPE_ALL

    def _make(self, wanted: Registration, selector: Selector | None, durable: bool) -> Subscription:
        engine = self._engine
        topic = self._stream.whole(wanted.topic)
        made = Subscription(engine.ids.next(), name_of(wanted), topic, self._request.form == 1)
        made.durable = durable
        made.selector = selector
        made.created = created(_STAMPS, time.time())
        made.register(wanted)
        self._fill(made, wanted)
        begin = Begin(engine.topics, made, 0)
        if durable:
            wait_for_log(engine, engine.catalogue.commit(engine.run, [made.record()], [], begin))
        else:
            engine.run(begin.apply)
        return made

    def _again(self, wanted: Registration, existing: Subscription, durable: bool) -> tuple[Subscription, int]:
        """Replace an existing subscription by its altered copy; gives the copy, and the reason of a warning."""
        engine = self._engine
        before = registration_of(existing.registration)
        self._check_user(existing, before)
        warning = join(wanted, before, self._identity, self._options)
        if self._options & a.MQREGO_NO_ALTERATION:
            before.identities, before.exclusive = wanted.identities, wanted.exclusive
            wanted = before
        elif not wanted.name:
            wanted.name = before.name
        named = name_of(wanted)
        after = Subscription(existing.id, named, existing.topic, existing.by_character)
        after.durable, after.selector, after.level = durable, existing.selector, existing.level
        after.apply(existing.values())
        after.scope = existing.scope
        if not self._options & a.MQREGO_NO_ALTERATION:
            self._fill(after, wanted)
        after.register(wanted)
        after.created = altered(existing.created, {}, time.time())
        after.messages, after.last_message = existing.messages, existing.last_message
        removed = [(FAMILY, existing.name)] if existing.durable and (existing.name != named or not durable) else []
        swap = _Rename(engine.topics, existing, after)
        stored = [after.record()] if durable else []
        if stored or removed:
            wait_for_log(engine, engine.catalogue.commit(engine.run, stored, removed, swap))
        else:
            engine.run(swap.apply)
        return after, warning

    def _answer(self, subscription: Subscription, warning: int) -> Answer:
        answer = Answer(registration_of(subscription.registration).topic, warning, MQCC_WARNING if warning else 0)
        if self._options & a.MQREGO_FULL_RESPONSE:
            answer.details = details(subscription, self._request.form, self._engine.name)
        return answer

    # -- DeregSub -----------------------------------------------------------------------------------------------------

    def deregister(self) -> list[Answer]:
        """Carry out DeregSub: end the subscriptions to some topics, or all of a registrant."""
        request, options = self._request, self._options
        everything = options & a.MQREGO_DEREGISTER_ALL
        full = options & a.MQREGO_FULL_RESPONSE
        named = words.NAME in request.values
        if (everything and (request.topics or full or named)) or (full and len(request.topics) > 1):
            raise MQError(MQRCCF_REG_OPTIONS_ERROR, options=options)
        if options & a.MQREGO_LEAVE_ONLY and words.IDENTITY not in request.values:
            raise MQError(MQRCCF_REG_OPTIONS_ERROR, options=options)
        topics = request.topics
        if everything:
            topics = self._all_topics()
            if not topics:
                raise MQError(MQRCCF_NOT_REGISTERED)
        elif not topics and not named:
            raise MQError(MQRC_RFH_PARM_MISSING, parameter=words.TOPIC)
        return [self._each(topic, self._deregister) for topic in topics or [""]]

    def _all_topics(self) -> list[str]:
        probe = self._registration("*")
        found = [registration_of(each.registration) for each in self._engine.topics.registered.get(probe.whose(), ())]
        return [each.topic for each in found]

    def _deregister(self, topic: str) -> Answer:
        engine = self._engine
        with engine.catalogue.lock:
            existing = self._found(topic)
            registration = registration_of(existing.registration)
            self._check_user(existing, registration)
            if existing.user != self._user:
                self._authorise(registration.topic)
            answer = self._answer(existing, 0)
            if leave(registration, self._identity, self._options):
                address = end_subscription(engine, self._connection.administration, existing)
            else:
                address = self._keep(existing, registration)
        if address:
            wait_for_log(engine, address)
        return answer

    def _found(self, topic: str) -> Subscription:
        """Find the subscription of a command that does not create one."""
        found: Subscription | None = None
        if words.NAME in self._request.values:
            named = Registration()
            named.stream, named.name = self._stream.name, self._request.values[words.NAME]
            found = self._engine.topics.by_name.get(name_of(named))
        else:
            found = self._alike(self._registration(topic))
        if found is None or not found.registration:
            raise MQError(MQRCCF_NOT_REGISTERED, topic=topic)
        return found

    def _keep(self, existing: Subscription, registration: Registration) -> LogAddress:
        engine = self._engine
        engine.run(lambda: engine.topics.register(existing, registration))
        if not existing.durable:
            return NO_ADDRESS
        return engine.catalogue.commit(engine.run, [existing.record()], [])

    # -- ReqUpdate ----------------------------------------------------------------------------------------------------

    def update(self) -> list[Answer]:
        """Carry out ReqUpdate: send the retained publications."""
        topics = self._request.topics
        if len(topics) > 1:
            raise MQError(MQRCCF_TOPIC_ERROR, topics=len(topics))
        if not topics and words.NAME not in self._request.values:
            raise MQError(MQRC_RFH_PARM_MISSING, parameter=words.TOPIC)
        return [self._each(topic, self._update) for topic in topics or [""]]

    def _update(self, topic: str) -> Answer:
        existing = self._found(topic)
        self._check_user(existing, registration_of(existing.registration))
        sent, missed = send_retained(self._connection.connection, existing)
        if not sent and not missed:
            raise MQError(MQRCCF_NO_RETAINED_MSG, topic=topic)
        return Answer(topic)
