"""Checks of one queue manager: its configuration, its process, its files, the port it listens on, its error log."""

import json
import os
import posixpath
import re
import stat
from collections.abc import Iterator
from typing import Final

from kew.commands.actions.script import Counts
from kew.qmgr.config import Configuration, load_configuration
from kew.qmgr.control.client import ControlClient, NotRunning
from kew.qmgr.control.frames import CONTROL_SOCKET
from kew.qmgr.doctor.files import check_sync, existing_part
from kew.qmgr.doctor.finding import FAIL, OK, WARN, Finding, at_least
from kew.qmgr.doctor.host import memory
from kew.qmgr.doctor.machine import Machine
from kew.qmgr.errorlog import FILES as ERROR_FILES
from kew.qmgr.files import Places
from kew.qmgr.ini import ConfigurationError
from kew.storage.disk import Disk, DiskError, RealDisk
from kew.storage.fileheader import FileRefused

PAGE: Final = 4096
_LISTEN: Final = "0A"  # the state in /proc/net/tcp
_SEVERE: Final = re.compile(r"^((?:AMQ|CSQ)\w{4}[ES]): (.*)$", re.MULTILINE)
_TAIL: Final = 64 << 10  # bytes of the error log that are read


def check_queue_manager(machine: Machine, name: str, root: str, disk: Disk | None = None) -> Iterator[Finding]:
    """Check an existing queue manager; `root` is its directory."""
    disk = disk or RealDisk()
    group = f"Queue manager {name}"
    try:
        configuration = load_configuration(disk, posixpath.join(root, "qm.ini"), name)
    except (ConfigurationError, DiskError, FileRefused) as problem:
        yield Finding(group, "qm.ini", str(problem), "readable", FAIL, "correct the line, or restore the file")
        return
    yield Finding(group, "qm.ini", "read", "readable", OK)
    for remark in configuration.remarks:
        found = f"line {remark.line}: {remark.key} has no effect: {remark.why}"
        yield Finding(group, f"qm.ini {remark.stanza}", found, "keys that do something", WARN, "remove the line")
    places = Places(root, configuration)
    owner = disk.look_at_lock(places.lock).owner
    yield from _process(group, name, places, owner)
    if owner:
        yield from _passwords(group, name, root)
    yield from _room(machine, group, configuration, places)
    if places.log.copy1 and not places.log.copy1.startswith(root):
        yield from _log_place(group, disk, places.log.copy1)
    yield _port(machine, group, configuration.tcp.port, owner)
    yield from _troubles(group, places)


def _process(group: str, name: str, places: Places, owner: int) -> Iterator[Finding]:
    yield Finding(group, "process", f"running as {owner}" if owner else "not running", "either", OK)
    socket = posixpath.join(places.root, CONTROL_SOCKET)
    there = os.path.exists(socket)
    if owner and not there:
        remedy = f"kew stop {name}, then kew start {name}: without its socket no command reaches it"
        yield Finding(group, "control socket", "missing", "there while it runs", FAIL, remedy)
    elif there and not owner:
        found = "left over by a process that was killed"
        yield Finding(group, "control socket", found, "gone while it does not run", OK, "the next start removes it")
    mode = stat.S_IMODE(os.stat(places.root).st_mode)
    loose = mode & (stat.S_IRWXG | stat.S_IRWXO)
    remedy = f"chmod 700 {places.root}: the log and the page sets hold the messages" if loose else ""
    yield Finding(group, "rights", f"{mode:04o}", "0700", WARN if loose else OK, remedy)
    for suffix in (".new", ".deleted"):
        if os.path.exists(places.root + suffix):
            remedy = f"rm -r '{places.root}{suffix}'"
            yield Finding(group, "leftovers", places.root + suffix, "none", WARN, remedy)


def _passwords(group: str, name: str, root: str) -> Iterator[Finding]:
    """Check that the AUTHINFO object named by CONNAUTH exists and can check passwords."""
    try:
        with ControlClient(root) as control:
            wanted = _shown(control, "DISPLAY QMGR CONNAUTH").get("CONNAUTH", "")
            there = wanted and _shown(control, f"DISPLAY AUTHINFO('{wanted}')").get("AUTHTYPE", "nothing")
    except NotRunning:
        return  # the queue manager is just starting or ending
    if not wanted or there == "IDPWOS":
        yield Finding(group, "password checks", wanted or "off", "an AUTHINFO of type IDPWOS, or off", OK)
        return
    remedy = f"""kew mqsc {name} -e "DEFINE AUTHINFO('{wanted}') AUTHTYPE(IDPWOS)": until then no program can connect"""
    found = f"CONNAUTH({wanted}) is {there}"
    yield Finding(group, "password checks", found, "an AUTHINFO of type IDPWOS, or off", FAIL, remedy)


