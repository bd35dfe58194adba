"""Values of wheels without rollers: tyres, casters, swerve wheels and feet."""

from __future__ import annotations

import math

from .value import Value
from .wheels import Vehicle, Wheel

FOOT_FRICTION = 0.05  # of a ball caster: its resistance over its load
NEXT_TO_NONE = 1e-6  # of the platform's mass, in a foot, which the reference wants to have one
FOOT_SIZE = 0.2  # of the radius of a wheel, where the file has no ball
STEER_RATE = 30.0  # rad/s: the guessed servo follows an angle that fast, critically damped
LOOSE = 0.02  # of the friction of a caster's tyre: the guessed resistance of its swivel at SWING
SWING = 10.0  # rad/s
OWN = 0.1  # of the inertia about the axis, at least the fork's own
LEAST_TRAIL = 1e-3  # m, of a caster
FAR = 1e-3  # m, from which on the import reports a length that has no place in the study


def body_of(wheel: Wheel, radius: float) -> "tuple[Value, Value, Value]":
    """Mass of a wheel, without rollers that the file describes, and its inertias about the axle and a diameter."""
    mass, axial, diametral = wheel.body.mass, wheel.axial_inertia, wheel.diametral_inertia
    source, bare = f"link {wheel.joint.child}", not mass > 0
    if bare:
        mass, source = 0.4 * (radius / 0.05)**2, "the wheel has no mass in the file"
    solid = bare or not axial > 0
    if solid:
        axial, diametral = mass * radius**2 / 2, mass * radius**2 / 4
    of = "a solid disc: the file has no inertia" if solid else source
    return Value(mass, "kg", source, bare), Value(axial, "kg m2", of, solid), Value(max(diametral, axial / 2), "kg m2", of, solid)


def bare_values(vehicle: Vehicle, wheel: Wheel) -> "dict[str, Value]":
    """Of a tyre, with its swivel."""
    radius = wheel.radius or 0.05
    mass, axial, diametral = body_of(wheel, radius)
    values = {"kind": Value(wheel.kind, "", wheel.why), "radius": Value(radius, "m", wheel.source.replace("guess: ", ""), "guess" in wheel.source)}
    if wheel.swivel:
        values.update(_swivel_values(vehicle, wheel, mass, diametral))
    values.update({"disc.mass": values.pop("disc.mass", mass), "disc.axial_inertia": axial, "disc.diametral_inertia": diametral})
    if not wheel.driven:
        values.update(_not_driven(wheel))
    return values


def _not_driven(wheel: Wheel) -> "dict[str, Value]":
    if wheel.kind != "swerve":
        return {"drive.type": Value("none", "", f"joint {wheel.joint.name} has no drive")}
    no_drive = f"joint {wheel.joint.name} has no drive: the servo steers along the command"
    return {"drive.kp": Value(0.0, "N m s", no_drive), "drive.ki": Value(0.0, "N m", no_drive)}


def _swivel_values(vehicle: Vehicle, wheel: Wheel, mass: Value, diametral: Value) -> "dict[str, Value]":
    swivel, caster = wheel.swivel, wheel.kind == "caster"
    assert swivel is not None
    joint = swivel.joint
    about_axis = swivel.inertia + mass.number * swivel.aside**2 + (0.0 if caster else mass.number * swivel.trail**2)
    disc, fork, inertia = balanced(swivel.fork.mass, about_axis, mass.number, max(swivel.trail, LEAST_TRAIL) if caster else 0.0)
    moved = fork > swivel.fork.mass * (1 + 1e-9)
    source = f"links below joint {joint.name}, without the wheel's" if swivel.fork.mass > 0 else "the file has no fork with a mass: part of the wheel's"
    values: "dict[str, Value]" = {}
    if caster:
        none = swivel.trail < LEAST_TRAIL
        values["swivel.trail"] = Value(max(swivel.trail, LEAST_TRAIL), "m", "the wheel stands on its swivel axis in the file, and would not swing round" if none else
                                       f"from the axis of joint {joint.name} to the wheel", none)
        if abs(math.remainder(swivel.angle, 2 * math.pi)) > 1e-6:
            values["initial.steer"] = Value(math.degrees(swivel.angle), "deg", f"where joint {joint.name} is at zero"
                                            + ("; ahead of its axis it swings round on the way forward" if abs(swivel.angle) > math.pi / 2 else ""))
    values["swivel.mass"] = Value(fork, "kg", source + ", and part of the wheel's, for their inertia about the swivel" * (moved and swivel.fork.mass > 0),
                                  not swivel.fork.mass > 0)
    values["swivel.inertia"] = Value(inertia, "kg m2", f"wheel and fork keep theirs about joint {joint.name}")
    if moved:
        values["disc.mass"] = Value(disc, "kg", f"{mass.source}, less what balances it in the fork", mass.guess)
    load = 9.81 * (vehicle.platform.mass or 10.0) / max(len(vehicle.wheels), 1)
    loose = float(f"{LOOSE * load * swivel.trail / SWING:.2g}") if caster else 0.0
    given = joint.damping is not None
    values["swivel.bearing"] = Value(joint.damping if given else loose, "N m s", f"damping of joint {joint.name}" if given else "small beside the friction of the tyre" if caster
                                     else "that of the servo is all", not given)
    if not caster:
        whole = inertia + diametral.number
        values["steer.stiffness"] = Value(float(f"{whole * STEER_RATE**2:.2g}"), "N m", f"follows an angle at about {STEER_RATE:g} rad/s", True)
        values["steer.damping"] = Value(float(f"{2 * whole * STEER_RATE:.2g}"), "N m s", "of a servo that does not swing", True)
        if joint.effort:
            values["steer.torque_limit"] = Value(joint.effort, "N m", f"effort limit of joint {joint.name}")
    return values


