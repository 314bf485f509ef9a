"""The SVRCONN channels of a queue manager, their instances, and the limits on instances.

The limits are checked twice: before the user is known, so that a full channel asks for no password, and on admission,
when the connection is counted. A pending connection is not counted, so pending connections cannot use up the limits.
"""

from collections.abc import Callable
from typing import Final

from kew.accounting.events import text
from kew.channels.agents.settings import ChannelSettings
from kew.channels.protocol.negotiate import MAX_MESSAGE, Terms
from kew.channels.protocol.status import (
    CHANNEL_UNAVAILABLE,
    CHANNEL_WRONG_TYPE,
    CIPHER_SPEC_MISMATCH,
    CLIENT_CERTIFICATE_MISSING,
    NO_CHANNEL,
    PEER_NAME_MISMATCH,
)
from kew.channels.transport.tcp import CLOSED_THERE
from kew.channels.transport.tls import Secured
from kew.codes.attributes import (
    MQCACH_SSL_HANDSHAKE_STAGE,
    MQCACH_SSL_PEER_NAME,
    MQRQ_CLIENT_INST_LIMIT,
    MQRQ_MAX_ACTIVE_CHANNELS,
    MQRQ_SSL_CIPHER_SPEC_ERROR,
    MQRQ_SSL_CLIENT_AUTH_ERROR,
    MQRQ_SSL_HANDSHAKE_ERROR,
    MQRQ_SSL_PEER_NAME_ERROR,
    MQRQ_SVRCONN_INST_LIMIT,
)
from kew.codes.channels import (
    MQCOMPRESS_ANY,
    MQCOMPRESS_LZ4FAST,
    MQCOMPRESS_LZ4HIGH,
    MQCOMPRESS_NONE,
    MQCOMPRESS_RLE,
    MQCOMPRESS_ZLIBFAST,
    MQCOMPRESS_ZLIBHIGH,
    MQKAI_AUTO,
    MQSCA_REQUIRED,
)
from kew.codes.messages import Notices
from kew.codes.reasons import MQRC_CHANNEL_NOT_AVAILABLE, MQRC_CHANNEL_SSL_ERROR
from kew.formats.distinguishedname import BadName
from kew.mqi.engine import Engine
from kew.objects.catalogue import Record
from kew.objects.schema import object_type
from kew.security.peernames import PeerPattern

FAMILY: Final = "CHANNEL"
# Words in OpenSSL's reason for a failed handshake that blame a certificate.
CERTIFICATE_WORDS: Final = ("certificate", "unknown ca")
CLIENT_TYPE: Final = "SVRCONN"
# Without TLS a password comes in clear, which IBM's clients send only to a partner too old to ask for better.
PLAIN_LEVEL: Final = 12
BEYOND_HEARTBEAT: Final = 60  # seconds after the heartbeat that did not come, with KAINT(AUTO)
_ALL_COMPRESSIONS: Final = [
    MQCOMPRESS_NONE,
    MQCOMPRESS_RLE,
    MQCOMPRESS_ZLIBFAST,
    MQCOMPRESS_ZLIBHIGH,
    MQCOMPRESS_LZ4FAST,
    MQCOMPRESS_LZ4HIGH,
]


# The reason qualifier of the channel event for each refusal for lack of security.
TLS_QUALIFIERS: Final = {
    CIPHER_SPEC_MISMATCH: MQRQ_SSL_CIPHER_SPEC_ERROR,
    CLIENT_CERTIFICATE_MISSING: MQRQ_SSL_CLIENT_AUTH_ERROR,
    PEER_NAME_MISMATCH: MQRQ_SSL_PEER_NAME_ERROR,
}


class Secure:
    """The security that a channel definition requires of a socket: CipherSpec, certificate and peer name."""

    def __init__(self, record: Record) -> None:
        values = {**object_type(record.kind).defaults, **record.values}
        self.name = record.name
        self.cipher = str(values["SSLCIPH"])
        self.certificate_needed = values.get("SSLCAUTH", MQSCA_REQUIRED) == MQSCA_REQUIRED
        self.peer = str(values["SSLPEER"])


class Channel(Secure):
    """A server-connection channel as it is defined when a client connects."""

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        values = {**object_type(CLIENT_TYPE).defaults, **record.values}

        def number(keyword: str) -> int:
            value = values[keyword]
            return value if isinstance(value, int) else 0

        def numbers(keyword: str) -> list[int]:
            value = values[keyword]
            return [each for each in value if isinstance(each, int)] if isinstance(value, tuple) else []

        self.most = number("MAXINST")
        self.most_from_one = number("MAXINSTC")
        self.longest_message = number("MAXMSGL") or MAX_MESSAGE
        self.heartbeat = number("HBINT")
        self.idle_limit = number("DISCINT")
        self.conversations = number("SHARECNV")
        self.keep_alive = number("KAINT")  # as it is defined
        self.header_compression = numbers("COMPHDR")
        self.message_compression = numbers("COMPMSG")
        self.user = str(values["MCAUSER"])

    def probes_after(self, heartbeat: int) -> int:
        """Give the seconds of silence after which TCP probes the other side (KAINT); 0 for never."""
        if self.keep_alive != MQKAI_AUTO:
            return self.keep_alive
        return heartbeat + BEYOND_HEARTBEAT if heartbeat else 0


