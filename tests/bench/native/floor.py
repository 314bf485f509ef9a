"""The floor of the machine: what an exchange of 2 KB costs a bare echo in C, which knows no queues.

A round trip of request and reply has four exchanges: two puts and two gets. The exchanges are driven as `wire` drives
the queue manager, by threads of Python in a process of their own.
"""

import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from kew.perf.processes import cpu_seconds
from tests.bench.native.building import built

BODY = b"\x5a" * 2048
WARM = 0.5


@contextmanager
def echoing() -> Iterator[tuple[int, int] | None]:
    """An echo in a process of its own: gives its port and its process; None where there is no compiler."""
    with tempfile.TemporaryDirectory(prefix="kew-bench-") as folder, socket.socket() as listener:
        program = built("echo", folder)
        if program is None:
            yield None
            return
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        with subprocess.Popen([program, str(listener.fileno())], pass_fds=[listener.fileno()]) as echo:
            try:
                yield listener.getsockname()[1], echo.pid
            finally:
                echo.terminate()


def exchange_cost(programs: int, seconds: float) -> float | None:
    """Give the CPU microseconds that an exchange costs the echo; None where there is no compiler."""
    with echoing() as where:
        if where is None:
            return None
        arguments = [str(number) for number in (*where, programs, seconds)]
        output = subprocess.run(
            [sys.executable, "-m", "tests.bench.native.floor", *arguments], capture_output=True, text=True, check=True
        ).stdout
        return float(output)


def load(port: int, process: int, programs: int, seconds: float) -> float:
    """Exchange with the echo for a while, in threads; gives the CPU microseconds that each costs its process."""
    ending = threading.Event()
    done = [0] * programs

    def exchange(place: int) -> None:
        with socket.create_connection(("127.0.0.1", port)) as endpoint:
            endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while not ending.is_set():
                endpoint.sendall(BODY)
                left = len(BODY)
                while left:
                    came = endpoint.recv(left)
                    assert came, "the echo has ended"
                    left -= len(came)
                done[place] += 1

    threads = [threading.Thread(target=exchange, args=(place,)) for place in range(programs)]
    for thread in threads:
        thread.start()
    time.sleep(WARM)
    before, used = sum(done), cpu_seconds(process)
    time.sleep(seconds)
    count, used = sum(done) - before, cpu_seconds(process) - used
    ending.set()
    for thread in threads:
        thread.join()
    return used / count * 1e6


def main() -> None:
    """The process of the programs: port, process of the echo, programs, seconds."""
    port, process, programs, seconds = sys.argv[1:]
    print(load(int(port), int(process), int(programs), float(seconds)))


if __name__ == "__main__":
    main()
