"""The vehicle on wheels in a robot: its wheels with their rollers, and everything else as one platform. Axes are ROS's in the frame of
its base: x forward, y to the left, z up."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np

from .kinds import decide_straight, decide_swivels
from .robot import DUMMY, FREE, Array, Joint, Robot, Shape, Tree, lump
from .rollers import TIP
from .standing import standing_of, underside
from .wheels import Rollers, Swivel, Vehicle, Wheel

BASES = ("base_footprint", "base_link", "base", "chassis")  # whose origin and axes the study has, the first that there is
SAME_PLANE = 0.05  # of the radius, between the undersides of two wheels on one floor
NEAR = 0.3  # of the radius of a wheel, between its underside and a caster's or a foot's on the same floor
OTHER_RADIUS = 0.05  # m, where the file has none


def vehicle_of(robot: Robot) -> Vehicle:
    """The vehicle that the robot is. Raises StudyError where it is no tree of links."""
    tree = Tree(robot)
    standing = standing_of(tree, _base(tree, set()))
    turning = [joint.child for joint in standing.straight] + [swivel.child for swivel, _ in standing.swivels]
    base = _base(tree, {name for top in turning for name in tree.all_below(top)})
    to_base = np.linalg.inv(tree.poses[base])
    poses = {name: to_base @ pose for name, pose in tree.poses.items()}
    wheels = [_wheel(tree, [joint], poses) for joint in standing.straight]
    wheels += [_below_swivel(tree, swivel, joints, poses) for swivel, joints in standing.swivels]
    vehicle = Vehicle(robot, base, wheels, lump([], poses), [], 0.0, standing.others, [])
    decide_swivels(robot, wheels)
    firm = [wheel for wheel in wheels if wheel.kind != "caster"] or wheels
    vehicle.floor = floor = _fill_radii(firm, base)
    for wheel in wheels:
        _fill_caster(wheel, floor)
        _doubt(wheel)
    vehicle.wheels = [wheel for wheel in wheels if _stands(vehicle, wheel, SAME_PLANE * (wheel.radius or OTHER_RADIUS) if wheel in firm else _near(firm))]
    taken = {name for wheel in vehicle.wheels for name in tree.all_below((wheel.swivel or wheel).joint.child)}
    rest = [name for name in tree.order if name not in taken]
    if vehicle.wheels:
        vehicle.wheels = vehicle.wheels + _feet(tree, vehicle, standing.feet, rest, poses, _near(firm))
    decide_straight(vehicle)
    vehicle.held = [joint.name for joint in robot.joints if joint.child in rest and joint.kind not in ("fixed", *DUMMY)]
    vehicle.platform, vehicle.platform_links = lump((robot.links[name] for name in rest), poses), rest
    return vehicle


def _height(wheel: Wheel) -> float:
    return float(wheel.center[2]) - (wheel.radius or 0.0)


def _near(wheels: "list[Wheel]") -> float:
    return NEAR * float(np.median([wheel.radius or OTHER_RADIUS for wheel in wheels])) if wheels else 0.0


def _stands(vehicle: Vehicle, wheel: Wheel, room: float) -> bool:
    """Whether a wheel is on the floor; the others of the vehicle have a row for one that is not."""
    height = _height(wheel) - vehicle.floor
    if abs(height) > room:
        vehicle.others.append(f"{wheel.joint.name}: stands {abs(height):.3g} m {'above' if height > 0 else 'below'} the plane that the lowest wheel touches")
        return False
    if abs(height) > SAME_PLANE * (wheel.radius or OTHER_RADIUS):
        wheel.notes.append(f"{wheel.joint.name}: its underside, {1e3 * abs(height):.3g} mm {'above' if height > 0 else 'below'} that of the wheels, is put there")
    return True


def _base(tree: Tree, taken: "set[str]") -> str:
    """The link whose frame the study has: one of BASES, else the first one below joints that leave the whole robot free."""
    for wanted in BASES:
        for name in tree.order:
            if name not in taken and re.split(r"[/:]", name)[-1].lower() in (wanted, f"robot_{wanted}"):
                return name
    free = [joint.child for joint in tree.robot.joints if joint.kind in DUMMY and joint.child not in taken]
    return free[-1] if free else next((name for name in tree.order if tree.robot.links[name].named and name not in taken), tree.root)


def _wheel(tree: Tree, joints: "list[Joint]", poses: "dict[str, Array]") -> Wheel:
    """The wheel of a joint, or twins side by side as one."""
    joint, links = joints[0], tree.robot.links
    axis = poses[joint.child][:3, :3] @ joint.axis
    axis = np.array([axis[0], axis[1], 0.0]) / np.hypot(axis[0], axis[1])
    roller_joints = _roller_joints(tree, joint, poses, axis) if len(joints) == 1 else []
    of_rollers = {name for roller in roller_joints for name in tree.all_below(roller.child)}
    own = [name for each in joints for name in tree.all_below(each.child) if name not in of_rollers]
    centers = []
    for each in reversed(joints):
        inside = set(tree.all_below(each.child))
        wheel = Wheel(joint, poses[each.child][:3, 3].copy(), axis, None, None, lump((links[name] for name in own), poses), None)
        _shape_wheel(wheel, [(shape, poses[name] @ shape.pose) for name in own if name in inside for shape in links[name].shapes])
        centers.append(wheel.center)
    wheel.center = sum(centers, np.zeros(3)) / len(centers)
    if roller_joints:
        _add_rollers(tree, wheel, roller_joints, poses)
    if len(joints) > 1:
        wheel.joint = _as_one(joints)
        wheel.notes.append(f"{' and '.join(each.name for each in joints)}: twins side by side are one wheel between them, which does not scrub where it turns")
    return wheel


def _as_one(joints: "list[Joint]") -> Joint:
    """The first joint, with the efforts and losses of all."""
    def total(word: str) -> "float | None":
        return sum(getattr(joint, word) or 0.0 for joint in joints) or None

    return replace(joints[0], effort=total("effort"), damping=total("damping"), friction=total("friction"), rotor=total("rotor"))


def _below_swivel(tree: Tree, swivel: Joint, joints: "list[Joint]", poses: "dict[str, Array]") -> Wheel:
    wheel = _wheel(tree, joints, poses)
    of_wheel = {name for joint in joints for name in tree.all_below(joint.child)}
    fork = lump((tree.robot.links[name] for name in tree.all_below(swivel.child) if name not in of_wheel), poses)
    center = np.array([*poses[swivel.child][:2, 3], wheel.center[2]])
    off = wheel.center - center
    aside = float(off @ wheel.axis)
    behind = off - aside * wheel.axis
    trail = float(np.linalg.norm(behind))
    lever = float(np.hypot(*(fork.center - center)[:2])) if fork.mass > 0 else 0.0
    wheel.swivel = Swivel(swivel, center, trail, math.atan2(-behind[1], -behind[0]) if trail > 0 else 0.0, fork, float(fork.inertia[2, 2]) + fork.mass * lever**2)
    wheel.swivel.aside = abs(aside)
    return wheel


def _fill_caster(wheel: Wheel, floor: float) -> None:
    """A caster without a shape gets the radius that takes it to the floor."""
    if wheel.radius is None:
        height = float(wheel.center[2]) - floor
        wheel.radius, wheel.source = (height, "guess: height of its axle above the floor") if height > 5e-3 else (OTHER_RADIUS, "guess: nothing in the file tells it")


def _feet(tree: Tree, vehicle: Vehicle, named: "list[str]", rest: "list[str]", poses: "dict[str, Array]", room: float) -> "list[Wheel]":
    """Links named as casters, and spheres of the platform that reach the floor."""
    found: "list[Wheel]" = []
    inside = {link for name in named for link in tree.all_below(name)}
    groups = [(name, tree.all_below(name)) for name in named] + [(name, [name]) for name in rest if name not in inside]
    for top, links in groups:
        shapes = [(underside(shape, poses[link] @ shape.pose), shape, poses[link] @ shape.pose) for link in links for shape in tree.robot.links[link].shapes
                  if top in named or shape.kind == "sphere"]
        solid = sorted(((low, not shape.collides, i) for i, (low, shape, _) in enumerate(shapes) if low is not None and (top in named or abs(low - vehicle.floor) <= room)))
        if not solid and not (top in named and shapes):
            continue
        low, _, at = solid[0] if solid else (vehicle.floor, True, 0)
        _, shape, pose = shapes[at]
        joint = tree.above.get(top) or Joint(f"{top} ({shape.kind})", "fixed", top, top, np.eye(4), np.array([0.0, 0.0, 1.0]), "")
        round_below = shape.kind == "sphere" or (shape.kind == "cylinder" and abs(float(pose[2, 2])) < 0.1)
        radius = shape.radius if round_below else None
        wheel = Wheel(joint, np.array([*pose[:2, 3], low + (radius or 0.0)]), np.array([0.0, 1.0, 0.0]), radius, None, lump([], poses), None, shape.kind, foot=shape.kind,
                      friction=shape.friction)
        if not any(np.linalg.norm(wheel.center[:2] - other.center[:2]) < 1e-3 for other in found) and _stands(vehicle, wheel, room):
            found.append(wheel)
    return found


def _doubt(wheel: Wheel) -> None:
    """Notes values that the file can hardly mean."""
    ring = wheel.body.mass * (wheel.radius or 0.0)**2
    if wheel.axial_inertia > 1.001 * ring > 0:
        wheel.notes.append(f"{wheel.joint.child}: its inertia about the axle is {wheel.axial_inertia / ring:.3g} times that of a ring of its mass and radius; "
                           "correct the file")
    offset = float(np.linalg.norm(wheel.body.center - wheel.center)) if wheel.body.mass > 0 else 0.0
    if offset > 1e-3:
        wheel.notes.append(f"{wheel.joint.child}: its centre of mass, {1e3 * offset:.3g} mm from the wheel's centre, is put there")


def _roller_joints(tree: Tree, joint: Joint, poses: "dict[str, Array]", axis: Array) -> "list[Joint]":
    """Joints below a wheel that turn freely about an axis of their own: rollers, where there are three or more."""
    found = []
    for name in tree.all_below(joint.child)[1:]:
        roller = tree.above[name]
        if roller.kind in FREE and abs(float(axis @ poses[name][:3, :3] @ roller.axis)) < math.cos(math.radians(2)):
            found.append(roller)
    return found if len(found) >= 3 else []


def _shape_wheel(wheel: Wheel, shapes: "list[tuple[Shape, Array]]") -> None:
    """Radius, width and the centre along the axle, from the first kind of shape that tells them."""
    order = [(kind, collides) for collides in (True, False) for kind in ("cylinder", "ellipsoid", "sphere", "capsule")]
    for kind, collides in order:
        for shape, pose in shapes:
            if (shape.kind, shape.collides) != (kind, collides) or shape.radius <= 0:
                continue
            off = pose[:3, 3] - wheel.center
            across = off - (off @ wheel.axis) * wheel.axis
            if np.linalg.norm(across) > 0.2 * shape.radius:
                continue  # a part of the wheel
            wheel.radius, wheel.width = shape.radius, shape.length if kind in ("cylinder", "ellipsoid") else None
            wheel.source = f"{kind} of {'collision' if collides else 'visual'}"
            wheel.center = wheel.center + (off @ wheel.axis) * wheel.axis
            if kind == "cylinder" and abs(float(pose[:3, 2] @ wheel.axis)) < math.cos(math.radians(10)):
                wheel.notes.append(f"{wheel.joint.child}: its cylinder lies across the axle; its radius is taken nevertheless")
            return


def _add_rollers(tree: Tree, wheel: Wheel, joints: "list[Joint]", poses: "dict[str, Array]") -> None:
    links, found = tree.robot.links, []
    for joint in joints:
        pose, own = poses[joint.child], tree.all_below(joint.child)
        direction = pose[:3, :3] @ joint.axis
        body = lump((links[name] for name in own), poses)
        off = _roller_center(pose, direction, [poses[name] @ shape.pose for name in own for shape in links[name].shapes]) - wheel.center
        radial = off - (off @ wheel.axis) * wheel.axis
        distance = float(np.linalg.norm(radial))
        if not distance > 0:
            continue
        tangent = np.cross(wheel.axis, radial / distance)
        angle = math.remainder(math.atan2(float(direction @ wheel.axis), float(direction @ tangent)), math.pi)
        inertia = float(direction @ body.inertia @ direction)
        widest = max((shape.radius for name in own for shape in links[name].shapes if shape.kind != "mesh"), default=0.0)
        found.append((angle, distance, float(off @ wheel.axis), body.mass, inertia, (float(np.trace(body.inertia)) - inertia) / 2, widest))
    if len(found) < 3:
        return
    angles, distances, along, masses, axial, across, outer = zip(*found)
    first = angles[0]
    turns = [math.remainder(angle - first, math.pi) for angle in angles]
    mean = math.remainder(first + sum(turns) / len(turns), math.pi)
    middle, low, high = sum(along) / len(along), min(along), max(along)
    rows = high - low if high - low > 1e-3 and all(min(a - low, high - a) < 0.1 * (high - low) for a in along) else 0.0
    wheel.center = wheel.center + middle * wheel.axis
    wheel.rollers = Rollers(len(angles), mean, float(np.mean(distances)), rows, max(outer) or None, float(np.mean(masses)),
                            float(np.mean(axial)), float(np.mean(across)),
                            float(np.mean([joint.damping or 0.0 for joint in joints])), float(np.mean([joint.friction or 0.0 for joint in joints])),
                            max(abs(turn - (mean - first)) for turn in turns))
    if wheel.rollers.radius:
        wheel.radius, wheel.source = wheel.rollers.center_distance + wheel.rollers.radius, "places and radius of the rollers"
    if wheel.rollers.spread > math.radians(1):
        wheel.notes.append(f"{wheel.joint.child}: its rollers differ by up to {math.degrees(wheel.rollers.spread):.3g} deg in inclination; the mean is taken")


def _roller_center(pose: Array, direction: Array, shapes: "list[Array]") -> Array:
    """The middle of the shapes on the roller's axis, whose joint may stand at an end of it."""
    place = pose[:3, 3]
    if not shapes:
        return place
    along = [float((shape[:3, 3] - place) @ direction) for shape in shapes]
    return place + (min(along) + max(along)) / 2 * direction


def _fill_radii(wheels: "list[Wheel]", base: str) -> float:
    """Guesses radii that no shape tells, and returns the height of the floor in the frame of the base."""
    known = sorted(wheel.radius for wheel in wheels if wheel.radius)
    for wheel in wheels:
        if wheel.radius is None:
            height = float(wheel.center[2])
            if wheel.rollers:
                least = (1 - TIP / math.sqrt(1 - (math.sin(math.pi / wheel.rollers.count) * math.cos(wheel.rollers.inclination))**2))
                wheel.radius = wheel.rollers.center_distance / least / math.cos(math.pi / wheel.rollers.count)
                wheel.source = "guess: rollers in their places that follow each other"
            elif known:
                wheel.radius, wheel.source = known[len(known) // 2], "guess: that of another wheel"
            elif base.lower().endswith("base_footprint") and height > 5e-3:
                wheel.radius, wheel.source = height, "guess: height of the centre over base_footprint"
            else:
                wheel.radius, wheel.source = OTHER_RADIUS, "guess: nothing in the file tells it"
    return min((_height(wheel) for wheel in wheels), default=0.0)
