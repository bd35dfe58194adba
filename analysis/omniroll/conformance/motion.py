"""A simulator's motion in a manoeuvre, and the measurements on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from .manoeuvres import RAMP, Manoeuvre

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True)
class Motion:
    """x forward, y to the left, z up, m and rad; samples are evenly spaced, from 0 to the manoeuvre's end. `z` is the height of the platform's
    origin over its start, `heights` belong to the wheels' centres, [samples, wheels], where known. `energy` is the work of the drives.
    `seconds` are for a core that integrated `steps` steps."""

    t: "npt.NDArray[Any]"
    x: "npt.NDArray[Any]"
    y: "npt.NDArray[Any]"
    yaw: "npt.NDArray[Any]"
    z: "npt.NDArray[Any]"
    energy: float
    steps: int
    seconds: float
    heights: "npt.NDArray[Any] | None" = field(default=None)


Simulate = Callable[[Manoeuvre], Motion]


@dataclass(frozen=True)
class Measures:
    """Numbers of one manoeuvre of one simulator: m, rad, J, m/s^2, and shares of 1."""

    way: float  # how far the platform is from its start
    yaw: float
    slip: float  # by how much it went less far than ideal kinematics say
    ripple: float  # of a wheel's centre: its lowest to its highest place after the ramp, over the wheel's radius
    vibration: float  # rms of the vertical acceleration after the ramp
    energy: float
    speed: float  # steps a second


@dataclass(frozen=True)
class Difference:
    """From the first simulator, over the way of the wheels (trail): of the place, of the yaw, and of the energy over its own size."""

    place: float
    yaw: float
    energy: float


def ideal(manoeuvre: Manoeuvre, steps: int = 2000) -> "npt.NDArray[Any]":
    """(x, y, yaw) at the end of a vehicle that follows ideal kinematics: midpoint rule."""
    pose, step = np.zeros(3), manoeuvre.duration / steps
    for k in range(steps):
        vx, vy, turn = manoeuvre.twist((k + 0.5) * step)
        middle = pose[2] + turn * step / 2
        pose += step * np.array([math.cos(middle) * vx - math.sin(middle) * vy, math.sin(middle) * vx + math.cos(middle) * vy, turn])
    return pose


def trail(manoeuvre: Manoeuvre, size: float, steps: int = 2000) -> float:
    """The way of a wheel at the mean distance `size`, were its place in the platform and the yaw at right angles: it never vanishes."""
    step = manoeuvre.duration / steps
    twists = np.array([manoeuvre.twist((k + 0.5) * step) for k in range(steps)])
    return float(np.sum(np.sqrt(twists[:, 0]**2 + twists[:, 1]**2 + (size * twists[:, 2])**2)) * step)


def measure(manoeuvre: Manoeuvre, motion: Motion, radius: float, size: float) -> Measures:
    """`radius` of the wheels, and `size`, their mean distance from the origin."""
    late = motion.t >= RAMP
    heights = motion.z[:, None] if motion.heights is None else motion.heights
    ripple = float(np.max(np.ptp(heights[late], axis=0))) / radius
    step = motion.t[1] - motion.t[0]
    shaking = np.diff(motion.z, 2)[late[1:-1]] / step**2
    slip = 1 - travelled(motion, size) / trail(manoeuvre, size)
    return Measures(float(math.hypot(motion.x[-1] - motion.x[0], motion.y[-1] - motion.y[0])), float(motion.yaw[-1] - motion.yaw[0]),
                    slip, ripple, float(np.sqrt(np.mean(shaking**2))), motion.energy, motion.steps / motion.seconds)


def travelled(motion: Motion, size: float) -> float:
    """The length of the motion's way, counted as of trail."""
    return float(np.sum(np.sqrt(np.diff(motion.x)**2 + np.diff(motion.y)**2 + (size * np.diff(motion.yaw))**2)))


def differ(manoeuvre: Manoeuvre, motion: Motion, first: Motion, size: float) -> Difference:
    """How far a motion's end is from the first simulator's."""
    way = trail(manoeuvre, size)
    place = math.hypot(motion.x[-1] - first.x[-1], motion.y[-1] - first.y[-1])
    energy = motion.energy / first.energy - 1 if first.energy else math.nan
    return Difference(place / way, size * abs(float(motion.yaw[-1] - first.yaw[-1])) / way, energy)
