"""The ways to a queue manager, tried one after the other, as scripts for either kind of client."""

from collections.abc import Callable
from typing import Any, Final

from kew.client.channeltable import ClientChannel, channels_to, load_table
from kew.client.connectsettings import TRANSIENT, ConnectSettings, unreachable
from kew.client.effects import Close, Dial, Established, Look, Run, Script
from kew.client.link import Link
from kew.client.verbs import Verbs
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_HOST_NOT_AVAILABLE, MQRC_Q_MGR_NAME_ERROR, MQRC_SSL_INITIALIZATION_ERROR

AT_ANOTHER_ADDRESS: Final = TRANSIENT | {MQRC_SSL_INITIALIZATION_ERROR}
BY_ANOTHER_CHANNEL: Final = TRANSIENT | {MQRC_Q_MGR_NAME_ERROR}
APPLICATION: Final = "kew"  # what a program is called that does not say

# Makes the connection anew each time it is called: the script of all its attempts.
Making = Callable[[], Script[Established[Any]]]


class Failures:
    """What has gone wrong so far."""

    def __init__(self, passing: frozenset[int]) -> None:
        self._passing = passing  # reasons that may be over at the next attempt
        self._last = MQError(MQRC_HOST_NOT_AVAILABLE)

    def note(self, failure: MQError) -> None:
        """Take note of a failure; raise it where another attempt would not help."""
        if failure.reason not in self._passing:
            raise failure
        self._last = failure

    def note_at(self, host: str, port: int, problem: MQError | OSError | UnicodeError) -> None:
        """Take note of an address that did not do."""
        if isinstance(problem, MQError):
            self.note(problem)
        else:
            self._last = unreachable(host, port, problem)

    def last(self) -> MQError:
        """Give what to raise when there is nothing left to try."""
        return self._last


def connecting(settings: ConnectSettings) -> Script[Established[Any]]:
    """Connect, trying the addresses of the connection name in turn."""
    failures = Failures(AT_ANOTHER_ADDRESS)
    for host, port in settings.addresses():
        try:
            driver = yield Dial(settings, host, port)
            return (
                yield from joining(
                    driver,
                    settings.queue_manager,
                    settings.user,
                    settings.password,
                    settings.application,
                    settings.told,
                )
            )
        except (MQError, OSError, UnicodeError) as problem:
            if isinstance(problem, MQError):
                _name(problem, settings)
            failures.note_at(host, port, problem)
    raise failures.last()


def _name(problem: MQError, settings: ConnectSettings) -> None:
    """Let a failed attempt say of what it is: a reason code comes over the wire without names."""
    for word, value in (("qmgr", settings.queue_manager), ("channel", settings.channel), ("user", settings.user)):
        if value:
            problem.facts.setdefault(word, value)


def connecting_by_table(
    location: str, queue_manager: str, wish: Callable[[ClientChannel], ConnectSettings]
) -> Script[Established[Any]]:
    """Connect by the channels that a client channel definition table has to a queue manager or group, in turn.

    `wish` gives what the program says besides the channel.
    """
    failures = Failures(BY_ANOTHER_CHANNEL)
    channels: list[ClientChannel] = yield Look(lambda: channels_to(load_table(location), queue_manager))
    for channel in channels:
        try:
            return (yield from connecting(channel.settings(wish(channel))))
        except MQError as error:
            failures.note(error)
    raise failures.last()


def joining(
    driver: Any, queue_manager: str, user: str | None, password: str | None, application: str, options: int
) -> Script[Established[Any]]:
    """Negotiate and connect on a socket that has just been opened; it is closed where that fails."""
    link: Link = driver.link
    verbs = Verbs(link)
    try:
        yield Run(driver, verbs.negotiate())
        yield Run(driver, verbs.connect(queue_manager, user, password, application or APPLICATION, options))
    except BaseException:
        yield Close(driver)
        raise
    return Established(driver, verbs)
