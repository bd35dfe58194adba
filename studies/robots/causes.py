#!/usr/bin/env python3
"""What was tried as the cause of the yaw that both robots lose while they go sideways (docs/evidence/robots.md): kinematic fits to the circles that the studies
fit, with one number for each, and what they leave at the ends of the other runs.

    python3 studies/robots/causes.py              both robots, some seconds
    python3 studies/robots/causes.py omni4

none    the yardstick with a tracked point
loss    a loss of yaw for each metre sideways, against the sense of turning, as book.py fits it
gain    a gain of yaw for each metre forward
creep   rollers turn against a dry drag, the same for each that turns. The wheels push against it, by the least pushes that are in balance, and slip
        along their rollers' axes by a share of how fast they roll: "wheel" of the wheel's surface, "roller" of the roller's, "both" of the two together
"""
import argparse
import os

import numpy as np
from scipy.optimize import least_squares

import book

DRY = 0.005  # m/s: speed of a roller's surface from which on its drag is whole
WHEELS = {"omni3": 3, "omni4": 4}
SIDES = np.array([-1, 1, 1, -1])  # omni4: to which side a wheel that turns forward pushes
FORWARD = np.array([1, -1, 1, -1])  # and which sense of its turns is forward
CORNERS = 0.1 * np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])


def wheels_of(robot: str, jacobian: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of each wheel: where it stands, along what it pushes (its roller's axis), along what its roller rolls, and which sense of its turns pushes so."""
    if robot == "omni4":
        push = np.column_stack([np.ones(4), SIDES]) / 2**0.5
        return CORNERS, push, np.column_stack([-SIDES, np.ones(4)]) / 2**0.5, FORWARD
    rows = np.linalg.inv(jacobian)
    push = rows[:, :2] / np.hypot(rows[:, 0], rows[:, 1])[:, None]
    axle = np.column_stack([push[:, 1], -push[:, 0]])
    return rows[:, 2:] * axle, push, axle, np.ones(3)


def creep_steps(robot: str, steps: np.ndarray, times: np.ndarray, jacobian: np.ndarray, share: float, kind: str) -> np.ndarray:
    """Forward, left and yaw of each step, less what its wheels slip."""
    place, push, roll, sense = wheels_of(robot, jacobian)
    speed = steps / times[:, None]
    surface = np.abs(speed @ np.linalg.pinv(jacobian).T)
    carried = speed[:, None, :2] + speed[:, 2, None, None] * np.column_stack([-place[:, 1], place[:, 0]])
    # a mecanum wheel's roller takes all that is sideways, by its part across the vehicle
    roller = np.sum(carried * roll, axis=2) if robot == "omni3" else carried[:, :, 1] / roll[:, 1]

    def wrench(along: np.ndarray) -> np.ndarray:
        return np.vstack([along.T, place[:, 0] * along[:, 1] - place[:, 1] * along[:, 0]])

    pushes = np.tanh(roller / DRY) @ (np.linalg.pinv(wrench(push)) @ wrench(roll)).T
    axis = 1.0 if robot == "omni3" else 2**0.5  # along a roller's axis for a surface that goes by one
    rolled = {"wheel": surface, "roller": np.abs(roller), "both": np.hypot(roller, axis * surface)}[kind]
    return steps - (share * sense * axis * pushes * rolled * times[:, None]) @ jacobian.T


def errors(robot: str, rows: np.ndarray, v: np.ndarray, cause: str) -> np.ndarray:
    """As book.loss_errors; the last three of v: the tracked point and the cause's number."""
    unit = book.jacobian(robot, np.concatenate([np.full(WHEELS[robot], 1 / np.pi), v[WHEELS[robot]:-3]]))
    times = np.maximum(np.diff(rows[:, 0]), 1e-9)
    steps = np.diff(rows[:, 4:], axis=0) @ book.jacobian(robot, v[:-3]).T
    if cause in ("loss", "gain"):
        lost = -np.abs(steps[:, 0]) if cause == "gain" else np.abs(steps[:, 1])
        steps[:, 2] -= v[-1] * book.sense(steps) * lost
    elif cause != "none":
        steps = creep_steps(robot, steps, times, unit, v[-1], cause)
    off = book.pose_errors(rows, steps)
    yaw, point = off[:, 2] + rows[1:, 3], v[-3] + 1j * v[-2]
    beside = point * (np.exp(1j * yaw) - np.exp(1j * rows[0, 3]))
    return off + np.column_stack([beside.real, beside.imag, 0 * yaw])


def fitted(robot: str, runs: list[np.ndarray], cause: str) -> tuple[np.ndarray, float]:
    start = np.array(([0.102] * 3 + [0.195] if robot == "omni3" else [0.06] * 4 + [0.4, 1.0]) + [0.0] * 3)
    every = 5 if robot == "omni3" else 2

    def left(v: np.ndarray) -> np.ndarray:
        return np.concatenate([(errors(robot, run, v, cause)[::every] * [1, 1, 0.3]).ravel() for run in runs] + [1e-3 * v[-3:-1]])

    found = least_squares(left, start, x_scale=np.concatenate([start[:-3], [0.03, 0.03, 0.01]]), loss="soft_l1", f_scale=0.05)
    return found.x, 1e3 * float(found.cost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=list(book.ROBOTS), metavar="omni3|omni4")
    for robot in parser.parse_args().robots:
        uses = {os.path.basename(run["file"]): run.get("use") for run in book.study_of(robot)["data"]["runs"]}
        rows = {name: book.rows_of(os.path.join(book.HERE, "data", name)) for name in uses}
        for cause in ("none", "loss", "gain", "wheel", "roller", "both"):
            v, cost = fitted(robot, [rows[name] for name, use in uses.items() if use != "predict"], cause)
            sets: dict[str, list[float]] = {}
            for name, use in uses.items():
                x, y, _ = errors(robot, rows[name], v, cause)[-1]
                sets.setdefault("-".join(name.split("-")[1:3]) if use == "predict" else "fitted", []).append(1e3 * float(np.hypot(x, y)))
            print(f"{robot} {cause}: cost {cost:.0f}, its number {v[-1]:.4f}; median error at the ends, mm:",
                  ", ".join(f"{name} {np.median(found):.0f}" for name, found in sets.items()), flush=True)


if __name__ == "__main__":
    main()
