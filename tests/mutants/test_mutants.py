"""The script that takes syncs and checks away finds them all, and a few mutants that are noticed quickly."""

import ast
from concurrent.futures import ThreadPoolExecutor

from tests.mutants.__main__ import KILLED, judge
from tests.mutants.sites import ROOT, STORAGE, find, find_all

MODULE = """
def write(disk, file, data, crc):
    if crc32(data) != crc or (kind and crc == crc32(data)):
        return
    file.sync(); disk.sync_directory("ä" + file.path)
    log.force(
        address
    )
    why = file.check(1, data)
"""


def test_each_place_is_found_and_only_it_is_taken_away() -> None:
    mutants = find(MODULE, "module.py")
    assert [(each.line, each.kind) for each in mutants] == [
        (3, "check"),
        (3, "check"),
        (5, "sync"),
        (5, "sync"),
        (6, "force"),
        (9, "check"),
    ]
    unparsed = ast.unparse(ast.parse(MODULE))
    for mutant, instead in zip(mutants, ["False", "True", "None", "None", "None", "''"], strict=True):
        assert ast.unparse(ast.parse(mutant.apply(MODULE))) == unparsed.replace(mutant.text, instead, 1)


def test_no_sync_of_the_storage_packages_is_missed() -> None:
    calls = sum(
        line.count("sync(") + line.count("sync_directory(")
        for file in (ROOT / STORAGE).rglob("*.py")
        for line in file.read_text().splitlines()
        if "def " not in line
    )
    assert sum(each.kind == "sync" for each in find_all()) == calls > 20


def test_some_mutants_are_noticed() -> None:
    wanted = ("disk.py:", "fdatasync"), ("deferred.py:", "file.sync()"), ("doublewrite.py:", "crc32")
    mutants = [each for each in find_all() if any(path in each.name and text in each.text for path, text in wanted)]
    assert len(mutants) == len(wanted)
    with ThreadPoolExecutor(2) as pool:
        assert [verdict.outcome for verdict in pool.map(judge, mutants)] == [KILLED] * len(wanted)
