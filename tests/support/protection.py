"""People with keystores, for tests of message protection: certificates of one authority, or of their own."""

import datetime
import functools
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization

from kew.formats.mqmd import MessageDescriptor
from kew.protection.keystore import Keystore
from kew.protection.policy import Policy
from kew.protection.protector import Protector
from kew.security.certificates import Authority, Certified

AES128, AES256 = 4, 5
SHA256, SHA384, SHA512 = 4, 5, 6


@functools.cache
def authority() -> Authority:
    return Authority.make((("O", "Kew"), ("CN", "Test authority")))


def vouched(name: str, with_rsa: bool = True, days: int = 365) -> Certified:
    return authority().vouch((("C", "GB"), ("O", "Kew"), ("CN", name)), days, with_rsa=with_rsa)


ON_CURVES = ("carol", "erin")  # who has a key on an elliptic curve; the others have one of RSA


@functools.cache
def person(name: str) -> Certified:
    """Alice, Bob and so on: always the same ones within a run."""
    return vouched(name, name not in ON_CURVES)


def dn(name: str) -> str:
    return f"CN={name},O=Kew,C=GB"


def keystore(own: Certified, *others: Certified, crls: list[x509.CertificateRevocationList] | None = None) -> Keystore:
    certificates = [each.certificate for each in (*others, authority())]
    return Keystore("test keystore", own.key, own.certificate, certificates, crls)


def protector(own: Certified, *others: Certified) -> Protector:
    return Protector(keystore(own, *others))


def descriptor(text: bytes = b"MQSTR   ", ccsid: int = 1208, encoding: int = 546) -> MessageDescriptor:
    made = MessageDescriptor()
    made.format, made.ccsid, made.encoding = text, ccsid, encoding
    return made


def integrity(*signers: str, signature: int = SHA256, tolerates: bool = False) -> Policy:
    return Policy("Q1", signature, 0, tuple(map(dn, signers)), (), tolerates)


def privacy(*recipients: str, signature: int = SHA256, encryption: int = AES256, tolerates: bool = False) -> Policy:
    return Policy("Q1", signature, encryption, (), tuple(map(dn, recipients)), tolerates)


def confidentiality(*recipients: str, reuse: int = 0, encryption: int = AES256, tolerates: bool = False) -> Policy:
    return Policy("Q1", 0, encryption, (), tuple(map(dn, recipients)), tolerates, reuse)


def write_keystore(folder: Path, own: Certified, *others: Certified, crl: str = "") -> Path:
    """Write PEM files and a keystore.conf for somebody; gives the path of the latter."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "key.pem").write_text(own.key_pem())
    everybody = (own, *others, authority())
    (folder / "certificates.pem").write_text("".join([each.certificate_pem for each in everybody]))
    lines = [f"pem.private = {folder / 'key.pem'}", f"pem.public = {folder / 'certificates.pem'}"]
    if crl:
        lines.append(f"crl.file = {crl}")
    conf = folder / "keystore.conf"
    conf.write_text("\n".join(lines) + "\n")
    return conf


def revocations(
    *revoked: Certified, issuer: Authority | None = None, next_update: datetime.timedelta = datetime.timedelta(days=1)
) -> x509.CertificateRevocationList:
    by = issuer if issuer is not None else authority()
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateRevocationListBuilder().issuer_name(by.certificate.subject)
    builder = builder.last_update(now - datetime.timedelta(days=2)).next_update(now + next_update)
    for each in revoked:
        one = x509.RevokedCertificateBuilder().serial_number(each.certificate.serial_number)
        builder = builder.add_revoked_certificate(one.revocation_date(now - datetime.timedelta(days=1)).build())
    from cryptography.hazmat.primitives import hashes

    return builder.sign(by.key, hashes.SHA256())


def pem_of(crl: x509.CertificateRevocationList) -> bytes:
    return crl.public_bytes(serialization.Encoding.PEM)
