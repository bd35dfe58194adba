"""Scenes of the animation for vehicles and for the test bench: omni_vehicle, omni_wheel, disc_vehicle."""

from __future__ import annotations

import numpy as np

from ..reading.result import Array, Result
from ..reading.roller_geometry import Wheel
from .motion import patches, row_of_instances, wheels
from .shapes import Scene, extent, is_short, pose, samples_of, shape

PER_WHEEL = {"angle": ("wheel_angle", 4), "rate": ("wheel_rate", 2), "slip_i": ("slip_i", 2), "slip_k": ("slip_k", 2),
             "force_i": ("force_i", 2), "force_k": ("force_k", 2), "load": ("normal_load", 2), "friction": ("friction", 2)}


def along(wheel: Wheel, vx: Array, vz: Array, yaw_rate: Array, steer: Array | float = 0.0) -> Array:
    """Velocity of the wheel's centre along i, m/s; steer: angle of its fork."""
    axis_x, axis_z = wheel.turned_axis(steer)
    return np.asarray(vx * axis_z - vz * axis_x + yaw_rate * (wheel.x * axis_x + wheel.z * axis_z))


def travelled(time: Array, speed: Array) -> Array:
    """Way of speeds [time, wheel], by the trapezium rule with its correction from the slopes at both ends, m."""
    slope = np.gradient(speed, time, axis=0)
    h = np.diff(time)[:, None]
    steps = 0.5 * h * (speed[1:] + speed[:-1]) - h * h / 12 * np.diff(slope, axis=0)
    return np.concatenate([np.zeros((1, speed.shape[1])), np.cumsum(steps, axis=0)])


def _platform(found: list[Wheel]) -> list[list[float]]:
    """Platform, which no study describes: the polygon through the wheel centres in their order around, somewhat smaller."""
    around = sorted(found, key=lambda wheel: float(np.arctan2(wheel.z, wheel.x)))
    return [[0.82 * wheel.x, 0.82 * wheel.z] for wheel in around] if len(found) > 2 else []


def vehicle(result: Result, row: int, count: int) -> Scene:
    """Vehicle or test bench: pose, and everything of each wheel."""
    found = wheels(result, row)
    samples = samples_of(result, row, count)
    steer = np.nan_to_num(samples["steer_angle"]) if "steer_angle" in samples else np.zeros_like(samples["wheel_angle"])
    speed = np.stack([along(wheel, samples["vx"], samples["vz"], samples["yaw_rate"], steer[:, i]) for i, wheel in enumerate(found)], axis=1)
    values = pose(samples)
    if "steer_angle" in samples:
        values.update(steer=(steer, 4))
    values.update({name: (samples[source], size) for name, (source, size) in PER_WHEEL.items()})
    values.update(travel=(travelled(result.time[:count], speed), 4), along=(speed, 2))
    size = max(float(np.hypot(wheel.x, wheel.z)) + wheel.radius for wheel in found)
    ends = extent(samples)
    return {"values": values, "wheels": [shape(wheel) for wheel in found], "platform": _platform(found), "size": size, "extent": ends,
            "whole": is_short(ends, size), "above": len(found) > 1, "patches": patches(result, row_of_instances(result, row))}
