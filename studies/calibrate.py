#!/usr/bin/python3
"""Makes the logs of studies/calibrate.json: runs of a robot whose parameters are known, with noise on its pose.

    python3 studies/calibrate.py [OMNIROLL] [--set PATH=VALUE]

The wheel rates are a program, the same for every robot; poses are those of the study with the true values. They are measured from where a
run begins for the cameras, which is neither 0 nor straight ahead. OMNIROLL is the program, by default that of the environment or on PATH."""
import argparse
import os
import subprocess
import tempfile

import numpy as np

FOLDER = os.path.dirname(os.path.abspath(__file__))
TRUE = {"parameters.wheels[0].radius": 50.6e-3, "parameters.wheels[1].radius": 49.7e-3, "parameters.wheels[2].radius": 50.2e-3,
        "parameters.layout.radius": 152e-3, "parameters.wheel.friction": 0.45}
NOISE = {"x": 3e-3, "y": 3e-3, "yaw": np.radians(0.3)}
START = {"x": 1.2, "y": -0.7, "yaw": 2.1}  # where cameras see the robot at the start
DURATION, ROWS = 6.0, 61
# Of each run: speeds of the robot along two axes and of its turning, in the wheels' rates (rad/s), and how often they swing.
PROGRAMS = [((16.0, 12.0, 6.0), (0.5, 1.0, 0.5)), ((-10.0, 14.0, -8.0), (1.0, 0.5, 1.0))]


def rates(time: np.ndarray, run: int) -> np.ndarray:
    """Of the three wheels, at rest at both ends."""
    (ahead, across, turn), swings = PROGRAMS[run]
    ahead, across, turn = (size * np.sin(np.pi * time / DURATION) ** 2 * np.cos(2 * np.pi * swing * time / DURATION - 0.5)
                           for size, swing in zip((ahead, across, turn), swings))
    angles = 2 * np.pi * np.arange(3) / 3
    return turn[:, None] + ahead[:, None] * np.sin(angles) + across[:, None] * np.cos(angles)


def write(path: str, head: str, columns: np.ndarray) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("# Made by calibrate.py: wheel rates of a program, and the pose of omniroll's own vehicle with noise. Not of a real robot.\n")
        file.write(head + "\n")
        np.savetxt(file, columns, fmt=["%.1f"] + ["%.5f"] * (columns.shape[1] - 1), delimiter=",")


def poses(program: str, study: str, true: list[str], options: list[str]) -> np.ndarray:
    """x, y and yaw of the true robot every 0.1 s, at the rows of a log that has the inputs alone."""
    with tempfile.TemporaryDirectory() as folder:
        result, text = os.path.join(folder, "true.h5"), os.path.join(folder, "true.csv")
        subprocess.run([program, "run", os.path.join(FOLDER, study), "-q", "-o", result, *(f"--set={one}" for one in true), "--set=vary=null",
                        "--set=design=null", '--set=output.trajectories={"instances": [0], "interval": "0.1 s"}', *options], check=True)
        subprocess.run([program, "export", result, "--trajectories", "-o", text], check=True, stdout=subprocess.DEVNULL)
        table = np.genfromtxt(text, delimiter=",", names=True, deletechars="")
    names = [name.split("_[")[0] for name in table.dtype.names]
    return np.column_stack([table[table.dtype.names[names.index(sample)]] for sample in NOISE])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default=os.environ.get("OMNIROLL", "omniroll"), metavar="OMNIROLL")
    parser.add_argument("--set", action="append", default=[], help="changes the study that the true robot runs")
    arguments = parser.parse_args()
    options = [f"--set={one}" for one in arguments.set]
    random = np.random.default_rng(20)
    time = np.linspace(0, DURATION, ROWS)
    for run in range(len(PROGRAMS)):
        path = os.path.join(FOLDER, f"calibrate_{run + 1}.csv")
        table = np.column_stack([time, rates(time, run), np.zeros((ROWS, 3))])
        head = "t [s],w1 [rad/s],w2 [rad/s],w3 [rad/s],x [m],y [m],yaw [rad]"
        write(path, head, table)  # the run takes its rates from there
        true = [f"{path}={value}" for path, value in TRUE.items()]
        true += [f"data.run={run}", "integrator.tolerance=1e-6", f"integrator.duration={DURATION}"]
        x, y, yaw = poses(arguments.program, "calibrate.json", true, options).T
        cos, sin = np.cos(START["yaw"]), np.sin(START["yaw"])
        seen = np.column_stack([START["x"] + cos * x - sin * y, START["y"] + sin * x + cos * y, START["yaw"] + yaw])
        seen[1:] += random.normal(size=(ROWS - 1, 3)) * list(NOISE.values())
        seen[:, 2] = (seen[:, 2] + np.pi) % (2 * np.pi) - np.pi  # as sensors wrap it
        table[:, 4:] = seen
        write(path, head, table)


if __name__ == "__main__":
    main()
