"""The study of a robot: what came over from its file, what is guessed, and both as JSON with a comment for each value."""

from __future__ import annotations

import json
import math
import os
import re
import statistics
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..reading.roller_geometry import Wheel as Shape
from ..terminal import shown
from . import rollers as guess
from .robot import Robot
from .vehicle import Vehicle, Wheel

FEWEST, MOST = 3, 8  # wheels of a vehicle
SAME = 1e-6  # relative difference of values that are one for all wheels
ROLLER_NAME = re.compile(r"mecanum|omni|swedish|roller", re.IGNORECASE)
TINY = 1e-12  # what is nearer to 0 comes of rounding
GAIN_RATE, INTEGRAL_RATE = 50.0, 10.0  # rad/s: the guessed gains follow a wheel rate, and its angle, that fast
COLUMN = 52  # of the comments
WHEEL_DEPTH, MOST_IN_LINE = 3, 5  # an entry of "wheels" is one line, where it has few values


@dataclass
class Value:
    """A value of the study with its unit, and where it is from. A guess is none of the file's."""

    number: Any
    unit: str
    source: str
    guess: bool = False

    @property
    def meant(self) -> Any:
        """As the study has it."""
        if isinstance(self.number, (str, int)):
            return self.number
        return f"{tidy(self.number)} {self.unit}" if self.unit else float(tidy(self.number))

    @property
    def comment(self) -> str:
        return one_line(("GUESS: " if self.guess else "") + self.source)


def tidy(number: float) -> str:
    """Nine digits, and no -0."""
    return f"{number + 0.0:.9g}" if abs(number) > TINY else "0"


def one_line(text: str) -> str:
    """For a comment, which a name of the file must not end."""
    return shown(text.replace("\n", " ").replace("\t", " "))


def names(links: "list[str]") -> str:
    more = f" and {len(links) - 3} more" if len(links) > 3 else ""
    return ", ".join(links[:3]) + more


def refusal_of(vehicle: Vehicle) -> str:
    """Why the robot is no vehicle of omniroll; "" where it is one."""
    count = len(vehicle.wheels)
    if FEWEST <= count <= MOST:
        places = np.array([wheel.center[:2] for wheel in vehicle.wheels])
        spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
        if spread[-1] > 1e-3 * spread[0]:
            return ""
        return f"its {count} wheels stand on one line, which carries no platform"
    found = f"{count} {'wheel' if count == 1 else 'wheels'} that roll on one plane ({names([wheel.joint.name for wheel in vehicle.wheels])})" if count \
        else "no wheel: no continuous joint with a horizontal axis whose link is round or named as a wheel"
    more = " Casters are not taken from the file: `omniroll new single --model differential` has a vehicle with them." if any("caster" in words for words in vehicle.others) else ""
    return f"it has {found}; a vehicle of omniroll stands on {FEWEST} to {MOST}.{more}"


def values_of(vehicle: Vehicle, guessed: int = 0, whole: bool = False) -> "dict[str, Value]":
    """All values by path. `guessed` leaves the rows of rollers to guesses (1), and how far they are from the axle, too (2), where those of the file
    make no wheel that rolls; `whole` has wheels without guessed rollers, for a robot that becomes no study."""
    values = platform_of(vehicle)
    wheels = [_wheel_values(vehicle, wheel, guessed, whole) for wheel in vehicle.wheels]
    for i, wheel in enumerate(vehicle.wheels):
        source = f"joint {wheel.joint.name}"
        values[f"wheels[{i}].x"] = Value(float(wheel.center[0]), "m", source)
        values[f"wheels[{i}].y"] = Value(float(wheel.center[1]), "m", source)
        values[f"wheels[{i}].axis_angle"] = Value(math.degrees(wheel.axis_angle), "deg", source)
    for path in dict.fromkeys(path for wheel in wheels for path in wheel):
        row = [wheel.get(path) for wheel in wheels]
        first = row[0]
        if first is not None and all(other is not None and _alike(first, other) for other in row):
            values[f"wheel.{path}"] = first
        else:
            values.update({f"wheels[{i}].{path}": value for i, value in enumerate(row) if value is not None})
    values.update(_control(vehicle))
    return values


def _alike(a: Value, b: Value) -> bool:
    return a.guess == b.guess and abs(a.number - b.number) <= SAME * max(abs(a.number), abs(b.number)) + TINY


