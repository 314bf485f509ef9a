"""keystore.conf by the names that MQ uses, with PEM and PKCS #12; what cannot be used is refused and named."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption
from cryptography.hazmat.primitives.serialization.pkcs12 import (
    PKCS12Certificate,
    serialize_key_and_certificates,
)
from tests.support.protection import (
    authority,
    confidentiality,
    descriptor,
    dn,
    pem_of,
    person,
    revocations,
    write_keystore,
)

from kew.formats.distinguishedname import BadName
from kew.protection import keystore, keystoreconf
from kew.protection.errors import KeystoreError
from kew.protection.names import is_same, read_name
from kew.protection.protector import Protector
from kew.protection.subjects import name_of


def write(folder: Path, text: str) -> str:
    path = folder / "keystore.conf"
    path.write_text(text)
    return str(path)


def pkcs12(password: bytes, label: str = "alice") -> bytes:
    own = person("alice")
    others = [each.certificate for each in (person("bob"), authority())]
    lock = BestAvailableEncryption(password) if password else NoEncryption()
    return serialize_key_and_certificates(label.encode(), own.key, own.certificate, others, lock)


def test_pem(tmp_path: Path) -> None:
    path = write_keystore(tmp_path, person("alice"), person("bob"))
    store = keystore.load(keystoreconf.read(str(path)))
    assert store.name == read_name(dn("alice"))
    assert Protector(store).protect(confidentiality("bob"), descriptor(), b"x")


def test_a_key_with_a_password(tmp_path: Path) -> None:
    write_keystore(tmp_path, person("alice"))
    (tmp_path / "key.pem").write_text(person("alice").key_pem("secret"))
    conf = f"pem.private={tmp_path / 'key.pem'}\npem.public={tmp_path / 'certificates.pem'}\n"
    good = write(tmp_path, conf + "pem.password = secret\npem.encrypted = no\n")
    assert keystore.load(keystoreconf.read(good)).name == read_name(dn("alice"))
    for wrong in ("", "pem.password = other\n"):
        with pytest.raises(KeystoreError, match=r"key\.pem"):
            keystore.load(keystoreconf.read(write(tmp_path, conf + wrong)))


@pytest.mark.parametrize("suffix", ["", ".p12", ".pfx"])
@pytest.mark.parametrize("named", ["store", "store.kdb"])
def test_pkcs12(tmp_path: Path, suffix: str, named: str) -> None:
    (tmp_path / f"store{suffix}").write_bytes(pkcs12(b"secret"))
    stem = tmp_path / named
    path = write(tmp_path, f"# of Alice\ncms.keystore = {stem}\ncms.certificate = Alice\ncms.keystore_pass = secret\n")
    assert keystore.load(keystoreconf.read(path)).name == read_name(dn("alice"))


def test_a_keystore_of_pem_by_the_cms_names(tmp_path: Path) -> None:
    (tmp_path / "all.pem").write_text(person("alice").pem + authority().certificate_pem)
    path = write(tmp_path, f"cms.keystore = {tmp_path / 'all'}\n")
    assert keystore.load(keystoreconf.read(path)).name == read_name(dn("alice"))


def test_wrong_password_and_wrong_label(tmp_path: Path) -> None:
    (tmp_path / "store.p12").write_bytes(pkcs12(b"secret"))
    line = f"cms.keystore = {tmp_path / 'store'}\n"
    with pytest.raises(KeystoreError, match=r"store\.p12"):
        keystore.load(keystoreconf.read(write(tmp_path, line + "cms.keystore_pass = other\n")))
    labelled = line + "cms.keystore_pass = secret\ncms.certificate = bob\n"
    with pytest.raises(KeystoreError, match="label alice, expected bob"):
        keystore.load(keystoreconf.read(write(tmp_path, labelled)))


def test_the_label_for_a_channel(tmp_path: Path) -> None:
    (tmp_path / "store.p12").write_bytes(pkcs12(b"", "app"))
    text = f"cms.keystore = {tmp_path / 'store'}\ncms.certificate.channel.APP.SVRCONN = app\n"
    settings = keystoreconf.read(write(tmp_path, text))
    assert settings.channels() == {"APP.SVRCONN": "app"}
    assert keystore.load(settings, "APP.SVRCONN").name == read_name(dn("alice"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cms.keystore", "line 1: expected NAME = VALUE"),
        ("\ncms.colour = red", "line 2: cms.colour is not a known name"),
        ("cms.keystore = a\ncms.keystore = b", "given twice"),
        ("jks.keystore = /x", "keytool -importkeystore"),
        ("pkcs11.library = /x", "hardware is not supported"),
        ("amscred.keyfile = /x", "protected passwords"),
        ("pem.encrypted = yes", "protected passwords"),
        ("cms.keystore = /x\npem.private = /y", "either cms or pem"),
        ("crl.file = /x", "either cms or pem"),
        ("cms.keystore = /nowhere/x", "no such file"),
        ("pem.private = /nowhere/x", "both needed"),
    ],
)
def test_what_cannot_be_used_is_refused(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(KeystoreError, match=why):
        keystore.load(keystoreconf.read(write(tmp_path, text)))


def test_a_file_that_is_missing_names_the_variable(tmp_path: Path) -> None:
    with pytest.raises(KeystoreError, match="MQS_KEYSTORE_CONF"):
        keystoreconf.read(str(tmp_path / "nothing"))


def test_where_the_file_is() -> None:
    assert keystoreconf.usual_path({"HOME": "/home/a"}) == "/home/a/.mqs/keystore.conf"
    assert keystoreconf.usual_path({"HOME": "/home/a", "MQS_KEYSTORE_CONF": "/b.conf"}) == "/b.conf"


def test_a_key_without_its_certificate(tmp_path: Path) -> None:
    path = write_keystore(tmp_path, person("alice"))
    (tmp_path / "key.pem").write_text(person("bob").key_pem())
    with pytest.raises(KeystoreError, match="no certificate goes with"):
        keystore.load(keystoreconf.read(str(path)))


@pytest.mark.parametrize("encoding", [Encoding.PEM, Encoding.DER])
def test_revocation_lists_are_read(tmp_path: Path, encoding: Encoding) -> None:
    crl = revocations(person("bob"))
    data = pem_of(crl) * 2 if encoding == Encoding.PEM else crl.public_bytes(encoding)
    (tmp_path / "crl").write_bytes(data)
    path = write_keystore(tmp_path, person("alice"), person("bob"), crl=str(tmp_path / "crl"))
    store = keystore.load(keystoreconf.read(str(path)))
    with pytest.raises(KeystoreError, match="revoked"):
        Protector(store).check(confidentiality("bob"))
    (tmp_path / "crl").write_bytes(b"rubbish")
    with pytest.raises(KeystoreError, match="crl"):
        keystore.load(keystoreconf.read(str(path)))


def test_names() -> None:
    subject = name_of(person("alice").certificate.subject)
    for text in ("CN=alice,O=Kew,C=GB", "c=gb; o=KEW; cn=Alice", 'CN="alice",O=Kew,C=GB', r"CN=al\ice , O=Kew,C=GB"):
        assert is_same(read_name(text), subject), text
    for text in ("CN=alice,O=Kew", "O=Kew,CN=alice,C=GB", "CN=alice2,O=Kew,C=GB"):
        assert not is_same(read_name(text), subject), text


@pytest.mark.parametrize("text", ["", "alice", "CN=", "CN=a,COLOUR=red", 'CN="a', "CN=a\\", "CN=a," * 40 + "O=b"])
def test_names_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadName):
        read_name(text)


def test_friendly_names_of_others_do_not_matter(tmp_path: Path) -> None:
    own, other = person("alice"), person("bob")
    several: list[PKCS12Certificate] = [PKCS12Certificate(other.certificate, b"bob")]
    (tmp_path / "s.p12").write_bytes(
        serialize_key_and_certificates(b"alice", own.key, own.certificate, several, NoEncryption())
    )
    store = keystore.load(keystoreconf.read(write(tmp_path, f"cms.keystore = {tmp_path / 's'}")))
    with pytest.raises(KeystoreError, match="carol"):
        Protector(store).check(confidentiality("carol"))
