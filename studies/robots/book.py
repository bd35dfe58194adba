#!/usr/bin/env python3
"""The validation book: the robots of omni3.json and omni4.json fitted to some of their runs, the others predicted, and the numbers of docs/evidence/robots.md written to
book.json.

    python3 studies/robots/book.py --program build/release/omniroll           both robots: fits, predicts, writes book.json
    python3 studies/robots/book.py --table                                    prints the tables of what is there
    python3 studies/robots/book.py --predict FOLDER --program ...             predicts other runs, and prints their tables

The engine runs every measured run, its wheels by their turns, and gives the end and its slopes over the parameters that are sought. departures.py finds those
by the ends of the fitted runs: in common, of the manoeuvre and of the recording; and says how far the end of another run may lie. Where it is predicted the engine
runs again, with the parameters that are expected of that run. Beside it stand two kinematic odometries, by robust least squares on the same runs: the yardstick has
radii and distance (omni4 also the rollers' angle), the other one the tracked point and a loss of yaw too.

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
import re
import subprocess
import sys
import tempfile
import textwrap
from typing import Any

import h5py
import numpy as np
from scipy.optimize import least_squares
from scipy.stats import binom

import departures
import get_data

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "analysis"))
import omniroll  # noqa: E402

ROBOTS = ("omni3", "omni4")
PICTURED = {"omni3": "omni3-square-221220201934-02.csv", "omni4": "omni4-square-231220200550-10.csv"}  # of omniroll figures robots
BAND = 0.9
WIDE = 1.6448536269514722  # of a normal distribution, deviations to either end of its middle BAND
POINTS = 64  # of the posterior, in a file
DRAWS = 20  # for a picture of paths
KEPT = {"omni3": 0.2, "omni4": 0.4}  # seconds between rows that are replayed
CURVATURE = 0.2  # rad/m: platform.yaw_loss.curvature
SUMMED = {"circles": 1.062, "spot": 1.086, "straight": 1.119, "other": 1.086}  # turns over sums of rows, omni4
STEP = {"m": 1e-4, "rad": 2e-3, "rad m-1": 2e-3}  # of slopes, by unit
Rows = np.ndarray


# ---- the yardstick


def rows_of(path: str) -> Rows:
    """t, x, y, yaw and turns, as the studies replay them."""
    return np.genfromtxt(path, delimiter=",", skip_header=2)


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


def sense(steps: np.ndarray) -> np.ndarray:
    """Sense of turning of each step, which fades on straight lines: as the engine has it."""
    return np.asarray(steps[:, 2] / np.maximum(np.hypot(steps[:, 2], CURVATURE * np.hypot(steps[:, 0], steps[:, 1])), 1e-12))


def loss_errors(robot: str, rows: Rows, v: np.ndarray) -> np.ndarray:
    """As odometry_errors, with a tracked point beside the centre and a loss of yaw: the last three of v."""
    turn = jacobian(robot, v[:-3])
    steps = np.diff(rows[:, 4:], axis=0) @ turn.T
    steps[:, 2] -= v[-1] * sense(steps) * np.abs(steps[:, 1])
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
    study: dict[str, Any] = omniroll.load(os.path.join(HERE, f"{robot}.json"))
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


# ---- what is sought


def sought(robot: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Columns "path [unit]" of the parameters of the study's vary, means and deviations of what is known before."""
    unit = {"mm": ("m", 1e-3), "deg": ("rad", np.pi / 180), "mrad/m": ("rad m-1", 1e-3)}
    names, numbers = [], []
    for entry in study_of(robot)["vary"]:
        pair = [str(one).split() for one in entry["normal"]]
        si, factor = unit[pair[1][1]]
        names.append(f"{entry['path']} [{si}]")
        numbers.append([float(words[0]) * factor for words in pair])
    means, spreads = np.array(numbers).T
    return names, means, spreads


def radii_of(names: list[str]) -> list[int]:
    return [k for k, name in enumerate(names) if re.match(r"wheels\[\d\]\.radius", name)]


def steps_of(names: list[str]) -> np.ndarray:
    return np.array([STEP[name.split("[")[-1][:-1]] for name in names])


def around(names: list[str], point: np.ndarray) -> np.ndarray:
    """The point, and a step to either side of it for each parameter."""
    steps = np.diag(steps_of(names))
    return np.concatenate([[point], point + steps, point - steps])


