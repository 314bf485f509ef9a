"""Scenarios are checked when they are read."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.commands.mqsc.parser import parse_text
from kew.perf.plan import make_plan
from kew.perf.scenario import Scenario, ScenarioError, Workload, change, choose, load, parse, setting

HEAD = 'title = "T"\nsource = "S"\n'
ALL = load()


def test_kew_brings_the_workloads_of_the_reports() -> None:
    groups = {each.group for each in ALL}
    assert {"local", "client", "rr_cc", "streaming", "tls", "compression", "mqi", "logging", "selector"} <= groups
    names = {each.variant for each in ALL}
    assert {"local_np", "local_np_nt", "local_pm_200K", "clnp_sc0", "clpm_sc1_2M", "clnp_r3600", "clnp_ss_sc1"} <= names
    assert len({each.name for each in ALL}) == len(ALL)


@pytest.mark.parametrize("scenario", ALL, ids=lambda each: each.name)
def test_every_scenario_can_be_planned(scenario: Scenario) -> None:
    for clients in (scenario.workload.clients[0], scenario.workload.quick_clients[-1]):
        plan = make_plan(scenario.workload, clients)
        slots = [thread["slot"] for thread in plan.threads]
        assert slots == list(range(len(slots)))
        assert 0 < plan.measured <= plan.slots
        assert sum(map(len, plan.places().values())) == len(plan.threads)
        for command in [*scenario.workload.mqsc, *plan.commands, *plan.delete_commands()]:
            parse_text(command)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[variants.a]\nsizze = 1", "there is no setting sizze; did you mean size?"),
        ("[variants.a]\nsize = 'big'", "size is a whole number"),
        ("[variants.a]\nsize = true", "size is a whole number"),
        ("[variants.a]\nsize = 104857601", "size is from 0 to 104857600"),
        ("[variants.a]\nbinding = 'wlan'", "binding is one of fastpath, standard, isolated, client"),
        ("[variants.a]\nclients = 4", "clients is a list of numbers"),
        ("[variants.a]\nclients = []", "clients has numbers from 1 to 100000"),
        ("[variants.a]\nmqsc = [1]", "mqsc is a list of texts"),
        ("[variants.a]\nbatch = 0", "batch is from 1"),
        ("[variants.a", "Expected"),
        ("", "there is no variant"),
        ("variants = 3", "there is no variant"),
        ("[variants]\na = 3", "a variant is a table"),
    ],
)
def test_what_cannot_be_is_refused_by_name(text: str, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse("mine", HEAD + text)
    assert said in str(refused.value)
    assert str(refused.value).startswith("mine")


def test_title_and_source_are_wanted() -> None:
    with pytest.raises(ScenarioError, match="source is missing"):
        parse("mine", 'title = "T"\n[variants.a]\n')


def test_a_variant_differs_from_what_is_shared() -> None:
    one, other = parse("mine", HEAD + "size = 10\nrate = 2\n[variants.a]\n[variants.b]\nsize = 20\nwaiting = 'rain'\n")
    assert (one.workload.size, other.workload.size, one.workload.rate) == (10, 20, 2.0)
    assert (one.waiting, other.waiting) == ("", "rain")


def test_names() -> None:
    assert len(choose(ALL, "bindings")) > 5
    assert [each.variant for each in choose(ALL, "bindings/local_np_trusted")] == ["local_np_trusted"]
    with pytest.raises(ScenarioError, match="Did you mean bindings"):
        choose(ALL, "binding")


def test_settings_of_the_command_line() -> None:
    assert setting("size=20") == ("size", 20)
    assert setting("binding=client") == ("binding", "client")
    assert setting("clients=[1,2]") == ("clients", [1, 2])
    with pytest.raises(ScenarioError, match="KEY=VALUE"):
        setting("size")
    with pytest.raises(ScenarioError, match="--set: there is no setting sise"):
        change(Workload(), {"sise": 1}, "--set")


def test_scenarios_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD + "[variants.a]\n")
    assert [each.name for each in load(tmp_path)] == ["mine/a"]
    with pytest.raises(ScenarioError, match="is not a folder"):
        load(tmp_path / "not there")


def test_the_list_says_what_waits() -> None:
    done = CliRunner().invoke(main, ["perf", "list", "shared", "rr_cc"])
    assert done.exit_code == 0, done.output
    assert "waiting for shared queues" in done.output
    assert "np_20K   request-reply client    np   20K  ready" in done.output
    refused = CliRunner().invoke(main, ["perf", "run", "shared"])
    assert refused.exit_code == 1
    assert "shared waits for shared queues" in refused.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "there is no scenario nothing"),
        (["local", "--clients", "two"], "numbers with commas between"),
        (["local", "--clients", "0"], "from 1 to 100000"),
        (["local", "--quick", "--full"], "not both"),
        (["local", "--set", "sise=1"], "did you mean size?"),
        (["local/local_np", "--host", "nowhere(x)"], "--host"),
        (["local/local_np", "--host", "127.0.0.1(1)"], "fastpath bindings are of this machine"),
        (["log_devices/san_2K", "--host", "127.0.0.1(1)"], "cannot be had of a queue manager elsewhere"),
    ],
)
def test_wrong_words_are_answered_with_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["perf", "run", *arguments, "--results", str(tmp_path)])
    assert done.exit_code in (1, 2)
    assert said in done.output
    assert list(tmp_path.iterdir()) == []
