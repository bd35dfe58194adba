"""Figures of how probable a criterion is: its estimate over the number of instances, and where in the drawn parameters it is met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import lists
from ..comparing import criteria
from ..reading import designs
from ..reading.result import Array, Result
from .axis_scales import color_bar, plain_decades, whole_ticks
from .nested_designs import INTERVALS, _text_color, percent, shown_in, shown_label
from .style import COLORMAP, COLORS, FAILED, Skipped, legend, one_panel, plain, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

PARTS = 5  # fifths of a parameter, between which its effect shows
PER_CELL = 20  # instances that a cell of a map should have on average
FEWEST = 8  # below, a cell says nothing
MOST_CELLS = 7
MOST_POINTS = 4000
MARKED = 15  # instances that are marked one by one in a map with cells
STEPS = 80


def truth_of(result: Result, criterion: str) -> Array:
    """Per instance 1, 0 or NaN (criteria.truth). Raises Skipped where it is not known."""
    values = criteria.truth(result, criterion)
    if values is None:
        raise Skipped(f"which instances meet {criterion} cannot be told from the file, or libomniroll is not there")
    if not np.isfinite(values).any():
        raise Skipped(f"no instance says whether {criterion} is met")
    return values


# --- convergence --------------------------------------------------------------------------------------------------------------


def method(result: Result) -> tuple[str, float]:
    """Interval and confidence that the study's statistics have."""
    attrs = result.statistics.get("attrs", {})
    return str(attrs.get("interval", "wilson")), float(attrs.get("confidence", 0.95))


def clopper_pearson(met: int, total: int, confidence: float) -> tuple[float, float]:
    """The exact interval of a probability. Needs scipy."""
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    low = 0.0 if met == 0 else float(beta.ppf(tail, met, total - met + 1))
    return low, 1.0 if met == total else float(beta.ppf(1 - tail, met + 1, total - met))


def interval(kind: str, met: int, total: int, confidence: float) -> tuple[float, float, str]:
    """Ends, and the kind that they are of: Wilson's where Clopper and Pearson's cannot be computed."""
    if kind == "clopper_pearson":
        try:
            return (*clopper_pearson(met, total, confidence), kind)
        except ImportError:
            pass
    low, high = designs.wilson(met, total, confidence)
    return float(low), float(high), "wilson"


@dataclass(frozen=True)
class Running:
    """Estimates of a probability after growing numbers of instances, in the order of their indices."""

    count: Array  # instances that say whether the criterion is met
    share: Array
    low: Array
    high: Array
    kind: str
    confidence: float


def running(result: Result, criterion: str) -> Running:
    """The estimate of a criterion's probability over the number of instances."""
    known = truth_of(result, criterion)
    known = known[np.isfinite(known)]
    if len(known) < 2 * FEWEST:
        raise Skipped(f"{len(known)} instances are too few to show how an estimate settles")
    count = np.unique(np.geomspace(min(10, len(known)), len(known), STEPS).round().astype(int))
    met = np.cumsum(known == 1)[count - 1]
    kind, confidence = method(result)
    ends = [interval(kind, int(m), int(n), confidence) for m, n in zip(met, count)]
    return Running(count, met / count, np.array([e[0] for e in ends]), np.array([e[1] for e in ends]), ends[0][2], confidence)


