"""The parts that a robot stands on: wheels that roll straight on, wheels below a swivel, and feet: balls, skids and fixed casters."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

from .robot import FREE, Array, Joint, Shape, Tree

WHEEL_NAME = re.compile(r"wheel|omni|mecanum|swedish|tire|tyre|rueda|roue|rad(?![a-z])", re.IGNORECASE)
FIXED_WHEEL = re.compile(r"wheel|tire|tyre|rueda|roue(?![a-z])", re.IGNORECASE)
CASTER_NAME = re.compile(r"cast[eo]r", re.IGNORECASE)
STEERED_NAME = re.compile(r"steer|swerve|azimuth|knuckle", re.IGNORECASE)
LEVEL = math.sin(math.radians(5))  # an axis further from the horizontal is none of a wheel; one as far from the vertical is none of a swivel
UPRIGHT = math.cos(math.asin(LEVEL))
TWINS = 2  # wheels of one caster; a swivel with more below it is no caster, whatever its name


@dataclass
class Standing:
    straight: "list[Joint]" = field(default_factory=list)
    swivels: "list[tuple[Joint, list[Joint]]]" = field(default_factory=list)  # an upright joint, and the wheels below it
    feet: "list[str]" = field(default_factory=list)  # links, named as casters, that cannot roll and swivel
    others: "list[str]" = field(default_factory=list)  # parts that look like a wheel and are none, with the reason


def standing_of(tree: Tree, base: str) -> Standing:
    """The joints that a robot may stand on; which of them are on the floor is decided elsewhere."""
    frame = tree.poses[base]
    found, others = _rolling(tree, frame)
    result = Standing(others=others)
    ways = {wheel.name: [joint for joint in tree.joints_above(wheel.child)[:-1] if joint.kind in (*FREE, "revolute", "ball")] for wheel in found}
    whole = set.intersection(*({joint.name for joint in way} for way in ways.values())) if len(found) > 1 else set()  # these turn the whole robot
    below: "dict[str, tuple[Joint, list[Joint]]]" = {}
    for wheel in found:
        way = [joint for joint in ways[wheel.name] if joint.name not in whole]
        upright = [joint for joint in way if joint.kind != "ball" and _height_of(tree, joint, frame) > UPRIGHT]
        loose = [joint for joint in way if joint not in upright and joint.kind != "revolute"]  # a hinge across is a suspension
        if loose or len(upright) > 1:
            others.append(f"{wheel.name}: turns with {(loose or upright)[0].name}, which is no upright swivel of one wheel")
        elif upright:
            below.setdefault(upright[0].name, (upright[0], []))[1].append(wheel)
        else:
            result.straight.append(wheel)
    for swivel, wheels in below.values():
        if len(wheels) > TWINS:
            others.extend(f"{wheel.name}: turns with {swivel.name} and {len(wheels) - 1} more" for wheel in wheels)
        else:
            result.swivels.append((swivel, wheels))
    _find_feet(tree, result)
    return result


def _height_of(tree: Tree, joint: Joint, base: Array) -> float:
    """How far the unit axis of a joint is from the base's horizontal."""
    return abs(float(base[:3, 2] @ tree.poses[joint.child][:3, :3] @ joint.axis))


def _rolling(tree: Tree, base: Array) -> "tuple[list[Joint], list[str]]":
    """Joints whose links are round or named as wheels and turn freely about a horizontal axis."""
    links = tree.robot.links
    found: "list[Joint]" = []
    others: "list[str]" = []
    ours: "set[str]" = set()  # links of wheels
    round_: "set[str]" = set()  # links with a shape that is no box, of their own or fixed to them
    for name in reversed(tree.order):
        if any(shape.kind != "box" for shape in links[name].shapes) or any(joint.kind == "fixed" and joint.child in round_ for joint in tree.below[name]):
            round_.add(name)
    for name in tree.order[1:]:
        joint = tree.above[name]
        words = f"{joint.name} {name}"
        if name in ours or not ((FIXED_WHEEL if joint.kind == "fixed" else WHEEL_NAME).search(words) or name in round_):
            continue
        if joint.kind == "fixed" and FIXED_WHEEL.search(words) and not CASTER_NAME.search(words) and links[name].shapes and not any(c.kind in FREE for c in tree.below[name]):
            others.append(f"{joint.name}: the link {name} looks like a wheel, but its joint is fixed; make it continuous, with the wheel's axis")
        elif joint.kind in FREE and _height_of(tree, joint, base) < LEVEL and not _is_ball(tree, joint):
            found.append(joint)
            ours.update(tree.all_below(name))
        elif joint.kind in (*FREE, "revolute") and FIXED_WHEEL.search(name) and _height_of(tree, joint, base) > UPRIGHT and not tree.below[name] and not CASTER_NAME.search(words):
            others.append(f"{joint.name}: turns the wheel {name} about an upright axis, and nothing about its axle; hang it on a continuous joint below")
    return found, others


def _is_ball(tree: Tree, joint: Joint) -> bool:
    """Whether only a ball turns on a joint whose name is no wheel's."""
    shapes = [shape for link in tree.fixed_to(joint.child) for shape in tree.robot.links[link].shapes]
    return not WHEEL_NAME.search(f"{joint.name} {joint.child}") and bool(shapes) and all(shape.kind == "sphere" for shape in shapes)


def _find_feet(tree: Tree, result: Standing) -> None:
    """Links named as casters; a wheel of theirs that rolls straight on is none of the vehicle's."""
    swivelling = {wheel.child for _, wheels in result.swivels for wheel in wheels}
    wheels = {wheel.child for wheel in result.straight} | swivelling
    count: "dict[str, int]" = {}  # of the wheels below each link
    for name in reversed(tree.order):
        count[name] = (name in wheels) + sum(count[joint.child] for joint in tree.below[name])
    done: "set[str]" = set()
    for name in tree.order[1:]:
        if name in done or count[name] > TWINS or not CASTER_NAME.search(f"{tree.above[name].name} {name}"):
            continue
        inside = set(tree.all_below(name))
        done |= inside
        if inside & swivelling:
            continue
        if not any(tree.robot.links[link].shapes for link in inside):
            result.others.append(f"{tree.above[name].name}: a caster by its name, without a shape")
            continue
        result.feet.append(name)
        result.straight = [wheel for wheel in result.straight if wheel.child not in inside]


def underside(shape: Shape, pose: Array) -> "float | None":
    """The lowest height of a shape at `pose`; None of a mesh."""
    up, half = np.abs(pose[2, :3]), shape.half
    if shape.kind == "sphere":
        reach = shape.radius
    elif shape.kind == "box":
        reach = float(up @ half)
    elif shape.kind == "ellipsoid":
        reach = float(np.linalg.norm(up * half))
    elif shape.kind == "cylinder":
        reach = float(up[2]) * shape.length / 2 + shape.radius * math.sqrt(max(0.0, 1 - float(up[2])**2))
    elif shape.kind == "capsule":
        reach = float(up[2]) * (shape.length / 2 - shape.radius) + shape.radius
    else:
        return None
    return float(pose[2, 3]) - reach
