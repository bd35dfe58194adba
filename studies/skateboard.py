#!/usr/bin/python3
"""The picture of studies/skateboard.json: the skateboard, its lean at ten speeds, and the growth of the lean beside the equation.

    omniroll run studies/skateboard.json
    python3 studies/skateboard.py skateboard.h5 -o studies/skateboard.png
"""
import argparse
import os
import sys

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
import omniroll  # noqa: E402
from omniroll.reading import Result  # noqa: E402

BLUE, ORANGE, GRAY, INK = "#0072b2", "#d55e00", "#b8bcc2", "#22262b"
# the numbers of the study, SI; TRUCK: inertia of a truck with rolling wheels about the vertical
M, H, ROLL, RUBBER, GRAVITY, A, B, RADIUS, TRACK = 75.0, 1.0, 8.0, 370.0, 9.81, 0.32, 0.48, 0.03, 0.09
FRONT, REAR = np.radians(50), np.radians(35)
TRUCK = 1e-3 + 2 * (0.1 * TRACK**2 + 3e-5 + 5e-5 * (TRACK / RADIUS) ** 2)
CRITICAL = np.sqrt((M * GRAVITY * H - RUBBER) * (A + B) / (M * H * (np.tan(FRONT) + np.tan(REAR))))


def roots(speed: float) -> np.ndarray:
    """Of the linear equation of the lean (docs/reference/multibody.md#skateboard), 1/s."""
    turn = speed * (np.tan(FRONT) + np.tan(REAR)) / (A + B)
    side = speed * (B * np.tan(FRONT) - A * np.tan(REAR)) / (A + B)
    inertia = ROLL + M * H * H + TRUCK * (np.tan(FRONT) ** 2 + np.tan(REAR) ** 2)
    damping = M * H * side + TRUCK * (np.tan(FRONT) - np.tan(REAR)) * turn
    return np.roots([inertia, damping, RUBBER - M * GRAVITY * H + M * H * speed * turn])


def draw_board(axes: Axes) -> None:
    axes.axhline(0, color=INK, linewidth=1)
    axes.add_patch(Rectangle((-0.42, 0.08), 0.84, 0.02, facecolor=GRAY, edgecolor=INK))
    axes.add_patch(Rectangle((-0.1, 0.1), 0.2, 1.7, facecolor="#eceef1", edgecolor=INK))
    axes.plot(0, RADIUS + H, "o", color=INK, markersize=5)
    axes.text(0.13, RADIUS + H, "75 kg,\n1 m above\nthe axles", fontsize=8, va="center")
    for place, angle, name in ((A, FRONT, "50°"), (-B, np.pi - REAR, "35°")):
        axes.add_patch(Circle((place, RADIUS), RADIUS, facecolor="white", edgecolor=INK, zorder=3))
        reach = np.array([-0.12, 0.42])
        axes.plot(place + reach * np.cos(angle), RADIUS + reach * np.sin(angle), color=ORANGE, linewidth=1.5, zorder=4)
        axes.text(place + 0.45 * np.cos(angle), RADIUS + 0.45 * np.sin(angle), name, color=ORANGE, fontsize=8, ha="center")
    axes.plot([-B - 0.15, A + 0.15], [RADIUS, RADIUS], color=BLUE, linewidth=0.8, linestyle="--")
    axes.text(-0.8, 0.62, "axes of\nthe pivots", color=ORANGE, fontsize=8)
    axes.text(A + 0.18, RADIUS + 0.01, "axis of\nthe lean", color=BLUE, fontsize=8)
    axes.annotate("", (0.75, 1.5), (0.35, 1.5), arrowprops={"arrowstyle": "-|>", "color": BLUE, "linewidth": 2})
    axes.text(0.55, 1.55, "speed", color=BLUE, fontsize=8, ha="center")
    axes.set(xlim=(-0.85, 0.85), ylim=(-0.05, 1.9), aspect="equal")
    axes.set_axis_off()
    axes.set_title("It steers by leaning", loc="left", fontsize=10)


def draw_leans(axes: Axes, result: Result) -> None:
    speeds = result.parameters["speed"]
    for row, speed in enumerate(speeds):
        lean = np.abs(result.trajectories["lean"][row])
        grows = speed < CRITICAL
        axes.semilogy(result.time[1:], lean[1:], color=ORANGE if grows else BLUE, linewidth=1, alpha=0.85)
        if speed in (1.3, 1.35, 1.4, 1.435, 1.45, 1.6) and lean[-1] > 1e-7:
            axes.text(result.time[-1] + 0.15, lean[-1], f"{speed:g}", fontsize=7, va="center", color=ORANGE if grows else BLUE)
    axes.set(xlabel="time [s]", ylabel="size of the lean [rad]", ylim=(2e-8, 0.2), xlim=(0, 13.2))
    axes.text(0.4, 1e-2, "speeds in m/s; below\nthe critical one the rider falls", fontsize=8, color=ORANGE)
    axes.set_title("Lean after a kick of 2e-5 rad/s", loc="left", fontsize=10)


def draw_growth(axes: Axes, result: Result) -> None:
    speeds = np.linspace(1.25, 1.5, 200)
    axes.plot(speeds, [roots(speed).real.max() for speed in speeds], color=GRAY, linewidth=2, label="root of the equation")
    real = np.array([abs(roots(speed).imag).max() == 0 for speed in result.parameters["speed"]])
    axes.plot(result.parameters["speed"][real], result.observables["growth"][real], "o", color=BLUE, markersize=5, label="multibody system after 12 s")
    axes.axvline(CRITICAL, color=ORANGE, linewidth=1)
    axes.text(CRITICAL + 0.004, 0.6, f"{CRITICAL:.4f} m/s", color=ORANGE, fontsize=8)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set(xlabel="speed [m s$^{-1}$]", ylabel="growth of the lean [s$^{-1}$]")
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    axes.set_title("Critical speed", loc="left", fontsize=10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="skateboard.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    figure = Figure(figsize=(11.0, 3.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, middle, right = figure.subplots(1, 3, width_ratios=[0.85, 1.0, 1.0])
    draw_board(left)
    draw_leans(middle, result)
    draw_growth(right, result)
    for axes in (middle, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e8eb", linewidth=0.6)
        axes.set_axisbelow(True)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
