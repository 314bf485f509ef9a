"""A tariff: the prices of processor time, messages and bytes, and the applications that pay for them.

currency = "EUR"

[rates]                  # what is not named costs nothing
cpu_seconds = 0.25
messages = 0.00001
gigabytes = 0.40         # put and got
log_gigabytes = 1.50

[[application]]          # the first that fits pays
name = "Payments"
users = ["PAY*"]
queues = ["PAYMENT.*", "CLEARING.IN"]
"""

import tomllib
from collections.abc import Mapping
from typing import Final

QUANTITIES: Final = ("cpu_seconds", "messages", "gigabytes", "log_gigabytes")
UNMAPPED: Final = "(no application)"
_NAMES: Final = {"users": "user", "jobs": "job", "channels": "channel", "queues": "queue"}


class Application:
    """An application that pays as one: names of users, jobs, channels and queues, as patterns of SQL."""

    def __init__(self, name: str, names: Mapping[str, list[str]]) -> None:
        self.name = name
        self.names = names


class Tariff:
    """Rates by quantity, and applications in the order in which they are looked at."""

    def __init__(
        self,
        currency: str = "",
        rates: Mapping[str, float] | None = None,
        applications: list[Application] | None = None,
    ) -> None:
        self.currency = currency
        self.rates = dict(rates or {})
        self.applications = applications or []


def pattern_of(name: str) -> str:
    """Give a generic name of MQ, in which `*` stands for anything, as a pattern of SQL."""
    quoted = name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return quoted.replace("*", "%")


def read_tariff(text: str) -> Tariff:
    """Read a tariff."""
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"the tariff is not TOML: {problem}") from None
    _only(known, ("currency", "rates", "application"), "the tariff")
    rates = known.get("rates", {})
    currency = known.get("currency", "")
    if not isinstance(rates, dict) or not isinstance(currency, str):
        raise ValueError('the tariff has the form: currency = "EUR", [rates], cpu_seconds = 0.25')
    _only(rates, QUANTITIES, "[rates]")
    for name, rate in rates.items():
        if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 <= rate < float("inf"):
            raise ValueError(f"[rates] {name} = {rate!r}: a rate is a number of at least 0")
    listed = known.get("application", [])
    if not isinstance(listed, list):
        raise ValueError("an application of the tariff begins with [[application]]")
    return Tariff(currency, {name: float(rate) for name, rate in rates.items()}, [_read(one) for one in listed])


def _read(known: object) -> Application:
    if not isinstance(known, dict) or not isinstance(known.get("name"), str) or not known["name"]:
        raise ValueError("an application of the tariff has a name")
    _only(known, ("name", *_NAMES), f"application {known['name']}")
    names: dict[str, list[str]] = {}
    for key, column in _NAMES.items():
        values = known.get(key, [])
        if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
            raise ValueError(f'application {known["name"]}: {key} is a list of names, as ["PAY*"]')
        if values:
            names[column] = [pattern_of(one) for one in values]
    if not names:
        raise ValueError(f"application {known['name']} names no {', '.join(_NAMES)}")
    return Application(known["name"], names)


def _only(known: Mapping[str, object], allowed: tuple[str, ...], where: str) -> None:
    for name in known:
        if name not in allowed:
            raise ValueError(f"{where} has no {name}; there are {', '.join(allowed)}")
