"""Checks of the host: limits of this user, values of the kernel, memory, processors, the clock.

The wanted values are those of MQ's performance reports and of mqconfig; if Kew needs less, or nothing, the finding says
so.
"""

import resource
from collections.abc import Iterator
from typing import Final

from kew.qmgr.doctor.finding import FAIL, OK, WARN, Finding, at_least
from kew.qmgr.doctor.machine import UNLIMITED, Machine

LIMITS: Final = "Limits of this user"
KERNEL: Final = "Kernel"
MACHINE: Final = "Machine"

FILES_WANTED: Final = 10240
FILES_NEEDED: Final = 256
PROCESSES_WANTED: Final = 4096
PROCESSES_NEEDED: Final = 64
MEMORY_WANTED: Final = 1 << 30
MEMORY_NEEDED: Final = 256 << 20

# Values in /proc/sys that should be at least so large, and why.
_KERNEL_VALUES: Final = (
    ("fs.file-max", 200000, "each connection, log file and page set is an open file"),
    ("kernel.threads-max", 32768, "each local program and command is served by a thread"),
    ("kernel.pid_max", 32768, "programs that are started by triggers need process numbers"),
    ("net.core.somaxconn", 1024, "many clients may connect at the same moment"),
    ("net.core.rmem_max", 212992, "socket buffers of channels cannot be larger (RcvBuffSize, SvrRcvBuffSize)"),
    ("net.core.wmem_max", 212992, "socket buffers of channels cannot be larger (SndBuffSize, SvrSndBuffSize)"),
)
_KEEPALIVE: Final = "net.ipv4.tcp_keepalive_time"
_KEEPALIVE_WANTED: Final = 300
_SYSTEM_V: Final = ("kernel.shmmax", "kernel.shmall", "kernel.shmmni", "kernel.sem", "kernel.msgmni")


def check_host(machine: Machine) -> Iterator[Finding]:
    """Check the host, except its files and software."""
    yield from _limits(machine)
    yield from _kernel(machine)
    yield from _machine(machine)


def _limits(machine: Machine) -> Iterator[Finding]:
    yield _limit(machine, "open files", resource.RLIMIT_NOFILE, "nofile", "-n", FILES_WANTED, FILES_NEEDED)
    yield _limit(machine, "processes", resource.RLIMIT_NPROC, "nproc", "-u", PROCESSES_WANTED, PROCESSES_NEEDED)
    for name, number, word, letter in (
        ("file size", resource.RLIMIT_FSIZE, "fsize", "-f"),
        ("virtual memory", resource.RLIMIT_AS, "as", "-v"),
    ):
        soft, _hard = machine.limit(number)
        level = OK if soft == UNLIMITED else FAIL if soft < 1 << 30 else WARN
        found = "unlimited" if soft == UNLIMITED else f"{soft} bytes"
        remedy = "" if level == OK else f"ulimit {letter} unlimited; to keep it: {word} in /etc/security/limits.conf"
        yield Finding(LIMITS, name, found, "unlimited", level, remedy)


def _limit(machine: Machine, name: str, number: int, word: str, letter: str, wanted: int, needed: int) -> Finding:
    soft, hard = machine.limit(number)
    if soft == UNLIMITED:
        return Finding(LIMITS, name, "unlimited", f">= {wanted}", OK)
    remedy = f"ulimit {letter} {wanted}"
    if hard != UNLIMITED and hard < wanted:
        remedy = "the hard limit must be raised by root"
    remedy += f"; to keep it: '* - {word} {wanted}' in /etc/security/limits.conf, then log in again"
    return at_least(LIMITS, name, soft, wanted, remedy, needed)


def _kernel(machine: Machine) -> Iterator[Finding]:
    for name, wanted, why in _KERNEL_VALUES:
        found = _value(machine, name)
        if found is not None:
            remedy = f"sysctl -w {name}={wanted}, and in /etc/sysctl.conf to keep it: {why}"
            yield at_least(KERNEL, name, found, wanted, remedy)
    idle = _value(machine, _KEEPALIVE)
    if idle is not None:
        level = OK if idle <= _KEEPALIVE_WANTED else WARN
        remedy = f"sysctl -w {_KEEPALIVE}={_KEEPALIVE_WANTED}: connections with KeepAlive notice a dead client sooner"
        remedy = remedy if level == WARN else ""
        yield Finding(KERNEL, _KEEPALIVE, f"{idle} s", f"<= {_KEEPALIVE_WANTED} s", level, remedy)
    for name in _SYSTEM_V:
        text = " ".join(machine.read("/proc/sys/" + name.replace(".", "/")).split())
        if text:
            yield Finding(KERNEL, name, text, "any: Kew uses no System V memory, semaphores or queues", OK)


def _value(machine: Machine, name: str) -> int | None:
    text = machine.read("/proc/sys/" + name.replace(".", "/")).strip()
    return int(text) if text.isascii() and text.isdecimal() else None


def memory(machine: Machine) -> dict[str, int]:
    """Read the lines of /proc/meminfo, in bytes."""
    rows = [line.split() for line in machine.read("/proc/meminfo").splitlines()]
    return {row[0].rstrip(":"): int(row[1]) << 10 for row in rows if len(row) == 3 and row[1].isdecimal()}


def _machine(machine: Machine) -> Iterator[Finding]:
    cores = machine.cores()
    yield at_least(
        MACHINE, "processors", cores, 2, "give it a second one: the log is written beside the work on messages"
    )
    available = memory(machine).get("MemAvailable")
    if available is not None:
        remedy = "end other programs or make the buffer pools in qm.ini smaller"
        wanted, needed = MEMORY_WANTED >> 20, MEMORY_NEEDED >> 20
        yield at_least(MACHINE, "memory available", available >> 20, wanted, remedy, needed, "MB")
    synchronised = machine.clock_is_synchronised()
    if synchronised is not None:
        remedy = "run chrony, ntpd or systemd-timesyncd: expiry, put times and accounting follow this clock"
        found = "synchronised" if synchronised else "not synchronised"
        yield Finding(
            MACHINE, "clock", found, "synchronised", OK if synchronised else WARN, "" if synchronised else remedy
        )
    source = machine.read("/sys/devices/system/clocksource/clocksource0/current_clocksource").strip()
    if source:
        slow = source in ("hpet", "acpi_pm", "jiffies")
        remedy = "boot with clocksource=tsc: each message asks for the time" if slow else ""
        yield Finding(MACHINE, "clock source", source, "tsc, kvm-clock or the like", WARN if slow else OK, remedy)
