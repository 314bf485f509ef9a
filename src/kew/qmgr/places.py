"""Where the files of a queue manager are."""

import posixpath

from kew.qmgr.config import Configuration
from kew.qmgr.names import LOCK


class Places:
    """The directories and files below a queue manager's directory."""

    def __init__(self, root: str, configuration: Configuration | None = None) -> None:
        self.root = root
        configuration = configuration or Configuration()
        self.log = configuration.log.directories(posixpath.join(root, "log"))
        self._paths = {each.id: each.path for each in configuration.page_sets if each.path}
        self.page_sets = posixpath.join(root, "pagesets")
        self.double_write = posixpath.join(self.page_sets, "doublewrite")
        self.errors = posixpath.join(root, "errors")
        self.smf = configuration.smf.directory or posixpath.join(root, "smf")
        self.lock = posixpath.join(root, LOCK)
        self.ini = posixpath.join(root, "qm.ini")
        self.users = posixpath.join(root, "users")

    def page_set(self, number: int) -> str:
        """Give the file of a page set."""
        return self._paths.get(number) or posixpath.join(self.page_sets, f"psid{number:02d}")
