"""The study of a robot: values from its file, guessed values, and both as JSON with a comment for each value."""

from __future__ import annotations

import json
import math
import os
import statistics
from typing import Any

import numpy as np

from ..reading.roller_geometry import Wheel as Shape
from . import rollers as guess
from .bare import bare_values, body_of, foot_values
from .kinds import ROLLER_NAME, on_one_axle, parallel
from .robot import Robot
from .value import TINY, Value, one_line, tidy
from .wheels import Vehicle, Wheel

FEWEST, MOST = 3, 8  # wheels of a vehicle
LOSSES = ("axle_bearing", "axle_dry.torque", "motor.rotor_inertia")  # of a joint; a wheel without has 0, whatever others have
SAME = 1e-6  # relative difference of values that are one for all wheels
GAIN_RATE, INTEGRAL_RATE = 50.0, 10.0  # rad/s: the guessed gains follow a wheel rate, and its angle, that fast
STANDS = "an imported vehicle stands on 3 to 8"
CASTER_HINT = ("An imported vehicle stands on 3 to 8 wheels and supports: give the link of the caster or ball a <sphere> or <box> that reaches the "
               "floor, and a name with \"caster\"; for a robot that balances on two, begin with \"omniroll new single --model two_wheels\"")
BEYOND_LOSS, SAMPLED = 5.0, 1e-3  # of the damping of a wheel's joint; s, the period of the controller
COLUMN = 52  # of the comments
WHEEL_DEPTH, MOST_IN_LINE = 3, 5  # an entry of "wheels" is one line, where it has few values


def names(links: "list[str]") -> str:
    more = f" and {len(links) - 3} more" if len(links) > 3 else ""
    return ", ".join(links[:3]) + more


def refusal_of(vehicle: Vehicle) -> str:
    """Why the robot is no vehicle of omniroll; "" where it is one."""
    count = len(vehicle.wheels)
    if FEWEST <= count <= MOST:
        places = np.array([wheel.center[:2] for wheel in vehicle.wheels])
        if not any(wheel.driven for wheel in vehicle.wheels):
            return f"nothing drives its {count} wheels, which are casters and balls; a vehicle of omniroll has a driven one"
        spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
        if spread[-1] > 1e-3 * spread[0]:
            return ""
        return f"its {count} wheels stand on one line, which carries no platform; it needs one beside that line"
    if not count:
        return f"it has no wheel: no continuous joint with a horizontal axis whose link is round or named as a wheel; {STANDS}"
    alone = count == 2 and not any(wheel.swivel or wheel.foot for wheel in vehicle.wheels)
    hint = f"; nothing else reaches the floor. {CASTER_HINT}" if alone else f"; {STANDS}{'; leave casters out of the file' if count > MOST else ''}"
    found = "wheel" if count == 1 else "wheels"
    return f"it has {count} {found} that {'rolls' if count == 1 else 'roll'} on one plane ({names([wheel.joint.name for wheel in vehicle.wheels])}){hint}"


def values_of(vehicle: Vehicle, guessed: int = 0, whole: bool = False) -> "dict[str, Value]":
    """All values by path. `guessed` leaves the rows of rollers to guesses (1), and how far they are from the axle, too (2), where the file
    has rows that make no wheel that rolls; `whole` has wheels without guessed rollers, for a robot that becomes no study."""
    values = platform_of(vehicle)
    wheels = [_wheel_values(vehicle, wheel, guessed, whole) for wheel in vehicle.wheels]
    for i, wheel in enumerate(vehicle.wheels):
        source = f"joint {wheel.joint.name}"
        place = wheel.center
        if wheel.swivel and wheel.kind == "caster":
            place, source = wheel.swivel.center, f"axis of joint {wheel.swivel.joint.name}"
        values[f"wheels[{i}].x"] = Value(float(place[0]), "m", source)
        values[f"wheels[{i}].y"] = Value(float(place[1]), "m", source)
        if wheel.kind != "caster" and not wheel.foot:
            values[f"wheels[{i}].axis_angle"] = Value(math.degrees(wheel.axis_angle), "deg", source)
    of_all = [i for i, wheel in enumerate(vehicle.wheels) if wheel.driven]  # these have their common values in "wheel"
    for path in dict.fromkeys(path for wheel in wheels for path in wheel):
        row = [wheel.get(path) for wheel in wheels]
        first = row[of_all[0]] if of_all else row[0]
        shared = first if first is not None and all(row[i] is not None and _alike(first, row[i]) for i in of_all) else None
        if shared is not None:
            values[f"wheel.{path}"] = shared
        for i, value in enumerate(row):
            if value is None and shared is not None and path in LOSSES and not vehicle.wheels[i].foot:
                value = Value(0.0, shared.unit, f"joint {vehicle.wheels[i].joint.name} has none")
            if value is not None and not (shared is not None and _alike(shared, value)):
                values[f"wheels[{i}].{path}"] = value
    values.update(_control(vehicle))
    return values


