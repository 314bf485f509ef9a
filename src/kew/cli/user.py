"""`kew user`: the users of a queue manager, their passwords and groups."""

import contextlib
import json
import sys
import time
from collections.abc import Iterator
from typing import Final

import click

from kew.cli.group import Commands
from kew.cli.screen import say
from kew.commands.actions.script import Counts
from kew.qmgr.control.client import ControlClient, NotRunning
from kew.qmgr.existing import running_process
from kew.qmgr.files import Places, owner_of
from kew.security.authority import ADMINISTRATORS
from kew.security.identity import LONGEST_PASSWORD, BadUser, Secret, User, UserFile, check_password, check_word
from kew.storage.directories import data_directory, directory_of
from kew.storage.disk import Lock, LockedError, RealDisk

_LINE: Final = LONGEST_PASSWORD * 4
_LOCK_SECONDS: Final = 30.0  # seconds to wait for other commands that change users
_TURN: Final = 0.02


@click.group(cls=Commands)
def user() -> None:
    """Manage the users that connect to a queue manager by password, and their groups."""


def _file(name: str) -> UserFile:
    running_process(name)  # ends the command if there is no such queue manager
    root = directory_of(data_directory(), name)
    return UserFile(RealDisk(), Places(root).users, owner_of(RealDisk(), name, root))


def _read(file: UserFile) -> dict[str, User]:
    try:
        return file.read()
    except BadUser as bad:
        raise click.ClickException(f"{file.path}: {bad}. Repair or remove the line.") from bad


@contextlib.contextmanager
def _changing(name: str, file: UserFile) -> Iterator[dict[str, User]]:
    """Give the users for a change in a `with` block, then write the file and notify a running queue manager.

    A lock of the file allows one command at a time.
    """
    lock = _wait_for(file)
    try:
        users = _read(file)
        yield users
        file.write(users.values())
    finally:
        lock.release()
    _tell(name)


def _wait_for(file: UserFile) -> Lock:
    until = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            return RealDisk().lock(file.path + ".lock")
        except LockedError:
            if time.monotonic() > until:
                raise
            time.sleep(_TURN)


def _tell(name: str) -> None:
    if not running_process(name):
        return
    try:
        with ControlClient(directory_of(data_directory(), name)) as control:
            for _lines in control.run("REFRESH SECURITY(*)", Counts()):
                pass
    except NotRunning:
        return  # the queue manager has ended meanwhile, and reads the file at its next start


def _password(given: bool) -> str:
    """Read a password from standard input, or prompt for it twice; other users could see one on the command line."""
    if given or not sys.stdin.isatty():
        password = sys.stdin.readline(_LINE).rstrip("\r\n")
    else:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    try:
        check_password(password)
    except BadUser as bad:
        raise click.ClickException(f"{bad}; give it on standard input or at the prompt.") from bad
    return password


def _groups(groups: tuple[str, ...], administrator: bool) -> tuple[str, ...]:
    for group in groups:
        check_word(group, "group")
    return (*groups, ADMINISTRATORS) if administrator and ADMINISTRATORS not in groups else groups


_GROUP: Final = click.option("-g", "--group", "groups", multiple=True, metavar="GROUP", help="A group; repeatable.")
_ADMIN: Final = click.option("--admin", is_flag=True, help="Put the user in group mqm, which has all authority.")
_STDIN: Final = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")


@user.command()
@click.argument("name")
@click.argument("who")
@_GROUP
@_ADMIN
@_STDIN
def add(name: str, who: str, groups: tuple[str, ...], admin: bool, password_stdin: bool) -> None:
    """Add the user WHO to the queue manager NAME; the password is prompted for.

    Example: kew user add QM1 alice --group payments
    """
    file = _file(name)
    _check_new(name, who, _read(file))
    try:
        check_word(who, "user")
        made = User(who, Secret.of(_password(password_stdin)), _groups(groups, admin))
    except BadUser as bad:
        raise click.ClickException(str(bad)) from bad
    with _changing(name, file) as users:
        _check_new(name, who, users)
        users[who] = made
    click.echo(f"User '{who}' added.")


def _check_new(name: str, who: str, users: dict[str, User]) -> None:
    if who in users:
        raise click.ClickException(f"User '{who}' exists already; 'kew user set {name} {who}' changes it.")


def _known(name: str, who: str, users: dict[str, User]) -> User:
    if who not in users:
        raise click.ClickException(f"There is no user '{who}'; 'kew user list {name}' shows who there is.")
    return users[who]


@user.command(name="set")
@click.argument("name")
@click.argument("who")
@_GROUP
@_ADMIN
@_STDIN
@click.option("--no-groups", is_flag=True, help="Remove the user from all groups.")
@click.option("--password", "new_password", is_flag=True, help="Prompt for a new password.")
def change(
    name: str,
    who: str,
    groups: tuple[str, ...],
    admin: bool,
    password_stdin: bool,
    no_groups: bool,
    new_password: bool,
) -> None:
    """Change the user WHO: the password, or the groups, which replace the previous ones.

    Example: kew user set QM1 alice --password
    """
    file = _file(name)
    _known(name, who, _read(file))
    if not (groups or admin or no_groups or new_password or password_stdin):
        raise click.UsageError("say what to change: --password, --password-stdin, --group, --admin or --no-groups")
    if no_groups and (groups or admin):
        raise click.UsageError("--no-groups goes with neither --group nor --admin")
    try:
        wanted = _groups(groups, admin) if groups or admin or no_groups else None
        secret = Secret.of(_password(password_stdin)) if new_password or password_stdin else None
    except BadUser as bad:
        raise click.ClickException(str(bad)) from bad
    with _changing(name, file) as users:
        old = _known(name, who, users)
        users[who] = User(who, secret or old.secret, old.groups if wanted is None else wanted)
    click.echo(f"User '{who}' changed.")


@user.command()
@click.argument("name")
@click.argument("who")
def delete(name: str, who: str) -> None:
    """Delete the user WHO; connections of the user stay until they end.

    Example: kew user delete QM1 alice
    """
    with _changing(name, _file(name)) as users:
        _known(name, who, users)
        del users[who]
    click.echo(f"User '{who}' deleted.")


@user.command(name="list")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, for scripts.")
def list_all(name: str, as_json: bool) -> None:
    """List the users of the queue manager NAME and their groups.

    Example: kew user list QM1
    """
    users = _read(_file(name))
    if as_json:
        click.echo(json.dumps([{"user": each.name, "groups": each.groups} for each in users.values()], indent=1))
        return
    for each in users.values():
        say(f"USER({each.name})  GROUPS({','.join(each.groups)})")
