#!/usr/bin/python3
"""Draws the three pictures of docs/explanation/contact.md from the formulas of appendix/rollers.md:

    python3 docs/explanation/contact_figures.py
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
from typing import Any, Sequence

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis"))
from omniroll.figures.style import COLORS, styled  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
RADIUS, ROLLERS, TIP = 50.0, 9, 4.0  # of the wheel in the pictures: mm, rollers of a wheel, mm
INCLINATION = np.radians(45)
HALF = np.pi / ROLLERS  # half the angle that a roller covers
BLUE, ORANGE, GREEN, GREY, FILL = COLORS[0], "#d55e00", "#009e73", "#5f6b73", "#dfe7ec"


def ring() -> float:
    """Distance R_1 of the wheel's and a roller's centre for which the rollers end with the radius TIP."""
    low, high = 0.5 * RADIUS, RADIUS * np.cos(HALF)
    for _ in range(60):
        middle = 0.5 * (low + high)
        thick = (RADIUS - middle / np.cos(HALF)) * np.sqrt(1 - (np.sin(HALF) * np.cos(INCLINATION)) ** 2)
        low, high = (middle, high) if thick > TIP else (low, middle)
    return low


def profile(count: int = 81) -> tuple[np.ndarray, np.ndarray]:
    """Place along the roller's axis and radius of its sections, from one end to the other."""
    q, centre = np.linspace(-HALF, HALF, count), ring()
    m, h = centre * np.tan(q) / np.cos(INCLINATION), RADIUS - centre / np.cos(q)
    return m + h * np.sin(q) * np.cos(INCLINATION), h * np.sqrt(1 - (np.sin(q) * np.cos(INCLINATION)) ** 2)


def arrow(axes: Any, start: Any, end: Any, color: str, text: str = "", at: tuple[float, float] = (0, 0)) -> None:
    """An arrow between two points, and a text at a third one."""
    axes.annotate("", xy=end, xytext=start, arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0,
                                                        "mutation_scale": 13})
    axes.text(*at, text, color=color, ha="center", va="center")


def side_roller(axes: Any, angle: float, **look: Any) -> None:
    """A roller seen along the axle: the shadows of its sections, each an ellipse."""
    from matplotlib.patches import Ellipse

    places, radii = profile()
    centre = ring() * np.array([np.sin(angle), -np.cos(angle)])
    along = np.array([np.cos(angle), np.sin(angle)])
    for place, radius in zip(places, radii):
        middle = centre + place * np.cos(INCLINATION) * along
        axes.add_patch(Ellipse(middle, 2 * radius * np.sin(INCLINATION), 2 * radius, angle=np.degrees(angle), linewidth=0, **look))


def plain(axes: Any, x: tuple[float, float], y: tuple[float, float]) -> None:
    axes.set_aspect("equal")
    axes.set_xlim(*x)
    axes.set_ylim(*y)
    axes.axis("off")