def looked_at(robot: str, program: str, sets: list[str], path: str, known: tuple[list[str], np.ndarray]) -> departures.Run:
    """A measured run beside the engine's at a point of the parameters: what its end is off by, and how it goes with the parameters."""
    names, point = known
    ends = engine_runs(robot, program, sets, path, names, around(names, point))
    real = measured_path(path, ends.shape[1])
    slope = (ends[1 : len(names) + 1, -1] - ends[len(names) + 1 :, -1]) / (2 * steps_of(names))[:, None]
    rows = rows_of(path)
    return {"file": os.path.basename(path), "manoeuvre": manoeuvre_of(robot, rows), "recording": recording_of(path), "sense": sense_of(rows),
            "off": (real[-1] - ends[0, -1]).tolist(), "slope": slope.T.tolist()} | departures.shape_of(rows)


def manoeuvre_of(robot: str, rows: Rows) -> str:
    """circle, square (turns on the spot) or mixed; forward or sideways, where it goes one of the two."""
    forward, left, _ = np.abs(body_steps(robot, rows)).sum(axis=0)
    if max(forward, left) < 4 * min(forward, left):
        return "mixed"
    return ("square" if on_spot(robot, rows) > 0.4 else "circle") + (" forward" if forward > left else " sideways")


def sense_of(rows: Rows) -> str:
    return "left" if rows[-1, 3] > rows[0, 3] else "right"


def recording_of(path: str) -> str | None:
    found = re.search(r"\d{12}", os.path.basename(path))
    return found.group() if found else None


# ---- the book


def end_error(off: np.ndarray) -> dict[str, float]:
    return {"mm": float(1e3 * np.hypot(off[0], off[1])), "deg": float(abs(np.degrees(off[2])))}


def fit_of(known: dict[str, Any]) -> departures.Fit:
    """The fit that a robot's part of book.json holds."""
    names = known["names"]
    return departures.Fit(known["fit"], np.array(known["prior"]), radii_of(names), np.array(known["deviations"]))


def predicted(robot: str, known: dict[str, Any], run: departures.Run, end: np.ndarray, real: np.ndarray) -> dict[str, Any]:
    """What is said of the end of a run: the engine's with the parameters expected of it, and the band about that."""
    wide = WIDE * fit_of(known).end_deviation(run)
    return {"file": run["file"], "manoeuvre": run["manoeuvre"], "sense": run["sense"], "recording": run["recording"],
            "measured": real.tolist(), "low": (end - wide).tolist(), "high": (end + wide).tolist(),
            "inside": (np.abs(end - real) <= wide).tolist(), "engine": end_error(end - real)}


def odometries(robot: str, known: dict[str, Any], rows: Rows) -> dict[str, Any]:
    stick, lossy = np.array(known["yardstick"]), np.array(known["kinematics"])
    return {"yardstick": end_error(odometry_errors(rows, jacobian(robot, stick))[-1]), "kinematics": end_error(loss_errors(robot, rows, lossy)[-1])}


def with_change(known: dict[str, Any], run: departures.Run | None = None) -> np.ndarray:
    return np.array(known["point"]) + fit_of(known).change(run)


def is_seen(known: dict[str, Any], run: departures.Run) -> bool:
    """Whether runs of its recording were fitted."""
    return any(run["recording"] == other["recording"] for other in known["fit"])


def told(robot: str, done: int, whole: int) -> None:
    print(f"\r{robot} {done} of {whole} runs", end="", file=sys.stderr, flush=True)


def fitted(robot: str, program: str, sets: list[str], files: list[str]) -> dict[str, Any]:
    """What the runs of `files` tell; slopes are taken twice, the second time where the first fit ended."""
    names, point, prior = sought(robot)
    means = point
    known: dict[str, Any] = {"names": names, "prior": prior.tolist()}
    for _ in range(2):
        runs = [looked_at(robot, program, sets, path, (names, point)) for path in files]
        for run in runs:  # what is known before lies about the means
            run["off"] = (np.array(run["off"]) - np.array(run["slope"]) @ (means - point)).tolist()
        h = departures.deviations(runs, prior, radii_of(names))
        fit = departures.Fit(runs, prior, radii_of(names), h)
        known |= {"deviations": h.tolist(), "fit": runs, "point": means.tolist()}
        point = means + fit.change()
    known |= {"mean": point.tolist(), "spread": np.sqrt(np.diag(fit.spread())).tolist()}
    return known


