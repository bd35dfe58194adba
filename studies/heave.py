#!/usr/bin/python3
"""The landing of studies/heave.json over time: height and load of a wheel, with a suspension and without.

    omniroll run studies/heave.json -o heave.h5
    python3 studies/heave.py heave.h5 -o studies/heave.png
"""
import argparse
import os
import sys

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis"))
import omniroll  # noqa: E402

BLUE, ORANGE = "#0072b2", "#d55e00"
STIFFNESS, DAMPING, SHOWN = 2e5, 0.05, 0.3  # N/m, of the runs that are drawn; s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", nargs="?", default="heave.h5")
    parser.add_argument("-o", "--output", default="heave.png")
    arguments = parser.parse_args()
    result = omniroll.open_result(arguments.result)
    varied = {name: result.parameters[f"wheel_{name}"] for name in ("contact_stiffness", "contact_damping_ratio", "suspension_stiffness")}
    drawn = np.isclose(varied["contact_stiffness"], STIFFNESS) & np.isclose(varied["contact_damping_ratio"], DAMPING)
    shown = result.time <= SHOWN
    figure = Figure(figsize=(9.0, 3.4), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    for stiff, color, name in ((1e6, ORANGE, "springs of 1 MN/m, that hardly give"), (5e3, BLUE, "springs of 5 kN/m")):
        row = int(np.flatnonzero(drawn & np.isclose(varied["suspension_stiffness"], stiff))[0])
        place = int(np.flatnonzero(np.asarray(result.traced) == row)[0])
        time = 1e3 * result.time[shown]
        left.plot(time, 1e3 * result.trajectories["height"][place, shown], color=color, linewidth=1.2, label=name)
        right.plot(time, result.trajectories["normal_load"][place, shown, 0], color=color, linewidth=1.0)
    left.set(xlabel="time [ms]", ylabel="height of the platform [mm]")
    left.set_title("Let go 2 mm over the floor", loc="left", fontsize=10)
    left.legend(frameon=False, fontsize=8)
    right.set(xlabel="time [ms]", ylabel="load of the front left wheel [N]", ylim=(0, None))
    right.set_title("It hops, or it does not", loc="left", fontsize=10)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(color="#e6e8eb", linewidth=0.6)
        axes.set_axisbelow(True)
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
