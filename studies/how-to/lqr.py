"""Gains of a state feedback that minimise errors and torques: python3 lqr.py STUDY > feedback.json.

The model is `ideal` of `omniroll show STUDY --json`: about rest, on wheels that roll ideally."""
import json
import subprocess
import sys

import numpy as np
from scipy.linalg import expm, solve_discrete_are

# Errors that matter as much as one unit of a drive: m, m, rad, m/s, m/s, rad/s.
MATTERS = [0.02, 0.02, 0.05, 0.2, 0.2, 0.5]


def gains(shown):
    """The discrete linear quadratic regulator of the pose and its rates."""
    ideal = shown["ideal"]
    driven = [i for i, wheel in enumerate(shown["wheels"]) if wheel.get("drive", "none") != "none"]
    rates, torque = np.array(ideal["wheel_rates"]), np.array(ideal["torque_per_drive"])
    inverse = np.linalg.inv(ideal["inertia"])
    brake = rates.T @ np.diag(ideal["torque_per_rate"]) @ rates
    n, u = 3, len(driven)
    step = np.zeros((2 * n + u, 2 * n + u))  # pose' = v, v' = inverse (forces - brake v)
    step[:n, n:2 * n] = np.eye(n)
    step[n:2 * n, n:2 * n] = -inverse @ brake
    step[n:2 * n, 2 * n:] = inverse @ (rates.T * torque)[:, driven]
    step = expm(step * ideal["controller_period"])  # drives hold between two samples
    a, b = step[:2 * n, :2 * n], step[:2 * n, 2 * n:]
    cost = np.diag(1 / np.square(MATTERS))
    future = solve_discrete_are(a, b, cost, np.eye(u))
    return np.linalg.solve(np.eye(u) + b.T @ future @ b, b.T @ future @ a)


shown = json.loads(subprocess.run(["omniroll", "show", sys.argv[1], "--json"], check=True,
                                  capture_output=True).stdout)
pose = ["x", "y" if shown.get("frame") == "ros" else "z", "yaw"]
matrix = [[float(f"{gain:.4g}") for gain in row] for row in gains(shown)]
print(json.dumps({"states": pose + shown["ideal"]["velocities"], "gains": matrix}))
