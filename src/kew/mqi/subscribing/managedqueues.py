"""Managed queues: made by the queue manager for subscriptions, and deleted after them.

A subscription is made after its queue and ends before it, so a crash in between leaves a queue without subscription;
the next start deletes it. All functions here wait for the disk and are called outside the engine lock.
"""

from kew.codes.attributes import MQQDT_PERMANENT_DYNAMIC
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME
from kew.mqi.engine import Engine
from kew.mqi.objects.open import dynamic_name, find_model
from kew.objects.schema import object_type
from kew.queues.administration import LOCAL, QueueAdministration
from kew.queues.queue import TEMPORARY_DYNAMIC, Queue
from kew.topics.space import DURABLE, NON_DURABLE
from kew.topics.tree import Settings


def make_queue(engine: Engine, administration: QueueAdministration, settings: Settings, durable: bool) -> Queue:
    """Create the queue of a managed subscription from the model queue that its topic names."""
    name = str(settings.values["MDURMDL" if durable else "MNDURMDL"])
    model = find_model(administration, name)
    if model is None:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
    local = object_type(LOCAL)
    values = {keyword: value for keyword, value in model.values.items() if keyword in local}
    made = dynamic_name((DURABLE if durable else NON_DURABLE) + "*", engine.ids.number())
    if durable:
        administration.define(LOCAL, made, {**values, "DEFTYPE": MQQDT_PERMANENT_DYNAMIC})
        return administration.registry.by_name[made]
    return administration.define_temporary(made, values)


def drop_orphan(engine: Engine, administration: QueueAdministration, queue: Queue) -> None:
    """Delete the queue of a subscription that has ended, once no program has it open."""
    with administration.lock:
        if queue.deleted or queue.handles or not engine.topics.is_orphan(queue.name):
            return
        if queue.dynamic == TEMPORARY_DYNAMIC:
            administration.retire(queue)
        elif not queue.uncommitted:
            administration.delete(queue.name, purge=True)


def drop_orphans(engine: Engine, administration: QueueAdministration) -> None:
    """Delete the queues without subscription that a crash has left, when the queue manager starts."""
    for queue in list(engine.queues.by_name.values()):
        if engine.topics.is_orphan(queue.name):
            drop_orphan(engine, administration, queue)
