#!/usr/bin/python3
"""The pictures of coast_down, top_speed, sag and roller_gap (docs/gallery/index.md); the first two beside robots that teams have measured.

    omniroll run studies/coast_down.json
    python3 studies/robots.py coast_down.h5 -o studies/coast_down.png
"""
import argparse
import os
import sys
from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "analysis"), HERE]
import omniroll  # noqa: E402
import team_robots  # noqa: E402
from omniroll.reading import Result  # noqa: E402

BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
WHEELS = team_robots.WHEELS  # kg, all four; those of top_speed.json are alike
FORWARD, SIDEWAYS = (BLUE, "forward"), (ORANGE, "sideways")


def spread(axes: Axes, place: float, values: np.ndarray, color: str, width: float) -> None:
    """Dots of the measured robots beside each other about a place of the axis across, in the order of the file, and their median."""
    across = place + width * np.linspace(-0.5, 0.5, len(values))
    axes.plot(across, values, "o", color=color, markersize=3.5, alpha=0.35, linewidth=0)
    axes.plot(place + width * np.array([-0.7, 0.7]), [np.median(values)] * 2, color=color, linewidth=2.5, zorder=5)


def draw_coast_down(figure: Figure, result: Result) -> None:
    """Speed over time beside a steady deceleration of the measured median; decelerations of the measured robots and of the model."""
    robots = team_robots.measured()
    measured = (robots["forward_deceleration_m_s2"], robots["sideways_deceleration_m_s2"])
    model = team_robots.SPEED**2 / 2 / result.observables["path_length"]
    speeds, rates = figure.subplots(2, 1)
    for row, ((color, name), real) in enumerate(zip((FORWARD, SIDEWAYS), measured)):
        speed = np.hypot(result.trajectories["vx"][row], result.trajectories["vz"][row])
        speeds.plot(result.time, speed, color=color, linewidth=1.8, label=f"{name}, model")
        stop = team_robots.SPEED / np.median(real)
        speeds.plot([0, stop], [team_robots.SPEED, 0], "--", color=color, linewidth=1.2, label=f"{name}, median deceleration")
        spread(rates, row, real, color, 0.3)
        rates.plot(row + 0.32, model[row], "s", color=color, markersize=8)
        rates.text(row + 0.38, model[row], f"model {model[row]:.2f}", color=color, va="center")
        rates.text(row - 0.23, float(np.median(real)), f"median {np.median(real):.2f}", color=color, va="center", ha="right")
    speeds.set(xlabel="time [s]", ylabel="speed [m/s]", xlim=(0, 1), ylim=(0, None))
    speeds.legend(frameon=False)
    speeds.set_title(f"Motors float: sideways it stops {model[1] / model[0]:.1f} times as fast", loc="left")
    rates.set(xticks=[0, 1], xticklabels=["forward", "sideways"], xlim=(-0.75, 1.9), ylim=(0, None), ylabel="mean deceleration [m/s²]")
    ratio = np.median(measured[1] / measured[0])
    rates.set_title(f"{len(measured[0])} measured robots: {ratio:.1f} times in the median", loc="left")


def draw_top_speed(figure: Figure, result: Result) -> None:
    """Speed over the way, and the ratio where robots were measured over the mass."""
    robots = team_robots.measured()
    way, ratio = figure.subplots(2, 1)
    half = result.instances // 2
    masses = result.parameters["platform_mass"][:half] + WHEELS
    real = (robots["forward_speed_m_s"], robots["strafe_speed_m_s"])
    for first, (color, name), values, aside in zip((0, half), (FORWARD, SIDEWAYS), real, (-0.09, 0.09)):
        for row in range(first, first + half):
            path = np.hypot(result.trajectories["x"][row], result.trajectories["z"][row])
            speed = np.hypot(result.trajectories["vx"][row], result.trajectories["vz"][row])
            label = f"{name}, {masses[0]:.0f} to {masses[-1]:.0f} kg" if row == first else None
            way.plot(path, speed, color=color, linewidth=0.9, label=label)
        spread(way, team_robots.RUN_UP + aside, values, color, 0.12)
    way.plot([], [], "o", color="gray", markersize=3.5, label=f"{len(real[0])} measured robots and medians")
    way.set(xlabel="way from rest [m]", ylabel="speed [m/s]", xlim=(0, 3.2), ylim=(0, None))
    way.legend(frameon=False, loc="lower right", fontsize=9)
    medians = " and ".join(f"{np.median(values):.2f}" for values in real)
    way.set_title(f"Full duty from rest; measured at {team_robots.RUN_UP} m: {medians} m/s", loc="left", fontsize=11)
    speeds = team_robots.speeds_at_run_up(result, np.arange(result.instances))
    measured = team_robots.ratios(robots)["strafe over forward speed"]
    ratio.plot(robots["mass_kg"], measured, "o", color="gray", markersize=4, alpha=0.6, label="measured robots")
    ratio.axhline(float(np.median(measured)), color="gray", linewidth=1.5, linestyle="--", label=f"their median, {np.median(measured):.2f}")
    ratio.plot(masses, speeds[half:] / speeds[:half], "s-", color=GREEN, markersize=5, label="model")
    ratio.set(xlabel="mass [kg]", ylabel="sideways over forward", ylim=(0, 1.1))
    ratio.legend(frameon=False, loc="lower left", ncols=3, columnspacing=1.0, handlelength=1.5)
    ratio.set_title(f"Ratio of the speeds {team_robots.RUN_UP} m from rest", loc="left")


