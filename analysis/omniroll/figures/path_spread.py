"""Figures of how far the traced instances of a sample spread about their median path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import lists
from ..reading import designs, frames
from ..reading.result import Array, Result
from .basic import has_path
from .style import COLORS, Skipped, empty_figure, evenly, finish, legend, one_panel, set_subtitle, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LOW, HIGH = 5, 95  # per cent
FEWEST = 20  # traced instances below which 5 % and 95 % are the extremes
CROSSES = 7
WIDE = 0.06  # of the path's extent: a tube narrower than half of this is drawn wider
THIN_PATHS = 12
RESTING = 0.05  # of the largest speed: below, errors make the direction
MOST_QUADS = 150
SAMPLES = lists.designs("sample")


@dataclass(frozen=True)
class Tube:
    """Quantiles of the positions at equal times, relative to the median path. The last axis: 5 %, 50 %, 95 %."""

    time: Array  # s
    x: Array  # m, median of the positions
    z: Array  # to the right, whatever the frame
    forward: Array  # [time, (x, z)]: direction in which the median path goes
    along: Array  # [time, quantile] m, ahead of the median point
    across: Array  # [time, quantile] m, to the right of it
    count: int  # instances


def tube(result: Result) -> Tube:
    """The median path of the traced instances that reached the end, and the quantiles of their positions about it. Raises Skipped."""
    if designs.kind(result) not in SAMPLES:
        raise Skipped("the traced instances are no sample: a design monte_carlo, latin_hypercube, sobol or halton draws one")
    if not result.trajectories or not has_path(result):
        raise Skipped("the study asked for no trajectories")
    x, z = (frames.drawn(result).trajectories[name][result.ok[result.traced_rows]] for name in ("x", "z"))
    good = np.isfinite(x).all(axis=1) & np.isfinite(z).all(axis=1)
    x, z = x[good], z[good]
    if len(x) < FEWEST:
        raise Skipped(f"{len(x)} of the traced instances reached the end; quantiles from 5 % to 95 % need {FEWEST}")
    middle = np.median(x, axis=0), np.median(z, axis=0)
    forward = directions(*middle)
    dx, dz = x - middle[0], z - middle[1]
    along = dx * forward[:, 0] + dz * forward[:, 1]
    across = dz * forward[:, 0] - dx * forward[:, 1]  # to the right of (x, z) is (-z, x)
    ahead, right = (np.percentile(values, [LOW, 50, HIGH], axis=0).T for values in (along, across))
    return Tube(result.time, middle[0], middle[1], forward, ahead, right, len(x))


def directions(x: Array, z: Array) -> Array:
    """[time, (x, z)]: unit vectors along a path; where it rests, the direction before, or the first one."""
    step = np.stack([np.gradient(x), np.gradient(z)], axis=1)
    length = np.hypot(*step.T)
    moving = length > RESTING * length.max() if length.max() > 0 else np.zeros(len(x), dtype=bool)
    if not moving.any():
        return np.tile([1.0, 0.0], (len(x), 1))
    last = np.maximum.accumulate(np.where(moving, np.arange(len(x)), -1))
    at = np.where(last < 0, np.argmax(moving), last)
    return np.asarray(step[at] / length[at, None])


def magnification(found: Tube) -> float:
    """How many times as wide the tube is drawn: 1, 2, 5, 10, ..., so that it stands out from the path."""
    extent = max(np.ptp(found.x), np.ptp(found.z))
    width = np.max(found.across[:, 2] - found.across[:, 0])
    if width <= 0 or extent <= 0 or width > WIDE * extent / 2:
        return 1.0
    scales = [m * 10.0**e for e in range(7) for m in (1, 2, 5)]
    return max(s for s in scales if s * width <= 2 * WIDE * extent or s == 1)


@styled
def path_tube(result: Result) -> Figure:
    """The median path and the tube in which the middle 90 % of the traced instances are, across the path, at equal times."""
    found = tube(result)
    scale = magnification(found)
    words = f"drawn {scale:g} times as wide; " if scale > 1 else ""
    figure, axes = one_panel(result, 7.5, 6.5, "Paths with quantile tube",
                             f"Seen from above; {words}{found.count} traced instances that reached the end")
    axes.set_aspect("equal", adjustable="datalim")
    if scale == 1:
        _thin_paths(axes, result)
    right = np.stack([-found.forward[:, 1], found.forward[:, 0]], axis=1)
    middle = np.stack([found.x, found.z], axis=1)
    shown = evenly(len(middle), MOST_QUADS)
    for k, after in zip(shown, shown[1:]):
        corners = [middle[i] + scale * right[i] * found.across[i, q] for i, q in ((k, 0), (after, 0), (after, 2), (k, 2))]
        axes.fill(*np.array(corners).T[::-1], color=COLORS[4], linewidth=0.6, alpha=1.0, zorder=1.5)
    axes.fill([], [], color=COLORS[4], label=f"{LOW} to {HIGH} % across" + (f", × {scale:g}" if scale > 1 else ""))
    axes.plot(found.z, found.x, color=COLORS[0], linewidth=1.8, label="median path", zorder=3)
    _crosses(axes, found, middle, right, scale)
    axes.plot(found.z[0], found.x[0], "o", markersize=6, color="white", markeredgecolor="#333333", zorder=5, label="start")
    axes.margins(0.08)
    frames.label_plane(axes, result)
    legend(axes, 1)
    return figure


def _thin_paths(axes: Any, result: Result) -> None:
    rows = np.flatnonzero(result.ok[result.traced_rows])[:THIN_PATHS]
    samples = frames.drawn(result).trajectories
    for row in rows:
        axes.plot(samples["z"][row], samples["x"][row], color="#666666", linewidth=0.5, alpha=0.5, zorder=2)


def _crosses(axes: Any, found: Tube, middle: Array, right: Array, scale: float) -> None:
    """At equal times the middle 90 % along and across."""
    at = np.unique(np.linspace(0, len(found.time) - 1, CROSSES + 1).round().astype(int))[1:]
    for k in at:
        for axis, ends in ((found.forward[k], found.along[k]), (right[k], found.across[k])):
            line = middle[k] + scale * np.outer(ends[[0, 2]], axis)
            axes.plot(line[:, 1], line[:, 0], color="black", linewidth=1.1, zorder=4)
    axes.plot([], [], "+", color="black", markersize=8, label="the same along and across, at equal times")


@styled
def path_spread(result: Result) -> Figure:
    """Distances of the traced instances from the median path over time, sideways and ahead."""
    found = tube(result)
    largest = max(np.abs(found.across).max(), np.abs(found.along).max())
    factor, unit = (1e3, "mm") if largest < 1 else (1.0, "m")
    figure = empty_figure(result, 7.5, 5.6, "Spread about the median path")
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes, values, words in ((upper, found.across, "to the right"), (lower, found.along, "ahead")):
        axes.fill_between(found.time, values[:, 0] * factor, values[:, 2] * factor, color=COLORS[4], alpha=0.6, linewidth=0,
                          label=f"{LOW} to {HIGH} %")
        axes.plot(found.time, values[:, 1] * factor, color=COLORS[0], linewidth=1.4, label="median")
        axes.set_ylabel(f"{words} [{unit}]")
        axes.margins(x=0.01)
    set_subtitle(upper, f"Of {found.count} traced instances at equal times, relative to the median path", 7.5)
    legend(upper)
    return finish(figure, [upper, lower])
