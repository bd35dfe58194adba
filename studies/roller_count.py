#!/usr/bin/python3
"""The picture of the first page: question, motion and answer of studies/roller_count.json.

    omniroll run studies/roller_count.json
    python3 studies/roller_count.py roller_count.h5 -o studies/roller_count.png
"""
import argparse
import os
import sys

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
import omniroll  # noqa: E402
from omniroll.reading import Result  # noqa: E402

BLUE, ORANGE, GRAY, INK = "#0072b2", "#d55e00", "#b8bcc2", "#22262b"
WHEEL_WIDTH = 0.06  # m, of the drawing alone
SNAPSHOT, SHOWN = 0.1, (1.5, 2.0)  # s, of the vehicle and of the accelerations


def top_rollers(result: Result, row: int, wheel: int, sample: int) -> list[tuple[float, float]]:
    """(place along the wheel, half breadth) of the rollers on the upper half: what one sees from above."""
    count = int(result.wheels["rollers"][row, wheel])
    radius = result.wheels["wheel_radius"][row, wheel]
    angle = result.trajectories["wheel_angle"][row, sample, wheel] + 2 * np.pi * np.arange(count) / count
    up = np.cos(angle) < -0.15
    breadth = 0.8 * radius * np.sin(np.pi / count)
    return [(-radius * np.sin(q), breadth * max(0.25, -np.cos(q))) for q in angle[up]]


def draw_wheel(axes: Axes, result: Result, row: int, wheel: int, sample: int) -> None:
    shape = {name: values[row, wheel] for name, values in result.wheels.items()}
    x, z, radius, psi = shape["wheel_x"], shape["wheel_z"], shape["wheel_radius"], shape["inclination"]
    half = WHEEL_WIDTH / 2
    wheel_box = Rectangle((z - half, x - radius), WHEEL_WIDTH, 2 * radius, facecolor="#eceef1", edgecolor=INK, linewidth=0.8)
    axes.add_patch(wheel_box)
    rise = -half / np.tan(psi)  # the rollers on top lie across those on the floor
    for place, breadth in top_rollers(result, row, wheel, sample):
        corners = [(z + side * half, x + place + side * rise + end * breadth / 2) for side, end in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
        roller = Polygon(corners, closed=True, facecolor=GRAY, edgecolor=INK, linewidth=0.5)
        axes.add_patch(roller)
        roller.set_clip_path(wheel_box)


def draw_vehicle(axes: Axes, result: Result, row: int) -> None:
    sample = int(np.searchsorted(result.time, SNAPSHOT))
    wheels = range(result.wheels["wheel_x"].shape[1])
    x, z = result.wheels["wheel_x"][row], result.wheels["wheel_z"][row]
    axes.add_patch(Rectangle((z.min() + 0.05, x.min() - 0.08), np.ptp(z) - 0.1, np.ptp(x) + 0.16, facecolor="#f6f7f8", edgecolor=INK))
    for wheel in wheels:
        draw_wheel(axes, result, row, wheel, sample)
    scale = 0.012  # m per N
    force = [result.trajectories[name][row, sample] for name in ("force_k", "force_i")]
    axes.quiver(z, x, scale * force[0], scale * force[1], angles="xy", scale_units="xy", scale=1, color=ORANGE, width=0.012, zorder=5)
    axes.annotate("", (0.11, 0.0), (-0.11, 0.0), arrowprops={"arrowstyle": "-|>", "color": BLUE, "linewidth": 2})
    axes.text(0.0, 0.03, "0.5 m/s\nasked", color=BLUE, ha="center", fontsize=9)
    axes.text(0.0, -0.3, "forces of\nthe floor", color=ORANGE, ha="center", fontsize=9)
    axes.set(xlim=(-0.33, 0.36), ylim=(-0.4, 0.4), aspect="equal")
    axes.set_axis_off()
    axes.set_title("Question: how many rollers?", loc="left", fontsize=10)


def draw_shaking(axes: Axes, result: Result) -> None:
    shown = (result.time >= SHOWN[0]) & (result.time <= SHOWN[1])
    for row, color in ((0, GRAY), (1, BLUE)):
        count = int(result.wheels["rollers"][row, 0])
        axes.plot(result.time[shown], result.trajectories["az"][row, shown], color=color, linewidth=1.1, label=f"{count} rollers")
    axes.set(xlabel="time [s]", ylabel="sideways acceleration [m s$^{-2}$]")
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    axes.set_ylim(-0.75, 0.85)
    axes.set_title("Motion: rollers take over", loc="left", fontsize=10)


def draw_answer(axes: Axes, path: str, result: Result) -> None:
    statistics = omniroll.statistics(path)
    counts, values = result.parameters["wheel_rollers"], result.observables["vibration_rms"]
    designs = np.unique(counts)
    for place, count in enumerate(designs):
        here = result.ok & (counts == count)
        friction = result.parameters["wheel_friction"][here]
        spread = (friction - friction.min()) / np.ptp(friction) - 0.5
        axes.scatter(place + 0.7 * spread, values[here], s=3, color=BLUE, alpha=0.5, linewidths=0)
        share = statistics.cell_probability.sel(criterion="shakes").values[place]
        axes.text(place, 0.705, f"{100 * share:.2g} %", ha="center", fontsize=8, color=ORANGE)
    axes.axhline(0.4, color=ORANGE, linewidth=1.2)
    axes.text(len(designs) - 0.45, 0.41, "limit, and share of the vehicles above it", color=ORANGE, ha="right", fontsize=8)
    axes.set(xticks=range(len(designs)), xticklabels=[f"{count:.0f}" for count in designs], ylim=(0, 0.75), xlim=(-0.6, len(designs) - 0.4),
             xlabel="rollers per wheel (across each column: friction 0.2 to 0.8)", ylabel="rms of the shaking [m s$^{-2}$]")
    axes.set_title("Answer: nine, 128 vehicles each", loc="left", fontsize=10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="roller_count.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    figure = Figure(figsize=(11.0, 3.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, middle, right = figure.subplots(1, 3, width_ratios=[0.8, 1.0, 1.25])
    draw_vehicle(left, result, 0)
    draw_shaking(middle, result)
    draw_answer(right, arguments.result, result)
    for axes in (middle, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e8eb", linewidth=0.6)
        axes.set_axisbelow(True)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
