"""Values that the report computes from an instance's samples: the end, thinning, exchanges, commanded rates, power."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading import designs, frames
from ..reading.result import Array, Result
from ..reading.roller_geometry import Wheel, wheels_of
from ..reading.study_values import parameter, si

BUCKETS = 300  # of a line; each keeps its smallest and largest sample
ALL_BUCKETS = 1200  # of all lines of a set of axes


def row_distance(result: Result, at: int) -> float:
    """Of files that do not say it: distance of two rows of rollers, the same for all wheels."""
    return parameter(result, "wheel.row_distance", at, 0.0) or 0.0


def wheels(result: Result, row: int) -> list[Wheel]:
    """The wheels of a traced instance, in y_up."""
    return wheels_of(frames.drawn(result), row, row_distance(result, row_of_instances(result, row)))


def alive(result: Result, row: int) -> int:
    """How many samples the instance has before its end."""
    name = next(name for name in ("x", "velocity", *result.trajectories) if name in result.trajectories)
    finite = np.isfinite(result.trajectories[name][row])
    return int(np.argmin(finite)) if not finite.all() else len(finite)


def buckets_of(lines: int) -> int:
    """Of each of so many lines in a set of axes."""
    return min(BUCKETS, ALL_BUCKETS // max(lines, 1))


def thinned(time: Array, values: Array, lines: int = 1) -> tuple[Array, Array]:
    """A line with so few points that a page can bear it: of each bucket the smallest and the largest, in their order."""
    buckets = buckets_of(lines)
    if len(time) // buckets < 3:
        return time, values
    ends = np.linspace(0, len(time), buckets + 1).astype(int)
    places = ends[:-1, None] + np.arange(np.diff(ends).max())
    inside = (places < ends[1:, None]) & np.isfinite(values[np.minimum(places, len(time) - 1)])
    shown = np.where(inside, values[np.minimum(places, len(time) - 1)], np.nan)[inside.any(axis=1)]
    first = ends[:-1][inside.any(axis=1)]
    at = np.unique([0, *(first + np.nanargmin(shown, axis=1)), *(first + np.nanargmax(shown, axis=1)), len(time) - 1])
    return time[at], values[at]


def exchange_times(time: Array, angle: Array, rollers: int) -> Array:
    """When the next roller takes over, s: wheel angles (j + 1/2) 2 pi/n, with straight lines between the samples."""
    turns = np.asarray(angle) * rollers / (2 * np.pi) - 0.5
    found: list[Array] = []
    for k in np.flatnonzero(np.floor(turns[1:]) != np.floor(turns[:-1])):
        low, high = sorted((turns[k], turns[k + 1]))
        edges = np.arange(np.floor(low) + 1, np.floor(high) + 1)
        found.append(np.sort(time[k] + (edges - turns[k]) / (turns[k + 1] - turns[k]) * (time[k + 1] - time[k])))
    return np.concatenate(found) if found else np.empty(0)


def command(result: Result, at: int, time: Array) -> tuple[Array, Array, Array] | None:
    """The commanded velocities vx, vz and yaw rate, in y_up (docs/reference/study-file.md, Commands); None where there is none, or it cannot be read."""
    said: Any = designs.study_of(result).get("parameters", {}).get("command", {})
    kind = said.get("type", "none")
    if kind == "table":
        rows = [[si(value) for value in line] for line in said.get("table", [])]
        if not rows or any(value is None for line in rows for value in line):
            return None
        table = np.array(rows, dtype=float)
        vx, across, yaw_rate = (np.interp(time, table[:, 0], table[:, column]) for column in (1, 2, 3))
        return vx, frames.side(result).sign * across, yaw_rate
    given = [parameter(result, f"command.{name}", at, 0.0) for name in ("vx", "vz", "yaw_rate")]
    ramp = parameter(result, "command.ramp_time", at, 0.5)
    if kind not in ("constant", "tanh") or any(value is None for value in given) or not ramp:
        return None
    shape = np.tanh(time / ramp) if kind == "tanh" else np.ones_like(time)
    vx, vz, yaw_rate = (float(value or 0.0) * shape for value in given)
    return vx, vz, yaw_rate


def followed(result: Result) -> Array | None:
    """The points (x, z) of a path that is followed, in y_up, round to the first where it is closed; None where there is none."""
    said: Any = designs.study_of(result).get("parameters", {}).get("command", {})
    points = [[si(value) for value in point] for point in said.get("points", [])]
    if said.get("type") != "path" or not points or any(value is None for point in points for value in point):
        return None
    path = np.array(points, dtype=float) * [1.0, frames.side(result).sign]
    return np.concatenate([path, path[:1]]) if said.get("closed") else path


def ideal_rate(wheel: Wheel, vx: Array, vz: Array, yaw_rate: Array, steer: Array | float = 0.0) -> Array:
    """Rate at which a wheel with ideal massless rollers follows a motion of the body (docs/reference/study-file.md, Drives), rad/s;
    steer: angle of a fork, by which it turns the axle."""
    axis_x, axis_z = wheel.turned_axis(steer)
    along = vx * axis_z - vz * axis_x + yaw_rate * (wheel.x * axis_x + wheel.z * axis_z)
    across: Array = vx * axis_x + vz * axis_z - yaw_rate * (wheel.x * axis_z - wheel.z * axis_x)
    return np.asarray(-(along + np.tan(wheel.inclination) * across) / wheel.radius)


def patches(result: Result, at: int) -> list[dict[str, Any]]:
    """Patches of the ground with a friction of their own (docs/reference/study-file.md, Ground): corners in the world, (x, z) in m, and friction.
    Those whose values cannot be read are left out; a half plane is a rectangle of 1 km."""
    ground: Any = designs.study_of(result).get("parameters", {}).get("ground", {})
    found = []
    for name in (f"patch{number}" for number in range(4)):
        if ground.get("type") != "patches" or name not in ground:
            continue
        usual = {"x": 0.0, "z": 0.0, "length": 1.0, "width": 1.0, "yaw": 0.0, "friction": 0.1}
        values = {key: parameter(result, f"ground.{name}.{key}", at, value) for key, value in usual.items()}
        if all(value is not None for value in values.values()):
            found.append(_patch({key: float(value or 0.0) for key, value in values.items()}, ground[name].get("shape") == "half_plane"))
    return found


def _patch(values: dict[str, float], half_plane: bool) -> dict[str, Any]:
    """Forward is (cos yaw, -sin yaw), to the right (sin yaw, cos yaw) in (x, z)."""
    c, s = np.cos(values["yaw"]), np.sin(values["yaw"])
    ends = (0.0, 1000.0) if half_plane else (-0.5 * values["length"], 0.5 * values["length"])
    half = 500.0 if half_plane else 0.5 * values["width"]
    corners = [(ends[0], -half), (ends[1], -half), (ends[1], half), (ends[0], half)]
    return {"corners": [[values["x"] + a * c + b * s, values["z"] - a * s + b * c] for a, b in corners], "friction": values["friction"]}


def integral(time: Array, power: Array) -> Array:
    """Of samples over time, by trapezia, from 0."""
    steps = np.diff(time) * 0.5 * (power[1:] + power[:-1])
    return np.concatenate([[0.0], np.cumsum(steps)])


def row_of_instances(result: Result, row: int) -> int:
    """Where the traced instance at `row` of the trajectories stands in the arrays with one value per instance."""
    return result.row_of(int(result.traced[row]))