@styled
def convergence(result: Result, criterion: str) -> Figure:
    """The estimate of a criterion's probability and its interval over the number of instances."""
    if designs.kind(result) not in lists.designs("sample"):
        raise Skipped("the rows are no sample whose share of failures settles")
    found = running(result, criterion)
    figure, axes = one_panel(result, 7.2, 4.6, f"P({criterion}) over the number of instances",
                             f"{INTERVALS.get(found.kind, found.kind)} of {100 * found.confidence:g} %, in the order of the instances")
    axes.fill_between(found.count, 100 * found.low, 100 * found.high, color=COLORS[0], alpha=0.2, linewidth=0,
                      label=f"{100 * found.confidence:g} % interval")
    axes.plot(found.count, 100 * found.share, color=COLORS[0], linewidth=1.6, label="estimate")
    axes.axhline(100 * found.share[-1], color="black", linestyle=":", linewidth=1.1, label="with all")
    axes.set_xscale("log")
    plain_decades(axes.xaxis)
    top = 100 * min(1.0, 1.6 * np.max(found.high[len(found.high) // 4:]))
    axes.set(ylim=(0, max(top, 100 * found.high[-1] * 1.1)), xlabel="instances that say whether it is met",
             ylabel=f"P({plain(criterion)}) [%]")
    legend(axes, 3)
    return figure


# --- where a criterion is met ---------------------------------------------------------------------------------------------------


def told_by(values: Array, truth: Array) -> float:
    """Correlation ratio of a truth over the fifths of a parameter: the part of its variance that lies between the fifths, less
    chance's part. It sees effects that rise and fall, which correlations do not."""
    known = np.isfinite(truth) & np.isfinite(values)
    x, y = values[known], truth[known]
    part = np.searchsorted(np.quantile(x, np.linspace(0, 1, PARTS + 1)[1:-1]), x, side="right") if len(x) else x
    if len(x) <= PARTS or np.var(y) == 0 or len(np.unique(part)) < 2:
        return 0.0
    means = np.array([y[part == k].mean() for k in np.unique(part)])
    sizes = np.array([np.sum(part == k) for k in np.unique(part)])
    between = float(np.sum(sizes * (means - y.mean()) ** 2) / np.sum((y - y.mean()) ** 2))
    by_chance = (len(sizes) - 1) / (len(x) - 1)
    return max(0.0, (between - by_chance) / (1 - by_chance))


def telling_pair(result: Result, truth: Array) -> list[tuple[str, float]]:
    """The two drawn parameters that tell most of a truth, with their correlation ratios."""
    found = [(name, told_by(result.parameters[name], truth)) for name in designs.drawn_variables(result)]
    if len(found) < 2:
        raise Skipped("a map needs two drawn parameters")
    return sorted(found, key=lambda each: -each[1])[:2]


def cell_edges(values: Array, parts: int) -> Array:
    """Edges of parts with the same number of instances each; fewer where values repeat."""
    return np.unique(np.quantile(values[np.isfinite(values)], np.linspace(0, 1, parts + 1)))


def counts(x: Array, y: Array, truth: Array, edges: tuple[Array, Array]) -> tuple[Array, Array]:
    """[part of y, part of x]: instances that say whether a criterion is met, and those that meet it. The last part holds its
    upper edge."""
    known = np.isfinite(truth)
    at = [np.clip(np.searchsorted(e, v[known], side="right") - 1, 0, len(e) - 2) for e, v in zip(edges, (x, y))]
    total, met = np.zeros((len(edges[1]) - 1, len(edges[0]) - 1), int), np.zeros((len(edges[1]) - 1, len(edges[0]) - 1), int)
    np.add.at(total, (at[1], at[0]), 1)
    np.add.at(met, (at[1], at[0]), truth[known] == 1)
    return total, met


def map_parts(total: int) -> int:
    """Into how many parts a map cuts each parameter; 0: too few instances for cells."""
    parts = int(np.sqrt(total / PER_CELL))
    return min(parts, MOST_CELLS) if parts >= 3 else 0


@styled
def criterion_map(result: Result, criterion: str) -> Figure:
    """Where a criterion is met, over the two drawn parameters that tell most of it: its share in cells of equally many instances, or, of
    few instances, each of them."""
    truth = truth_of(result, criterion)
    if np.nanmin(truth) == np.nanmax(truth):
        raise Skipped(f"{criterion} is {'met by every' if np.nanmax(truth) else 'met by no'} instance that says so")
    return _where(result, truth, f"Where {criterion} is met", "met", designs.criteria(result).get(criterion, criterion))


@styled
def failed_map(result: Result) -> Figure:
    """Where instances failed, over the two drawn parameters that tell most of it."""
    if result.ok.all() or not result.ok.any():
        raise Skipped("no instance failed" if result.ok.all() else "every instance failed")
    return _where(result, (~result.ok).astype(float), "Where instances failed", "failed", "status other than ok")


def _where(result: Result, truth: Array, title: str, word: str, text: str) -> Figure:
    (across, tells), (up, less) = telling_pair(result, truth)
    (fx, x_unit), (fy, y_unit) = (shown_in(result, name, result.parameters[name]) for name in (across, up))
    x, y = result.parameters[across] * fx, result.parameters[up] * fy
    parts = map_parts(int(np.sum(np.isfinite(truth))))
    cells = f"cells hold about {np.sum(np.isfinite(truth)) / parts**2:.0f} instances each; " if parts else ""
    figure, axes = one_panel(result, 7.2, 5.6, title,
                             f"{text}; {cells}the two parameters tell {100 * tells:.0f} % and {100 * less:.0f} % of the variance")
    entries = _cells(figure, axes, x, y, truth, parts, word) if parts else []
    entries += [] if parts and np.nansum(truth) > MARKED else _points(axes, x, y, truth, word, parts)
    entries += [] if parts and np.sum(~np.isfinite(truth)) > MARKED else _undecided(axes, x, y, truth)
    axes.grid(not parts)
    whole_ticks(axes.xaxis, x)
    whole_ticks(axes.yaxis, y)
    axes.set(xlabel=shown_label(across, x_unit), ylabel=shown_label(up, y_unit))
    if entries:
        legend(axes, 3, handles=entries)
    return figure


def _cells(figure: Figure, axes: Any, x: Array, y: Array, truth: Array, parts: int, word: str) -> list[Any]:
    """Draws the cells; entries of the legend for their colours."""
    edges = cell_edges(x, parts), cell_edges(y, parts)
    if min(len(e) for e in edges) < 3:
        return []
    total, met = counts(x, y, truth, edges)
    share = np.where(total >= FEWEST, met / np.maximum(total, 1), np.nan)
    axes.set_facecolor("#DDDDDD")
    axes.patch.set(hatch="////", edgecolor="#BBBBBB")
    mesh = axes.pcolormesh(*edges, np.ma.masked_invalid(100 * share), cmap=COLORMAP, vmin=0, vmax=100 * max(np.nanmax(share), 0.01),
                           edgecolors="white", linewidth=0.5)
    entries = color_bar(figure, mesh, axes, f"{word} [%]", 100 * share)
    middles = [(e[1:] + e[:-1]) / 2 for e in edges]
    narrow = [np.diff(e) < 0.05 * np.ptp(e) for e in edges]
    for at in np.argwhere(np.isfinite(share)):
        if not (narrow[1][at[0]] or narrow[0][at[1]]):
            value = share[tuple(at)]
            axes.text(middles[0][at[1]], middles[1][at[0]], percent(value), ha="center", va="center", fontsize=9.2,
                      color=_text_color(mesh, 100 * value))
    return entries


def _points(axes: Any, x: Array, y: Array, truth: Array, word: str, on_cells: int) -> list[Line2D]:
    from matplotlib.lines import Line2D

    entries = []
    looks = (("^", COLORS[1], 5.5, word, 1), (".", "#666666", 4, f"not {word}", 0))
    for marker, color, size, words, value in looks[:1] if on_cells else looks:
        chosen = np.flatnonzero(truth == value)[:MOST_POINTS]
        axes.plot(x[chosen], y[chosen], marker, color=color, markersize=size, markeredgecolor="white" if value else "none",
                  markeredgewidth=0.6, linestyle="", zorder=3 + value, rasterized=len(chosen) > 1500)
        entries.append(Line2D([], [], linestyle="", marker=marker, color=color, markersize=7, label=words))
    return entries


def _undecided(axes: Any, x: Array, y: Array, truth: Array) -> list[Line2D]:
    """Instances that failed and are left out of a criterion."""
    from matplotlib.lines import Line2D

    chosen = np.flatnonzero(~np.isfinite(truth))
    if not len(chosen) or len(chosen) > MOST_POINTS:
        return []
    axes.plot(x[chosen], y[chosen], "x", color=FAILED, markersize=4.5, linestyle="", zorder=5)
    return [Line2D([], [], linestyle="", marker="x", color=FAILED, markersize=6, label="failed or no value")]
