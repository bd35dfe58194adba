#!/usr/bin/env python3
"""The validation book: omni3.json and omni4.json fitted, every run predicted, and the numbers of ROBOTS.md written to book.json.

    python3 studies/robots/book.py --program build/release/omniroll           both robots: fits, predicts, writes book.json
    python3 studies/robots/book.py omni3 --keep                               predicts anew with the posterior that is there
    python3 studies/robots/book.py --table                                    prints the tables of what is there
    python3 studies/robots/book.py --predict FOLDER --program ...             predicts other runs, and prints a table
    python3 studies/robots/book.py --loss                                     fits what sideways motion loses of the yaw

The posterior goes to omni3_posterior.csv, a point in each row. A run is predicted by the mean of the posterior, and its band by points of it with the noise of the
study, whose paths depart by what runs scatter beside the model: a share of the yaw, a share of the way, and a direction, each by what the fitted runs differ from
the mean of the posterior. What differs adds up by chance, so that the share of a run goes with one over the root of what it turns, or of its way.
Beside it stands the kinematic yardstick: radii and distance, omni4 also the rollers' angle, by robust least squares on the same runs, with turns
as they were measured.

--predict takes FOLDER/omni3 and FOLDER/omni4, or files whose names begin with these words: CSV or CSV.gz, a header, then t, x, y, yaw and the turns
of each wheel, as they were measured. Turns of omni4 from rows that were summed (rows 40 ms apart say so) are short by a factor which depends on the
rate of messages; it is taken from the runs that are known: 1.062 where a run turns on its way; 1.119 and 1.086 on straight lines and on the spot where
it turns there; 1.086 for others, and the bands have what is not known of it.
"""
import argparse
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile
from typing import Any

import h5py
import numpy as np
from scipy.optimize import least_squares

import get_data

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOTS = ("omni3", "omni4")
LENGTH = {"omni3": "layout.radius", "omni4": "layout.half_length"}
PICTURED = {"omni3": "omni3-square-221220201934-01.csv", "omni4": "omni4-square-080920201205-01.csv"}  # of omniroll figures robots
BAND = 0.9
NEGATIVE = 12  # exit code of a calibration whose verdict is negative
POINTS = 7  # of the posterior, of which every run is run
DRAWS = 2000  # of departures, for a band
KEPT = {"omni3": 0.2, "omni4": 0.4}  # seconds between rows that are replayed
CIRCLE = {"omni3": 0.72, "omni4": 0.47}  # metres for a radian in the circles that are fitted
SUMMED = {"circles": 1.062, "spot": 1.086, "straight": 1.119, "other": 1.086}  # turns over sums of rows, omni4
Rows = np.ndarray


# ---- the yardstick


def rows_of(path: str) -> Rows:
    """t, x, y, yaw and turns, as the studies replay them."""
    return np.genfromtxt(path, delimiter=",", skip_header=2)


def as_measured(robot: str, rows: Rows) -> Rows:
    """The rows with what sideways motion lost of the yaw put back into the turns."""
    steps, times = np.diff(rows[:, 4:], axis=0), np.diff(rows[:, 0])
    whole = steps.copy()
    for _ in range(30):  # the loss depends on the turns as measured; each round is ten times nearer
        whole = steps - np.array([[get_data.lost(robot, t, list(step))] if t > 0 else [0.0] for t, step in zip(times, whole)])
    out = rows.copy()
    out[1:, 4:] = rows[0, 4:] + np.cumsum(whole, axis=0)
    return out


def measured_rows(path: str) -> Rows:
    """Those of a file of data, with turns as they were measured."""
    return as_measured(os.path.basename(path).split("-")[0], rows_of(path))


def body_steps(robot: str, rows: Rows) -> np.ndarray:
    """Forward, left and yaw of each step by nominal kinematics."""
    nominal = np.array([0.102] * 3 + [0.195] if robot == "omni3" else [0.06] * 4 + [0.4, 1.0])
    return np.diff(rows[:, 4:], axis=0) @ jacobian(robot, nominal).T


def lengths(robot: str, rows: Rows) -> tuple[float, float]:
    """What a run turns [rad] and its way [m], there and back alike, by nominal kinematics."""
    steps = body_steps(robot, rows)
    return float(np.abs(steps[:, 2]).sum()), float(np.hypot(steps[:, 0], steps[:, 1]).sum())


