"""PAM is asked as AUTHENMD(PAM) says, and answers for users that the queue manager has no password of."""

from pathlib import Path

import pytest

from kew.codes.attributes import MQAUTHENTICATE_PAM
from kew.codes.errors import MQError
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.security import pam
from kew.security.identity import Directory, Secret, User, UserFile
from kew.storage.disk import RealDisk
from kew.storage.fileheader import NOBODY

CHECK = '#!/bin/sh\n[ "$PAM_USER" = ann ] && [ "$(tr -d "\\000")" = right ]\n'


@pytest.fixture
def services(tmp_path: Path) -> str:
    """A directory that stands in for /etc/pam.d, where a program is asked that knows one user."""
    program = tmp_path / "check"
    program.write_text(CHECK)
    program.chmod(0o755)
    (tmp_path / "pam.d").mkdir()
    rules = f"auth required pam_exec.so expose_authtok quiet {program}\naccount required pam_permit.so\n"
    (tmp_path / "pam.d" / pam.SERVICE).write_text(rules)
    return str(tmp_path / "pam.d")


def test_the_service_of_the_system_decides(services: str) -> None:
    # A system without the library has no PAM, and then nobody's password is right.
    assert pam.accepts("ann", "right", directory=services) == pam.usable()
    assert not pam.accepts("ann", "wrong", directory=services)
    assert not pam.accepts("bob", "right", directory=services)
    assert not pam.accepts("ann", "right\0", directory=services)


def test_who_may_not_come_in_now_is_refused(services: str) -> None:
    Path(services, "closed").write_text("auth required pam_permit.so\naccount required pam_deny.so\n")
    Path(services, "open").write_text("auth required pam_permit.so\naccount required pam_permit.so\n")
    assert pam.accepts("ann", "any", "open", services) == pam.usable()
    assert not pam.accepts("ann", "any", "closed", services)


def test_users_of_the_file_come_first(tmp_path: Path) -> None:
    asked: list[str] = []

    def system(user: str, password: str) -> bool:
        asked.append(user)
        return password == "right"

    file = UserFile(RealDisk(), str(tmp_path / "users"), NOBODY)
    file.write([User("own", Secret.of("secret", cost=4))])
    directory = Directory(file, system)
    directory.reload()
    assert directory.accepts("own", "secret", by_system=True)
    assert not directory.accepts("own", "right", by_system=True)
    assert directory.accepts("other", "right", by_system=True)
    assert not directory.accepts("other", "wrong", by_system=True)
    assert not directory.accepts("other", "right")
    assert asked == ["other", "other"]


def test_authenmd_says_whether_the_system_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        gate, objects = running.host.gate, running.host.objects
        monkeypatch.setattr(gate._directory, "_ask_system", lambda user, _password: user == "ann")
        with pytest.raises(MQError):
            gate.admit_local("me", ("ann", "any"))
        record = objects.find("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS")
        assert record is not None
        objects.change(record, {"AUTHENMD": MQAUTHENTICATE_PAM, "FAILDLAY": 0})
        assert gate.admit_local("me", ("ann", "any")) in ("ann", "me")
        with pytest.raises(MQError):
            gate.admit_local("me", ("bob", "any"))
