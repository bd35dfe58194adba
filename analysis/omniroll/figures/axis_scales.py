"""Scales of the axes of figures: ticks of whole numbers, a colour for each of a few values, and spikes that are cut off and marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

import numpy as np

from ..reading.frames import Side
from ..reading.result import Array

if TYPE_CHECKING:
    from matplotlib.colors import Normalize

MOST_TICKS = 12  # values that have a tick each
INNER = (1, 99)  # per cent: the range without spikes
SWALLOWED = 0.1  # part of a scale of colours below which the middle values look the same
FEWEST = 10  # values, of which the outermost may be cut off such a scale
SPIKE = 4.0  # times that range: farther spikes are cut off
ROOM = 0.5  # of that range, left beyond it on either side


def plain_decades(axis: Any) -> None:
    """Figures 1, 2 and 5 of each decade on a logarithmic axis, written out."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def spans_decade(numbers: Array) -> bool:
    """Whether values are shown by their logarithm: they are above 0, and the largest is more than ten times the smallest."""
    known = numbers[np.isfinite(numbers)]
    return bool(len(known) and 0 < 10 * known.min() < known.max())


def colors_of(numbers: Array) -> Normalize:
    """The scale of a map's colours, by the logarithm where values span more than a decade. It ends at the INNER percentiles where the middle
    values would have less than SWALLOWED of it: a single value far out would leave one colour for all others."""
    from matplotlib.colors import LogNorm, Normalize

    known = np.sort(numbers[np.isfinite(numbers)])
    if not len(known):
        return Normalize(0, 1)
    ends = known[[0, -1]]
    inner = known[[int(np.ceil(0.01 * INNER[0] * (len(known) - 1))), int(0.01 * INNER[1] * (len(known) - 1))]]
    scale: Any = np.log if ends[0] > 0 and spans_decade(inner) else np.positive
    width = np.ptp(scale(inner))
    if len(known) >= FEWEST and 0 < width < SWALLOWED * np.ptp(scale(ends)):
        ends = np.where(np.abs(scale(ends) - scale(inner)) > width, inner, ends)
    return (LogNorm if known[0] > 0 and spans_decade(ends) else Normalize)(*ends)  # values cut off below have no logarithm otherwise


def color_bar(figure: Any, image: Any, axes: Any, words: str, numbers: Array) -> list[Any]:
    """The colour bar of a map of these numbers: arrows and words say where its scale does not reach all of them. Fewer than three values have
    entries of a legend instead, which are given back."""
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Patch

    known = np.unique(numbers[np.isfinite(numbers)])
    if len(known) < 3:
        return [Patch(color=image.cmap(image.norm(value)), label=f"{words} {value:.4g}") for value in known]
    below, above = known[0] < image.norm.vmin, known[-1] > image.norm.vmax
    said = [f"{name} is {value:.3g}" for name, value, is_out in (("smallest", known[0], below), ("largest", known[-1], above)) if is_out]
    ends = " and ".join(name for name, is_out in (("1st", below), ("99th", above)) if is_out)
    note = f"\nscale ends at the {ends} percentile;\n{', '.join(said)}".replace("-", "−") if said else ""
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[bool(below), bool(above)]
    bar = figure.colorbar(image, ax=axes, label=words + note, fraction=0.06, pad=0.02, extend=extend)
    if isinstance(image.norm, LogNorm):
        plain_decades(bar.ax.yaxis)
    else:
        whole_ticks(bar.ax.yaxis, known)
    return []


def is_whole(values: Any) -> bool:
    """Whether all values that are there are whole numbers, and some differ: counts of rollers, of wheels, of exchanges."""
    found = np.unique(np.asarray(values, dtype=float)[np.isfinite(values)])
    return len(found) > 1 and bool(np.all(found == np.round(found)) and np.abs(found).max() < 1e9)


