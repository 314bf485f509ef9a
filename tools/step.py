"""Runs one step of the set-up: says what it does and for how long, and shows what it printed only if it failed.

python3 tools/step.py "Building Kew" COMMAND ...
"""

import subprocess
import sys
import threading
import time


def main() -> int:
    """Run the command; gives its exit code."""
    title, command = sys.argv[1], sys.argv[2:]
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    ended = threading.Event()
    clock = threading.Thread(target=_tick, args=(title, begun, ended))
    clock.start()
    try:
        said, _none = process.communicate()
    except KeyboardInterrupt:
        process.wait()
        return 130
    finally:
        ended.set()
        clock.join()
    word = "done" if process.returncode == 0 else "failed"
    print(f"{_back()}{title}: {word} in {time.monotonic() - begun:.0f} s", flush=True)
    if process.returncode:
        print(said, end="", file=sys.stderr)
    return process.returncode


def _back() -> str:
    """What begins a line anew on a terminal."""
    return "\r\x1b[K" if sys.stdout.isatty() else ""


def _tick(title: str, begun: float, ended: threading.Event) -> None:
    if not sys.stdout.isatty():
        print(f"{title} ...", flush=True)
        return
    while True:
        print(f"{_back()}{title} ... {time.monotonic() - begun:.0f} s", end="", flush=True)
        if ended.wait(1):
            return


if __name__ == "__main__":
    sys.exit(main())
