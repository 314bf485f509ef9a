"""The mutants are there: each module that checks has some, and each is still a program."""

import ast
from collections import Counter

from tests.security.mutants import MODULES, ROOT, find_all


def test_every_module_that_checks_has_mutants_that_are_programs() -> None:
    counted: Counter[str] = Counter()
    for mutant in find_all():
        source = (ROOT / "src" / mutant.path).read_text(encoding="utf-8")
        changed = source[: mutant.start] + mutant.instead + source[mutant.end :]
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), mutant.name
        counted[mutant.path] += 1
    assert set(counted) == set(MODULES)
    assert counted.total() >= 60