def jacobian(robot: str, v: np.ndarray) -> np.ndarray:
    """Forward, left and yaw for each wheel's turn: diameters, then distance, then tangent of the rollers' angle."""
    if robot == "omni3":
        shape = [[-(3**0.5) / 3, 3**0.5 / 3, 0], [-1 / 3, -1 / 3, 2 / 3], [-1 / (3 * v[3])] * 3]
        return np.array(shape) * np.pi * v[:3]
    return np.array([[1, -1, 1, -1], [-v[5], -v[5], v[5], v[5]], [-2 / v[4]] * 4]) / 4 * np.pi * v[:4]


def loss_errors(robot: str, rows: Rows, v: np.ndarray) -> np.ndarray:
    """As odometry_errors, with a tracked point beside the centre and a loss of yaw: the last three of v."""
    turn = jacobian(robot, v[:-3])
    duration = np.maximum(np.diff(rows[:, 0]), 1e-9)
    steps = np.diff(rows[:, 4:], axis=0) @ turn.T
    steps[:, 2] -= v[-1] * np.tanh(steps[:, 2] / duration / get_data.TURNING) * np.abs(steps[:, 1])
    off = pose_errors(rows, steps)
    yaw, point = off[:, 2] + rows[1:, 3], v[-3] + 1j * v[-2]
    beside = point * (np.exp(1j * yaw) - np.exp(1j * rows[0, 3]))
    return off + np.column_stack([beside.real, beside.imag, 0 * yaw])


def loss(robot: str, runs: list[Rows]) -> np.ndarray:
    """The yardstick with a tracked point and a loss of yaw by sideways motion, which is its last number [rad/m]."""
    start = np.array(([0.102] * 3 + [0.195] if robot == "omni3" else [0.06] * 4 + [0.4, 1.0]) + [0.0] * 3)
    every = 5 if robot == "omni3" else 2

    def left(v: np.ndarray) -> np.ndarray:
        return np.concatenate([(loss_errors(robot, run, v)[::every] * [1, 1, 0.3]).ravel() for run in runs])

    scale = np.concatenate([start[:-3], [0.03, 0.03, 0.01]])
    return np.asarray(least_squares(left, start, x_scale=scale, loss="soft_l1", f_scale=0.05).x)


def odometry_errors(rows: Rows, turn: np.ndarray) -> np.ndarray:
    """x, y, yaw by odometry less those measured, row by row."""
    return pose_errors(rows, np.diff(rows[:, 4:], axis=0) @ turn.T)


def pose_errors(rows: Rows, steps: np.ndarray) -> np.ndarray:
    """x, y, yaw by steps forward, left and in yaw less those measured, row by row."""
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
    if done.returncode == NEGATIVE:
        print(done.stdout, file=sys.stderr)  # the book has what it came to, and says so
    elif done.returncode:
        raise SystemExit(f"omniroll {words[0]}: {done.stderr.strip() or done.stdout.strip()}")


def posterior_path(robot: str) -> str:
    return os.path.join(HERE, f"{robot}_posterior.csv")


def fit(robot: str, program: str, sets: list[str]) -> None:
    study = study_of(robot)
    study["data"]["runs"] = [run for run in study["data"]["runs"] if run.get("use") != "predict"]
    with tempfile.TemporaryDirectory() as folder:
        started(program, "calibrate", written(study, folder), *sets, "--overwrite", "--output", posterior_path(robot))


def posterior(robot: str) -> tuple[list[str], np.ndarray]:
    with open(posterior_path(robot), encoding="utf-8") as file:
        names = file.readline().strip().split(",")
    return names, np.genfromtxt(posterior_path(robot), delimiter=",", skip_header=1)


def write_points(path: str, names: list[str], points: np.ndarray) -> None:
    np.savetxt(path, points, delimiter=",", header=",".join(names), comments="", fmt="%.9g")


def engine_runs(robot: str, program: str, sets: list[str], run: str, names: list[str], points: np.ndarray) -> np.ndarray:
    """Paths [point][instant][x, y, yaw] of a run, a file, every 0.2 s, as seen from its start."""
    study = study_of(robot)
    study.pop("vary")
    study["data"] |= {"runs": [{"file": os.path.abspath(run)}], "run": 0, "interval": "0.2 s"}
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


