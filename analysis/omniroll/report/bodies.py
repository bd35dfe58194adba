"""Scenes of the animation for models that are no vehicles with rollers: uk_wheel, elastic_wheel, wheelset, snakeboard, rolling_disc,
sliding_block."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from ..reading.result import Array, Result
from ..reading.roller_geometry import Wheel
from ..reading.study_values import parameter
from .motion import row_of_instances
from .shapes import Scene, Values, extent, is_short, pose, said, samples_of, shape

DEGREES = 180 / np.pi
Place = Tuple[float, float]


def _value(result: Result, row: int, path: str, default: float) -> float:
    """A parameter of the instance; the default where the study's value cannot be read."""
    return parameter(result, path, row_of_instances(result, row), default) or default


def uk_wheel(result: Result, row: int, count: int) -> Scene:
    """A single wheel that rolls forward with a positive rate: i points forward, so its angle, rate and slip turn their signs."""
    samples = samples_of(result, row, count)
    radius = _value(result, row, "radius", 0.3)
    nothing = np.zeros(count)

    def wide(values: Array) -> Array:
        return np.asarray(values)[:, None]

    values: Values = {name: (samples[name], 2) for name in ("slip", "weight", "velocity")}
    values.update(x=(samples["x"], 4), z=(nothing, 4), dx=(samples["velocity"], 2), dz=(nothing, 2))
    values.update(angle=(wide(-samples["wheel_angle"]), 4), rate=(wide(-samples["wheel_rate"]), 2), slip_i=(wide(-samples["slip"]), 2),
                  slip_k=(wide(nothing), 2), force_i=(wide(samples["contact_force"]), 2), force_k=(wide(nothing), 2))
    values.update(load=(wide(samples["normal_load"]), 2), friction=(wide(samples["friction"]), 2), travel=(wide(samples["x"]), 4),
                  along=(wide(samples["velocity"]), 2))
    readout = [said("x", "x", "m", 2), said("velocity", "velocity", "m/s", 3), said("weight", "weight w", "", 3)]
    return {"values": values, "wheels": [{**shape(Wheel(radius, 0.0, 0, 0.0)), "inclination": None}], "above": False, "size": radius,
            "extent": [[0, 0], [0, 0]], "whole": False, "forward": "forward", "readout": readout}


def _box(half_length: float, half_width: float) -> list[list[float]]:
    return [[half_length, half_width], [half_length, -half_width], [-half_length, -half_width], [-half_length, half_width]]


def _part(outline: list[list[float]], at: Place = (0.0, 0.0), turn: tuple[str, ...] = (), fill: str = "empty") -> dict[str, Any]:
    """A body from above: its outline about the place where it turns by the samples `turn`."""
    return {"outline": outline, "at": list(at), "turn": list(turn), "fill": fill}


def _arrow(name: str, at: Place, along: Place, turn: tuple[str, ...] = ()) -> dict[str, Any]:
    """A force of the sample `name` on a body, along a direction of its own."""
    return {"channel": name, "at": list(at), "along": list(along), "turn": list(turn)}


def _forces(samples: dict[str, Array], *names: str) -> dict[str, float]:
    """The largest arrow."""
    return {"slip": 0.0, "force": float(max(np.nanmax(np.abs(samples[name])) for name in names)), "load": 0.0, "grip": 0.0}


def wheelset(result: Result, row: int, count: int) -> Scene:
    """Axle and two wheels, with the forces of the plane on them."""
    samples = samples_of(result, row, count)
    track = 0.5 * float(np.hypot(samples["right_x"][0] - samples["left_x"][0], samples["right_z"][0] - samples["left_z"][0]))
    radius = _value(result, row, "radius", 0.3)
    values = pose({**samples, "vx": samples["forward_velocity"], "vz": np.zeros(count)})
    values.update({name: (samples[name], 2) for name in ("left_force", "right_force", "lateral_force", "forward_velocity")})
    wheel = _box(radius, 0.12 * radius)
    parts = [_part(_box(0.06 * radius, track)), _part(wheel, (0, -track), fill="surface"), _part(wheel, (0, track), fill="surface")]
    arrows = [_arrow("left_force", (0, -track), (1, 0)), _arrow("right_force", (0, track), (1, 0)), _arrow("lateral_force", (0, 0), (0, 1))]
    readout = [said("x", "x", "m", 3), said("z", "z", "m", 3), said("yaw", "yaw", "°", 1, DEGREES),
               said("forward_velocity", "speed", "m/s", 3)]
    return {"values": values, "parts": parts, "arrows": arrows, "size": float(np.hypot(track, radius)), "extent": extent(samples),
            "above": True, "whole": True, "most": _forces(samples, "left_force", "right_force", "lateral_force"), "readout": readout}


