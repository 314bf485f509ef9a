"""The script that makes comparisons, orders, loops and functions wrong finds them all, and changes nothing else."""

import ast

from tests.mutants import __main__ as script
from tests.mutants import logic
from tests.mutants.sites import ROOT

MODULE = '''
class Line:
    def add(self, item: Item, ä: str = "é") -> None:
        """Take in an item."""
        assert item.size == 1
        if item.size < self.most and item is not None:
            self.items.append(item)
        self.items.sort(key=by_size)

    def oldest(self) -> Item | None:
        for item in sorted(self.items, key=by_size):
            if item in self.gone:
                self.count += 1
        while True:
            return None

    def empty(self) -> bool:
        return False

    def opaque(self) -> Thing:
        return Thing()
'''


def test_each_place_is_found_and_only_it_is_changed() -> None:
    mutants = logic.find(MODULE, "module.py")
    assert [(each.line, each.kind, each.text, each.within) for each in mutants] == [
        (3, "leave", "def add", "add"),
        (6, "flip", "item.size < self.most", "add"),
        (6, "flip", "item is not None", "add"),
        (8, "sort", "self.items.sort(key=by_size)", "add"),
        (10, "leave", "def oldest", "oldest"),
        (11, "once", "for item in sorted(self.items, key=by_size):", "oldest"),
        (11, "sort", "sorted(self.items, key=by_size)", "oldest"),
        (12, "flip", "item in self.gone", "oldest"),
    ]
    changes = []
    for mutant in mutants:
        lines = mutant.apply(MODULE).splitlines()
        changes.append([line.strip() for line in lines if line not in MODULE.splitlines()])
        ast.parse("\n".join(lines))
    assert changes == [
        ["return"],
        ["if (item.size <= self.most) and item is not None:"],
        ["if item.size < self.most and (item is None):"],
        ["None"],
        ["return None"],
        ["break"],
        ["for item in list(self.items):"],
        ["if (item not in self.gone):"],
    ]


def test_every_mutant_is_a_module_that_differs() -> None:
    mutants = logic.find_all()
    assert len(mutants) > 1000
    assert {each.kind for each in mutants} == set(logic.KINDS)
    for mutant in mutants[::29]:
        source = (ROOT / mutant.path).read_text()
        changed = mutant.apply(source)
        assert ast.unparse(ast.parse(changed)) != ast.unparse(ast.parse(source)), mutant.name


def test_a_sample_is_the_same_each_time_and_as_large_as_was_asked() -> None:
    mutants = logic.find_all()
    first = script.sample(mutants, 20, 1)
    assert len(first) == 20
    assert script.sample(mutants, 20, 1) == first
    assert script.sample(mutants, 20, 2) != first
    without = [each for each in mutants if each not in first[:1]]
    assert len([each for each in script.sample(without, 20, 1) if each in first]) == 19


def test_tests_that_shall_notice_a_mutant_are_there() -> None:
    for mutant in logic.find_all():
        for test in script.tests_for(mutant.path):
            assert (script.TESTS / test).exists(), test
    assert script.tests_for("kew/queues/index.py")[0] == "unit/queues/test_index.py"


def test_each_survivor_that_is_listed_is_a_mutant_and_has_its_reason() -> None:
    there = {each.key for each in logic.find_all()}
    for key, why in script.judged().items():
        assert key in there, f"{key} is not a mutant any more"
        assert len(why) > 10, key
