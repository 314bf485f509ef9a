"""Every method gives back what it was given, refuses what is not its own, and ranks as the report says."""

import json
import random
import tracemalloc
import zlib
from functools import cache
from string import ascii_letters

import lz4.block
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.channels.protocol.compression import (
    LZ4FAST,
    LZ4HIGH,
    MESSAGE_METHODS,
    NAMES,
    RLE,
    SYSTEM,
    ZLIBFAST,
    ZLIBHIGH,
    CompressionRate,
    compress,
    expand,
)
from kew.channels.protocol.errors import ProtocolError

LIMIT = 1 << 20


@cache
def orders(size: int, seed: int) -> bytes:
    """JSON of the kind applications exchange: a list of orders, cut to a size."""
    choice = random.Random(seed)
    rows: list[str] = []
    length = 0
    while length < size:
        rows.append(
            json.dumps(
                {
                    "orderId": f"{choice.getrandbits(64):016x}",
                    "customer": {"name": choice.choice(NAMES_OF_CUSTOMERS), "account": choice.randrange(10**9)},
                    "placed": f"2026-{choice.randint(1, 12):02d}-{choice.randint(1, 28):02d}T"
                    f"{choice.randint(0, 23):02d}:{choice.randint(0, 59):02d}:{choice.randint(0, 59):02d}Z",
                    "reference": "".join(choice.choices(ascii_letters, k=90)),
                    "price": round(choice.uniform(1, 9999), 2),
                    "status": choice.choice(["NEW", "PAID", "SHIPPED", "RETURNED"]),
                }
            )
        )
        length += len(rows[-1])
    return ('{"orders": [' + ", ".join(rows)).encode()[:size]


NAMES_OF_CUSTOMERS = ("Ada Byron", "Grace Hopper", "Jean Bartik", "Kay McNulty", "Radia Perlman", "Barbara Liskov")


@pytest.mark.parametrize("method", MESSAGE_METHODS, ids=NAMES.__getitem__)
@given(data=st.one_of(st.binary(max_size=2000), st.binary(max_size=4).map(lambda piece: piece * 300)))
def test_round_trip(method: int, data: bytes) -> None:
    assert expand(method, compress(method, data), LIMIT) == data
    if data:
        with pytest.raises(ProtocolError):
            expand(method, compress(method, data), len(data) - 1)


@pytest.mark.parametrize("method", MESSAGE_METHODS, ids=NAMES.__getitem__)
@given(rubbish=st.binary(max_size=300), limit=st.integers(0, 3000))
def test_rubbish_is_refused_or_within_the_limit(method: int, rubbish: bytes, limit: int) -> None:
    try:
        assert len(expand(method, rubbish, limit)) <= limit
    except ProtocolError as refused:
        assert refused.expected


@pytest.mark.parametrize("method", MESSAGE_METHODS, ids=NAMES.__getitem__)
def test_a_bomb_costs_no_more_than_the_limit(method: int) -> None:
    bomb = compress(method, bytes(8_000_000))
    tracemalloc.start()
    with pytest.raises(ProtocolError):
        expand(method, bomb, LIMIT)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * LIMIT


def test_the_formats_are_the_usual_ones() -> None:
    data = orders(20_000, 1)
    for method in (ZLIBFAST, ZLIBHIGH):
        assert zlib.decompress(compress(method, data)) == data
        assert expand(method, zlib.compress(data), LIMIT) == data
    for method in (LZ4FAST, LZ4HIGH):
        assert lz4.block.decompress(compress(method, data), uncompressed_size=len(data)) == data
    assert compress(RLE, b"ab" + b"-" * 300 + b"c") == b"ab\xab-\xff\xab-\x2dc"
    assert compress(RLE, b"\xab\xab-") == b"\xab\xab\xab\xab-"  # as IBM's Java client writes it
    assert expand(RLE, b"\xab\xab\xab\xab-", 10) == b"\xab\xab-"


def test_the_captured_header_of_a_connect() -> None:
    """What IBM's Java client sent for a connect with COMPHDR(SYSTEM)."""
    packed = bytes.fromhex("514d31ab202d42ab201b1cab002307ab0005200046434e4f04ab00ffab000cabff04ab004c")
    plain = expand(SYSTEM, packed, 1000)
    assert len(plain) == 472
    assert plain.startswith(b"QM1" + b" " * 45 + b"B" + b" " * 27 + b"\x1c")
    assert compress(SYSTEM, plain) == packed


def test_unknown_methods() -> None:
    with pytest.raises(ValueError, match="method 64"):
        compress(64, b"")
    with pytest.raises(ProtocolError):
        expand(64, b"", LIMIT)


def rate(method: int, size: int) -> float:
    counted = CompressionRate()
    for seed in range(5):
        data = orders(size, seed)
        counted.count(len(data), len(compress(method, data)))
    return 100.0 * (counted.before - counted.after) / counted.before


@pytest.mark.parametrize("size", [2_000, 20_000, 200_000])
def test_rates_on_json_rank_as_in_the_report(size: int) -> None:
    """The report's order: ZLIBHIGH, ZLIBFAST, LZ4HIGH, LZ4FAST, at each of the three sizes."""
    rates = {method: rate(method, size) for method in (ZLIBHIGH, ZLIBFAST, LZ4HIGH, LZ4FAST)}
    assert sorted(rates, key=lambda method: -rates[method]) == [ZLIBHIGH, ZLIBFAST, LZ4HIGH, LZ4FAST], rates
    assert rates[LZ4FAST] >= 15


def test_larger_messages_compress_better() -> None:
    for method in (ZLIBHIGH, ZLIBFAST, LZ4HIGH, LZ4FAST):
        rates = [rate(method, size) for size in (2_000, 20_000, 200_000)]
        assert rates == sorted(rates)


def test_compression_rate() -> None:
    counted = CompressionRate()
    assert counted.percent == counted.recent_percent == 0
    counted.count(1000, 1000)
    assert counted.percent == 0
    for _ in range(200):
        counted.count(1000, 400)
    assert counted.percent == counted.recent_percent == 60
    for _ in range(50):
        counted.count(1000, 900)
    assert counted.percent == 50
    assert 10 <= counted.recent_percent < 25
    counted.count(10, 10_000_000)
    assert counted.percent == 0
