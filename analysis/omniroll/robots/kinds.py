"""Of which kind a wheel is in the study, and whether it is driven."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np

from .robot import Robot
from .standing import CASTER_NAME, STEERED_NAME
from .wheels import Vehicle, Wheel

ROLLER_NAME = re.compile(r"mecanum|omni|swedish|roller", re.IGNORECASE)
TRAILS = 0.1  # of its radius: a wheel further behind its swivel axis is a caster, where nothing else tells
ONE_AXLE = 0.1  # of the radius, between the axles of two wheels that are one


def decide_swivels(robot: Robot, wheels: "list[Wheel]") -> None:
    """Casters turn by themselves; swerve wheels are steered."""
    known = _actuators(robot, wheels)
    for wheel in wheels:
        if wheel.swivel is None:
            continue
        joint, words = wheel.swivel.joint, f"{wheel.swivel.joint.name} {wheel.swivel.joint.child} {wheel.joint.name} {wheel.joint.child}"
        if known:
            steered, wheel.why = joint.name in known, f"the file {'has an' if joint.name in known else 'has no'} actuator of joint {joint.name}"
        elif CASTER_NAME.search(words) or STEERED_NAME.search(words):
            steered, wheel.why = not CASTER_NAME.search(words), f"name of joint {joint.name}"
        elif joint.kind == "revolute":
            steered, wheel.why = True, f"joint {joint.name} has limits"
        else:
            steered = wheel.swivel.trail <= TRAILS * (wheel.radius or 0.05)
            wheel.why = f"its axle stands {'below' if steered else 'behind'} the axis of joint {joint.name}"
        wheel.kind = "swerve" if steered else "caster"
        wheel.driven = steered and (not known or wheel.joint.name in known)


def decide_straight(vehicle: Vehicle) -> None:
    """Wheels that roll straight on are tyres where two on one axle drive, or where there are casters; else they have rollers."""
    straight = [wheel for wheel in vehicle.wheels if not wheel.swivel and not wheel.foot]
    pair = driven_pair(vehicle.robot, straight)
    alone, tyres = len(straight) == len(vehicle.wheels), parallel(straight) and not _names_rollers(straight, vehicle.robot.name)
    for wheel in straight:
        if wheel in pair:
            wheel.kind, wheel.why = "plain", "one of two driven wheels on one axle, without rollers"
        elif pair:
            wheel.driven = False
            wheel.kind, wheel.why = ("roller", "its name") if _names_rollers([wheel]) else ("plain", "neither swivel nor rollers in the file")
        elif tyres and not alone:
            wheel.kind, wheel.why = "plain", "its axis has one direction, and the file has no rollers"
    for wheel in vehicle.wheels:
        if wheel.foot:
            wheel.kind, wheel.driven = "plain", False


def driven_pair(robot: Robot, straight: "list[Wheel]") -> "list[Wheel]":
    """The two wheels of a differential drive: the only ones, the ones with actuators, or the ones of three that share an axle."""
    known = _actuators(robot, straight)
    candidates = [wheel for wheel in straight if wheel.joint.name in known] if known else straight
    if len(candidates) == 3 and len(straight) == 3:
        shared = [list(pair) for pair in itertools.combinations(candidates, 2) if on_one_axle(*pair)]
        candidates = shared[0] if len(shared) == 1 else []
    pair = len(candidates) == 2 and on_one_axle(*candidates) and not _names_rollers(candidates if len(straight) > 2 else [])
    return candidates if pair and not any(wheel.rollers for wheel in candidates) else []


def on_one_axle(a: Wheel, b: Wheel) -> bool:
    off = (b.center - a.center)[:2]
    across = off - (off @ a.axis[:2]) * a.axis[:2]
    return parallel([a, b]) and float(np.linalg.norm(across)) <= ONE_AXLE * (a.radius or 0.05) and float(np.linalg.norm(off)) > 0


def parallel(wheels: "list[Wheel]") -> bool:
    return all(abs(float(wheels[0].axis @ wheel.axis)) > math.cos(math.radians(5)) for wheel in wheels)


def _names_rollers(wheels: "list[Wheel]", more: str = "") -> bool:
    """Whether links or names of wheels, or `more`, speak of rollers."""
    return any(wheel.rollers or ROLLER_NAME.search(f"{wheel.joint.name} {wheel.joint.child} {more}") for wheel in wheels)


def _actuators(robot: Robot, wheels: "list[Wheel]") -> "set[str]":
    """Joints of the wheels that the file has actuators of; none where it says nothing of them."""
    return robot.driven & {joint.name for wheel in wheels for joint in (wheel.joint, wheel.swivel.joint if wheel.swivel else wheel.joint)}
