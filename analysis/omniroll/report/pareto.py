"""A picture of two criteria or objectives that conflict: designs as points, the front marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ..figures.style import COLORS, evenly, legend, one_panel, plain, styled
from ..reading.result import Array, Result
from . import labels
from .columns import Column
from .data import Data
from .page import beside, table, text
from .svg import picture
from .wording import Scale, scale_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_POINTS = 500  # without the front
MOST_LABELS = 15  # designs that have a number in the picture
SPREAD = 7  # of them where more designs make the front
NEAR = np.array([0.22, 0.17])  # in, of two points: their numbers would lie on each other


@dataclass(frozen=True)
class Objective:
    """A quantity to be small, or large, with an interval for each design."""

    name: str
    axis: str  # its label
    values: Array
    low: Array
    high: Array
    merit: Array  # of each design: the larger, the better


def front(one: Array, other: Array) -> list[int]:
    """Points that none beats in both (larger is better), by the first; those without a value are no points."""
    known = np.flatnonzero(np.isfinite(one) & np.isfinite(other))
    order = known[np.lexsort((-other[known], -one[known]))]
    best: list[int] = []
    for k in order:  # by the first from large to small: a later one has to be better in the second
        if not best or other[k] > other[best[-1]] or (one[k], other[k]) == (one[best[-1]], other[best[-1]]):
            best.append(int(k))
    return sorted(best, key=lambda k: (one[k], k))


def conflict(columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """The first two columns between which the designs have to choose: the ends of the front differ in both. None where one design is best
    by both. Yes or no is no scale: of a criterion there have to be shares."""
    judged = [column for column in columns if column.judged and column.tells and not (column.criterion and np.isin(column.values, (0, 1)).all())]
    for at, one in enumerate(judged):
        for other in judged[at + 1:]:
            if not _same_subject(one, other) and _opposed(one, other):
                return one, other
    return None


def _same_subject(one: Column, other: Column) -> bool:
    """A criterion and the observable that it limits say the same."""
    from ..comparing import criteria

    pair = [each for each in (one, other) if each.criterion]
    if len(pair) == 2:
        return any(criteria.is_made_of_others(each.cells.result, each.criterion) for each in pair)
    if len(pair) == 1:
        observable = other if one.criterion else one
        return observable.quantity.name in criteria.named(one.cells.result, pair[0].criterion)
    return False


def _opposed(one: Column, other: Column) -> bool:
    best = front(one.merit, other.merit)
    return len(best) > 1 and one.apart(best[0], best[-1]) and other.apart(best[0], best[-1])


def figure_of(data: Data, columns: Sequence[Column]) -> str:
    """The picture as HTML; '' where nothing conflicts."""
    found = conflict(columns)
    if found is None:
        return ""
    one, other = found
    cells = one.cells
    objectives = [_objective(data.result, column) for column in found]
    best = front(one.merit, other.merit)
    best = [k for k in best if k not in cells.repeats]
    several = [k for k in range(cells.count) if k not in cells.repeats] if cells.count <= MOST_LABELS else best
    shown = several if len(several) <= MOST_LABELS else _spread(one.merit, other.merit, best)
    words = (f"{objectives[0].name} and {objectives[1].name} conflict: the designs of the front are told apart, one better here, the other there. "
             f"Each point is a design{' with its intervals' if cells.sampled else ''}; filled ones make the front, where none is better in both.")
    drawn = picture(lambda: trade_off(data.result, objectives[0], objectives[1], shown), words)
    return beside(drawn, _names(found, shown, best))


def _spread(one: Array, other: Array, best: Sequence[int]) -> list[int]:
    """Designs of a long front, at even distances along it as it is drawn."""
    steps = np.abs(np.diff([one[best] / np.ptp(one[best]), other[best] / np.ptp(other[best])], axis=1)).sum(axis=0)
    way = np.append(0.0, np.cumsum(steps))
    places = np.abs(way[:, None] - np.linspace(0, way[-1], SPREAD)).argmin(axis=0)
    return [best[place] for place in dict.fromkeys(places)]


def _names(columns: Sequence[Column], shown: Sequence[int], best: Sequence[int]) -> str:
    """Names of the designs that have numbers in the picture."""
    rows = [[str(at + 1), labels.of(columns[0].cells, k), *(_value(column, k) for column in columns), "front" if k in best else ""] for at, k in enumerate(shown)]
    return table(["", "design", *(text(column.quantity.name) for column in columns), ""], rows, (0, 2, 3, 4))


def _value(column: Column, design: int) -> str:
    scale = Scale(100, "%") if column.criterion else scale_of(column.cells.result.units.get(column.quantity.name, "1"), column.values[column.known])
    value = column.rounded(scale, design)[0] if np.isfinite(column.values[design]) else "–"
    return f"{value} {text(scale.unit)}"


def _objective(result: Result, column: Column) -> Objective:
    nothing = np.full(len(column.values), np.nan)
    low, high = (np.array([getattr(estimate, end) for estimate in column.estimates]) if column.cells.sampled else nothing
                 for end in ("low", "high"))
    if column.criterion:
        return Objective(column.criterion, f"P({column.criterion}) [%]", 100 * column.values, 100 * low, 100 * high, column.merit)
    name = f"|{column.quantity.name}|" if column.quantity.absolute else column.quantity.name
    scale = scale_of(result.units.get(column.quantity.name, "1"), column.values[column.known])
    unit = f" [{scale.unit}]" if scale.unit else ""
    axis = f"{'mean ' if column.cells.sampled else ''}{name}{unit}"
    return Objective(name, axis, column.values * scale.factor, low * scale.factor, high * scale.factor, column.merit)


@styled
def trade_off(result: Result, one: Objective, other: Objective, shown: Sequence[int]) -> Figure:
    """Designs over two objectives, the front marked and joined; the designs of `shown` are numbered in this order."""
    best = front(one.merit, other.merit)
    figure, axes = one_panel(result, 7.2, 5.2, f"{one.name} and {other.name}", "Designs over two objectives that conflict")
    others = np.setdiff1d(np.arange(len(one.values)), best)
    _points(axes, one, other, others[evenly(len(others), MOST_POINTS)], "white", "other designs")
    axes.plot(one.values[best], other.values[best], color=COLORS[1], linewidth=1.0, linestyle=":", zorder=2)
    _points(axes, one, other, best, COLORS[1], "front: none is better in both")
    axes.margins(0.12)
    axes.autoscale_view()  # places in the picture hold from here on
    for (x, y), numbers in _numbered(axes, one.values[list(shown)], other.values[list(shown)]):
        axes.annotate(", ".join(map(str, numbers)), (x, y), textcoords="offset points", xytext=(5, 4), fontsize=10)
    axes.set(xlabel=plain(one.axis), ylabel=plain(other.axis))
    legend(axes, 2)
    return figure


def _numbered(axes: Any, x: Array, y: Array) -> list[tuple[tuple[float, float], list[int]]]:
    """Places of numbers 1, 2, ... in the picture. Points whose numbers would lie on each other have one place for all, at the rightmost."""
    places: list[list[int]] = []
    drawn = axes.transData.transform(np.column_stack([x, y])) if len(x) else np.empty((0, 2))
    for k in np.flatnonzero(np.isfinite(drawn).all(axis=1)):
        near = [place for place in places if any((np.abs(drawn[k] - drawn[other]) < NEAR * axes.get_figure().dpi).all() for other in place)]
        joined = [int(k), *(other for place in near for other in place)]
        places = [place for place in places if place not in near] + [sorted(joined)]
    ends = [max(place, key=lambda k: drawn[k][0]) for place in places]
    return [((float(x[k]), float(y[k])), [other + 1 for other in place]) for k, place in zip(ends, places)]


def _points(axes: Any, one: Objective, other: Objective, chosen: Any, color: str, words: str) -> None:
    if not len(chosen):
        return
    at = np.array(chosen)
    arms = [np.nan_to_num(np.stack([each.values[at] - each.low[at], each.high[at] - each.values[at]])).clip(min=0) for each in (one, other)]
    if np.isfinite(one.low[at]).any() or np.isfinite(other.low[at]).any():
        axes.errorbar(one.values[at], other.values[at], xerr=arms[0], yerr=arms[1], fmt="none", ecolor="#666666", elinewidth=0.8, zorder=1)
    axes.plot(one.values[at], other.values[at], "o", color=color, markeredgecolor=COLORS[1], markersize=6, linestyle="", label=words, zorder=3)
