"""Pictures of a conformance check: the paths of all simulators, one figure a manoeuvre."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figures.style import COLORS, DASHES, STYLE, plain
from .table import Row, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARROWS = 9  # of the heading along a path


def _heading(axes: Any, row: Row, color: str) -> None:
    at = np.linspace(0, len(row.motion.t) - 1, ARROWS).round().astype(int)
    yaw = row.motion.yaw[at]
    axes.quiver(-row.motion.y[at], row.motion.x[at], -np.sin(yaw), np.cos(yaw), color=color, angles="xy", scale=16, width=0.004, zorder=3)


def _turned(rows: "list[Row]") -> bool:
    """Whether the vehicles stay where they are: then the yaw over time says more than the path."""
    return all(max(np.ptp(row.motion.x), np.ptp(row.motion.y)) < 0.02 * abs(row.measures.yaw) for row in rows)


def _draw(axes: Any, rows: "list[Row]") -> None:
    turned = _turned(rows)
    for row, color, dash in zip(rows, COLORS, DASHES):
        motion = row.motion
        if turned:
            axes.plot(motion.t, np.degrees(motion.yaw), dash, color=color, label=plain(row.simulator))
        else:
            axes.plot(-motion.y, motion.x, dash, color=color, label=plain(row.simulator))
            _heading(axes, row, color)
    if turned:
        axes.set_xlabel("time [s]")
        axes.set_ylabel("yaw [deg]")
        return
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("to the right [m]")
    axes.set_ylabel("forward [m]")


def figures(table: Table, title: str = "") -> "dict[str, Figure]":
    """A figure of each manoeuvre, by its name: the paths from above, of a turn on the spot the yaw over time."""
    import matplotlib
    from matplotlib.figure import Figure

    found: "dict[str, Figure]" = {}
    for name in dict.fromkeys(row.manoeuvre for row in table.rows):
        with matplotlib.rc_context(STYLE):
            found[name] = figure = Figure(figsize=(5.4, 4.2), layout="constrained")
            axes = figure.add_subplot()
            _draw(axes, [row for row in table.rows if row.manoeuvre == name])
            axes.legend(loc="best")
            figure.suptitle(plain(f"{name[:1].upper()}{name[1:]} at equal wheel rates"), fontsize=12, fontweight="bold", x=0.01, ha="left")
            axes.set_title(plain(title), fontsize=9, color="#444444", loc="left")
    return found


def save(table: Table, folder: "str | os.PathLike[str]", title: str = "") -> "list[str]":
    """Writes paths_MANOEUVRE.png into the folder, and tells their names."""
    os.makedirs(folder, exist_ok=True)
    names = []
    for name, figure in figures(table, title).items():
        names.append(os.path.join(os.fspath(folder), f"paths_{name}.png"))
        figure.savefig(names[-1])
    return names
