"""A policy: how the messages of one queue are signed and encrypted, and the form in which a client receives it.

    offset 0 'KPOL'   4 u16 version 1   6 u16 signature algorithm   8 u16 encryption algorithm   10 u16 1 if unprotected
           messages are tolerated   12 i32 key reuse   16 u16 number of signers   18 u16 number of recipients
          20 48 characters: the name of the policy, with blanks   68 the signers, then the recipients, each: u16 length
           and that many bytes of UTF-8

All numbers are big-endian. Algorithms are MQ's MQMLP_SIGN_ALG_* and MQMLP_ENCRYPTION_ALG_*. Key reuse is the number of
messages that one content key protects: 0 for a new key for each message, -1 for any number.
"""

from collections.abc import Mapping
from struct import Struct
from typing import Final

from kew.codes.attributes import (
    MQMLP_ENCRYPTION_ALG_AES128,
    MQMLP_ENCRYPTION_ALG_AES256,
    MQMLP_ENCRYPTION_ALG_NONE,
    MQMLP_SIGN_ALG_NONE,
    MQMLP_SIGN_ALG_SHA256,
    MQMLP_SIGN_ALG_SHA384,
    MQMLP_SIGN_ALG_SHA512,
)
from kew.formats.binary import FormatError

VERSION: Final = 1
INTEGRITY: Final = 1
PRIVACY: Final = 2
CONFIDENTIALITY: Final = 3
QUALITIES: Final = {INTEGRITY: "INTEGRITY", PRIVACY: "PRIVACY", CONFIDENTIALITY: "CONFIDENTIALITY"}
MOST_NAMES: Final = 64
LONGEST_NAME: Final = 4096  # bytes
UNLIMITED: Final = -1

DIGESTS: Final = {MQMLP_SIGN_ALG_SHA256: "SHA256", MQMLP_SIGN_ALG_SHA384: "SHA384", MQMLP_SIGN_ALG_SHA512: "SHA512"}
KEY_SIZES: Final = {MQMLP_ENCRYPTION_ALG_AES128: 16, MQMLP_ENCRYPTION_ALG_AES256: 32}
DIGEST_SIZES: Final = {MQMLP_SIGN_ALG_SHA256: 32, MQMLP_SIGN_ALG_SHA384: 48, MQMLP_SIGN_ALG_SHA512: 64}

_EYE: Final = b"KPOL"
_HEAD: Final = Struct(">4sHHHHiHH48s")
_LENGTH: Final = Struct(">H")


class Policy:
    """A message protection policy."""

    def __init__(
        self,
        name: str,
        signature: int = MQMLP_SIGN_ALG_NONE,
        encryption: int = MQMLP_ENCRYPTION_ALG_NONE,
        signers: tuple[str, ...] = (),
        recipients: tuple[str, ...] = (),
        tolerates: bool = False,
        key_reuse: int = 0,
    ) -> None:
        self.name = name
        self.signature = signature
        self.encryption = encryption
        self.signers = signers
        self.recipients = recipients
        self.tolerates = tolerates
        self.key_reuse = key_reuse

    @property
    def signs(self) -> bool:
        """True if messages are signed."""
        return self.signature != MQMLP_SIGN_ALG_NONE

    @property
    def encrypts(self) -> bool:
        """True if messages are encrypted."""
        return self.encryption != MQMLP_ENCRYPTION_ALG_NONE

    @property
    def quality(self) -> int:
        """The quality of protection: INTEGRITY, PRIVACY or CONFIDENTIALITY."""
        if not self.encrypts:
            return INTEGRITY
        return PRIVACY if self.signs else CONFIDENTIALITY


def from_values(name: str, values: Mapping[str, object]) -> Policy:
    """Make the policy that an object POLICY defines."""
    return Policy(
        name,
        _number(values["SIGNALG"]),
        _number(values["ENCALG"]),
        _texts(values["SIGNER"]),
        _texts(values["RECIP"]),
        _number(values["TOLERATE"]) != 0,
        _number(values["KEYREUSE"]),
    )


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple([str(each) for each in value]) if isinstance(value, tuple) else ()


def encode(policy: Policy) -> bytes:
    """Encode a policy for a client."""
    names = [each.encode() for each in (*policy.signers, *policy.recipients)]
    head = _HEAD.pack(
        _EYE,
        VERSION,
        policy.signature,
        policy.encryption,
        int(policy.tolerates),
        policy.key_reuse,
        len(policy.signers),
        len(policy.recipients),
        policy.name.encode("latin-1", "replace").ljust(48),
    )
    return b"".join([head, *[part for each in names for part in (_LENGTH.pack(len(each)), each)]])


def decode(data: bytes) -> Policy:
    """Read the form in which a queue manager sends a policy; raises FormatError if it is not valid."""
    if len(data) < _HEAD.size:
        raise FormatError("policy", 0, f"expected at least {_HEAD.size} bytes, found {len(data)}")
    eye, version, signature, encryption, tolerates, reuse, signers, recipients, name = _HEAD.unpack_from(data)
    if eye != _EYE or version != VERSION:
        raise FormatError("policy", 0, f"expected KPOL version {VERSION}, found {eye!r} version {version}")
    if signature not in (MQMLP_SIGN_ALG_NONE, *DIGESTS) or encryption not in (MQMLP_ENCRYPTION_ALG_NONE, *KEY_SIZES):
        raise FormatError("policy", 6, f"the algorithms {signature} and {encryption} are not known")
    if tolerates > 1 or reuse < UNLIMITED or max(signers, recipients) > MOST_NAMES:
        raise FormatError("policy", 10, "a field is out of its range")
    if not signature and not encryption:
        raise FormatError("policy", 6, "the policy neither signs nor encrypts")
    names: list[str] = []
    place = _HEAD.size
    for _ in range(signers + recipients):
        if place + 2 > len(data):
            raise FormatError("policy", place, "a name is missing")
        (length,) = _LENGTH.unpack_from(data, place)
        text = data[place + 2 : place + 2 + length]
        if len(text) != length or length > LONGEST_NAME:
            raise FormatError("policy", place, f"the length {length} of a name does not fit")
        try:
            names.append(text.decode())
        except UnicodeDecodeError as problem:
            raise FormatError("policy", place + 2, "a name is not UTF-8") from problem
        place += 2 + length
    if place != len(data):
        raise FormatError("policy", place, f"{len(data) - place} bytes follow the last name")
    return Policy(
        name.decode("latin-1").rstrip(),
        signature,
        encryption,
        tuple(names[:signers]),
        tuple(names[signers:]),
        tolerates == 1,
        reuse,
    )
