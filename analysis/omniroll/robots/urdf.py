"""URDF, the description of robots of ROS: http://wiki.ros.org/urdf/XML"""

from __future__ import annotations

import collections
import re

import numpy as np

from ..errors import StudyError
from .robot import DUMMY, Array, Joint, Link, Robot, Shape, pose_of, turn_of_rpy
from .xml_tree import XACRO, Element, at_least_0

OF_PLUGIN = re.compile(r"(?=.*(left|right|steer|wheel))(?=.*joint)", re.IGNORECASE)  # elements of a plugin of Gazebo that name a joint it drives
KINDS = ("fixed", "revolute", "prismatic", *DUMMY, "continuous")  # of joints


def refuse_xacro(root: Element, path: str) -> None:
    """Raises StudyError where the file is one of xacro, whose macros have to be expanded first."""
    tagged = next((element for element in root.every() if element.tag.startswith("xacro:")), None)
    if tagged is not None or path.endswith(".xacro"):
        where, what = (tagged.where, f"has <{tagged.tag}>") if tagged is not None else (path, "is named as a file of xacro")
        raise StudyError(f"{where}: {what}, which has to be expanded first: {XACRO.replace('robot.xacro', path)} "
                         "(pip install xacro; with ROS, ros2 run xacro xacro)")


def robot_of(root: Element, path: str) -> Robot:
    """The robot of <robot>. Raises StudyError."""
    links: "dict[str, Link]" = {}
    joints: "dict[str, Joint]" = {}
    robot = Robot(root.attributes.get("name", ""), path, links, [])
    for element in root.all("link"):
        name = element.text("name")
        if name in links:
            raise StudyError(f"{element.where}: there are two links {name}; rename one")
        links[name] = _link(element, robot)
    for element in root.all("joint"):
        joint = _joint(element, robot)
        if joint.name in joints:
            raise StudyError(f"{element.where}: there are two joints {joint.name}; rename one")
        joints[joint.name] = joint
    for joint in joints.values():
        if joint.mimics and joint.mimics not in joints:
            raise StudyError(f"{joint.where}: joint {joint.name}: there is no joint {joint.mimics} that it could mimic; correct the name")
    robot.joints.extend(joints.values())
    robot.driven.update(_driven(root).intersection(joints))
    for tag, count in collections.Counter(element.tag for element in root.inside).items():
        if tag not in ("link", "joint"):
            robot.ignore(f"<{tag}>", count)
    return robot


def _driven(root: Element) -> "set[str]":
    """Joints that a transmission, a command interface of ros2_control or a plugin of Gazebo drives."""
    found = {joint.attributes.get("name", "") for part in root.all("transmission") for joint in part.all("joint")}
    found |= {joint.attributes.get("name", "") for part in root.all("ros2_control") for joint in part.all("joint") if joint.first("command_interface")}
    return found | {element.words for part in root.all("gazebo") for element in part.every() if OF_PLUGIN.match(element.tag)}


def _origin(element: Element) -> Array:
    origin = element.first("origin")
    if origin is None:
        return np.eye(4)
    return pose_of(origin.numbers("xyz", 3, (0, 0, 0)), turn_of_rpy(*origin.numbers("rpy", 3, (0, 0, 0))))


def _link(element: Element, robot: Robot) -> Link:
    link = Link(element.text("name"), element.where)
    inertial = element.first("inertial")
    if inertial is not None:
        mass, pose, inertia = inertial.first("mass"), _origin(inertial), inertial.first("inertia")
        link.mass = mass.number("value") if mass is not None else 0.0
        if link.mass < 0:
            raise StudyError(f"{inertial.where}: link {link.name} has a mass below 0; correct it")
        link.center = pose[:3, 3]
        if inertia is not None:
            xx, xy, xz, yy, yz, zz = (inertia.number(name, 0.0) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
            link.inertia = pose[:3, :3] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ pose[:3, :3].T
            robot.doubt_inertia(link)
    for body in element.all("collision", "visual"):
        geometry = body.first("geometry")
        for what in geometry.inside if geometry is not None else []:
            shape = _shape(what, _origin(body), body.tag == "collision")
            if shape is not None:
                link.shapes.append(shape)
            if what.tag == "mesh":
                robot.ignore("<mesh>, whose file is not opened")
    return link


def _shape(what: Element, pose: Array, collides: bool) -> Shape | None:
    if what.tag in ("cylinder", "capsule"):
        (radius,), (length,) = at_least_0(what, "radius", 1), at_least_0(what, "length", 1)
        return Shape(what.tag, pose, radius, length, collides)
    if what.tag == "sphere":
        (radius,) = at_least_0(what, "radius", 1)
        return Shape("sphere", pose, radius, 2 * radius, collides)
    if what.tag == "box":
        x, y, z = at_least_0(what, "size", 3)
        return Shape("box", pose, collides=collides, half=(x / 2, y / 2, z / 2))
    return Shape("mesh", pose, collides=collides) if what.tag == "mesh" else None


def _joint(element: Element, robot: Robot) -> Joint:
    kind, name = element.text("type"), element.text("name")
    if kind not in KINDS:
        raise StudyError(f"{element.where}: joint {name}: type \"{kind[:40]}\" is none of URDF; it is one of {', '.join(KINDS)}")
    ends = []
    for end in ("parent", "child"):
        at = element.first(end)
        if at is None:
            raise StudyError(f"{element.where}: joint {name} has no <{end} link=.../>; give it one")
        ends.append(at.text("link"))
    axis, limit, dynamics = element.first("axis"), element.first("limit"), element.first("dynamics")
    direction = np.array(axis.numbers("xyz", 3, (1, 0, 0)) if axis is not None else (1, 0, 0), dtype=float)
    length = float(np.linalg.norm(direction))
    if kind not in ("fixed", *DUMMY) and not length > 0:
        raise StudyError(f"{element.where}: joint {name}: its axis has no direction; such as xyz=\"0 1 0\"")
    joint = Joint(name, kind, ends[0], ends[1], _origin(element), direction / (length or 1), element.where)
    if limit is not None:
        joint.effort, joint.velocity = (max(limit.number(word, 0.0), 0.0) or None for word in ("effort", "velocity"))  # some write -1 for none
        turns = (limit.number("upper", 0.0) - limit.number("lower", 0.0)) / (2 * np.pi)
        if kind == "revolute" and turns > 2.01:  # arms turn by up to two
            joint.kind = "continuous"
    mimic = element.first("mimic")
    joint.mimics = mimic.text("joint") if mimic is not None else ""
    if dynamics is not None:
        joint.damping, joint.friction = (robot.loss(joint, word, dynamics.number(word, 0.0)) for word in ("damping", "friction"))
    return joint
