"""A keystore: a program's own key and certificate, the certificates of others, and the revocation lists.

A certificate is trusted if it is in the keystore itself, or if its certification path leads by authorities in the
keystore to a self-signed one. Each certificate of the path must be within its validity period, must not be on a
revocation list of its issuer, and must have the key usage for its purpose. If the revocation list of an issuer has
expired, the certificates of that issuer are refused.
"""

import datetime
import os
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

from kew.protection.errors import CERTIFICATE, KeystoreError, Unprotectable
from kew.protection.keystoreconf import Settings
from kew.protection.names import Name, is_same, read_name, shown
from kew.protection.recipients import PrivateKey
from kew.protection.subjects import name_of

SUFFIXES: Final = ("", ".p12", ".pfx", ".pem")
LONGEST: Final = 4 << 20  # bytes of a file
MOST_CERTIFICATES: Final = 10000
MOST_ISSUERS: Final = 8
_PEM: Final = b"-----BEGIN"
# Errors that the library raises for invalid certificates.
UNREADABLE: Final = (
    ValueError,
    TypeError,
    UnsupportedAlgorithm,
    x509.InvalidVersion,
    x509.DuplicateExtension,
    x509.UnsupportedGeneralNameType,
    UserWarning,  # for deviations from the standard, where warnings are errors
)


class Keystore:
    """The key and certificate of a program, the certificates of others, and revocation lists."""

    def __init__(
        self,
        path: str,
        key: PrivateKey,
        certificate: x509.Certificate,
        others: list[x509.Certificate],
        revocations: list[x509.CertificateRevocationList] | None = None,
    ) -> None:
        self.path = path
        self.key = key
        self.certificate = certificate
        self.name = name_of(certificate.subject)
        self._revocations = revocations if revocations is not None else []
        self._by_name: dict[Name, list[x509.Certificate]] = {}
        self._known: set[bytes] = set()
        for each in (certificate, *others):
            encoded = each.public_bytes(serialization.Encoding.DER)
            if encoded not in self._known:
                self._known.add(encoded)
                self._by_name.setdefault(name_of(each.subject), []).append(each)

    def recipient(self, text: str, now: datetime.datetime) -> x509.Certificate:
        """Give the certificate of a recipient of a policy; it must be trusted and allowed to encrypt."""
        wanted = read_name(text)
        found = [each for name, several in self._by_name.items() if is_same(name, wanted) for each in several]
        if not found:
            raise KeystoreError(f"{self.path} has no certificate of the recipient {text}")
        failure = KeystoreError(f"{self.path} has no usable certificate of the recipient {text}")
        for certificate in found:
            try:
                self.check(certificate, now)
                _check_use(certificate, encrypts=True)
            except Unprotectable as problem:
                failure = KeystoreError(f"recipient {text}: {problem.why}")
                continue
            return certificate
        raise failure

    def check_signer(self, certificate: x509.Certificate, now: datetime.datetime) -> None:
        """Refuse a certificate that is not trusted, or whose key usage does not allow signatures."""
        self.check(certificate, now)
        _check_use(certificate, encrypts=False)

    def check(self, certificate: x509.Certificate, now: datetime.datetime) -> None:
        """Refuse a certificate that is not trusted, has expired or was revoked."""
        known = certificate.public_bytes(serialization.Encoding.DER) in self._known
        _check_time(certificate, now)
        for depth in range(MOST_ISSUERS):
            if _is_self_issued(certificate):
                if known:
                    return
                raise _refused(certificate, "it vouches for itself and is not in the keystore")
            issuer = self._issuer_of(certificate)
            if issuer is None:
                if known and depth == 0 and not self._lists_of(certificate.issuer):
                    return
                raise _refused(certificate, "nobody in the keystore vouches for it")
            self._check_revocation(certificate, issuer, now)
            _check_time(issuer, now)
            certificate, known = issuer, True
        raise _refused(certificate, f"more than {MOST_ISSUERS} certificates vouch for one another")

    def _issuer_of(self, certificate: x509.Certificate) -> x509.Certificate | None:
        for each in self._by_name.get(name_of(certificate.issuer), ()):
            if each.subject != certificate.issuer or not _may_issue(each):
                continue
            try:
                certificate.verify_directly_issued_by(each)
            except (InvalidSignature, *UNREADABLE):
                continue
            return each
        return None

    def _lists_of(self, issuer: x509.Name) -> list[x509.CertificateRevocationList]:
        return [each for each in self._revocations if each.issuer == issuer]

    def _check_revocation(
        self, certificate: x509.Certificate, issuer: x509.Certificate, now: datetime.datetime
    ) -> None:
        for revocations in self._lists_of(issuer.subject):
            key = issuer.public_key()
            if not isinstance(key, rsa.RSAPublicKey | ec.EllipticCurvePublicKey) or not revocations.is_signature_valid(
                key
            ):
                raise _refused(certificate, "the revocation list is not signed by its issuer")
            until = revocations.next_update_utc
            if until is not None and until < now:
                raise _refused(certificate, f"the revocation list is out of date since {until:%Y-%m-%d %H:%M}")
            revoked = revocations.get_revoked_certificate_by_serial_number(certificate.serial_number)
            if revoked is not None:
                raise _refused(certificate, f"it was revoked on {revoked.revocation_date_utc:%Y-%m-%d}")


