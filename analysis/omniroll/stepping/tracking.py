"""Vehicles that are to follow a figure each: the task of omniroll.stepping's Gymnasium environments, which needs only numpy."""

from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from ..running.study_input import StudyLike
from .batch import Batch, Floats
from .reference import FIGURES, Reference

WEIGHTS = {"position": 10.0, "heading": 2.0, "effort": 0.02, "change": 0.02, "failure": 10.0}
FASTEST, TURNING, WHEELS = 10.0, 20.0, 500.0  # m/s, rad/s: observations are cut there


class Tracking:
    """`count` vehicles of a study, each of which follows a figure of its own. Each episode is another instance of the study, drawn with
    the figure from the seed.

    >>> task = omniroll.stepping.Tracking("studies/how-to/step_vehicles.json", 256, actions={"command": [0.8, 0.8, 2]})
    >>> seen, info = task.reset(seed=1)
    >>> seen, reward, terminated, truncated, info = task.step(np.zeros((256, 3)))

    study    and count, set, overrides as of omniroll.Batch
    actions  inputs of the batch that an action sets, with the values for 1: {"command": [0.8, 0.8, 2]}, {"torque": 2}
    period   seconds between two actions, a whole number of steps
    figures  some of "circle", "eight", "square" and "smooth"; size in m, speed in m/s, swing of the heading in rad: their ranges
    groups   a reset of all gives the same draws to as many groups of vehicles that follow each other, so that laws can be compared
    weights  those that are not the usual ones, WEIGHTS

    An action has a number from -1 to 1 for each column of the inputs `actions`. An observation, whose columns `task.columns` names, has the
    error of the pose in the vehicle's axes (the reference's less its own), the velocities, the wheels' rates, and the reference's velocities now
    and after each time of `preview`, in the vehicle's axes. SI units; values beyond `task.bounds` are cut.

    The reward of a period is minus its length times weights["position"] e² (e in m), weights["heading"] e² (rad), weights["effort"] mean(a²) and
    weights["change"] mean((a - the last a)²); a vehicle that fails, or is farther than `lost` from its reference, also pays
    weights["failure"], and its episode is terminated. After `seconds` an episode is truncated. A vehicle whose episode has ended begins a new
    one in the next call of step, which ignores its action (Gymnasium's AutoresetMode.NEXT_STEP)."""

    def __init__(self, study: StudyLike, count: int | None = None, *, actions: Mapping[str, ArrayLike], period: float = 0.02,
                 seconds: float = 8.0, preview: Sequence[float] = (0.1, 0.3), figures: Sequence[str] = FIGURES,
                 size: tuple[float, float] = (0.3, 1.0), speed: tuple[float, float] = (0.2, 0.6), swing: float = 0.5, lost: float = 1.0,
                 groups: int = 1, weights: Mapping[str, float] | None = None, set: Mapping[str, Any] | None = None, **overrides: Any) -> None:  # noqa: A002
        """Raises UsageError, and as omniroll.Batch."""
        if wrong := [name for name in weights or {} if name not in WEIGHTS]:
            raise UsageError(f"weights are {', '.join(WEIGHTS)}, not {', '.join(wrong)}")
        self.weights = {**WEIGHTS, **(weights or {})}
        if not (seconds >= period > 0 and lost > 0 and all(ahead >= 0 for ahead in preview)):
            raise UsageError("period and lost are above 0, seconds at least a period, and preview no times in the past")
        self.reference = Reference(1, figures, size, speed, swing)  # refuses before the batch is opened
        self.batch = batch = Batch(study, count, set=set, **overrides)
        self.count, self.period, self.seconds, self.preview, self.lost = batch.count, period, seconds, tuple(preview), lost
        if groups < 1 or batch.count % groups:
            raise UsageError(f"{batch.count} vehicles are no {groups} groups of the same size")
        self.groups = groups
        self.reference = Reference(batch.count, figures, size, speed, swing)
        self.turn = 1.0 if batch.frame == "ros" else -1.0  # which way a positive yaw turns the first axis to the second
        second = "y" if batch.frame == "ros" else "z"
        batch.observe("x", second, "yaw", "vx", f"v{second}", "yaw_rate", "wheel_rate")

        self.inputs, limits = [], []
        for name, limit in actions.items():
            width = len(batch.paths(name))
            self.inputs.append((name, width))
            limits.append(np.broadcast_to(np.asarray(limit, dtype=float), (width,)))
        self.limits: Floats = np.concatenate(limits) if limits else np.empty(0)
        if not self.limits.size or not (np.isfinite(self.limits).all() and (self.limits > 0).all()):
            raise UsageError('actions names inputs, with numbers above 0 that an action of 1 stands for: {"command": [0.8, 0.8, 2]}')

        ahead = [f"reference_{name}" + (f"+{time:g}s" if time else "") for time in (0.0, *preview) for name in ("vx", f"v{second}", "yaw_rate")]
        self.columns = ("error_x", f"error_{second}", "error_yaw", *batch.columns[3:], *ahead)
        self.bounds: Floats = np.array([lost, lost, np.pi, FASTEST, FASTEST, TURNING, *[WHEELS] * batch.wheels,
                                        *[FASTEST, FASTEST, TURNING] * (len(preview) + 1)])
        self.rng = np.random.default_rng()
        self.over: NDArray[np.bool_] = np.ones(self.count, dtype=bool)
        self.last: Floats = np.zeros((self.count, len(self.limits)))
        self._seen: Floats = np.empty((self.count, len(batch.columns)))

    def close(self) -> None:
        """Gives the batch's memory back."""
        self.batch.close()

    def _begin(self, begun: NDArray[np.bool_]) -> None:
        """New episodes of these vehicles."""
        slots, groups = np.flatnonzero(begun), self.groups if begun.all() else 1
        drawn = slots[:len(slots) // groups]
        instances = self.rng.integers(self.batch.study_instances, size=len(drawn))
        self.batch.reset(None if begun.all() else slots, np.tile(instances, groups))
        self.batch.read(self._seen)
        self.reference.draw(self.rng, drawn, np.nan_to_num(self._seen[drawn, :3]))
        if groups > 1:
            self.reference.repeat(groups)
        self.last[slots] = 0
        self.over[slots] = False

    def _into_body(self, vectors: Floats) -> Floats:
        """Vectors of the plane, with a third component that stays, in the axes of the vehicles."""
        yaw = self._seen[:, 2]
        cosine, sine = np.cos(yaw), self.turn * np.sin(yaw)
        return np.stack([cosine * vectors[:, 0] + sine * vectors[:, 1], cosine * vectors[:, 1] - sine * vectors[:, 0], vectors[:, 2]], axis=1)

    def _observation(self) -> tuple[Floats, Floats]:
        """The vehicles' observations, and the errors of their poses."""
        now = self.batch.times()
        pose, rates = self.reference.at(now)
        error = self._into_body(pose - self._seen[:, :3])
        error[:, 2] -= 2 * np.pi * np.round(error[:, 2] / (2 * np.pi))  # from -pi to pi
        parts = [error, self._seen[:, 3:], self._into_body(rates)]
        parts += [self._into_body(self.reference.at(now + ahead)[1]) for ahead in self.preview]
        seen = np.nan_to_num(np.concatenate(parts, axis=1))
        return np.clip(seen, -self.bounds, self.bounds, out=seen), error

    def _info(self, error: Floats) -> dict[str, Any]:
        everyone = np.ones(self.count, dtype=bool)
        return {"position_error": np.hypot(error[:, 0], error[:, 1]), "_position_error": everyone,
                "instance": self.batch.instances(), "_instance": everyone.copy()}

    def reset(self, seed: int | None = None) -> tuple[Floats, dict[str, Any]]:
        """New episodes of all vehicles; with a seed the same ones each time, and the same that follow where actions are the same."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self._begin(np.ones(self.count, dtype=bool))
        seen, error = self._observation()
        return seen, self._info(error)

    def step(self, actions: ArrayLike) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """A period with these actions (count, len(task.limits)): observation, reward, terminated, truncated, info."""
        given, shape = np.asarray(actions, dtype=float), (self.count, len(self.limits))
        if given.shape != shape and not (self.count == 1 and given.shape == shape[1:]):
            raise UsageError(f"actions have the shape {given.shape}, and have to have {shape}: vehicles, and what an action sets")
        asked = np.clip(given.reshape(shape), -1, 1)
        if not np.isfinite(asked).all():
            raise UsageError("an action is no number")
        inputs, at = {}, 0
        for name, width in self.inputs:
            inputs[name] = asked[:, at:at + width] * self.limits[at:at + width]
            at += width
        self.batch.set(inputs)
        self.batch.step(self.period)

        begun = self.over.copy()
        if begun.any():
            self._begin(begun)
        else:
            self.batch.read(self._seen)
        seen, error = self._observation()
        failed = np.isnan(error[:, 0]) | ~(np.hypot(error[:, 0], error[:, 1]) <= self.lost)
        truncated = ~failed & (self.batch.times() > self.seconds - self.period / 2)
        paid = (self.weights["position"] * (error[:, :2] ** 2).sum(axis=1) + self.weights["heading"] * error[:, 2] ** 2
                + self.weights["effort"] * (asked**2).mean(axis=1) + self.weights["change"] * ((asked - self.last) ** 2).mean(axis=1))
        reward = -self.period * np.nan_to_num(paid) - self.weights["failure"] * failed
        reward[begun] = 0
        self.last = asked
        self.last[begun] = 0
        self.over = failed | truncated
        return seen, reward, failed, truncated, self._info(error)
