"""`kew tls`: keys and certificates for development."""

import ipaddress
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kew.cli.group import Commands
from kew.cli.names import QUEUE_MANAGER
from kew.commands.actions.script import Counts
from kew.qmgr.control.client import ControlClient, NotRunning
from kew.qmgr.existing import running_process
from kew.storage.directories import data_directory, directory_of

if TYPE_CHECKING:
    from kew.security.certificates import Authority

CIPHER: Final = "ANY_TLS12_OR_HIGHER"
_PEOPLE: Final = "people"  # below it: the keystores of recipients
_FOLDER: Final = "ssl"  # the default key repository of a queue manager
_ORGANISATION: Final = ("O", "Kew development")
_CLIENT: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HOST_NAME: Final = re.compile(r"(\*\.)?[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*")
_HOSTS: Final = ("localhost", "127.0.0.1", "::1")


@click.group(cls=Commands)
def tls() -> None:
    """Make keys and certificates for TLS on a developer's machine."""


@tls.command()
@click.argument("name", type=QUEUE_MANAGER)
@click.option(
    "--client", "clients", multiple=True, metavar="NAME", help="A client to make a certificate for; repeatable. [app]"
)
@click.option(
    "--recipient",
    "recipients",
    multiple=True,
    metavar="NAME",
    help="A person to make a keystore of message security for; repeatable.",
)
@click.option("--host", "hosts", multiple=True, metavar="HOST", help="A host name or address of the queue manager.")
@click.option("--channel", metavar="CHANNEL", help="A server-connection channel to set to TLS.")
@click.option("--mutual", is_flag=True, help="Set the channel to ask for the client's certificate too.")
@click.option(
    "--days", type=click.IntRange(1, 3650), default=365, show_default=True, help="Validity of the certificates in days."
)
@click.option("--replace", is_flag=True, help="Create a new authority and new keys; the old ones are lost.")
def dev(
    name: str,
    clients: tuple[str, ...],
    recipients: tuple[str, ...],
    hosts: tuple[str, ...],
    channel: str | None,
    mutual: bool,
    days: int,
    replace: bool,
) -> None:
    """Create an authority and keys for the queue manager NAME and for clients, all in PEM.

    They are kept in the directory `ssl` of the queue manager, where it finds them by itself. What is there already is
    kept; only clients that have no keys yet get them. For each recipient there is a keystore.conf for message security.

    Example: kew tls dev QM1 --channel DEV.APP.SVRCONN
    """
    if mutual and not channel:
        raise click.UsageError("--mutual goes with --channel")
    clients = clients or ("app",)
    for each in (*clients, *recipients):
        if not _CLIENT.fullmatch(each):
            raise click.UsageError(f"{each!r}: a client's name has 1 to 64 letters, digits, '.', '_' and '-'")
    for host in hosts:
        if not _is_host(host):
            raise click.UsageError(f"{host!r} is neither a valid name of a host in ASCII nor an address")
    if channel and ("'" in channel or len(channel) > 20):
        raise click.UsageError(f"{channel!r} is not a valid name of a channel")
    running = running_process(name) != 0  # ends the command if there is no such queue manager
    if channel and not running:
        raise click.ClickException(
            f"Queue manager '{name}' does not run; for --channel start it first: kew start {name}"
        )
    folder = Path(directory_of(data_directory(), name), _FOLDER)
    if hosts and not replace and (folder / "key.pem").exists():
        raise click.ClickException(
            f"{folder / 'key.pem'} is there already, and --host goes into new keys only; --replace makes them."
        )
    _make(name, folder, clients, recipients, (*_HOSTS, *hosts), days, replace)
    if running:
        _tell(name, folder, channel, mutual)
    _next_steps(name, folder, clients[0], channel, running)


