"""Certificates for development: a certificate authority, and the certificates that it signs, as PEM.

The certificates are for a developer's machines only. Keys are on the curve P-256 or, for the CipherSpecs that name RSA,
of 2048 bits; a certificate is valid for a year unless `days` differs, and for servers and clients alike. Each
certificate names its key and that of its authority, since strict checks, as Python 3.13 makes by default, require both.
"""

import datetime
import ipaddress
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
Parts = tuple[tuple[str, str], ...]  # of a name, from the top of the hierarchy down: (("O", "Kew"), ("CN", "QM1"))

DAYS: Final = 365
RSA_BITS: Final = 2048
_PEM: Final = serialization.Encoding.PEM
_KINDS: Final = {
    "C": NameOID.COUNTRY_NAME,
    "DC": NameOID.DOMAIN_COMPONENT,
    "O": NameOID.ORGANIZATION_NAME,
    "OU": NameOID.ORGANIZATIONAL_UNIT_NAME,
    "CN": NameOID.COMMON_NAME,
}


class Certified:
    """A private key and its certificate."""

    def __init__(self, key: Key, certificate: x509.Certificate) -> None:
        self.key = key
        self.certificate = certificate

    @property
    def certificate_pem(self) -> str:
        """Give the certificate alone as PEM."""
        return self.certificate.public_bytes(_PEM).decode()

    def key_pem(self, password: str = "") -> str:
        """Give the private key as PEM, encrypted if there is a password."""
        lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if password:
            lock = serialization.BestAvailableEncryption(password.encode())
        return self.key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, lock).decode()

    @property
    def pem(self) -> str:
        """Give certificate and key as PEM."""
        return self.certificate_pem + self.key_pem()


class Authority(Certified):
    """A certificate authority, which signs certificates."""

    @classmethod
    def make(cls, name: Parts, days: int = DAYS) -> "Authority":
        """Make a new authority with a self-signed certificate."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(name)
        builder = _builder(subject, subject, key, key, days)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        builder = builder.add_extension(_usage(signs=True), critical=True)
        return cls(key, builder.sign(key, hashes.SHA256()))

    @classmethod
    def load(cls, pem: bytes) -> "Authority":
        """Read an authority from its PEM; ValueError if it is not valid."""
        key = serialization.load_pem_private_key(pem, None)
        if not isinstance(key, Key):
            raise ValueError("the key is of a kind that no authority here has")
        return cls(key, x509.load_pem_x509_certificate(pem))

    def vouch(self, name: Parts, days: int = DAYS, hosts: tuple[str, ...] = (), with_rsa: bool = True) -> Certified:
        """Make a key and certify it; `hosts` are the names and addresses of a server."""
        key: Key = rsa.generate_private_key(65537, RSA_BITS) if with_rsa else ec.generate_private_key(ec.SECP256R1())
        builder = _builder(_name(name), self.certificate.subject, key, self.key, days)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        builder = builder.add_extension(_usage(signs=False, agrees=not with_rsa), critical=True)
        both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
        builder = builder.add_extension(both, critical=False)
        if hosts:
            builder = builder.add_extension(x509.SubjectAlternativeName([_host(each) for each in hosts]), False)
        return Certified(key, builder.sign(self.key, hashes.SHA256()))


def _name(parts: Parts) -> x509.Name:
    return x509.Name([x509.NameAttribute(_KINDS[kind], value) for kind, value in parts])


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _builder(subject: x509.Name, issuer: x509.Name, key: Key, signer: Key, days: int) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    # Clocks differ by some minutes.
    builder = builder.not_valid_before(now - datetime.timedelta(hours=1))
    builder = builder.not_valid_after(now + datetime.timedelta(days=days))
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    by = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    return builder.add_extension(by, critical=False)


def _usage(signs: bool, agrees: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=not signs and not agrees,
        data_encipherment=False,
        key_agreement=agrees,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )
