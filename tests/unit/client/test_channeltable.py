"""Client channel definition tables."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.client.channeltable import MAX_SIZE, ClientChannel, channels_to, load_table, parse_table
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_CHANNEL_CONFIG_ERROR, MQRC_Q_MGR_NAME_ERROR


def entry(name: str, queue_manager: str = "QM1", weight: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "type": "clientConnection",
        "clientConnection": {"connection": [{"host": "a", "port": 1415}, {"host": "b"}], "queueManager": queue_manager},
        "connectionManagement": {"clientWeight": weight},
        **more,
    }


def table(*entries: dict[str, Any]) -> list[ClientChannel]:
    return parse_table(json.dumps({"channel": list(entries)}).encode())


def test_what_a_channel_says() -> None:
    found = table(
        entry("APP", transmissionSecurity={"cipherSpecification": "ANY_TLS12", "certificatePeerName": "CN=x"}),
        {**entry("OTHER"), "type": "sender"},
    )
    assert [each.name for each in found] == ["APP"]
    assert found[0].connection_name == "a(1415),b(1414)"
    assert (found[0].cipher, found[0].peer_name) == ("ANY_TLS12", "CN=x")
    assert (found[0].heartbeat, found[0].conversations, found[0].affinity) == (300, 10, "preferred")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"channels": []}, "unknown key 'channels' in the table; known: channel, version"),
        ({"channel": [entry("A", conection=1)]}, "unknown key 'conection' in channel; known: name, type,"),
        ({"channel": [entry("A", connectionManagement={"weight": 1})]}, "unknown key 'weight' in connectionManagement"),
        (
            {"channel": [entry("A", transmissionSecurity={"cipherSpec": "X"})]},
            "unknown key 'cipherSpec' in transmissionSecurity; known: certificateLabel, certificatePeerName, cipherSp",
        ),
        (
            {"channel": [{"name": "A", "clientConnection": {"connection": [{"hots": "a"}]}}]},
            "unknown key 'hots' in connection; known: host, port",
        ),
    ],
)
def test_a_misspelt_key_is_named_with_those_that_are_known(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(MQError) as failure:
        parse_table(json.dumps(wrong).encode())
    assert failure.value.reason == MQRC_CHANNEL_CONFIG_ERROR
    assert said in str(failure.value)


def test_a_table_with_all_that_mq_writes_is_read() -> None:
    found = parse_table(
        json.dumps(
            {
                "$schema": "x",
                "channel": [
                    entry(
                        "A",
                        general={"description": "d", "maximumMessageLength": 4194304},
                        compression={"header": ["none"], "message": ["none"]},
                        exits={"receive": [], "security": {"name": "", "userData": ""}, "send": []},
                        timestamps={"altered": "2024-07-01T12:00:00.000Z"},
                        transmissionSecurity={"certificateLabel": "", "cipherSpecification": ""},
                        connectionManagement={"defaultReconnect": "no", "keepAliveInterval": -1, "localAddress": []},
                    )
                ],
            }
        ).encode()
    )
    assert found[0].name == "A"


def test_the_order_to_be_tried() -> None:
    channels = table(entry("B"), entry("A"), entry("HEAVY", weight=99), entry("LIGHT", weight=1), entry("G", "GROUP"))
    chance = random.Random(7)
    orders = [[each.name for each in channels_to(channels, "QM1", chance)] for _ in range(200)]
    assert all(order[:2] == ["A", "B"] for order in orders)
    assert sum(order[2] == "HEAVY" for order in orders) > 180
    assert [each.name for each in channels_to(channels, "*GROUP")] == ["G"]
    with pytest.raises(MQError) as failure:
        channels_to(channels, "")
    assert failure.value.reason == MQRC_Q_MGR_NAME_ERROR


def test_where_a_table_may_be(tmp_path: Path) -> None:
    path = tmp_path / "a table.json"
    path.write_text(json.dumps({"channel": [entry("APP")]}))
    assert load_table(str(path))[0].name == "APP"
    assert load_table(path.as_uri())[0].name == "APP"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"channel": {}}',
        b'{"channel": [1]}',
        b'{"channel": [{"name": "A"}]}',
        b'{"channel": [{"name": 5}]}',
        b"[" * 100_000,
        json.dumps({"channel": [entry("A", weight=100)]}).encode(),
        json.dumps({"channel": [entry("A", clientConnection={"connection": [{"port": 5}]})]}).encode(),
        json.dumps({"channel": [entry("A", clientConnection={"connection": [{"host": "h", "port": 0}]})]}).encode(),
        json.dumps({"channel": [entry("A", clientConnection=5)]}).encode(),
    ],
)
def test_tables_that_are_none(data: bytes) -> None:
    with pytest.raises(MQError) as failure:
        parse_table(data)
    assert failure.value.reason == MQRC_CHANNEL_CONFIG_ERROR


def test_tables_that_cannot_be_read(tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.write_bytes(b" " * (MAX_SIZE + 1))
    for location in (str(tmp_path / "nothing"), str(big), "ftp://host/table", "http://127.0.0.1:1/table"):
        with pytest.raises(MQError) as failure:
            load_table(location)
        assert failure.value.reason == MQRC_CHANNEL_CONFIG_ERROR


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)))
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        parse_table(json.dumps({"channel": value}).encode())
    except MQError as error:
        assert error.reason == MQRC_CHANNEL_CONFIG_ERROR
