"""Descriptors of version 1: the group and segment fields travel in the data, as an MQMDE before the rest of it."""

from kew.codes.errors import MQError
from kew.codes.options import MQENC_NATIVE, MQFMT_MD_EXTENSION
from kew.codes.reasons import MQRC_MDE_ERROR
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmde import LENGTH, DescriptorExtension, decode, encode


def absorb(descriptor: MessageDescriptor, data: bytes) -> bytes:
    """Take the extension off the data of a put with a version 1 descriptor, and give its fields to the descriptor."""
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
    """Put the extension before the data of a message whose getter has a version 1 descriptor, if it says anything."""
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
