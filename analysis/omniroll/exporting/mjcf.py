"""The text of a model in MJCF: https://mujoco.readthedocs.io/en/stable/XMLreference.html"""

from __future__ import annotations

import hashlib
import math
from typing import Iterable
from xml.etree import ElementTree

import numpy as np

from .bodies import Array, Vehicle, Wheel
from .masses import Body, about_up
from .motors import Motor
from .roller_shapes import Shape

STEP = 1e-3  # s; less for stiff springs
SWING = 0.5  # of a spring's phase in a step, at most
RIGID = "0.004 1"  # solref: two steps are the least that MuJoCo takes
STIFF = "0.95 0.99 0.0001"
DEAD_BEAT = 0.8  # of the speed of a slip that one step takes away
LEAST_DAMPING = 0.01  # ratio of a soft contact's damper; without one MuJoCo has no friction
IMPRATIO = 10.0
SOFT_IMPRATIO = 100.0  # friction of a soft contact must not creep
THIN = 0.1  # half width of a wheel without rollers, of its radius
ROLLER_GROUP, HUB_GROUP = "2", "1"


def number(value: float) -> str:
    return f"{value:.10g}" if abs(value) > 1e-15 else "0"


def numbers(values: "Iterable[float]") -> str:
    return " ".join(number(float(value)) for value in values)


def quaternion(axes: Array) -> Array:
    """Of a rotation, its columns the axes: (w, x, y, z), from the column of its largest component."""
    (a, b, c), (d, e, f), (g, h, i) = axes
    products = np.array([[1 + a + e + i, h - f, c - g, d - b], [h - f, 1 + a - e - i, b + d, c + g],
                         [c - g, b + d, 1 - a + e - i, f + h], [d - b, c + g, f + h, 1 - a - e + i]])  # 4 q q^T
    column = products[:, int(np.argmax(np.diag(products)))]
    return np.asarray(column / np.linalg.norm(column))