def on_spot(robot: str, rows: Rows) -> float:
    """Which share of what a run turns it turns without going anywhere."""
    steps = body_steps(robot, rows)
    turned, duration = np.abs(steps[:, 2]), np.maximum(np.diff(rows[:, 0]), 1e-9)
    still = (np.hypot(steps[:, 0], steps[:, 1]) < 0.06 * turned) & (turned > 0.05 * duration)
    return float(turned[still].sum() / max(turned.sum(), 1e-9))


def departures_of(robot: str, rows: Rows, spread: np.ndarray) -> np.ndarray:
    """Standard deviations of yaw, way and direction of a run. Circles of one size do not tell whether forward motion loses yaw too or the wheels
    lie farther out; half of the sideways loss is allowed for it, where a run turns on the spot."""
    out = np.asarray(spread * shares(robot, rows))
    untold = 0.5 * get_data.SIDEWAYS_LOSS[robot] * CIRCLE[robot] * on_spot(robot, rows)
    out[0] = np.hypot(out[0], untold)
    return out


def shares(robot: str, rows: Rows) -> np.ndarray:
    """By what departures of yaw, way and direction of a run are smaller than those of one radian or metre: a walk's, which adds up by chance."""
    turned, way = lengths(robot, rows)
    return np.array([max(turned, 1.0), max(way, 1.0), max(way, 1.0)]) ** -0.5


def freedom(runs: int, unknowns: int) -> float:
    """Degrees of freedom that a departure has left: as many as runs, less its third of what was fitted to them."""
    return max(1.0, runs - unknowns / 3)


def spread_of(robot: str, found: np.ndarray, rows: list[Rows], unknowns: int) -> np.ndarray:
    """Standard deviations of yaw, way and direction in one radian or metre, by the departures of fitted runs; unknowns were fitted to them too."""
    unit = found / np.array([shares(robot, one) for one in rows])
    return np.asarray(np.sqrt((unit**2).sum(axis=0) / freedom(len(rows), unknowns)))


def departed(path: np.ndarray, shares_of_it: np.ndarray) -> np.ndarray:
    """Ends [draw][x, y, yaw] of a path that departs by (yaw, way, direction), a row each: the inverse of departures()."""
    step = np.diff(path[:, 0] + 1j * path[:, 1])
    middle = (path[1:, 2] + path[:-1, 2]) / 2
    yaw, way, turn = shares_of_it.T
    end = (1 + way) * np.exp(1j * turn) * (np.exp(1j * np.outer(yaw, middle)) @ step)
    return np.column_stack([end.real, end.imag, (1 + yaw) * path[-1, 2]])


def scattered(robot: str, names: list[str], points: np.ndarray, spread: np.ndarray, seed: int) -> tuple[list[str], np.ndarray]:
    """The points, each with departures of its own, as parameters."""
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


