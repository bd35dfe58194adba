#!/usr/bin/env python3
"""Whether the intervals of `omniroll calibrate` hold where noise is correlated in time and the study does not say so, and where it does.

    python3 tests/long/correlated_noise.py OMNIROLL [REPEATS]

Of a robot on three omni wheels whose torques are replayed, REPEATS (100) sets of parameters are drawn from the prior. Each has a log of 6 s, whose
pose has an Ornstein-Uhlenbeck noise, in the first row as in all others, and a fit. Counted is how often the true value of a parameter is within the
middle 95 % of the answer. Printed and judged are three kinds: noise of 0.5 s that the study calls white, the same with its correlation time in
the study, and white noise that is called so. Right is 95 %; a count that is three deviations of the binomial distribution below it ends with exit code 1,
and so does a kind of noise that is told to be another. Without the search for correlation the first holds 40 to 90 % (tests/calibrate/test_correlation.c)."""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

INTERVAL, DURATION, TIME = 0.1, 6.0, 0.5
NOISE = {"x": 3e-3, "y": 3e-3, "yaw": np.radians(0.3)}
PRIOR = {"platform.mass": [6, 0.5], "platform.yaw_inertia": [0.07, 0.005], "platform.center_of_mass.x": [0, 0.005], "wheel.axle_bearing": [3e-3, 5e-4]}


def study_of(correlation_time: float) -> dict[str, Any]:
    drive = [{"drive": {"type": "replay_torque", "replay": {"columns": {"time": "t", "torque": f"u{k}"}}}} for k in (1, 2, 3)]
    measured = [{"sample": name, "column": name, "noise": noise, "correlation_time": correlation_time} for name, noise in NOISE.items()]
    return {"model": "omni_vehicle", "frame": "ros",
            "parameters": {"contact": {"law": "classical_rollers"}, "platform": {"center_of_mass": {"height": "5 cm"}},
                           "layout": {"type": "ring", "wheels": 3, "radius": "150 mm"}, "wheel": {"radius": "50 mm", "rollers": 12}, "wheels": drive},
            "data": {"runs": [{"file": "log.csv"}], "time": "t", "measured": measured, "interval": INTERVAL},
            "vary": [{"path": path, "normal": normal} for path, normal in PRIOR.items()],
            "design": {"type": "monte_carlo", "instances": 1, "seed": 5}, "calibrate": {"members": 120, "seed": 3},
            "integrator": {"method": "rk4", "step": "20 ms"}}


def torques(time: np.ndarray) -> np.ndarray:
    """Of the three wheels, which they push there and back."""
    ahead, across, turn = (size * np.cos(2 * np.pi * swing * time / DURATION) for size, swing in ((0.08, 0.5), (0.06, 1.0), (0.03, 1.5)))
    angles = 2 * np.pi * np.arange(3) / 3
    return turn[:, None] + ahead[:, None] * np.sin(angles) + across[:, None] * np.cos(angles)


def write_log(path: Path, poses: np.ndarray) -> None:
    time = INTERVAL * np.arange(len(poses))
    np.savetxt(path, np.column_stack([time, torques(time), poses]), fmt="%.9g", delimiter=",", header="t,u1,u2,u3,x,y,yaw", comments="")


def noise_of(count: int, time: float, random: np.random.Generator) -> np.ndarray:
    keep = np.exp(-INTERVAL / time) if time > 0 else 0.0
    rows = random.normal(size=(count, 3))
    for i in range(1, count):
        rows[i] = keep * rows[i - 1] + np.sqrt(1 - keep * keep) * rows[i]
    return rows * list(NOISE.values())


def truths(program: str, folder: Path, repeats: int) -> tuple[np.ndarray, np.ndarray]:
    """Values [repeats][parameters] and poses [repeats][instants][3]."""
    study = study_of(0)
    study["design"]["instances"] = repeats
    write_log(folder / "log.csv", np.zeros((round(DURATION / INTERVAL) + 1, 3)))
    (folder / "truth.json").write_text(json.dumps(study))
    traced = f"output.trajectories={json.dumps({'instances': list(range(repeats)), 'interval': INTERVAL})}"
    subprocess.run([program, "run", str(folder / "truth.json"), "-q", "-o", str(folder / "truth.h5"), "--set", traced], check=True, stdout=subprocess.DEVNULL)
    for option, name in (("--trajectories", "paths.csv"), (None, "values.csv")):
        subprocess.run([program, "export", str(folder / "truth.h5"), *([option] if option else []), "-o", str(folder / name)], check=True,
                       stdout=subprocess.DEVNULL)

    def columns(name: str, wanted: list[str]) -> np.ndarray:
        with open(folder / name, encoding="utf-8") as file:
            rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
        places = [next(k for k, head in enumerate(rows[0]) if head.split(" [")[0] == one) for one in wanted]
        return np.array([[float(row[k]) for k in places] for row in rows[1:]])

    names = [path.replace(".", "_") for path in PRIOR]
    return columns("values.csv", names), columns("paths.csv", list(NOISE)).reshape(repeats, -1, 3)


def main() -> None:
    program, repeats = str(Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 100
    wrong = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values, paths = truths(program, folder, repeats)
        for told, made, what in ((0.0, TIME, "correlated, called white"), (TIME, TIME, "correlated, and stated"), (0.0, 0.0, "white, called white")):
            random = np.random.default_rng(11)
            (folder / "s.json").write_text(json.dumps(study_of(told)))
            inside, found, widths = np.zeros(len(PRIOR)), [], []
            for k in range(repeats):
                write_log(folder / "log.csv", paths[k] + noise_of(len(paths[k]), made, random))
                done = subprocess.run([program, "calibrate", str(folder / "s.json"), "-q", "--json", "--set", f"calibrate.seed={k}"], stdout=subprocess.PIPE, check=False)
                said = json.loads(done.stdout)
                rows = said["parameters"]
                inside += [row["low"] < value < row["high"] for row, value in zip(rows, values[k])]
                widths.append([row["deviation"] for row in rows])
                found += [row.get("correlation_time", 0.0) for row in said["errors"]]
            share, least = inside / repeats, 0.95 - 3 * np.sqrt(0.95 * 0.05 / repeats)
            told_other = float(np.mean(np.array(found) > 0))
            bad = bool(share.min() < least) or (told_other < 0.9 if made > told else told_other > 0.02)
            wrong = wrong or bad
            print(f"{what}: within 95 % {', '.join(f'{100 * each:.0f} %' for each in share)} (at least {100 * least:.0f} %); told to be correlated "
                  f"{100 * told_other:.0f} % of the samples, median {np.median(found):.2g} s; deviations {', '.join(f'{each:.2g}' for each in np.mean(widths, axis=0))} "
                  f"{'  <-- wrong' if bad else ''}", flush=True)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
