"""Values of attributes as PCF parameters and back."""

from typing import Final

from kew.formats import charset, pcf
from kew.objects.schema import AttributeSpec
from kew.objects.schema.texts import Text
from kew.objects.schema.values import Kind, ListOf, Value

SMALLEST: Final = -(2**31)
LARGEST: Final = 2**31 - 1
WIDEST_FIELD: Final = 264  # texts of at most this length fill their field with blanks, as MQ's fixed fields do


def to_parameters(spec: AttributeSpec, value: Value) -> list[pcf.Parameter]:
    """Return the PCF parameters that carry the value of an attribute; none where PCF has no identifier for it."""
    if not spec.pcf:
        return []
    return [_parameter(identifier, carried, spec.kind) for identifier, carried in spec.to_pcf(value).items()]


def _width(kind: Kind) -> int:
    return kind.length if isinstance(kind, Text) and kind.length <= WIDEST_FIELD else 0


def _parameter(identifier: int, value: Value, kind: Kind) -> pcf.Parameter:
    if isinstance(value, int):
        if SMALLEST <= value <= LARGEST:
            return pcf.Integer(identifier, value)
        return pcf.Integer64(identifier, value)
    if isinstance(value, str):
        return pcf.String(identifier, value.encode().ljust(_width(kind)), charset.UTF_8)
    if isinstance(value, bytes):
        return pcf.ByteString(identifier, value)
    if isinstance(kind, ListOf) and kind.of_texts:
        width = _width(kind.item)
        items = [item.encode().ljust(width) for item in value if isinstance(item, str)]
        return pcf.StringList(identifier, items, charset.UTF_8)
    return pcf.IntegerList(identifier, [item for item in value if isinstance(item, int)])
