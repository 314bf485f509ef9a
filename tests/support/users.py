"""Users for tests that are not about who may do what."""

from kew.qmgr.assemble import Host
from kew.security.authority import ADMINISTRATORS
from kew.security.identity import Secret, User, UserFile


def make_administrator(host: Host, name: str) -> None:
    """Let a user do everything."""
    file = UserFile(host.disk, host.places.users, host.log.owner)
    users = file.read()
    users[name] = User(name, Secret.of("password", cost=1), (ADMINISTRATORS,))
    file.write(users.values())
    host.refresh_users()
