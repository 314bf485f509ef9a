"""Scenarios: workloads as data, checked when they are read.

A file has the values that all its variants share, and a table for each variant with the values that differ:

    title = "Requester and responder on one machine"
    source = "S1 2.1"
    kind = "request-reply"

    [variants.np]
    binding = "fastpath"

`NAME/VARIANT` names one of them. A scenario that needs a function which Kew does not have yet names that function in
`waiting`; the scenario is listed and not run.
"""

import difflib
import tomllib
from dataclasses import dataclass, fields, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

BINDINGS: Final = ("fastpath", "standard", "isolated", "client")
KINDS: Final = ("request-reply", "put-get", "one-way", "verbs", "crowd", "selector", "publish")
BODIES: Final = ("text", "json", "random")
QUALITIES: Final = ("", "BESTEF", "MUSTDUP")
VERBS: Final = ("MQCONN", "MQOPEN", "MQPUT", "MQCMIT", "MQGET", "MQBACK", "MQCLOSE", "MQDISC")
LONGEST: Final = 100 << 20


class ScenarioError(ValueError):
    """A missing scenario, or one with an invalid value."""


@dataclass(frozen=True)
class Workload:
    """A workload, and the queue manager that it needs."""

    kind: str = "request-reply"
    binding: str = "client"
    responder_binding: str = ""  # as `binding` where it is blank
    persistent: bool = False
    size: int = 2048
    body: str = "text"
    clients: tuple[int, ...] = (1, 2, 4, 8, 16)
    quick_clients: tuple[int, ...] = (2,)
    responders: int = 2
    queues: int = 1  # pairs of queues that clients share in turn
    own_reply_queues: bool = False
    correlation: bool = True
    requester_units: bool = False  # puts and gets of requesters, senders and put-get in units of work
    responder_units: bool = False
    batch: int = 1  # messages in a unit of work, of senders and receivers
    drain_batch: int = 1  # number of threads that get copies
    rate: float = 0.0  # units a second of each client; 0 for as fast as it goes
    session: int = 0  # units of a connection, then a new one; 0 for one connection
    consumers: bool = True  # one-way only: a thread gets the messages
    drainers: bool = True  # and the copies
    window: int = 500  # messages that a sender may be ahead of its consumer
    stream: str = ""  # STRMQOS of the queues; blank for no STREAMQ
    subscribers: int = 1  # of publish, for each topic
    capexpry: int = 0  # tenths of a second
    sharecnv: int = 1
    cipher: str = ""
    compression: str = ""
    log_delay: int = 0  # microseconds that each sync of the log takes longer
    log_bandwidth: int = 0  # most MB/s of the log's device; 0 for no limit
    page_sets: int = 0  # page sets that the queues are spread over; 0 for the default one
    messages: int = 1500  # that lie on the queue, of selector
    selector: str = ""
    property_index: str = ""
    mqsc: tuple[str, ...] = ()  # commands before the workload


@dataclass(frozen=True)
class Scenario:
    """A workload with its name, where it comes from, and whether Kew can run it."""

    name: str  # NAME/VARIANT
    title: str
    source: str
    workload: Workload
    picture: str = ""
    waiting: str = ""

    @property
    def group(self) -> str:
        """Give the name of the file that the scenario comes from."""
        return self.name.partition("/")[0]

    @property
    def variant(self) -> str:
        """Give the name of the variant within its file."""
        return self.name.partition("/")[2]


_FIELDS: Final = {each.name: each for each in fields(Workload)}
_TOP: Final = ("title", "source", "picture", "waiting", "variants")


def change(workload: Workload, values: dict[str, Any], where: str) -> Workload:
    """Give the workload with other values, each checked."""
    changed = replace(workload, **{key: _checked(key, value, where) for key, value in values.items()})
    if changed.responder_binding == "fastpath" and changed.binding == "client":
        raise ScenarioError(f"{where}: clients with fastpath responders are not placed")
    return changed