def _alike(a: Value, b: Value | None) -> bool:
    if b is None or isinstance(a.number, str) or isinstance(b.number, str):
        return b is not None and a.number == b.number
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
        middle = np.mean([wheel.center for wheel in vehicle.wheels], axis=0) if vehicle.wheels else np.zeros(3)
        for word, place in zip("xy", middle):
            if abs(place) > TINY:
                values[f"platform.center_of_mass.{word}"] = Value(float(place), "m", "the middle of the wheels", True)
    return values


def _with_rollers(vehicle: Vehicle) -> "list[Wheel]":
    return [wheel for wheel in vehicle.wheels if wheel.kind == "roller"]


def plain_tyres(vehicle: Vehicle) -> bool:
    """Whether the wheels may be without rollers: no link is one, no name speaks of them, and the axes do not cross."""
    names_of_wheels = " ".join(f"{wheel.joint.name} {wheel.joint.child} {vehicle.robot.name}" for wheel in vehicle.wheels)
    return bool(vehicle.wheels) and len(_with_rollers(vehicle)) == len(vehicle.wheels) and parallel(_with_rollers(vehicle)) and not ROLLER_NAME.search(names_of_wheels) and not any(wheel.rollers for wheel in vehicle.wheels)


def _guessed_inclination(vehicle: Vehicle, wheel: Wheel) -> float:
    """Mecanum wheels, whose rollers seen from above form an X, where all axes are parallel; omni wheels elsewhere."""
    if not wheel.driven or not parallel(_with_rollers(vehicle)):
        return 0.0
    middle = sum((other.center for other in vehicle.wheels), np.zeros(3)) / len(vehicle.wheels)
    off, left = wheel.center - middle, wheel.axis
    forward = np.array([left[1], -left[0], 0.0])
    return math.radians(45) * (1 if (off @ forward) * (off @ left) >= 0 else -1)


def _wheel_values(vehicle: Vehicle, wheel: Wheel, guessed: int, whole: bool) -> "dict[str, Value]":
    if wheel.foot:
        return foot_values(vehicle, wheel)
    if wheel.kind != "roller":
        return {**bare_values(vehicle, wheel), **_joint_values(wheel)}
    values: "dict[str, Value]" = {}
    radius, found = wheel.radius or 0.05, wheel.rollers
    if not wheel.driven:
        values["kind"] = Value("roller", "", wheel.why)
        values["drive.type"] = Value("none", "", "no actuator of the file turns it")
    values["radius"] = Value(radius, "m", wheel.source.replace("guess: ", ""), "guess" in wheel.source)
    mecanum = wheel.driven and parallel(_with_rollers(vehicle))
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
    """Of one roller and of the disc. Their sum keeps the file's value of the wheel."""
    found, (whole_mass, about_axle, across) = wheel.rollers, body_of(wheel, shape.radius)
    mass, axial, diametral = whole_mass.number, about_axle.number, across.number
    if found and found.mass > 0:
        own = guess.of_unit_mass(shape)
        has = found.axial_inertia > 0 and found.diametral_inertia > 0
        parts = guess.Parts(found.mass, found.axial_inertia if has else found.mass * own[0], found.diametral_inertia if has else found.mass * own[1],
                            mass, axial, diametral)
        roller, rest = "mean of the rollers' links", ""
    else:
        has = False
        parts = guess.Parts(0, 0, 0, mass, axial, diametral) if whole else guess.split(shape, mass, axial, diametral)
        roller, rest = f"share of a wheel of {tidy(mass)} kg", "" if whole else ", less the guessed rollers"
    of_file = bool(found and found.mass > 0)
    return {"roller.mass": Value(parts.roller_mass, "kg", roller, not of_file),
            "roller.axial_inertia": Value(parts.roller_axial, "kg m2", roller if has else "of its shape, solid", not has),
            "roller.diametral_inertia": Value(parts.roller_diametral, "kg m2", roller if has else "of its shape, solid", not has),
            "disc.mass": Value(parts.disc_mass, "kg", whole_mass.source + rest, whole_mass.guess),
            "disc.axial_inertia": Value(parts.disc_axial, "kg m2", about_axle.source + rest, about_axle.guess),
            "disc.diametral_inertia": Value(parts.disc_diametral, "kg m2", across.source + rest, across.guess)}


def _joint_values(wheel: Wheel) -> "dict[str, Value]":
    """Limits and losses of the wheel's joint, and losses of its rollers."""
    joint, rollers = wheel.joint, wheel.rollers
    of, inner = f"of joint {joint.name}", "mean of the rollers' joints"
    rows = [("axle_bearing", joint.damping, "N m s", f"damping {of}"), ("axle_dry.torque", joint.friction, "N m", f"friction {of}"),
            ("roller.bearing", rollers.damping if rollers else None, "N m s", inner), ("roller.dry.torque", rollers.friction if rollers else None, "N m", inner),
            ("motor.rotor_inertia", joint.rotor, "kg m2", f"armature {of}"),
            ("drive.torque_limit", joint.effort if wheel.driven else None, "N m", f"effort limit {of}")]
    return {path: Value(number, unit, source) for path, number, unit, source in rows if number is not None and number > 0}


