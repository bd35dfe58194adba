"""What the animation shows of an instance, as numbers that a page can hold: samples quantised to integers, shapes as they are.

Samples are 16-bit (poses and wheel angles 32-bit) integers over the range of their channel, base64, [time][wheel]; animation_data.js reads
them. Rates stand beside poses and angles, so that the cubic between two samples is right however coarse they are."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from ..geometry import Wheel
from ..quantities import parameter
from ..reading import Array, Result
from .motion import alive, wheels

Scene = dict[str, Any]
PAGE_BYTES = 1_100_000  # of all instances' samples in a page
INTEGERS = {2: np.dtype("<i2"), 4: np.dtype("<i4")}
COMMON = {"x": ("x", 4), "z": ("z", 4), "yaw": ("yaw", 4)}
PER_WHEEL = {"angle": ("wheel_angle", 4), "rate": ("wheel_rate", 2), "slip_i": ("slip_i", 2), "slip_k": ("slip_k", 2),
             "force_i": ("force_i", 2), "force_k": ("force_k", 2), "load": ("normal_load", 2), "friction": ("friction", 2)}


def channel(values: Array, size: int = 2) -> dict[str, Any]:
    """Samples [time] or [time, wheel] as integers of `size` bytes over their range; the smallest integer is "no value"."""
    kind = INTEGERS[size]
    values = np.asarray(values, dtype=float)
    there = values[np.isfinite(values)]
    low, high = (float(there.min()), float(there.max())) if len(there) else (0.0, 0.0)
    most = np.iinfo(kind).max
    offset, scale = 0.5 * (low + high), 0.5 * (high - low) / most or 1.0
    steps = np.rint((np.nan_to_num(values, nan=offset) - offset) / scale)
    integers = np.where(np.isfinite(values), np.clip(steps, -most, most), np.iinfo(kind).min).astype(kind)
    data = base64.b64encode(integers.tobytes()).decode("ascii")
    return {"bytes": size, "wide": 1 if values.ndim == 1 else values.shape[1], "offset": offset, "scale": scale, "data": data}


def scene(result: Result, row: int, share: int = 1) -> Scene | None:
    """The instance at `row` of the trajectories, with at most PAGE_BYTES / share of samples; None where there is no picture of the model."""
    made = _MODELS.get(str(result.attrs.get("model")))
    count = alive(result, row)
    if made is None or count < 2:
        return None
    found = made(result, row, count)
    values: dict[str, tuple[Array, int]] = found.pop("values")
    per_sample = sum(size * (1 if array.ndim == 1 else array.shape[1]) for array, size in values.values()) * 4 / 3
    stride = max(1, int(np.ceil(count * per_sample * share / PAGE_BYTES)))
    interval = float(result.time[1] - result.time[0])
    kept = np.arange(0, count, stride)
    return {"start": float(result.time[0]), "step": interval * stride, "count": len(kept), "stored": interval, "stride": stride,
            "channels": {name: channel(array[kept], size) for name, (array, size) in values.items()}, "wheels": [], **found}


def _pose(result: Result, row: int, count: int) -> dict[str, tuple[Array, int]]:
    """Pose with its rates in world axes."""
    samples = {name: result.trajectories[name][row, :count] for name in ("x", "z", "yaw", "vx", "vz", "yaw_rate")}
    c, s = np.cos(samples["yaw"]), np.sin(samples["yaw"])
    return {**{name: (samples[name], 4) for name in ("x", "z", "yaw")}, "dx": (samples["vx"] * c + samples["vz"] * s, 2),
            "dz": (samples["vz"] * c - samples["vx"] * s, 2), "dyaw": (samples["yaw_rate"], 2)}


def along(wheel: Wheel, vx: Array, vz: Array, yaw_rate: Array) -> Array:
    """Velocity of the wheel's centre along i, m/s."""
    return np.asarray(vx * wheel.axis_z - vz * wheel.axis_x + yaw_rate * (wheel.x * wheel.axis_x + wheel.z * wheel.axis_z))


