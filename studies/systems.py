#!/usr/bin/python3
"""The pictures of rattleback, tippe_top, free_roller and ball_bearing (docs/gallery/index.md), beside numbers that were not made by the program.

    omniroll run studies/tippe_top.json
    python3 studies/systems.py tippe_top.h5 -o studies/tippe_top.png
"""
import argparse
import os
import sys
from collections.abc import Callable

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
import omniroll  # noqa: E402
from omniroll.reading import Result  # noqa: E402

COLORS = ("#0072b2", "#d55e00", "#009e73")
GRAY = "#8a9099"
GRAVITY = 9.81
REVERSALS = (2.68464704, 11.45884561)  # s, of tests/long/rattleback.py


def draw_rattleback(figure: Figure, result: Result) -> None:
    spin, pitch = figure.subplots(2, 1, sharex=True)
    for row, instance in enumerate(result.traced_rows):
        label = f"{result.parameters['spin'][instance]:+.0f} rad/s"
        spin.plot(result.time, result.trajectories["spin_now"][row], color=COLORS[row], linewidth=1, label=label)
        pitch.plot(result.time, np.degrees(result.trajectories["pitch"][row]), color=COLORS[row], linewidth=0.6)
    spin.axhline(0, color=GRAY, linewidth=0.6)
    for time in REVERSALS:
        spin.axvline(time, color=GRAY, linewidth=0.8, linestyle=":")
    spin.set(ylabel="spin [rad/s]", title="dotted: reversals of the reduced equations")
    spin.legend(frameon=False)
    pitch.set(xlabel="time [s]", ylabel="pitch [deg]")


def steady_tilt(spin: float, alpha: float = 0.3, gamma: float = 131 / 140, radius: float = 0.02, start: float = 0.1) -> float:
    """Angle that a tippe top of the study keeps in the end, rad: where l^2/(2 s.I s) + m g R (1 - alpha z) is least over z = cos(tilt)."""
    z = np.cos(np.linspace(0, np.pi, 20001))
    jellett = 0.4 * radius * (spin * (np.cos(start) - alpha)) ** 2 / GRAVITY
    energy = jellett / 2 / ((z - alpha) ** 2 + gamma * (1 - z**2)) - alpha * z
    return float(np.arccos(z[np.argmin(energy)]))


def draw_tippe_top(figure: Figure, result: Result) -> None:
    final, motion = figure.subplots(1, 2)
    spins = np.linspace(15, 160, 291)
    final.plot(spins, [np.degrees(steady_tilt(spin)) for spin in spins], color=GRAY, label="closed form")
    final.plot(result.parameters["spin"], np.degrees(result.observables["tilt_end"]), "o", color=COLORS[0], markersize=4, label="at the end")
    final.set(xlabel="spin at the start [rad/s]", ylabel="tilt [deg]")
    final.legend(frameon=False)
    for row, instance in enumerate(result.traced_rows):
        label = f"{result.parameters['spin'][instance]:.0f} rad/s"
        motion.plot(result.time, np.degrees(result.trajectories["tilt"][row]), color=COLORS[row], linewidth=1, label=label)
    motion.set(xlabel="time [s]")
    motion.legend(frameon=False)


def draw_free_roller(figure: Figure, result: Result) -> None:
    gap, load, slip = figure.subplots(3, 1, sharex=True)
    for color, row in zip(COLORS, (0, 3, 5)):
        instance = result.traced_rows[row]
        label = f"{np.degrees(result.parameters['tilt'][instance]):.0f} deg, spin {result.parameters['spin'][instance]:.0f}"
        gap.plot(result.time, 100 * result.trajectories["gap"][row], color=color, linewidth=1, label=label)
        load.plot(result.time, result.trajectories["load"][row], color=color, linewidth=1)
        slip.plot(result.time, result.trajectories["slip"][row], color=color, linewidth=1)
    gap.set(ylabel="gap [cm]")
    gap.legend(frameon=False)
    load.set(ylabel="load [N]")
    slip.set(xlabel="time [s]", ylabel="slip [m/s]")


def draw_ball_bearing(figure: Figure, result: Result) -> None:
    axes = figure.subplots()
    overlap, exponent = result.parameters["overlap"], result.parameters["exponent"]
    for color, power in zip(COLORS, np.unique(exponent)):
        here = exponent == power
        axes.loglog(1e6 * overlap[here], result.observables["cage"][here], "o", color=color, label=f"exponent {power:g}")
        outwards = 4.1e-3 * 40**2 * 0.025 / (2 * power * 50 / overlap[here])  # m w^2 rho over both stiffnesses
        axes.loglog(1e6 * overlap[here], 0.25 * outwards / 0.025, color=GRAY, linewidth=0.8)
    axes.set(xlabel="overlap at 50 N [um]", ylabel="cage over the handbook's, less 1", title="lines: centrifugal force over both stiffnesses")
    axes.legend(frameon=False)


PICTURES: dict[str, tuple[Callable[[Figure, Result], None], tuple[float, float]]] = {
    "reversal": (draw_rattleback, (7.0, 4.0)),
    "jellett_error": (draw_tippe_top, (8.0, 3.2)),
    "landing": (draw_free_roller, (7.0, 5.0)),
    "cage": (draw_ball_bearing, (5.0, 3.4)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="systems.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    draw, size = next(picture for name, picture in PICTURES.items() if name in result.observables)
    figure = Figure(figsize=size, dpi=80, layout="constrained")
    FigureCanvasAgg(figure)
    draw(figure, result)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
