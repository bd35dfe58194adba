#!/usr/bin/env python3
"""What 38 team robots say of roller losses: the losses of each robot by its coast-down, the fleet's distribution, and what that predicts.

    python3 studies/robots/team_losses.py --program build/release/omniroll

team_robots.json coasts for a lattice of masses, axle torques and roller losses. Of each robot these give the two losses that make its two measured
decelerations. Coasting tells one number of the rollers, the arm mu_b r_pin + f: friction of the pins and rolling resistance act alike. The fleet's
losses are taken as log-normal; the posterior of their mean and spread is that of normal data with an unknown mean and variance (Jeffreys' prior).
Robots drawn from it, with masses and gears drawn from the 38, run on the engine; the ratios of speeds, which nothing was fitted to, and of
decelerations are compared with those measured by Kolmogorov's distance.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from scipy.interpolate import RegularGridInterpolator
from scipy.optimize import least_squares

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import team_robots as fleet  # noqa: E402
import omniroll  # noqa: E402

PIN = 2e-3  # m
MASSES = np.array([6.0, 9.0, 12.5, 17.0, 22.0])  # kg
TORQUES = np.array([0.0, 0.03, 0.08, 0.16, 0.3, 0.5])  # N m
ARMS = np.array([0.0, 0.15, 0.4, 0.8, 1.4, 2.2]) * 1e-3  # m


def coasts(rows: list[list[float]], program: str, sets: list[str], duration: str) -> h5py.Group:
    """Rows: torque, friction of the pins, then those of fleet.row. Observables and trajectories of each."""
    wheels = range(4)
    names = ["wheel.axle_dry.torque [N m]", "wheel.roller.dry.friction", "platform.mass [kg]", "wheel.motor.gear_ratio",
             *(f"wheels[{i}].drive.duty" for i in wheels), "initial.vx [m/s]", "initial.vz [m/s]", *(f"wheels[{i}].initial.rate [rad/s]" for i in wheels)]
    study = omniroll.load(os.path.join(HERE, "..", "team_robots.json"))
    study["design"] = {"type": "table", "file": "rows.csv"}
    study["integrator"] |= {"duration": duration, "step_error": "off"}
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(os.path.join(folder, "rows.csv"), rows, delimiter=",", header=",".join(names), comments="", fmt="%.8g")
        path, result = os.path.join(folder, "study.json"), os.path.join(folder, "result.h5")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study, file)
        done = subprocess.run([program, "run", "-q", path, *sets, "-o", result], capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        with h5py.File(result) as file:
            t = {name: file[f"trajectories/{name}"][()] for name in ("x", "z", "vx", "vz")}
            return {"path_length": file["instances/path_length"][()], **t}


def deceleration(path: np.ndarray) -> np.ndarray:
    return fleet.SPEED**2 / 2 / path


def lattice(program: str, sets: list[str]) -> RegularGridInterpolator:
    """Logarithms of both decelerations over log mass, torque and arm."""
    rows = [[torque, arm / PIN, *fleet.row(mass, 14.5, signs, False)]
            for mass in MASSES for torque in TORQUES for arm in ARMS for signs in (fleet.FORWARD, fleet.SIDEWAYS)]
    found = deceleration(coasts(rows, program, sets, "6 s")["path_length"])
    return RegularGridInterpolator((np.log(MASSES), TORQUES, ARMS), np.log(found.reshape(len(MASSES), len(TORQUES), len(ARMS), 2)))


def losses(decelerations: np.ndarray, mass: np.ndarray, model: RegularGridInterpolator) -> np.ndarray:
    """Torque and arm of each robot, within the lattice."""
    out = []
    for wanted, m in zip(np.log(decelerations), np.clip(np.log(mass), np.log(MASSES[0]), np.log(MASSES[-1]))):
        best = least_squares(lambda v: model((m, v[0], v[1])) - wanted, [0.08, 0.5e-3], bounds=([0, 0], [TORQUES[-1], ARMS[-1]]), x_scale=[0.1, 1e-3])
        out.append(best.x)
    return np.array(out)


def kolmogorov(a: np.ndarray, b: np.ndarray) -> float:
    at = np.sort(np.concatenate([a, b]))
    return float(np.max(np.abs(np.searchsorted(np.sort(a), at, "right") / len(a) - np.searchsorted(np.sort(b), at, "right") / len(b))))


def drawn(values: np.ndarray, mass: np.ndarray, count: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the fleet's robots (mass, gear) and losses drawn from the posterior predictive, a line in log mass for each."""
    pick = random.integers(len(mass), size=count)
    design = np.column_stack([np.ones(len(mass)), np.log(mass / np.median(mass))])
    y = np.log(values)
    beta, *_ = np.linalg.lstsq(design, y, rcond=None)
    left = y - design @ beta
    inverse = np.linalg.inv(design.T @ design)
    free, out = len(mass) - 2, []
    for k in pick:
        scale = random.chisquare(free) # one draw of the spread for both losses, whose departures go together as those of the robots
        root = np.linalg.cholesky(left.T @ left / scale)
        mean = beta + np.linalg.cholesky(inverse) @ random.standard_normal((2, 2)) @ root.T
        out.append(np.exp(design[k] @ mean + root @ random.standard_normal(2)))
    return pick, np.array(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=os.environ.get("OMNIROLL", "omniroll"))
    parser.add_argument("--set", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("--draws", type=int, default=200)
    arguments = parser.parse_args()
    sets = [word for assignment in arguments.set for word in ("--set", assignment)]
    robots, random = fleet.measured(), np.random.default_rng(1)
    mass = fleet.masses(robots)
    gears = np.genfromtxt(os.path.join(HERE, "..", "team_robots.csv"), delimiter=",", skip_header=3)[:: len(fleet.RUNS), 1]
    wanted = np.column_stack([robots["forward_deceleration_m_s2"], robots["sideways_deceleration_m_s2"]])
    own = losses(wanted, mass, lattice(arguments.program, sets))
    arms = own[:, 1]
    print(f"arm mu_b r_pin + f of {len(arms)} robots: median {1e3 * np.median(arms):.2f} mm, middle half {1e3 * np.quantile(arms, 0.25):.2f} to {1e3 * np.quantile(arms, 0.75):.2f} mm, "
          f"{np.sum(arms < 1e-5)} without loss, {np.sum(arms > 0.999 * ARMS[-1])} at the lattice's end")
    logs = np.log(np.maximum(arms, 2e-5))
    draws = random.chisquare(len(logs) - 1, 20000)
    spread = np.sqrt(np.sum((logs - logs.mean()) ** 2) / draws)
    middle = logs.mean() + spread / np.sqrt(len(logs)) * random.standard_normal(20000)
    print("posterior of the fleet's median arm: %.2f mm, 95 %% from %.2f to %.2f mm; of the spread's factor: %.2f, from %.2f to %.2f" % (
        *(1e3 * np.exp(np.quantile(middle, q)) for q in (0.5, 0.025, 0.975)), *(np.exp(np.quantile(spread, q)) for q in (0.5, 0.025, 0.975))))
    pick, lost = drawn(np.maximum(own, [2e-3, 2e-5]), mass, arguments.draws, random)
    rows = [[torque, arm / PIN, *fleet.row(mass[k], gears[k], signs, driven)] for k, (torque, arm) in zip(pick, lost) for signs, driven in fleet.RUNS]
    result = coasts(rows, arguments.program, sets, "4 s")
    first = np.arange(0, len(rows), len(fleet.RUNS))

    def speed(which: np.ndarray) -> np.ndarray:
        return np.array([np.interp(fleet.RUN_UP, np.hypot(result["x"][k], result["z"][k]), np.hypot(result["vx"][k], result["vz"][k])) for k in which])

    predicted = {"strafe over forward speed": speed(first + 1) / speed(first),
                 "sideways over forward deceleration": result["path_length"][first + 2] / result["path_length"][first + 3]}
    for name, real in fleet.ratios(robots).items():
        here = predicted[name]
        print(f"{name}: measured median {np.median(real):.3f} (10 to 90 %: {np.quantile(real, 0.1):.3f} to {np.quantile(real, 0.9):.3f}), predicted {np.median(here):.3f} "
              f"({np.quantile(here, 0.1):.3f} to {np.quantile(here, 0.9):.3f}), Kolmogorov distance {kolmogorov(real, here):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
