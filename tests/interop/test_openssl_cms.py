"""`openssl cms` is the referee: it reads what Kew protects, and Kew reads what it makes."""

import os
import struct
import subprocess
from pathlib import Path

import pytest

from kew.protection import header
from kew.protection.header import INNER_SIZE, NOT_BOUND, OUTER_SIZE, Inner
from kew.protection.policy import CONFIDENTIALITY, INTEGRITY, PRIVACY, Policy
from tests.support.protection import (
    AES128,
    AES256,
    SHA256,
    SHA384,
    SHA512,
    authority,
    confidentiality,
    descriptor,
    integrity,
    person,
    privacy,
    protector,
)

SIZES = (0, 1, 2048, 70000)


def openssl(folder: Path, *words: str, data: bytes) -> bytes:
    (folder / "in").write_bytes(data)
    line = ["openssl", "cms", *words, "-in", str(folder / "in"), "-out", str(folder / "out"), "-binary"]
    done = subprocess.run(line, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return (folder / "out").read_bytes()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("alice", "bob", "carol"):
        own = person(name)
        (tmp_path / f"{name}.pem").write_text(own.pem)
        (tmp_path / f"{name}.crt").write_text(own.certificate_pem)
    (tmp_path / "ca.pem").write_text(authority().certificate_pem)
    return tmp_path


def opened(files: Path, name: str, structure: bytes) -> bytes:
    pem = str(files / f"{name}.pem")
    return openssl(files, "-decrypt", "-inform", "DER", "-recip", pem, "-inkey", pem, data=structure)


def verified(files: Path, structure: bytes) -> bytes:
    trusted = ("-CAfile", str(files / "ca.pem"), "-purpose", "any")
    return openssl(files, "-verify", "-inform", "DER", *trusted, data=structure)


def check_content(content: bytes, body: bytes) -> None:
    assert content[INNER_SIZE:] == body
    assert content[16:24] == b"MQSTR   "
    assert struct.unpack(">ii", content[8:16]) == (546, 1208)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("signer", ["alice", "carol"])
@pytest.mark.parametrize("signature", [SHA256, SHA384, SHA512])
def test_openssl_verifies_what_is_signed(files: Path, size: int, signer: str, signature: int) -> None:
    body = os.urandom(size)
    made = protector(person(signer)).protect(integrity(signature=signature), descriptor(), body)
    check_content(verified(files, made[OUTER_SIZE:]), body)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("encryption", [AES128, AES256])
@pytest.mark.parametrize("reader", ["bob", "carol"])
def test_openssl_decrypts_what_is_encrypted(files: Path, size: int, encryption: int, reader: str) -> None:
    body = os.urandom(size)
    alice = protector(person("alice"), person("bob"), person("carol"))
    policy = confidentiality("bob", "carol", reuse=32, encryption=encryption)
    for _ in range(2):
        made = alice.protect(policy, descriptor(), body)
        check_content(opened(files, reader, made[OUTER_SIZE:]), body)


def test_openssl_decrypts_and_verifies_what_is_signed_and_encrypted(files: Path) -> None:
    body = os.urandom(5000)
    alice = protector(person("alice"), person("bob"), person("carol"))
    made = alice.protect(privacy("bob", "carol"), descriptor(), body)
    for reader in ("bob", "carol"):
        check_content(verified(files, opened(files, reader, made[OUTER_SIZE:])), body)


def inner(quality: int, body: bytes) -> bytes:
    return header.encode_inner(Inner(quality, 546, 1208, b"MQSTR   ", len(body), NOT_BOUND)) + body


def message(quality: int, body: bytes, structure: bytes) -> bytes:
    return header.encode_outer(quality, len(body), len(structure)) + structure


def got(reader: str, policy: Policy, data: bytes) -> bytes:
    own = protector(person(reader), person("alice"), person("carol"))
    found = descriptor(header.FORMAT, 1208, 273)
    body = own.unprotect(policy, found, data)
    assert (found.format, found.ccsid, found.encoding) == (b"MQSTR   ", 1208, 546)
    return body


def signed(files: Path, name: str, content: bytes, *more: str) -> bytes:
    words = ("-sign", "-nodetach", "-outform", "DER", "-md", "sha256", *more)
    return openssl(files, *words, "-signer", str(files / f"{name}.pem"), data=content)


def encrypted(files: Path, content: bytes, *more: str, cipher: str = "-aes-256-gcm") -> bytes:
    words = ("-encrypt", cipher, "-outform", "DER", *more)
    return openssl(files, *words, data=content)


OAEP = ("-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256", "-keyopt", "rsa_mgf1_md:sha256")
ECDH = ("-keyopt", "ecdh_kdf_md:sha256")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("signer", ["alice", "carol"])
@pytest.mark.parametrize("more", [(), ("-keyid",), ("-noattr", "-nosmimecap")], ids=" ".join)
def test_what_openssl_signs_is_read(files: Path, size: int, signer: str, more: tuple[str, ...]) -> None:
    body = os.urandom(size)
    structure = signed(files, signer, inner(INTEGRITY, body), *more)
    made = message(INTEGRITY, body, structure)
    if "-noattr" in more:  # nothing says then what kind of content was signed
        from kew.protection.errors import Unprotectable

        with pytest.raises(Unprotectable):
            got("bob", integrity(signer), made)
        return
    assert got("bob", integrity(signer), made) == body


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("reader", "how"), [("bob", OAEP), ("bob", ()), ("carol", ECDH)], ids=["oaep", "rsa", "ecdh"])
@pytest.mark.parametrize("cipher", ["-aes-128-gcm", "-aes-192-gcm", "-aes-256-gcm"])
@pytest.mark.parametrize("more", [(), ("-keyid",), ("-stream",)], ids=" ".join)
def test_what_openssl_encrypts_is_read(
    files: Path, size: int, reader: str, how: tuple[str, ...], cipher: str, more: tuple[str, ...]
) -> None:
    body = os.urandom(size)
    recipient = ("-recip", str(files / f"{reader}.crt"), *how, *more)
    structure = encrypted(files, inner(CONFIDENTIALITY, body), *recipient, cipher=cipher)
    policy = confidentiality(reader, encryption=AES128)
    assert got(reader, policy, message(CONFIDENTIALITY, body, structure)) == body


def test_what_openssl_signs_and_encrypts_is_read(files: Path) -> None:
    body = os.urandom(5000)
    structure = signed(files, "alice", inner(PRIVACY, body))
    for reader, how in (("bob", OAEP), ("carol", ECDH)):
        sealed = encrypted(files, structure, "-recip", str(files / f"{reader}.crt"), *how)
        assert got(reader, privacy(reader), message(PRIVACY, body, sealed)) == body


def test_several_recipients_by_openssl(files: Path) -> None:
    body = b"for both"
    both = ("-recip", str(files / "bob.crt"), *OAEP, "-recip", str(files / "carol.crt"), *ECDH)
    structure = encrypted(files, inner(CONFIDENTIALITY, body), *both)
    for reader in ("bob", "carol"):
        assert got(reader, confidentiality(reader), message(CONFIDENTIALITY, body, structure)) == body
