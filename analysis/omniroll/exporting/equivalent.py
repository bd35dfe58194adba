"""A cheap equivalent of an exported model: one body a wheel, whose friction acts in the frame of a roller.

A wheel with rollers holds its contact along the axis `a` of the roller on the floor, and lets it roll across, along `b`. In place of its rollers the
wheel gets one small capsule that lies along `b` and turns about it: a contact of a plane and a capsule has its axes along the capsule, so that
a pair of geoms has one coefficient along `a`, the study's, and another along `b`, next to nothing. The wheel turns about `b` so that its contact
moves along `a` as under a wheel with rollers, and the gear of its drive, which is positive, makes the drive's length and velocity the
wheel's: rates, torques and names of the drives are as in the explicit file, while a joint has a rate of its own.

A roller that touches at an angle q off its middle has its axis, seen from above, steeper by the factor 1/cos q: a mecanum wheel drives aside by less
than its inclination says. The mean of that and the losses are fitted to omniroll's own runs.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as xml
from dataclasses import asdict, astuple, dataclass
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from ..conformance.manoeuvres import Manoeuvre, Wheel, manoeuvres, reach
from ..conformance.motion import Difference, Motion, Simulate, differ, trail
from ..conformance.mujoco_model import MujocoModel, mujoco_library
from ..conformance.ours import Vehicle
from ..errors import UsageError
from ..running.study_input import StudyLike
from .checksum import MADE_BY, summed
from .model import ExportedModel

if TYPE_CHECKING:
    import numpy.typing as npt

SLIM = 1e-3  # half length of the capsule over its radius
FITTED = ("forward", "strafe", "turn")
TURNS = 6  # of Gauss and Newton, at most
LEAST = 1e-5  # friction may not vanish
ENERGY = 0.1  # weight of the work; 1 is the weight of the place
STEPS = np.array([1e-3, 1e-3, 2e-3, 1e-3])  # of differences
BOUNDS = np.array([0.5, 0.5, LEAST, 0.0])


@dataclass(frozen=True)
class Numbers:
    """The fitted numbers, the same for all wheels: effective radius over the radius; tangent of the effective inclination over the study's;
    friction along b; viscous torque at the axle, N m s, on top of the study's bearing. Friction against turning is left out: a contact of MuJoCo
    that slides is lifted by its friction times its speed, and with as much of it as wheels lose in a turn the vehicle hops."""

    radius: float = 1.0
    steeper: float = 1.0
    across: float = 2e-3
    damping: float = 1e-4


@dataclass(frozen=True)
class Lumped:
    """A wheel of the explicit model with its rollers taken together."""

    name: str
    place: "tuple[float, float, float]"
    mass: float
    about_axle: float  # kg m2, rollers free to turn
    upright: float  # kg m2, about the vertical
    damping: float
    frictionloss: float
    armature: float
    friction: float
    solref: str
    solimp: str


def _text(values: Any) -> str:
    return " ".join(f"{float(value):.9g}" for value in np.atleast_1d(values))


class Explicit:
    """The explicit model, looked at through MuJoCo."""

    def __init__(self, text: str) -> None:
        self.mujoco = mujoco_library()
        self.model = self.mujoco.MjModel.from_xml_string(text)
        self.data = self.mujoco.MjData(self.model)
        self.mujoco.mj_forward(self.model, self.data)
        self.full = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, self.data, self.full)

    def starts(self, lumped: Sequence[str]) -> "dict[str, str]":
        """Places of the file's keys without the rollers', and with wheels that are lumped at the angle 0."""
        model = self.model
        kept: "list[int]" = []
        zero: "list[bool]" = []
        gone = {body for name in lumped for body in self._below(model.body(f"wheel_{name}").id)[1:]}
        for joint in range(model.njnt):
            width = 7 if model.jnt_type[joint] == self.mujoco.mjtJoint.mjJNT_FREE else 1
            body, at = int(model.jnt_bodyid[joint]), int(model.jnt_qposadr[joint])
            wheel = model.joint(joint).name in [f"wheel_{name}" for name in lumped]
            if body not in gone:
                kept += range(at, at + width)
                zero += [wheel] * width
        return {model.key(k).name: _text(np.where(zero, 0.0, model.key_qpos[k][kept])) for k in range(model.nkey)}

    def _below(self, body: int) -> list[int]:
        found = [body]
        for other in range(body + 1, self.model.nbody):
            if self.model.body_parentid[other] in found:
                found.append(other)
        return found

    def lumped(self, name: str) -> Lumped:
        model, data = self.model, self.data
        body, joint = model.body(f"wheel_{name}").id, model.joint(f"wheel_{name}").id
        bodies, dof = self._below(body), int(model.jnt_dofadr[joint])
        rollers = [int(model.body_dofadr[k]) for k in bodies[1:] if model.body_dofnum[k]]
        free = self.full[dof, rollers] @ np.linalg.solve(self.full[np.ix_(rollers, rollers)], self.full[rollers, dof])
        armature = float(model.dof_armature[dof])
        contact = [geom for geom in range(model.ngeom) if model.geom_bodyid[geom] in bodies and model.geom_conaffinity[geom] + model.geom_contype[geom]][0]
        place = data.xpos[body] - data.xpos[model.body_parentid[body]]
        return Lumped(name, (float(place[0]), float(place[1]), float(place[2])), float(model.body_subtreemass[body]), float(self.full[dof, dof] - free) - armature,
                      self._upright(body, bodies), float(model.dof_damping[dof]), float(model.dof_frictionloss[dof]), armature,
                      float(self._floor(contact)), _text(model.geom_solref[contact]), _text(model.geom_solimp[contact]))

    def _floor(self, geom: int) -> float:
        """Friction of a roller on the floor, as MuJoCo mixes it."""
        floor = self.model.geom("floor").id
        if self.model.geom_priority[floor] != self.model.geom_priority[geom]:
            return self.model.geom_friction[max(floor, geom, key=lambda one: self.model.geom_priority[one]), 0]
        return max(self.model.geom_friction[floor, 0], self.model.geom_friction[geom, 0])

    def _upright(self, wheel: int, bodies: Sequence[int]) -> float:
        """About the vertical through the wheel's centre, without the rollers' own axial inertia, which their spin has."""
        model, data, total = self.model, self.data, 0.0
        for body in bodies:
            turn, own = data.ximat[body].reshape(3, 3), model.body_inertia[body].copy()
            if body != wheel:
                axis = data.xaxis[model.body_jntadr[body]] @ turn
                own[np.argmax(np.abs(axis))] = 0
            off = data.xipos[body] - data.xpos[wheel]
            total += float(turn[2] ** 2 @ own + model.body_mass[body] * (off[0]**2 + off[1]**2))
        return total


def _frame(wheel: Wheel, delta: float, steeper: float) -> "tuple[tuple[float, float], float]":
    """The direction a, and the speed along it per wheel rate, of the effective inclination; delta is the direction of the wheel's plane."""
    a = math.atan2(wheel.along[1], wheel.along[0])
    psi = math.atan(math.tan(delta - a) * steeper)
    return (math.cos(delta - psi), math.sin(delta - psi)), math.copysign(wheel.radius * math.cos(psi), wheel.gain)


