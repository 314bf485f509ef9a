"""Strategies for attribute values of every kind, and for whole objects."""

from hypothesis import strategies as st

from kew.codes.ciphers import CIPHER_SPECS
from kew.codes.options import MQOT_Q_MGR
from kew.objects.definition import Definition
from kew.objects.rules import BadDefinition, check
from kew.objects.schema import KEEP, OBJECT_TYPES, AttributeSpec, ObjectType
from kew.objects.schema.custom import Custom
from kew.objects.schema.texts import ByteText, Hex, Name, Text
from kew.objects.schema.values import Bits, Choice, Interval, Kilobytes, Kind, ListOf, Number, Pair, Value
from kew.security import rights
from kew.security.profiles import BadProfile, Profile

DEFINED = [kind for kind in OBJECT_TYPES.values() if not kind.status and kind.name != "SMDS"]
PRINTABLE = st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=("Cc", "Cs", "Zl", "Zp"))
AWKWARD = st.sampled_from(["*", "'", "''", '"', "+", "-", ";", "(", ")", ",", " ", "* *", "a+", "b-"])
USABLE: dict[str, Value] = {
    "ADDRESS": "192.0.*.1-8",
    "ADDRLIST": ("192.0.2.1", "2001:DB8:*"),
    "SSLPEER": "CN=a*,O=b",
    "SSLCERTI": "O=b",
}
CUSTOM = st.sampled_from(["", "CAPEXPRY(12000)", "CAPEXPY(6000)", "CAEXPY(0)", "CAPEXPRY(NOLIMIT)", "capexpry( 5 )"])


def _fits(kind: Text, text: str) -> bool:
    return len(text.encode()) <= kind.length


def texts(kind: Text, smallest: int = 0) -> st.SearchStrategy[str]:
    """Strings that a text attribute takes."""
    if isinstance(kind, Name):
        return st.text(st.sampled_from(sorted(kind.characters)), min_size=smallest, max_size=kind.length)
    short = st.lists(PRINTABLE | AWKWARD, max_size=12).map("".join)
    long = st.tuples(short, st.sampled_from(["x", "*", "'", " ", "é"]), st.integers(0, kind.length)).map(
        lambda parts: parts[0] + parts[1] * parts[2] + "."
    )
    return (
        (short | long)
        .map(lambda text: text.rstrip(" "))
        .filter(lambda text: _fits(kind, text) and len(text) >= smallest)
    )


def values(kind: Kind) -> st.SearchStrategy[Value]:
    """Values of one kind."""
    if isinstance(kind, Custom):
        return CUSTOM
    if isinstance(kind, Number):
        plain = st.integers(kind.low, kind.high)
        return plain | st.sampled_from(list(kind.names)) if kind.names else plain
    if isinstance(kind, Choice):
        chosen = st.sampled_from(list(kind.names))
        return chosen | st.integers(*kind.numbers) if kind.numbers else chosen
    if isinstance(kind, Bits):
        return st.sets(st.sampled_from(list(kind.bits.values()))).map(sum)
    if isinstance(kind, Kilobytes):
        return st.integers(kind.low, kind.high)
    if isinstance(kind, Interval):
        return st.integers(-1 if kind.inherit else 0, kind.LIMIT)
    if isinstance(kind, ByteText):
        return st.text(st.sampled_from("0123456789ABCDEF.[]_ "), max_size=kind.length).map(
            lambda text: text.rstrip(" ")
        )
    if isinstance(kind, Text):
        return texts(kind)
    if isinstance(kind, Hex):
        return st.binary(min_size=kind.length, max_size=kind.length)
    if isinstance(kind, Pair):
        return st.tuples(st.integers(-1, 999999999), st.integers(-1, 999999999))
    assert isinstance(kind, ListOf)
    inner = kind.item
    most = min(kind.most, 6)
    if isinstance(inner, Text):
        return st.lists(texts(inner, 1).filter(lambda text: bool(text.strip())), max_size=most).map(tuple)
    return st.lists(values(inner), min_size=1, max_size=most).map(lambda items: kind.gather(items))


def accepted(spec: AttributeSpec) -> st.SearchStrategy[Value]:
    """Values that one attribute takes, which is only its default where Kew does not act on it."""
    if spec.keyword == "SSLCIPH":
        return st.sampled_from(["", *CIPHER_SPECS])
    return st.just(spec.default) if spec.refused else values(spec.kind)


def object_names(kind: ObjectType) -> st.SearchStrategy[str]:
    """Names that an object of a type may have."""
    assert kind.name_spec is not None
    name_kind = kind.name_spec.kind
    if isinstance(name_kind, Number):
        return st.integers(name_kind.low, name_kind.high).map(str)
    assert isinstance(name_kind, Text)
    return texts(name_kind, 1).filter(lambda name: bool(name.strip()))


@st.composite
def definitions(draw: st.DrawFn) -> Definition:
    """Objects of any type with any values, on which a queue manager may have set nothing yet."""
    kind = draw(st.sampled_from(DEFINED))
    chosen = draw(st.sets(st.sampled_from([spec.keyword for spec in kind.definable()]), max_size=12))
    given = {keyword: draw(accepted(kind[keyword])) for keyword in sorted(chosen)}
    if kind.name == "AUTHREC":
        given["ENTITY"] = draw(texts(Text(64), 1).filter(lambda text: bool(text.strip())))
    return Definition(kind, draw(object_names(kind)), given)


def heeded(definition: Definition) -> Definition:
    """The object without what the engine does not heed yet, and with what it must find."""
    values = {
        spec.keyword: spec.default if spec.pending or spec.role == KEEP else definition[spec.keyword]
        for spec in definition.kind.attributes
        if spec.stored
    }
    if definition.kind.family == "QUEUE" and "STGCLASS" in values:
        values["STGCLASS"] = "DEFAULT"
    if values.get("STREAMQ") == definition.name:  # a queue cannot stream to itself
        values["STREAMQ"] = ""
    if definition.kind.family == "STGCLASS":
        values["PSID"] = 1
    if definition.kind.family == "AUTHREC":  # each authority that the type of object has, once
        about = definition.integer("OBJTYPE")
        given = rights.expand(definition.numbers("AUTHLIST"), about)
        values["AUTHLIST"] = rights.numbers(given & rights.applicable(about))
    if definition.kind.name == "BLOCKUSER":  # each user, once
        values["USERLIST"] = tuple(dict.fromkeys(definition.texts("USERLIST")))
    for keyword, usable in USABLE.items():
        if values.get(keyword):
            values[keyword] = usable
    return Definition(definition.kind, definition.name, values)


def agrees(definition: Definition) -> bool:
    """Whether the attributes of an object go together."""
    try:
        check(definition)
        if definition.kind.family == "AUTHREC":
            Profile(definition.name)
            return definition.integer("OBJTYPE") != MQOT_Q_MGR  # whose profile has a name of its own
    except (BadDefinition, BadProfile):
        return False
    return True