def _nothing() -> None:
    """Do nothing."""


def _fits(pattern: str, peer: str) -> bool:
    try:
        return PeerPattern(pattern).matches(peer)
    except BadName:
        return False  # commands no longer accept such a pattern


class Channels:
    """The channels of a queue manager and the number of instances of each."""

    def __init__(
        self,
        engine: Engine,
        identifier: str,
        settings: ChannelSettings,
        notices: Notices,
        on_freed: Callable[[], None] = _nothing,
    ) -> None:
        self._engine = engine
        self._notices = notices
        self._identifier = identifier
        self.settings = settings
        self._in: dict[str, int] = {}
        self._from: dict[tuple[str, str], int] = {}
        self._total = 0
        self._peak = 0
        self.stopped: set[str] = set()
        self._on_freed = on_freed  # called when a place of a channel is free again

    @property
    def keep_alive(self) -> bool:
        """True if TCP probes silent partners; otherwise KAINT has no effect."""
        return self.settings.keep_alive

    @property
    def _most(self) -> int:
        return self.settings.most_active

    def find(self, name: str) -> Record | None:
        """Give the definition of a channel of any type but CLNTCONN."""
        return self._engine.catalogue.records.get((FAMILY, name))

    def ask_for(self, name: str, address: str) -> tuple[Channel | None, int]:
        """Give the channel that a client names, or the status code of a refusal; the user is not yet authenticated."""
        record = self.find(name)
        if record is None:
            self._notices.tell("AMQ9519E", (), (name, address))
            return None, NO_CHANNEL
        if record.kind != CLIENT_TYPE:
            self._notices.tell("AMQ9502E", (), (name, address))
            return None, CHANNEL_WRONG_TYPE
        if name in self.stopped:
            self._notices.tell("AMQ9534E", (), (name, address))
            return None, CHANNEL_UNAVAILABLE
        channel = Channel(record)
        refusal = self._room(channel, address)
        return (None, refusal) if refusal else (channel, 0)

    def ask_for_message_channel(self, name: str, address: str) -> tuple[Record | None, int]:
        """Give the message channel that a partner names, or the status code of a refusal."""
        record = self.find(name)
        if record is None:
            self._notices.tell("AMQ9519E", (), (name, address))
            return None, NO_CHANNEL
        if record.kind == CLIENT_TYPE:
            self._notices.tell("AMQ9547E", (), (name, address, record.kind))
            return None, CHANNEL_WRONG_TYPE
        if name in self.stopped:
            self._notices.tell("AMQ9534E", (), (name, address))
            return None, CHANNEL_UNAVAILABLE
        if self._total >= self._most:
            return None, self._full(name, address, MQRQ_MAX_ACTIVE_CHANNELS, "AMQ9513E", self._most)
        return record, 0

    def enter(self, channel: Channel, address: str) -> int:
        """Count an admitted connection on its channel; gives the status code of a refusal, 0 for none."""
        refusal = self._room(channel, address)
        if not refusal:
            name = channel.name
            self._in[name] = self._in.get(name, 0) + 1
            self._from[name, address] = self._from.get((name, address), 0) + 1
            self._total += 1
            self._peak = max(self._peak, self._total)
        return refusal

    def _room(self, channel: Channel, address: str) -> int:
        """Check the limits for one more instance; gives the status code of a refusal, 0 for none."""
        name = channel.name
        if self._total >= self._most:
            return self._full(name, address, MQRQ_MAX_ACTIVE_CHANNELS, "AMQ9513E", self._most)
        if self._in.get(name, 0) >= channel.most:
            return self._full(name, address, MQRQ_SVRCONN_INST_LIMIT, "AMQ9489E", channel.most)
        if self._from.get((name, address), 0) >= channel.most_from_one:
            return self._full(name, address, MQRQ_CLIENT_INST_LIMIT, "AMQ9490E", channel.most_from_one)
        return 0

    def _full(self, name: str, address: str, qualifier: int, message: str, limit: int) -> int:
        self._notices.tell(message, (limit,), (name, address))
        self._engine.events.channel(MQRC_CHANNEL_NOT_AVAILABLE, name, qualifier, address)
        return CHANNEL_UNAVAILABLE

    @property
    def total(self) -> int:
        """The number of channel instances."""
        return self._total

    def joined(self) -> None:
        """Count an instance of a message channel."""
        self._total += 1
        self._peak = max(self._peak, self._total)

    def left(self) -> None:
        """Count an instance of a message channel as ended."""
        self._total -= 1
        self._on_freed()

    def take_peak(self) -> int:
        """Give the largest number of instances at once since the last call."""
        peak, self._peak = self._peak, self._total
        return peak

    def leave(self, name: str, address: str) -> None:
        """Count a connection as ended."""
        self._total -= 1
        self._in[name] -= 1
        self._from[name, address] -= 1
        if not self._from[name, address]:
            del self._from[name, address]
        if not self._in[name]:
            del self._in[name]
        self._on_freed()

    def refusal(self, channel: Secure, address: str, secured: Secured | None) -> int:
        """Give the status code that refuses a socket whose security does not fit the channel; 0 where it fits."""
        code = self._shortcoming(channel, secured)
        if code:
            self._tell_shortcoming(code, channel, address, secured)
            peer = [text(MQCACH_SSL_PEER_NAME, secured.peer, 0)] if secured is not None and secured.peer else []
            self._engine.events.channel(MQRC_CHANNEL_SSL_ERROR, channel.name, TLS_QUALIFIERS[code], address, more=peer)
        return code

    def failed_handshake(self, address: str, why: str) -> None:
        """Report a TLS handshake that failed before a channel was named."""
        if why == CLOSED_THERE:
            self._notices.tell("AMQ9665E", (), (address,))
        else:
            blamed = [word for word in CERTIFICATE_WORDS if word in why.lower()]
            self._notices.tell("AMQ9633E" if blamed else "AMQ9620E", (), (address, why))
        stage = text(MQCACH_SSL_HANDSHAKE_STAGE, why[:32], 32)
        self._engine.events.channel(MQRC_CHANNEL_SSL_ERROR, "", MQRQ_SSL_HANDSHAKE_ERROR, address, more=[stage])

    def _tell_shortcoming(self, code: int, channel: Secure, address: str, secured: Secured | None) -> None:
        if secured is None:
            self._notices.tell("AMQ9639E", (), (channel.name, address))
        elif code == CLIENT_CERTIFICATE_MISSING:
            self._notices.tell("AMQ9637E", (), (channel.name, address))
        elif code == PEER_NAME_MISMATCH:
            self._notices.tell("AMQ9636E", (), (channel.name, address, secured.peer, channel.peer))
        elif channel.cipher:
            self._notices.tell("AMQ9631E", (), (channel.name, address, secured.cipher, channel.cipher))
        else:
            self._notices.tell("AMQ9635E", (), (channel.name, address, secured.cipher))

    def spoke_wrongly(self, name: str, address: str, why: str) -> None:
        """Report a partner that broke the protocol."""
        self._notices.tell("AMQ9207E", (), (address, name, why))

    def crowded_out(self, address: str, most: int) -> None:
        """Report a pending connection that was dropped because there were too many."""
        self._notices.tell("CSQX902W", (most,), (address,))

    def held_up(self, name: str, address: str, size: int, seconds: int) -> None:
        """Report a socket that was ended because it held memory and transferred nothing."""
        self._notices.tell("CSQX905W", (size, seconds), (address, name))

    def vanished(self, name: str, address: str) -> None:
        """Report a program that has gone without disconnecting."""
        self._notices.tell("AMQ9209E", (), (address, name))

    def fell_silent(self, name: str, address: str, what: str) -> None:
        """Report a program that sent nothing in time."""
        self._notices.tell("AMQ9271E", (), (address, name, what))

    def _shortcoming(self, channel: Secure, secured: Secured | None) -> int:
        if secured is None:
            return CIPHER_SPEC_MISMATCH if channel.cipher else 0
        if not secured.meets(channel.cipher):
            return CIPHER_SPEC_MISMATCH
        if channel.certificate_needed and not secured.peer:
            return CLIENT_CERTIFICATE_MISSING
        return 0 if _fits(channel.peer, secured.peer) else PEER_NAME_MISMATCH

    def terms(self, channel: Channel, secure: bool) -> Terms:
        """Give the limits and options that this side grants on a channel."""
        terms = self.local_terms()
        terms.max_message = min(channel.longest_message, self._engine.max_message_length)
        terms.heartbeat = channel.heartbeat
        terms.conversations = channel.conversations
        terms.header_compression = channel.header_compression
        terms.message_compression = (
            _ALL_COMPRESSIONS if MQCOMPRESS_ANY in channel.message_compression else channel.message_compression
        )
        if not secure:
            terms.fap_level = PLAIN_LEVEL
        return terms

    def local_terms(self) -> Terms:
        """Give the limits and options that a program on this machine is granted."""
        terms = Terms(self._engine.name, self._identifier)
        terms.max_message = self._engine.max_message_length
        return terms
