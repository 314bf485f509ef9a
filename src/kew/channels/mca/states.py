"""The states of message channels for DISPLAY CHSTATUS: instances, channels that retry, and saved records."""

from kew.channels.control import MessageChannelState
from kew.channels.mca.definition import TYPE_CODES, MessageChannel
from kew.channels.mca.doubt import batch_of, units_in_doubt
from kew.channels.mca.instance import Instance
from kew.channels.mca.receiver import ReceivingEnd
from kew.channels.mca.receivinginstance import ReceivingInstance
from kew.channels.mca.record import SENDING, RecordOwner, SyncRecord
from kew.channels.mca.sender import SendingEnd
from kew.channels.mca.sendinginstance import Retry, SendingInstance
from kew.channels.protocol.dialect import name
from kew.channels.protocol.resync import NO_BATCH, Batch
from kew.channels.protocol.segments import NO_UNIT
from kew.codes.attributes import MQCHS_INACTIVE, MQCHS_RETRYING, MQCHS_STARTING, MQCHSSTATE_OTHER
from kew.mqi.engine import Engine


def sending_state(instance: SendingInstance) -> MessageChannelState:
    """Give the state of an instance of a sending channel."""
    end, queue, channel = instance.end, instance.queue, instance.channel
    record = end.record if end is not None else instance.record
    last = record.last if record is not None else NO_BATCH
    doubtful = end.in_doubt if end is not None else ()
    current = doubtful[-1] if doubtful else Batch(last.number, NO_UNIT)
    session = instance.session
    number = session.number if session is not None else last.number
    retry = instance.retry
    return _with_session(
        instance,
        MessageChannelState(
            name=channel.name,
            kind=channel.type_code,
            address=instance.address,
            partner=instance.partner,
            status=instance.status,
            substate=instance.substate,
            transmission_queue=channel.transmission_queue,
            stopping=instance.stopping,
            luwid=end.current_luwid if end is not None and not doubtful else current.luwid,
            messages_in_batch=sum([each.count for each in doubtful]) or (end.open_count if end is not None else 0),
            sequence=current.number if doubtful else number,
            in_doubt=bool(doubtful) or (end is not None and end.unsettled > 0),
            last_luwid=last.luwid,
            last_sequence=last.number,
            messages=end.messages if end is not None else 0,
            batches=end.batches if end is not None else 0,
            average_batch=end.batch_sum // end.batches if end is not None and end.batches else 0,
            lost=end.fast_lost if end is not None else 0,
            short_retries=retry.short if retry is not None else channel.short_retries,
            long_retries=retry.long if retry is not None else channel.long_retries,
            waiting=queue.depth if queue is not None else 0,
        ),
    )


def receiving_state(instance: ReceivingInstance) -> MessageChannelState:
    """Give the state of an instance of a receiving channel."""
    end, channel, session = instance.end, instance.channel, instance.session
    last = end.record.last if end is not None else NO_BATCH
    return _with_session(
        instance,
        MessageChannelState(
            name=channel.name,
            kind=channel.type_code,
            address=instance.address,
            partner=instance.partner,
            status=instance.status,
            substate=instance.substate,
            transmission_queue="",
            stopping=instance.stopping,
            messages_in_batch=end.in_batch if end is not None else 0,
            sequence=session.number,
            last_luwid=last.luwid,
            last_sequence=last.number,
            messages=end.messages if end is not None else 0,
            batches=end.batches if end is not None else 0,
            average_batch=end.batch_sum // end.batches if end is not None and end.batches else 0,
            user=instance.user,
        ),
    )


