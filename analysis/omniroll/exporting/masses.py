"""Bodies of a model as MuJoCo wants them, each with mass and inertias, and the compliance of their places."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from .bodies import Array, Roller, Vehicle, Wheel
from .motors import armature, axle_friction

LEAST_MASS, LEAST_INERTIA = 1e-6, 1e-10  # kg, kg m2
LIGHT = 0.01  # share of the wheel's disc that becomes rollers where the study's have no mass


@dataclass
class Joint:
    """A joint of a body: of kind free, slide or hinge, about or along an axis of the body, through its origin."""

    kind: str
    name: str
    axis: Array = field(default_factory=lambda: np.zeros(3))
    attributes: "dict[str, float]" = field(default_factory=dict)


@dataclass
class Body:
    """A body at the place and in the axes (columns) that it has in its parent at angles 0."""

    name: str
    place: Array
    axes: Array
    mass: float
    center: Array
    inertia: Array  # about its axes, which are principal ones
    joints: "list[Joint]" = field(default_factory=list)
    inside: "list[Body]" = field(default_factory=list)
    wheel: "int | None" = None
    roller: "int | None" = None
    raised: bool = False  # mass or inertia, since MuJoCo takes no less

    def raise_to_least(self) -> None:
        """MuJoCo takes bodies with mass, and with inertias that a body can have, of which two make at least the third."""
        mass, inertia = max(self.mass, LEAST_MASS), np.maximum(self.inertia, LEAST_INERTIA)
        most = int(np.argmax(inertia))
        others = inertia.sum() - inertia[most]
        inertia[[i for i in range(3) if i != most]] *= max(inertia[most] / others, 1.0)
        self.raised = self.mass < LEAST_MASS or bool((inertia > self.inertia * (1 + 1e-9)).any())
        self.mass, self.inertia = mass, inertia

    def every(self) -> "list[Body]":
        return [self, *(one for child in self.inside for one in child.every())]


def about_up(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def along(axis: Array) -> Array:
    """Axes of which the third is `axis`; the second is level where it can be."""
    third = axis / np.linalg.norm(axis)
    helper = np.array([0.0, 0.0, 1.0]) if abs(third[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    second = np.cross(third, helper)
    second /= np.linalg.norm(second)
    return np.stack([np.cross(second, third), second, third], axis=1)


def is_massless(wheel: Wheel) -> bool:
    return wheel.roller is not None and not wheel.roller.mass > 0


def _weighed(wheel: Wheel) -> "tuple[float, float, float, Roller | None]":
    """Mass, inertia about the axle and across it of the disc, and the roller. Where rollers have no mass they get some of the disc's."""
    mass = wheel.value("disc.mass") + wheel.value("suspension.mass") * (not wheel.swivels)
    axial, across = wheel.value("disc.axial_inertia"), wheel.value("disc.diametral_inertia")
    roller = wheel.roller
    if roller is None or not is_massless(wheel):
        return mass, axial, across, roller
    one = LIGHT * min(mass / roller.count, axial / (roller.count * roller.center_distance ** 2))
    own = one * (3 * roller.largest_radius ** 2 + roller.length ** 2) / 12
    light = replace(roller, mass=one, axial_inertia=0.5 * one * roller.largest_radius ** 2, diametral_inertia=own)
    whole = light.count * (one * light.center_distance ** 2 + own * np.cos(light.inclination) ** 2)
    level = light.count * (0.5 * one * light.center_distance ** 2 + own * (1 - 0.5 * np.cos(light.inclination) ** 2)
                           + one * (0.5 * light.row_distance) ** 2)
    return mass - light.count * one, axial - whole, across - level, light


def _roller_bodies(wheel: Wheel, number: int, roller: Roller) -> "list[Body]":
    found = []
    losses = {"damping": wheel.value("roller.bearing"), "frictionloss": wheel.value("roller.dry.torque")}
    for k in range(roller.count):
        name = f"roller_{wheel.name}_{k}"
        inertia = np.array([roller.diametral_inertia, roller.diametral_inertia, roller.axial_inertia])
        found.append(Body(name, roller.place(k), along(roller.axis(k)), roller.mass, np.zeros(3), inertia,
                          [Joint("hinge", name, np.array([0.0, 0.0, 1.0]), losses)], wheel=number, roller=k))
    return found


