"""What of a robot is a vehicle on wheels: its wheels with their rollers, and everything else as one platform. Axes are those of ROS in the
frame of its base: x forward, y to the left, z up."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np

from .rollers import TIP
from .robot import DUMMY, FREE, Array, Joint, Lump, Robot, Shape, Tree, lump

BASES = ("base_footprint", "base_link", "base", "chassis")  # whose origin and axes the study has, the first that there is
WHEEL_NAME = re.compile(r"wheel|omni|mecanum|swedish|tire|tyre|rueda|roue|rad(?![a-z])", re.IGNORECASE)
FIXED_WHEEL = re.compile(r"wheel|tire|tyre|rueda|roue(?![a-z])", re.IGNORECASE)
CASTER_NAME = re.compile(r"cast[eo]r", re.IGNORECASE)
LEVEL = math.sin(math.radians(5))  # an axis further from the horizontal is none of a wheel
SAME_PLANE = 0.05  # of the radius, between the undersides of two wheels on one floor
OTHER_RADIUS = 0.05  # m, where nothing tells it


@dataclass
class Rollers:
    """Of one wheel, from links of their own."""

    count: int
    inclination: float  # psi, as the study has it
    center_distance: float
    row_distance: float
    radius: float | None  # the largest, None where no shape says it
    mass: float
    axial_inertia: float
    diametral_inertia: float
    damping: float  # of the bearings
    friction: float
    spread: float  # largest difference of a roller's inclination from the mean


@dataclass
class Wheel:
    joint: Joint
    center: Array  # in the frame of the base
    axis: Array  # unit, horizontal
    radius: float | None
    width: float | None
    body: Lump  # without rollers, in the axes of the base
    rollers: Rollers | None
    source: str = ""  # where the radius is from
    notes: "list[str]" = field(default_factory=list)

    @property
    def axis_angle(self) -> float:
        """The study's: the axis is (-sin, cos, 0)."""
        return math.atan2(-self.axis[0], self.axis[1])

    @property
    def axial_inertia(self) -> float:
        return float(self.axis @ self.body.inertia @ self.axis)

    @property
    def diametral_inertia(self) -> float:
        return float(np.trace(self.body.inertia) - self.axial_inertia) / 2

    @property
    def mass(self) -> float:
        return self.body.mass + (self.rollers.count * self.rollers.mass if self.rollers else 0.0)


@dataclass
class Vehicle:
    robot: Robot
    base: str
    wheels: "list[Wheel]"
    platform: Lump
    platform_links: "list[str]"
    floor: float  # height of the floor in the frame of the base
    others: "list[str]"  # what is round and no wheel of ours, each with the reason
    held: "list[str]"  # joints that are taken as fixed


def vehicle_of(robot: Robot) -> Vehicle:
    """The vehicle that the robot is. Raises StudyError where it is no tree of links."""
    tree = Tree(robot)
    wheel_joints, others = _wheel_joints(tree)
    taken = {name for joint in wheel_joints for name in tree.all_below(joint.child)}
    base = _base(tree, taken)
    to_base = np.linalg.inv(tree.poses[base])
    poses = {name: to_base @ pose for name, pose in tree.poses.items()}
    wheels = [_wheel(tree, joint, poses) for joint in wheel_joints]
    floor = _fill_radii(wheels, base)
    for wheel in wheels:
        _doubt(wheel)
    on_floor = [wheel for wheel in wheels if _height(wheel) - floor <= SAME_PLANE * (wheel.radius or OTHER_RADIUS)]
    for wheel in wheels:
        if wheel not in on_floor:
            others.append(f"{wheel.joint.name}: stands {_height(wheel) - floor:.3g} m above the plane that the lowest wheel touches")
    taken = {name for wheel in on_floor for name in tree.all_below(wheel.joint.child)}
    rest = [name for name in tree.order if name not in taken]
    held = [joint.name for joint in robot.joints if joint.child in rest and joint.kind not in ("fixed", *DUMMY)]
    return Vehicle(robot, base, on_floor, lump((robot.links[name] for name in rest), poses), rest, floor, others, held)


def _height(wheel: Wheel) -> float:
    return float(wheel.center[2]) - (wheel.radius or 0.0)


def _base(tree: Tree, taken: "set[str]") -> str:
    """The link whose frame the study has: one of BASES, else the first one below joints that leave the whole robot free."""
    for wanted in BASES:
        for name in tree.order:
            if name not in taken and re.split(r"[/:]", name)[-1].lower() in (wanted, f"robot_{wanted}"):
                return name
    free = [joint.child for joint in tree.robot.joints if joint.kind in DUMMY and joint.child not in taken]
    return free[-1] if free else next((name for name in tree.order if tree.robot.links[name].named and name not in taken), tree.root)