def platform_of(vehicle: Vehicle) -> "dict[str, Value]":
    """All that is no wheel, as one body."""
    body, source = vehicle.platform, names([name for name in vehicle.platform_links if vehicle.robot.links[name].mass > 0])
    height, values = float(body.center[2]) - vehicle.floor, {}
    if not body.mass > 0:
        source = "no link besides the wheels has a mass"
    values["platform.mass"] = Value(body.mass or 10.0, "kg", source, not body.mass)
    inertia = float(body.inertia[2, 2])
    if inertia > 0:
        values["platform.yaw_inertia"] = Value(inertia, "kg m2", "of these, about the vertical through their centre of mass")
    else:
        places = np.array([wheel.center for wheel in vehicle.wheels]) if vehicle.wheels else np.zeros((1, 3))
        size = np.ptp(places, axis=0)
        plate = (body.mass or 10.0) / 12 * (float(size[0]**2 + size[1]**2) or 0.1)
        values["platform.yaw_inertia"] = Value(plate, "kg m2", "a plate as large as the wheels' places", True)
    if body.mass:
        values["platform.center_of_mass.x"] = Value(float(body.center[0]), "m", f"in the frame of {vehicle.base}")
        values["platform.center_of_mass.y"] = Value(float(body.center[1]), "m", "to the left")
        low = height < 0
        if not vehicle.wheels:
            return values  # nothing stands on a floor
        values["platform.center_of_mass.height"] = Value(max(height, 0.0), "m", "the file has it below the floor" if low else
                                                         "above the plane that the wheels touch", low)
    else:
        values["platform.center_of_mass.height"] = Value(2 * (vehicle.wheels[0].radius or 0.05) if vehicle.wheels else 0.1, "m", "two wheel radii", True)
    return values


def _parallel(vehicle: Vehicle) -> bool:
    first = vehicle.wheels[0].axis
    return all(abs(float(first @ wheel.axis)) > math.cos(math.radians(5)) for wheel in vehicle.wheels)


def plain_tyres(vehicle: Vehicle) -> bool:
    """Whether the wheels may be without rollers: no link is one, no name speaks of them, and the axes do not cross."""
    names_of_wheels = " ".join(f"{wheel.joint.name} {wheel.joint.child} {vehicle.robot.name}" for wheel in vehicle.wheels)
    return bool(vehicle.wheels) and _parallel(vehicle) and not ROLLER_NAME.search(names_of_wheels) and not any(wheel.rollers for wheel in vehicle.wheels)


def _guessed_inclination(vehicle: Vehicle, wheel: Wheel) -> float:
    """Mecanum wheels, whose rollers seen from above form an X, where all axes are parallel; omni wheels elsewhere."""
    if not _parallel(vehicle):
        return 0.0
    middle = sum((other.center for other in vehicle.wheels), np.zeros(3)) / len(vehicle.wheels)
    off, left = wheel.center - middle, wheel.axis
    forward = np.array([left[1], -left[0], 0.0])
    return math.radians(45) * (1 if (off @ forward) * (off @ left) >= 0 else -1)


def _wheel_values(vehicle: Vehicle, wheel: Wheel, guessed: int, whole: bool) -> "dict[str, Value]":
    values: "dict[str, Value]" = {}
    radius, found = wheel.radius or 0.05, wheel.rollers
    values["radius"] = Value(radius, "m", wheel.source.replace("guess: ", ""), "guess" in wheel.source)
    mecanum = _parallel(vehicle)
    if found:
        values["rollers"] = Value(found.count, "", "counted: links on free joints of the wheel")
        values["inclination"] = Value(math.degrees(found.inclination), "deg", "axes of these joints")
    else:
        kind = "axes of the wheels are parallel: mecanum wheels" if mecanum else "axes of the wheels cross: omni wheels"
        values["rollers"] = Value(guess.MECANUM if mecanum else guess.OMNI, "", "no link of the file is a roller; count yours", True)
        values["inclination"] = Value(math.degrees(_guessed_inclination(vehicle, wheel)), "deg", kind, True)
    count, inclination = int(values["rollers"].number), math.radians(values["inclination"].number)
    tip, rows = guess.TIP * radius, 0.0
    distance = guess.center_distance(radius, count, inclination, tip)
    if found and guessed < 2 and found.center_distance < radius * math.cos(math.pi / count):
        distance = found.center_distance
        values["center_distance"] = Value(distance, "m", "places of the rollers")
    else:
        why = f"; rollers {tidy(found.center_distance)} m from the axle, as in the file, would run into each other or have gaps" if found else ""
        values["tip_radius"] = Value(tip, "m", f"radius of a roller's ends{why}", True)
    if found and not guessed:
        rows = found.row_distance
        values["row_distance"] = Value(rows, "m", "places of the rollers")
    elif abs(inclination) < math.radians(10) and count % 2 == 0:
        rows = max(3 * (radius - distance), 0.5 * (wheel.width or 0.0))
        why = "two rows, since those of the file are no wheel that rolls" if found else "two rows; 0 is one row"
        values["row_distance"] = Value(rows, "m", why, True)
    shape = Shape(radius, distance, count, inclination, rows)
    values.update(_masses(wheel, shape, whole))
    values.update(_joint_values(wheel))
    return values


