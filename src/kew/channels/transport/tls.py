"""TLS: the CipherSpecs, the queue manager's keys, and the outcome of a handshake.

The key repository (SSLKEYR) is named without its suffix: NAME.pem holds the certificate, its certification path, and
the private key; NAME.ca.pem, where it exists, holds the authorities whose client certificates are trusted.
"""

import os
import ssl
from typing import Final

from kew.channels.transport import openssl

TLS12: Final = "TLSv1.2"
TLS13: Final = "TLSv1.3"

# A CipherSpec as channels name it, and OpenSSL's name of it. Those with CCM are off in OpenSSL until they are chosen
# (`openssl.py`); the short tag of CCM_8 is below what its security level 1 allows.
CIPHER_SPECS: Final[dict[str, str]] = {
    "ECDHE_ECDSA_AES_128_CBC_SHA256": "ECDHE-ECDSA-AES128-SHA256",
    "ECDHE_ECDSA_AES_128_GCM_SHA256": "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE_ECDSA_AES_256_CBC_SHA384": "ECDHE-ECDSA-AES256-SHA384",
    "ECDHE_ECDSA_AES_256_GCM_SHA384": "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE_RSA_AES_128_CBC_SHA256": "ECDHE-RSA-AES128-SHA256",
    "ECDHE_RSA_AES_128_GCM_SHA256": "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE_RSA_AES_256_CBC_SHA384": "ECDHE-RSA-AES256-SHA384",
    "ECDHE_RSA_AES_256_GCM_SHA384": "ECDHE-RSA-AES256-GCM-SHA384",
    "TLS_AES_128_CCM_8_SHA256": "TLS_AES_128_CCM_8_SHA256",
    "TLS_AES_128_CCM_SHA256": "TLS_AES_128_CCM_SHA256",
    "TLS_AES_128_GCM_SHA256": "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384": "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256": "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_RSA_WITH_AES_128_CBC_SHA256": "AES128-SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256": "AES128-GCM-SHA256",
    "TLS_RSA_WITH_AES_256_CBC_SHA256": "AES256-SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384": "AES256-GCM-SHA384",
}
# Names that leave the choice to the two sides, by the versions they allow.
ANY: Final[dict[str, tuple[str, ...]]] = {
    "ANY": (TLS12, TLS13),
    "ANY_TLS12": (TLS12,),
    "ANY_TLS12_OR_HIGHER": (TLS12, TLS13),
    "ANY_TLS13": (TLS13,),
    "ANY_TLS13_OR_HIGHER": (TLS13,),
}
LONGEST_LABEL: Final = 63  # longest label of a host name
_VERSIONS: Final = {TLS12: ssl.TLSVersion.TLSv1_2, TLS13: ssl.TLSVersion.TLSv1_3}
NAMES: Final = {ours: name for name, ours in CIPHER_SPECS.items()}
# The suites of TLS 1.3 in the order in which they are preferred, and the suites outside FIPS 140.
SUITES: Final = (
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_128_CCM_SHA256",
    "TLS_AES_128_CCM_8_SHA256",
)
NOT_FIPS: Final = frozenset({"TLS_CHACHA20_POLY1305_SHA256"})
_SHORT: Final = {
    "commonName": "CN",
    "organizationalUnitName": "OU",
    "organizationName": "O",
    "localityName": "L",
    "stateOrProvinceName": "ST",
    "countryName": "C",
    "emailAddress": "E",
    "domainComponent": "DC",
    "serialNumber": "SERIALNUMBER",
    "userId": "UID",
    "title": "T",
    "streetAddress": "STREET",
    "postalCode": "PC",
}


class KeyProblem(Exception):
    """An unusable key repository; the text is the reason."""


class Secured:
    """The outcome of a TLS handshake: CipherSpec and certificate."""

    def __init__(self, version: str, cipher: str, peer: str, issuer: str) -> None:
        self.version = version
        self.cipher = cipher  # the CipherSpec, or OpenSSL's name where there is none
        self.peer = peer  # distinguished name of the client's certificate; blank without one
        self.issuer = issuer

    def meets(self, wanted: str) -> bool:
        """Say whether the handshake meets a channel's SSLCIPH."""
        versions = ANY.get(wanted)
        return self.version in versions if versions is not None else self.cipher == wanted