def _is_host(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return len(text) <= 253 and _HOST_NAME.fullmatch(text) is not None
    return True


def _make(
    name: str,
    folder: Path,
    clients: tuple[str, ...],
    recipients: tuple[str, ...],
    hosts: tuple[str, ...],
    days: int,
    replace: bool,
) -> None:
    from kew.security.certificates import Authority

    folder.mkdir(mode=0o700, exist_ok=True)
    kept = folder / "authority.pem"
    try:
        known = not replace and kept.exists()
        authority = (
            Authority.load(kept.read_bytes())
            if known
            else Authority.make((_ORGANISATION, ("CN", f"{name} authority")), days)
        )
    except ValueError as problem:
        raise click.ClickException(f"{kept}: {problem}; --replace makes a new one.") from problem
    if not known and not replace and (folder / "key.pem").exists():
        raise click.ClickException(f"{folder / 'key.pem'} is there already, from elsewhere; --replace makes new keys.")
    if not known:
        _write(kept, authority.pem)
        _write(folder / "key.ca.pem", authority.certificate_pem)
    subject = (_ORGANISATION, ("CN", name))
    if not known or not (folder / "key.pem").exists():
        _write(folder / "key.pem", authority.vouch(subject, days, hosts).pem)
    for client in clients:
        path = folder / f"client-{client}.pem"
        if not known or not path.exists():
            made = authority.vouch((_ORGANISATION, ("CN", client)), days)
            _write(path, made.pem + authority.certificate_pem)
    if recipients:
        _make_keystores(folder / _PEOPLE, authority, recipients, days, known)


def _make_keystores(folder: Path, authority: "Authority", recipients: tuple[str, ...], days: int, known: bool) -> None:
    """Write a keystore.conf with its key for each recipient, and one file with the certificates of all of them."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for recipient in recipients:
        own = folder / recipient
        own.mkdir(mode=0o700, exist_ok=True)
        if known and (own / "key.pem").exists():
            continue
        made = authority.vouch((_ORGANISATION, ("CN", recipient)), days)
        _write(own / "key.pem", made.key_pem())
        _write(own / "certificate.pem", made.certificate_pem)
        lines = f"pem.private = {own / 'key.pem'}\npem.public = {folder / 'certificates.pem'}\n"
        _write(own / "keystore.conf", lines)
    everybody = [path.read_text(encoding="ascii") for path in sorted(folder.glob("*/certificate.pem"))]
    _write(folder / "certificates.pem", "".join([*everybody, authority.certificate_pem]))


def _write(path: Path, text: str) -> None:
    """Write a file that only its owner may read; a reader sees the whole file or none."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(text)
    fresh.replace(path)
    click.echo(f"wrote {path}")


def _tell(name: str, folder: Path, channel: str | None, mutual: bool) -> None:
    """Have the running queue manager use the keys, and the channel require TLS, by MQSC commands."""
    script = [f"ALTER QMGR SSLKEYR('{folder / 'key'}')", "REFRESH SECURITY TYPE(SSL)"]
    if channel:
        asked = "REQUIRED" if mutual else "OPTIONAL"
        script.append(f"ALTER CHANNEL('{channel}') CHLTYPE(SVRCONN) SSLCIPH({CIPHER}) SSLCAUTH({asked})")
    counts = Counts()
    try:
        with ControlClient(directory_of(data_directory(), name)) as control:
            for command in script:
                click.echo(command)
                for lines in control.run(command, counts):
                    click.echo("\n".join(lines))
    except NotRunning as problem:
        raise click.ClickException(f"Queue manager '{name}' has ended meanwhile: {problem}") from problem
    if counts.failed or counts.syntax_errors:
        raise click.ClickException("The queue manager has refused a command; the keys are made.")


def _next_steps(name: str, folder: Path, client: str, channel: str | None, running: bool) -> None:
    click.echo("\nWhat comes next:")
    if not running:
        click.echo(f"  kew start {name}   (it finds the keys in {folder} while SSLKEYR is blank)")
    if not channel:
        click.echo(f"  kew tls dev {name} --channel CHANNEL   (a channel that asks for TLS)")
    click.echo(f"  Python: cd.SSLCipherSpec = b'{CIPHER}'; sco.KeyRepository = b'{folder / f'client-{client}'}'")
    click.echo(f"  Java:   keytool -importcert -noprompt -alias kew -file {folder / 'key.ca.pem'} -keystore trust.p12")
    click.echo(f"  Keep {folder / 'authority.pem'} to yourself: who has it can vouch for anybody.")
