#!/usr/bin/env python3
"""The validation book: omni3.json and omni4.json fitted, every run predicted, and the numbers of ROBOTS.md written to book.json.

    python3 studies/robots/book.py --program build/release/omniroll           both robots: fits, predicts, writes book.json
    python3 studies/robots/book.py omni3 --keep                               predicts anew with the posterior that is there
    python3 studies/robots/book.py --table                                    prints the tables of what is there

The posterior goes to omni3_posterior.csv, a point in each row. A predicted run is a point's run with what runs scatter beside the model: the wheels'
distance from the centre (yaw), all wheel radii alike (way) and all directions alike, each by what the fitted runs differ from the mean of the
posterior. Beside it stands the kinematic yardstick: radii and distance, omni4 also the rollers' angle, by robust least squares on the same runs.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from typing import Any

import h5py
import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOTS = ("omni3", "omni4")
LENGTH = {"omni3": "layout.radius", "omni4": "layout.half_length"}
PICTURED = {"omni3": "omni3-square-221220201934-01.csv", "omni4": "omni4-square-080920201205-01.csv"}  # of omniroll figures robots
BAND = 0.9
DRAWS = 7
Rows = np.ndarray


# ---- the yardstick


def rows_of(path: str) -> Rows:
    """t, x, y, yaw and turns."""
    return np.genfromtxt(path, delimiter=",", skip_header=2)


def jacobian(robot: str, v: np.ndarray) -> np.ndarray:
    """Forward, left and yaw for each wheel's turn: diameters, then distance, then tangent of the rollers' angle."""
    if robot == "omni3":
        shape = [[-(3**0.5) / 3, 3**0.5 / 3, 0], [-1 / 3, -1 / 3, 2 / 3], [-1 / (3 * v[3])] * 3]
        return np.array(shape) * np.pi * v[:3]
    return np.array([[1, -1, 1, -1], [-v[5], -v[5], v[5], v[5]], [-2 / v[4]] * 4]) / 4 * np.pi * v[:4]


def odometry_errors(rows: Rows, turn: np.ndarray) -> np.ndarray:
    """x, y, yaw by odometry less those measured, row by row."""
    steps = np.diff(rows[:, 4:], axis=0) @ turn.T
    yaw = rows[0, 3] + np.cumsum(steps[:, 2])
    middle, chord = yaw - steps[:, 2] / 2, np.sinc(steps[:, 2] / 2 / np.pi)
    x = rows[0, 1] + np.cumsum(chord * (steps[:, 0] * np.cos(middle) - steps[:, 1] * np.sin(middle)))
    y = rows[0, 2] + np.cumsum(chord * (steps[:, 0] * np.sin(middle) + steps[:, 1] * np.cos(middle)))
    return np.column_stack([x, y, yaw]) - rows[1:, 1:4]


def yardstick(robot: str, runs: list[Rows]) -> np.ndarray:
    """Its parameters, by all instants of the runs."""
    start = np.array([0.102] * 3 + [0.195] if robot == "omni3" else [0.06] * 4 + [0.4, 1.0])
    every = 5 if robot == "omni3" else 2

    def left(v: np.ndarray) -> np.ndarray:
        return np.concatenate([(odometry_errors(run, jacobian(robot, v))[::every] * [1, 1, 0.3]).ravel() for run in runs])

    return np.asarray(least_squares(left, start, x_scale=start, loss="soft_l1", f_scale=0.05).x)


# ---- the engine


def study_of(robot: str) -> dict[str, Any]:
    with open(os.path.join(HERE, f"{robot}.json"), encoding="utf-8") as file:
        study: dict[str, Any] = json.load(file)
    for run in study["data"]["runs"]:
        run["file"] = os.path.join(HERE, run["file"])
    return study


def written(study: dict[str, Any], folder: str) -> str:
    path = os.path.join(folder, "study.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(study, file)
    return path


def started(program: str, *words: str) -> None:
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"omniroll {words[0]}: {done.stderr.strip() or done.stdout.strip()}")


def posterior_path(robot: str) -> str:
    return os.path.join(HERE, f"{robot}_posterior.csv")


def fit(robot: str, program: str, sets: list[str]) -> None:
    study = study_of(robot)
    study["data"]["runs"] = [run for run in study["data"]["runs"] if run.get("use") != "predict"]
    with tempfile.TemporaryDirectory() as folder:
        started(program, "calibrate", written(study, folder), *sets, "--output", posterior_path(robot))


def posterior(robot: str) -> tuple[list[str], np.ndarray]:
    with open(posterior_path(robot), encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    return names, np.genfromtxt(posterior_path(robot), delimiter=",", skip_header=1)


def write_points(path: str, names: list[str], points: np.ndarray) -> None:
    np.savetxt(path, points, delimiter=",", header=",".join(names), comments="", fmt="%.9g")


def engine_runs(robot: str, program: str, sets: list[str], run: int, names: list[str], points: np.ndarray) -> np.ndarray:
    """Paths [point][instant][x, y, yaw] of a run, every 0.2 s, as seen from its start."""
    study = study_of(robot)
    study.pop("vary")
    study["data"] |= {"run": run, "interval": "0.2 s"}
    study["design"] = {"type": "table", "file": "points.csv"}
    study["integrator"]["step_error"] = "off"
    study["output"] = {"observables": ["final_x"], "trajectories": {"instances": "all", "interval": "0.2 s"}}
    with tempfile.TemporaryDirectory() as folder:
        write_points(os.path.join(folder, "points.csv"), names, points)
        result = os.path.join(folder, "result.h5")
        started(program, "run", "-q", written(study, folder), *sets, "-o", result)
        with h5py.File(result) as file:
            return np.stack([np.atleast_2d(file[f"trajectories/{name}"][()]) for name in ("x", "y", "yaw")], axis=-1)


def measured_path(path: str, count: int) -> np.ndarray:
    """x, y, yaw every 0.2 s as seen from the start."""
    rows = rows_of(path)
    at = np.minimum(0.2 * np.arange(count), rows[-1, 0])
    x, y, yaw = (np.interp(at, rows[:, 0], rows[:, k]) for k in (1, 2, 3))
    c, s = np.cos(yaw[0]), np.sin(yaw[0])
    x, y = x - x[0], y - y[0]
    return np.column_stack([c * x + s * y, c * y - s * x, yaw - yaw[0]])


# ---- what runs scatter


def departures(model: np.ndarray, real: np.ndarray) -> tuple[float, float, float]:
    """How a measured run differs from its prediction: share of the yaw, share of the way, and direction in the vehicle [rad]."""
    turned = float(model[:, 2] @ real[:, 2] / (model[:, 2] @ model[:, 2]) - 1)
    step = np.diff(model[:, 0] + 1j * model[:, 1]) * np.exp(-1j * (model[1:, 2] + model[:-1, 2]) / 2)
    path = np.concatenate([[0], np.cumsum(step * np.exp(1j * (1 + turned) * (model[1:, 2] + model[:-1, 2]) / 2))])
    factor = np.vdot(path, real[:, 0] + 1j * real[:, 1]) / np.vdot(path, path)
    return turned, float(np.real(factor) - 1), float(np.imag(factor))


def scattered(robot: str, names: list[str], points: np.ndarray, spread: np.ndarray, seed: int) -> tuple[list[str], np.ndarray]:
    """The points, each with departures of its own."""
    yaw, way, turn = spread[:, None] * np.random.default_rng(seed).standard_normal((3, len(points)))
    out, extra = points.copy(), []
    for k, name in enumerate(names):
        path = name.split(" ")[0]
        if path == LENGTH[robot]:
            # of omni4 half the length stands for the sum with half the width, 0.105 m
            whole = out[:, k] + (0.105 if robot == "omni4" else 0)
            out[:, k] += whole * ((1 + way) / (1 + yaw) - 1)
        elif path.endswith("].radius"):
            out[:, k] *= 1 + way
        elif path.endswith("error.axis_angle"):
            out[:, k] += turn
    if not any("axis_angle" in name for name in names):
        extra, out = ["wheel.error.axis_angle [rad]"], np.column_stack([out, turn])
    return names + extra, out


def draws_of(robot: str, names: list[str], points: np.ndarray, spread: np.ndarray, run: int) -> tuple[list[str], np.ndarray]:
    """The mean of the posterior, then points of it with departures."""
    columns, draws = scattered(robot, names, points[:: max(1, len(points) // DRAWS)][:DRAWS], spread, run)
    plain = np.zeros((1, len(columns)))
    plain[:, : len(names)] = points.mean(axis=0)
    return columns, np.concatenate([plain, draws])


# ---- the book


def deviations(count: int) -> float:
    """Half the band of one more draw, in standard deviations of `count` draws (Student's t)."""
    return float(student.ppf((1 + BAND) / 2, count - 1) * np.sqrt(1 + 1 / count))


def end_error(off: np.ndarray) -> dict[str, float]:
    return {"mm": float(1e3 * np.hypot(off[0], off[1])), "deg": float(abs(np.degrees(off[2])))}


def make(robot: str, program: str, sets: list[str], keep: bool) -> dict[str, Any]:
    """Everything of a robot, as book.json has it."""
    if not keep:
        fit(robot, program, sets)
    names, points = posterior(robot)
    runs = study_of(robot)["data"]["runs"]
    fitted = [k for k, run in enumerate(runs) if run.get("use") != "predict"]
    stick = yardstick(robot, [rows_of(runs[k]["file"]) for k in fitted])
    mean = points.mean(axis=0, keepdims=True)
    paths = {k: engine_runs(robot, program, sets, k, names, mean)[0] for k in fitted}
    found = np.array([departures(path, measured_path(runs[k]["file"], len(path))) for k, path in paths.items()])
    spread = np.sqrt(np.mean(found**2, axis=0))
    book: dict[str, Any] = {"yardstick": stick.tolist(), "spread": spread.tolist(), "runs": []}
    for k, run in enumerate(runs):
        columns, rows = draws_of(robot, names, points, spread, k)
        if os.path.basename(run["file"]) == PICTURED[robot]:
            write_points(os.path.join(HERE, f"{robot}_draws.csv"), columns, rows)
        path, *others = engine_runs(robot, program, sets, k, columns, rows)
        real = measured_path(run["file"], len(path))
        ends = np.array(others)[:, -1]
        half = deviations(len(ends)) * ends.std(axis=0, ddof=1)
        low, high = ends.mean(axis=0) - half, ends.mean(axis=0) + half
        book["runs"].append({
            "file": os.path.basename(run["file"]), "fitted": k in fitted, "measured": real[-1].tolist(), "low": low.tolist(), "high": high.tolist(),
            "inside": [bool(a <= b <= c) for a, b, c in zip(low, real[-1], high)], "engine": end_error(path[-1] - real[-1]),
            "yardstick": end_error(odometry_errors(rows_of(run["file"]), jacobian(robot, stick))[-1])})
        print(f"\r{robot} {k + 1} of {len(runs)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return book


def set_of(file: str) -> str:
    return "-".join(file.split("-")[1:3])


def tables(book: dict[str, Any]) -> str:
    lines = []
    for robot in book:
        lines += [f"{robot}: of yaw, way and direction runs scatter by {', '.join(f'{100 * v:.2f} %' for v in book[robot]['spread'])}", "",
                  "| set | runs | use | yardstick, median (90 %) mm | engine, median (90 %) mm | yaw, deg | ends inside |", "|---|---|---|---|---|---|---|"]
        groups: dict[tuple[str, bool], list[dict[str, Any]]] = {}
        for run in book[robot]["runs"]:
            groups.setdefault((set_of(run["file"]), run["fitted"]), []).append(run)
        for (name, fitted), runs in groups.items():
            mm = [np.quantile([run[who]["mm"] for run in runs], q) for who in ("yardstick", "engine") for q in (0.5, 0.9)]
            deg = [np.median([run[who]["deg"] for run in runs]) for who in ("yardstick", "engine")]
            lines.append(f"| {name} | {len(runs)} | {'fit' if fitted else 'predict'} | {mm[0]:.0f} ({mm[1]:.0f}) | {mm[2]:.0f} ({mm[3]:.0f}) "
                         f"| {deg[0]:.1f}, {deg[1]:.1f} | {np.mean([run['inside'] for run in runs]):.0%} |")
        apart = [run["inside"] for run in book[robot]["runs"] if not run["fitted"]]
        lines += ["", f"{np.mean(apart):.0%} of {3 * len(apart)} predicted end coordinates are inside their {BAND:.0%} bands.", ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", metavar="ROBOT", help="omni3, omni4; left out: both")
    parser.add_argument("--program", default=os.environ.get("OMNIROLL", "omniroll"))
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="passed on to omniroll, as engine.backend=scalar")
    parser.add_argument("--keep", action="store_true", help="take the posterior that is there")
    parser.add_argument("--table", action="store_true", help="print the tables of book.json and compute nothing")
    arguments = parser.parse_args()
    path = os.path.join(HERE, "book.json")
    book: dict[str, Any] = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            book = json.load(file)
    if not arguments.table:
        sets = [word for assignment in arguments.set for word in ("--set", assignment)]
        for robot in arguments.robots or ROBOTS:
            book[robot] = make(robot, arguments.program, sets, arguments.keep)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(book, file, indent=1)
                file.write("\n")
    print(tables(book))
    return 0


if __name__ == "__main__":
    sys.exit(main())
