"""A connection of a command to a queue manager on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager

from kew.client import Connection, connect_local
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_Q_MGR_NAME_ERROR, MQRC_Q_MGR_NOT_AVAILABLE


@contextmanager
def connected(name: str, application: str) -> Iterator[Connection]:
    """Connect; what is uncommitted at the end is committed, or backed out if anything failed."""
    try:
        connection = connect_local(name, application)
    except MQError as refused:
        if refused.reason not in (MQRC_Q_MGR_NAME_ERROR, MQRC_Q_MGR_NOT_AVAILABLE):
            raise
        # Only now the parts that know queue managers from inside are worth their time to load.
        from kew.cli.process import running_process
        from kew.cli.running import not_running

        running_process(name)  # says so if there is no such queue manager
        raise not_running() from None
    with connection:
        try:
            yield connection
        except KeyboardInterrupt:
            connection.driver.close()  # a call may be under way; the queue manager backs out for a lost program
            raise
