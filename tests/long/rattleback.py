"""Times at which the rattleback of studies/rattleback.json turns back, from equations that share nothing with the program: those of Kane and
Levinson (Int. J. Non-Linear Mechanics 17 (1982) 175) reduced to the body's angular velocity w and the direction m of the vertical, both in its axes.

    m' = m x w,   x = point of contact from the centre of mass, where the ellipsoid's normal is m (downwards),   v = x x w,
    force of the table f = a - g m,   I w' + w x I w = x x f,   a = v' + w x v.

What tests/reference/test_graph_studies.c expects. Runs alone, for seconds: python3 tests/long/rattleback.py (numpy, scipy)."""

import numpy as np
from scipy.integrate import solve_ivp

HALF_AXES_SQUARED = np.array([0.2, 0.03, 0.02]) ** 2
ABOVE, GRAVITY, PRODUCT, TILT = 0.01, 9.81, -0.2e-4, np.radians(0.5)  # of the ellipsoid's centre; D over the mass
INERTIA = np.array([[2e-4, PRODUCT, 0], [PRODUCT, 16e-4, 0], [0, 0, 17e-4]])


def rates(_, y):
    m, w = y[:3], y[3:]
    m_rate = np.cross(m, w)
    size = np.sqrt(HALF_AXES_SQUARED @ (m * m))
    size_rate = (HALF_AXES_SQUARED * m) @ m_rate / size
    x = HALF_AXES_SQUARED * m / size - [0, 0, ABOVE]
    x_rate = HALF_AXES_SQUARED * m_rate / size - HALF_AXES_SQUARED * m * size_rate / size**2
    known = np.cross(x_rate, w) + np.cross(w, np.cross(x, w)) - GRAVITY * m  # of f; x x w' is not known yet
    matrix = INERTIA - np.array([np.cross(x, np.cross(x, e)) for e in np.eye(3)]).T
    return np.r_[m_rate, np.linalg.solve(matrix, np.cross(x, known) - np.cross(w, INERTIA @ w))]


def reversal(spin):
    """Of a spin about the upward vertical; the third axis points downwards."""
    down = [-np.cos(TILT) * np.sin(TILT), np.sin(TILT), np.cos(TILT) ** 2]
    turns = solve_ivp(rates, (0, 20), [*down, 0, 0, -spin], method="DOP853", rtol=1e-12, atol=1e-13, events=lambda _, y: np.dot(y[:3], y[3:]))
    return turns.t_events[0][0]


if __name__ == "__main__":
    for spin in (5, -5):
        print(f"{spin:3} rad/s turns back at {reversal(spin):.8f} s")
