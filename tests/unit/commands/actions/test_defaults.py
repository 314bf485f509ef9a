"""Defaults of MQ are accepted wherever they are spelled out; where only part of a command is refused, none is done."""

from pathlib import Path

import pytest
from tests.unit.commands.actions.default_dump import PATTERNS, dump
from tests.unit.commands.actions.running import answer, queue_manager

from kew.commands.actions.guard import check_effective
from kew.commands.actions.outcome import Refusal
from kew.commands.actions.script import Script
from kew.objects.schema import OBJECT_TYPES, AttributeSpec, ObjectType
from kew.objects.schema.values import BadValue, Choice, Value

DEFINED = [kind for kind in OBJECT_TYPES.values() if not kind.status]


def defaults_of(spec: AttributeSpec) -> list[Value]:
    """Kew's default and those of MQ, a beginning with an end of its own."""
    return [spec.default, *[spec.kind.read(text.replace("*", "qm1")) for text in spec.elsewhere]]


def _take(kind: ObjectType, spec: AttributeSpec, value: Value) -> None:
    spec.check(value)
    check_effective(kind, {spec.keyword: value})


@pytest.mark.parametrize("kind", DEFINED, ids=lambda kind: kind.name)
def test_every_default_is_accepted(kind: ObjectType) -> None:
    for spec in kind.definable():
        for value in defaults_of(spec):
            assert spec.read(spec.format(value)) == value, spec.keyword
            for carried in spec.to_pcf(value).values():
                assert spec.kind.from_pcf(carried) == value, spec.keyword
            _take(kind, spec, value)


@pytest.mark.parametrize("kind", DEFINED, ids=lambda kind: kind.name)
def test_what_is_no_default_is_still_refused(kind: ObjectType) -> None:
    for spec in kind.definable():
        if not (spec.refused or spec.pending) or not isinstance(spec.kind, Choice):
            continue
        others = set(spec.kind.names) - {value for value in defaults_of(spec) if isinstance(value, int)}
        for value in others:
            with pytest.raises((BadValue, Refusal)):
                _take(kind, spec, value)


def test_the_dump_of_a_new_queue_manager_of_mq_loads_whole(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        script = Script(running.host.commands)
        said = [line for batch in script.run(dump()) for line in batch]
        assert (script.counts.syntax_errors, script.counts.failed) == (0, 0), said
        assert script.counts.read > len(PATTERNS) + 60
        kept = answer(running, "DISPLAY QMGR ACTIVREC CCSID CERTLABL MAXMSGL")
        assert "ACTIVREC(DISABLED)" in kept
        assert "CCSID(1208)" in kept
        assert "CERTLABL( )" in kept
        assert "NPMCLASS(NORMAL)" in answer(running, "DISPLAY QLOCAL(SYSTEM.BROKER.DEFAULT.STREAM) NPMCLASS")
    told = [line for line in said if "is a default of MQ" in line]
    assert told[0].endswith(
        "ACTIVREC(MSG) is a default of MQ; here it is ACTIVREC(DISABLED): arrives with activity reports"
    )


@pytest.mark.parametrize(
    ("refused", "why"),
    [("ACTIVREC(QUEUE)", "arrives with activity reports"), ("SCYCASE(UPPER)", "profiles keep the case")],
)
def test_the_reply_says_that_nothing_was_done_and_why(tmp_path: Path, refused: str, why: str) -> None:
    with queue_manager(tmp_path) as running:
        said = answer(running, f"ALTER QMGR DESCR('New') {refused} MAXHANDS(7)")
        assert why in said
        assert said.count("Nothing of the command was done.") == 1
        assert refused in said
        assert "DESCR( )" in answer(running, "DISPLAY QMGR DESCR")
        assert "Nothing" not in answer(running, f"ALTER QMGR {refused}")
