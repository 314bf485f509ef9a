"""Scripts that connect: the addresses, or the channels of a table, are tried one after the other."""

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
APPLICATION: Final = "kew"  # application name of a program that gives none

# Gives the script of all attempts; each call makes a new one.
Making = Callable[[], Script[Established[Any]]]


class Failures:
    """The failures of the attempts so far."""

    def __init__(self, passing: frozenset[int]) -> None:
        self._passing = passing  # reason codes that the next attempt may not meet
        self._last = MQError(MQRC_HOST_NOT_AVAILABLE)

    def note(self, failure: MQError) -> None:
        """Note a failure; raise the failure if another attempt would not help."""
        if failure.reason not in self._passing:
            raise failure
        self._last = failure

    def note_at(self, host: str, port: int, problem: MQError | OSError | UnicodeError) -> None:
        """Note an address that failed."""
        if isinstance(problem, MQError):
            self.note(problem)
        else:
            self._last = unreachable(host, port, problem)

    def last(self) -> MQError:
        """Give the error to raise when there is nothing left to try."""
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
    """Add the queue manager, channel and user to an error, since a reply has only a reason code."""
    for word, value in (("qmgr", settings.queue_manager), ("channel", settings.channel), ("user", settings.user)):
        if value:
            problem.facts.setdefault(word, value)


def connecting_by_table(
    location: str, queue_manager: str, wish: Callable[[ClientChannel], ConnectSettings]
) -> Script[Established[Any]]:
    """Connect by the channels of a client channel definition table that lead to a queue manager or group, in turn.

    `wish` gives the program's own settings for a channel.
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
    """Negotiate and connect on a socket that has just been opened; the socket is closed if that fails."""
    link: Link = driver.link
    verbs = Verbs(link)
    try:
        yield Run(driver, verbs.negotiate())
        yield Run(driver, verbs.connect(queue_manager, user, password, application or APPLICATION, options))
    except BaseException:
        yield Close(driver)
        raise
    return Established(driver, verbs)
