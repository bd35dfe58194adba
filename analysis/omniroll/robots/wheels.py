"""A vehicle, its wheels and feet, as they are found in a robot."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from .robot import Array, Joint, Lump, Robot


@dataclass
class Rollers:
    """Of one wheel, from links of their own."""

    count: int
    inclination: float  # psi, as the study has it
    center_distance: float
    row_distance: float
    radius: float | None  # the largest, None where no shape says it
    mass: float
    axial_inertia: float
    diametral_inertia: float
    damping: float  # of the bearings
    friction: float
    spread: float  # largest difference of a roller's inclination from the mean


@dataclass
class Swivel:
    """The upright joint above a wheel, and the fork that it turns."""

    joint: Joint
    center: Array  # of its axis, at the height of the wheel's centre
    trail: float  # of the wheel behind it
    angle: float  # of the wheel as the file has it: 0 is a caster behind a vehicle that goes forward
    fork: Lump
    inertia: float  # of the fork, about the swivel axis
    aside: float = 0.0  # how far the axis is from the wheel's middle plane


@dataclass
class Wheel:
    """A wheel, or a foot, which touches the floor below `center` and has no body of its own."""

    joint: Joint
    center: Array  # in the frame of the base
    axis: Array  # unit, horizontal
    radius: float | None
    width: float | None
    body: Lump  # without rollers, in the axes of the base
    rollers: Rollers | None
    source: str = ""  # where the radius is from
    notes: "list[str]" = field(default_factory=list)
    swivel: Swivel | None = None
    foot: str = ""  # its shape: a sphere, a box
    friction: float | None = None  # of a foot
    kind: str = "roller"  # as the study has it
    driven: bool = True
    why: str = ""  # it is of this kind

    @property
    def axis_angle(self) -> float:
        """The study's: the axis is (-sin, cos, 0)."""
        return math.atan2(-self.axis[0], self.axis[1])

    @property
    def axial_inertia(self) -> float:
        return float(self.axis @ self.body.inertia @ self.axis)

    @property
    def diametral_inertia(self) -> float:
        return float(np.trace(self.body.inertia) - self.axial_inertia) / 2

    @property
    def mass(self) -> float:
        return self.body.mass + (self.rollers.count * self.rollers.mass if self.rollers else 0.0) + (self.swivel.fork.mass if self.swivel else 0.0)


@dataclass
class Vehicle:
    robot: Robot
    base: str
    wheels: "list[Wheel]"
    platform: Lump
    platform_links: "list[str]"
    floor: float  # height of the floor in the frame of the base
    others: "list[str]"  # round parts that are no wheel of ours, each with the reason
    held: "list[str]"  # joints that are taken as fixed
    missing: "list[str]" = field(default_factory=list)  # properties of the file that no parameter takes
