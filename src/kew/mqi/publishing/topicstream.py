"""Stream copies for aliases of topics: the copy of a message is published."""

from kew.codes.errors import MQError
from kew.codes.options import MQPER_PERSISTENT
from kew.codes.reasons import MQRC_PUBSUB_INHIBITED, MQRC_PUT_INHIBITED, MQRC_UNKNOWN_ALIAS_BASE_Q
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.delivery.delivery import DeliverySteps, QueueDelivery, cap_expiry
from kew.mqi.delivery.longput import LongPut
from kew.mqi.delivery.streaming import TopicStreams
from kew.mqi.publishing.publication import Publication
from kew.mqi.publishing.publish import HIGHEST_LEVEL, choose
from kew.mqi.publishing.topics import whole_string
from kew.objects.catalogue import Record
from kew.topics.space import Publisher
from kew.topics.tree import FAMILY


class PublishedCopy(DeliverySteps):
    """The publication of a stream copy; a topic without subscriptions is a success."""

    def __init__(
        self, connection: Connection, publisher: Publisher, descriptor: MessageDescriptor, original: QueueDelivery
    ) -> None:
        self.done = False
        self._connection = connection
        self._publisher = publisher
        self._descriptor = descriptor
        self._original = original
        self._publication: Publication | None = None  # once it has begun

    def step(self) -> bool:
        """Take a step with the copies for subscriptions; says whether all are put."""
        publication = self._publication
        if publication is not None:
            self.done, _address = publication.step(self._connection)
            return self.done
        publication = self._begin()
        result = publication.begin(self._connection, self._descriptor.persistence == MQPER_PERSISTENT)
        self._publication = publication
        self.done = not isinstance(result, LongPut)
        return self.done

    def _begin(self) -> Publication:
        engine, original = self._connection.engine, self._original
        topics, publisher = engine.topics, self._publisher
        settings = topics.settings_of(publisher)
        if not topics.enabled:
            raise MQError(MQRC_PUBSUB_INHIBITED, topic=publisher.topic)
        if not settings.publishing:
            raise MQError(MQRC_PUT_INHIBITED, topic=publisher.topic)
        descriptor = self._descriptor
        cap_expiry(descriptor, settings.expiry_cap)
        now = engine.clock.now()
        chosen = choose(topics.found_by(publisher), HIGHEST_LEVEL, 0, int(now * 1000), descriptor, original.data)
        publication = Publication(engine, publisher.topic, settings, descriptor, original.data, original.unit)
        publication.marks = publisher.marks
        publication.streams = False
        for subscription in chosen:
            publication.add(subscription)
        return publication

    def abandon(self) -> None:
        """Abandon the publication; the unit of work undoes the copies that were put."""
        if self._publication is not None and not self.done:
            self._publication.abandon(self._connection)


class Publishing(TopicStreams):
    """The publisher of stream copies; it remembers the subscriptions found for each topic."""

    def __init__(self) -> None:
        self._publishers: dict[str, Publisher] = {}

    def copy(
        self, connection: Connection, alias: Record, descriptor: MessageDescriptor, original: QueueDelivery
    ) -> DeliverySteps:
        """Begin the publication of a copy on the topic of an alias."""
        engine = connection.engine
        target = str(alias.values["TARGET"])
        if (FAMILY, target) not in engine.catalogue.records:
            raise MQError(MQRC_UNKNOWN_ALIAS_BASE_Q, alias=alias.name, target=target)
        topic = whole_string(engine.topics.tree, target, "")
        publisher = self._publishers.get(alias.name)
        if publisher is None or publisher.topic != topic:
            publisher = Publisher(topic)
            self._publishers[alias.name] = publisher
        return PublishedCopy(connection, publisher, descriptor, original)
