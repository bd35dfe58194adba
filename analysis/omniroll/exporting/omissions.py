"""The parts of a study that its model for MuJoCo does not have, in words."""

from __future__ import annotations

from typing import Callable

from .bodies import Vehicle, Wheel
from .masses import LIGHT, Body, is_massless
from .motors import HEAVY, RATED

MORE_THAN_0 = {  # parameters of wheels that a model lacks where they are not 0
    "roller.dry.friction": "friction of the rollers' pins under load",
    "roller.dry.end_friction": "friction of the rollers' end faces under load",
    "axle_dry.friction": "friction of the axles under load",
    "contact.contour_radius": "drilling friction",
    "contact.rolling_friction": "rolling friction by the speed",
    "motor.inductance": "inductance of the motors",
    "steer.torque": "constant steering torque",
}
TYRES = ("brush", "magic_formula")


def _some(vehicle: Vehicle, test: "Callable[[Wheel], bool]") -> bool:
    return any(test(wheel) for wheel in vehicle.wheels)


def _friction(vehicle: Vehicle) -> "list[str]":
    law, found = vehicle.about["contact"]["law"], []
    if law in ("saturated_coulomb", "regularized_coulomb"):
        slow = max(wheel.value("slip_speed") for wheel in vehicle.wheels)
        found.append(f"the slip speed of friction ({slow:g} m/s): MuJoCo's grows with the slip much faster, up to the same friction times load")
    elif vehicle.about["contact"]["holds"]:
        found.append(f"the law {law}, under which no wheel slips: the file has dry friction, as wheel.friction has it")
    else:
        found.append(f"the law {law}: the file has dry friction with the same coefficient")
    tyres = [row["law"] for row in vehicle.about["wheels"] if row["law"] in TYRES]
    if tyres:
        found.append(f"the law {tyres[0]} of tyres: dry friction instead")
    if _some(vehicle, lambda w: w.roller is None):
        found.append("width and contact patch of wheels without rollers, which are thin ellipsoids")
    if _some(vehicle, lambda w: any(path in w.values and abs(w.values[path] - w.value("friction")) > 1e-12
                                    for path in ("contact.lateral_friction", "contact.longitudinal_friction"))):
        found.append("friction that differs along and across the wheel: the file has wheel.friction in all directions")
    return found


def _losses(vehicle: Vehicle) -> "list[str]":
    found = [words for path, words in MORE_THAN_0.items() if _some(vehicle, lambda w, path=path: w.value(path) != 0)]  # type: ignore[misc]
    if _some(vehicle, lambda w: w.by != "torque" and min(w.value("motor.efficiency", 1), w.value("motor.back_efficiency", 1)) < 1):
        found.append("efficiency of the gears")
    if _some(vehicle, lambda w: w.value("roller.dry.torque") > 0):
        found.append("rollers' dry friction acts on the lowest roller alone in the study, in the file on all")
    if _some(vehicle, lambda w: w.by == "duty") and vehicle.values.get("supply.resistance", 0) > 0:
        found.append("resistance of the supply")
    return found


def _surroundings(vehicle: Vehicle) -> "list[str]":
    about, found = vehicle.about, []
    for name, words in (("uneven", "heights of the floor: it is level"), ("external", "external forces"), ("yaw_loss", "the empirical loss of yaw")):
        if about[name]:
            found.append(words)
    moving = ("initial.vx", "initial.vz", "initial.yaw_rate", "initial.heave_rate", "initial.pitch_rate", "initial.roll_rate")
    if any(vehicle.values.get(path, 0) for path in moving) or _some(vehicle, lambda w: w.value("initial.rate") != 0):
        found.append("velocities at the start: the keyframe start has the pose alone")
    if about["ground"] != "constant":
        found.append(f"ground of type {about['ground']}: friction is the same everywhere")
    return found


def omitted_of(vehicle: Vehicle, platform: Body, shape: str) -> "list[str]":
    """A line each."""
    found = _friction(vehicle)
    raised = [body.name for body in platform.every() if body.raised]
    if raised:
        found.append(f"mass or inertias that no body can have, which the file has larger: {', '.join(raised[:4])}{' and more' * (len(raised) > 4)}")
    if vehicle.compliant and vehicle.about["contact"]["hertz"]:
        found.append("Hertz's spring: the file has its stiffness and damping under the load at rest")
    if vehicle.compliant and not vehicle.about["contact"]["kelvin_voigt"]:
        found.append("damping of the contact that grows with its load: the file has that under the load at rest")
    if not vehicle.compliant:
        found.append("rigid contact: MuJoCo's gives way by some micrometres, and lets the platform heave, pitch and roll")
    found += _losses(vehicle)
    if _some(vehicle, lambda w: w.kind == "tracking"):
        found.append("the constant load of tracking wheels: the file has a spring with a damper that gives it at rest")
    if _some(vehicle, lambda w: w.drive in RATED):
        found.append(f"wheels whose rate is prescribed: the file has a servo with {HEAVY:g} times the vehicle's inertia at the wheel")
    if _some(vehicle, is_massless):
        found.append(f"rollers without mass: those of the file take {LIGHT:.0%} of the mass of their discs")
    if _some(vehicle, lambda w: w.roller is not None):
        found.append("impacts and choice of the roller in contact where two touch: MuJoCo's own")
        found.append("ends of the rollers: " + ("the shape goes on beyond them" if shape == "ellipsoid" else "the shape is that of the profile alone"))
    if any(wheel.drive != "none" for wheel in vehicle.wheels):
        found.append("controllers, commands and torques over time: the actuators take what a program gives them")
    return [*found, *_surroundings(vehicle)]
