#!/usr/bin/python3
"""Makes the log of studies/calibrate_sbc.json: a robot whose motors get voltages of a program, with noise on its pose.

    python3 studies/calibrate_sbc.py [OMNIROLL] [--set PATH=VALUE]

OMNIROLL is the program, by default that of the environment or on PATH."""
import argparse
import os

import numpy as np

from calibrate import FOLDER, poses

TRUE = {"parameters.wheels[0].radius": 50.6e-3, "parameters.wheels[2].radius": 49.8e-3, "parameters.platform.center_of_mass.x": 6e-3,
        "parameters.wheel.motor.resistance": 1.35}
NOISE = {"x": 10e-3, "y": 10e-3, "yaw": np.radians(1.0)}
DURATION, ROWS = 3.0, 31
# Of the robot's motion along two axes and of its turning: two sines each, their voltages and frequencies (V, Hz).
SINES = [((6.0, 0.6), (3.0, 1.5)), ((6.0, 0.45), (-2.0, 1.8)), ((4.0, 0.35), (2.0, 1.2))]


def voltages(time: np.ndarray) -> np.ndarray:
    """Of the three motors, 0 at the start."""
    ahead, across, turn = (sum(size * np.sin(2 * np.pi * frequency * time) for size, frequency in sines) for sines in SINES)
    angles = 2 * np.pi * np.arange(3) / 3
    return turn[:, None] + ahead[:, None] * np.sin(angles) + across[:, None] * np.cos(angles)


def write(path: str, columns: np.ndarray) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Made by calibrate_sbc.py: voltages of a program, and the pose of omniroll's own vehicle with noise. Not of a real robot.\n")
        file.write("t [s],u1 [V],u2 [V],u3 [V],x [m],y [m],yaw [rad]\n")
        np.savetxt(file, columns, fmt=["%.1f"] + ["%.4f"] * (columns.shape[1] - 1), delimiter=",")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default=os.environ.get("OMNIROLL", "omniroll"), metavar="OMNIROLL")
    parser.add_argument("--set", action="append", default=[], help="changes the study that the true robot runs")
    arguments = parser.parse_args()
    random = np.random.default_rng(22)
    time = np.linspace(0, DURATION, ROWS)
    path = os.path.join(FOLDER, "calibrate_sbc.csv")
    table = np.column_stack([time, voltages(time), np.zeros((ROWS, 3))])
    write(path, table)  # the run takes its voltages from there
    true = [f"{place}={value}" for place, value in TRUE.items()] + ["integrator.step=2 ms", f"integrator.duration={DURATION}"]
    table[:, 4:] = poses(arguments.program, "calibrate_sbc.json", true, [f"--set={one}" for one in arguments.set])
    table[1:, 4:] += random.normal(size=(ROWS - 1, 3)) * list(NOISE.values())
    write(path, table)


if __name__ == "__main__":
    main()
