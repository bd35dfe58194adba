"""Parts of the pictures of all models: samples before the end, pose, shape of a wheel, extent of the path."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from ..reading.result import Array, Result
from ..reading.roller_geometry import Wheel

Scene = Dict[str, Any]
Values = Dict[str, Tuple[Array, int]]  # samples [time] or [time, wheel] and the bytes of their integers


def samples_of(result: Result, row: int, count: int) -> dict[str, Array]:
    """The samples of an instance before its end."""
    return {name: values[row, :count] for name, values in result.trajectories.items()}


def pose(samples: dict[str, Array]) -> Values:
    """Pose with its rates in world axes, from velocities in body axes."""
    c, s = np.cos(samples["yaw"]), np.sin(samples["yaw"])
    return {**{name: (samples[name], 4) for name in ("x", "z", "yaw")}, "dx": (samples["vx"] * c + samples["vz"] * s, 2),
            "dz": (samples["vz"] * c - samples["vx"] * s, 2), "dyaw": (samples["yaw_rate"], 2)}


def said(name: str, label: str, unit: str, digits: int, factor: float = 1.0) -> dict[str, Any]:
    """A number next to the views."""
    return {"channel": name, "label": label, "unit": unit, "digits": digits, "factor": factor}


def extent(samples: dict[str, Array]) -> list[list[float]]:
    """Smallest and largest x and z of the path."""
    x, z = samples["x"], samples["z"]
    return [[float(x.min()), float(z.min())], [float(x.max()), float(z.max())]]


def is_short(ends: list[list[float]], size: float) -> bool:
    """Whether the whole path is so short that it is shown at once."""
    return max(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) < 2.5 * size


def shape(wheel: Wheel) -> dict[str, Any]:
    """Shape of a wheel for the views; half_width is of its hub along the axis, reach is of its rollers, footprint half the height of the
    view of its contact."""
    radius = wheel.radius
    found = {"x": wheel.x, "z": wheel.z, "axis_x": wheel.axis_x, "axis_z": wheel.axis_z, "radius": radius, "rollers": wheel.rollers,
             "center": wheel.center_distance, "inclination": wheel.inclination, "row": wheel.row_distance}
    if not wheel.rollers:
        return {**found, "center": 0.0, "trail": radius - wheel.center_distance, "profile": [], "hub": 0.12 * radius, "half_width": 0.2 * radius, "reach": 0.25 * radius,
                "footprint": 0.6 * radius}
    axial, size = wheel.profile()
    sections = [[round(float(value), 7) for value in section] for section in zip(axial, size, np.gradient(size, axial))]
    thick, across = float(size.max()), float(axial[-1]) * abs(np.sin(wheel.inclination))
    half_row = 0.5 * wheel.row_distance
    return {**found, "profile": sections, "hub": max(wheel.center_distance - 1.1 * thick, 0.2 * radius),
            "half_width": half_row + max(0.5 * thick, 0.8 * across), "reach": half_row + max(thick, across + 0.4 * thick),
            "footprint": max(0.45 * radius, half_row + max(1.6 * thick, 1.5 * across))}
