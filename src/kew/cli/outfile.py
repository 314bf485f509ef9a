"""Output files that are whole or not there."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from kew.cli.screen import printable_bytes

Write = Callable[[bytes], object]


@contextmanager
def writing(path: str | None) -> Iterator[Write]:
    """Give a way to write bytes to a file, or to standard output where there is no path.

    The file is written under another name, synced, and given its own at the end; if anything fails, what had the name
    before is still there.
    """
    if path is None:
        out = sys.stdout.buffer
        yield (lambda data: out.write(printable_bytes(data))) if sys.stdout.isatty() else out.write
        sys.stdout.buffer.flush()
        return
    draft = f"{path}.{os.getpid()}.new"
    try:
        with open(draft, "xb") as file:
            yield file.write
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as problem:
        with suppress(OSError):
            os.unlink(draft)
        if isinstance(problem, OSError) and problem.filename == draft:
            problem.filename = path  # the name that the user knows
        raise