def travelled(time: Array, speed: Array) -> Array:
    """Way of a speed, by the trapezium rule with its correction from the slopes at both ends, m."""
    slope = np.gradient(speed, time, axis=0)
    h = np.diff(time)[:, None]
    steps = 0.5 * h * (speed[1:] + speed[:-1]) - h * h / 12 * np.diff(slope, axis=0)
    return np.concatenate([np.zeros((1, speed.shape[1])), np.cumsum(steps, axis=0)])


def _extent(x: Array, z: Array) -> list[list[float]]:
    return [[float(x.min()), float(z.min())], [float(x.max()), float(z.max())]]


def _wide(extent: list[list[float]], size: float) -> bool:
    """Whether the whole path is so short that it is shown at once."""
    return max(extent[1][0] - extent[0][0], extent[1][1] - extent[0][1]) < 2.5 * size


def _shape(wheel: Wheel) -> dict[str, Any]:
    """What the views need of a wheel; half_width is of its hub along the axis, footprint half the height of the view of its contact."""
    if not wheel.rollers:
        return {**_placed(wheel), "rollers": 0, "center": 0.0, "inclination": wheel.inclination, "row": 0.0, "profile": [], "hub": 0.12 * wheel.radius,
                "half_width": 0.2 * wheel.radius, "footprint": 0.6 * wheel.radius}
    axial, size = wheel.profile()
    slope = np.gradient(size, axial)
    middle = float(size.max())
    across = float(axial[-1]) * abs(np.sin(wheel.inclination))
    return {**_placed(wheel), "rollers": wheel.rollers, "center": wheel.center_distance, "inclination": wheel.inclination, "row": wheel.row_distance,
            "profile": [[round(float(v), 7) for v in section] for section in zip(axial, size, slope)], "hub": max(wheel.center_distance - 1.1 * middle, 0.2 * wheel.radius),
            "half_width": 0.5 * wheel.row_distance + max(0.5 * middle, 0.8 * across),
            "footprint": max(0.45 * wheel.radius, 0.5 * wheel.row_distance + max(1.6 * middle, 1.5 * across))}


def _placed(wheel: Wheel) -> dict[str, float]:
    return {"x": wheel.x, "z": wheel.z, "axis_x": wheel.axis_x, "axis_z": wheel.axis_z, "radius": wheel.radius}


def _outline(found: list[Wheel]) -> list[list[float]]:
    """Platform, which no study describes: the polygon through the wheel centres in their order around, somewhat smaller."""
    around = sorted(found, key=lambda wheel: np.arctan2(wheel.z, wheel.x))
    return [[0.82 * wheel.x, 0.82 * wheel.z] for wheel in around]


def _vehicle(result: Result, row: int, count: int) -> Scene:
    found = wheels(result, row)
    samples = {name: result.trajectories[name][row, :count] for name in ("x", "z", "vx", "vz", "yaw_rate")}
    time = result.time[:count]
    speed = np.stack([along(wheel, samples["vx"], samples["vz"], samples["yaw_rate"]) for wheel in found], axis=1)
    values = _pose(result, row, count)
    values.update({name: (result.trajectories[source][row, :count], size) for name, (source, size) in PER_WHEEL.items()})
    values.update(travel=(travelled(time, speed), 4), along=(speed, 2))
    size = max(float(np.hypot(wheel.x, wheel.z)) + wheel.radius for wheel in found)
    extent = _extent(samples["x"], samples["z"])
    return {"values": values, "wheels": [_shape(wheel) for wheel in found], "platform": _outline(found) if len(found) > 2 else [], "size": size,
            "extent": extent, "whole": _wide(extent, size), "above": len(found) > 1}


