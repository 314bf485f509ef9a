"""Conversion of message data between character sets and encodings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes import options as o
from kew.codes import reasons as r
from kew.formats import mqdlh, mqmde, mqrfh2, mqtm, mqxqh, pcf
from kew.formats.binary import BIG, LITTLE
from kew.formats.conversion import LAYOUTS, TRIGGER, Data, NotConverted, convert
from kew.formats.mqmd import MessageDescriptor

ASCII, EBCDIC, UTF_8, UTF_16 = 819, 500, 1208, 1200
NATIVE, MAINFRAME = 546, 785
EVERYWHERE = [(EBCDIC, MAINFRAME), (UTF_8, 273), (1047, NATIVE), (850, MAINFRAME)]


def turned(message: Data, ccsid: int, encoding: int) -> Data:
    """Convert there and back; what comes back is what went."""
    there = convert(message, ccsid, encoding)
    back = convert(there, message.ccsid, message.encoding)
    assert (back.data, back.ccsid, back.encoding) == (message.data, message.ccsid, message.encoding)
    return there


def text(value: str, ccsid: int = ASCII, encoding: int = NATIVE) -> Data:
    return Data(o.MQFMT_STRING, ccsid, encoding, value.encode("latin-1"))


def test_text() -> None:
    assert turned(text("Grün"), EBCDIC, MAINFRAME).data == "Grün".encode("cp500")
    assert turned(text("Grün"), UTF_8, NATIVE).data == "Grün".encode()
    assert turned(text("Grün"), UTF_16, NATIVE).data == "Grün".encode("utf-16-le")
    assert turned(text("Grün"), UTF_16, MAINFRAME).data == "Grün".encode("utf-16-be")
    swapped = convert(Data(o.MQFMT_STRING, UTF_16, NATIVE, "ü".encode("utf-16-le")), UTF_16, MAINFRAME)
    assert swapped.data == "ü".encode("utf-16-be")
    same = text("x")
    assert convert(same, ASCII, NATIVE) is same


def test_what_the_target_lacks_is_substituted() -> None:
    message = Data(o.MQFMT_STRING, UTF_8, NATIVE, "5 € für 日本".encode())
    assert convert(message, ASCII, NATIVE).data == b"5 \x1a f\xfcr \x1a\x1a"
    assert convert(message, EBCDIC, NATIVE).data == "5 \x1a für \x1a\x1a".encode("cp500")


@pytest.mark.parametrize(
    ("message", "ccsid", "encoding", "reason"),
    [
        (Data(o.MQFMT_NONE, ASCII, NATIVE, b"x"), EBCDIC, NATIVE, r.MQRC_FORMAT_ERROR),
        (Data(o.MQFMT_NONE, ASCII, NATIVE, b"x"), ASCII, MAINFRAME, r.MQRC_FORMAT_ERROR),
        (Data(b"MINE    ", ASCII, NATIVE, b"x"), EBCDIC, NATIVE, r.MQRC_FORMAT_ERROR),
        (text("x", 9999), EBCDIC, NATIVE, r.MQRC_SOURCE_CCSID_ERROR),
        (text("x", 0), EBCDIC, NATIVE, r.MQRC_SOURCE_CCSID_ERROR),
        (text("x"), 9999, NATIVE, r.MQRC_TARGET_CCSID_ERROR),
        (Data(o.MQFMT_STRING, UTF_8, NATIVE, b"\xff"), ASCII, NATIVE, r.MQRC_NOT_CONVERTED),
        (Data(o.MQFMT_DEAD_LETTER_HEADER, ASCII, NATIVE, b"DLH "), EBCDIC, NATIVE, r.MQRC_DLH_ERROR),
        (Data(o.MQFMT_DEAD_LETTER_HEADER, ASCII, NATIVE, bytes(200)), EBCDIC, NATIVE, r.MQRC_DLH_ERROR),
        (Data(o.MQFMT_TRIGGER, ASCII, NATIVE, b"TM  "), EBCDIC, NATIVE, r.MQRC_TM_ERROR),
        (Data(o.MQFMT_RF_HEADER_2, ASCII, NATIVE, b"RFH \2\0\0\0\1\0\0\0" + bytes(24)), EBCDIC, 1, r.MQRC_RFH_ERROR),
        (Data(o.MQFMT_EVENT, ASCII, NATIVE, b"x" * 40), EBCDIC, NATIVE, r.MQRC_FORMAT_ERROR),
        (Data(o.MQFMT_TRIGGER, ASCII, 0, b"TM  "), EBCDIC, NATIVE, r.MQRC_SOURCE_INTEGER_ENC_ERROR),
        (Data(o.MQFMT_TRIGGER, ASCII, NATIVE, b"TM  "), EBCDIC, 0, r.MQRC_TARGET_INTEGER_ENC_ERROR),
        (Data(o.MQFMT_TRIGGER, ASCII, NATIVE, b"TM  "), UTF_16, NATIVE, r.MQRC_TARGET_CCSID_ERROR),
    ],
)
def test_what_cannot_be_converted(message: Data, ccsid: int, encoding: int, reason: int) -> None:
    with pytest.raises(NotConverted) as refused:
        convert(message, ccsid, encoding)
    assert refused.value.reason == reason


def test_lengths_of_the_formats() -> None:
    lengths = {name: [layout.length for layout in layouts] for name, layouts in LAYOUTS.items()}
    assert lengths == {
        o.MQFMT_DEAD_LETTER_HEADER: [mqdlh.LENGTH],
        o.MQFMT_MD_EXTENSION: [mqmde.LENGTH],
        o.MQFMT_XMIT_Q_HEADER: [mqxqh.LENGTH],
        o.MQFMT_CICS: [164, 180],
        o.MQFMT_IMS: [84],
        o.MQFMT_WORK_INFO_HEADER: [120],
        o.MQFMT_RF_HEADER_1: [32],
        o.MQFMT_RF_HEADER_2: [mqrfh2.LENGTH_FIXED],
        o.MQFMT_REF_MSG_HEADER: [108],
        o.MQFMT_DIST_HEADER: [48],
    }
    assert TRIGGER.length == mqtm.LENGTH


@pytest.mark.parametrize(("ccsid", "encoding"), EVERYWHERE)
def test_a_dead_letter_with_text(ccsid: int, encoding: int) -> None:
    header = mqdlh.DeadLetterHeader(2051, b"Q".ljust(48), b"QM1".ljust(48), NATIVE, ASCII, o.MQFMT_STRING, 6)
    data = mqdlh.encode(header) + "Grün".encode("latin-1")
    found = turned(Data(o.MQFMT_DEAD_LETTER_HEADER, ASCII, NATIVE, data), ccsid, encoding)
    order = BIG if encoding & 15 == 1 else LITTLE
    assert int.from_bytes(found.data[8:12], "big" if order == BIG else "little") == 2051
    text_of = convert(found, UTF_8, NATIVE)
    back = mqdlh.decode(text_of.data)
    assert (back.destination_queue, back.ccsid, back.encoding) == (b"Q".ljust(48), UTF_8, NATIVE)
    assert text_of.data[mqdlh.LENGTH :] == "Grün".encode()


@pytest.mark.parametrize(("ccsid", "encoding"), EVERYWHERE)
def test_headers_behind_each_other(ccsid: int, encoding: int) -> None:
    folders = ["<usr><a>grün</a></usr>"]
    body = "<ü>".encode("latin-1")
    second = mqrfh2.encode(mqrfh2.RulesHeader(NATIVE, ASCII, o.MQFMT_STRING, 0, UTF_8, folders)) + body
    extension = mqmde.encode(mqmde.DescriptorExtension(NATIVE, ASCII, o.MQFMT_RF_HEADER_2, 0, b"g" * 24, 7)) + second
    address = mqxqh.encode(
        mqxqh.TransmissionHeader(
            b"REMOTE".ljust(48),
            b"QM2".ljust(48),
            MessageDescriptor(format=o.MQFMT_MD_EXTENSION, ccsid=ASCII, encoding=NATIVE),
        )
    )
    message = Data(o.MQFMT_XMIT_Q_HEADER, ASCII, NATIVE, address + extension)
    there = turned(message, ccsid, encoding)
    plain = convert(there, UTF_8, NATIVE)
    found = mqxqh.decode(plain.data)
    assert (found.remote_queue, found.descriptor.format) == (b"REMOTE".ljust(48), o.MQFMT_MD_EXTENSION)
    place = mqxqh.LENGTH
    middle = mqmde.decode(plain.data, place)
    assert (middle.group_id, middle.sequence_number, middle.ccsid) == (b"g" * 24, 7, UTF_8)
    rules = mqrfh2.decode(plain.data, place + mqmde.LENGTH)
    assert rules.folders == folders
    assert plain.data.endswith("<ü>".encode())


def test_data_without_a_format_behind_headers_stays() -> None:
    header = mqrfh2.RulesHeader(NATIVE, ASCII, o.MQFMT_NONE, 0, UTF_8, ["<usr><a>1</a></usr>"])
    found = turned(Data(o.MQFMT_RF_HEADER_2, ASCII, NATIVE, mqrfh2.encode(header) + b"\1\2"), EBCDIC, MAINFRAME)
    assert found.data.endswith(b"\1\2")
    back = mqrfh2.decode(found.data[:0] + convert(found, ASCII, MAINFRAME).data)
    assert (back.ccsid, back.encoding) == (ASCII, NATIVE)


def test_folders_in_16_bit_units_follow_the_encoding() -> None:
    header = mqrfh2.RulesHeader(NATIVE, ASCII, o.MQFMT_NONE, 0, UTF_16, ["<usr><a>ü</a></usr>"])
    found = turned(Data(o.MQFMT_RF_HEADER_2, ASCII, NATIVE, mqrfh2.encode(header)), ASCII, MAINFRAME)
    assert found.data == mqrfh2.encode(header, BIG)


WIDE = [(UTF_16, NATIVE), (UTF_16, MAINFRAME), (13488, NATIVE), (17584, MAINFRAME)]


def wide(value: str, encoding: int) -> bytes:
    return value.encode("utf-16-be" if encoding == MAINFRAME else "utf-16-le")


@pytest.mark.parametrize("names", mqrfh2.NAME_VALUE_CCSIDS)
@pytest.mark.parametrize(("ccsid", "encoding"), WIDE)
@pytest.mark.parametrize(("source", "order"), [(ASCII, LITTLE), (UTF_8, BIG), (37, BIG), (EBCDIC, LITTLE), (1140, BIG)])
def test_a_header_that_cannot_have_the_wanted_character_set(
    source: int, order: str, ccsid: int, encoding: int, names: int
) -> None:
    # the header in the queue manager's own, its folders as they were, and the text as it was asked for
    described = MAINFRAME if order == BIG else NATIVE
    header = mqrfh2.RulesHeader(NATIVE, UTF_8, o.MQFMT_STRING, 0, names, ["<usr><a>gr\u00fcn</a></usr>"])
    data = mqrfh2.encode(header, order)
    plain = convert(Data(o.MQFMT_RF_HEADER_2, ASCII, described, data), source, described)
    message = Data(o.MQFMT_RF_HEADER_2, source, described, plain.data + "Grün".encode())
    found = convert(message, ccsid, encoding)
    assert (found.ccsid, found.encoding, found.format) == (UTF_8, NATIVE, o.MQFMT_RF_HEADER_2)
    assert found.partial
    rules = mqrfh2.decode(found.data)
    assert (rules.ccsid, rules.encoding, rules.format) == (ccsid, encoding, o.MQFMT_STRING)
    assert (rules.folders, rules.name_value_ccsid) == (header.folders, names)
    assert found.data[mqrfh2.encoded_length(found.data) :] == wide("Grün", encoding)
    again = convert(found, source, described)
    assert not again.partial
    assert again.data.endswith(
        "Grün".encode({ASCII: "latin-1", UTF_8: "utf-8", 37: "cp037", 1140: "cp1140"}.get(source, "cp500"))
    )


@pytest.mark.parametrize("names", [819, 0, 500])
def test_folders_in_a_character_set_that_they_cannot_have(names: int) -> None:
    header = mqrfh2.encode(mqrfh2.RulesHeader(NATIVE, ASCII, o.MQFMT_STRING, 0, UTF_8, ["<usr/>"]))
    data = header[:32] + names.to_bytes(4, "little") + header[36:]
    with pytest.raises(NotConverted) as refused:
        convert(Data(o.MQFMT_RF_HEADER_2, ASCII, NATIVE, data), EBCDIC, NATIVE)
    assert refused.value.reason == r.MQRC_SOURCE_CCSID_ERROR


@pytest.mark.parametrize(("ccsid", "encoding"), WIDE)
def test_a_chain_of_headers_that_cannot_have_the_wanted_character_set(ccsid: int, encoding: int) -> None:
    second = mqrfh2.encode(mqrfh2.RulesHeader(NATIVE, ASCII, o.MQFMT_STRING, 0, UTF_8, ["<usr/>"])) + b"text"
    extension = mqmde.encode(mqmde.DescriptorExtension(NATIVE, ASCII, o.MQFMT_RF_HEADER_2, 0, b"g" * 24, 7)) + second
    letter = mqdlh.encode(mqdlh.DeadLetterHeader(2051, b"Q".ljust(48), b"QM1".ljust(48), NATIVE, ASCII, b"MQHMDE  ", 6))
    message = Data(o.MQFMT_DEAD_LETTER_HEADER, ASCII, NATIVE, letter + extension)
    found = convert(convert(message, EBCDIC, MAINFRAME), ccsid, encoding)
    assert (found.ccsid, found.encoding, found.partial) == (UTF_8, NATIVE, True)
    first = mqdlh.decode(found.data)
    assert (first.destination_queue, first.ccsid, first.encoding) == (b"Q".ljust(48), UTF_8, NATIVE)
    middle = mqmde.decode(found.data, mqdlh.LENGTH)
    assert (middle.ccsid, middle.encoding) == (UTF_8, NATIVE)
    last = mqrfh2.decode(found.data, mqdlh.LENGTH + mqmde.LENGTH)
    assert (last.ccsid, last.encoding) == (ccsid, encoding)
    assert found.data.endswith(wide("text", encoding))


def test_a_header_in_16_bit_units_is_no_header() -> None:
    header = mqrfh2.encode(mqrfh2.RulesHeader(NATIVE, ASCII, o.MQFMT_STRING, 0, UTF_8, ["<usr/>"]))
    with pytest.raises(NotConverted) as refused:
        convert(Data(o.MQFMT_RF_HEADER_2, UTF_16, NATIVE, header), ASCII, NATIVE)
    assert refused.value.reason == r.MQRC_SOURCE_CCSID_ERROR


def test_names_and_values_of_version_1_grow() -> None:
    fixed = b"RFH " + b"".join(n.to_bytes(4, "little") for n in (1, 44, NATIVE, ASCII)) + b"MQSTR   " + bytes(4)
    names = "grün für üüü".encode("latin-1")
    found = convert(Data(o.MQFMT_RF_HEADER_1, ASCII, NATIVE, fixed + names + b"x"), UTF_8, NATIVE)
    assert int.from_bytes(found.data[8:12], "little") == 32 + 20
    assert found.data[32:52] == "grün für üüü".encode().ljust(20)
    assert found.data[52:] == b"x"
    spare = Data(o.MQFMT_RF_HEADER_1, ASCII, NATIVE, fixed + "grün für    ".encode("latin-1"))
    assert convert(spare, UTF_8, NATIVE).data == fixed + "grün für  ".encode(), "its blanks make room"


def test_what_is_behind_a_null_in_a_field_is_not_significant() -> None:
    name = ("ü" * 20 + "\0").encode("latin-1").ljust(48, b"\xfc")
    header = mqdlh.DeadLetterHeader(0, name, b" " * 48, NATIVE, ASCII, o.MQFMT_NONE)
    found = convert(Data(o.MQFMT_DEAD_LETTER_HEADER, ASCII, NATIVE, mqdlh.encode(header)), UTF_8, NATIVE)
    assert mqdlh.decode(found.data).destination_queue == ("ü" * 20).encode().ljust(48)


def test_a_rules_header_of_version_1() -> None:
    fixed = b"RFH " + b"".join(n.to_bytes(4, "little") for n in (1, 48, NATIVE, ASCII)) + b"MQSTR   " + bytes(4)
    found = turned(Data(o.MQFMT_RF_HEADER_1, ASCII, NATIVE, fixed + b"OPT_APP_GRP ABC " + b"x"), EBCDIC, MAINFRAME)
    assert found.data[32:] == "OPT_APP_GRP ABC x".encode("cp500")


@pytest.mark.parametrize(("format", "length"), [(o.MQFMT_CICS, 164), (o.MQFMT_CICS, 180), (o.MQFMT_IMS, 84)])
def test_bridges(format: bytes, length: int) -> None:
    name = LAYOUTS[format][0].struc_id.encode()
    numbers = b"".join(n.to_bytes(4, "little") for n in (1, length, NATIVE, ASCII))
    data = (name + numbers + b"MQSTR   ").ljust(length, b" ") + b"text"
    found = turned(Data(format, ASCII, NATIVE, data), EBCDIC, MAINFRAME)
    assert found.data[:4] == name.decode().encode("cp500")
    assert found.data[length:] == "text".encode("cp500")
    unset = data[:12] + bytes(8) + data[20:]  # what such a header says of the data behind it means nothing
    assert convert(Data(format, ASCII, NATIVE, unset), EBCDIC, MAINFRAME).data[length:] == "text".encode("cp500")
    wrong = data[:12] + (785).to_bytes(4, "little") + (500).to_bytes(4, "little") + data[20:]
    assert convert(Data(format, ASCII, NATIVE, wrong), UTF_8, MAINFRAME).data[length:] == b"text"
    with pytest.raises(NotConverted) as refused:
        convert(Data(format, ASCII, NATIVE, data), UTF_16, NATIVE)
    assert refused.value.reason == r.MQRC_TARGET_CCSID_ERROR, "it could not say so of the data behind it"


def reference(strings: list[bytes], body: bytes) -> bytes:
    """A reference message header with its strings, in this order and one behind the other."""
    places: list[int] = []
    end = 108
    for value in strings:
        places += [len(value), end if value else 0]
        end += len(value)
    end += -end % 4
    numbers = b"".join(n.to_bytes(4, "little") for n in (1, end, NATIVE, ASCII))
    rest = b"".join(n.to_bytes(4, "little") for n in (*places, 4, 5, 0))
    fixed = b"RMH " + numbers + b"MQSTR   " + bytes(4) + b"FLATFILE" + b"i" * 24 + rest
    return (fixed + b"".join(strings)).ljust(end) + body


@pytest.mark.parametrize(("ccsid", "encoding"), EVERYWHERE)
def test_a_reference_to_a_file(ccsid: int, encoding: int) -> None:
    names = ["/tmp/gr\u00fcn".encode("latin-1"), b"ENV", b"", b"/tmp/there"]
    message = Data(o.MQFMT_REF_MSG_HEADER, ASCII, NATIVE, reference(names, b"text"))
    there = turned(message, ccsid, encoding)
    plain = convert(there, UTF_8, NATIVE)
    expected = [value.decode("latin-1").encode() for value in names]
    assert plain.data[64:] == reference(expected, b"text")[64:]
    wide_one = convert(there, UTF_16, MAINFRAME)
    assert (wide_one.ccsid, wide_one.partial) == (UTF_8, True)
    assert wide_one.data[64:] == reference(expected, wide("text", MAINFRAME))[64:]
    for length, offset in ((5, 1000), (-1, 108), (5, 4), (1 << 30, 108)):
        damage = b"".join(n.to_bytes(4, "little", signed=True) for n in (length, offset))
        damaged = message.data[:64] + damage + message.data[72:]
        with pytest.raises(NotConverted) as refused:
            convert(Data(o.MQFMT_REF_MSG_HEADER, ASCII, NATIVE, damaged), EBCDIC, NATIVE)
        assert refused.value.reason == r.MQRC_RMH_ERROR


@pytest.mark.parametrize(("ccsid", "encoding"), [*EVERYWHERE, (UTF_16, NATIVE)])
def test_variable_strings_of_ims(ccsid: int, encoding: int) -> None:
    words = ["gr\u00fcn", "", "x" * 300]
    data = b"".join((len(word) + 4).to_bytes(2, "little") + b"\3\0" + word.encode("latin-1") for word in words)
    there = turned(Data(o.MQFMT_IMS_VAR_STRING, ASCII, NATIVE, data), ccsid, encoding)
    plain = convert(there, UTF_8, MAINFRAME)
    encoded = [word.encode() for word in words]
    assert plain.data == b"".join((len(word) + 4).to_bytes(2, "big") + b"\3\0" + word for word in encoded)


@pytest.mark.parametrize("data", [b"\0", b"\3\0\0\0", b"\0\0\0\0", b"\5\0\0\0", b"\4\0\0\0\1"])
def test_damaged_variable_strings_of_ims(data: bytes) -> None:
    with pytest.raises(NotConverted) as refused:
        convert(Data(o.MQFMT_IMS_VAR_STRING, ASCII, NATIVE, data), EBCDIC, NATIVE)
    assert refused.value.reason == r.MQRC_FORMAT_ERROR


def test_a_distribution_list() -> None:
    numbers = (1, 48 + 2 * 96 + 2 * 28, NATIVE, ASCII)
    head = b"DH  " + b"".join(n.to_bytes(4, "little") for n in numbers) + b"MQSTR   "
    head += b"".join(n.to_bytes(4, "little") for n in (0, 1 | 8, 2, 48, 48 + 2 * 96))
    names = b"".join(name.ljust(48) for name in (b"Q1", b"QM1", b"Q2", b"QM2"))
    records = (b"m" * 24 + b"\7\0\0\0") * 2
    found = turned(Data(o.MQFMT_DIST_HEADER, ASCII, NATIVE, head + names + records + b"text"), EBCDIC, MAINFRAME)
    assert found.data[48:50] == "Q1".encode("cp500")
    assert found.data[48 + 2 * 96 :][:28] == b"m" * 24 + b"\0\0\0\7"
    assert found.data.endswith("text".encode("cp500"))
    damaged = head.replace((48).to_bytes(4, "little") + (240).to_bytes(4, "little"), b"\xff\xff\0\0" * 2)
    with pytest.raises(NotConverted) as refused:
        convert(Data(o.MQFMT_DIST_HEADER, ASCII, NATIVE, damaged + names + records), EBCDIC, MAINFRAME)
    assert refused.value.reason == r.MQRC_DH_ERROR


@pytest.mark.parametrize("format", [o.MQFMT_ADMIN, o.MQFMT_EVENT, o.MQFMT_PCF])
def test_commands_and_events(format: bytes) -> None:
    message = pcf.PCFMessage(
        pcf.Header(command=44),
        [
            pcf.String(2016, b"QUEUE", 0),
            pcf.String(2017, b"OTHER", ASCII),
            pcf.Integer(1, 5),
            pcf.StringList(3, [b"AB", b"CD"], 0),
            pcf.Group(8001, [pcf.String(2018, b"IN", 0), pcf.ByteString(7001, b"\1\2")]),
        ],
    )
    there = convert(Data(format, ASCII, NATIVE, pcf.encode(message)), EBCDIC, MAINFRAME)
    found = pcf.decode(there.data)
    first, second = found.parameters[0], found.parameters[1]
    assert isinstance(first, pcf.String)
    assert isinstance(second, pcf.String)
    assert (first.value, first.ccsid) == ("QUEUE".encode("cp500"), 0)
    assert (second.value, second.ccsid) == ("OTHER".encode("cp500"), EBCDIC)
    assert pcf.message_order(there.data) == BIG
    back = convert(there, ASCII, NATIVE)
    assert back.data == pcf.encode(message)


@pytest.mark.parametrize(("ccsid", "encoding"), [*EVERYWHERE, *WIDE])
def test_commands_grow_and_shrink(ccsid: int, encoding: int) -> None:
    message = pcf.PCFMessage(
        pcf.Header(command=44),
        [
            pcf.String(2016, "grün".encode(), 0),
            pcf.StringList(3, ["ü ".encode(), b"abc"], UTF_8),
            pcf.StringFilter(4, 5, "für".encode(), 0),
        ],
    )
    there = convert(Data(o.MQFMT_PCF, UTF_8, NATIVE, pcf.encode(message)), ccsid, encoding)
    assert (there.ccsid, there.encoding, there.partial) == (ccsid, encoding, False)
    names = pcf.decode(there.data).parameters[1]
    assert isinstance(names, pcf.StringList)
    assert len({len(value) for value in names.values}) == 1
    back = pcf.decode(convert(there, UTF_8, NATIVE).data)
    first, names, last = back.parameters
    assert isinstance(first, pcf.String)
    assert isinstance(names, pcf.StringList)
    assert isinstance(last, pcf.StringFilter)
    assert (first.value, names.texts(), last.value) == ("grün".encode(), ["ü", "abc"], "für".encode())


def test_a_field_that_grows_too_long() -> None:
    header = mqdlh.DeadLetterHeader(0, ("ü" * 30).encode("latin-1").ljust(48), b" " * 48, NATIVE, ASCII, o.MQFMT_NONE)
    with pytest.raises(NotConverted) as refused:
        convert(Data(o.MQFMT_DEAD_LETTER_HEADER, ASCII, NATIVE, mqdlh.encode(header)), UTF_8, NATIVE)
    assert refused.value.reason == r.MQRC_CONVERTED_STRING_TOO_BIG


@given(
    st.sampled_from([*LAYOUTS, o.MQFMT_TRIGGER, o.MQFMT_EVENT, o.MQFMT_STRING, o.MQFMT_IMS_VAR_STRING]),
    st.binary(max_size=300),
)
def test_no_bytes_crash_it(format: bytes, data: bytes) -> None:
    name = LAYOUTS[format][0].struc_id.encode() if format in LAYOUTS else b""
    for start in (b"", name + b"\1\0\0\0", name + b"\2\0\0\0\x40\0\0\0", name + b"\1\0\0\0\x80\0\0\0"):
        try:
            convert(Data(format, ASCII, NATIVE, start + data), EBCDIC, MAINFRAME)
        except NotConverted as refused:
            assert refused.reason
