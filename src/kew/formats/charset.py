"""Coded character sets by MQ's CCSIDs: decodes and encodes text, and converts it from one set to another.

Python has most of the code pages that MQ names. The EBCDIC pages that Python lacks differ from page 37 in a few places
each, so they are declared here by those differences. All others, such as the mixed sets of East Asian mainframes, come
from the C library, if it has them (`iconv.py`).
"""

import codecs
from functools import lru_cache
from typing import Final

from kew.formats import iconv
from kew.formats.binary import LITTLE, FormatError

UTF_8: Final = 1208
LATIN_1: Final = 819

# CCSID to the codec that Python has for it.
_CODECS: Final[dict[int, str]] = {
    37: "cp037",
    367: "ascii",
    424: "cp424",
    437: "cp437",
    500: "cp500",
    737: "cp737",
    775: "cp775",
    813: "iso8859-7",
    819: "latin-1",
    850: "cp850",
    852: "cp852",
    855: "cp855",
    857: "cp857",
    858: "cp858",
    860: "cp860",
    861: "cp861",
    862: "cp862",
    863: "cp863",
    864: "cp864",
    865: "cp865",
    866: "cp866",
    869: "cp869",
    874: "cp874",
    875: "cp875",
    878: "koi8-r",
    912: "iso8859-2",
    913: "iso8859-3",
    914: "iso8859-4",
    915: "iso8859-5",
    916: "iso8859-8",
    919: "iso8859-10",
    920: "iso8859-9",
    921: "iso8859-13",
    923: "iso8859-15",
    932: "cp932",
    943: "cp932",
    949: "cp949",
    950: "cp950",
    954: "euc-jp",
    970: "euc-kr",
    1026: "cp1026",
    1051: "hp-roman8",
    1089: "iso8859-6",
    1125: "cp1125",
    1140: "cp1140",
    1168: "koi8-u",
    1208: "utf-8",
    1250: "cp1250",
    1251: "cp1251",
    1252: "cp1252",
    1253: "cp1253",
    1254: "cp1254",
    1255: "cp1255",
    1256: "cp1256",
    1257: "cp1257",
    1258: "cp1258",
    1275: "mac-roman",
    1363: "cp949",
    1381: "gb2312",
    1383: "gb2312",
    1386: "gbk",
    1392: "gb18030",
    5346: "cp1250",
    5347: "cp1251",
    5348: "cp1252",
    5349: "cp1253",
    5350: "cp1254",
    5351: "cp1255",
    5352: "cp1256",
    5353: "cp1257",
    5354: "cp1258",
    5488: "gb18030",
    33722: "euc-jp",
}

# Unicode in 16-bit units takes its byte order from the message's encoding, save where the CCSID itself says it.
_UTF_16: Final = frozenset((1200, 13488, 17584))
_UTF_16_BIG: Final = 1201
_UTF_16_LITTLE: Final = 1202

# Where an EBCDIC page differs from page 37: pairs of a byte in hexadecimal and its character.
_FROM_37: Final[dict[int, str]] = {
    273: "43{ 4aÄ 4f! 59~ 5aÜ 5f^ 63[ 6aö 7c§ a1ß b0¢ b5@ ba¬ bb| c0ä cc¦ d0ü dc} e0Ö ec\\ fc]",
    277: "47} 4a# 4f! 5a¤ 5bÅ 5f^ 67$ 6aø 70¦ 7bÆ 7cØ 80@ 9c{ 9e[ 9f] a1ü b0¢ ba¬ bb| c0æ d0å dc~",
    278: "43{ 47} 4a§ 4f! 51` 5a¤ 5bÅ 5f^ 63# 67$ 6aö 71\\ 79é 7bÄ 7cÖ 9f] a1ü b0¢ b5[ ba¬ bb| c0ä cc¦ d0å dc~ e0É ec@",
    280: "44{ 48\\ 4a° 4f! 51] 54} 58~ 5aé 5f^ 6aò 79ù 7b£ 7c§ 90[ a1ì b0¢ b1# b5@ ba¬ bb| c0à cd¦ d0è dd` e0ç",
    284: "49¦ 4a[ 5a] 69# 6añ 7bÑ a1¨ b0¢ ba^ bb! bd~",
    285: "4a$ 5b£ a1¯ b0¢ b1[ ba^ bc~",
    297: "44@ 48\\ 4a° 4f! 51{ 54} 5a§ 5f^ 6aù 79µ 7b£ 7cà 90[ a0` a1¨ b0¢ b1# b5] ba¬ bb| bd~ c0é d0è dd¦ e0ç",
    871: "4aÞ 4f! 5aÆ 5fÖ 79ð 7cÐ 8c` 8e{ 9c} 9e] a1ö ac@ ae[ b0¢ ba¬ bb| be\\ c0þ cc~ d0æ e0\u00b4 ec^",
    1047: "5f^ ad[ b0¬ baÝ bb¨ bd]",
}