def _gear(wheel: Wheel, delta: float, numbers: Numbers) -> float:
    """The wheel's rate over the rate of its joint, where both turn about the axis that drives along a."""
    return wheel.radius / (_frame(wheel, delta, numbers.steeper)[1] * numbers.radius)


class Equivalent:
    """The cheap model of an explicit one: text(numbers) is its MJCF. `planes` are the directions of the wheels' planes, `names` the
    file's, `has_rollers` which wheels become one body."""

    def __init__(self, explicit: str, names: Sequence[str], wheels: Sequence[Wheel], planes: Sequence[float], has_rollers: Sequence[bool]) -> None:
        seen = Explicit(explicit)
        self.explicit, self.names, self.wheels, self.planes = explicit, names, wheels, planes
        self.lumped = [seen.lumped(name) if rolls else None for name, rolls in zip(names, has_rollers)]
        self.starts = seen.starts([lumped.name for lumped in self.lumped if lumped])

    def joints(self, numbers: Numbers) -> "dict[str, float]":
        """Rates of the joints over the rates of their wheels, by the wheels' names."""
        rows = zip(self.lumped, self.wheels, self.planes)
        return {lumped.name: abs(1 / _gear(wheel, plane, numbers)) for lumped, wheel, plane in rows if lumped}

    def text(self, numbers: Numbers, comment: str = "") -> str:
        root = xml.fromstring(self.explicit)
        parents = {child: parent for parent in root.iter() for child in parent}
        contact = root.find("contact")
        contact = xml.SubElement(root, "contact") if contact is None else contact
        for lumped, wheel, plane in zip(self.lumped, self.wheels, self.planes):
            if lumped is None:
                continue
            old = next(body for body in root.iter("body") if body.get("name") == f"wheel_{lumped.name}")
            gear = _gear(wheel, plane, numbers)
            parent = parents[old]
            _drop(root, old)
            new = parent[list(parent).index(old)] = _body(lumped, wheel.radius, _frame(wheel, plane, numbers.steeper)[0], gear, numbers)
            for at, joint in enumerate(joint for joint in old.findall("joint") if joint.get("name") != f"wheel_{lumped.name}"):
                new.insert(at, joint)  # a suspension
            for drive in root.iter():
                if drive.get("name") == f"drive_{lumped.name}":
                    drive.set("gear", _text(float((drive.get("gear") or "1").split()[0]) * abs(gear)))
            contact.append(_pair(lumped, numbers))
        for key in root.iter("key"):
            key.set("qpos", self.starts[key.get("name", "")])
        if comment:
            root.insert(0, xml.Comment(comment))
        xml.indent(root, " ")
        return xml.tostring(root, encoding="unicode") + "\n"


