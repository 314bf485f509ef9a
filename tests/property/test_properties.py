"""Properties through a header and back: as properties, as a selection string sees them, and as a get gives them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kew.codes import options as o
from kew.formats.binary import BIG, LITTLE
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import Framed, Property, Scalar, take_apart, with_properties, without_properties
from kew.mqi.messages.propertycontrol import apply_property_control
from kew.selection.fields import MessageFields

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
VALUES = st.one_of(
    st.tuples(st.just(o.MQTYPE_STRING), TEXT),
    st.tuples(st.just(o.MQTYPE_BOOLEAN), st.booleans()),
    st.tuples(st.just(o.MQTYPE_BYTE_STRING), st.binary(max_size=6)),
    st.tuples(st.just(o.MQTYPE_INT8), st.integers(-128, 127)),
    st.tuples(st.just(o.MQTYPE_INT64), st.integers(-(1 << 63), (1 << 63) - 1)),
    st.tuples(st.just(o.MQTYPE_FLOAT64), st.floats(allow_nan=False)),
    st.tuples(st.just(o.MQTYPE_NULL), st.none()),
)
# One level of folders and groups: names that would be a value and a group at once do not come up.
NAMES = st.sampled_from(["a", "b", "größe", "shop.a", "shop.b", "shop.till.a", "shop.till.b", "mq_usr.c", "jms.Cid"])
COPIES = st.sampled_from([o.MQCOPY_DEFAULT, o.MQCOPY_NONE, o.MQCOPY_ALL, o.MQCOPY_REPLY | o.MQCOPY_REPORT])


@st.composite
def properties(draw: st.DrawFn) -> list[Property]:
    made = []
    for name in draw(st.lists(NAMES, unique=True, max_size=6)):
        kind, value = draw(VALUES)
        item = Property(name, kind, value)
        item.copies = draw(COPIES)
        item.context = draw(st.sampled_from([o.MQPD_NO_CONTEXT, o.MQPD_USER_CONTEXT]))
        made.append(item)
    return made


def facts(items: list[Property]) -> list[tuple[str, int, Scalar, int, int]]:
    return sorted(
        [(item.name, item.kind, item.value, item.copies, item.context) for item in items], key=lambda it: it[0]
    )


@settings(max_examples=200, deadline=None)
@given(properties(), st.sampled_from([LITTLE, BIG]), st.binary(max_size=20))
def test_there_and_back(items: list[Property], order: str, body: bytes) -> None:
    plain = Framed(b"MQSTR   ", 819, 546, body)
    framed = with_properties(items, plain, order, 546)
    carried = take_apart(framed.format, framed.ccsid, framed.encoding, framed.data)
    assert facts(carried.properties) == facts(items)
    rest = without_properties(carried, framed.ccsid, framed.encoding)
    assert (rest.format, rest.ccsid, rest.encoding, rest.data) == (b"MQSTR   ", 819, 546, body)


@settings(max_examples=100, deadline=None)
@given(properties(), st.sampled_from([LITTLE, BIG]))
def test_selection_and_gets_see_the_same(items: list[Property], order: str) -> None:
    framed = with_properties(items, Framed(b"MQSTR   ", 819, 546, b"body"), order, 546)
    descriptor = MessageDescriptor(format=framed.format, ccsid=framed.ccsid, encoding=framed.encoding)
    fields = MessageFields(descriptor, framed.data, 0)
    for item in items:
        assert fields.property(item.name) == item.value
    if items:
        assert apply_property_control(o.MQGMO_PROPERTIES_FORCE_MQRFH2, 0, descriptor, framed.data) == framed.data
        assert apply_property_control(o.MQGMO_NO_PROPERTIES, 0, descriptor, framed.data) == b"body"
        assert (descriptor.format, descriptor.ccsid) == (b"MQSTR   ", 819)
