"""The mistakes of message channels can be made, and the tests that shall notice them are there."""

import ast

from tests.mutants.__main__ import TESTS
from tests.mutants.channels import MISTAKES, module


def test_every_mistake_is_a_module_that_differs() -> None:
    for mistake in MISTAKES:
        source = module(mistake).read_text()
        assert ast.unparse(ast.parse(mistake.apply(source))) != ast.unparse(ast.parse(source)), mistake.name


def test_the_tests_that_shall_notice_them_are_there() -> None:
    assert len({each.name for each in MISTAKES}) == len(MISTAKES)
    for mistake in MISTAKES:
        for test in mistake.tests:
            file, _, function = test.partition("::")
            assert (TESTS / file).exists(), test
            assert f"def {function.partition('[')[0]}(" in (TESTS / file).read_text() or not function, test
