#!/usr/bin/python3
"""The picture of studies/snakeboard_free.json: speed over time of some springs, and the mean acceleration over the stiffness beside the formula.

    omniroll run studies/snakeboard_free.json
    python3 studies/snakeboard_free.py snakeboard_free.h5 -o studies/snakeboard_free.png
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
# the numbers of the study, SI; ROLLED: mass of a wheelset and the spin of its wheels; STEERED: its inertia about the vertical
OMEGA, DAMPING, FRONT, ROTOR, LENGTH, ROTOR_INERTIA = 2 * np.pi, 0.01, 0.02, 0.5, 0.2, 0.07
SPUN = 4e-4 / 0.05**2
ROLLED = 0.4 + 2 * 0.3 + 2 * SPUN
STEERED = 5e-4 + 2 * 2e-4 + 2 * 0.06**2 * (0.3 + SPUN)
MASS = 4.0 + 2 * ROLLED
NAMED = (0.1, 0.14, 0.18, 1.0)  # stiffnesses whose speed is drawn


def acceleration(stiffness: np.ndarray) -> np.ndarray:
    """Mean over a period to first order in the wheelsets' amplitude, m/s2."""
    pull = stiffness + 1j * OMEGA * DAMPING
    return ROTOR_INERTIA * FRONT * ROTOR * OMEGA**2 / (2 * MASS * LENGTH) * np.real(pull / (pull - STEERED * OMEGA**2))


def means(result: Result) -> np.ndarray:
    """The same from the speeds of the second half, whole periods of it, m/s2."""
    half = int(np.argmin(np.abs(result.time - result.time[-1] / 2)))
    speed = result.trajectories["vx"]
    return (speed[:, -1] - speed[:, half]) / (result.time[-1] - result.time[half])


def draw_speeds(axes: Axes, result: Result) -> None:
    for stiffness in NAMED:
        row = int(np.argmin(np.abs(result.parameters["steering_stiffness"] - stiffness)))
        speed = result.trajectories["vx"][row]
        color = BLUE if speed[-1] > 0 else ORANGE
        axes.plot(result.time, speed, color=color, linewidth=1)
        axes.text(result.time[-1] + 0.4, speed[-1], f"{stiffness:g} N m", fontsize=8, va="center", color=color)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set(xlabel="time [s]", ylabel="speed along the coupler [m s$^{-1}$]", xlim=(0, 1.22 * result.time[-1]))
    axes.set_title("Speed with four springs", loc="left", fontsize=10)


def draw_means(axes: Axes, result: Result) -> None:
    stiffness = np.linspace(0, 1, 1000)
    axes.plot(stiffness, acceleration(stiffness), color=GRAY, linewidth=2, label="formula, first order in the amplitude")
    axes.plot(result.parameters["steering_stiffness"], means(result), "o", color=BLUE, markersize=4, label="snakeboard, 15 s to 30 s")
    axes.axvline(STEERED * OMEGA**2, color=ORANGE, linewidth=1)
    axes.text(STEERED * OMEGA**2 + 0.02, 0.004, "resonance of a wheelset", color=ORANGE, fontsize=8)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set(xlabel="stiffness of the springs [N m rad$^{-1}$]", ylabel="mean acceleration [m s$^{-2}$]", ylim=(-0.005, 0.032))
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    axes.set_title("Forward or back", loc="left", fontsize=10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="snakeboard_free.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    figure = Figure(figsize=(9.0, 3.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    draw_speeds(left, result)
    draw_means(right, result)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e8eb", linewidth=0.6)
        axes.set_axisbelow(True)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