def balanced(fork: float, inertia: float, wheel: float, trail: float) -> "tuple[float, float, float]":
    """Masses of wheel and fork, and the fork's inertia about its own centre, for which both keep their mass and their inertia about the swivel axis
    while their common centre stands on it, as the study has it: the fork's mass m_f is behind the axis by m_w t / m_f. `inertia`: of the fork about the
    axis. A fork too light for that takes part of the wheel's mass; a trail of 0 is a swerve wheel's."""
    whole, about = fork + wheel, inertia + wheel * trail**2
    least = (whole * trail)**2 / ((1 - OWN) * about + whole * trail**2) if trail > 0 else 0.0 if fork > 0 else whole / 2
    heavier = max(fork, least)
    return whole - heavier, heavier, max(about - (whole - heavier) * trail**2 * whole / heavier, 0.0)


def foot_values(vehicle: Vehicle, wheel: Wheel) -> "dict[str, Value]":
    """A foot is a tyre that is locked: it slides alike in every direction."""
    others = [other.radius for other in vehicle.wheels if other.radius and not other.foot]
    given = wheel.friction is not None
    radius, mass = wheel.radius or FOOT_SIZE * max(others, default=0.05), float(f"{NEXT_TO_NONE * (vehicle.platform.mass or 10.0):.1g}")
    inertia = Value(float(f"{0.4 * mass * radius**2:.1g}"), "kg m2", "next to none")
    return {"kind": Value("plain", "", f"a {wheel.foot} on the floor: a locked tyre slides alike"),
            "radius": Value(radius, "m", f"of the {wheel.foot}" if wheel.radius else "has no effect on a locked tyre", not wheel.radius),
            "friction": Value(wheel.friction if given else FOOT_FRICTION, "", "friction or condim of the geom" if given else "a ball caster: resistance over load", not given),
            "disc.mass": Value(mass, "kg", "next to none: its mass is in the platform's"), "disc.axial_inertia": inertia, "disc.diametral_inertia": inertia,
            "drive.type": Value("rate", "", "a rate of 0: locked")}


def missing_of(vehicle: Vehicle) -> "list[str]":
    """Properties that the file, or a robot, has and no parameter takes."""
    found = []
    for i, wheel in enumerate(vehicle.wheels):
        swivel, name = wheel.swivel, wheel.joint.name
        if wheel.foot:
            found.append(f"wheels[{i}], {name}: that a ball rolls, or a caster swivels; it slides with little friction")
        if wheel.joint.mimics:
            found.append(f"wheels[{i}], {name}: that it turns with {wheel.joint.mimics}; its drive has a controller of its own")
        if swivel is None:
            continue
        if swivel.joint.kind == "revolute":
            found.append(f"wheels[{i}], {swivel.joint.name}: its limits; the wheel may turn all round")
        if swivel.joint.friction:
            found.append(f"wheels[{i}], {swivel.joint.name}: its dry friction; a swivel has viscous friction")
        if swivel.joint.mimics:
            found.append(f"wheels[{i}], {swivel.joint.name}: that it turns with {swivel.joint.mimics}")
        off = math.hypot(swivel.trail, swivel.aside) if wheel.kind == "swerve" else swivel.aside
        if off > FAR:
            found.append(f"wheels[{i}], {swivel.joint.name}: that its axis is {1e3 * off:.3g} mm {'from the wheel' if wheel.kind == 'swerve' else 'beside the wheel'}")
    return found