def _with_session(instance: Instance, state: MessageChannelState) -> MessageChannelState:
    """Add the figures of an instance's session and socket to its state."""
    session, stream = instance.said_by(), instance.stream
    more: dict[str, object] = {
        "started": instance.started,
        "last_message": instance.last_message,
        "reads": instance.reads,
        "local_address": instance.local_address,
        "keep_alive": instance.channel.keep_alive,
        "monitoring": instance.monitoring,
        "statistics": instance.statistics,
    }
    end: SendingEnd | ReceivingEnd | None = None
    if isinstance(instance, SendingInstance):
        end, monitor = instance.end, instance.monitor
        network = monitor.network
        more |= {
            "network_time": network.pair,
            "network_extremes": (int(network.least), int(network.most)),
            "queue_time": monitor.queue.pair,
            "found_empty": instance.end.found_empty if instance.end is not None else 0,
            "batch_interval": int(instance.channel.batch_interval * 1000),
            "batch_limit": instance.channel.batch_limit // 1024,
        }
    elif isinstance(instance, ReceivingInstance):
        end = instance.end
        more["put_retries"] = instance.targets.all_retries if instance.targets is not None else 0
    if end is not None:
        more |= {
            "full_batches": end.full_batches,
            "message_bytes": end.bytes_moved,
            "persistent": end.persistent,
            "persistent_bytes": end.persistent_bytes,
        }
    if session is not None:
        other = session.agreed if isinstance(instance, SendingInstance) else session.offer
        more |= {
            "bytes_received": session.bytes_received,
            "bytes_sent": session.bytes_sent,
            "heartbeat": session.heartbeat,
            "max_message": session.max_message,
            "batch_size": session.batch_size,
            "fast": session.fast,
            "product": name(other.product) if other is not None else "",
        }
        packing = session.packing
        if packing is not None:
            more |= {
                "header_compression": packing.header_method,
                "message_compression": packing.message_method,
                "saved_bytes": (packing.rate.recent_percent, packing.rate.percent),
            }
    if stream is not None:
        more["writes"] = stream.writes
        secured, renewals = stream.secured, stream.renewals
        if secured is not None:
            more |= {
                "security": secured.version,
                "cipher": secured.cipher,
                "peer": secured.peer,
                "issuer": secured.issuer,
            }
        if renewals is not None:
            more |= {"renewals": renewals.count, "renewed": renewals.last}
    return MessageChannelState(**{**state.__dict__, **more})


def retrying_state(retry: Retry) -> MessageChannelState:
    """Give the state of a sending channel that retries."""
    channel = retry.channel
    return MessageChannelState(
        name=channel.name,
        kind=channel.type_code,
        address=channel.connection_name,
        partner="",
        status=MQCHS_RETRYING,
        substate=MQCHSSTATE_OTHER,
        transmission_queue=channel.transmission_queue,
        stopping=False,
        short_retries=retry.short,
        long_retries=retry.long,
        started=retry.started,
    )


def starting_state(channel: MessageChannel) -> MessageChannelState:
    """Give the state of a sending channel that waits for the limit on active channels."""
    return MessageChannelState(
        name=channel.name,
        kind=channel.type_code,
        address=channel.connection_name,
        partner="",
        status=MQCHS_STARTING,
        substate=MQCHSSTATE_OTHER,
        transmission_queue=channel.transmission_queue,
        stopping=False,
        short_retries=channel.short_retries,
        long_retries=channel.long_retries,
    )


def saved_state(
    engine: Engine, owner: RecordOwner, record: SyncRecord, channel: MessageChannel | None
) -> MessageChannelState:
    """Give the state in the synchronisation record of one end of a channel."""
    sends = owner.kind == SENDING
    doubtful: list[Batch] = []
    if sends:
        with engine.lock:
            doubtful = [batch_of(unit) for unit in units_in_doubt(engine, owner.key)]
    current = doubtful[-1] if doubtful else record.last
    return MessageChannelState(
        name=owner.channel,
        kind=channel.type_code if channel is not None else TYPE_CODES["SDR" if sends else "RCVR"],
        address=channel.connection_name if channel is not None and sends else "",
        partner=owner.partner,
        status=MQCHS_INACTIVE,
        substate=MQCHSSTATE_OTHER,
        transmission_queue=owner.other if sends else "",
        stopping=False,
        saved=True,
        luwid=current.luwid if doubtful else NO_UNIT,
        messages_in_batch=sum([each.count for each in doubtful]),
        sequence=current.number,
        in_doubt=bool(doubtful),
        last_luwid=record.last.luwid,
        last_sequence=record.last.number,
    )
