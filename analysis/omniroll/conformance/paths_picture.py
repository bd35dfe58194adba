"""Pictures of a conformance check: the paths of all simulators, one figure a manoeuvre."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures.style import COLORS, DASHES, STYLE, plain
from .motion import Motion
from .table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARROWS = 9  # of the heading along a path


def _heading(axes: Any, motion: Motion, color: str) -> None:
    at = np.linspace(0, len(motion.t) - 1, ARROWS).round().astype(int)
    yaw = motion.yaw[at]
    axes.quiver(-motion.y[at], motion.x[at], -np.sin(yaw), np.cos(yaw), color=color, scale=16, width=0.004, zorder=3)


def _draw(axes: Any, motions: "list[tuple[str, Motion]]") -> None:
    # Of a vehicle that turns on the spot the yaw over time says more than the path.
    stays = all(max(np.ptp(motion.x), np.ptp(motion.y)) < 0.02 * float(np.ptp(motion.yaw)) for _, motion in motions)
    for (name, motion), color, dash in zip(motions, COLORS, DASHES):
        if stays:
            axes.plot(motion.t, np.degrees(motion.yaw), dash, color=color, label=plain(name))
        else:
            axes.plot(-motion.y, motion.x, dash, color=color, label=plain(name))
            _heading(axes, motion, color)
    if not stays:
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.15)
    axes.set(xlabel="time [s]" if stays else "to the right [m]", ylabel="yaw [deg]" if stays else "forward [m]")


def _motions(table: Table) -> "dict[str, list[tuple[str, Motion]]]":
    found: "dict[str, list[tuple[str, Motion]]]" = {}
    for row in table.rows:
        if row.motion is not None:
            found.setdefault(row.manoeuvre, []).append((row.simulator, row.motion))
    return found


def _title(figure: "Figure", text: str) -> None:
    figure.suptitle(plain(text), fontsize=12, fontweight="bold", x=0.01, ha="left")


def figures(table: Table, title: str = "") -> "dict[str, Figure]":
    """A figure of each manoeuvre, by its name: the paths from above, of a turn on the spot the yaw over time."""
    import matplotlib
    from matplotlib.figure import Figure

    found: "dict[str, Figure]" = {}
    for name, motions in _motions(table).items():
        with matplotlib.rc_context(STYLE):
            found[name] = figure = Figure(figsize=(5.4, 4.2), layout="constrained")
            axes = figure.add_subplot()
            _draw(axes, motions)
            axes.legend(loc="best")
            axes.set_title(plain(title), fontsize=9, color="#444444", loc="left")
            _title(figure, f"{name[:1].upper()}{name[1:]} at equal wheel rates")
    return found


def sheet(table: Table, title: str = "") -> "Figure":
    """All manoeuvres in one figure."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10, 6.4), layout="constrained")
        places = figure.subplots(2, 3).ravel()
        for axes, (name, motions) in zip(places, _motions(table).items()):
            _draw(axes, motions)
            axes.set_title(name, fontsize=9, color="#444444", loc="left")
        handles, labels = places[0].get_legend_handles_labels()
        for axes in places[len(_motions(table)):]:
            axes.set_axis_off()
        places[-1].legend(handles, labels, loc="center", fontsize=10)
        _title(figure, f"Equal wheel rates: {title}" if title else "Equal wheel rates")
    return figure


def save(table: Table, folder: "str | os.PathLike[str]", title: str = "") -> "list[str]":
    """Writes paths_MANOEUVRE.png into the folder, and tells their names."""
    os.makedirs(folder, exist_ok=True)
    names = []
    for name, figure in figures(table, title).items():
        names.append(os.path.join(os.fspath(folder), f"paths_{name}.png"))
        figure.savefig(names[-1])
    return names
