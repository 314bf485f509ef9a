"""The process that hosts a queue manager, from start to end."""

import contextlib
import ctypes
import gc
import os
import socket
import sys
from typing import Final

import click

from kew.cli.ending import Ending
from kew.codes.attributes import MQSVC_CONTROL_MANUAL as MANUAL
from kew.objects.defaults import DEVELOPER_LISTENER
from kew.qmgr import manager
from kew.qmgr.existing import exists

READY: Final = b"ready\n"  # the line that tells the starting command that the queue manager is ready, after its remarks
_TRIM_THRESHOLD: Final = -1  # of mallopt, in malloc.h
_MMAP_THRESHOLD: Final = -3
_LARGE: Final = 8 << 20  # bytes
_KEPT: Final = 4 << 20  # most free memory at the end of a thread's memory
_EXAMPLE: Final = "examples/request_reply.py"  # exists in a checkout


def return_large_blocks() -> None:
    """Have glibc return large free blocks of memory to the system; another C library is left alone.

    Without M_MMAP_THRESHOLD glibc keeps free blocks in the arena of each thread: the check of a password takes 16 MB,
    and after two dozen connections with a password the process would be 130 MB larger until its end. That option alone
    would leave M_TRIM_THRESHOLD at 128 KB, and each log write of a megabyte would need new pages.
    """
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_MMAP_THRESHOLD, _LARGE)
        library.mallopt(_TRIM_THRESHOLD, _KEPT)


def settle() -> None:
    """Exclude the objects that the start has made from garbage collection, since they live as long as the process."""
    gc.collect()
    gc.freeze()


def serve(name: str, ready_fd: int, developer: bool, port: int | None, grace: float | None) -> None:
    """Start a queue manager and serve it until a request to end; with --dev create a missing one first."""
    return_large_blocks()
    if developer and not exists(name):
        manager.create(name)
    ending = Ending(0.0 if grace is None else grace)
    ending.heed_signals()
    running = manager.start(name, developer=developer)
    if grace is None:
        ending.grace = running.grace
    running.serve_in(ending)
    try:
        running.listen(port)
    except OSError as problem:
        running.stop()
        remedy = f"Take another one with --port; ss -ltnp 'sport = :{port}' shows who has it."
        raise click.ClickException(f"port {port} cannot be listened on: {problem.strerror}. {remedy}") from problem
    remarks = _remarks(running, developer, port)
    if ready_fd >= 0:
        os.write(ready_fd, "".join([f"{remark}\n" for remark in remarks]).encode() + READY)
        os.close(ready_fd)
        # Output of this process is not read from now on; the error log has the messages.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    else:
        for remark in remarks:
            click.echo(remark, err=True)
        click.echo(f"Queue manager '{name}' started. Ctrl-C stops it.")
        if developer:
            click.echo("\n".join(_what_to_try(running)))
    settle()
    _tell_supervisor("READY=1")
    request = ending.wait(running.reread)
    _tell_supervisor("STOPPING=1")
    connections = running.host.engine.connections
    if not request.immediate:
        running.quiesce()
        if not ending.let_finish(request, lambda: bool(connections), running.reread) and not ending.broken:
            running.tell_who_is_left()
    if ending.broken:
        # The log or a page set can no longer be written. No further work is acknowledged; restart recovers.
        running.errors.write_pending()
        os._exit(71)
    running.stop()
    if ready_fd < 0:
        click.echo(f"Queue manager '{name}' ended.")


def _tell_supervisor(word: str) -> None:
    """Notify systemd, if it started this process as a service of Type=notify; @ begins an abstract socket name."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if address:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
            supervisor.sendto(word.encode(), "\0" + address[1:] if address.startswith("@") else address)


def _remarks(running: manager.QueueManager, developer: bool, port: int | None) -> list[str]:
    """Give the remarks for the user who starts the queue manager."""
    lines = [
        f"qm.ini line {remark.line}: {remark.stanza} {remark.key} has no effect: {remark.why}"
        for remark in running.remarks
    ]
    if developer and running.network is not None and not running.network.ports():
        lines.append("Nobody can connect over the network: the port is in use. Take another one with --port.")
    kept = _kept_port(running, port) if port is not None else ""
    if kept:
        lines.append(f'Port {port} is for this start only. To keep it: kew mqsc {running.name} -e "{kept}"')
    return lines


def _kept_port(running: manager.QueueManager, port: int) -> str:
    """Give the MQSC command that has a listener use a port at each start; blank if a listener already does."""
    listeners = [each for each in running.host.catalogue.of_family("LISTENER") if each.values["CONTROL"] != MANUAL]
    if any(each.values["PORT"] == port for each in listeners):
        return ""
    if any(each.name == DEVELOPER_LISTENER for each in listeners):
        return f"ALTER LISTENER({DEVELOPER_LISTENER}) PORT({port})"
    return f"DEFINE LISTENER(TCP.{port}) TRPTYPE(TCP) PORT({port}) CONTROL(QMGR)"


def _what_to_try(running: manager.QueueManager) -> list[str]:
    """Give the lines that show a developer the ports, users, queues and commands to try."""
    name = running.name
    ports = running.network.ports() if running.network is not None else []
    lines = [""]
    if ports:
        lines += [
            f"  Programs    connect to localhost({ports[0]}), channel DEV.APP.SVRCONN, user app, password 'password'",
            "  Operators   channel DEV.ADMIN.SVRCONN, user admin, password 'password'",
        ]
    lines += [
        "  Queues      DEV.QUEUE.1 DEV.QUEUE.2 DEV.QUEUE.3",
        f"  Data        {running.places.root}; what it says of itself is in errors/AMQERR01.LOG there",
        "",
        "Type in another terminal:",
    ]
    programs = os.path.dirname(sys.executable)
    if programs not in os.environ.get("PATH", "").split(os.pathsep):
        lines.append(f"  . {os.path.join(programs, 'activate')}")
    lines += [
        f"  kew put {name} DEV.QUEUE.1 'Hello'",
        f"  kew get {name} DEV.QUEUE.1",
        f"  kew mqsc {name} -e 'DISPLAY QLOCAL(DEV.*) CURDEPTH'",
    ]
    if ports and os.path.exists(_EXAMPLE):
        lines.append(f'  python -m kew.run {_EXAMPLE} {name} "localhost({ports[0]})"')
    return [*lines, "  kew --help"]
