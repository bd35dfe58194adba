"""A wheel with rollers: the shape of the rollers, which one carries the wheel, and where it touches the floor.

The formulas are kernels/geometry.h's (source 1, section 5.2): roller j of n is seen from the wheel centre at the angle
q = wheel angle + 2 pi j/n from straight down, its centre stands at R1 (sin q i - cos q j) and its axis is
cos psi (cos q i + sin q j) + sin psi k. Lengths in m, angles in rad."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .result import Array, Result


@dataclass(frozen=True)
class Wheel:
    """Shape and place of a wheel. Without rollers (disc_vehicle, tyres) `rollers` is 0, and R - R1 the trail of a fork."""

    radius: float  # R
    center_distance: float  # R1, wheel centre to roller centres
    rollers: int  # n
    inclination: float  # psi
    row_distance: float = 0.0  # w, even rollers stand w/2 towards +k; 0: one row
    x: float = 0.0  # centre in body axes, forward
    z: float = 0.0  # to the right
    axis_x: float = 0.0  # direction k of the wheel axis
    axis_z: float = 1.0

    def turned_axis(self, steer: Array | float) -> tuple[Array, Array]:
        """The direction (x, z) of the axle on a fork at this angle."""
        c, s = np.cos(steer), np.sin(steer)
        return np.asarray(self.axis_x * c + self.axis_z * s), np.asarray(self.axis_z * c - self.axis_x * s)

    @property
    def pitch(self) -> float:
        """Angle between two rollers."""
        return 2 * np.pi / self.rollers

    def active_roller(self, angle: Array, rate: Array) -> tuple[Array, Array]:
        """Number of the roller in contact and its angle q from straight down. Exactly between two rollers the sign of the rate decides:
        the one that comes."""
        turns = np.asarray(angle) / self.pitch
        passed = np.where(np.asarray(rate) < 0, np.ceil(turns - 0.5), np.floor(turns + 0.5))
        return np.mod(-passed, self.rollers), np.asarray(angle) - self.pitch * passed

    def row_shift(self, roller: Array) -> Array:
        """How far the row of a roller is displaced along k."""
        return np.asarray(np.where(np.mod(roller, 2) == 0, 0.5, -0.5) * self.row_distance)

    def contact_offset(self, q: Array, roller: Array) -> Array:
        """p: the wheel touches the floor at -R j - p k from its centre."""
        return np.asarray(self.center_distance * np.tan(q) * np.tan(self.inclination) - self.row_shift(roller))

    def profile(self, sections: int = 15) -> tuple[Array, Array]:
        """Axial position from the roller's middle and radius of `sections` circles of a roller, from end to end."""
        u = np.linspace(-np.pi / self.rollers, np.pi / self.rollers, sections)
        cos_psi = np.cos(self.inclination)
        height = self.radius - self.center_distance / np.cos(u)
        axial = self.center_distance * np.tan(u) / cos_psi + height * np.sin(u) * cos_psi
        return axial, np.maximum(height, 0.0) * np.sqrt(1 - (np.sin(u) * cos_psi)**2)

    def slip(self, motion: tuple[Array, Array, Array], rate: Array, q: Array, roller: Array, spin: Array) -> tuple[Array, Array]:
        """Slip velocity along i and k for a motion (vx, vz, yaw rate) of the body and the axial spin of the roller in contact."""
        vx, vz, yaw_rate = motion
        along = vx * self.axis_z - vz * self.axis_x + yaw_rate * (self.x * self.axis_x + self.z * self.axis_z)
        across = vx * self.axis_x + vz * self.axis_z - yaw_rate * (self.x * self.axis_z - self.z * self.axis_x)
        sin_psi, cos_psi = np.sin(self.inclination), np.cos(self.inclination)
        height = self.radius - self.center_distance / np.cos(q)
        turning = spin - yaw_rate * cos_psi * np.sin(q) - rate * sin_psi
        slip_i = along + self.radius * rate - yaw_rate * self.contact_offset(q, roller) + height * sin_psi * turning
        return slip_i, across - height * cos_psi * np.cos(q) * turning


def wheels_of(result: Result, row: int, row_distance: float = 0.0) -> list[Wheel]:
    """The wheels of the traced instance at `row` of the trajectories; [] where the model has none. `row_distance` is of files that do
    not say it."""
    shapes = result.wheels
    if "wheel_radius" not in shapes:
        return []
    count = shapes["wheel_radius"].shape[1]

    def value(name: str, i: int, otherwise: float = 0.0) -> float:
        return float(shapes[name][row, i]) if name in shapes else otherwise

    # Among wheels with rollers a file has 1 for those without.
    has_rollers = ["roller" in result.trajectories and value("rollers", i) > 1 for i in range(count)]
    return [Wheel(value("wheel_radius", i), value("center_distance", i), int(value("rollers", i)) if has_rollers[i] else 0,
                  value("inclination", i), value("row_distance", i, row_distance),
                  value("wheel_x", i), value("wheel_z", i), value("axis_x", i), value("axis_z", i)) for i in range(count)]
