"""MJCF, the models of MuJoCo: https://mujoco.readthedocs.io/en/stable/XMLreference.html"""

from __future__ import annotations

import collections
import math
from dataclasses import replace

import numpy as np

from ..errors import StudyError
from .robot import Array, Joint, Link, Robot, Shape, lump, pose_of
from .xml_tree import Element

KINDS = {"hinge": "continuous", "slide": "prismatic", "ball": "ball", "free": "floating"}
ACTUATORS = ("motor", "velocity", "intvelocity", "position", "general", "damper")
BODIES = ("body", "frame", "replicate")  # elements that hold bodies
MOST_COPIES = 1000  # of a <replicate>


def robot_of(root: Element, path: str) -> Robot:
    """The robot of <mujoco>: the body of the world that has most joints below it. Raises StudyError."""
    include = next((element for element in root.every() if element.tag in ("include", "attach")), None)
    if include is not None:
        raise StudyError(f"{include.where}: <{include.tag}> brings another file, which is not opened; import that file, or have MuJoCo write the whole: "
                         "python3 -c 'import mujoco as m; m.mj_saveLastXML(\"whole.xml\", m.MjModel.from_xml_path(\"robot.xml\"))'")
    model = _Model(root, path)
    bodies = [body for world in root.all("worldbody") for body in world.all(*BODIES)]
    best = max(bodies, key=lambda body: sum(element.tag in ("joint", "freejoint") for element in body.every()), default=None)
    if best is None:
        raise StudyError(f"{root.where}: no <worldbody> with a <body>; that is where the robot stands")
    model.world(best)
    model.actuators(root)
    for tag, count in collections.Counter(element.tag for part in root.all("sensor", "tendon", "equality") for element in part.inside).items():
        model.robot.ignore(f"<{tag}> of sensors, tendons and equalities", count)
    if len(bodies) > 1:
        model.robot.ignore("other bodies of the world", len(bodies) - 1)
    return model.robot


