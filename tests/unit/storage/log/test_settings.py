from typing import Any

import pytest

from kew.storage.log import LogDirectories, LogSettings, LogSettingsError


def test_the_defaults_are_those_of_the_seeds() -> None:
    settings = LogSettings()
    assert (settings.file_pages, settings.primary, settings.secondary, settings.buffer_pages) == (4096, 3, 2, 512)
    assert (settings.log_type, settings.write_integrity, settings.dual) == ("circular", "TripleWrite", False)
    assert settings.extent_bytes == 16 * 1024 * 1024


@pytest.mark.parametrize(
    "good",
    [
        {"file_pages": 64},
        {"file_pages": 65535},
        {"primary": 2},
        {"primary": 310, "secondary": 201},
        {"secondary": 1},
        {"secondary": 508},
        {"buffer_pages": 18},
        {"buffer_pages": 4096},
        {"primary": 64, "file_pages": 32767, "buffer_pages": 4096},
    ],
)
def test_limits_are_allowed(good: dict[str, Any]) -> None:
    LogSettings(**good)


@pytest.mark.parametrize(
    ("key", "value", "allowed"),
    [
        ("file_pages", 63, "64 to 65535"),
        ("file_pages", 65536, "64 to 65535"),
        ("primary", 1, "2 to 310"),
        ("primary", 311, "2 to 310"),
        ("secondary", 0, "1 to 509"),
        ("secondary", 509, "at most 511"),
        ("buffer_pages", 17, "18 to 4096"),
        ("buffer_pages", 4097, "18 to 4096"),
        ("buffer_pages", "512", "18 to 4096"),
        ("primary", True, "2 to 310"),
        ("log_type", "round", "circular, linear"),
        ("write_integrity", "DoubleWrite", "TripleWrite, SingleWrite"),
    ],
)
def test_what_is_not_allowed_is_named(key: str, value: Any, allowed: str) -> None:
    with pytest.raises(LogSettingsError) as refused:
        LogSettings(**{key: value})
    assert refused.value.key == key
    assert refused.value.value == value
    assert allowed in str(refused.value)
    assert f"{key}={value}" in str(refused.value)


def test_the_copies_have_directories_of_their_own() -> None:
    places = LogDirectories.under("/data/QM1/log")
    assert places == LogDirectories("/data/QM1/log/copy1", "/data/QM1/log/copy2", "/data/QM1/log/archive")
