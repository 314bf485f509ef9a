"""Everything that publish/subscribe knows: the tree, the subscriptions, what is retained, and who publishes where."""

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
    """Counts in the order API, administrative, proxy. Changed under the engine lock."""

    def __init__(self) -> None:
        self.now = [0, 0, 0]
        self.most = [0, 0, 0]
        self.fewest = [0, 0, 0]

    def came(self, kind: int) -> None:
        """A subscription was made."""
        place = _KINDS[kind]
        self.now[place] += 1
        self.most[place] = max(self.most[place], self.now[place])

    def went(self, kind: int) -> None:
        """A subscription has ended."""
        place = _KINDS[kind]
        self.now[place] -= 1
        self.fewest[place] = min(self.fewest[place], self.now[place])

    def forget_peaks(self) -> None:
        """Start the peaks of a new statistics interval."""
        self.most = self.now[:]
        self.fewest = self.now[:]


class TopicCounters:
    """What was published since the counters were last taken."""

    def __init__(self) -> None:
        self.publications = 0  # puts to topics
        self.copies = 0  # messages that subscriptions were given
        self.unmatched = 0  # publications that nobody wanted
        self.failed = 0  # copies that could not be put


class Publisher:
    """A topic that a program has open to publish on, and what a publication on it finds."""

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
    """Publish/subscribe of a queue manager. Every method runs under the engine lock."""

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

    def load(self, catalogue: Catalogue) -> None:
        """Take over the durable subscriptions, when the queue manager starts."""
        for record in catalogue.of_family(FAMILY):
            if record.name != PATTERN:
                self.add(subscription_of(record))

    # -- subscriptions ------------------------------------------------------------------------------------------------

    def add(self, subscription: Subscription) -> None:
        """Take in a subscription."""
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
        """Forget a subscription."""
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
        """Let a subscription by the queued interface be as it was registered anew."""
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
        """Give the subscriptions by the queued interface whose publications go to a queue here."""
        found = [each for key, each in self.registered.items() if key[2] == queue and not key[1]]
        return [each for some in found for each in some]

    def is_orphan(self, queue: str) -> bool:
        """Say whether a queue was made for a subscription that is no more."""
        return queue.startswith(MANAGED) and queue not in self.managed

    # -- publishers ---------------------------------------------------------------------------------------------------

    def begin_publishing(self, topic: str, owner: int) -> Publisher:
        """Take note of a program that will publish on a topic."""
        publisher = Publisher(topic)
        publisher.owner = owner
        self.publishers[id(publisher)] = publisher
        return publisher

    def end_publishing(self, publisher: Publisher) -> None:
        """Take note that it will not any more."""
        self.publishers.pop(id(publisher), None)

    def settings_of(self, publisher: Publisher) -> Settings:
        """Give what holds at a publisher's topic."""
        generation = self.tree.generation()
        settings = publisher.settings
        if settings is None or publisher.settings_generation != generation:
            settings = self.tree.settings(publisher.topic)
            publisher.settings = settings
            publisher.settings_generation = generation
            publisher.found_generation = -1
        return settings

    def found_by(self, publisher: Publisher) -> list[Subscription]:
        """Give the subscriptions that a publication finds, whatever they do with it."""
        settings = self.settings_of(publisher)
        if publisher.found_generation != self.generation:
            publisher.found = self.matching(publisher.topic, settings.blocked)
            publisher.found_generation = self.generation
        return publisher.found

    def matching(self, topic: str, blocked: int) -> list[Subscription]:
        """Give the subscriptions to a topic, past topic objects that block wildcards."""
        found = self.index.match(topic)
        return [each for each in found if each.sees_past(blocked)] if blocked else found
