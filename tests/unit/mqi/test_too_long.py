"""A message that is too long for those who wait goes back, and each of them is told."""

import threading

from tests.support.hosting import create, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk
from tests.support.threads import until

from kew.codes.options import MQGMO_WAIT
from kew.codes.reasons import MQRC_TRUNCATED_MSG_FAILED


def test_a_long_message_that_fits_nobody_is_offered_to_all() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    reasons: list[int] = []

    def wait() -> None:
        program, handle = opened(host)
        reasons.append(program.get(handle, MQGMO_WAIT, 60_000, buffer_length=10).reason)

    threads = [threading.Thread(target=wait) for _ in range(20)]
    for thread in threads:
        thread.start()
    waiters = host.queues.by_name[queue.name].waiters
    until(lambda: waiters.count == len(threads))
    connection.put(queue, passing(), bytes(20_000))
    for thread in threads:
        thread.join()
    assert reasons == [MQRC_TRUNCATED_MSG_FAILED] * len(threads)
    assert len(connection.get(queue).data) == 20_000
