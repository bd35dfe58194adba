#!/usr/bin/env python3
"""Robots whose motors' voltages were logged: omniroll beside a kinematic and a first-order motor model, on runs that none of them was fitted to.

    python3 studies/robots/forces.py --make POWER_PLAY CENTER_STAGE           writes the runs, from clones of the two repositories of docs/evidence/robots.md
    python3 studies/robots/forces.py --program build/release/omniroll         fits, predicts, writes forces.json and prints its tables
    python3 studies/robots/forces.py --table                                  prints the tables of what is there

Of each robot the runs forward, sideways and on the spot by hand are fitted, the others predicted, open loop from their start to their end: duties times the battery's
voltage go in, and the velocity of the middle of the wheels comes out. All models have a delay, and are fitted with the same weights.
  kinematic      a speed per volt of each axis: forward, left, yaw
  first order    with a time constant of each axis, tau v' = K u - v
  with friction  with a dry friction of each axis besides, as feed-forward gains of team robots have it
  omniroll       four motors alike, friction of axles, of rollers (dry and viscous) and of the floor, yaw inertia, half length
"""
import argparse
import csv
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
from typing import Any, Callable

import numpy as np
from scipy.optimize import least_squares
from scipy.signal import lfilter

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "data-forces")
NEGATIVE = 12  # exit code of a calibration whose verdict is negative
INTERVAL = 0.05  # s, between instants that are compared
NOISE = [0.08, 0.08, 0.5]  # m/s, m/s, rad/s: what models leave, about; of the yaw rate of 2022 most is the log's
REST = 0.4  # s at rest that is kept before a run; twice as much after it
FITTED = 10.0  # s of a run that are fitted
FORGOTTEN = 0.1  # s, its correlation time in the fit of the engine
SOURCE = "mpc/src/main/python/drive_samples"
VELOCITIES = ("vx", "vy", "yaw_rate")
MODELS = {"kinematic": [0, 3, 6, 9], "first order": [0, 1, 3, 4, 6, 7, 9], "with friction": list(range(10))}  # with the numbers that each uses
ROBOTS: dict[str, dict[str, Any]] = {
    # unit: metres of the log's. Masses are those of the team's programs; what the fit finds of motor and inertia goes with them.
    # half length and width are of one of the programs alone; the others have sums of 247.5 and 251.5 mm, and the fits come to 251.5 and 253.8 mm
    "mecanum22": {"repository": 0, "folder": "r2", "unit": 0.0254, "fit": ["x", "y", "spin"], "predict": ["xy", "xspin", "yspin"], "mass": 13.35,
                  "half": ["198 mm", "122 mm"]},
    "mecanum23": {"repository": 1, "folder": "r1", "unit": 1.0, "fit": ["x", "y", "spin"], "mass": 12.33,
                  "half": ["198 mm", "122 mm"],
                  "predict": ["forwards_back", "left_right", "programmed_drive_x", "programmed_drive_y", "programmed_drive_spin"]},
}
Run = tuple[np.ndarray, np.ndarray, np.ndarray]  # times, voltages of the axes, velocities measured


# ---- data


def converted(path: str, unit: float) -> list[list[float]]:
    """A log as the studies take it: time, voltages of the motors, velocity of the body. Duties end at 1, where the controller's do; the first row has no battery."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = np.array([[float(word) for word in line] for line in list(csv.reader(file))[1:] if len(line) == 12])
    known = rows[:, 1] > 1
    battery = np.interp(rows[:, 0], rows[known, 0], rows[known, 1])
    rate = rows[:, 11] if np.ptp(rows[:, 11]) > 0.1 else slope(rows[:, 0], np.unwrap(rows[:, 8]))  # that of 2022 is 0 all the time
    volts = np.clip(rows[:, 2:6], -1, 1) * battery[:, None]
    driven = rows[np.abs(volts).max(axis=1) > 0.05, 0]
    kept = (rows[:, 0] > driven[0] - REST) & (rows[:, 0] < driven[-1] + 2 * REST)
    return np.column_stack([rows[:, 0] - rows[kept, 0][0], volts, unit * rows[:, 9:11], rate])[kept].tolist()


def slope(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Of a straight line through the rows within 0.15 s: the yaw of 2022 and its times come from different threads, and neighbours differ by 2 rad/s."""
    near = [np.abs(times - t) <= 0.15 for t in times]
    return np.array([np.polyfit(times[rows], values[rows], 1)[0] for rows in near])


