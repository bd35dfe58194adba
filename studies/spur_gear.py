#!/usr/bin/python3
"""The picture of studies/spur_gear.json: the teeth in mesh, and the transmission error beside deviation and load over stiffness.

    omniroll run studies/spur_gear.json
    python3 studies/spur_gear.py spur_gear.h5 -o studies/spur_gear.png
"""
import argparse
import os
import sys

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
import omniroll  # noqa: E402
from omniroll.reading import Result  # noqa: E402

BLUE, ORANGE, GRAY, INK = "#0072b2", "#d55e00", "#b8bcc2", "#22262b"
# the numbers of the study, mm and N; teeth, pitch, base and tip radii
TOOL, STIFFNESS, TORQUE, WAVE = np.radians(20), 2e5, 10e3, 3.0
TEETH = (20, 31)
PITCH = (20.0, 31.0)
BASE = tuple(radius * np.cos(TOOL) for radius in PITCH)
TIP = (22.0, 33.0)
BASE_PITCH = 2 * np.pi * BASE[0] / TEETH[0]
BEFORE, BEHIND = (np.sqrt(TIP[i] ** 2 - BASE[i] ** 2) - BASE[i] * np.tan(TOOL) for i in (1, 0))


def tooth_outline(gear: int) -> np.ndarray:
    """Points of a gear about its centre; a tooth's middle stands on the x axis."""
    radius = np.linspace(BASE[gear], TIP[gear], 25)
    alpha = np.arccos(BASE[gear] / radius)
    half = np.pi / (2 * TEETH[gear]) + (np.tan(TOOL) - TOOL) - (np.tan(alpha) - alpha)
    foot = PITCH[gear] - 2.5
    r = np.concatenate([[foot], radius, radius[::-1], [foot]])
    q = np.concatenate([[-half[0]], -half, half[::-1], [half[0]]])
    turns = 2 * np.pi / TEETH[gear] * np.arange(TEETH[gear] + 1)
    angle = (turns[:, None] + q).ravel()
    r = np.tile(r, len(turns))
    return np.stack([r * np.cos(angle), r * np.sin(angle)])


def draw_mesh(axes: Axes) -> None:
    distance = sum(PITCH)
    a, b = tooth_outline(0), tooth_outline(1)
    turned = -np.pi / (2 * TEETH[0]), np.pi - np.pi / (2 * TEETH[1])  # flanks touch at the pitch point
    for (x, y), angle, centre, color in ((a, turned[0], 0.0, GRAY), (b, turned[1], distance, "#dfe3e8")):
        axes.fill(centre + x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle), facecolor=color, edgecolor=INK, linewidth=0.7)
    along = np.array([np.sin(TOOL), np.cos(TOOL)])
    ends = np.array([[PITCH[0], 0] - BEFORE * along, [PITCH[0], 0] + BEHIND * along])
    axes.plot(*ends.T, color=ORANGE, linewidth=2, zorder=4)
    axes.plot(PITCH[0], 0, "o", color=INK, markersize=4, zorder=5)
    axes.text(PITCH[0] + 3.4, 4.2, "path of\ncontact", color=ORANGE, fontsize=8)
    axes.set(xlim=(9, 33), ylim=(-12, 12), aspect="equal")
    axes.set_axis_off()
    axes.set_title("20 and 31 teeth of module 2 mm", loc="left", fontsize=10)


def quasi_static(roll: float, deviation: float) -> float:
    """Error x of slow teeth, mm: sum of max(0, k (x - e)) over the pairs on the path is the load."""
    places = [roll - i * BASE_PITCH for i in range(-3, 8)]
    e = np.sort([deviation * np.sin(2 * np.pi * s / WAVE) for s in places if -BEFORE < s < BEHIND])
    wait = TORQUE / BASE[1] / STIFFNESS
    return float(e[0] + wait if len(e) < 2 or e[1] - e[0] > wait else (e[0] + e[1] + wait) / 2)


def draw_errors(axes: Axes, result: Result) -> None:
    for row, deviation in enumerate(result.parameters["deviation"]):
        roll, error = (1e3 * result.trajectories[name][row] for name in ("roll", "error"))
        expected = [1e3 * quasi_static(s, 1e3 * deviation) for s in roll]
        axes.plot(roll, 1e3 * error, color=(BLUE, ORANGE, INK)[row], linewidth=1.2, label=f"{1e6 * deviation:.0f} µm")
        axes.plot(roll[60:], expected[60:], color="white", linewidth=0.7, linestyle=(0, (2, 3)))
    axes.set(xlabel="rolled off on the line of action [mm]", ylabel="transmission error [µm]", ylim=(-11, 18))
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper right", title="deviation; dashes: the balance of slow teeth", title_fontsize=8)
    axes.set_title("The error jumps as pairs come and go", loc="left", fontsize=10)


def draw_pairs(axes: Axes, result: Result) -> None:
    for row, deviation in enumerate(result.parameters["deviation"]):
        roll, pairs = 1e3 * result.trajectories["roll"][row], result.trajectories["pairs"][row]
        mean = result.observables["pairs_mean"][row]
        axes.step(roll[1:], pairs[1:] - 2.5 * row, color=(BLUE, ORANGE, INK)[row], linewidth=1.2, where="mid")
        axes.text(18.0, 1.35 - 2.5 * row, f"{1e6 * deviation:.0f} µm:\n{mean:.4f}\non average", fontsize=8, color=(BLUE, ORANGE, INK)[row], va="center")
    axes.set(xlabel="rolled off on the line of action [mm]", yticks=[place - 2.5 * row for row in range(3) for place in (1, 2)],
             yticklabels=["1", "2"] * 3, ylabel="pairs that push", xticks=[0, 5, 10, 15], xlim=(0, 23.5))
    axes.set_title("Textbook's contact ratio: 1.6088", loc="left", fontsize=10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="spur_gear.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    figure = Figure(figsize=(11.0, 3.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, middle, right = figure.subplots(1, 3, width_ratios=[0.8, 1.15, 1.0])
    draw_mesh(left)
    draw_errors(middle, result)
    draw_pairs(right, result)
    for axes in (middle, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e8eb", linewidth=0.6)
        axes.set_axisbelow(True)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