def _body(lumped: Lumped, radius: float, along: "tuple[float, float]", gear: float, numbers: Numbers) -> xml.Element:
    across = (-along[1], along[0], 0.0)
    axis = np.copysign(1.0, gear) * np.array(across) + 0.0  # as positive rates of the wheel turn it
    body = xml.Element("body", name=f"wheel_{lumped.name}", pos=_text(lumped.place))
    solid = min(lumped.about_axle, 2 * lumped.upright)
    xml.SubElement(body, "joint", name=f"wheel_{lumped.name}", type="hinge", axis=_text(axis), pos="0 0 0",
                   damping=_text((lumped.damping + numbers.damping) * gear**2), frictionloss=_text(lumped.frictionloss * abs(gear)),
                   armature=_text(max(0.0, (lumped.about_axle + lumped.armature) * gear**2 - solid)))
    xml.SubElement(body, "inertial", pos="0 0 0", mass=_text(lumped.mass), zaxis=_text(across),
                   diaginertia=_text([lumped.upright, lumped.upright, solid]))
    xml.SubElement(body, "geom", name=f"contact_{lumped.name}", type="capsule", size=_text([radius, SLIM * radius]), zaxis=_text(across), mass="0",
                   contype="0", conaffinity="0", rgba="0.35 0.35 0.4 0.4")
    return body


def _pair(lumped: Lumped, numbers: Numbers) -> xml.Element:
    """First along the capsule, then across it."""
    return xml.Element("pair", name=f"floor_{lumped.name}", geom1="floor", geom2=f"contact_{lumped.name}", condim="3", solref=lumped.solref,
                       solimp=lumped.solimp, friction=_text([max(numbers.across, LEAST), lumped.friction, 0, 0, 0]))