def _uk_wheel(result: Result, row: int, count: int) -> Scene:
    """A wheel alone that rolls forward with a positive rate: i points forward, so its angle and slip turn their signs."""
    samples = {name: values[row, :count] for name, values in result.trajectories.items()}
    radius = parameter(result, "radius", result.row_of(int(result.traced[row])), 0.3) or 0.3
    nothing, one = np.zeros(count), lambda name, sign=1.0: sign * samples[name][:, None]
    values = {"x": (samples["x"], 4), "z": (nothing, 4), "dx": (samples["velocity"], 2), "dz": (nothing, 2), "angle": (one("wheel_angle", -1.0), 4),
              "rate": (one("wheel_rate", -1.0), 2), "slip_i": (one("slip", -1.0), 2), "slip_k": (nothing[:, None], 2), "force_i": (one("contact_force"), 2),
              "force_k": (nothing[:, None], 2), "load": (one("normal_load"), 2), "friction": (one("friction"), 2), "travel": (one("x"), 4),
              "along": (one("velocity"), 2), "slip": (samples["slip"], 2), "weight": (samples["weight"], 2), "velocity": (samples["velocity"], 2)}
    return {"values": values, "wheels": [{**_shape(Wheel(radius, 0.0, 0, 0.0)), "inclination": None}], "above": False, "platform": [], "size": radius,
            "extent": [[0, 0], [0, 0]], "whole": False, "forward": "forward",
            "readout": [_said("x", "x", "m", 2), _said("velocity", "velocity", "m/s", 3), _said("weight", "weight w", "", 3)]}


def _said(name: str, label: str, unit: str, digits: int, factor: float = 1.0) -> dict[str, Any]:
    """A number beside the views."""
    return {"channel": name, "label": label, "unit": unit, "digits": digits, "factor": factor}


def _box(half_length: float, half_width: float) -> list[list[float]]:
    return [[half_length, half_width], [half_length, -half_width], [-half_length, -half_width], [-half_length, half_width]]


def _part(outline: list[list[float]], at: tuple[float, float] = (0.0, 0.0), turn: tuple[str, ...] = (), fill: str = "empty") -> dict[str, Any]:
    return {"outline": outline, "at": list(at), "turn": list(turn), "fill": fill}


def _arrow(name: str, at: tuple[float, float], along_body: tuple[float, float], turn: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"channel": name, "at": list(at), "along": list(along_body), "turn": list(turn)}


def _bodies(result: Result, row: int, count: int, more: tuple[str, ...]) -> dict[str, tuple[Array, int]]:
    values = {name: (result.trajectories[name][row, :count], 2) for name in more}
    return values


def _largest(result: Result, row: int, names: tuple[str, ...]) -> float:
    return float(max(np.nanmax(np.abs(result.trajectories[name][row])) for name in names))


def _wheelset(result: Result, row: int, count: int) -> Scene:
    """Axle and two wheels from above, with the forces of the plane on them."""
    at = result.row_of(int(result.traced[row]))
    samples = {name: values[row, :count] for name, values in result.trajectories.items()}
    track = 0.5 * float(np.hypot(samples["right_x"][0] - samples["left_x"][0], samples["right_z"][0] - samples["left_z"][0]))
    radius = parameter(result, "radius", at, 0.3) or 0.3
    names = ("left_force", "right_force", "lateral_force", "forward_velocity", "yaw_rate")
    c, s = np.cos(samples["yaw"]), np.sin(samples["yaw"])
    values = {**{name: (samples[name], 4) for name in ("x", "z", "yaw")}, "dx": (samples["forward_velocity"] * c, 2),
              "dz": (-samples["forward_velocity"] * s, 2), "dyaw": (samples["yaw_rate"], 2), **_bodies(result, row, count, names)}
    thick = 0.12 * radius
    parts = [_part(_box(0.06 * radius, track)), _part(_box(radius, thick), (0, -track), fill="surface"), _part(_box(radius, thick), (0, track), fill="surface")]
    arrows = [_arrow("left_force", (0, -track), (1, 0)), _arrow("right_force", (0, track), (1, 0)), _arrow("lateral_force", (0, 0), (0, 1))]
    extent = _extent(samples["x"], samples["z"])
    return {"values": values, "parts": parts, "arrows": arrows, "size": float(np.hypot(track, radius)), "extent": extent, "above": True, "platform": [],
            "whole": True, "most": {"slip": 0, "force": _largest(result, row, names[:3]), "load": 0, "grip": 0},
            "readout": [_said("x", "x", "m", 3), _said("z", "z", "m", 3), _said("yaw", "yaw", "°", 1, 180 / np.pi), _said("forward_velocity", "speed", "m/s", 3)]}


