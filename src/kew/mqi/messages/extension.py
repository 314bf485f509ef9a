"""The descriptor extension (MQMDE): group and segment fields of a version 1 descriptor, at the start of the data."""

from kew.codes.errors import MQError
from kew.codes.options import MQENC_NATIVE, MQFMT_MD_EXTENSION
from kew.codes.reasons import MQRC_MDE_ERROR
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmde import LENGTH, DescriptorExtension, decode, encode


def absorb(descriptor: MessageDescriptor, data: bytes) -> bytes:
    """Remove the MQMDE from the data of a put, and move its fields to the descriptor."""
    if descriptor.format != MQFMT_MD_EXTENSION:
        return data
    try:
        extension = decode(data)
    except FormatError as problem:
        raise MQError(MQRC_MDE_ERROR, why=str(problem)) from problem
    descriptor.encoding = extension.encoding
    descriptor.ccsid = extension.ccsid
    descriptor.format = extension.format
    descriptor.group_id = extension.group_id
    descriptor.sequence_number = extension.sequence_number
    descriptor.offset = extension.offset
    descriptor.message_flags = extension.message_flags
    descriptor.original_length = extension.original_length
    return data[LENGTH:]


def extend(descriptor: MessageDescriptor, data: bytes, ccsid: int) -> bytes:
    """Put an MQMDE before the data for a get with a version 1 descriptor, if the group fields are not the defaults."""
    if not descriptor.message_flags and descriptor.original_length == -1:
        return data
    extension = DescriptorExtension(
        descriptor.encoding,
        descriptor.ccsid,
        descriptor.format,
        0,
        descriptor.group_id,
        descriptor.sequence_number,
        descriptor.offset,
        descriptor.message_flags,
        descriptor.original_length,
    )
    descriptor.format = MQFMT_MD_EXTENSION
    descriptor.encoding = MQENC_NATIVE
    descriptor.ccsid = ccsid
    return encode(extension) + data
