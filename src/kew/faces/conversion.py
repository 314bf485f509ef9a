"""MQGMO_CONVERT for programs in the queue manager's own process: text in the character set that the program asks for.

Text is converted. What has another format comes as it is, with MQRC_FORMAT_ERROR where it would have needed it.
"""

from typing import Any, Final

from kew.codes.options import (
    MQCCSI_DEFAULT,
    MQENC_NATIVE,
    MQFMT_ADMIN,
    MQFMT_EVENT,
    MQFMT_PCF,
    MQFMT_STRING,
)
from kew.codes.reasons import (
    MQRC_FORMAT_ERROR,
    MQRC_NONE,
    MQRC_NOT_CONVERTED,
    MQRC_SOURCE_CCSID_ERROR,
    MQRC_TARGET_CCSID_ERROR,
)
from kew.formats import charset
from kew.formats.binary import FormatError, order_of_encoding

UTF_8: Final = 1208
_PARAMETERS: Final = (MQFMT_ADMIN.strip(), MQFMT_PCF.strip(), MQFMT_EVENT.strip())


def convert(md: Any, data: bytes, ccsid: int, encoding: int) -> tuple[bytes, int]:
    """The data in the wanted character set and encoding, and a reason where it stays as it was."""
    wanted = UTF_8 if ccsid == MQCCSI_DEFAULT else ccsid
    source = md.CodedCharSetId
    same_numbers = encoding in (0, md.Encoding) or md.Encoding == 0
    if source in (wanted, MQCCSI_DEFAULT) and same_numbers:
        return data, MQRC_NONE
    form = md.Format.strip()
    if form in _PARAMETERS and same_numbers and not charset.is_ebcdic(source):
        return data, MQRC_NONE  # names and keywords, the same in all such character sets
    if form != MQFMT_STRING.strip():
        return data, MQRC_NOT_CONVERTED if form in _PARAMETERS else MQRC_FORMAT_ERROR
    if not charset.is_known(source):
        return data, MQRC_SOURCE_CCSID_ERROR
    if not charset.is_known(wanted):
        return data, MQRC_TARGET_CCSID_ERROR
    try:
        text = charset.decode(data, source, order_of_encoding(md.Encoding))
        converted = charset.encode(text, wanted, order_of_encoding(encoding or MQENC_NATIVE))
    except FormatError:
        return data, MQRC_NOT_CONVERTED
    md.CodedCharSetId = wanted
    md.Encoding = encoding or MQENC_NATIVE
    return converted, MQRC_NONE