def server_context(repository: str, password: str = "", fips: bool = False) -> ssl.SSLContext:
    """Make the TLS context of the queue manager from its key repository; the password is for an encrypted key.

    A password is always passed, if need be an empty one: otherwise OpenSSL would prompt for it at the terminal and
    wait. With SSLFIPS(YES) only the algorithms of FIPS 140 are offered.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= openssl.ALLOW_CLIENT_RENEGOTIATION  # the way clients renew keys of TLS 1.2; `tcp.py` limits it
    offered = [name for name in CIPHER_SPECS.values() if not name.startswith("TLS_")]
    context.set_ciphers(":".join(sorted(offered, key=_preference)))
    openssl.choose_suites(context, [name for name in SUITES if not (fips and name in NOT_FIPS)])
    try:
        context.load_cert_chain(repository + ".pem", password=password)
        authorities = repository + ".ca.pem"
        if os.path.exists(authorities):
            context.load_verify_locations(authorities)
            # A channel with SSLCAUTH(REQUIRED) checks for the certificate itself.
            context.verify_mode = ssl.CERT_OPTIONAL
    except (OSError, ssl.SSLError) as problem:
        raise KeyProblem(f"{repository}.pem: {problem}") from problem
    return context


def caller_context(repository: str, password: str, cipher_spec: str, fips: bool = False) -> ssl.SSLContext:
    """Make the TLS context of a sending channel: one CipherSpec, and the keys of the queue manager.

    The partner's certificate must be issued by an authority that the repository trusts; its host name is not checked.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    if fips and cipher_spec in NOT_FIPS:
        raise KeyProblem(f"CipherSpec {cipher_spec} is not one of FIPS 140")
    choose(context, cipher_spec)
    if fips and cipher_spec in ANY:
        openssl.choose_suites(context, [name for name in SUITES if name not in NOT_FIPS])
    authorities = repository + ".ca.pem"
    try:
        context.load_cert_chain(repository + ".pem", password=password)
        context.load_verify_locations(authorities if os.path.exists(authorities) else repository + ".pem")
    except (OSError, ssl.SSLError) as problem:
        raise KeyProblem(f"{repository}.pem: {problem}") from problem
    return context


def server_name(channel: str) -> str:
    """Give the server name of the handshake: the channel in MQ's coding; blank if it is not a valid host name."""
    coded = "".join([_coded(letter) for letter in channel])
    return f"{coded}.chl.mq.ibm.com" if len(coded) <= LONGEST_LABEL else ""


def _coded(letter: str) -> str:
    if letter.isascii() and letter.isupper():
        return letter.lower()
    return letter if letter.isdigit() else f"{ord(letter):02x}-"


def choose(context: ssl.SSLContext, cipher_spec: str) -> None:
    """Set the protocol versions and ciphers of a context by CipherSpec; raises KeyProblem for an unknown one."""
    if cipher_spec in ANY:
        versions = ANY[cipher_spec]
    elif cipher_spec not in CIPHER_SPECS:
        raise KeyProblem(f"'{cipher_spec}' is not a valid CipherSpec")
    elif CIPHER_SPECS[cipher_spec] == cipher_spec:
        # Where OpenSSL's suites cannot be set, the responder's channel refuses all but its own.
        versions = (TLS13,)
        openssl.choose_suites(context, [cipher_spec])
    else:
        versions = (TLS12,)
        context.set_ciphers(CIPHER_SPECS[cipher_spec])
    context.minimum_version, context.maximum_version = _VERSIONS[versions[0]], _VERSIONS[versions[-1]]


def _preference(name: str) -> tuple[bool, bool, bool, str]:
    """Give the sort key that puts strong ciphers first: forward secrecy, then GCM, then 256 bits."""
    return not name.startswith("ECDHE"), "GCM" not in name, "256-" not in name, name


def outcome(endpoint: ssl.SSLSocket | ssl.SSLObject) -> Secured:
    """Give the outcome of a finished handshake."""
    cipher = endpoint.cipher()
    name = cipher[0] if cipher is not None else ""
    certificate = endpoint.getpeercert() or {}
    return Secured(
        endpoint.version() or "",
        NAMES.get(name, name),
        _distinguished(certificate.get("subject", ())),
        _distinguished(certificate.get("issuer", ())),
    )


# Characters that would end a value, and so let a certificate claim attributes that it does not have.
_SPECIAL: Final = '\\,;+"'


def _distinguished(parts: object) -> str:
    """Give a distinguished name as MQ writes it: most specific part first, but several OU from the top down."""
    found: list[tuple[str, str]] = []
    if isinstance(parts, tuple):
        for level in parts:
            for kind, value in level:
                text = "".join([f"\\{letter}" if letter in _SPECIAL else letter for letter in str(value)])
                found.append((_SHORT.get(kind, kind), text))
    downward = iter([value for kind, value in found if kind == "OU"])
    return ",".join([f"{kind}={next(downward) if kind == 'OU' else value}" for kind, value in reversed(found)])