@styled
def from_the_side() -> Any:
    """The wheel along its axle: where the roller on the floor touches."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Arc, Circle

    figure = Figure(figsize=(4.6, 4.4))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    q = np.radians(13)
    for number in range(1, ROLLERS + 1):  # the one on the floor is the last, before its neighbours
        side_roller(axes, q + 2 * HALF * number, color="#9db8c9" if number == ROLLERS else FILL)
    axes.add_patch(Circle((0, 0), ring() - 9, facecolor="white", edgecolor=GREY, linewidth=1.2))
    axes.plot([-62, 62], [-RADIUS, -RADIUS], color="black", linewidth=1.4)
    axes.plot([0, 0], [0, -RADIUS], color=GREY, linewidth=1, linestyle=(0, (4, 3)))
    centre = ring() * np.array([np.sin(q), -np.cos(q)])
    axes.plot([0, centre[0]], [0, centre[1]], color=GREY, linewidth=1)
    axes.plot(0, 0, "o", color=GREY, markersize=5)
    axes.plot(*centre, "o", color=BLUE, markersize=5)
    axes.plot(0, -RADIUS, "o", color=ORANGE, markersize=7)
    axes.add_patch(Arc((0, 0), 44, 44, theta1=270, theta2=270 + np.degrees(q), color=GREY))
    axes.text(4.0, -26.5, "q", color=GREY, ha="center")
    axes.text(-4.5, -15, "R", color=GREY, ha="center")
    axes.text(9.5, -17, "$R_1$", color=GREY, ha="center")
    axes.text(centre[0] + 3, centre[1] + 2.6, "roller's centre", color=BLUE, ha="left")
    arrow(axes, (0, -RADIUS - 15), (0, -RADIUS - 1), ORANGE, "load N", (10, -RADIUS - 9))
    axes.text(-5, -RADIUS - 9, "contact point", color=ORANGE, ha="right", va="center")
    arrow(axes, (33, -RADIUS - 9), (55, -RADIUS - 9), GREY, "i", (58.5, -RADIUS - 9))
    axes.text(0, 7, "the axle k points\ntowards you", color=GREY, ha="center", va="bottom")
    plain(axes, (-63, 63), (-66, 54))
    return figure


@styled
def from_above() -> Any:
    """The roller on the floor from above: the directions of free rolling and of the force."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Arc, Polygon, Rectangle

    figure = Figure(figsize=(4.6, 4.4))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.add_patch(Rectangle((-50, -17), 103, 34, facecolor="#f2f5f7", edgecolor=GREY, linewidth=0.8))
    axes.text(-48, -8, "wheel\nfrom above", color=GREY, ha="left", va="center")
    places, radii = profile()
    turn = np.array([[np.cos(INCLINATION), np.sin(INCLINATION)], [-np.sin(INCLINATION), np.cos(INCLINATION)]])
    outline = np.concatenate([np.stack([places, radii]), np.stack([places, -radii])[:, ::-1]], axis=1)
    axes.add_patch(Polygon((turn @ outline).T, facecolor="#9db8c9", edgecolor="none"))
    arrow(axes, (0, 0), (46, 0), GREY, "i", (49.5, 0))
    arrow(axes, (0, 0), (0, -34), GREY, "axle k", (0, -38))
    e = np.array([np.cos(INCLINATION), -np.sin(INCLINATION)])
    across = np.array([-e[1], e[0]])
    axes.plot(*np.stack([0 * e, 52 * e], axis=1), color=BLUE, linewidth=1, linestyle=(0, (5, 3)))
    axes.text(*(50 * e + (2, -8)), "roller's axis e", color=BLUE, ha="center")
    axes.add_patch(Arc((0, 0), 50, 50, theta1=-45, theta2=0, color=BLUE))
    axes.text(29, -11, "ψ", color=BLUE, ha="center", va="center")
    arrow(axes, -6 * across, -40 * across, GREEN)
    arrow(axes, 6 * across, 40 * across, GREEN)
    axes.text(*(43 * across + (4, 4)), "rolls freely", color=GREEN, ha="center")
    arrow(axes, (0, 0), -35 * e, ORANGE)
    axes.text(*(-35 * e + (6, 4)), "the floor pushes\nalong the axis", color=ORANGE, ha="right", va="bottom")
    axes.plot(0, 0, "o", color=ORANGE, markersize=7)
    plain(axes, (-68, 60), (-55, 51))
    return figure


@styled
def over_the_angle() -> Any:
    """What jumps where the next roller takes over: place of the contact along the axle and height of the roller's axis above the floor."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.2))
    top, bottom = figure.subplots(2, 1, sharex=True)
    figure.subplots_adjust(left=0.17, right=0.97, top=0.93, bottom=0.13, hspace=0.34)
    centre = ring()
    for number in range(3):
        q = np.linspace(-HALF, HALF, 101)
        angle = np.degrees(q + 2 * HALF * number)
        top.plot(angle, centre * np.tan(INCLINATION) * np.tan(q), color=ORANGE, linewidth=2)
        bottom.plot(angle, RADIUS - centre / np.cos(q), color=BLUE, linewidth=2)
    for axes in (top, bottom):
        for number in range(4):
            axes.axvline(np.degrees((2 * number - 1) * HALF), color=GREY, linewidth=0.8, linestyle=(0, (3, 3)))
    top.set_title("place p of the contact along the axle [mm]", fontsize=10, loc="left", color=ORANGE)
    bottom.set_title("thickness h of the roller at the contact [mm]", fontsize=10, loc="left", color=BLUE)
    bottom.set_xlabel("angle of the wheel [°]; a dashed line is an exchange", fontsize=10)
    bottom.set_xticks(range(-20, 101, 20))
    bottom.set_ylim(0, None)
    return figure


DRAWN = {"contact_side": from_the_side, "contact_above": from_above, "contact_exchange": over_the_angle}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 docs/explanation/contact_figures.py", description=__doc__.split(":\n")[0])
    parser.add_argument("--folder", default=os.fspath(HERE), help="where to; default: beside the page")
    chosen = parser.parse_args(arguments)
    for name, draw in DRAWN.items():
        # Without date and version, so that the same picture is the same file.
        draw().savefig(os.path.join(chosen.folder, f"{name}.png"), dpi=110, metadata={"Software": None})
    return 0


if __name__ == "__main__":
    sys.exit(main())
