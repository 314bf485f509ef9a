"""Charts as SVG: lines differ in colour, marker and dash, so that every reader can tell them apart, also in print.

The colours are those of Okabe and Ito.
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933")
_MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES: Final = ("-", "--", "-.", ":")
MOST_LINES: Final = 10

Line = tuple[str, Sequence[float], Sequence[float]]


def curves(title: str, across: str, up: str, lines: Sequence[Line], logarithmic: bool = False) -> str:
    """Draw lines over a number of clients, or over time."""
    figure, axes = _figure()
    for number, (name, xs, ys) in enumerate(lines[:MOST_LINES]):
        axes.plot(xs, ys, label=name, linewidth=1.4, markersize=4, color=COLOURS[number % len(COLOURS)],
                  marker=_MARKERS[number % len(_MARKERS)], linestyle=_DASHES[number // len(COLOURS)])  # fmt: skip
    if logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    return _finished(figure, axes, title, across, up, len(lines) > 1)


def bars(title: str, up: str, names: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Draw stacked bars: the cost of a unit of work, part by part."""
    figure, axes = _figure(wide=len(names) > 8)
    bottom = [0.0] * len(names)
    hatches = ("", "///", "...")
    for number, (part, values) in enumerate(parts):
        axes.bar(range(len(names)), values, 0.7, bottom=bottom, label=part, color=COLOURS[number],
                 hatch=hatches[number % 3], edgecolor="white")  # fmt: skip
        bottom = [below + value for below, value in zip(bottom, values, strict=True)]
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    return _finished(figure, axes, title, "", up, len(parts) > 1)


def distribution(title: str, lines: Sequence[Line]) -> str:
    """Draw the share of responses that took no longer than a time."""
    figure, axes = _figure()
    for number, (name, xs, ys) in enumerate(lines[:MOST_LINES]):
        axes.step(xs, ys, where="post", label=name, linewidth=1.4, color=COLOURS[number % len(COLOURS)],
                  linestyle=_DASHES[number % len(_DASHES)])  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    return _finished(figure, axes, title, "response time, ms", "% of responses", len(lines) > 1)


def _figure(wide: bool = False) -> "tuple[Figure, Axes]":
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "kew"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4) if wide else (7, 3.2), layout="constrained")
    return figure, figure.subplots()


def _finished(figure: "Figure", axes: "Axes", title: str, across: str, up: str, legend: bool) -> str:
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_xlabel(across, fontsize=8)
    axes.set_ylabel(up, fontsize=8)
    axes.grid(visible=True, alpha=0.3)
    axes.tick_params(labelsize=7)
    if legend:
        axes.legend(fontsize=7)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    svg = out.getvalue()
    return svg[svg.index("<svg") :] + "\n"