class _Model:
    """Reads bodies, with the defaults of the file."""

    def __init__(self, root: Element, path: str) -> None:
        compilers = {key: value for element in root.all("compiler") for key, value in element.attributes.items()}
        self.degrees = compilers.get("angle", "degree") != "radian"
        self.sequence = compilers.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or not set(self.sequence.lower()) <= set("xyz"):
            raise StudyError(f"{root.where}: eulerseq=\"{self.sequence[:20]}\" of <compiler>: expected three letters of xyz or XYZ")
        self.from_geoms = compilers.get("inertiafromgeom", "auto")
        self.defaults: "dict[str, dict[str, dict[str, str]]]" = {"main": {}}
        for element in root.all("default"):
            self._default(element, {}, "main")
        self.robot = Robot(root.attributes.get("model", ""), path, {}, [])
        self.copies = 0  # made by <replicate>
        self.names: "dict[str, int]" = {}  # how often each occurred

    def _default(self, element: Element, above: "dict[str, dict[str, str]]", name: str) -> None:
        own = {tag: dict(values) for tag, values in above.items()}
        for row in element.inside:
            if row.tag != "default":
                own[row.tag] = {**own.get(row.tag, {}), **row.attributes}
        self.defaults[element.attributes.get("class", name)] = own
        for inner in element.all("default"):
            self._default(inner, own, inner.text("class"))

    def _filled(self, element: Element, inherited: str) -> Element:
        """With the defaults of its class."""
        of = self.defaults.get(element.attributes.get("class", inherited), {})
        return replace(element, attributes={**of.get(element.tag, {}), **element.attributes})

    def world(self, body: Element) -> None:
        self.robot.links["world"] = Link("world", body.where, named=False)
        self._bodies(body, "world", np.eye(4), ("main", ""))
        if len(self.robot.links) > 1 and self.robot.joints[0].parent == "world" and sum(joint.parent == "world" for joint in self.robot.joints) == 1:
            del self.robot.links["world"]  # the world says nothing
            self.robot.joints.pop(0)

    def _bodies(self, element: Element, parent: str, pose: Array, context: "tuple[str, str]") -> None:
        """A body, or bodies in a frame or copied, that hang on `parent` at `pose`. `context`: class of the defaults, and the end of names, of copies."""
        inherited, ending = element.attributes.get("childclass", context[0]), context[1]
        if element.tag == "body":
            self._body(element, parent, pose @ self._pose(element), (inherited, ending))
            return
        for copied, at in self._copies(element, ending):
            for inner in element.all(*BODIES):
                self._bodies(inner, parent, pose @ at, (inherited, copied))

    def _copies(self, element: Element, ending: str) -> "list[tuple[str, Array]]":
        """The end of names and the pose of each copy that a <replicate> makes; a frame has one."""
        if element.tag != "replicate":
            return [(ending, self._pose(element))]
        step, count = pose_of(element.numbers("offset", 3, (0, 0, 0)), self._euler(element)), int(element.number("count"))
        self.copies += count
        if count < 0 or self.copies > MOST_COPIES:
            raise StudyError(f"{element.where}: <replicate> has a count of 0 and more, and makes at most {MOST_COPIES} copies in all")
        found, at = [], np.eye(4)
        for i in range(count):
            found.append((f"{ending}{element.text('sep', '')}{i:0{len(str(count - 1))}}", at))
            at = at @ step
        return found

    def _name(self, wanted: str) -> str:
        name = wanted
        while name in self.robot.links:
            self.names[wanted] = self.names.get(wanted, 0) + 1
            name = f"{wanted}_{self.names[wanted]}"
        return name

    def _body(self, element: Element, parent: str, pose: Array, context: "tuple[str, str]") -> None:
        inherited, ending = context
        name = self._name(element.attributes.get("name", "body") + ending)
        joints = [self._filled(joint, inherited) for joint in element.all("joint", "freejoint")]
        shift = np.eye(4)  # a link's frame stands on the axis of its joint; a slide's stays where it was
        for i, joint in enumerate(joints):
            last, before = i == len(joints) - 1, shift
            child = name if last else self._name(f"{name}:{i}")
            if not last:
                self.robot.links[child] = Link(child, element.where, named=False)
            if joint.tag == "joint" and joint.attributes.get("type", "hinge") in ("hinge", "ball"):
                shift = pose_of(joint.numbers("pos", 3, (0, 0, 0)), np.eye(3))
            self.robot.joints.append(self._joint(joint, parent, child, (pose if i == 0 else np.linalg.inv(before)) @ shift, ending))
            parent = child
        if not joints:
            self.robot.joints.append(Joint(f"{name} (fixed)", "fixed", parent, name, pose, np.array([0.0, 0.0, 1.0]), element.where))
        back = np.linalg.inv(shift)
        self.robot.links[name] = self._link(element, name, back, inherited)
        for inner in element.all(*BODIES):
            self._bodies(inner, name, back, context)

    def _joint(self, element: Element, parent: str, child: str, pose: Array, ending: str) -> Joint:
        word = "free" if element.tag == "freejoint" else element.text("type", "hinge")
        if word not in KINDS:
            raise StudyError(f"{element.where}: type \"{word[:40]}\" of <joint> is none of MJCF; it is one of {', '.join(KINDS)}")
        axis = np.array(element.numbers("axis", 3, (0, 0, 1)), dtype=float)
        if not np.linalg.norm(axis) > 0:
            raise StudyError(f"{element.where}: the axis of <joint> has no direction; such as axis=\"0 1 0\"")
        kind = KINDS[word]
        limited = element.attributes.get("limited", "auto")
        if kind == "continuous" and (limited == "true" or (limited == "auto" and "range" in element.attributes)):
            kind = "revolute"
        joint = Joint(element.attributes["name"] + ending if "name" in element.attributes else f"{child} ({word})", kind, parent, child, pose, axis / np.linalg.norm(axis), element.where)
        joint.damping, joint.friction, joint.rotor = (self.robot.loss(joint, word, element.numbers(word, 0, (0.0,))[0]) for word in ("damping", "frictionloss", "armature"))
        if "actuatorfrcrange" in element.attributes:
            joint.effort = max(abs(end) for end in element.numbers("actuatorfrcrange", 2)) or None
        return joint

    def _link(self, element: Element, name: str, back: Array, inherited: str) -> Link:
        link, parts = Link(name, element.where), []
        inertial = element.first("inertial") if self.from_geoms != "true" else None
        held: "list[tuple[Element, Array, str]]" = [(element, back, inherited)]
        while held:  # geoms of the body, and those in frames and copies of it
            holder, at, of = held.pop()
            inner = [(frame, at @ own, frame.attributes.get("childclass", of)) for frame in holder.all("frame", "replicate") for _, own in self._copies(frame, "")]
            held.extend(reversed(inner))
            for geom in holder.all("geom"):
                filled = self._filled(geom, of)
                shape, part = self._geom(filled, at, inertial is None)
                parts.extend([part] if part is not None else [])
                link.shapes.extend([shape] if shape is not None else [])
        if inertial is not None:
            pose = back @ self._pose(inertial)
            link.mass, link.center = inertial.number("mass"), pose[:3, 3]
            if "fullinertia" in inertial.attributes:
                xx, yy, zz, xy, xz, yz = inertial.numbers("fullinertia", 6)
                own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            else:
                own = np.diag(inertial.numbers("diaginertia", 3, (0, 0, 0)))
            link.inertia = pose[:3, :3] @ own @ pose[:3, :3].T
            self.robot.doubt_inertia(link)
        elif parts:
            whole = lump(parts, {part.name: np.eye(4) for part in parts})
            link.mass, link.center, link.inertia = whole.mass, whole.center, whole.inertia
        if link.mass < 0:
            raise StudyError(f"{element.where}: body {name} has a mass below 0; correct it")
        return link

    def _geom(self, element: Element, at: Array, weighs: bool) -> "tuple[Shape | None, Link | None]":
        """Its shape, and its mass as a link in the axes of the body, where the mass of the geom counts."""
        kind = element.text("type", "mesh" if "mesh" in element.attributes else "sphere")
        size = element.numbers("size", 0, (0.0,))
        pose = at @ self._pose(element)
        if "fromto" in element.attributes:
            a, b = np.split(np.array(element.numbers("fromto", 6)), 2)
            pose = at @ pose_of((a + b) / 2, _turn_to(b - a))
            size = (size[0], float(np.linalg.norm(b - a)) / 2)
        collides = element.text("contype", "1") != "0" or element.text("conaffinity", "1") != "0"
        needs = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}.get(kind)
        if needs is None:
            if kind == "mesh":
                self.robot.ignore("<geom> of a mesh, whose file is not opened" + (": its mass is missing" if weighs and "mass" not in element.attributes else ""))
            return (Shape("mesh", pose, collides=collides) if kind == "mesh" else None), self._weighed(element, pose, 0.0, np.zeros(3))
        if len(size) < needs or min(size[:needs]) < 0:
            raise StudyError(f"{element.where}: size of a {kind} has {needs} numbers of 0 and more")
        volume, inertia, radius, length = _solid(kind, size)
        half = tuple(map(float, size[:3])) if needs == 3 else (0.0, 0.0, 0.0)
        return Shape(kind, pose, radius, length, collides, half, _friction(element)), self._weighed(element, pose, volume, inertia)

    def _weighed(self, element: Element, pose: Array, volume: float, inertia: Array) -> Link | None:
        """`inertia`: of 1 kg, about the principal axes."""
        mass = element.number("mass") if "mass" in element.attributes else element.number("density", 1000.0) * volume
        if not mass > 0:
            return None
        return Link(f"{id(element)}", element.where, mass, pose[:3, 3], pose[:3, :3] @ np.diag(mass * inertia) @ pose[:3, :3].T)

    def _angle(self, value: float) -> float:
        return math.radians(value) if self.degrees else value

    def _euler(self, element: Element) -> Array:
        turn = np.eye(3)
        for letter, angle in zip(self.sequence, element.numbers("euler", 3, (0, 0, 0))):
            one = _about(np.eye(3)["xyz".find(letter.lower())], self._angle(angle))
            turn = turn @ one if letter.islower() else one @ turn  # small letters: about axes that turn
        return turn

    def _pose(self, element: Element) -> Array:
        place, given = element.numbers("pos", 3, (0, 0, 0)), element.attributes
        if "quat" in given:
            w, *v = np.array(element.numbers("quat", 4)) / (np.linalg.norm(element.numbers("quat", 4)) or 1)
            turn = _about(np.array(v), 2 * math.atan2(float(np.linalg.norm(v)), w))
        elif "axisangle" in given:
            *axis, angle = element.numbers("axisangle", 4)
            turn = _about(np.array(axis), self._angle(angle))
        elif "xyaxes" in given:
            x, y = np.split(np.array(element.numbers("xyaxes", 6)), 2)
            x = x / (np.linalg.norm(x) or 1)
            y = y - (x @ y) * x
            y = y / (np.linalg.norm(y) or 1)
            turn = np.stack([x, y, np.cross(x, y)], axis=1)
        elif "zaxis" in given:
            turn = _turn_to(np.array(element.numbers("zaxis", 3)))
        else:
            turn = self._euler(element)
        return pose_of(place, turn)

    def actuators(self, root: Element) -> None:
        """Largest torque and rate of the joints, where the actuators say them."""
        joints = {joint.name: joint for joint in self.robot.joints}
        tendons = {tendon.attributes.get("name", ""): tendon for part in root.all("tendon") for tendon in part.inside}
        for element in (self._filled(row, "main") for part in root.all("actuator") for row in part.inside):
            joint, tendon = joints.get(element.attributes.get("joint", "")), tendons.get(element.attributes.get("tendon", ""))
            self.robot.driven.update(joints.keys() & ({joint.name} if joint else {row.attributes.get("joint", "") for row in tendon.all("joint")} if tendon else set()))
            if joint is None or element.tag not in ACTUATORS:
                self.robot.ignore(f"<{element.tag}> of actuators")
                continue
            gear = abs(element.numbers("gear", 0, (1.0,))[0])
            control, force = (max(abs(end) for end in element.numbers(word, 2, (0, 0))) for word in ("ctrlrange", "forcerange"))
            if force:
                joint.effort = force * gear
            elif control and element.tag == "motor":
                joint.effort = control * gear
            if control and gear and element.tag in ("velocity", "intvelocity"):
                joint.velocity = control / gear