def _refused(certificate: x509.Certificate, why: str) -> Unprotectable:
    return Unprotectable(CERTIFICATE, f"the certificate of {shown(name_of(certificate.subject))}: {why}")


def _check_time(certificate: x509.Certificate, now: datetime.datetime) -> None:
    if now < certificate.not_valid_before_utc:
        raise _refused(certificate, f"it is not valid before {certificate.not_valid_before_utc:%Y-%m-%d %H:%M}")
    if now > certificate.not_valid_after_utc:
        raise _refused(certificate, f"it has expired on {certificate.not_valid_after_utc:%Y-%m-%d %H:%M}")


def _is_self_issued(certificate: x509.Certificate) -> bool:
    if certificate.subject != certificate.issuer:
        return False
    try:
        certificate.verify_directly_issued_by(certificate)
    except (InvalidSignature, *UNREADABLE):
        return False
    return True


def _usage(certificate: x509.Certificate) -> x509.KeyUsage | None:
    try:
        return certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    except x509.ExtensionNotFound:
        return None
    except ValueError as problem:
        raise _refused(certificate, f"its extensions cannot be read: {problem}") from problem


def _may_issue(certificate: x509.Certificate) -> bool:
    try:
        constraints = certificate.extensions.get_extension_for_class(x509.BasicConstraints).value
    except (x509.ExtensionNotFound, ValueError):
        return False
    usage = _usage(certificate)
    return constraints.ca and (usage is None or usage.key_cert_sign)


def _check_use(certificate: x509.Certificate, encrypts: bool) -> None:
    usage = _usage(certificate)
    if usage is None:
        return
    if not encrypts:
        if not usage.digital_signature and not usage.content_commitment:
            raise _refused(certificate, "its key usage is not to sign")
        return
    allowed = usage.key_encipherment if isinstance(certificate.public_key(), rsa.RSAPublicKey) else usage.key_agreement
    if not allowed:
        raise _refused(certificate, "its key usage is not to encrypt keys (keyEncipherment, keyAgreement)")


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(LONGEST + 1)
    except OSError as problem:
        raise KeystoreError(f"{path}: {problem.strerror or problem}") from problem
    if len(data) > LONGEST:
        raise KeystoreError(f"{path}: the file is longer than {LONGEST} bytes")
    return data


def _certificates(path: str, data: bytes) -> list[x509.Certificate]:
    try:
        found = x509.load_pem_x509_certificates(data)
    except ValueError as problem:
        raise KeystoreError(f"{path}: {problem}") from problem
    if len(found) > MOST_CERTIFICATES:
        raise KeystoreError(f"{path}: more than {MOST_CERTIFICATES} certificates")
    return found