def make(clones: list[str], data: str) -> None:
    os.makedirs(data, exist_ok=True)
    for robot, of in ROBOTS.items():
        for name in of["fit"] + of["predict"]:
            rows = converted(os.path.join(clones[of["repository"]], SOURCE, of["folder"], name + ".csv"), of["unit"])
            written(place(data, robot, name), rows)


def place(data: str, robot: str, name: str) -> str:
    return os.path.abspath(os.path.join(data, f"{robot}-{name}.csv"))


def written(path: str, rows: list[list[float]]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write("t [s],front_left [V],front_right [V],rear_left [V],rear_right [V],vx [m/s],vy [m/s],yaw_rate [rad/s]\n")
        file.writelines(",".join([f"{row[0]:.3f}"] + [f"{v:.2f}" for v in row[1:5]] + [f"{v:.4f}" for v in row[5:]]) + "\n" for row in rows)


def loaded(path: str, end: float = math.inf) -> Run:
    rows = np.genfromtxt(path, delimiter=",", skip_header=1)
    at = rows[0, 0] + INTERVAL * np.arange(int((min(rows[-1, 0], end) - rows[0, 0]) / INTERVAL))
    columns = [np.interp(at, rows[:, 0], rows[:, k]) for k in range(1, 8)]
    front_left, front_right, rear_left, rear_right = columns[:4]
    axes = [front_left + front_right + rear_left + rear_right, front_right + rear_left - front_left - rear_right,
            front_right + rear_right - front_left - rear_left]
    return at, np.stack(axes, axis=1) / 4, np.stack(columns[4:], axis=1)


def centred(robot: str, data: str, folder: str) -> np.ndarray:
    """Writes the runs as the middle of the wheels moves, and gives where the tracked point lies [m]: its speeds on the spot are those of its arm."""
    of = ROBOTS[robot]
    spin = np.genfromtxt(place(data, robot, "spin"), delimiter=",", skip_header=1)
    point = np.array([spin[:, 6] @ spin[:, 7], -(spin[:, 5] @ spin[:, 7])]) / (spin[:, 7] @ spin[:, 7])
    for name in of["fit"] + of["predict"]:
        rows = np.genfromtxt(place(data, robot, name), delimiter=",", skip_header=1)
        rows[:, 5:7] += np.outer(rows[:, 7], [point[1], -point[0]])
        written(place(folder, robot, name), rows.tolist())
    return np.asarray(point)


# ---- the models beside


def axis(kind: str, p: np.ndarray, times: np.ndarray, volts: np.ndarray) -> np.ndarray:
    """Velocity of an axis by p: gain, time constant, voltage of dry friction."""
    gain, tau, dry = p
    if kind == "kinematic":
        return np.asarray(gain * volts)
    steps = 1 if kind == "first order" else 3  # of an interval; friction changes its sign in between
    part = 1 - math.exp(-INTERVAL / steps / tau)
    at = np.arange(steps * (len(times) - 1)) / steps
    u = gain * np.interp(at + 0.5 / steps, np.arange(len(times)), volts)
    if kind == "first order":
        return np.asarray(np.concatenate([[0.0], lfilter([part], [1, part - 1], u)]))
    out, v, most = [0.0], 0.0, gain * dry
    for one in u.tolist():
        against = math.copysign(most, v if v != 0 else one)
        new = v + part * (one - against - v)
        v = 0.0 if (v == 0 and abs(one) <= most) or new * against < 0 else new
        out.append(v)
    return np.array(out[::steps])


def body(kind: str, p: np.ndarray, run: Run) -> np.ndarray:
    """Velocities by p: three numbers of each axis, then the delay."""
    times, volts, _ = run
    late = [np.interp(times - p[9], times, volts[:, k]) for k in range(3)]
    return np.stack([axis(kind, p[3 * k: 3 * k + 3], times, late[k]) for k in range(3)], axis=1)


def fitted(kind: str, runs: list[Run]) -> np.ndarray:
    start = np.array([0.13, 0.15, 0.5, 0.1, 0.15, 0.5, 0.55, 0.1, 0.5, 0.05])
    low = np.array([0.0, 0.01, 0.0] * 3 + [0.0])
    high = np.array([1.0, 2.0, 5.0] * 2 + [3.0, 2.0, 5.0] + [0.3])

    def left(p: np.ndarray) -> np.ndarray:
        return np.concatenate([((body(kind, p, run) - run[2]) / NOISE).ravel() for run in runs])

    return np.asarray(least_squares(left, start, bounds=(low, high), x_scale=start, diff_step=1e-3, max_nfev=60).x)


# ---- the engine


def ends(data: str, robot: str, name: str, use: str) -> dict[str, float]:
    """Of long runs the beginning is fitted."""
    return {"end": FITTED} if use == "fit" and np.genfromtxt(place(data, robot, name), delimiter=",", skip_header=1)[-1, 0] > FITTED else {}


def study(robot: str, data: str) -> dict[str, Any]:
    of = ROBOTS[robot]
    names = ("front_left", "front_right", "rear_left", "rear_right")
    drives = [{"drive": {"type": "replay_voltage", "replay": {"columns": {"time": "t", "voltage": name}}}} for name in names]
    return {
        "model": "omni_vehicle", "frame": "ros",
        "parameters": {
            "platform": {"mass": of["mass"] - 1.6, "yaw_inertia": 0.3, "center_of_mass": {"height": "10 cm"}},
            "layout": {"type": "rectangle", "mecanum": True, "half_length": of["half"][0], "half_width": of["half"][1]},
            "wheel": {
                "radius": "48 mm", "rollers": 10, "inclination": "45 deg", "tip_radius": "5 mm", "friction": 0.8, "slip_speed": "5 cm/s",
                "disc": {"mass": "0.25 kg", "axial_inertia": "2 kg cm2", "diametral_inertia": "1.5 kg cm2"},
                "roller": {"mass": "15 g", "axial_inertia": "4 g cm2", "diametral_inertia": "12 g cm2", "dry": {"friction": 0.2, "pin_radius": "2 mm"}},
                "axle_dry": {"torque": 0.1},
                "motor": {"resistance": 1.5, "torque_constant": 0.33, "rotor_inertia": "20 kg cm2"},
            },
            "wheels": drives,
        },
        "data": {
            "runs": [{"file": place(data, robot, name), "use": use} | ends(data, robot, name, use) for use in ("fit", "predict") for name in of[use]],
            "time": "t", "time_offset": {"normal": ["80 ms", "50 ms"], "per": "all"}, "interval": INTERVAL,
            "measured": [{"sample": name, "column": name, "noise": noise, "correlation_time": FORGOTTEN}
                         for name, noise in zip(VELOCITIES, NOISE)],
        },
        "vary": [
            {"path": "wheel.motor.resistance", "uniform": [0.4, 3]}, {"path": "wheel.motor.torque_constant", "uniform": [0.2, 0.45]},
            {"path": "wheel.axle_dry.torque", "uniform": [0, 0.6]}, {"path": "wheel.roller.dry.friction", "uniform": [0, 1]},
            {"path": "wheel.roller.bearing", "uniform": [0, 0.004]}, {"path": "wheel.friction", "uniform": [0.3, 1.2]}, {"path": "platform.yaw_inertia", "uniform": [0.02, 1]},
            {"path": "layout.half_length", "normal": [of["half"][0], "15 mm"]},
        ],
        "calibrate": {"members": 48, "seed": 1}, "design": {"type": "monte_carlo", "instances": 4, "seed": 1},
        "integrator": {"tolerance": 0.01}, "output": {"observables": ["final_x"]},
    }


def calibrated(robot: str, data: str, program: str, sets: list[str]) -> dict[str, Any]:
    """What omniroll calibrate says: parameters, and how far each run is from the mean of the posterior."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "study.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study(robot, data), file)
        done = subprocess.run([program, "calibrate", path, "--json", *sets], capture_output=True, text=True, check=False)
    if done.returncode not in (0, NEGATIVE) or not done.stdout:
        raise SystemExit(f"omniroll calibrate: {done.stderr.strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# ---- the tables


def rms(off: np.ndarray) -> list[float]:
    """Of the velocity [m/s] and of the yaw rate [rad/s]."""
    return [round(float(np.sqrt((off[:, :2] ** 2).sum(axis=1).mean())), 5), round(float(np.sqrt((off[:, 2] ** 2).mean())), 5)]


def engine_rms(found: dict[str, Any], path: str) -> list[float]:
    off = {one["sample"]: one["rms_of_mean"] for one in found["errors"] if os.path.basename(one["file"]) == os.path.basename(path)}
    return [round(math.hypot(off["vx"], off["vy"]), 5), round(off["yaw_rate"], 5)]


def book_of(robot: str, data: str, found: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Everything of a robot, as forces.json has it; found fits the engine to the runs of a folder."""
    of = ROBOTS[robot]
    with tempfile.TemporaryDirectory() as folder:
        point = centred(robot, data, folder)
        runs = {name: loaded(place(folder, robot, name), FITTED if use == "fit" else math.inf) for use in ("fit", "predict") for name in of[use]}
        engine = found(folder)
    p = {kind: fitted(kind, [runs[name] for name in of["fit"]]) for kind in MODELS}
    book: dict[str, Any] = {"verdict": engine["verdict"], "point": np.round(point, 4).tolist(),
                            "models": {kind: np.round(p[kind][used], 4).tolist() for kind, used in MODELS.items()}, "parameters": {}, "runs": []}
    for one in engine["parameters"] + [{"path": one["name"]} | one for one in engine["sensors"]]:
        book["parameters"][one["path"]] = [round(one[key], 5) for key in ("mean", "deviation")] + [one["unit"]]
    for name, run in runs.items():
        errors = {kind: rms(body(kind, p[kind], run) - run[2]) for kind in MODELS} | {"omniroll": engine_rms(engine, place(data, robot, name))}
        with open(place(data, robot, name), "rb") as file:
            checksum = hashlib.sha256(file.read()).hexdigest()
        book["runs"].append({"name": name, "fitted": name in of["fit"], "seconds": round(INTERVAL * len(run[0]), 1), "size": rms(run[2]),
                             "errors": errors, "sha256": checksum})
    return book


def tables(books: dict[str, Any]) -> str:
    """Root mean squares of velocity [cm/s] and yaw rate [deg/s]: of what was measured, then of the errors of the models."""
    names = (*MODELS, "omniroll")
    lines = ["| run | use | s | measured | " + " | ".join(names) + " |", "|---" * (4 + len(names)) + "|"]

    def cells(rows: list[list[float]]) -> str:
        return " | ".join(f"{100 * v:.1f}, {np.degrees(w):.0f}" for v, w in rows)

    for robot, book in books.items():
        for run in book["runs"]:
            lines.append(f"| {robot} {run['name']} | {'fit' if run['fitted'] else 'predict'} | {run['seconds']:.0f} | "
                         f"{cells([run['size']])} | {cells([run['errors'][kind] for kind in names])} |")
        apart = [run for run in book["runs"] if not run["fitted"]]
        mean = [np.sqrt(np.mean([np.square(run["errors"][kind]) for run in apart], axis=0)).tolist() for kind in names]
        size = np.sqrt(np.mean([np.square(run["size"]) for run in apart], axis=0)).tolist()
        lines.append(f"| {robot}, all predicted | | {sum(run['seconds'] for run in apart):.0f} | {cells([size])} | {cells(mean)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robots", nargs="*", metavar="ROBOT", help=", ".join(ROBOTS) + "; left out: all")
    parser.add_argument("--program", default=os.environ.get("OMNIROLL", "omniroll"))
    parser.add_argument("--data", default=DATA, metavar="FOLDER", help="of the runs that --make writes")
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="passed on to omniroll, as engine.backend=scalar")
    parser.add_argument("--make", nargs=2, metavar=("POWER_PLAY", "CENTER_STAGE"), help="write the runs from clones of the two repositories")
    parser.add_argument("--table", action="store_true", help="print the tables of forces.json and compute nothing")
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.make, arguments.data)
        return 0
    path, books = os.path.join(HERE, "forces.json"), {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            books = json.load(file)
    for robot in [] if arguments.table else arguments.robots or list(ROBOTS):
        if not os.path.exists(place(arguments.data, robot, "x")):
            raise SystemExit(f"{place(arguments.data, robot, 'x')}: not there; --make writes the runs (see docs/evidence/robots.md for where they come from)")
        sets = [word for assignment in arguments.set for word in ("--set", assignment)]
        books[robot] = book_of(robot, arguments.data, lambda folder: calibrated(robot, folder, arguments.program, sets))
        with open(path, "w", encoding="utf-8") as file:
            json.dump(books, file, indent=1)
            file.write("\n")
    print(tables(books))
    return 0


if __name__ == "__main__":
    sys.exit(main())
