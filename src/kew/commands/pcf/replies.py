"""Replies to PCF commands: a message for each object, the last of them marked.

A standard reply is a MQCFT_RESPONSE: the data of an object, or success, or the reason and the parameter at fault.
Extended replies, as a z/OS queue manager gives them, are MQCFT_XR_ITEM for objects and MQCFT_XR_MSG for an
error; each names its set and the queue manager, and a MQCFT_XR_SUMMARY ends the set.
"""

from collections.abc import Iterator
from typing import Final

from kew.codes import attributes as a
from kew.codes import commands as c
from kew.codes import reasons as r
from kew.codes.completion import MQCC_FAILED, MQCC_OK
from kew.commands.actions.outcome import Shown
from kew.formats import charset, pcf
from kew.objects.parameters import to_parameters
from kew.objects.schema.texts import Text
from kew.objects.schema.values import Value
from kew.objects.secrets import hidden

NAME_WIDTH: Final = 48

Parameters = list[pcf.Parameter]


class Replies:
    """Makes the replies to one request."""

    def __init__(self, command: int, version: int, queue_manager: str, extended_id: bytes = b"") -> None:
        self._command = command
        self._version = version
        self._queue_manager = queue_manager
        self._extended_id = extended_id  # of the set of extended replies; empty for standard ones
        self._sequence = 0

    def _message(
        self, kind: int, last: bool, parameters: Parameters, completion: int = MQCC_OK, reason: int = r.MQRC_NONE
    ) -> pcf.PCFMessage:
        self._sequence += 1
        header = pcf.Header(
            type=kind,
            version=self._version,
            command=self._command,
            sequence_number=self._sequence,
            control=c.MQCFC_LAST if last else c.MQCFC_NOT_LAST,
            completion=completion,
            reason=reason,
        )
        if not self._extended_id:
            return pcf.PCFMessage(header, parameters)
        name = self._queue_manager.encode().ljust(NAME_WIDTH)
        own: Parameters = [
            pcf.ByteString(a.MQBACF_RESPONSE_ID, self._extended_id),
            pcf.String(a.MQCACF_RESPONSE_Q_MGR_NAME, name, charset.UTF_8),
        ]
        return pcf.PCFMessage(header, [*own, *parameters])

    def data(self, found: list[Parameters]) -> Iterator[pcf.PCFMessage]:
        """Give the replies to a command that was carried out: one for each object found, or one that says success."""
        if self._extended_id:
            for parameters in found:
                yield self._message(c.MQCFT_XR_ITEM, False, parameters)
            yield self._message(c.MQCFT_XR_SUMMARY, True, [])
            return
        for place, parameters in enumerate(found or [[]], 1):
            yield self._message(c.MQCFT_RESPONSE, place >= len(found), parameters)

    def failed(
        self, reason: int, parameters: Parameters, found: list[Parameters] | None = None
    ) -> Iterator[pcf.PCFMessage]:
        """Give the replies to a command that was refused; each of `found` has a text about the refusal."""
        if self._extended_id:
            yield self._message(c.MQCFT_XR_MSG, False, parameters, MQCC_FAILED, reason)
            yield self._message(c.MQCFT_XR_SUMMARY, True, [], MQCC_FAILED, r.MQRCCF_COMMAND_FAILED)
            return
        texts = found or [parameters]
        for place, each in enumerate(texts, 1):
            yield self._message(c.MQCFT_RESPONSE, place == len(texts), each, MQCC_FAILED, reason)


def _name_of(shown: Shown) -> Parameters:
    spec = shown.kind.name_spec
    if spec is None or not spec.pcf:
        return []
    if spec.pcf == a.MQBACF_CONNECTION_ID:
        first = shown.values.get("EXTCONN")
        assert isinstance(first, bytes)
        return [pcf.ByteString(spec.pcf, first + bytes.fromhex(shown.name))]
    name: Value = shown.name
    if isinstance(spec.kind.blank(), int):
        name = int(shown.name)
    return to_parameters(spec, name)


def parameters_of(shown: Shown) -> Parameters:
    """Give an object as parameters of a reply: its name, its type, then the requested attributes."""
    found = _name_of(shown)
    identifier, number = shown.kind.pcf_subtype
    if identifier:
        found.append(pcf.Integer(identifier, number))
    for spec in shown.specs:
        value = shown.values.get(spec.keyword)
        if value is not None:
            found.extend(to_parameters(spec, hidden(spec.keyword, value)))
    return found


def _name_width(shown: Shown) -> int:
    """Give the width of an object's name: names of channels, storage classes and structures are shorter."""
    spec = shown.kind.name_spec
    return spec.kind.length if spec is not None and isinstance(spec.kind, Text) else NAME_WIDTH


def names_of(shown: list[Shown], names: int, types: int) -> Parameters:
    """Give the names of objects as one list, and their types as another if there is one."""
    texts = [one.name.encode().ljust(_name_width(one)) for one in shown]
    found: Parameters = [pcf.StringList(names, texts, charset.UTF_8)]
    if types:
        found.append(pcf.IntegerList(types, [one.kind.pcf_subtype[1] for one in shown]))
    return found