def _drop(root: xml.Element, old: xml.Element) -> None:
    """Elements for rollers that are no more: sensors, equalities, exclusions."""
    gone = {part.get("name") for part in old.iter() if part.get("name")} - {old.get("name")}
    gone -= {joint.get("name") for joint in old.findall("joint")}
    for section in root:
        for part in list(section) if section.tag in ("contact", "equality", "sensor", "tendon", "actuator") else ():
            if gone & {value for key, value in part.attrib.items() if key != "name"}:
                section.remove(part)


def _residuals(got: Motion, wanted: Motion, way: float, size: float) -> list[float]:
    """Ends, and the work, without turns: there wheels with rollers drive against each other, which these numbers cannot express."""
    turned = size * abs(wanted.yaw[-1]) > way / 2
    energy = 0.0 if turned else ENERGY * (got.energy / wanted.energy - 1)
    return [(got.x[-1] - wanted.x[-1]) / way, (got.y[-1] - wanted.y[-1]) / way, size * (got.yaw[-1] - wanted.yaw[-1]) / way, energy]


def _bounded(slopes: "npt.NDArray[Any]", last: "npt.NDArray[Any]", lowest: "npt.NDArray[Any]") -> "npt.NDArray[Any]":
    """The step of least squares of which no component is below its lowest: the one that is most is put there, and the rest is solved again."""
    step, free = np.zeros(len(lowest)), np.ones(len(lowest), dtype=bool)
    while free.any():
        step[free] = -np.linalg.lstsq(slopes[:, free], last + slopes[:, ~free] @ step[~free], rcond=1e-4)[0]
        below = np.where(free, step - lowest, 0.0)
        if below.min() >= 0:
            break
        free[below.argmin()] = False
        step[~free] = lowest[~free]
    return step


@dataclass(frozen=True, repr=False)
class Fitted(ExportedModel):
    """The cheap model, its fitted numbers, and how far it is from omniroll in the manoeuvres of the fit, and in others."""

    fitted: Numbers
    errors: "Mapping[str, Difference]"


class Fit:
    """Gauss and Newton's method on the numbers, with differences; none of them below its bound."""

    def __init__(self, equivalent: Equivalent, ours: Simulate, drive: Sequence[Manoeuvre],
                 drives_have: "Sequence[tuple[float, float]]" = ()) -> None:
        self.drives_have = drives_have
        self.equivalent, self.drive, self.size = equivalent, drive, reach(equivalent.wheels)
        self.wanted = {manoeuvre.name: ours(manoeuvre) for manoeuvre in drive}

    def simulator(self, numbers: Numbers) -> MujocoModel:
        """The cheap model with these numbers."""
        return MujocoModel(self.equivalent.text(numbers), self.equivalent.names, [wheel.driven for wheel in self.equivalent.wheels],
                           drives_have=self.drives_have)

    def _residuals(self, vector: "npt.NDArray[Any]") -> "npt.NDArray[Any]":
        simulate, found = self.simulator(Numbers(*vector)), []
        for manoeuvre in self.drive:
            if manoeuvre.name in FITTED:
                found += _residuals(simulate(manoeuvre), self.wanted[manoeuvre.name], trail(manoeuvre, self.size), self.size)
        return np.array(found)

    def solve(self, start: Numbers) -> Numbers:
        vector = np.array(astuple(start))
        last = self._residuals(vector)
        for _ in range(TURNS):
            slopes = np.column_stack([(self._residuals(vector + step * unit) - last) / step for step, unit in zip(STEPS, np.eye(len(vector)))])
            step = _bounded(slopes, last, BOUNDS - vector)
            vector, before, last = self._better(vector, step, last)
            if before - float(last @ last) <= 1e-3 * before:
                break
        return Numbers(*vector.tolist())

    def _better(self, vector: "npt.NDArray[Any]", step: "npt.NDArray[Any]", last: "npt.NDArray[Any]") -> "tuple[Any, float, Any]":
        """The step, or the part of it that lowers the residuals."""
        before = float(last @ last)
        for share in (1.0, 0.5, 0.25):
            tried = np.maximum(vector + share * step, BOUNDS)
            found = self._residuals(tried)
            if float(found @ found) < before:
                return tried, before, found
        return vector, before, last

    def errors(self, numbers: Numbers) -> "dict[str, Difference]":
        simulate = self.simulator(numbers)
        return {manoeuvre.name: differ(manoeuvre, simulate(manoeuvre), self.wanted[manoeuvre.name], self.size) for manoeuvre in self.drive}