def draw_sag(figure: Figure, result: Result) -> None:
    way, voltage = figure.subplots(2, 1, sharex=True)
    resistance, limit = result.parameters["supply_resistance"], result.parameters["wheel_motor_current_limit"]
    limits = np.unique(limit)
    for color, amperes in zip((GREEN, ORANGE, BLUE), limits):
        here = limit == amperes
        name = "no limit" if amperes == limits[-1] else f"limit of {amperes:g} A a motor"
        way.plot(resistance[here], result.observables["path_length"][here], "o-", color=color, markersize=4, label=name)
        voltage.plot(resistance[here], result.observables["supply_voltage_min"][here], "o-", color=color, markersize=4)
    way.set(ylabel="way in 0.6 s [m]", ylim=(0, None))
    way.set_title("What a battery's resistance costs at the start", loc="left")
    way.legend(frameon=False, loc="lower left")
    voltage.set(xlabel="resistance of battery and leads [Ω]", ylabel="least voltage [V]", ylim=(0, None))


def draw_roller_gap(figure: Figure, result: Result) -> None:
    """Vibration of the light robot over the stiffness, on rollers that meet and on rollers with gaps."""
    light = result.parameters["platform_mass"] == result.parameters["platform_mass"].min()
    count, stiffness, coverage = (result.parameters[f"wheel_{name}"] for name in ("rollers", "contact_stiffness", "roller_coverage"))
    panels = figure.subplots(2, 1, sharex=True, sharey=True)
    for axes, part, name in zip(panels, (1.0, 0.9), ("Rollers that meet", "Rollers that leave a tenth of their place free")):
        for color, rollers, mark in zip((PURPLE, ORANGE, GREEN, BLUE), (6, 12, 16, 24), "v^so"):
            here = light & np.isclose(coverage, part) & (count == rollers)
            axes.plot(stiffness[here] / 1e3, result.observables["vertical_vibration_rms"][here], f"{mark}-", color=color, markersize=5,
                      label=f"{rollers} rollers a wheel")
        axes.set(xscale="log", ylabel="vertical vibration [m/s²]", ylim=(0, None))
        axes.set_title(f"{name}: 8 kg at 0.5 m/s", loc="left")
    panels[0].legend(frameon=False)
    panels[1].set(xlabel="stiffness of a contact [kN/m]")
    panels[1].set_xticks([20, 50, 100, 200, 500, 1000, 2000], ["20", "50", "100", "200", "500", "1000", "2000"])
    for axes in panels:
        axes.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)


PICTURES: dict[str, Callable[[Figure, Result], None]] = {  # by a parameter that the study varies
    "initial_vx": draw_coast_down,
    "wheel1_drive_duty": draw_top_speed,
    "supply_resistance": draw_sag,
    "wheel_roller_coverage": draw_roller_gap,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("-o", "--output", default="robots.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    draw = next(picture for name, picture in PICTURES.items() if name in result.parameters)
    figure = Figure(figsize=(5.6, 5.4), dpi=110, layout="constrained")  # its text can be read on a phone
    FigureCanvasAgg(figure)
    draw(figure, result)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e8eb", linewidth=0.6)
        axes.set_axisbelow(True)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
