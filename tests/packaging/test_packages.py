"""What packagers take: the source distribution, an installation without a compiler, the service, the container."""

import configparser
import json
import os
import re
import shlex
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from kew.cli import main
from kew.version import VERSION

ROOT = Path(__file__).parents[2]
INSTRUCTIONS = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD"}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, from the files that git knows."""
    tree = tmp_path_factory.mktemp("tree")
    known = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, known.split("\0")):
        if not name.startswith("tests/") and (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes((ROOT / name).read_bytes())
    program = "from setuptools import build_meta; print(build_meta.build_sdist('.'))"
    made = subprocess.run([sys.executable, "-c", program], cwd=tree, capture_output=True, text=True, check=True)
    return tree / made.stdout.splitlines()[-1]


def test_the_source_distribution_is_whole(source: Path) -> None:
    assert source.name == f"kew_mq-{VERSION}.tar.gz"  # the registry's kew is another project
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.py")}
    wanted |= {"setup.py", "pyproject.toml", "LICENSE", "README.md", "packaging/Containerfile", "src/kew/py.typed"}
    assert wanted <= names
    assert not [name for name in names if name.endswith((".so", ".c", ".pyc"))]


def test_it_installs_where_there_is_no_compiler(source: Path, tmp_path: Path) -> None:
    """As pip does it, but for the fetching of what Kew needs, which is here already."""
    environment = {**os.environ, "CC": "/no/compiler", "HOME": str(tmp_path), "PYTHONPATH": ""}
    environment.pop("KEW_REQUIRE_COMPILED", None)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-build-isolation", "--no-deps"]
    done = subprocess.run(
        [*pip, "--prefix", str(tmp_path / "there"), "--ignore-installed", str(source)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    there = tmp_path / "there"
    assert not list(there.rglob("*.so"))
    shared = {str(path.relative_to(there)) for path in (there / "share").rglob("*") if path.is_file()}
    assert "share/bash-completion/completions/kew" in shared
    assert "share/fish/vendor_completions.d/kew.fish" in shared
    assert "share/zsh/site-functions/_kew" in shared
    assert "share/kew/systemd/kew@.service" in shared
    packages = next(there.glob("lib/python*/site-packages"))
    said = subprocess.run(
        [sys.executable, "-m", "kew.cli", "version"],
        env={**environment, "PYTHONPATH": str(packages)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.startswith(f"kew {VERSION} (interpreted)")


_TOLD = re.compile(r"pip install[^\n`;|]*?(?<![\w/.-])kew(?![\w/.-])")


def test_nothing_tells_a_reader_to_install_the_other_project() -> None:
    """On the registry of Python packages `kew` is a task queue of somebody else."""
    known = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    wrong = []
    for name in filter(None, known.split("\0")):
        path = ROOT / name
        if not path.is_file() or path.suffix in (".png", ".gz", ".svg") or name.startswith("tests/packaging"):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        wrong += [f"{name}: {line}" for line in text.splitlines() if _TOLD.search(line) or re.search(r"\bkew\[", line)]
    assert wrong == []


def test_the_version_is_in_one_place() -> None:
    holding = [
        str(path.relative_to(ROOT))
        for path in [*ROOT.glob("*.*"), *(ROOT / "src").rglob("*.py"), *(ROOT / "packaging").rglob("*")]
        if path.is_file() and re.search(rf'"{re.escape(VERSION)}"', path.read_text(errors="replace"))
    ]
    assert holding == ["src/kew/version.py"]


def test_the_service_starts_a_command_that_is_there() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    unit.optionxform = str  # type: ignore[method-assign,assignment]
    unit.read(ROOT / "packaging/systemd/kew@.service")
    assert set(unit.sections()) == {"Unit", "Service", "Install"}
    program, command, *arguments = shlex.split(unit["Service"]["ExecStart"])
    assert (program, arguments) == ("kew", ["%I", "--foreground"])
    assert command in main.list_commands(None)  # type: ignore[arg-type]
    assert unit["Service"]["Type"] == "notify"
    assert unit["Service"]["User"] != "root"


def _instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", "", (ROOT / "packaging/Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def test_the_container_is_built_of_what_is_here() -> None:
    found = _instructions()
    assert {word for word, _rest in found} <= INSTRUCTIONS
    for word, rest in found:
        if word == "FROM":
            assert re.match(r"[a-z]+:\d[\w.-]+( AS \w+)?$", rest), f"an image needs a version: {rest}"
        if word == "COPY":
            *sources, _target = rest.split()
            assert all((ROOT / name).exists() for name in sources), rest
        if word in ("ENTRYPOINT", "CMD", "VOLUME"):
            assert isinstance(json.loads(rest), list)


def test_the_container_runs_as_nobody_in_particular() -> None:
    last = [rest for word, rest in _instructions() if word == "USER"][-1]
    assert last not in ("root", "0")
    commands = dict(_instructions())
    assert json.loads(commands["ENTRYPOINT"])[:2] == ["kew", "start"]
