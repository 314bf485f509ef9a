"""The state of publish/subscribe: the topic tree, the subscriptions, retained publications and open publishers."""

from typing import Final

from kew.codes.attributes import MQSUBTYPE_ADMIN, MQSUBTYPE_API, MQSUBTYPE_PROXY
from kew.objects.catalogue import Catalogue
from kew.topics.copyproperties import CopyProperties
from kew.topics.index import SubscriptionIndex
from kew.topics.registration import Registrant, Registration
from kew.topics.retained import RetainedPublications
from kew.topics.subscription import FAMILY, PATTERN, Subscription, subscription_of
from kew.topics.tree import Settings, TopicTree

MANAGED: Final = "SYSTEM.MANAGED."  # how the names of queues begin that are made for subscriptions
DURABLE: Final = MANAGED + "DURABLE."
NON_DURABLE: Final = MANAGED + "NDURABLE."
_KINDS: Final = {MQSUBTYPE_API: 0, MQSUBTYPE_ADMIN: 1, MQSUBTYPE_PROXY: 2}  # in the order of QTSTSHIG


class SubscriptionCounts:
    """The numbers of subscriptions (API, administrative, proxy), with their peaks. Under the engine lock."""

    def __init__(self) -> None:
        self.now = [0, 0, 0]
        self.most = [0, 0, 0]
        self.fewest = [0, 0, 0]

    def came(self, kind: int) -> None:
        """Count a new subscription."""
        place = _KINDS[kind]
        self.now[place] += 1
        self.most[place] = max(self.most[place], self.now[place])

    def went(self, kind: int) -> None:
        """Count a subscription that has ended."""
        place = _KINDS[kind]
        self.now[place] -= 1
        self.fewest[place] = min(self.fewest[place], self.now[place])

    def forget_peaks(self) -> None:
        """Reset the peaks for a new statistics interval."""
        self.most = self.now[:]
        self.fewest = self.now[:]


class TopicCounters:
    """Counters of publications since they were last taken."""

    def __init__(self) -> None:
        self.publications = 0  # puts to topics
        self.copies = 0  # messages that subscriptions were given
        self.unmatched = 0  # publications without a subscription
        self.failed = 0  # copies that could not be put


class Publisher:
    """A program's open of a topic for publications, with the subscriptions that were found for the topic."""

    def __init__(self, topic: str) -> None:
        self.topic = topic
        self.marks = CopyProperties(topic)
        self.publications = 0
        self.last = 0.0
        self.owner = 0  # number of the connection
        self.settings: Settings | None = None
        self.found: list[Subscription] = []
        self.settings_generation = -1
        self.found_generation = -1


class TopicSpace:
    """Publish/subscribe of a queue manager. Methods run under the engine lock."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.enabled = True  # PSMODE of the queue manager
        self.tree = TopicTree(catalogue)
        self.by_name: dict[str, Subscription] = {}
        self.by_id: dict[bytes, Subscription] = {}
        self.managed: dict[str, Subscription] = {}  # by the queue that was made for it
        self.registered: dict[Registrant, list[Subscription]] = {}  # those by the queued interface
        self.index: SubscriptionIndex[Subscription] = SubscriptionIndex()
        self.retained = RetainedPublications()
        self.publishers: dict[int, Publisher] = {}
        self.counters = TopicCounters()
        self.counts = SubscriptionCounts()
        self.generation = 0  # rises with each change of the subscriptions

    def enable(self, enabled: bool) -> None:
        """Set PSMODE of the queue manager."""
        self.enabled = enabled

    def load(self, catalogue: Catalogue) -> None:
        """Read the durable subscriptions from the catalogue, when the queue manager starts."""
        for record in catalogue.of_family(FAMILY):
            if record.name != PATTERN:
                self.add(subscription_of(record))

    # -- subscriptions ------------------------------------------------------------------------------------------------

    def add(self, subscription: Subscription) -> None:
        """Add a subscription."""
        if subscription.name:
            self.by_name[subscription.name] = subscription
        self.by_id[subscription.id] = subscription
        if subscription.managed:
            self.managed[subscription.destination] = subscription
        if subscription.registration:
            self.registered.setdefault(subscription.registrant, []).append(subscription)
        self.index.add(subscription.topic, subscription, subscription.by_character)
        self.counts.came(subscription.kind)
        self.generation += 1

    def remove(self, subscription: Subscription) -> None:
        """Remove a subscription."""
        if subscription.ended:
            return
        subscription.ended = True
        self.by_name.pop(subscription.name, None)
        del self.by_id[subscription.id]
        self.managed.pop(subscription.destination, None)
        if subscription.registration:
            self._deregister(subscription)
        self.index.remove(subscription.topic, subscription, subscription.by_character)
        self.counts.went(subscription.kind)
        self.generation += 1

    def register(self, subscription: Subscription, registration: Registration) -> None:
        """Apply a new registration of the queued interface to its subscription."""
        self._deregister(subscription)
        subscription.register(registration)
        self.registered.setdefault(subscription.registrant, []).append(subscription)
        self.generation += 1

    def _deregister(self, subscription: Subscription) -> None:
        others = self.registered[subscription.registrant]
        others.remove(subscription)
        if not others:
            del self.registered[subscription.registrant]

    def of_queue(self, queue: str) -> list[Subscription]:
        """Give the subscriptions of the queued interface with a local queue as their destination."""
        found = [each for key, each in self.registered.items() if key[2] == queue and not key[1]]
        return [each for some in found for each in some]

    def is_orphan(self, queue: str) -> bool:
        """Say whether a managed queue has lost its subscription."""
        return queue.startswith(MANAGED) and queue not in self.managed

    # -- publishers ---------------------------------------------------------------------------------------------------

    def begin_publishing(self, topic: str, owner: int) -> Publisher:
        """Add a topic that a program has opened for publications."""
        publisher = Publisher(topic)
        publisher.owner = owner
        self.publishers[id(publisher)] = publisher
        return publisher

    def end_publishing(self, publisher: Publisher) -> None:
        """Remove a topic that a program had open for publications."""
        self.publishers.pop(id(publisher), None)

    def settings_of(self, publisher: Publisher) -> Settings:
        """Give the attributes that hold at the publisher's topic."""
        generation = self.tree.generation()
        settings = publisher.settings
        if settings is None or publisher.settings_generation != generation:
            settings = self.tree.settings(publisher.topic)
            publisher.settings = settings
            publisher.settings_generation = generation
            publisher.found_generation = -1
        return settings

    def found_by(self, publisher: Publisher) -> list[Subscription]:
        """Give the subscriptions that match the publisher's topic."""
        settings = self.settings_of(publisher)
        if publisher.found_generation != self.generation:
            publisher.found = self.matching(publisher.topic, settings.blocked)
            publisher.found_generation = self.generation
        return publisher.found

    def matching(self, topic: str, blocked: int) -> list[Subscription]:
        """Give the subscriptions that match a topic, except those that WILDCARD(BLOCK) of a topic object excludes."""
        found = self.index.match(topic)
        return [each for each in found if each.sees_past(blocked)] if blocked else found
