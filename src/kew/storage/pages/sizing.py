"""The number of pages that messages take in a page set."""

from kew.storage.pages.blob import pages_of
from kew.storage.pages.directory import ENTRIES
from kew.storage.pages.spacemap import GROUP

__all__ = ["ENTRIES", "GROUP", "pages_of"]