def _slide(wheel: Wheel, vehicle: Vehicle) -> "list[Joint]":
    """The suspension of a wheel, or the soft spring of a tracking wheel."""
    up = np.array([0.0, 0.0, 1.0])
    if vehicle.about["contact"]["suspension"]:
        stiffness, load, damping = wheel.value("suspension.stiffness"), wheel.given["preload"], wheel.value("suspension.damping")
    elif wheel.kind == "tracking":
        gravity = float(np.linalg.norm(vehicle.about["gravity"]))
        stiffness, load = wheel.value("tracking.stiffness"), wheel.value("tracking.preload") - wheel.total_mass * gravity
        damping = wheel.given.get("contact_damping", 2 * np.sqrt(stiffness * wheel.total_mass))
    else:
        return []
    return [Joint("slide", f"suspension_{wheel.name}", up, {"stiffness": stiffness, "springref": -load / stiffness, "damping": damping})]


def _wheel_body(wheel: Wheel, number: int, vehicle: Vehicle) -> Body:
    losses = {"damping": wheel.value("axle_bearing"), "frictionloss": axle_friction(wheel), "armature": armature(wheel, vehicle)}
    mass, axial, across, roller = _weighed(wheel)
    axle = Joint("hinge", f"wheel_{wheel.name}", np.array([0.0, wheel.sense, 0.0]), losses)
    body = Body(f"wheel_{wheel.name}", wheel.place, about_up(wheel.axis_angle), mass, np.zeros(3), np.array([across, axial, across]), [axle], wheel=number)
    if roller is not None:
        body.inside = _roller_bodies(wheel, number, roller)
    slide = _slide(wheel, vehicle)
    if not wheel.swivels:
        body.joints = [*slide, axle]
        return body
    fork_mass, own = wheel.value("swivel.mass") + wheel.value("suspension.mass"), wheel.value("swivel.inertia")
    ahead = wheel.value("disc.mass") * wheel.trail / fork_mass
    swivel = Joint("hinge", f"swivel_{wheel.name}", np.array([0.0, 0.0, 1.0]), {"damping": wheel.value("swivel.bearing")})
    fork = Body(f"fork_{wheel.name}", body.place, body.axes, fork_mass, np.array([ahead, 0.0, 0.0]), np.full(3, own), [*slide, swivel], [body],
                wheel=number)
    body.place, body.axes = np.array([-wheel.trail, 0.0, 0.0]), np.eye(3)
    return fork


def platform_of(vehicle: Vehicle) -> Body:
    """The whole vehicle: the platform, whose origin is on the floor below the body origin, and its wheels."""
    about = vehicle.about["platform"]
    inside = [_wheel_body(wheel, number, vehicle) for number, wheel in enumerate(vehicle.wheels)]
    platform = Body("platform", np.zeros(3), np.eye(3), about["mass"], np.array(about["center_of_mass"]), np.array(about["inertia"]),
                    [Joint("free", "platform")], inside)
    for body in platform.every():
        body.raise_to_least()
    return platform


def _motions(platform: Body) -> "tuple[list[tuple[Body, Array, Array, Array]], list[float]]":
    """For each body its place, axes and 6 x n rates of its origin's velocity and its angular velocity by the rates of the joints; and the armatures."""
    count = sum(6 if joint.kind == "free" else 1 for body in platform.every() for joint in body.joints)
    rotors, found, used = [0.0] * count, [], 0

    def walk(body: Body, at: Array, axes: Array, rates: Array) -> None:
        nonlocal used
        place, turned = at + axes @ body.place, axes @ body.axes
        own = rates.copy()
        own[:3] += np.cross(rates[3:].T, place - at).T
        for joint in body.joints:
            if joint.kind == "free":
                own[:, used:used + 6] = np.eye(6)
                used += 6
                continue
            own[slice(0, 3) if joint.kind == "slide" else slice(3, 6), used] += turned @ joint.axis
            rotors[used] = joint.attributes.get("armature", 0.0)
            used += 1
        found.append((body, place, turned, own))
        for child in body.inside:
            walk(child, place, turned, own)

    walk(platform, np.zeros(3), np.eye(3), np.zeros((6, count)))
    return found, rotors


def mobilities(platform: Body) -> "dict[str, float]":
    """For each body the mean acceleration of its centre of mass by a force on it, over three directions, 1/kg: MuJoCo's body_invweight0,
    by which it scales soft contacts."""
    motions, rotors = _motions(platform)
    matrix = np.diag(rotors)
    centers: "dict[str, Array]" = {}
    for body, _, axes, rates in motions:
        move = rates[:3] + np.cross(rates[3:].T, axes @ body.center).T
        turn = axes.T @ rates[3:]
        matrix = matrix + body.mass * move.T @ move + turn.T @ (body.inertia[:, None] * turn)
        centers[body.name] = move
    inverse = np.linalg.inv(matrix)
    return {name: float(np.trace(move @ inverse @ move.T)) / 3 for name, move in centers.items()}