def _control(vehicle: Vehicle) -> "dict[str, Value]":
    """Values that no description of a robot has: floor, controller, command."""
    driven = [wheel for wheel in vehicle.wheels if wheel.driven] or vehicle.wheels
    mass = vehicle.platform.mass + sum(wheel.mass for wheel in vehicle.wheels)
    radius = statistics.median(wheel.radius or 0.05 for wheel in driven)
    inertia, damping = (mass or 10.0) * radius**2 / len(driven), max(wheel.joint.damping or 0.0 for wheel in driven)
    # A sampled loop of more than own / SAMPLED is badly damped where the wheel slides.
    own = min(body_of(wheel, wheel.radius or 0.05)[1].number for wheel in driven)
    gain = float(f"{min(max(GAIN_RATE * inertia, BEYOND_LOSS * damping), own / SAMPLED):.2g}")
    integral = float(f"{INTEGRAL_RATE * max(gain, damping):.2g}")
    rates = [wheel.joint.velocity for wheel in driven if wheel.joint.velocity]
    speed = float(f"{min([0.3, *(0.25 * rate * radius for rate in rates)]):.2g}")
    values = {"wheel.friction": Value(0.5, "", f"between {'roller' if _with_rollers(vehicle) else 'tyre'} and floor", True),
              "wheel.slip_speed": Value(0.02, "m/s", "slip at which friction is full", True),
              "wheel.drive.kp": Value(gain, "N m s", f"follows a wheel rate at about {gain / inertia if gain < 0.9 * GAIN_RATE * inertia else GAIN_RATE:.2g} rad/s", True),
              "wheel.drive.ki": Value(integral, "N m", "gain of the wheel's angle", True)}
    tyres = [wheel for wheel in vehicle.wheels if wheel.kind == "plain" and not wheel.foot]
    if not tyres:
        values["command.vx"] = Value(speed, "m/s", "forward", True)
        values["command.vy"] = Value(speed / 2, "m/s", "to the left", True)
        return values
    values.update(_command_of_tyres(tyres, speed))
    fixed = [i for i, wheel in enumerate(vehicle.wheels) if wheel in tyres and wheel.driven]
    if len(fixed) < len(vehicle.wheels) and len(fixed) > 1:
        values["odometry.wheels"] = Value(fixed, "", "driven wheels; the rates of the others tell little")
    return values


def _command_of_tyres(tyres: "list[Wheel]", speed: float) -> "dict[str, Value]":
    """Along the tyres, and on a circle where they have one axle: its points move across it."""
    axis = tyres[0].axis * (1 if tyres[0].axis[1] >= 0 else -1)
    place = np.mean([wheel.center for wheel in tyres], axis=0)
    track = max(float(np.linalg.norm((wheel.center - place)[:2])) for wheel in tyres)
    circles = all(on_one_axle(tyres[0], wheel) for wheel in tyres[1:]) and track > 0
    rate = float(f"{speed / (4 * track):.2g}") if circles else 0.0
    aside = rate * float(place[0] * axis[1] - place[1] * axis[0])  # of the axle, along it, as the vehicle turns about its origin
    values = {"command.vx": Value(speed * axis[1] - aside * axis[0], "m/s", "forward", True)}
    across = -speed * axis[0] - aside * axis[1]
    if abs(across) > 1e-9:
        values["command.vy"] = Value(across, "m/s", "to the left, for the axle rolls straight on", True)
    if rate:
        values["command.yaw_rate"] = Value(rate, "rad/s", "to the left, on a circle twice as wide as the wheels are apart", True)
    return values


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
    # A locked wheel slides all the time, and odometry goes without it.
    slip = ["odometry_error", "odometry_yaw_error"] if "odometry.wheels" in values else ["max_slip"]
    return {"title": f"{name}, imported from {one_line(os.path.basename(robot.path))}", "model": "omni_vehicle", "frame": "ros", "parameters": parameters,
            "integrator": {"tolerance": 1e-3, "duration": "2 s"},
            "output": {"observables": ["path_length", "deviation", "max_deviation", "yaw_deviation", *slip, "vibration_rms", "min_load"],
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
    elif isinstance(node, dict) or key == "wheels":  # of parameters
        ends = "{}" if isinstance(node, dict) else "[]"
        items = list(node.items()) if isinstance(node, dict) else [("", item) for item in node]
        lines.append(f"{blanks}{head}{ends[0]}")
        for i, (name, item) in enumerate(items):
            _write(lines, item, name, depth + 1, "," if i + 1 < len(items) else "")
        lines.append(f"{blanks}{ends[1]}{comma}")
    else:
        lines.append(f"{blanks}{head}{json.dumps(node, ensure_ascii=False)}{comma}")