def _friction(element: Element) -> float | None:
    """Of a geom that says it; one of condim 1 slides without."""
    if element.text("condim", "3").strip() == "1":
        return 0.0
    return max(element.numbers("friction", 0)[0], 0.0) if "friction" in element.attributes else None


def _about(axis: Array, angle: float) -> Array:
    """The turn about an axis, by Rodrigues' formula."""
    length = float(np.linalg.norm(axis))
    if not length > 0:
        return np.eye(3)
    x, y, z = axis / length
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def _turn_to(direction: Array) -> Array:
    """The turn that brings z there on the shortest way."""
    d = direction / (np.linalg.norm(direction) or 1)
    axis = np.cross((0, 0, 1), d)
    if not np.linalg.norm(axis) > 1e-12:
        return np.eye(3) if d[2] >= 0 else np.diag([1.0, -1.0, -1.0])
    return _about(axis, math.atan2(float(np.linalg.norm(axis)), float(d[2])))


def _solid(kind: str, size: "tuple[float, ...]") -> "tuple[float, Array, float, float]":
    """Volume, inertias of 1 kg about the principal axes, radius across the axis of symmetry, and length along it, of a shape of MuJoCo."""
    if kind == "box":
        a, b, c = size[:3]
        return 8 * a * b * c, np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 3, 0.0, 0.0
    if kind in ("sphere", "ellipsoid"):
        a, b, c = size[:3] if kind == "ellipsoid" else 3 * size[:1]
        low, middle, high = sorted((a, b, c))
        disc = high - middle < middle - low
        return (4 / 3 * math.pi * a * b * c, np.array([b * b + c * c, a * a + c * c, a * a + b * b]) / 5,
                (middle + high if disc else low + middle) / 2, 2 * (low if disc else high))
    r, h = size[0], size[1]  # half the length
    tube, caps = 2 * math.pi * r * r * h, (4 / 3 * math.pi * r**3 if kind == "capsule" else 0.0)
    volume = (tube + caps) or 1.0
    along = (tube * r * r / 2 + caps * 2 / 5 * r * r) / volume
    across = (tube * (r * r / 4 + h * h / 3) + caps * (2 / 5 * r * r + h * h + 3 / 4 * h * r)) / volume
    return tube + caps, np.array([across, across, along]), r, 2 * h + (2 * r if caps else 0.0)
