"""Where the files of a queue manager are."""

import posixpath

from kew.storage.log import LogDirectories


class Places:
    """The directories and files below a queue manager's directory."""

    def __init__(self, root: str, log_root: str = "", copy2: str = "", archive: str = "") -> None:
        self.root = root
        log_root = log_root or posixpath.join(root, "log")
        self.log = LogDirectories(
            posixpath.join(log_root, "copy1"),
            copy2 or posixpath.join(log_root, "copy2"),
            archive or posixpath.join(log_root, "archive"),
        )
        self.page_sets = posixpath.join(root, "pagesets")
        self.double_write = posixpath.join(self.page_sets, "doublewrite")
        self.errors = posixpath.join(root, "errors")
        self.lock = posixpath.join(root, "lock")
        self.ini = posixpath.join(root, "qm.ini")

    def page_set(self, number: int) -> str:
        """Give the file of a page set."""
        return posixpath.join(self.page_sets, f"psid{number:02d}")