def printable(text: str) -> str:
    """Without the characters that XML does not take."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _comment(lines: "list[str]") -> ElementTree.Element:
    return ElementTree.Comment("\n  " + "\n  ".join(printable(line).replace("--", "- -") for line in lines) + "\n")


def step_of(vehicle: Vehicle) -> float:
    """The time step: 1, 2 or 5 times a power of ten."""
    stiff = max((wheel.given.get("contact_stiffness", 0.0) for wheel in vehicle.wheels), default=0.0)
    most = min(STEP, SWING / math.sqrt(stiff * len(vehicle.wheels) / vehicle.mass)) if stiff > 0 else STEP
    power = 10.0 ** math.floor(math.log10(most * (1 + 1e-9)))
    return float(max(part * power for part in (1, 2, 5) if part * power <= most * (1 + 1e-9)))


def softness(wheel: Wheel, vehicle: Vehicle, mobility: float) -> "dict[str, str]":
    """solref and solimp of a wheel's contacts. For the impedance d and solref -k -c MuJoCo's normal force at rest is k depth/((1 - d) A), A the mobility of
    the bodies, and its damper is c/((1 - d) A). Friction has the same damper, c/d, which must not overshoot in a step: d follows from that. The
    contact then acts as if c step/DEAD_BEAT of mass were added to it."""
    if not vehicle.compliant or wheel.kind == "tracking":
        return {"solref": RIGID, "solimp": STIFF}
    stiffness = wheel.given["contact_stiffness"]
    damping = max(wheel.given["contact_damping"], LEAST_DAMPING * 2 * math.sqrt(stiffness * vehicle.mass / len(vehicle.wheels)))
    ratio = damping * mobility * step_of(vehicle) / DEAD_BEAT
    impedance = min(max(ratio / (1 + ratio), 1e-4), 0.99)
    scale = (1 - impedance) * mobility
    return {"solref": f"{number(-stiffness * scale)} {number(-damping * scale)}", "solimp": f"{number(impedance)} {number(impedance)} 0.001"}


def _contact(wheel: Wheel) -> "dict[str, str]":
    rolling = wheel.value("roller.rolling_resistance") if wheel.roller else 0.0
    friction = wheel.value("friction")
    if rolling > 0:
        return {"condim": "6", "friction": f"{number(friction)} 1e-5 {number(rolling)}"}
    return {"condim": "3" if friction > 0 else "1", "friction": f"{number(friction)} 0 0"}


def _touching(wheel: Wheel, shape: "Shape | None", soft: "dict[str, str]") -> "list[dict[str, str]]":
    """Geoms that touch the floor, in the axes of the roller, or of a wheel without rollers."""
    every = {**_contact(wheel), **soft, "priority": "1", "contype": "0", "conaffinity": "1", "mass": "0", "group": ROLLER_GROUP}
    if shape is None:
        return [{"type": "ellipsoid", "size": numbers((wheel.radius, THIN * wheel.radius, wheel.radius)), **every}]
    if shape.kind == "ellipsoid":
        return [{"type": "ellipsoid", "size": numbers((shape.radius, shape.radius, shape.half_length)), **every}]
    if shape.kind == "spheres":
        return [{"type": "sphere", "size": number(size), "pos": numbers((0, 0, place)), **every} for place, size in shape.spheres]
    return [{"type": "mesh", "mesh": mesh_name(shape), **every}]


def mesh_name(shape: Shape) -> str:
    return f"roller_{hashlib.sha256(shape.vertices().tobytes()).hexdigest()[:8]}"


def _hub(wheel: Wheel) -> "dict[str, str]":
    """The hub that a viewer shows between the rollers; it touches nothing."""
    r = wheel.roller
    inner, half = (0.9 * wheel.radius, THIN * wheel.radius) if r is None else (
        max(r.center_distance - 1.2 * r.largest_radius, 0.3 * wheel.radius), 0.5 * (r.row_distance + r.length * abs(math.sin(r.inclination))) or r.largest_radius)
    return {"type": "cylinder", "size": numbers((inner, half)), "zaxis": "0 1 0", "contype": "0", "conaffinity": "0", "mass": "0", "group": HUB_GROUP,
            "rgba": "0.35 0.35 0.4 1"}


class Writer:
    """Puts one vehicle into a file. `shapes`, `soft`: of each wheel; `motors`: likewise, None for a free one."""

    def __init__(self, vehicle: Vehicle, platform: Body, shapes: "list[Shape | None]", motors: "list[Motor | None]",
                 soft: "list[dict[str, str]]") -> None:
        self.vehicle, self.platform, self.shapes, self.motors, self.soft = vehicle, platform, shapes, motors, soft

    def text(self, head: "list[str]") -> str:
        root = ElementTree.Element("mujoco", model=printable(self.vehicle.about["title"] or "vehicle"))
        root.append(_comment(head))
        ElementTree.SubElement(root, "compiler", angle="radian", autolimits="true")
        self._option(root)
        self._assets(root)
        world = ElementTree.SubElement(root, "worldbody")
        ElementTree.SubElement(world, "light", pos="0 0 3", dir="0 0 -1", directional="true")
        ElementTree.SubElement(world, "geom", name="floor", type="plane", size="0 0 0.05", contype="1", conaffinity="0", rgba="0.8 0.8 0.8 1")
        self._body(world, self.platform)
        self._actuators(root)
        self._start(root)
        ElementTree.indent(root)
        return ElementTree.tostring(root, encoding="unicode") + "\n"

    def _option(self, root: ElementTree.Element) -> None:
        impratio = SOFT_IMPRATIO if self.vehicle.compliant else IMPRATIO
        ElementTree.SubElement(root, "option", timestep=number(step_of(self.vehicle)), integrator="implicitfast", cone="elliptic", solver="Newton", impratio=number(impratio),
                               gravity=numbers(self.vehicle.about["gravity"]))

    def _assets(self, root: ElementTree.Element) -> None:
        meshes = {mesh_name(shape): shape for shape in self.shapes if shape is not None and shape.kind == "mesh"}
        if not meshes:
            return
        asset = ElementTree.SubElement(root, "asset")
        for name, shape in meshes.items():
            ElementTree.SubElement(asset, "mesh", name=name, vertex=numbers(np.round(shape.vertices(), 9).ravel()))

    def _body(self, parent: ElementTree.Element, body: Body) -> None:
        element = ElementTree.SubElement(parent, "body", name=body.name, pos=numbers(body.place))
        if not np.allclose(body.axes, np.eye(3), atol=1e-15):
            element.set("quat", numbers(quaternion(body.axes)))
        for joint in body.joints:
            if joint.kind == "free":
                ElementTree.SubElement(element, "freejoint", name=joint.name)
                continue
            made = ElementTree.SubElement(element, "joint", name=joint.name, type=joint.kind, axis=numbers(joint.axis))
            for name, value in joint.attributes.items():
                if value:
                    made.set(name, number(value))
        ElementTree.SubElement(element, "inertial", pos=numbers(body.center), mass=number(body.mass),
                               diaginertia=" ".join(repr(float(value)) for value in body.inertia))  # a rounded one may break A + B >= C
        for attributes in self._geoms(body):
            ElementTree.SubElement(element, "geom", attributes)
        for child in body.inside:
            self._body(element, child)

    def _geoms(self, body: Body) -> "list[dict[str, str]]":
        if body.name == "platform":
            return [self._deck()]
        if body.wheel is None or body.name.startswith("fork_"):
            return []
        wheel = self.vehicle.wheels[body.wheel]
        if body.roller is not None:
            return _touching(wheel, self.shapes[body.wheel], self.soft[body.wheel])
        return [_hub(wheel)] + ([_touching(wheel, None, self.soft[body.wheel])[0]] if wheel.roller is None else [])

    def _deck(self) -> "dict[str, str]":
        """A plate that shows the platform, over its wheels."""
        places = np.array([wheel.place for wheel in self.vehicle.wheels])
        half = np.maximum(np.abs(places[:, :2]).max(axis=0), 0.05)
        top = 2 * max(wheel.radius for wheel in self.vehicle.wheels)
        return {"type": "box", "size": numbers((*half, 0.05 * top)), "pos": numbers((0, 0, 1.1 * top)), "contype": "0", "conaffinity": "0", "mass": "0",
                "group": HUB_GROUP, "rgba": "0.2 0.4 0.7 0.5"}

    def _actuators(self, root: ElementTree.Element) -> None:
        actuators = ElementTree.SubElement(root, "actuator")
        for wheel, motor in zip(self.vehicle.wheels, self.motors):
            if motor is not None:
                self._motor(actuators, wheel, motor)
            if wheel.kind == "swerve":
                servo = ElementTree.SubElement(actuators, "position", name=f"steer_{wheel.name}", joint=f"swivel_{wheel.name}",
                                               kp=number(wheel.value("steer.stiffness")), kv=number(wheel.value("steer.damping")))
                if "steer.torque_limit" in wheel.values:
                    servo.set("forcerange", numbers((-wheel.values["steer.torque_limit"], wheel.values["steer.torque_limit"])))
        if len(actuators) == 0:
            root.remove(actuators)

    @staticmethod
    def _motor(actuators: ElementTree.Element, wheel: Wheel, motor: Motor) -> None:
        made = ElementTree.SubElement(actuators, motor.tag, name=f"drive_{wheel.name}", joint=f"wheel_{wheel.name}")
        if motor.tag == "general":
            made.set("gainprm", number(motor.attributes["gain"]))
            made.set("biastype", "affine")
            made.set("biasprm", f"0 0 {number(-motor.attributes['back'])}")
        for name, value in motor.attributes.items() if motor.tag != "general" else ():
            made.set(name, number(value))
        for name, value in motor.ranges.items():
            made.set(name, numbers((-value, value)))

    def _start(self, root: ElementTree.Element) -> None:
        """The pose of the study's start, as the keyframe start."""
        start, places, controls = self.vehicle.about["start"], [], []
        for body in self.platform.every():
            for joint in body.joints:
                wheel = None if body.wheel is None else self.vehicle.wheels[body.wheel]
                if joint.kind == "free":
                    places += [*start["place"], *quaternion(_attitude(start))]
                elif wheel is not None and joint.name == f"wheel_{wheel.name}":
                    places.append(-wheel.sense * wheel.value("initial.angle"))
                elif wheel is not None and joint.name == f"swivel_{wheel.name}":
                    places.append(wheel.value("initial.steer"))
                else:
                    places.append(0.0)
        for wheel, motor in zip(self.vehicle.wheels, self.motors):
            controls += [0.0] * (motor is not None) + [wheel.value("steer.angle")] * (wheel.kind == "swerve")
        frame = ElementTree.SubElement(ElementTree.SubElement(root, "keyframe"), "key", name="start", qpos=numbers(places))
        if any(controls):
            frame.set("ctrl", numbers(controls))


def _attitude(start: "dict[str, float]") -> Array:
    """Yaw, then pitch with the nose down about the axis to the left, then roll about the axis forward."""
    p, r = start["pitch"], start["roll"]
    pitch = np.array([[np.cos(p), 0, np.sin(p)], [0, 1, 0], [-np.sin(p), 0, np.cos(p)]])
    roll = np.array([[1, 0, 0], [0, np.cos(r), -np.sin(r)], [0, np.sin(r), np.cos(r)]])
    return np.asarray(about_up(start["yaw"]) @ pitch @ roll)
