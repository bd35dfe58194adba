#!/usr/bin/python3
"""The map of vertical vibration of studies/heave_map.json with its line of resonance, and how high robots heave over how near to it they drive.

    omniroll run studies/heave_map.json
    python3 studies/heave_map.py heave_map.h5 -o studies/heave_map.png
"""
import argparse
import os
import sys

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
import omniroll  # noqa: E402
from omniroll.reading import Result  # noqa: E402

BLUE, ORANGE, INK = "#0072b2", "#d55e00", "#22262b"
GRAVITY, SPEED, RADIUS, PLATFORM, DISC, ROLLER = 9.81, 0.5, 0.05, 8.0, 0.25, 0.012  # SI, of the study
MEAN_SAG, RIPPLE = 0.74, 0.265  # at rest, over the wheels' angles: mean sag and order-n amplitude, over the sag on one roller a wheel
DAMPING = 0.1


def mass(rollers: np.ndarray) -> np.ndarray:
    return PLATFORM + 4 * (DISC + rollers * ROLLER)


def sag(rollers: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Static, each wheel on one roller."""
    return mass(rollers) * GRAVITY / (4 * stiffness)


def exchange_frequency(rollers: np.ndarray) -> np.ndarray:
    return rollers * SPEED / RADIUS / (2 * np.pi)


def heave_frequency(rollers: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    return np.sqrt(GRAVITY / (MEAN_SAG * sag(rollers, stiffness))) / (2 * np.pi)


def edges(values: np.ndarray) -> np.ndarray:
    inner = (values[1:] + values[:-1]) / 2
    return np.concatenate(([2 * values[0] - inner[0]], inner, [2 * values[-1] - inner[-1]]))


def resonant(rollers: np.ndarray, harmonic: int) -> np.ndarray:
    """Stiffness at which the harmonic of the exchanges meets the heave: k in proportion to f^2."""
    unit = heave_frequency(rollers, np.ones_like(rollers))
    return (harmonic * exchange_frequency(rollers) / unit) ** 2


def draw_map(axes: Axes, result: Result) -> None:
    rollers, stiffness = result.parameters["wheel_rollers"], result.parameters["wheel_contact_stiffness"]
    counts, springs = np.unique(rollers), np.unique(stiffness)
    grid = np.full((len(counts), len(springs)), np.nan)
    grid[np.searchsorted(counts, rollers), np.searchsorted(springs, stiffness)] = np.where(result.ok, result.observables["vertical_vibration_rms"], np.nan)
    mesh = axes.pcolormesh(10 ** edges(np.log10(springs)) / 1e3, edges(counts), grid, norm=LogNorm(0.5, 10), cmap="viridis", rasterized=True)
    fine = np.linspace(edges(counts)[0], edges(counts)[-1], 100)
    for harmonic, dash, text in ((1, "-", "exchanges meet the heave"), (2, "--", "twice"), (3, ":", "three times")):
        axes.plot(resonant(fine, harmonic) / 1e3, fine, dash, color="white", linewidth=1.8, label=text)
    axes.set(xscale="log", xlabel="stiffness of a contact [kN/m]", ylabel="rollers per wheel", xlim=np.array([springs[0], springs[-1]]) / 1e3,
             ylim=(counts[0] - 0.5, counts[-1] + 1))
    axes.legend(loc="lower right", fontsize=8, facecolor=INK, labelcolor="white", framealpha=0.75, edgecolor="none")
    axes.set_xticks([10, 30, 100, 300], ["10", "30", "100", "300"])
    axes.set_yticks([6, 8, 10, 12, 15, 18, 21, 24])
    axes.tick_params(axis="x", which="minor", bottom=False)
    axes.figure.colorbar(mesh, ax=axes, ticks=[0.5, 1, 2, 5, 10], format="%g", pad=0.02).set_label("vertical vibration, rms [m s$^{-2}$]")
    axes.set_title("Robots shake where n v/R = √(g/d), d their mean sag", loc="left", fontsize=10)


def draw_heights(axes: Axes, result: Result) -> None:
    rollers, stiffness = result.parameters["wheel_rollers"], result.parameters["wheel_contact_stiffness"]
    ratio = exchange_frequency(rollers) / heave_frequency(rollers, stiffness)
    height = result.observables["height_exchange"] / sag(rollers, stiffness)
    axes.plot(ratio[result.ok], height[result.ok], "o", color=BLUE, markersize=3, label=f"{int(np.sum(result.ok))} robots")
    fine = np.linspace(0.1, 2.4, 400)
    axes.plot(fine, RIPPLE / np.hypot(1 - fine**2, 2 * DAMPING * fine), color=ORANGE, linewidth=1.2, label="static ripple on an oscillator")
    axes.axvline(1, color=INK, linewidth=0.8, linestyle=":")
    axes.set(xlabel="exchanges a second over √(g/d)/2π", ylabel="height amplitude over sag on one roller", xlim=(0, 2.4),
             ylim=(0, 1.5))
    axes.legend(frameon=False, fontsize=8, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#e6e8eb", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title("All robots on one curve", loc="left", fontsize=10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", nargs="?", default="heave_map.h5")
    parser.add_argument("-o", "--output", default="heave_map.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    figure = Figure(figsize=(9.4, 3.9), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, width_ratios=[1.15, 1.0])
    draw_map(left, result)
    draw_heights(right, result)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
