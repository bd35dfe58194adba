"""Room for the labels of ticks: as many as fit side by side by their width, each with its whole number."""

from __future__ import annotations

from functools import partial
from typing import Any, Sequence

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FixedLocator, MaxNLocator, ScalarFormatter
from matplotlib.transforms import Bbox

LETTER = 0.64  # of the size of letters: how wide a digit is in DejaVu Sans
BETWEEN = 0.8  # of the size of letters, between two labels
USUAL = (-40.0, -32.0, 4.0, 6.0)  # pt, how far labels reach beyond axes: left, below, right, above
MOST = 9  # intervals, as matplotlib has it


class WholeNumbers(ScalarFormatter):
    """Writes 2e−31 at the tick: a power of ten above the axes runs into the legend there, and is overlooked."""

    def get_offset(self) -> str:
        return ""

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        labels: list[str] = super().format_ticks(values)
        if not self.orderOfMagnitude:
            return labels
        least = 1e-9 * float(np.abs(values).max())
        return [f"{value:.6g}".replace("-", "−") if abs(value) > least else "0" for value in values]


def make_room(figure: Any) -> None:
    """Parts the labels of all axes of a figure: of numbers that were chosen those are left that have room."""
    for axes in figure.axes:
        if len(figure.axes) == 1 and axes.get_aspect() == "auto" and not axes.texts:  # several axes align theirs; texts reach far
            axes.get_tightbbox = partial(_tight, axes, axes.get_tightbbox, [])
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                formatter = WholeNumbers()
                formatter.set_powerlimits(axis.get_major_formatter()._powerlimits)
                axis.set_major_formatter(formatter)
        if isinstance(axes.xaxis.get_major_locator(), MaxNLocator):  # those that choose a number of ticks ask for the room
            axes.xaxis.get_tick_space = partial(_intervals, axes, {})
        elif isinstance(axes.xaxis.get_major_locator(), FixedLocator) and axes.get_xscale() == "linear":
            _thin(axes)


def _tight(axes: Any, measure: Any, asked: list[bool], *arguments: Any, **options: Any) -> Any:
    """The box of axes with their labels. Layout asks twice, since labels change with the size of the axes: a usual box is enough for the
    first time, and to measure it takes a sixth of the time of a page."""
    if asked:
        return measure(*arguments, **options)
    asked.append(True)
    left, below, right, above = USUAL
    place = axes.get_subplotspec() if hasattr(axes, "get_subplotspec") else None
    inner = place is not None and not place.is_last_row()
    reach = np.array([left, 0.2 * below if inner else below, right, 4 * above if axes.get_legend() else above])
    return Bbox.from_extents(axes.bbox.extents + reach * axes.get_figure().dpi / 72.0)


def _thin(axes: Any) -> None:
    """Leaves as many of the chosen ticks as have room."""
    places = np.sort(np.asarray(axes.xaxis.get_major_locator().locs, dtype=float))
    labels = axes.xaxis.get_major_formatter().format_ticks(places)
    limits = axes.get_xlim()
    if len(places) < 3 or not all(label.lstrip("-−")[:1].isdigit() for label in labels):
        return
    size = _size(axes)
    width = 0.78 * 72.0 * axes.get_position().width * axes.get_figure().get_figwidth()  # labels of the other axis and a colour bar take the rest
    apart = (LETTER * max(len(label) for label in labels) + BETWEEN) * size * abs(limits[1] - limits[0]) / width
    left = [0]
    for at, place in enumerate(places):
        if place - places[left[-1]] >= apart * (1 - 1e-9):
            left.append(at)
    if len(left) < len(places):
        axes.set_xticks(places[left], [labels[at] for at in left])


def _intervals(axes: Any, known: dict[tuple[float, ...], int]) -> int:
    """How many intervals of ticks an x axis has room for. Layout asks again and again, with the same limits and width."""
    limits = [float(limit) for limit in axes.get_xlim()]
    width = 72.0 * axes.get_position().width * axes.get_figure().get_figwidth()
    place = (*limits, round(width))
    if place not in known:
        known[place] = _most(axes.xaxis.get_major_formatter(), limits, width, _size(axes))
    return known[place]


def _most(formatter: Any, limits: list[float], width: float, size: float) -> int:
    for count in range(MOST, 1, -1):
        ticks = MaxNLocator(nbins=count, steps=[1, 2, 2.5, 5, 10]).tick_values(*limits)
        widest = max(len(label) for label in formatter.format_ticks(ticks))
        if (ticks[1] - ticks[0]) / abs(limits[1] - limits[0]) * width >= (LETTER * widest + BETWEEN) * size:
            return count
    return 1


def _size(axes: Any) -> float:
    """Of the labels, in points."""
    return float(FontProperties(size=axes.xaxis._get_tick_label_size("x")).get_size_in_points())
