"""The connection of a command to a queue manager: on this machine, or as a client over the network."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import click

from kew.channels.transport.address import parse_addresses
from kew.client import Connection, connect, connect_local
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_Q_MGR_NAME_ERROR, MQRC_Q_MGR_NOT_AVAILABLE

PASSWORD: Final = "KEW_PASSWORD"
_ADDRESS: Final = "kew.address"
_CHANNEL: Final = "kew.channel"
_USER: Final = "kew.user"

Function = TypeVar("Function", bound=Callable[..., object])


def _keep_address(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    try:
        for host, _port in parse_addresses(value) if value else []:
            host.encode("idna")
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from problem
    ctx.meta[_ADDRESS] = value


def _keep_channel(ctx: click.Context, _param: click.Parameter, value: str) -> None:
    if not 0 < len(value) <= 20 or not value.isascii():
        raise click.BadParameter("the name of a channel has 1 to 20 characters")
    ctx.meta[_CHANNEL] = value


def _keep_user(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    ctx.meta[_USER] = value


def client_options(function: Function) -> Function:
    """Add the options of a client connection to a command, for `connected`."""
    for option in (
        click.option(
            "--user",
            expose_value=False,
            callback=_keep_user,
            help=f"With --connect: the user; the password is prompted for, or taken from {PASSWORD}.",
        ),
        click.option(
            "--channel",
            expose_value=False,
            callback=_keep_channel,
            default="DEV.APP.SVRCONN",
            show_default=True,
            help="With --connect: the server-connection channel.",
        ),
        click.option(
            "--connect",
            expose_value=False,
            callback=_keep_address,
            metavar="HOST(PORT)",
            help="Connect over the network; default: to NAME on this machine.",
        ),
    ):
        function = option(function)
    return function


def over_network() -> bool:
    """Say whether the command's options request a connection over the network."""
    return bool(click.get_current_context().meta.get(_ADDRESS))


@contextmanager
def connected(name: str, application: str) -> Iterator[Connection]:
    """Connect for a `with` block, whose end commits the unit of work, or backs it out after an error."""
    try:
        connection = _client(name, application) if over_network() else _local(name, application)
        with connection:
            try:
                yield connection
            except KeyboardInterrupt:
                # A call may be under way; the queue manager backs out the work of a lost program.
                connection.driver.close()
                raise
    except MQError as problem:
        _name_objects(problem, name)
        raise


def _name_objects(problem: MQError, name: str) -> None:
    """Add the names of the queue and queue manager to an error, since the wire carries only the reason code."""
    queue = click.get_current_context().params.get("queue")
    if queue:
        problem.facts.setdefault("queue", queue)
    problem.facts.setdefault("qmgr", name)


def _client(name: str, application: str) -> Connection:
    meta = click.get_current_context().meta
    user = meta.get(_USER)
    password = os.environ.get(PASSWORD) if user else None
    if user and password is None:
        if not sys.stdin.isatty():
            raise click.ClickException(f"the password of {user} is needed: set {PASSWORD}")
        password = click.prompt("Password", hide_input=True, err=True)
    return connect(name, meta[_ADDRESS], meta[_CHANNEL], user, password, application)


def _local(name: str, application: str) -> Connection:
    try:
        return connect_local(name, application)
    except MQError as refused:
        if refused.reason not in (MQRC_Q_MGR_NAME_ERROR, MQRC_Q_MGR_NOT_AVAILABLE):
            raise
        # The queue manager's own modules take long to load, so they are loaded only for this message.
        from kew.cli.running import not_running
        from kew.qmgr.existing import running_process

        running_process(name)  # ends the command if there is no such queue manager
        raise not_running(name) from None