def chosen(points: np.ndarray) -> np.ndarray:
    """The mean of the posterior, then some points of it."""
    return np.concatenate([points.mean(axis=0, keepdims=True), points[:: max(1, len(points) // POINTS)][:POINTS]])


def draws_of(robot: str, names: list[str], points: np.ndarray, spread: np.ndarray) -> tuple[list[str], np.ndarray]:
    """The mean of the posterior, then points of it with departures, for a picture of paths."""
    some = chosen(points)
    columns, draws = scattered(robot, names, some[1:], spread, 1)
    plain = np.zeros((1, len(columns)))
    plain[:, : len(names)] = some[0]
    return columns, np.concatenate([plain, draws])


# ---- the book


def noise_of(robot: str) -> np.ndarray:
    """Standard deviations of x, y [m] and yaw [rad] at an end as seen from a start: both have the noise of the study."""
    unit = {"mm": 1e-3, "deg": np.pi / 180}
    words = [one["noise"].split() for one in study_of(robot)["data"]["measured"]]
    return np.sqrt(2) * np.array([float(number) * unit[name] for number, name in words])


def band(paths: np.ndarray, spread: np.ndarray, free: float, noise: np.ndarray, turns: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the middle BAND of what is predicted, by paths of points that depart, by Student's t of `free` degrees of freedom, and noise;
    `turns` is a deviation of all turns alike."""
    random = np.random.default_rng(1)
    ends = []
    for path in paths:
        shares_of_it = spread * random.standard_t(free, (DRAWS // len(paths), 3))
        shares_of_it[:, :2] += turns * random.standard_normal((len(shares_of_it), 1))
        ends.append(departed(path, shares_of_it) + noise * random.standard_normal((len(shares_of_it), 3)))
    low, high = np.quantile(np.concatenate(ends), [(1 - BAND) / 2, (1 + BAND) / 2], axis=0)
    return low, high


def end_error(off: np.ndarray) -> dict[str, float]:
    return {"mm": float(1e3 * np.hypot(off[0], off[1])), "deg": float(abs(np.degrees(off[2])))}


def predicted(robot: str, paths: np.ndarray, file: str, spread: np.ndarray, free: float, turns: float = 0.0) -> dict[str, Any]:
    """What the engine says of the end of a run: error of the posterior's mean, and the band."""
    real = measured_path(file, len(paths[0]))
    low, high = band(paths[1:], spread, free, noise_of(robot), turns)
    return {"file": os.path.basename(file), "measured": real[-1].tolist(), "low": low.tolist(), "high": high.tolist(),
            "inside": [bool(a <= b <= c) for a, b, c in zip(low, real[-1], high)], "engine": end_error(paths[0][-1] - real[-1])}


def make(robot: str, program: str, sets: list[str], keep: bool) -> dict[str, Any]:
    """Everything of a robot, as book.json has it."""
    if not keep:
        fit(robot, program, sets)
    names, points = posterior(robot)
    runs = study_of(robot)["data"]["runs"]
    fitted = [run["file"] for run in runs if run.get("use") != "predict"]
    stick = yardstick(robot, [measured_rows(file) for file in fitted])
    paths = {}
    for run in runs:
        paths[run["file"]] = engine_runs(robot, program, sets, run["file"], names, chosen(points))
        print(f"\r{robot} {len(paths)} of {len(runs)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    found = np.array([departures(paths[file][0], measured_path(file, len(paths[file][0]))) for file in fitted])
    spread = spread_of(robot, found, [rows_of(file) for file in fitted], len(names))
    free = freedom(len(fitted), len(names))
    book: dict[str, Any] = {"yardstick": stick.tolist(), "spread": spread.tolist(), "freedom": free, "runs": []}
    for file, some in paths.items():
        here = departures_of(robot, rows_of(file), spread)
        if os.path.basename(file) == PICTURED[robot]:
            write_points(os.path.join(HERE, f"{robot}_draws.csv"), *draws_of(robot, names, points, here))
        odometry = odometry_errors(measured_rows(file), jacobian(robot, stick))[-1]
        book["runs"].append(predicted(robot, some, file, here, free) | {"fitted": file in fitted, "yardstick": end_error(odometry)})
    return book


# ---- other runs


def whole_turns(robot: str, rows: Rows) -> tuple[Rows, float]:
    """The rows with turns that rows summed fell short of, and the deviation of the factor; rows of omni4 that are 40 ms apart were summed."""
    if robot != "omni4" or np.median(np.diff(rows[:, 0])) > 0.1:
        return rows, 0.0
    spot = on_spot(robot, rows)
    steps = body_steps(robot, rows)
    out, factor = rows.copy(), np.full(len(steps), SUMMED["circles" if spot < 0.2 else "other"])
    if spot > 0.7:  # a square: straight lines and turns on the spot
        factor = np.where(np.hypot(steps[:, 0], steps[:, 1]) < 0.06 * np.abs(steps[:, 2]), SUMMED["spot"], SUMMED["straight"])
    out[1:, 4:] = rows[0, 4:] + np.cumsum(factor[:, None] * np.diff(rows[:, 4:], axis=0), axis=0)
    return out, 0.003 if spot < 0.2 else 0.006 if spot > 0.7 else 0.02


def prepared(robot: str, path: str, folder: str) -> tuple[str, Rows, float]:
    """A measured run as the studies replay it, in a file of its own; its rows as they were measured; and the deviation of its turns."""
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.strip() and not line.startswith("#")]
    full = np.array([[float(word) for word in line.split(",")] for line in lines[1:]])
    step = max(1, round(KEPT[robot] / float(np.median(np.diff(full[:, 0])))))
    rows, deviation = whole_turns(robot, full)
    rows = rows[np.unique(np.append(np.arange(0, len(rows), step), len(rows) - 1))]
    rows[:, 0] -= rows[0, 0]
    name = os.path.basename(path).removesuffix(".gz")
    out = os.path.join(folder, name if name.startswith(robot) else f"{robot}-{name}")
    with open(out, "w", encoding="utf-8") as file:
        file.write(get_data.written(get_data.without_loss(robot, rows.tolist())))
    return out, rows, deviation


def others(folder: str, robot: str) -> list[str]:
    found = glob.glob(os.path.join(folder, robot, "*.csv*")) + glob.glob(os.path.join(folder, f"{robot}*.csv*"))
    return sorted(path for path in found if path.endswith((".csv", ".csv.gz")))


def predict(folder: str, robots: list[str], program: str, sets: list[str]) -> dict[str, Any]:
    """The book of other runs, all predicted with the posteriors and departures that are there."""
    with open(os.path.join(HERE, "book.json"), encoding="utf-8") as file:
        known = json.load(file)
    book: dict[str, Any] = {}
    for robot in robots:
        names, points = posterior(robot)
        spread, stick = np.array(known[robot]["spread"]), np.array(known[robot]["yardstick"])
        for k, path in enumerate(others(folder, robot)):
            with tempfile.TemporaryDirectory() as place:
                file, rows, deviation = prepared(robot, path, place)
                paths = engine_runs(robot, program, sets, file, names, chosen(points))
                one = predicted(robot, paths, file, departures_of(robot, rows, spread), known[robot]["freedom"], deviation)
            odometry = odometry_errors(rows, jacobian(robot, stick))[-1]
            book.setdefault(robot, {"spread": known[robot]["spread"], "runs": []})["runs"].append(
                one | {"fitted": False, "yardstick": end_error(odometry)})
            print(f"\r{robot} {k + 1} of {len(others(folder, robot))} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return book


def set_of(file: str) -> str:
    return "-".join(file.split("-")[1:3])


def tables(book: dict[str, Any]) -> str:
    lines = []
    for robot in book:
        lines += [f"{robot}: runs scatter in one radian by {100 * book[robot]['spread'][0]:.2f} % of the yaw, in one metre by "
                  f"{100 * book[robot]['spread'][1]:.2f} % of the way and {100 * book[robot]['spread'][2]:.2f} % in direction", "",
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
        if not apart:
            continue
        lines += ["", f"{np.mean(apart):.0%} of {3 * len(apart)} predicted end coordinates are inside their {BAND:.0%} bands.", ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", metavar="ROBOT", help="omni3, omni4; left out: both")
    parser.add_argument("--program", default=os.environ.get("OMNIROLL", "omniroll"))
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="passed on to omniroll, as engine.backend=scalar")
    parser.add_argument("--keep", action="store_true", help="take the posterior that is there")
    parser.add_argument("--table", action="store_true", help="print the tables of book.json and compute nothing")
    parser.add_argument("--predict", metavar="FOLDER", help="predict the runs of another folder with the posteriors that are there")
    parser.add_argument("--loss", action="store_true", help="fit what sideways motion loses of the yaw to the runs that the studies fit")
    arguments = parser.parse_args()
    sets = [word for assignment in arguments.set for word in ("--set", assignment)]
    robots = arguments.robots or list(ROBOTS)
    if arguments.predict:
        print(tables(predict(arguments.predict, robots, arguments.program, sets)))
        return 0
    if arguments.loss:
        for robot in robots:
            runs = [measured_rows(run["file"]) for run in study_of(robot)["data"]["runs"] if run.get("use") != "predict"]
            print(f"{robot}: {loss(robot, runs)[-1]:.4f} rad for each metre sideways")
        return 0
    path = os.path.join(HERE, "book.json")
    book: dict[str, Any] = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            book = json.load(file)
    if not arguments.table:
        for robot in robots:
            book[robot] = make(robot, arguments.program, sets, arguments.keep)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(book, file, indent=1)
                file.write("\n")
    print(tables(book))
    return 0


if __name__ == "__main__":
    sys.exit(main())