# A page with the euro in place of the currency sign, and the page it comes from.
_EURO: Final[dict[int, int]] = {
    1141: 273,
    1142: 277,
    1143: 278,
    1144: 280,
    1145: 284,
    1146: 285,
    1147: 297,
    1148: 500,
    1149: 871,
}
_LATIN_9_EBCDIC: Final = 924
_EBCDIC: Final = frozenset((37, 424, 500, 875, 924, 1026, 1140, *_FROM_37, *_EURO))
_WIDE: Final = frozenset((932, 943, 949, 950, 954, 970, 1208, 1363, 1381, 1383, 1386, 1392, 5488, 33722))
_REPLACEMENT: Final = "\ufffd"


@lru_cache(maxsize=256)
def page(ccsid: int) -> str | None:
    """Give the 256 characters of a single-byte character set in order, or None for any other set."""
    if ccsid in _FROM_37:
        characters = list(bytes(range(256)).decode("cp037"))
        for pair in _FROM_37[ccsid].split(" "):
            characters[int(pair[:2], 16)] = pair[2:]
        return "".join(characters)
    if ccsid in _EURO:
        origin = page(_EURO[ccsid])
        return origin and origin.replace("¤", "€")
    if ccsid == _LATIN_9_EBCDIC:
        open_systems = page(1047)
        return open_systems and open_systems.encode("latin-1").decode("iso8859-15")
    codec = _CODECS.get(ccsid)
    if codec is None or ccsid in _WIDE:
        return None
    return bytes(range(256)).decode(codec, errors="replace")


def is_known(ccsid: int) -> bool:
    """Say whether text in a character set can be read and written."""
    return _codec(ccsid, LITTLE) is not None or page(ccsid) is not None or iconv.knows(ccsid)


def is_ebcdic(ccsid: int) -> bool:
    """Say whether a character set is of the EBCDIC family."""
    return ccsid in _EBCDIC


def decode(data: bytes, ccsid: int, order: str = LITTLE) -> str:
    """Decode bytes in a character set; the byte order matters only for Unicode in 16-bit units."""
    codec = _codec(ccsid, order)
    try:
        if codec is not None:
            return data.decode(codec)
        if page(ccsid) is None and iconv.knows(ccsid):
            return iconv.decode(data, ccsid)
        return codecs.charmap_decode(data, "strict", _page_or_error(ccsid))[0]
    except UnicodeDecodeError as problem:
        at = problem.start
    except iconv.NotInSet as problem:
        at = problem.at
    raise FormatError(f"text in CCSID {ccsid}", at, f"expected characters of the set, found byte {data[at]}")


def is_text(data: bytes, ccsid: int, order: str = LITTLE) -> bool:
    """Say whether bytes are text in a character set."""
    try:
        decode(data, ccsid, order)
    except FormatError:
        return False
    return True


def encode(text: str, ccsid: int, order: str = LITTLE) -> bytes:
    """Encode text in a character set; raises FormatError for a character that the set lacks."""
    codec = _codec(ccsid, order)
    try:
        if codec is not None:
            return text.encode(codec)
        if page(ccsid) is None and iconv.knows(ccsid):
            return iconv.encode(text, ccsid)
        return codecs.charmap_encode(text, "strict", codecs.charmap_build(_page_or_error(ccsid)))[0]
    except UnicodeEncodeError as problem:
        at = problem.start
    except iconv.NotInSet as problem:
        at = problem.at
    raise FormatError(f"text in CCSID {ccsid}", at, f"expected characters of the set, found {text[at]!r}")


def convert(data: bytes, source: int, target: int, order: str = LITTLE) -> bytes:
    """Convert bytes from one character set to another; raises FormatError as `decode` and `encode` do."""
    return data if source == target else encode(decode(data, source, order), target, order)


@lru_cache(maxsize=256)
def translation(source: int, target: int) -> bytes:
    """Make a table for bytes.translate between two single-byte sets; characters that the target lacks become SUB."""
    origin = page(source)
    destination = page(target)
    if origin is None or destination is None:
        lacking = source if origin is None else target
        raise FormatError(f"CCSID {lacking}", 0, "expected a known single-byte character set")
    if source == target:
        return bytes(range(256))
    places = {character: byte for byte, character in reversed(list(enumerate(destination)))}
    places.pop(_REPLACEMENT, None)
    substitute = places.get("\x1a", 0x3F)
    return bytes([places.get(character, substitute) for character in origin])


def _page_or_error(ccsid: int) -> str:
    characters = page(ccsid)
    if characters is None:
        raise FormatError(f"CCSID {ccsid}", 0, "expected a character set that is known here")
    return characters


def _codec(ccsid: int, order: str) -> str | None:
    """Give the name of Python's codec for a character set, None if Python has none."""
    if ccsid in _UTF_16:
        return "utf-16-le" if order == LITTLE else "utf-16-be"
    if ccsid == _UTF_16_BIG:
        return "utf-16-be"
    if ccsid == _UTF_16_LITTLE:
        return "utf-16-le"
    return _CODECS.get(ccsid)