def _checked(key: str, value: Any, where: str) -> Any:
    if key not in _FIELDS:
        near = difflib.get_close_matches(key, _FIELDS, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ScenarioError(f"{where}: there is no setting {key}{hint}")
    default = _FIELDS[key].default
    if isinstance(default, tuple):
        kind = int if "clients" in key else str
        if not isinstance(value, (list, tuple)) or not all(type(each) is kind for each in value):
            raise ScenarioError(f"{where}: {key} is a list of {'numbers' if kind is int else 'texts'}, not {value!r}")
        value = tuple(value)
        if kind is int and not (value and all(0 < each <= 100_000 for each in value)):
            raise ScenarioError(f"{where}: {key} has numbers from 1 to 100000")
        return value
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise ScenarioError(f"{where}: {key} is {_kind_of(default)}, not {value!r}")
    choices = {"kind": KINDS, "binding": BINDINGS, "responder_binding": ("", *BINDINGS), "body": BODIES,
               "stream": QUALITIES}.get(key)  # fmt: skip
    if choices is not None and value not in choices:
        raise ScenarioError(f"{where}: {key} is one of {', '.join(filter(None, choices))}, not {value!r}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        lowest = 1 if key in ("queues", "batch", "drain_batch", "responders", "subscribers", "window") else 0
        highest = LONGEST if key == "size" else 10_000_000
        if not lowest <= value <= highest:
            raise ScenarioError(f"{where}: {key} is from {lowest} to {highest}, not {value:g}")
    return value


def _kind_of(value: object) -> str:
    return {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[type(value)]


def parse(name: str, text: str) -> list[Scenario]:
    """Read the variants of a file."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise ScenarioError(f"{name}: {problem}") from problem
    top = {key: content.pop(key) for key in _TOP if key in content}
    variants = top.pop("variants", {})
    for key in ("title", "source"):
        if not isinstance(top.get(key), str):
            raise ScenarioError(f"{name}: {key} is missing, or no text")
    if not isinstance(variants, dict) or not variants:
        raise ScenarioError(f"{name}: there is no variant")
    shared = change(Workload(), content, name)
    made = []
    for variant, values in variants.items():
        full = f"{name}/{variant}"
        if not isinstance(values, dict):
            raise ScenarioError(f"{full}: a variant is a table")
        values = dict(values)
        waiting = values.pop("waiting", top.get("waiting", ""))
        workload = change(shared, values, full)
        made.append(Scenario(full, top["title"], top["source"], workload, top.get("picture", ""), waiting))
    return made


def load(folder: Path | None = None) -> list[Scenario]:
    """Read all scenarios: those that come with Kew, or those of a folder."""
    place = folder if folder is not None else resources.files("kew.perf") / "scenarios"
    if isinstance(place, Path) and not place.is_dir():
        raise ScenarioError(f"{place} is not a folder")
    found = []
    for entry in sorted(place.iterdir(), key=lambda each: each.name):
        if entry.name.endswith(".toml"):
            found.extend(parse(entry.name.removesuffix(".toml"), entry.read_text(encoding="utf-8")))
    return found


def choose(scenarios: list[Scenario], wanted: str) -> list[Scenario]:
    """Give the scenarios of a name: one variant, or all of a file."""
    chosen = [each for each in scenarios if wanted in (each.name, each.group)]
    if not chosen:
        names = {each.name for each in scenarios} | {each.group for each in scenarios}
        near = difflib.get_close_matches(wanted, sorted(names), 3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise ScenarioError(f"there is no scenario {wanted}.{hint} `kew perf list` shows them all.")
    return chosen


def setting(text: str) -> tuple[str, Any]:
    """Read KEY=VALUE as a user types it; the value is as in a scenario's file, texts also without quotes."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ScenarioError(f"{text!r}: a setting is KEY=VALUE")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()