def _up(tree: Tree, link: str, axis: Array, base: Array) -> float:
    """How far a unit axis of a link is from the base's horizontal."""
    return abs(float(base[:3, 2] @ tree.poses[link][:3, :3] @ axis))


def _wheel_joints(tree: Tree) -> "tuple[list[Joint], list[str]]":
    """Joints of what may be wheels, and what looks like one and is none, with the reason."""
    base = tree.poses[_base(tree, set())]
    links = tree.robot.links
    found: "list[Joint]" = []
    others: "list[str]" = []
    ours: "set[str]" = set()  # links of wheels
    for name in tree.order[1:]:
        joint = tree.above[name]
        words = f"{joint.name} {name}"
        if name in ours:
            continue
        if CASTER_NAME.search(words) and joint.kind in ("fixed", *FREE):
            others.append(f"{joint.name}: a caster by its name")
            ours.update(tree.all_below(name))
            continue
        if not (FIXED_WHEEL if joint.kind == "fixed" else WHEEL_NAME).search(words) and not any(
                shape.kind != "box" for link in tree.fixed_to(name) for shape in links[link].shapes):
            continue
        if joint.kind == "fixed" and FIXED_WHEEL.search(words) and links[name].shapes and not any(c.kind in FREE for c in tree.below[name]):
            others.append(f"{joint.name}: the link {name} looks like a wheel, but its joint is fixed; make it continuous, with the wheel's axis")
        elif joint.kind in FREE and _up(tree, name, joint.axis, base) < LEVEL:
            found.append(joint)
            ours.update(tree.all_below(name))
    ways = [{joint.name: joint for joint in tree.joints_above(wheel.child)[:-1] if joint.kind in FREE} for wheel in found]
    whole = set(ways[0]).intersection(*ways[1:]) if len(ways) > 1 else set()  # these turn the whole robot
    for wheel, way in zip(found[:], ways):
        turning = [name for name in way if name not in whole]
        if turning:
            found.remove(wheel)
            others.append(f"{wheel.name}: turns with {turning[0]}, as the wheel of a caster or one that is steered")
    return found, others


def _wheel(tree: Tree, joint: Joint, poses: "dict[str, Array]") -> Wheel:
    links, pose = tree.robot.links, poses[joint.child]
    axis = pose[:3, :3] @ joint.axis
    axis = np.array([axis[0], axis[1], 0.0]) / np.hypot(axis[0], axis[1])
    roller_joints = _roller_joints(tree, joint, poses, axis)
    of_rollers = {name for roller in roller_joints for name in tree.all_below(roller.child)}
    own = [name for name in tree.all_below(joint.child) if name not in of_rollers]
    wheel = Wheel(joint, pose[:3, 3].copy(), axis, None, None, lump((links[name] for name in own), poses), None)
    _shape_wheel(wheel, [(shape, poses[name] @ shape.pose) for name in own for shape in links[name].shapes])
    if roller_joints:
        _add_rollers(tree, wheel, roller_joints, poses)
    return wheel


def _doubt(wheel: Wheel) -> None:
    """Notes what the file can hardly mean."""
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
    links, angles, distances, along, outer = tree.robot.links, [], [], [], []
    lumps, axial, across = [], [], []
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
        angles.append(math.remainder(math.atan2(float(direction @ wheel.axis), float(direction @ tangent)), math.pi))
        distances.append(distance)
        along.append(float(off @ wheel.axis))
        lumps.append(body.mass)
        axial.append(float(direction @ body.inertia @ direction))
        across.append((float(np.trace(body.inertia)) - axial[-1]) / 2)
        outer.append(max((shape.radius for name in own for shape in links[name].shapes if shape.kind != "mesh"), default=0.0))
    if len(angles) < 3:
        return
    first = angles[0]
    turns = [math.remainder(angle - first, math.pi) for angle in angles]
    mean = math.remainder(first + sum(turns) / len(turns), math.pi)
    middle, low, high = sum(along) / len(along), min(along), max(along)
    rows = high - low if high - low > 1e-3 and all(min(a - low, high - a) < 0.1 * (high - low) for a in along) else 0.0
    wheel.center = wheel.center + middle * wheel.axis
    wheel.rollers = Rollers(len(angles), mean, float(np.mean(distances)), rows, max(outer) or None, float(np.mean(lumps)),
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
