"""How measured runs depart from a model of the robot, and the bands of runs that are predicted: parameters with a distribution.

A parameter of a run is that of the robot, and its wheels' radii depart from it besides: by the manoeuvre (circle, square, mixed; forward or
sideways), which the model misses, and by the recording. Both are normal, with deviations that the fitted runs tell. Within a run the yaw walks
by what the robot turns, and a pose has noise at its start and at its end. A recording or a manoeuvre that was fitted is known by what it was; one that
was not departs by the whole deviation.

All is linear about one point of the parameters, by the model's own slopes: the end of a run is off by
    slope (common + of the manoeuvre + of the recording) + walk + noise.
"""
from typing import Any

import numpy as np
from scipy.optimize import minimize

KICKS = 6  # of a walk of the yaw, spread evenly over what a run turns
Run = dict[str, Any]  # off [3], slope [3][parameter], place [2], kicks [KICKS][2], turned, manoeuvre, recording; extra [3]: a deviation of its own
START = np.log([0.006, 0.008, 0.006, 5e-5, 5e-5])  # noise m and rad, walk rad/sqrt(rad), radii m: manoeuvre, recording
LOOSE = np.array([1.0, 1.0, 1.5, 2.0, 2.0])  # how little is known of their logarithms


def shape_of(rows: np.ndarray) -> Run:
    """What noise and walk do to the end of a run, by its measured path: rows t, x, y, yaw, ..."""
    c, s = np.cos(rows[0, 3]), np.sin(rows[0, 3])
    way = rows[:, 1:3] - rows[0, 1:3]
    seen = np.column_stack([c * way[:, 0] + s * way[:, 1], c * way[:, 1] - s * way[:, 0]])
    turned = np.concatenate([[0], np.cumsum(np.abs(np.diff(rows[:, 3])))])
    at = np.searchsorted(turned, turned[-1] * (np.arange(KICKS) + 0.5) / KICKS)
    return {"place": seen[-1].tolist(), "kicks": (seen[-1] - seen[at]).tolist(), "turned": float(turned[-1])}


def _turn(arms: np.ndarray) -> np.ndarray:
    """Change [3][arm] of an end by a small yaw at places from which it is seen at `arms`."""
    return np.stack([-arms[:, 1], arms[:, 0], np.ones(len(arms))])


def own_covariance(run: Run, h: np.ndarray) -> np.ndarray:
    """Of the end of a run alone: noise of both poses, and the walk."""
    noise = np.exp(2 * h[[0, 0, 1]])
    start = np.column_stack([np.eye(3)[:, :2], _turn(np.array([run["place"]]))])
    kicks = _turn(np.array(run["kicks"])) * np.sqrt(run["turned"] / KICKS)
    out = np.diag(noise) + (start * noise) @ start.T + np.exp(2 * h[2]) * kicks @ kicks.T
    extra = np.array(run.get("extra", [0.0] * 3))
    return np.asarray(out + np.outer(extra, extra))


def _same(runs: list[Run], others: list[Run], key: str) -> np.ndarray:
    return np.array([[a[key] is not None and a[key] == b[key] for b in others] for a in runs])


def between(runs: list[Run], others: list[Run], prior: np.ndarray, radii: list[int], h: np.ndarray) -> np.ndarray:
    """Covariance [3 run][3 other] by the parameters that runs have in common."""
    slope, other = (np.array([run["slope"] for run in some]) for some in (runs, others))
    out = np.einsum("aip,p,bjp->aibj", slope, prior**2, other)
    wheels = np.einsum("aip,bjp->aibj", slope[:, :, radii], other[:, :, radii])
    for key, log in (("manoeuvre", h[3]), ("recording", h[4])):
        out += np.exp(2 * log) * _same(runs, others, key)[:, None, :, None] * wheels
    return np.asarray(out.reshape(3 * len(runs), 3 * len(others)))


def covariance(runs: list[Run], prior: np.ndarray, radii: list[int], h: np.ndarray) -> np.ndarray:
    out = between(runs, runs, prior, radii, h)
    for k, run in enumerate(runs):
        out[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] += own_covariance(run, h)
    return out


def offs(runs: list[Run]) -> np.ndarray:
    return np.concatenate([run["off"] for run in runs])


def deviations(runs: list[Run], prior: np.ndarray, radii: list[int]) -> np.ndarray:
    """The logarithms h of noise, walk and departures that make the ends of the fitted runs most likely."""
    off = offs(runs)

    def cost(h: np.ndarray) -> float:
        low = np.linalg.cholesky(covariance(runs, prior, radii, h))
        left = np.linalg.solve(low, off)
        return float(left @ left / 2 + np.log(np.diag(low)).sum() + (((h - START) / LOOSE) ** 2).sum() / 2)

    bounds = list(zip(START - 4, START + 4))
    tries = [minimize(cost, START + shift, method="L-BFGS-B", bounds=bounds) for shift in (0, [0, 0, 0, -2, -2], [0.5, 0, -1, 1, -1])]
    return np.asarray(min(tries, key=lambda one: float(one.fun)).x)


class Fit:
    """What fitted runs tell: of the parameters in common, and of other runs."""

    def __init__(self, runs: list[Run], prior: np.ndarray, radii: list[int], h: np.ndarray):
        self.runs, self.prior, self.radii, self.h = runs, prior, radii, h
        self.low = np.linalg.cholesky(covariance(runs, prior, radii, h))
        self.weights = self._solve(offs(runs))

    def _solve(self, right: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.solve(self.low.T, np.linalg.solve(self.low, right)))

    def _parts(self, run: Run | None) -> np.ndarray:
        """Covariance [parameter][3 fitted] of a run's parameters, of the common ones for None, with the ends of the fitted runs."""
        count = len(self.prior)
        like = {"slope": np.eye(count), "manoeuvre": None, "recording": None} | ({} if run is None else {"manoeuvre": run["manoeuvre"], "recording": run["recording"]})
        slope = np.array([one["slope"] for one in self.runs])
        out = np.einsum("p,bjp->pbj", self.prior**2, slope)
        for key, log in (("manoeuvre", self.h[3]), ("recording", self.h[4])):
            same = _same([like], self.runs, key)[0]
            out[self.radii] += np.exp(2 * log) * same[None, :, None] * np.moveaxis(slope[:, :, self.radii], 2, 0)
        return np.asarray(out.reshape(count, -1))

    def change(self, run: Run | None = None) -> np.ndarray:
        """The mean of a run's parameters less the point of the slopes; None: those in common."""
        return self._parts(run) @ self.weights

    def spread(self, run: Run | None = None) -> np.ndarray:
        """Their covariance; None: of those in common."""
        parts = self._parts(run)
        before = np.diag(self.prior**2)
        if run is not None:
            before[self.radii, self.radii] += np.exp(2 * self.h[3]) + np.exp(2 * self.h[4])
        return np.asarray(before - parts @ self._solve(parts.T))

    def end_deviation(self, run: Run) -> np.ndarray:
        """Deviations of x, y and yaw at the end of a run that is predicted."""
        slope = np.array(run["slope"])
        return np.sqrt(np.diag(slope @ self.spread(run) @ slope.T + own_covariance(run, self.h)))
