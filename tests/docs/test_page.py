"""Pages are read as their readers read them, and a difference in what a command prints is seen."""

from pathlib import Path

from tests.docs.page import Command, File, differs, read_page

PAGE = """# A page
```console
$ kew list
QMNAME(QM1)
$ cat <<END
> text
> END
text
```
```python title="one.py"
print(1)
```
```sh
make run
```
```ini
odd
```
"""


def test_blocks_become_steps(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    page = read_page(path)
    assert page.steps == [
        Command("kew list", 3, ["QMNAME(QM1)"]),
        Command("cat <<END\ntext\nEND", 5, ["text"]),
        File("one.py", "print(1)\n"),
    ]
    assert [step.text for step in page.machine_steps] == ["make run"]
    assert page.odd == ["page.md:16: ```ini"]


def test_what_differs_from_run_to_run_does_not_count() -> None:
    assert not differs(["STARTDA(2026-11-15) process 12"], ["STARTDA(2027-01-01) process 4711"])
    assert not differs(["a", "...", "z ... z"], ["a", "b", "c", "z 1 z"])
    assert not differs([], [])


def test_another_output_is_seen() -> None:
    assert differs(["CURDEPTH(2)"], ["CURDEPTH(3)"])
    assert differs(["a"], ["a", "b"])
    assert differs(["a", "..."], [])
    assert differs([], ["kew: no"])
