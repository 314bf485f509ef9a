"""Carries a notebook out as Jupyter would, cell after cell in one name space, and keeps what the cells show.

Only what our notebooks use is here: printed text, and a last line that is a figure or another value. So they are tested
without Jupyter, which is a hundred packages.
"""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

Names = dict[str, Any]


def carry_out(path: Path) -> tuple[dict[str, Any], Names]:
    """Run all cells; the notebook with the outputs of this run, and the names that its cells made."""
    notebook: dict[str, Any] = json.loads(path.read_text())
    names: Names = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = _run("".join(cell["source"]), f"{path.name}, cell {number}", number, names)
    return notebook, names


def _run(source: str, place: str, number: int, names: Names) -> list[dict[str, Any]]:
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    outputs: list[dict[str, Any]] = []
    with contextlib.redirect_stdout(said):
        exec(compile(tree, place, "exec"), names)
        value = eval(compile(ast.Expression(last.value), place, "eval"), names) if isinstance(last, ast.Expr) else None
    if said.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": said.getvalue().splitlines(True)})
    if value is not None:
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": _shown(value)}
        outputs.append(result)
    return outputs


def _shown(value: object) -> dict[str, list[str]]:
    if not isinstance(value, Figure):
        return {"text/plain": repr(value).splitlines(True)}
    picture = io.StringIO()
    value.savefig(picture, format="svg", metadata={"Date": None})
    return {"image/svg+xml": picture.getvalue().splitlines(True), "text/plain": ["<Figure>"]}


def kept(notebook: dict[str, Any]) -> str:
    """A notebook as it is kept in a file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
