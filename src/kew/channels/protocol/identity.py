"""The identity of a client: USERID_DATA and CONAUTH_INFO.

UID   0 "UID "  4 c12 user  16 c12 password  28 c64 long user  92 u1 SID length  93 u1 SID type  94 b38 SID
CAUT  0 "CAUT"  4 i4 type   8 i4 longest user  12 i4 longest password  16 i4 user length  20 i4 password length
      at level 17: 24 i4 longest token  28 i4 token length; then user, password, token, zeros to a multiple of 4
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect, Ranges, need, padded, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import CONAUTH_INFO, USERID_DATA
from kew.channels.protocol.status import LENGTH_ERROR

AUTHENTICATE_NONE: Final = 0
AUTHENTICATE_PASSWORD: Final = 1
AUTHENTICATE_TOKEN: Final = 2

MAX_CREDENTIAL: Final = 16384

_UID_SHORT: Final = 28
_UID_LONG: Final = 132
_UID: Final = pair("4s12s12s64sBB38s")
_UID_TEXT: Final[Ranges] = ((0, 92),)
_CAUT: Final = pair("4siiiii")
_CAUT_TEXT: Final[Ranges] = ((0, 4),)
_TOKENS: Final = pair("ii")


class UserId(Event):
    """USERID_DATA: the operating-system user of the client's process; it has no reply."""

    def __init__(self, user: bytes = b"", long_user: bytes = b"") -> None:
        super().__init__(USERID_DATA)
        self.user = padded(user, 12)
        self.password: bytes = b" " * 12
        self.long_user = padded(long_user or user, 64)
        self.sid_length: int = 0
        self.sid_type: int = 0
        self.sid: bytes = bytes(38)
        self.short: bool = False

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure; its short form ends with the password."""
        out = _UID[dialect.order].pack(
            b"UID ", self.user, self.password, self.long_user, self.sid_length, self.sid_type, self.sid
        )
        out = dialect.native(out, _UID_TEXT)
        return out[:_UID_SHORT] if self.short else out


def decode_user_id(data: bytes, offset: int, end: int, dialect: Dialect) -> UserId:
    """Read USERID_DATA in its long or its short form."""
    size = end - offset
    if size != _UID_LONG and size != _UID_SHORT:
        raise ProtocolError(offset, "28 or 132 bytes of user id data", size, LENGTH_ERROR)
    structure = data[offset:end].ljust(_UID_LONG, b"\0")
    if dialect.ebcdic:
        structure = dialect.latin(structure, 0, _UID_LONG, _UID_TEXT)
    uid = UserId()
    eye, uid.user, uid.password, uid.long_user, uid.sid_length, uid.sid_type, uid.sid = _UID[dialect.order].unpack_from(
        structure, 0
    )
    if eye != b"UID ":
        raise ProtocolError(offset, "structure b'UID '", eye)
    if uid.sid_length > 38:
        raise ProtocolError(offset + 92, "a SID of at most 38 bytes", uid.sid_length, LENGTH_ERROR)
    uid.short = size == _UID_SHORT
    return uid


class Credentials(Event):
    """CONAUTH_INFO: user and password of MQCSP. Acknowledged at once, checked when MQCONN comes."""

    def __init__(self, user: bytes = b"", password: bytes = b"", token: bytes = b"") -> None:
        super().__init__(CONAUTH_INFO)
        self.authentication: int = AUTHENTICATE_TOKEN if token else AUTHENTICATE_PASSWORD
        self.user = user
        self.password = password
        self.token = token
        self.max_user: int = len(user)
        self.max_password: int = len(password)
        self.max_token: int = len(token)
        self.short: bool = False  # without the token words, below level 17
        self.filled: bool = True  # up to a multiple of 4, as on a shared socket; not so on one that is not shared

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the lengths, then the texts, padded with zeros to a multiple of 4."""
        head = _CAUT[dialect.order].pack(
            b"CAUT", self.authentication, self.max_user, self.max_password, len(self.user), len(self.password)
        )
        out = dialect.native(head, _CAUT_TEXT)
        if not self.short:
            out += _TOKENS[dialect.order].pack(self.max_token, len(self.token))
        texts = dialect.text_out(self.user) + dialect.text_out(self.password) + self.token
        return out + texts + bytes(-len(texts) & 3) if self.filled else out + texts


def decode_credentials(data: bytes, offset: int, end: int, dialect: Dialect) -> Credentials:
    """Read CONAUTH_INFO; its length decides whether it has the two token words."""
    start = offset
    need(offset, 24, end, "CAUT")
    eye, authentication, max_user, max_password, user_length, password_length = _CAUT[dialect.order].unpack_from(
        data, offset
    )
    if dialect.text_in(eye) != b"CAUT":
        raise ProtocolError(offset, "structure b'CAUT'", eye)
    if authentication < AUTHENTICATE_NONE or authentication > AUTHENTICATE_TOKEN:
        raise ProtocolError(offset + 4, "an authentication type of 0 to 2", authentication)
    if user_length < 0 or user_length > MAX_CREDENTIAL or password_length < 0 or password_length > MAX_CREDENTIAL:
        raise ProtocolError(offset + 16, f"lengths of 0 to {MAX_CREDENTIAL}", (user_length, password_length))
    credentials = Credentials()
    credentials.authentication = authentication
    credentials.max_user = max_user
    credentials.max_password = max_password
    texts = user_length + password_length
    credentials.short = texts <= end - start - 24 <= texts + 3
    offset += 24
    token_length = 0
    if not credentials.short:
        need(offset, 8, end, "the token lengths")
        credentials.max_token, token_length = _TOKENS[dialect.order].unpack_from(data, offset)
        if token_length < 0 or token_length > MAX_CREDENTIAL:
            raise ProtocolError(offset + 4, f"a token length of 0 to {MAX_CREDENTIAL}", token_length)
        offset += 8
    size = texts + token_length
    if not size <= end - offset <= size + 3:
        raise ProtocolError(offset, f"{size} bytes of credentials", end - offset, LENGTH_ERROR)
    credentials.filled = end - offset > size or size & 3 == 0
    credentials.user = dialect.text_in(data[offset : offset + user_length])
    offset += user_length
    credentials.password = dialect.text_in(data[offset : offset + password_length])
    offset += password_length
    credentials.token = data[offset : offset + token_length]
    return credentials