def start_of(scene: "Mapping[str, Any]") -> Numbers:
    """The effective inclination has the mean of cos q over a roller's share of the turn."""
    half = [math.pi / wheel["rollers"] for wheel in scene["wheels"] if wheel.get("rollers")]
    return Numbers(steeper=float(np.mean([angle / math.sin(angle) for angle in half]))) if half else Numbers()


OMITTED = ["rollers: their ripple, spin and inertia, and that wheels with rollers drive against each other in a turn, which takes work"]


def _joint_line(joints: "Mapping[str, float]") -> str:
    shares = {name: f"{share:.4g}" for name, share in joints.items()}
    alike = len(set(shares.values())) == 1
    which = next(iter(shares.values())) if alike else ", ".join(f"{share} ({name})" for name, share in shares.items())
    return f"Read a wheel's rate from actuator_velocity of its drive; its joint turns at the rate times {which}."


def _comment(explicit: ExportedModel, numbers: Numbers, joints: "Mapping[str, float]", errors: "Mapping[str, Difference]") -> str:
    made = next(line.strip() for line in explicit.text.split("\n") if MADE_BY in line)
    rows = [f"  {name}{'' if name in FITTED else ' (not fitted)'}: place {100 * error.place:.2f} %, yaw {100 * error.yaw:.2f} % of the wheels' way, "
            f"work of the drives {100 * error.energy:+.0f} %" for name, error in errors.items()]
    lines = [
        f"{explicit.numbers['title']}", made,
        "Cheap equivalent: one body a wheel. It turns about the direction in which its rollers let it roll; the gears of the drives make",
        "their lengths and velocities those of the wheels.", _joint_line(joints),
        "Fitted to omniroll's own runs, with wheels at up to 5 rad/s:",
        f"  effective radius {numbers.radius:.5f} R, tangent of the inclination times {numbers.steeper:.5f}, friction across {numbers.across:.3g},",
        f"  damping at the axle {numbers.damping:.3g} N m s on top of the bearing",
        "Its end beside omniroll's:", *rows, "Of the study this model does not have:", *(f"  {line}" for line in [*explicit.omitted, *OMITTED])]
    return "\n".join(["", *lines, ""]).replace("--", "- -")


def equivalent(study: StudyLike, exported: ExportedModel, *, instance: "int | None" = None, ours: "Vehicle | None" = None) -> Fitted:
    """The cheap equivalent of an exported model, fitted to the study's vehicle. Raises LibraryError without MuJoCo, StudyError, UsageError."""
    vehicle = ours or Vehicle(study, instance)
    scene = vehicle.scene["wheels"]
    if not any(wheel.get("rollers") for wheel in scene):
        raise UsageError("no wheel of this vehicle has rollers: the model has one body a wheel already, and there is nothing to make cheaper; leave out --cheap")
    model = Equivalent(exported.text, exported.wheels, vehicle.wheels, [wheel["axis_angle"] for wheel in scene], [bool(wheel.get("rollers")) for wheel in scene])
    fit = Fit(model, vehicle, manoeuvres(vehicle.wheels), [wheel["of_drive"] for wheel in exported.numbers["wheels"]])
    numbers = fit.solve(start_of(vehicle.scene))
    errors = fit.errors(numbers)
    about = {**exported.numbers, "fitted": asdict(numbers), "joints": model.joints(numbers), "errors": {name: asdict(error) for name, error in errors.items()}}
    text = summed(model.text(numbers, _comment(exported, numbers, model.joints(numbers), errors)))
    return Fitted(text, [*exported.omitted, *OMITTED], exported.wheels, about, numbers, errors)
