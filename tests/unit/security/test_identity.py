"""Users, passwords and groups."""

import grp
import os
import pwd

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.simdisk import SimDisk

from kew.security import identity
from kew.security.identity import BadUser, Directory, Secret, User, UserFile, process_user, read_users
from kew.storage.fileheader import NOBODY, FileRefused

QUICK = 1  # cost, so that the tests are not about scrypt


def file_of(*users: User) -> UserFile:
    disk = SimDisk()
    disk.make_directory("/qm")
    file = UserFile(disk, "/qm/users", NOBODY)
    file.write(users)
    return file


def test_a_password_is_recognised_and_not_kept() -> None:
    secret = Secret.of("correct horse", QUICK)
    assert secret.fits("correct horse")
    assert not secret.fits("correct hors")
    assert "horse" not in secret.write()
    assert Secret.read(secret.write()).fits("correct horse")
    assert Secret.of("correct horse", QUICK).digest != secret.digest  # salted


def test_the_cost_of_a_password_is_that_of_a_careful_one() -> None:
    assert (identity.COST, identity.BLOCK) >= (14, 8)
    assert Secret.of("x").cost == identity.COST


def test_the_file_comes_back_as_it_was_written() -> None:
    file = file_of(User("ann", Secret.of("a", QUICK), ("staff", "mqm")), User("bob", Secret.of("b", QUICK)))
    users = file.read()
    assert list(users) == ["ann", "bob"]
    assert users["ann"].groups == ("staff", "mqm")
    assert users["bob"].groups == ()
    assert users["bob"].secret.fits("b")


def test_no_file_is_no_users_and_an_empty_one_too() -> None:
    disk = SimDisk()
    disk.make_directory("/qm")
    assert UserFile(disk, "/qm/users", NOBODY).read() == {}
    assert file_of().read() == {}


GOOD = Secret.of("x", QUICK).write()
BAD = [
    "ann",
    "ann:plain:staff",
    f"ann:{GOOD}",
    f"ann:{GOOD}:a:b",
    f":{GOOD}:staff",
    f"an n:{GOOD}:staff",
    f"ann:{GOOD}:st*ff",
    f"ann:{GOOD}:\nann:{GOOD}:",
    f"ann:{GOOD.replace('ln=1', 'ln=40')}:",
    f"ann:{GOOD.replace('scrypt', 'md5')}:",
    f"ann:{GOOD[:-8]}:",
]


@pytest.mark.parametrize("text", BAD)
def test_a_damaged_line_is_named(text: str) -> None:
    with pytest.raises(BadUser, match=r"line [12] "):
        read_users(text)


@given(st.text(max_size=80))
def test_no_text_does_worse_than_be_refused(text: str) -> None:
    try:
        read_users(text)
    except BadUser:
        return


def test_a_crash_leaves_the_old_file_or_the_new_one() -> None:
    file = file_of(User("ann", Secret.of("a", QUICK)))
    disk = file._disk
    assert isinstance(disk, SimDisk)
    file.write([User("bob", Secret.of("b", QUICK))])
    after = UserFile(disk.crash(), "/qm/users", NOBODY)
    assert list(after.read()) == ["bob"]


def test_passwords_are_checked_against_the_file_only() -> None:
    directory = Directory(file_of(User("ann", Secret.of("a", QUICK))))
    assert not directory.accepts("ann", "a")  # not read yet
    directory.reload()
    assert directory.knows("ann")
    assert directory.accepts("ann", "a")
    assert not directory.accepts("ann", "b")
    assert not directory.accepts("ann", "")
    assert not directory.accepts("root", "a")
    assert not directory.accepts("ann", "a" * 100_000)


def test_a_user_of_the_file_has_the_groups_of_the_file_and_no_others() -> None:
    me = process_user()
    directory = Directory(file_of(User(me, Secret.of("a", QUICK), ("staff",))))
    directory.reload()
    assert directory.groups_of(me) == ("staff",)
    assert directory.groups_of("no such user at all") == ()
    assert directory.groups_of("nul\0") == ()


def test_of_others_the_operating_system_knows_the_groups() -> None:
    directory = Directory(file_of())
    directory.reload()
    me = process_user()
    assert grp.getgrgid(pwd.getpwnam(me).pw_gid).gr_name in directory.groups_of(me)
    assert pwd.getpwnam(me).pw_uid == os.geteuid()


def test_a_file_that_cannot_be_read_any_more_leaves_nobody() -> None:
    file = file_of(User("ann", Secret.of("a", QUICK)))
    directory = Directory(file)
    directory.reload()
    broken = file._disk.open(file.path)
    broken.pwrite(b"???", 0)
    broken.close()
    with pytest.raises(FileRefused):
        directory.reload()
    assert not directory.accepts("ann", "a")


def test_a_password_that_was_right_is_remembered_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []

    def counted(password: str, *parameters: bytes | int) -> bytes:
        hashed.append(password)
        return identity_hash(password, *parameters)  # type: ignore[arg-type]

    identity_hash = identity._hash
    file = file_of(User("ann", Secret.of("a", QUICK)), User("bob", Secret.of("b", QUICK)))
    directory = Directory(file)
    directory.reload()
    monkeypatch.setattr(identity, "_hash", counted)
    assert [directory.accepts("ann", word) for word in ("a", "a", "b", "b", "a")] == [True, True, False, False, True]
    assert not directory.accepts("bob", "a")  # what is remembered is remembered of ann
    assert hashed == ["a", "b", "b", "a"]
    file.write([User("ann", Secret.of("new", QUICK))])
    assert directory.accepts("ann", "a")  # until security is refreshed
    directory.reload()
    assert not directory.accepts("ann", "a")
    assert directory.accepts("ann", "new")
    assert not directory.accepts("bob", "b")
