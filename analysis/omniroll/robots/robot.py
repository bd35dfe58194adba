"""A robot as links and joints, whatever file it is from. Lengths in m, masses in kg; a pose is a 4 x 4 matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Iterable

import numpy as np

from ..errors import StudyError

Array = Any  # of numpy
FREE = ("continuous",)  # kinds of joints that turn without end
MOST_LINKS = 5000
DUMMY = ("floating", "planar")  # joints that leave the whole robot free


@dataclass
class Shape:
    """A body of a link: "cylinder", "sphere", "capsule" (radius, length along z), "ellipsoid", "box" or "mesh"."""

    kind: str
    pose: Array  # in the link
    radius: float = 0.0
    length: float = 0.0
    collides: bool = True
    half: "tuple[float, ...]" = (0.0, 0.0, 0.0)  # half the extents of a box or an ellipsoid
    friction: float | None = None  # with the floor


@dataclass
class Link:
    name: str
    where: str
    mass: float = 0.0
    center: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))  # about the centre of mass, in the link's axes
    shapes: "list[Shape]" = field(default_factory=list)
    named: bool = True  # in the file


@dataclass
class Joint:
    """`axis` is in the axes of the child. Values that a file does not give are None."""

    name: str
    kind: str  # fixed, continuous, revolute, prismatic, floating, planar, ball
    parent: str
    child: str
    pose: Array  # of the child in its parent
    axis: Array
    where: str
    effort: float | None = None
    velocity: float | None = None
    damping: float | None = None
    friction: float | None = None
    rotor: float | None = None  # inertia of the motor, at the joint
    mimics: str = ""  # the joint that it turns with


@dataclass
class Robot:
    name: str
    path: str
    links: "dict[str, Link]"
    joints: "list[Joint]"
    notes: "list[str]" = field(default_factory=list)  # odd parts, and parts that had to be taken for something
    ignored: "dict[str, int]" = field(default_factory=dict)  # kinds of elements that have no place in a study
    driven: "set[str]" = field(default_factory=set)  # joints that the file gives an actuator; none: it says nothing of actuators

    def ignore(self, what: str, count: int = 1) -> None:
        if count:
            self.ignored[what] = self.ignored.get(what, 0) + count

    def doubt_inertia(self, link: Link) -> None:
        """Leaves out an inertia that no body has."""
        if float(np.min(np.linalg.eigvalsh((link.inertia + link.inertia.T) / 2))) < -1e-9 * float(np.max(np.abs(link.inertia))):
            self.notes.append(f"{link.where}: link {link.name} has a moment of inertia below 0, and counts as without any; correct it")
            link.inertia = np.zeros((3, 3))

    def loss(self, joint: Joint, word: str, value: float) -> float | None:
        """A damping or friction; None where there is none."""
        if value < 0:
            self.notes.append(f"{joint.where}: joint {joint.name}: {word} is below 0, and left out; correct it")
        return value if value > 0 else None


@dataclass
class Lump:
    """Links as one rigid body: mass, centre and the inertia about it, in the axes of the poses that it was made with."""

    mass: float
    center: Array
    inertia: Array


def pose_of(place: Iterable[float], turn: Array) -> Array:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, tuple(place)
    return pose


def turn_of_rpy(roll: float, pitch: float, yaw: float) -> Array:
    """URDF's: about the fixed axes x, then y, then z."""
    (sr, sp, sy), (cr, cp, cy) = (tuple(map(f, (roll, pitch, yaw))) for f in (math.sin, math.cos))
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                     [-sp, cp * sr, cp * cr]])


def lump(links: Iterable[Link], poses: "dict[str, Array]") -> Lump:
    """The links in the places of `poses`, as one body."""
    parts = [(link.mass, poses[link.name][:3, :3] @ link.center + poses[link.name][:3, 3],
              poses[link.name][:3, :3] @ link.inertia @ poses[link.name][:3, :3].T) for link in links if link.mass > 0]
    mass = sum(m for m, _, _ in parts)
    center = sum((m * c for m, c, _ in parts), np.zeros(3)) / (mass or 1)
    inertia = np.zeros((3, 3))
    for m, c, own in parts:
        d = c - center
        inertia += own + m * (d @ d * np.eye(3) - np.outer(d, d))
    return Lump(mass, center, inertia)


class Tree:
    """Who hangs on whom, and where each link is while all joints are at zero. Raises StudyError where the joints make no tree."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        if len(robot.links) > MOST_LINKS:
            raise StudyError(f"{robot.path}: has {len(robot.links)} links; at most {MOST_LINKS} are read")
        self.above: "dict[str, Joint]" = {}
        self.below: "dict[str, list[Joint]]" = {name: [] for name in robot.links}
        for joint in robot.joints:
            for end in (joint.parent, joint.child):
                if end not in robot.links:
                    raise StudyError(f"{joint.where}: joint {joint.name}: there is no link {end}; add it, or correct the name")
            if joint.child in self.above:
                raise StudyError(f"{joint.where}: link {joint.child} hangs on two joints, {self.above[joint.child].name} and {joint.name}; one is one too many")
            self.above[joint.child] = joint
            self.below[joint.parent].append(joint)
        roots = [name for name in robot.links if name not in self.above]
        if len(roots) != 1:
            raise StudyError(f"{robot.path}: " + (f"{len(roots)} links hang on no joint ({', '.join(roots[:4])}); all but one need one" if roots
                                                  else "no link to begin with: the joints make a circle, or there is no link"))
        self.root = roots[0]
        self.order = [self.root]
        self.poses = {self.root: np.eye(4)}
        for name in self.order:  # grows
            for joint in self.below[name]:
                self.poses[joint.child] = self.poses[name] @ joint.pose
                self.order.append(joint.child)
        if len(self.order) != len(robot.links):
            lost = next(name for name in robot.links if name not in self.poses)
            raise StudyError(f"{robot.links[lost].where}: link {lost} does not hang on {self.root}: joints make a circle")

    def joints_above(self, link: str) -> "list[Joint]":
        """From the root down to the link."""
        found = []
        while link in self.above:
            found.append(self.above[link])
            link = self.above[link].parent
        return found[::-1]

    def all_below(self, link: str) -> "list[str]":
        """The link and all that hang on it."""
        found = [link]
        for name in found:  # grows
            found.extend(joint.child for joint in self.below[name])
        return found

    def fixed_to(self, link: str) -> "list[str]":
        """The link and all that fixed joints hang on it."""
        found = [link]
        for name in found:  # grows
            found.extend(joint.child for joint in self.below[name] if joint.kind == "fixed")
        return found