def snakeboard(result: Result, row: int, count: int) -> Scene:
    """Coupler, two steered wheelsets and the rotor, with the lateral forces of the floor."""
    samples = samples_of(result, row, count)
    half = _value(result, row, "coupler.half_length", 0.2)
    track = max(_value(result, row, "wheelset.half_track", 0.06), 0.15 * half)
    values = pose(samples)
    values.update({name: (samples[name], 2) for name in ("front_angle", "rear_angle", "rotor_angle", "front_force", "rear_force")})
    parts = [_part(_box(half, 0.05 * half)), _part(_box(0.05 * half, 0.45 * half), turn=("rotor_angle",), fill="surface")]
    for end, name in ((half, "front_angle"), (-half, "rear_angle")):
        parts.append(_part(_box(0.025 * half, track), (end, 0), (name,)))
        for side in (-track, track):
            wheel = [[p[0], p[1] + side] for p in _box(0.12 * half, 0.03 * half)]
            parts.append(_part(wheel, (end, 0), (name,), "surface"))
    arrows = [_arrow("front_force", (half, 0), (0, 1), ("front_angle",)), _arrow("rear_force", (-half, 0), (0, 1), ("rear_angle",))]
    ends = extent(samples)
    readout = [said("x", "x", "m", 3), said("z", "z", "m", 3)]
    readout += [said(name, name.split("_")[0], "°", 1, DEGREES) for name in ("yaw", "front_angle", "rear_angle", "rotor_angle")]
    return {"values": values, "parts": parts, "arrows": arrows, "size": 1.3 * half, "extent": ends, "above": True,
            "whole": is_short(ends, 2 * half), "most": _forces(samples, "front_force", "rear_force"), "readout": readout}


def block(result: Result, row: int, count: int) -> Scene:
    """The block from above, which has no size of its own: a square as long as an eighth of its way stands for it."""
    samples = samples_of(result, row, count)
    way = float(np.nanmax(samples["x"]) - np.nanmin(samples["x"]))
    half = max(0.06 * way, 0.01)
    nothing = np.zeros(count)
    values = pose({**samples, "z": nothing, "yaw": nothing, "yaw_rate": nothing, "vx": samples["velocity"], "vz": nothing})
    values.update({name: (samples[name], 2) for name in ("applied_force", "velocity")})
    values["braking"] = (-np.asarray(samples["contact_force"]), 2)
    parts = [_part(_box(half, half), fill="surface")]
    arrows = [_arrow("applied_force", (half, 0), (1, 0)), _arrow("braking", (-half, 0), (1, 0))]
    readout = [said("x", "x", "m", 3), said("velocity", "velocity", "m/s", 3), said("applied_force", "applied force", "N", 2)]
    ends = extent({**samples, "z": nothing})
    return {"values": values, "parts": parts, "arrows": arrows, "size": 1.5 * half, "extent": ends, "above": True, "whole": True,
            "most": _forces(samples, "applied_force", "contact_force"), "readout": readout}


# Names in a page of the rolling disc's samples
DISC = {"slip_lat": "slip_lateral", "slip_long": "slip_longitudinal", "force_lat": "friction_force_lateral",
        "force_long": "friction_force_longitudinal", **{name: name for name in ("axis_x", "axis_y", "axis_z", "tilt", "spin")}}


def disc(result: Result, row: int, count: int) -> Scene:
    """The rolling disc: its outline, heading, trail, slip and friction at its lowest point. The heading jumps by a turn: its cosine and
    sine do not."""
    samples = samples_of(result, row, count)
    radius = _value(result, row, "radius", 0.3)
    values: Values = {name: (samples[source], 2) for name, source in DISC.items()}
    values.update(x=(samples["x"], 4), z=(samples["z"], 4), dx=(samples["vx"], 2), dz=(samples["vz"], 2))
    values.update(contact_x=(samples["contact_x"], 4), contact_z=(samples["contact_z"], 4),
                  heading_cos=(np.cos(samples["heading"]), 2), heading_sin=(np.sin(samples["heading"]), 2))
    most = {kind: float(np.nanmax(np.hypot(samples[DISC[f"{kind}_lat"]], samples[DISC[f"{kind}_long"]]))) for kind in ("slip", "force")}
    readout = [said("x", "x", "m", 3), said("z", "z", "m", 3), said("tilt", "tilt", "°", 1, DEGREES), said("spin", "spin", "rad/s", 2)]
    return {"values": values, "disc": {"radius": radius}, "size": radius, "extent": extent(samples), "above": True, "whole": True,
            "most": {**most, "load": 0.0, "grip": 0.0}, "readout": readout}
