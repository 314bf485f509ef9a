"""Who may do what by which path: every cell as the documented rules say."""

from collections import Counter

from tests.security.matrix import cells
from tests.security.world import build, raise_world

ENOUGH = 20  # wrong cells that say what is wrong


def test_every_cell_is_as_the_rules_say() -> None:
    world = build()
    host = raise_world(world)
    counted: Counter[str] = Counter()
    allowed: Counter[str] = Counter()
    wrong = []
    for cell in cells(host, world):
        counted[cell.path] += 1
        allowed[cell.path] += not cell.expected if isinstance(cell.expected, bool) else bool(cell.expected)
        if cell.wrong:
            wrong.append(cell)
            if len(wrong) >= ENOUGH:
                break
    assert not wrong, f"{len(wrong)} of {counted.total()} cells are wrong, the first of them {wrong[:5]}"
    assert counted.total() >= 2000
    for path, number in counted.items():  # no path on which everybody, or nobody, is let through
        assert allowed[path] > 0, path
        assert allowed[path] < number or path == "own", path