def whole_ticks(axis: Any, values: Any) -> None:
    """Ticks only at whole numbers where all values are whole: at each of a few, else at round ones among them."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    if not is_whole(values):
        return
    found = np.unique(np.asarray(values, dtype=float)[np.isfinite(values)])
    few = len(found) <= MOST_TICKS and np.diff(found).min() > 0.06 * np.ptp(found)
    axis.set_major_locator(FixedLocator(found) if few else MaxNLocator("auto", integer=True, steps=[1, 2, 2.5, 5, 10]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))


def inner_range(series: Iterable[Array]) -> tuple[float, float] | None:
    """The range that lines are drawn in where a few samples lie so far out that they would flatten all others; None where none do."""
    parts = [np.ravel(values)[np.isfinite(np.ravel(values))] for values in series]
    values = np.concatenate(parts) if parts else np.empty(0)
    if len(values) < 100:  # the INNER of fewer are all of them
        return None
    inner = np.percentile(values, INNER)
    width = float(inner[1] - inner[0])
    if not 0 < SPIKE * width < np.ptp(values):
        return None
    return max(float(values.min()), float(inner[0]) - ROOM * width), min(float(values.max()), float(inner[1]) + ROOM * width)


def cut_spikes(axes: Any, lines: Iterable[tuple[Array, Array, str]]) -> bool:
    """Limits axes over time to the inner range of their lines (x, y, colour) and marks the parts cut off: a triangle at the edge for each
    line, and the farthest value of each side in numbers. Whether anything was."""
    known = [(np.asarray(x), np.asarray(y), color) for x, y, color in lines]
    limits = inner_range([y for _, y, _ in known])
    if limits is None:
        return False
    low, high = limits
    room = 0.04 * (high - low)
    axes.set_ylim(low - room, high + room)
    for side, edge, marker in ((1, high, "^"), (-1, low, "v")):
        beyond = [(x, y, color) for x, y, color in known if np.nanmax(side * y) > side * edge]
        for x, y, color in beyond:
            at = int(np.nanargmax(side * y))
            axes.plot(x[at], 1.0 if side > 0 else 0.0, marker, color=color, markersize=6, transform=axes.get_xaxis_transform(), clip_on=False,
                      zorder=6)
        if beyond:
            _mark_farthest(axes, side, *max(((x, y) for x, y, _ in beyond), key=lambda line: float(np.nanmax(side * line[1]))))
    return True


def _mark_farthest(axes: Any, side: int, x: Array, y: Array) -> None:
    """The farthest value, written inside the axes next to its triangle."""
    at = int(np.nanargmax(side * y))
    ends = axes.get_xlim()
    left = x[at] - ends[0] > 0.7 * (ends[1] - ends[0])
    axes.annotate(f"{'to' if side > 0 else 'down to'} {y[at]:.3g}".replace("-", "−"), (x[at], 1.0 if side > 0 else 0.0),
                  xycoords=axes.get_xaxis_transform(), xytext=(-6 if left else 6, -3 if side > 0 else 3), textcoords="offset points",
                  ha="right" if left else "left", va="top" if side > 0 else "bottom", fontsize=9.2, zorder=6,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8})


def cut_paths(axes: Any, paths: Iterable[tuple[Array, Array, str]], told: Side) -> bool:
    """The same of paths (to the right, up, colour) seen from above: where one leaves the range of all, an arrow says where to, in the words
    of a frame. Whether any did."""
    known = [(np.asarray(across), np.asarray(up), color) for across, up, color in paths]
    limits = [inner_range([across for across, _, _ in known]), inner_range([up for _, up, _ in known])]
    if limits[0] is None and limits[1] is None:
        return False
    whole = [(min(float(np.nanmin(path[k])) for path in known), max(float(np.nanmax(path[k])) for path in known)) for k in (0, 1)]
    box = [found or all_of_it for found, all_of_it in zip(limits, whole)]
    side = 1.1 * max(box[0][1] - box[0][0], box[1][1] - box[1][0])
    middle = [(low + high) / 2 for low, high in box]
    axes.set_aspect("equal", adjustable="box")
    axes.set(xlim=(middle[0] - side / 2, middle[0] + side / 2), ylim=(middle[1] - side / 2, middle[1] + side / 2))
    gone = [(path, _farthest(path, middle)) for path in known]
    gone = [(path, at) for path, at in gone if max(abs(path[0][at] - middle[0]), abs(path[1][at] - middle[1])) > side / 2]
    for (across, up, color), at in gone:
        _arrow(axes, (across[at] - middle[0], up[at] - middle[1]), middle, side, color)
    if gone:
        (across, up, _), at = max(gone, key=lambda each: float(np.hypot(each[0][0][each[1]] - middle[0], each[0][1][each[1]] - middle[1])))
        words = f"to {told.axis} = {told.sign * across[at]:.3g} m, x = {up[at]:.3g} m".replace("-", "−")
        more = f"{len(gone)} paths leave, the farthest " if len(gone) > 1 else "leaves "
        axes.text(0.02, 0.02, more + words, transform=axes.transAxes, fontsize=9.2, va="bottom", zorder=6,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8})
    return True


def _farthest(path: tuple[Array, Array, str], middle: list[float]) -> int:
    return int(np.nanargmax(np.hypot(path[0] - middle[0], path[1] - middle[1])))


def _arrow(axes: Any, away: tuple[float, float], middle: list[float], side: float, color: str) -> None:
    """An arrow at the edge of the axes, towards the point beyond it."""
    size = max(abs(away[0]), abs(away[1]))
    tip = [middle[k] + 0.5 * side * away[k] / size for k in (0, 1)]
    tail = [middle[k] + 0.44 * side * away[k] / size for k in (0, 1)]
    axes.annotate("", tip, tail, arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 1.4}, zorder=6)