def _masses(wheel: Wheel, shape: Shape, whole: bool) -> "dict[str, Value]":
    """Of one roller and of the disc. What the file says of the wheel is kept in their sum."""
    body, found = wheel.body, wheel.rollers
    mass, axial, diametral = body.mass, wheel.axial_inertia, wheel.diametral_inertia
    source, bare, guessed = f"link {wheel.joint.child}", not mass > 0, False
    if bare:
        mass, source, guessed = 0.4 * (shape.radius / 0.05)**2, "the wheel has no mass in the file", True
    if bare or not axial > 0:
        axial, diametral = mass * shape.radius**2 / 2, mass * shape.radius**2 / 4
    inertias = "a solid disc: the file has no inertia" if bare or not wheel.axial_inertia > 0 else source
    if found and found.mass > 0:
        own = guess.of_unit_mass(shape)
        has = found.axial_inertia > 0 and found.diametral_inertia > 0
        parts = guess.Parts(found.mass, found.axial_inertia if has else found.mass * own[0], found.diametral_inertia if has else found.mass * own[1],
                            mass, axial, diametral)
        roller, rest = "mean of the rollers' links", ""
    else:
        has = False
        parts = guess.Parts(0, 0, 0, mass, axial, diametral) if whole else guess.split(shape, mass, axial, max(diametral, axial / 2))
        roller, rest = f"share of a wheel of {tidy(mass)} kg", "" if whole else ", less the guessed rollers"
    of_file = bool(found and found.mass > 0)
    return {"roller.mass": Value(parts.roller_mass, "kg", roller, not of_file),
            "roller.axial_inertia": Value(parts.roller_axial, "kg m2", roller if has else "of its shape, solid", not has),
            "roller.diametral_inertia": Value(parts.roller_diametral, "kg m2", roller if has else "of its shape, solid", not has),
            "disc.mass": Value(parts.disc_mass, "kg", source + rest, guessed),
            "disc.axial_inertia": Value(parts.disc_axial, "kg m2", inertias + rest, inertias is not source),
            "disc.diametral_inertia": Value(parts.disc_diametral, "kg m2", inertias + rest, inertias is not source)}


def _joint_values(wheel: Wheel) -> "dict[str, Value]":
    """Limits and losses of the wheel's joint, and losses of its rollers."""
    joint, rollers = wheel.joint, wheel.rollers
    of, inner = f"of joint {joint.name}", "mean of the rollers' joints"
    rows = [("axle_bearing", joint.damping, "N m s", f"damping {of}"), ("axle_dry.torque", joint.friction, "N m", f"friction {of}"),
            ("roller.bearing", rollers.damping if rollers else None, "N m s", inner), ("roller.dry.torque", rollers.friction if rollers else None, "N m", inner),
            ("motor.rotor_inertia", joint.rotor, "kg m2", f"armature {of}"), ("drive.torque_limit", joint.effort, "N m", f"effort limit {of}")]
    return {path: Value(number, unit, source) for path, number, unit, source in rows if number is not None and number > 0}