def _snakeboard(result: Result, row: int, count: int) -> Scene:
    """Coupler, two steered wheelsets and the rotor from above, with the lateral forces of the floor."""
    at = result.row_of(int(result.traced[row]))
    half = parameter(result, "coupler.half_length", at, 0.2) or 0.2
    track = max(parameter(result, "wheelset.half_track", at, 0.06) or 0.0, 0.15 * half)
    names = ("front_angle", "rear_angle", "rotor_angle", "front_force", "rear_force")
    values = {**_pose(result, row, count), **_bodies(result, row, count, names)}
    wheel = _box(0.12 * half, 0.03 * half)
    parts = [_part(_box(half, 0.05 * half)), _part(_box(0.05 * half, 0.45 * half), turn=("rotor_angle",), fill="surface")]
    for end, name in ((half, "front_angle"), (-half, "rear_angle")):
        parts.append(_part(_box(0.025 * half, track), (end, 0), (name,)))
        parts += [_part([[p[0], p[1] + side * track] for p in wheel], (end, 0), (name,), "surface") for side in (-1, 1)]
    arrows = [_arrow("front_force", (half, 0), (0, 1), ("front_angle",)), _arrow("rear_force", (-half, 0), (0, 1), ("rear_angle",))]
    extent = _extent(result.trajectories["x"][row, :count], result.trajectories["z"][row, :count])
    turned = 180 / np.pi
    return {"values": values, "parts": parts, "arrows": arrows, "size": 1.3 * half, "extent": extent, "above": True, "platform": [],
            "whole": _wide(extent, 2 * half), "most": {"slip": 0, "force": _largest(result, row, names[3:]), "load": 0, "grip": 0},
            "readout": [_said("x", "x", "m", 3), _said("z", "z", "m", 3), _said("yaw", "yaw", "°", 1, turned), _said("front_angle", "front", "°", 1, turned),
                        _said("rear_angle", "rear", "°", 1, turned), _said("rotor_angle", "rotor", "°", 1, turned)]}


def _disc(result: Result, row: int, count: int) -> Scene:
    """The rolling disc from above: its outline, heading, trail, slip and friction at its lowest point."""
    at = result.row_of(int(result.traced[row]))
    samples = {name: values[row, :count] for name, values in result.trajectories.items()}
    radius = parameter(result, "radius", at, 0.3) or 0.3
    sources = {"slip_lat": "slip_lateral", "slip_long": "slip_longitudinal", "force_lat": "friction_force_lateral",
               "force_long": "friction_force_longitudinal", "axis_x": "axis_x", "axis_y": "axis_y", "axis_z": "axis_z", "tilt": "tilt", "spin": "spin"}
    values = {"x": (samples["x"], 4), "z": (samples["z"], 4), "dx": (samples["vx"], 2), "dz": (samples["vz"], 2),
              "contact_x": (samples["contact_x"], 4), "contact_z": (samples["contact_z"], 4), "heading_cos": (np.cos(samples["heading"]), 2),
              "heading_sin": (np.sin(samples["heading"]), 2), **{name: (samples[source], 2) for name, source in sources.items()}}
    extent = _extent(samples["x"], samples["z"])
    most = {kind: float(np.nanmax(np.hypot(samples[a], samples[b]))) for kind, a, b in
            (("slip", "slip_lateral", "slip_longitudinal"), ("force", "friction_force_lateral", "friction_force_longitudinal"))}
    return {"values": values, "disc": {"radius": radius}, "size": radius, "extent": extent, "above": True, "platform": [], "whole": True,
            "most": {**most, "load": 0, "grip": 0},
            "readout": [_said("x", "x", "m", 3), _said("z", "z", "m", 3), _said("tilt", "tilt", "°", 1, 180 / np.pi), _said("spin", "spin", "rad/s", 2)]}


_MODELS = {"omni_vehicle": _vehicle, "omni_wheel": _vehicle, "disc_vehicle": _vehicle, "uk_wheel": _uk_wheel, "wheelset": _wheelset,
           "snakeboard": _snakeboard, "rolling_disc": _disc}