def write_posterior(robot: str, known: dict[str, Any]) -> None:
    """Points of the parameters in common, with departures of a manoeuvre and a recording that are not known."""
    fit, random = fit_of(known), np.random.default_rng(1)
    points = random.multivariate_normal(known["mean"], fit.spread(), POINTS)
    own = np.hypot(*np.exp(fit.h[3:5]))
    points[:, fit.radii] += own * random.standard_normal((POINTS, len(fit.radii)))
    write_points(posterior_path(robot), known["names"], points)


def write_draws(robot: str, known: dict[str, Any], run: departures.Run) -> None:
    """The parameters expected of a run, then draws of them, for a picture of its paths."""
    fit, mean = fit_of(known), with_change(known, run)
    draws = np.random.default_rng(1).multivariate_normal(mean, fit.spread(run), DRAWS)
    write_points(os.path.join(HERE, f"{robot}_draws.csv"), known["names"], np.concatenate([[mean], draws]))


def one_run(robot: str, program: str, sets: list[str], known: dict[str, Any], path: str) -> tuple[departures.Run, dict[str, Any]]:
    """A run that is looked at and predicted."""
    run = looked_at(robot, program, sets, path, (known["names"], np.array(known["mean"])))
    ends = engine_runs(robot, program, sets, path, known["names"], with_change(known, run)[None])
    return run, predicted(robot, known, run, ends[0, -1], measured_path(path, ends.shape[1])[-1])


def make(robot: str, program: str, sets: list[str]) -> dict[str, Any]:
    """Everything of a robot, as book.json has it."""
    runs = study_of(robot)["data"]["runs"]
    files = [run["file"] for run in runs if run.get("use") != "predict"]
    rows = {run["file"]: rows_of(run["file"]) for run in runs}
    known = fitted(robot, program, sets, files)
    known["yardstick"] = yardstick(robot, [rows[file] for file in files]).tolist()
    known["kinematics"] = loss(robot, [rows[file] for file in files]).tolist()
    write_posterior(robot, known)
    book: list[dict[str, Any]] = []
    for run in runs:
        path = run["file"]
        look, one = one_run(robot, program, sets, known, path)
        if os.path.basename(path) == PICTURED[robot]:
            write_draws(robot, known, look)
        book.append(one | {"fitted": path in files, "seen": is_seen(known, look)} | odometries(robot, known, rows[path]))
        told(robot, len(book), len(runs))
    print(file=sys.stderr)
    return known | {"runs": book}


# ---- other runs


def on_spot(robot: str, rows: Rows) -> float:
    """Which share of what a run turns it turns without going anywhere."""
    steps = body_steps(robot, rows)
    turned, duration = np.abs(steps[:, 2]), np.maximum(np.diff(rows[:, 0]), 1e-9)
    still = (np.hypot(steps[:, 0], steps[:, 1]) < 0.06 * turned) & (turned > 0.05 * duration)
    return float(turned[still].sum() / max(turned.sum(), 1e-9))


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


def others(folder: str, robot: str) -> list[str]:
    found = glob.glob(os.path.join(folder, robot, "*.csv*")) + glob.glob(os.path.join(folder, f"{robot}*.csv*"))
    return sorted(path for path in found if path.endswith((".csv", ".csv.gz")))


def prepared(robot: str, path: str, folder: str) -> tuple[str, Rows, float]:
    """A measured run as the studies replay it, in a file of its own; its rows; and the deviation of its turns."""
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
        file.write(get_data.written(rows.tolist()))
    return out, rows, deviation


def predict(folder: str, robots: list[str], program: str, sets: list[str]) -> dict[str, Any]:
    """The book of other runs, all predicted with the fit that is there."""
    with open(os.path.join(HERE, "book.json"), encoding="utf-8") as file:
        book: dict[str, Any] = json.load(file)
    out: dict[str, Any] = {}
    for robot in robots:
        known, runs, paths = book[robot], [], others(folder, robot)
        for path in paths:
            with tempfile.TemporaryDirectory() as place:
                made, rows, deviation = prepared(robot, path, place)
                run, one = one_run(robot, program, sets, known, made)
            if deviation > 0:  # all turns alike are all radii alike
                radii = radii_of(known["names"])
                run["extra"] = (deviation * np.array(run["slope"])[:, radii] @ np.array(known["mean"])[radii]).tolist()
                end = (np.array(one["low"]) + np.array(one["high"])) / 2
                one = predicted(robot, known, run, end, np.array(one["measured"]))
            runs.append(one | {"fitted": False, "seen": is_seen(known, run)} | odometries(robot, known, rows))
            told(robot, len(runs), len(paths))
        if runs:
            out[robot] = known | {"runs": runs}
    print(file=sys.stderr)
    return out