def _control(vehicle: Vehicle) -> "dict[str, Value]":
    """What no description of a robot says: floor, controller, command."""
    mass = vehicle.platform.mass + sum(wheel.mass for wheel in vehicle.wheels)
    radius = statistics.median(wheel.radius or 0.05 for wheel in vehicle.wheels)
    inertia = (mass or 10.0) * radius**2 / len(vehicle.wheels)
    gain = float(f"{GAIN_RATE * inertia:.2g}")
    rates = [wheel.joint.velocity for wheel in vehicle.wheels if wheel.joint.velocity]
    speed = float(f"{min([0.3, *(0.25 * rate * radius for rate in rates)]):.2g}")
    return {"wheel.friction": Value(0.5, "", "between roller and floor", True),
            "wheel.slip_speed": Value(0.02, "m/s", "slip at which friction is full", True),
            "wheel.drive.kp": Value(gain, "N m s", f"follows a wheel rate at about {GAIN_RATE:g} rad/s", True),
            "wheel.drive.ki": Value(INTEGRAL_RATE * gain, "N m", "gain of the wheel's angle", True),
            "command.vx": Value(speed, "m/s", "forward", True),
            "command.vy": Value(speed / 2, "m/s", "to the left", True)}


def study_of(robot: Robot, values: "dict[str, Value]", wheels: int) -> "dict[str, Any]":
    """The study as a tree, with values at its leaves."""
    parameters: "dict[str, Any]" = {"platform": {}, "layout": {"type": "explicit"}, "wheel": {},
                                    "wheels": [{} for _ in range(wheels)], "contact": {"law": "saturated_coulomb"}, "command": {"type": "tanh"}}
    for path, value in values.items():
        node: Any = parameters
        *way, last = path.split(".")
        for word in way:
            name, _, index = word.partition("[")
            node = node[name][int(index[:-1])] if index else node.setdefault(name, {})
        node[last] = value
    parameters["wheel"]["drive"] = {"type": "body", **parameters["wheel"].pop("drive")}  # last, as in starter studies
    name = one_line(robot.name) or "robot"
    return {"title": f"{name}, imported from {one_line(os.path.basename(robot.path))}", "model": "omni_vehicle", "frame": "ros", "parameters": parameters,
            "integrator": {"tolerance": 1e-3, "duration": "2 s"},
            "output": {"observables": ["path_length", "deviation", "max_deviation", "yaw_deviation", "max_slip", "vibration_rms", "min_load"],
                       "trajectories": {"instances": [0], "interval": "10 ms"}}}


def plain(node: Any) -> Any:
    """The tree without sources, as omniroll.run takes it."""
    if isinstance(node, Value):
        return node.meant
    if isinstance(node, dict):
        return {key: plain(item) for key, item in node.items()}
    return [plain(item) for item in node] if isinstance(node, list) else node


def text_of(robot: Robot, study: "dict[str, Any]") -> str:
    """JSON with comments: where each value is from."""
    lines = [f"// {study['title']}.", "// A comment says where a value is from. \"GUESS\" marks what the file does not say: put in your own.",
             "// Axes are those of ROS: x forward, y to the left; a positive rate of a wheel is that of its joint."]
    _write(lines, study, "", 0, "")
    return "\n".join(lines) + "\n"


def _leaves(node: Any, path: str = "") -> "list[tuple[str, Value]]":
    if isinstance(node, Value):
        return [(path, node)]
    return [leaf for key, item in node.items() for leaf in _leaves(item, f"{path}.{key}" if path else key)] if isinstance(node, dict) else []


def _write(lines: "list[str]", node: Any, key: str, depth: int, comma: str) -> None:
    blanks, head = "  " * depth, f"{json.dumps(key)}: " if key else ""
    if isinstance(node, Value):
        line = f"{blanks}{head}{json.dumps(node.meant)}{comma}"
        lines.append(f"{line:{COLUMN}}  // {node.comment}")
    elif depth == WHEEL_DEPTH and not key and len(_leaves(node)) <= MOST_IN_LINE:
        comments = [f"{name}: {value.comment}" if value.guess else value.comment for name, value in _leaves(node)]
        lines.append(f"{blanks}{json.dumps(plain(node))}{comma}  // {'; '.join(dict.fromkeys(comments))}")
    elif isinstance(node, dict) or key == "wheels":
        ends = "{}" if isinstance(node, dict) else "[]"
        items = list(node.items()) if isinstance(node, dict) else [("", item) for item in node]
        lines.append(f"{blanks}{head}{ends[0]}")
        for i, (name, item) in enumerate(items):
            _write(lines, item, name, depth + 1, "," if i + 1 < len(items) else "")
        lines.append(f"{blanks}{ends[1]}{comma}")
    else:
        lines.append(f"{blanks}{head}{json.dumps(node, ensure_ascii=False)}{comma}")
