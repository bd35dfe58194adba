"""The bodies of a vehicle, as the library gives them: omr_study_bodies_json in omniroll/study.h. SI, forward, left, up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import StudyError, UsageError
from ..library import json_of
from ..running.study_input import Loaded

Array = npt.NDArray[np.float64]
NOMINAL = 2 ** 64 - 1  # OMR_NONE


@dataclass(frozen=True)
class Roller:
    """One of the rollers of a wheel, all alike."""

    count: int
    inclination: float
    center_distance: float
    row_distance: float
    end: float  # contact angle where its profile ends
    fillet: float
    undersize: float
    length: float
    largest_radius: float
    mass: float
    axial_inertia: float
    diametral_inertia: float

    @property
    def share(self) -> float:
        """Half the angle of the wheel in which a roller is the lowest."""
        return float(np.pi) / self.count

    def place(self, number: int) -> Array:
        """Its centre, in axes of the wheel: along its way, along its axle to the left, up, at the wheel's angle 0."""
        angle = 2 * np.pi * number / self.count
        row = 0.5 * self.row_distance * (1 if number % 2 == 0 else -1)
        return np.array([self.center_distance * np.sin(angle), -row, -self.center_distance * np.cos(angle)])

    def axis(self, number: int) -> Array:
        angle = 2 * np.pi * number / self.count
        along = np.cos(self.inclination)
        return np.array([along * np.cos(angle), -np.sin(self.inclination), along * np.sin(angle)])


@dataclass(frozen=True)
class Wheel:
    """A wheel; `values` are its parameters by their paths."""

    name: str
    kind: str
    drive: str
    by: str
    place: Array  # of its centre, of a fork's swivel axis
    axis: Array  # about which its positive rates turn
    axis_angle: float
    radius: float
    trail: float
    total_mass: float
    roller: "Roller | None"
    values: "dict[str, float]"  # those that are given
    given: "dict[str, float]"  # contact_stiffness, contact_damping, preload

    @property
    def swivels(self) -> bool:
        return self.kind in ("caster", "swerve")

    @property
    def sense(self) -> float:
        """1 where the wheel's positive rates turn about its axle to the left, else -1."""
        left = np.array([-np.sin(self.axis_angle), np.cos(self.axis_angle), 0.0])
        return 1.0 if float(left @ self.axis) > 0 else -1.0

    @property
    def forward(self) -> float:
        """Its rate for 1 m/s forward of the ideal vehicle, whose rollers do not slip across their axes."""
        steep = np.tan(self.roller.inclination) if self.roller else 0.0
        return float(self.sense * (np.cos(self.axis_angle) + steep * np.sin(self.axis_angle)) / self.radius)

    def value(self, path: str, otherwise: float = 0.0) -> float:
        return self.values.get(path, otherwise)


@dataclass(frozen=True)
class Vehicle:
    """Platform and wheels; `about` is the library's description."""

    about: "dict[str, Any]"
    wheels: "list[Wheel]"

    @property
    def values(self) -> "dict[str, float]":
        return _given(self.about["values"])

    @property
    def compliant(self) -> bool:
        return bool(self.about["contact"]["normal"] == "compliant")

    @property
    def mass(self) -> float:
        return float(self.about["whole"]["mass"])


def _given(values: "dict[str, float | None]") -> "dict[str, float]":
    return {path: value for path, value in values.items() if value is not None}


def _wheel(row: "dict[str, Any]", number: int) -> Wheel:
    values = _given(row["values"])
    roller = Roller(fillet=values["roller.fillet"], undersize=values["roller.undersize"], **row["roller"]) if "roller" in row else None
    known = {name: row[name] for name in ("kind", "drive", "by", "axis_angle", "radius", "trail", "total_mass")}
    return Wheel(name=re.sub(r"[^A-Za-z0-9_.-]", "_", row["name"]) or str(number), place=np.array(row["place"]), axis=np.array(row["axis"]),
                 roller=roller, values=values,
                 given={name: row[name] for name in ("contact_stiffness", "contact_damping", "preload") if name in row}, **known)


def vehicle_of(loaded: Loaded, instance: "int | None") -> Vehicle:
    """The vehicle of an instance, or of the nominal values. Raises UsageError, StudyError."""
    if instance is not None and not 0 <= instance < 2**63:
        raise UsageError(f"there is no instance {instance}: they are numbered from 0")
    about = json_of("omr_study_bodies_json", loaded.handle, NOMINAL if instance is None else instance)
    if about["model"] != "omni_vehicle":
        raise StudyError(f"{loaded.stem}: the discs of a {about['model']} have friction along painted axes, which MuJoCo has not; give the study the "
                         "model omni_vehicle, whose wheels have rollers")
    wheels = [_wheel(row, number) for number, row in enumerate(about["wheels"])]
    if len({wheel.name for wheel in wheels}) < len(wheels):
        raise StudyError(f"{loaded.stem}: two wheels have the same name once other characters than letters, digits, _ . - are _; rename one")
    return Vehicle(about, wheels)