# ---- tables


def errors_of(runs: list[dict[str, Any]]) -> str:
    """Median and 90 % of the end errors of both odometries and the engine, in mm, and the engine's median in yaw."""
    cells = []
    for who in ("yardstick", "kinematics", "engine"):
        middle, high = np.quantile([run[who]["mm"] for run in runs], [0.5, 0.9])
        cells.append(f"{middle:.0f} ({high:.0f})")
    return " | ".join(cells) + f" | {np.median([run['engine']['deg'] for run in runs]):.1f}"


def chance(runs: list[dict[str, Any]]) -> float:
    """How likely as few of the runs are inside, of the coordinate that has the fewest."""
    held = np.array([run["inside"] for run in runs]).sum(axis=0)
    return float(binom.cdf(held.min(), len(runs), BAND))


def width(runs: list[dict[str, Any]]) -> float:
    """Width of the bands over the one that holds BAND of the end coordinates."""
    half = np.array([np.subtract(run["high"], run["low"]) / 2 for run in runs])
    middle = np.array([np.add(run["high"], run["low"]) / 2 for run in runs])
    share = np.abs(middle - [run["measured"] for run in runs]) / half
    return float(1 / np.quantile(share, BAND))


def grouped(runs: list[dict[str, Any]], *keys: str) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for run in runs:
        groups.setdefault(tuple(run[key] for key in keys), []).append(run)
    return groups


def rows_by(runs: list[dict[str, Any]], *keys: str) -> list[str]:
    words = {True: "seen", False: "new"}
    return [f"| {', '.join(words.get(key, str(key)) for key in name)} | {len(some)} | {errors_of(some)} | {np.mean([run['inside'] for run in some]):.0%} "
            f"| {width(some):.2f} | {chance(some):.2f} |" for name, some in grouped(runs, *keys).items()]


def tables(book: dict[str, Any]) -> str:
    head = ["| runs | number | yardstick, mm | kinematics with loss, mm | engine, mm | yaw, deg | inside | width | p |", "|---|---|---|---|---|---|---|---|---|"]
    lines = []
    for robot, known in book.items():
        apart = [run | {"all": f"{robot}, predicted"} for run in known["runs"] if not run["fitted"]]
        h = np.exp(known["deviations"])
        said = (f"{robot}: {len(known['fit'])} runs fitted, {len(apart)} predicted. Noise {1e3 * h[0]:.1f} mm and {np.degrees(h[1]):.2f} deg, walk of the yaw "
                f"{np.degrees(h[2]):.2f} deg in the first radian, radii depart by {1e3 * h[3]:.3f} mm (manoeuvre) and {1e3 * h[4]:.3f} mm (recording).")
        lines += [*textwrap.wrap(said, 100), "",
                  *head, *rows_by(apart, "all"), *rows_by(apart, "seen"), *rows_by(sorted(apart, key=lambda run: (run["manoeuvre"], run["sense"])), "manoeuvre", "sense"),
                  *rows_by(apart, "recording", "seen"), ""]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", metavar="ROBOT", help="omni3, omni4; left out: both")
    parser.add_argument("--program", default=os.environ.get("OMNIROLL", "omniroll"))
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="passed on to omniroll, as engine.backend=scalar")
    parser.add_argument("--table", action="store_true", help="print the tables of book.json and compute nothing")
    parser.add_argument("--predict", metavar="FOLDER", help="predict the runs of another folder with the fit that is there")
    arguments = parser.parse_args()
    sets = [word for assignment in arguments.set for word in ("--set", assignment)]
    robots = arguments.robots or list(ROBOTS)
    if arguments.predict:
        print(tables(predict(arguments.predict, robots, arguments.program, sets)))
        return 0
    path = os.path.join(HERE, "book.json")
    book: dict[str, Any] = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            book = json.load(file)
    if not arguments.table:
        for robot in robots:
            book[robot] = make(robot, arguments.program, sets)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(book, file)
                file.write("\n")
    print(tables({robot: book[robot] for robot in robots}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
