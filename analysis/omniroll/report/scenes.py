"""What the animation shows of an instance, as numbers that a page can hold: samples quantised to integers, shapes as they are.

Samples are 16-bit (poses and wheel angles 32-bit) integers over the range of their channel, base64, [time][wheel]; animation_data.js reads
them. Rates stand beside poses and angles, so that the cubic between two samples is right however coarse they are."""

from __future__ import annotations

import base64
from typing import Any, Dict, Tuple

import numpy as np

from ..geometry import Wheel
from ..reading import Array, Result
from .motion import alive, patches, row_of_instances, wheels

Scene = Dict[str, Any]
PAGE_BYTES = 1_000_000  # of all instances' samples in a page
MOST = {2: 2**15 - 1, 4: 2**31 - 1}
Values = Dict[str, Tuple[Array, int]]  # samples [time] or [time, wheel] and the bytes of their integers
PER_WHEEL = {"angle": ("wheel_angle", 4), "rate": ("wheel_rate", 2), "slip_i": ("slip_i", 2), "slip_k": ("slip_k", 2),
             "force_i": ("force_i", 2), "force_k": ("force_k", 2), "load": ("normal_load", 2), "friction": ("friction", 2)}


def channel(values: Array, size: int = 2) -> dict[str, Any]:
    """Samples [time] or [time, wheel] as integers of `size` bytes over their range; the smallest integer is "no value"."""
    values = np.asarray(values, dtype=float)
    there = values[np.isfinite(values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 0.0)
    most = MOST[size]
    offset, scale = 0.5 * (low + high), 0.5 * (high - low) / most or 1.0
    steps = np.clip(np.rint((np.nan_to_num(values, nan=offset) - offset) / scale), -most, most)
    integers = np.where(np.isfinite(values), steps, -most - 1).astype(f"<i{size}")
    data = base64.b64encode(integers.tobytes()).decode("ascii")
    return {"bytes": size, "wide": 1 if values.ndim == 1 else values.shape[1], "offset": offset, "scale": scale, "data": data}


def scene(result: Result, row: int, share: int = 1) -> Scene | None:
    """The instance at `row` of the trajectories, with at most PAGE_BYTES / share of samples. None where there is no picture of the model,
    or not two samples."""
    from .bodies import disc, snakeboard, uk_wheel, wheelset

    makers = {"omni_vehicle": vehicle, "omni_wheel": vehicle, "disc_vehicle": vehicle, "uk_wheel": uk_wheel, "wheelset": wheelset,
              "snakeboard": snakeboard, "rolling_disc": disc}
    made = makers.get(str(result.attrs.get("model")))
    count = alive(result, row)
    if made is None or count < 2:
        return None
    found = made(result, row, count)
    values: Values = found.pop("values")
    stride = _stride(values, count, share)
    interval = float(result.time[1] - result.time[0])
    kept = np.arange(0, count, stride)
    channels = {name: channel(array[kept], size) for name, (array, size) in values.items()}
    return {"start": float(result.time[0]), "step": interval * stride, "count": len(kept), "stored": interval, "stride": stride,
            "channels": channels, "wheels": [], "platform": [], **found}


def _stride(values: Values, count: int, share: int) -> int:
    """One of how many samples is kept so that they fit, if possible the last one too; base64 has 4 characters for 3 bytes."""
    sample = sum(size * (1 if array.ndim == 1 else array.shape[1]) for array, size in values.values()) * 4 / 3
    least = max(1, int(np.ceil(count * sample * share / PAGE_BYTES)))
    whole = (stride for stride in range(least, least + least // 2 + 1) if (count - 1) % stride == 0)
    return next(whole, least)


def samples_of(result: Result, row: int, count: int) -> dict[str, Array]:
    """The samples of an instance before its end."""
    return {name: values[row, :count] for name, values in result.trajectories.items()}


def pose(samples: dict[str, Array]) -> Values:
    """Pose with its rates in world axes, from velocities in body axes."""
    c, s = np.cos(samples["yaw"]), np.sin(samples["yaw"])
    return {**{name: (samples[name], 4) for name in ("x", "z", "yaw")}, "dx": (samples["vx"] * c + samples["vz"] * s, 2),
            "dz": (samples["vz"] * c - samples["vx"] * s, 2), "dyaw": (samples["yaw_rate"], 2)}


def said(name: str, label: str, unit: str, digits: int, factor: float = 1.0) -> dict[str, Any]:
    """A number beside the views."""
    return {"channel": name, "label": label, "unit": unit, "digits": digits, "factor": factor}


def extent(samples: dict[str, Array]) -> list[list[float]]:
    """Smallest and largest x and z of the path."""
    x, z = samples["x"], samples["z"]
    return [[float(x.min()), float(z.min())], [float(x.max()), float(z.max())]]


def is_short(ends: list[list[float]], size: float) -> bool:
    """Whether the whole path is so short that it is shown at once."""
    return max(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) < 2.5 * size


# --- vehicles and the test bench --------------------------------------------------------------------------------------------


def along(wheel: Wheel, vx: Array, vz: Array, yaw_rate: Array) -> Array:
    """Velocity of the wheel's centre along i, m/s."""
    return np.asarray(vx * wheel.axis_z - vz * wheel.axis_x + yaw_rate * (wheel.x * wheel.axis_x + wheel.z * wheel.axis_z))


def travelled(time: Array, speed: Array) -> Array:
    """Way of speeds [time, wheel], by the trapezium rule with its correction from the slopes at both ends, m."""
    slope = np.gradient(speed, time, axis=0)
    h = np.diff(time)[:, None]
    steps = 0.5 * h * (speed[1:] + speed[:-1]) - h * h / 12 * np.diff(slope, axis=0)
    return np.concatenate([np.zeros((1, speed.shape[1])), np.cumsum(steps, axis=0)])


def shape(wheel: Wheel) -> dict[str, Any]:
    """What the views need of a wheel; half_width is of its hub along the axis, reach that of its rollers, footprint half the
    height of the view of its contact."""
    radius = wheel.radius
    found = {"x": wheel.x, "z": wheel.z, "axis_x": wheel.axis_x, "axis_z": wheel.axis_z, "radius": radius, "rollers": wheel.rollers,
             "center": wheel.center_distance, "inclination": wheel.inclination, "row": wheel.row_distance}
    if not wheel.rollers:
        return {**found, "center": 0.0, "profile": [], "hub": 0.12 * radius, "half_width": 0.2 * radius, "reach": 0.25 * radius,
                "footprint": 0.6 * radius}
    axial, size = wheel.profile()
    sections = [[round(float(value), 7) for value in section] for section in zip(axial, size, np.gradient(size, axial))]
    thick, across = float(size.max()), float(axial[-1]) * abs(np.sin(wheel.inclination))
    half_row = 0.5 * wheel.row_distance
    return {**found, "profile": sections, "hub": max(wheel.center_distance - 1.1 * thick, 0.2 * radius),
            "half_width": half_row + max(0.5 * thick, 0.8 * across), "reach": half_row + max(thick, across + 0.4 * thick),
            "footprint": max(0.45 * radius, half_row + max(1.6 * thick, 1.5 * across))}


def _platform(found: list[Wheel]) -> list[list[float]]:
    """Platform, which no study describes: the polygon through the wheel centres in their order around, somewhat smaller."""
    around = sorted(found, key=lambda wheel: float(np.arctan2(wheel.z, wheel.x)))
    return [[0.82 * wheel.x, 0.82 * wheel.z] for wheel in around] if len(found) > 2 else []


def vehicle(result: Result, row: int, count: int) -> Scene:
    """Vehicle or test bench: pose, and everything of each wheel."""
    found = wheels(result, row)
    samples = samples_of(result, row, count)
    speed = np.stack([along(wheel, samples["vx"], samples["vz"], samples["yaw_rate"]) for wheel in found], axis=1)
    values = pose(samples)
    values.update({name: (samples[source], size) for name, (source, size) in PER_WHEEL.items()})
    values.update(travel=(travelled(result.time[:count], speed), 4), along=(speed, 2))
    size = max(float(np.hypot(wheel.x, wheel.z)) + wheel.radius for wheel in found)
    ends = extent(samples)
    return {"values": values, "wheels": [shape(wheel) for wheel in found], "platform": _platform(found), "size": size, "extent": ends,
            "whole": is_short(ends, size), "above": len(found) > 1, "patches": patches(result, row_of_instances(result, row))}