def _private_key(path: str, data: bytes, password: str) -> PrivateKey:
    secret = password.encode() if password and b"ENCRYPTED" in data else None
    try:
        key = serialization.load_pem_private_key(data, secret)
    except (ValueError, TypeError) as problem:
        raise KeystoreError(f"{path}: the private key cannot be read: {problem}") from problem
    return _checked(path, key)


def _checked(path: str, key: object) -> PrivateKey:
    if not isinstance(key, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise KeystoreError(f"{path}: the private key is neither of RSA nor on an elliptic curve")
    return key


def _point(key: object) -> bytes:
    assert isinstance(key, rsa.RSAPublicKey | ec.EllipticCurvePublicKey)
    return key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def _assembled(path: str, key: PrivateKey, found: list[x509.Certificate], settings: Settings) -> Keystore:
    wanted = _point(key.public_key())
    for certificate in found:
        public = certificate.public_key()
        if isinstance(public, rsa.RSAPublicKey | ec.EllipticCurvePublicKey) and _point(public) == wanted:
            return Keystore(path, key, certificate, found, _revocations(settings))
    raise KeystoreError(f"{path}: no certificate goes with the private key")


def _revocations(settings: Settings) -> list[x509.CertificateRevocationList]:
    found: list[x509.CertificateRevocationList] = []
    for path in [each.strip() for each in settings.get("crl.file").split(",") if each.strip()]:
        data = _content(path)
        try:
            if _PEM not in data:
                found.append(x509.load_der_x509_crl(data))
                continue
            ending = b"-----END X509 CRL-----"
            found.extend([x509.load_pem_x509_crl(each + ending) for each in data.split(ending)[:-1]])
        except ValueError as problem:
            raise KeystoreError(f"{path}: the revocation list cannot be read: {problem}") from problem
    return found


def load(settings: Settings, channel: str = "") -> Keystore:
    """Load the keystore that a keystore.conf names, with the certificate for a channel where one is named."""
    if settings.kind == "pem":
        private, public = settings.get("pem.private"), settings.get("pem.public")
        if not private or not public:
            raise KeystoreError(f"{settings.path}: pem.private and pem.public are both needed")
        key = _private_key(private, _content(private), settings.get("pem.password"))
        return _assembled(private, key, _certificates(public, _content(public)), settings)
    stem = settings.get("cms.keystore")
    if not stem:
        raise KeystoreError(f"{settings.path}: cms.keystore is needed")
    stem = stem.removesuffix(".kdb")
    path = next((stem + suffix for suffix in SUFFIXES if os.path.isfile(stem + suffix)), "")
    if not path:
        hint = "; runmqakm converts a key database in CMS to PKCS #12" if os.path.isfile(stem + ".kdb") else ""
        raise KeystoreError(f"{stem}: there is no such file, nor one that ends in .p12, .pfx or .pem{hint}")
    data, password = _content(path), settings.get("cms.keystore_pass")
    if _PEM in data:
        return _assembled(path, _private_key(path, data, password), _certificates(path, data), settings)
    label = settings.channels()[channel] if channel else settings.get("cms.certificate")
    return _from_pkcs12(path, data, password, label, settings)


def _from_pkcs12(path: str, data: bytes, password: str, label: str, settings: Settings) -> Keystore:
    try:
        store = load_pkcs12(data, password.encode() or None)
    except ValueError as problem:
        raise KeystoreError(f"{path}: {problem}") from problem
    if store.key is None or store.cert is None:
        raise KeystoreError(f"{path}: there is no private key with its certificate")
    own = (store.cert.friendly_name or b"").decode("utf-8", "replace")
    if label and own and own.casefold() != label.casefold():
        raise KeystoreError(f"{path}: the certificate with the private key has the label {own}, expected {label}")
    others = [each.certificate for each in store.additional_certs]
    return Keystore(path, _checked(path, store.key), store.cert.certificate, others, _revocations(settings))
