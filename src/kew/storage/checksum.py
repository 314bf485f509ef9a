"""The one checksum of log records, log pages and page-set pages."""

import zlib

try:
    from isal import isal_zlib
except ImportError:
    crc32 = zlib.crc32
else:
    crc32 = isal_zlib.crc32

__all__ = ["crc32"]
