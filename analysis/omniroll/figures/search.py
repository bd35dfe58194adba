"""Figures of a search: the variables of its candidates side by side, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..optimising.evaluator import Array
from ..optimising.found_file import Found
from .style import COLORS, evenly, page_figure, plain, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 200  # of each kind
INFEASIBLE = "#666666"


@styled  # type: ignore[misc]
def side_by_side(found: Found, marks: "list[list[tuple[float, str]]]") -> Figure:
    """Parallel coordinates: a row for each variable from its low to its high end, with words at places from 0 to 1, and a line for each candidate."""
    count = len(found.variables)
    figure = page_figure(1.1 + 0.62 * count)
    axes = figure.add_subplot()
    rows = np.arange(count)
    words = [("limits violated", INFEASIBLE, 0.5, 0.25, np.flatnonzero(~found.feasible)),
             ("limits hold", COLORS[0], 0.6, 0.35, np.flatnonzero(found.feasible))]
    for label, color, width, alpha, chosen in words:
        if len(chosen):
            axes.plot(_scaled(found, found.rows[chosen[evenly(len(chosen), MOST_LINES)]]).T, rows, color=color, linewidth=width, alpha=alpha)
            axes.plot([], [], color=color, label=label)
    if found.optimum.front:
        axes.plot(_scaled(found, _rows(found, found.optimum.front)).T, rows, color=COLORS[2], linewidth=1.1)
        axes.plot([], [], color=COLORS[2], label="front")
    axes.plot(_scaled(found, _rows(found, [found.optimum.best]))[0], rows, "o-", color=COLORS[1], linewidth=2.2, markersize=5, label="winner")
    axes.set(xlim=(-0.02, 1.02), ylim=(count - 0.5, -0.7), xticks=[])
    axes.set_yticks(rows, [plain(v.name) for v in found.variables])
    axes.grid(axis="x")
    axes.spines["bottom"].set_visible(False)
    for row, named in enumerate(marks):
        for place, word in named:
            side = "left" if place == 0 else "right" if place == 1 else "center"
            axes.annotate(plain(word), (place, row), xytext=(0, 5), textcoords="offset points", ha=side, fontsize=9.5, color="#444444")
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.01), borderaxespad=0.0, ncols=4, frameon=False, columnspacing=1.0, handlelength=1.4)
    figure.page_title = "Variables of the candidates"
    return figure


def _rows(found: Found, chosen: Any) -> Array:
    return np.array([[v.number(one.variables[v.name]) for v in found.variables] for one in chosen])


def _scaled(found: Found, rows: Array) -> Array:
    low, high = (np.array([getattr(v, end) for v in found.variables]) for end in ("low", "high"))
    return (rows - low) / np.where(high > low, high - low, 1.0)


@styled  # type: ignore[misc]
def history(found: Found, factor: float, label: str) -> Figure:
    """The best value that was known, or the area of the front, over the instances; feasible share and draws below."""
    from matplotlib.ticker import MaxNLocator

    rows = found.optimum.history
    spent = np.array([row["spent"] for row in rows], dtype=float)
    figure = page_figure(4.6)
    top, middle, low = figure.subplots(3, 1, sharex=True, gridspec_kw={"height_ratios": [2.2, 1, 1]})
    of = "hypervolume" if found.optimum.front or len(found.optimum.problem["goals"]) == 2 else "best"
    best = factor * np.array([row[of] for row in rows], dtype=float)
    top.plot(spent, best, color=COLORS[0], drawstyle="steps-post")
    if of == "best":
        width = factor * np.array([row["width"] for row in rows], dtype=float)
        top.fill_between(spent, best - width, best + width, color=COLORS[0], alpha=0.25, linewidth=0, step="post")
        final = found.optimum.best
        goal = next(iter(final.values))
        value, ends = factor * final.values[goal], (factor * final.low[goal], factor * final.high[goal])
        if np.isfinite([value, *ends]).all():
            top.errorbar([found.optimum.spent], [value], [[max(value - ends[0], 0.0)], [max(ends[1] - value, 0.0)]], fmt="o", color=COLORS[1], markersize=5, elinewidth=1.2)
    top.set_ylabel(plain(label))
    middle.plot(spent, 100 * np.array([row["feasible"] for row in rows], dtype=float), color=COLORS[0])
    middle.set(ylabel="limits hold [%]", ylim=(-5, 105))
    low.plot(spent, [row["draws"] for row in rows], color=COLORS[0], drawstyle="steps-post")
    low.set(ylabel="draws", xlabel="instances", ylim=(0, None))
    low.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    low.xaxis.set_major_locator(MaxNLocator(5))
    figure.align_ylabels()
    figure.page_title = "How the search went"
    return figure
