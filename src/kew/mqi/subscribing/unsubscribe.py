"""The end of subscriptions: first the record of a durable one, then its managed queue."""

from kew.mqi.engine import Engine
from kew.mqi.subscribing.managedqueues import drop_orphan
from kew.objects.caller import NOBODY, Caller
from kew.objects.catalogue import Decision
from kew.queues.administration import QueueAdministration
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.topics.space import TopicSpace
from kew.topics.subscription import FAMILY, Subscription


class _End(Decision):
    """The decision that a subscription ends, together with its record."""

    def __init__(self, space: TopicSpace, subscription: Subscription) -> None:
        self.space = space
        self.subscription = subscription

    def apply(self) -> None:
        """Remove the subscription from the index, so that publications no longer find it."""
        self.space.remove(self.subscription)


def end_expired(engine: Engine, administration: QueueAdministration) -> None:
    """End the subscriptions that have expired and are not open; called outside the engine lock."""

    def find() -> list[Subscription]:
        now = int(engine.clock.now() * 1000)
        return [each for each in engine.topics.by_id.values() if each.has_expired(now) and not each.owners]

    for subscription in engine.run(find):
        engine.calls.expired_subscriptions += 1
        end_subscription(engine, administration, subscription)


def end_subscription(
    engine: Engine, administration: QueueAdministration, subscription: Subscription, by: Caller = NOBODY
) -> LogAddress:
    """End a subscription; gives the log address to wait for. Called outside the engine lock."""
    address = NO_ADDRESS
    with engine.catalogue.lock:
        if subscription.ended:
            return address
        key = (FAMILY, subscription.name)
        if subscription.durable and key in engine.catalogue.records:
            address = engine.catalogue.commit(engine.run, [], [key], _End(engine.topics, subscription), by)
        else:
            engine.run(lambda: engine.topics.remove(subscription))
    if subscription.managed:
        queue = engine.queues.by_name.get(subscription.destination)
        if queue is not None:
            drop_orphan(engine, administration, queue)
    return address


def end_registrations(engine: Engine, administration: QueueAdministration, queue: str) -> None:
    """End the registrations of the queued interface for a temporary queue that was deleted."""
    for subscription in engine.run(lambda: engine.topics.of_queue(queue)):
        end_subscription(engine, administration, subscription)
