"""A picture of two criteria or objectives that conflict: designs as points, the front marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from matplotlib.figure import Figure

from ..figures import COLORS, _empty_figure, _subtitle, legend, plain, styled
from ..reading import Array, Result
from . import labels
from .columns import Column
from .data import Data
from .page import pictures, table, text
from .svg import picture
from .wording import Scale, scale_of

MOST_LABELS = 15  # designs that have a number in the picture


@dataclass(frozen=True)
class Objective:
    """What is to be small, or large, with an interval for each design."""

    name: str
    axis: str  # its label
    values: Array
    low: Array
    high: Array
    sign: int  # -1: less is better; 1: more is


def front(one: Array, other: Array) -> list[int]:
    """Points that none beats in both (larger is better), by the first; those without a value are no points."""
    known = [k for k in range(len(one)) if np.isfinite(one[k]) and np.isfinite(other[k])]
    beaten = [k for k in known if any(one[j] >= one[k] and other[j] >= other[k] and (one[j] > one[k] or other[j] > other[k]) for j in known)]
    return sorted((k for k in known if k not in beaten), key=lambda k: (one[k], -other[k]))


def conflict(columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """The first two columns between which the designs have to choose: some design on the front is told better than another in one and told
    worse in the other. None where one design is best in both."""
    judged = [column for column in columns if column.sign and column.tells]
    for at, one in enumerate(judged):
        for other in judged[at + 1:]:
            if not _same_subject(one, other) and _opposed(one, other):
                return one, other
    return None


def _same_subject(one: Column, other: Column) -> bool:
    """A criterion and the observable that it limits say the same."""
    from .. import criteria

    pair = [each for each in (one, other) if each.criterion]
    if len(pair) == 2:
        return any(criteria.is_made_of_others(each.cells.result, each.criterion) for each in pair)
    if len(pair) == 1:
        observable = other if one.criterion else one
        return observable.quantity.name in criteria.named(one.cells.result, pair[0].criterion)
    return False


def _opposed(one: Column, other: Column) -> bool:
    best = front(one.values * one.sign, other.values * other.sign)
    return any(one.apart(a, b) and other.apart(a, b) for i, a in enumerate(best) for b in best[i + 1:])


def figure_of(data: Data, columns: Sequence[Column]) -> str:
    """The picture as HTML; '' where nothing conflicts."""
    found = conflict(columns)
    if found is None:
        return ""
    one, other = found
    cells = one.cells
    names = [_plain(labels.of(cells, design)) for design in range(cells.count)]
    objectives = [_objective(data.result, column) for column in found]
    best = front(one.values * one.sign, other.values * other.sign)
    shown = list(range(cells.count)) if cells.count <= MOST_LABELS else best[:MOST_LABELS]
    words = (f"{objectives[0].name} and {objectives[1].name} conflict: the designs of the front are told apart, one better here, the other there. "
             f"Each point is a design{' with its intervals' if cells.sampled else ''}; filled ones make the front, where none is better in both.")
    drawn = picture(lambda: trade_off(data.result, objectives[0], objectives[1], shown), words)
    return pictures(drawn, _names(found, names, shown, best))


def _names(columns: Sequence[Column], names: Sequence[str], shown: Sequence[int], best: Sequence[int]) -> str:
    """What the numbers in the picture are."""
    rows = [[str(at + 1), names[k], *(_value(column, k) for column in columns), "front" if k in best else ""] for at, k in enumerate(shown)]
    return table(["", "design", *(text(column.quantity.name) for column in columns), ""], rows, (0, 2, 3))


def _value(column: Column, design: int) -> str:
    scale = Scale(100, "%") if column.criterion else scale_of(column.cells.result.units.get(column.quantity.name, "1"), column.values[column.known])
    value = column.rounded(scale, design)[0] if np.isfinite(column.values[design]) else "–"
    return f"{value} {text(scale.unit)}"


def _plain(shown: str) -> str:
    return shown.replace("<wbr>", "")


def _objective(result: Result, column: Column) -> Objective:
    low, high = (np.array([getattr(estimate, end) for estimate in column.estimates]) for end in ("low", "high"))
    if column.criterion:
        return Objective(column.criterion, f"P({column.criterion}) [%]", 100 * column.values, 100 * low, 100 * high, column.sign)
    name = f"|{column.quantity.name}|" if column.quantity.absolute else column.quantity.name
    scale = scale_of(result.units.get(column.quantity.name, "1"), column.values[column.known])
    unit = f" [{scale.unit}]" if scale.unit else ""
    axis = f"{'mean ' if column.cells.sampled else ''}{name}{unit}"
    return Objective(name, axis, column.values * scale.factor, low * scale.factor, high * scale.factor, column.sign)


@styled
def trade_off(result: Result, one: Objective, other: Objective, shown: Sequence[int]) -> Figure:
    """Designs over two objectives, the front marked and joined; those of `shown` are numbered in this order."""
    best = front(one.values * one.sign, other.values * other.sign)
    figure = _empty_figure(result, 7.2, 5.2, f"{one.name} and {other.name}")
    axes = figure.add_subplot()
    _points(axes, one, other, [k for k in range(len(one.values)) if k not in best], "white", "other designs")
    axes.plot(one.values[best], other.values[best], color=COLORS[1], linewidth=1.0, linestyle=":", zorder=2)
    _points(axes, one, other, best, COLORS[1], "front: none is better in both")
    for at, k in enumerate(shown):
        if np.isfinite(one.values[k]) and np.isfinite(other.values[k]):
            axes.annotate(str(at + 1), (one.values[k], other.values[k]), textcoords="offset points", xytext=(5, 4), fontsize=10)
    axes.margins(0.12)
    axes.set_xlabel(plain(one.axis))
    axes.set_ylabel(plain(other.axis))
    _subtitle(axes, "Designs over two objectives that conflict", 7.2)
    legend(axes, 2)
    return figure


def _points(axes: Any, one: Objective, other: Objective, chosen: Sequence[int], color: str, words: str) -> None:
    if not len(chosen):
        return
    at = np.array(chosen)
    arms = [np.nan_to_num(np.stack([each.values[at] - each.low[at], each.high[at] - each.values[at]])).clip(min=0) for each in (one, other)]
    axes.errorbar(one.values[at], other.values[at], xerr=arms[0], yerr=arms[1], fmt="none", ecolor="#666666", elinewidth=0.8, zorder=1)
    axes.plot(one.values[at], other.values[at], "o", color=color, markeredgecolor=COLORS[1], markersize=6, linestyle="", label=words, zorder=3)