def _shown(control: ControlClient, command: str) -> dict[str, str]:
    (line,) = [line for lines in control.run(command, Counts(), as_json=True) for line in lines]
    objects: list[dict[str, str]] = json.loads(line)["objects"]
    return objects[0] if objects else {}


def _room(machine: Machine, group: str, configuration: Configuration, places: Places) -> Iterator[Finding]:
    log = configuration.log
    more = log.file_pages * PAGE * log.secondary_files
    free = machine.space(existing_part(places.log.copy1)).free_bytes
    remedy = "make room: without it the log cannot grow when units of work last long"
    yield at_least(group, "room for the log", free >> 20, more >> 20, remedy, unit="MB")
    pools = sum([pool.buffers for pool in configuration.buffer_pools]) * PAGE
    available = memory(machine).get("MemAvailable")
    if available is not None:
        remedy = "make BufferPool Buffers in qm.ini smaller, or give the host more memory"
        yield at_least(group, "memory for pools", available >> 20, pools >> 20, remedy, unit="MB")


def _log_place(group: str, disk: Disk, directory: str) -> Iterator[Finding]:
    if not os.path.isdir(directory):
        remedy = "mount it, or correct LogPath in qm.ini"
        yield Finding(group, "log directory", f"{directory} is missing", "there", FAIL, remedy)
        return
    timed = check_sync(directory, disk)
    yield Finding(group, "log, " + timed.name, timed.found, timed.wanted, timed.level, timed.remedy)


def listeners(machine: Machine) -> dict[int, set[str]]:
    """Give the TCP ports on which a process listens, with the inodes of the sockets."""
    found: dict[int, set[str]] = {}
    for path in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in machine.read(path).splitlines()[1:]:
            words = line.split()
            if len(words) > 9 and words[3] == _LISTEN:
                found.setdefault(int(words[1].rpartition(":")[2], 16), set()).add(words[9])
    return found


def _holds(process: int, inodes: set[str]) -> bool:
    wanted = {f"socket:[{inode}]" for inode in inodes}
    directory = f"/proc/{process}/fd"
    try:
        return any(os.readlink(posixpath.join(directory, entry)) in wanted for entry in os.listdir(directory))
    except OSError:
        return False


def _port(machine: Machine, group: str, port: int, owner: int) -> Finding:
    sockets = listeners(machine).get(port, set())
    wanted = "free, or ours"
    if not sockets:
        return Finding(group, "port", f"{port} is free", wanted, OK)
    if owner and _holds(owner, sockets):
        return Finding(group, "port", f"{port} is ours", wanted, OK)
    remedy = f"see who has it with: ss -ltnp 'sport = :{port}'; or take another: kew start --port, or Port in qm.ini"
    return Finding(group, "port", f"{port} is used by another process", wanted, WARN, remedy)


def _troubles(group: str, places: Places) -> Iterator[Finding]:
    try:
        names = os.listdir(places.errors)
    except OSError:
        remedy = f"mkdir -m 700 {places.errors}"
        yield Finding(group, "error log", f"{places.errors} cannot be read", "readable", WARN, remedy)
        return
    failures = [name for name in names if name.endswith(".FDC")]
    if failures:
        remedy = f"read the newest, report it, then remove it: {posixpath.join(places.errors, max(failures))}"
        yield Finding(group, "first failures", f"{len(failures)} files", "none", WARN, remedy)
    severe = _SEVERE.findall(_end_of(posixpath.join(places.errors, ERROR_FILES[0])))
    if severe:
        number, text = severe[-1]
        remedy = f"read EXPLANATION and ACTION in {posixpath.join(places.errors, ERROR_FILES[0])}"
        yield Finding(group, "error log", f"{len(severe)} errors, the last {number}: {text}", "none", WARN, remedy)
    else:
        yield Finding(group, "error log", "no errors", "none", OK)


def _end_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            return file.read(_TAIL).decode(errors="replace")
    except OSError:
        return ""
