"""Manoeuvres at given wheel rates, which any simulator of a vehicle can drive, and the ideal kinematics that they are made of.

Axes: x forward, y to the left, z up. A manoeuvre begins and, but for forward, strafe and turn, ends at rest, and no rate jumps. Vehicles
that settle on their contacts have the first tenths of a second for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

Shape = Callable[[float], "npt.NDArray[Any]"]  # (vx, vy, yaw rate) over time
LARGEST = 5.0  # rad/s: the largest wheel rate of a manoeuvre
RAMP = 0.5  # s, in which a velocity is reached
SIDE = 1.5  # s, of a side of the square
CIRCLE = 1.5  # its radius over the reach of the wheels
LONGEST = 12.0  # s: a circle that would take longer is not driven to its end
SAMPLES = 401  # of a manoeuvre, when it is looked through
PASSIVE = ("caster", "tracking")  # kinds of wheels that roll along


@dataclass(frozen=True)
class Manoeuvre:
    """Wheel rates over time. rates(t) has the wheels in the order of the study, in rad/s, with its sign; 0 for passive wheels."""

    name: str
    duration: float
    rates: "Callable[[float], npt.NDArray[Any]]"
    twist: "Callable[[float], npt.NDArray[Any]]"  # (vx, vy, yaw rate) of the ideal vehicle at these rates, in axes of the platform


@dataclass(frozen=True)
class Wheel:
    """A wheel over the floor: its centre, and the direction in which its contact can be driven: along the axis of the roller on the floor,
    of a wheel without rollers along its plane. A wheel rate w drives it at `gain` w along that direction."""

    x: float
    y: float
    along: "tuple[float, float]"
    gain: float
    radius: float
    driven: bool

    def row(self) -> "npt.NDArray[Any]":
        """Wheel rate per (vx, vy, yaw rate) of the platform."""
        a, b = self.along
        return np.array([a, b, self.x * b - self.y * a]) / self.gain


def wheels_of(scene: Mapping[str, Any]) -> list[Wheel]:
    """The wheels of a study from the library's picture (omniroll.show(study).scene). Raises ValueError for wheels that steer."""
    found, idle = [], all(wheel.get("drive", "none") == "none" for wheel in scene["wheels"])
    for number, wheel in enumerate(scene["wheels"]):
        ros = "y" in wheel
        kind = wheel.get("kind", "roller")
        if kind == "swerve":
            raise ValueError(f"wheel {number} is of kind \"swerve\" and steers: wheel rates alone do not say where the vehicle goes")
        delta, psi = wheel["axis_angle"], wheel.get("inclination", 0.0) if kind == "roller" else 0.0
        angle = delta - psi  # cos psi i - sin psi k, of i = (cos delta, sin delta), k to its left
        gain = wheel["radius"] * math.cos(psi) * (1 if ros else -1)  # the frame of omniroll counts rates about an axis to the right
        driven = kind not in PASSIVE and (idle or wheel.get("drive", "none") != "none")
        found.append(Wheel(wheel["x"], wheel["y"] if ros else -wheel["z"], (math.cos(angle), math.sin(angle)), gain, wheel["radius"], driven))
    return found


def rates_of(wheels: Sequence[Wheel]) -> "npt.NDArray[Any]":
    """The matrix that makes wheel rates of (vx, vy, yaw rate); zeros for wheels that are not driven."""
    return np.array([wheel.row() if wheel.driven else np.zeros(3) for wheel in wheels])


def rise(share: float) -> float:
    """0 to 1, with two continuous derivatives."""
    s = min(max(share, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s**2)


def reach(wheels: Sequence[Wheel]) -> float:
    """Mean distance of the driven wheels from the origin: the length that makes an angle of yaw a way."""
    return float(np.mean([math.hypot(wheel.x, wheel.y) for wheel in wheels if wheel.driven]))


def _steady(direction: Sequence[float]) -> Shape:
    """From rest up to a velocity."""
    return lambda t: np.array(direction, dtype=float) * rise(t / RAMP)


def _there(direction: Sequence[float], duration: float) -> Shape:
    """From rest to rest."""
    return lambda t: np.array(direction, dtype=float) * rise(t / RAMP) * rise((duration - t) / RAMP)


def _square(t: float) -> "npt.NDArray[Any]":
    side = min(int(t / SIDE), 3)
    return _there([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)][side], SIDE)(t - SIDE * side)


def _drive(name: str, duration: float, shape: Shape, size: float, matrix: "npt.NDArray[Any]") -> Manoeuvre:
    return Manoeuvre(name, duration, lambda t: size * (matrix @ shape(t)), lambda t: size * shape(t))


def manoeuvres(wheels: Sequence[Wheel], largest: float = LARGEST) -> list[Manoeuvre]:
    """forward, strafe and turn for 2 s; once around a circle, looking where it goes; around a square without turning. The largest wheel rate
    of each is `largest`. A manoeuvre that the driven wheels cannot drive is left out."""
    matrix, size = rates_of(wheels), reach(wheels)
    around = [CIRCLE * size, 0, 1]
    speed = largest / float(np.max(np.abs(matrix @ around)))
    circle = round(min(RAMP + 2 * math.pi / speed, LONGEST), 1)
    shapes: "list[tuple[str, float, Shape]]" = [
        ("forward", 2.0, _steady([1, 0, 0])), ("strafe", 2.0, _steady([0, 1, 0])), ("turn", 2.0, _steady([0, 0, 1])),
        ("circle", circle, _there(around, circle)), ("square", 4 * SIDE, _square)]
    found, back = [], np.linalg.pinv(matrix)
    for name, duration, shape in shapes:
        wanted = np.array([shape(t) for t in np.linspace(0, duration, SAMPLES)])
        rates = wanted @ matrix.T
        if np.max(np.abs(rates @ back.T - wanted)) < 1e-6 * np.max(np.abs(wanted)):
            found.append(_drive(name, duration, shape, largest / float(np.max(np.abs(rates))), matrix))
    return found
