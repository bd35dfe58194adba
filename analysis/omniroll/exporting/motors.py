"""Motors of wheels, as actuators and losses of joints of MuJoCo."""

from __future__ import annotations

from dataclasses import dataclass, field

from .bodies import Vehicle, Wheel

RATED = ("rate", "replay_rate")  # drives that prescribe the rate
HEAVY = 50.0  # a wheel whose rate is prescribed: its armature, of the vehicle's inertia at the wheel
HELD = 300.0  # s-1: how fast its rate follows; slower than a step, since MuJoCo's contacts do not see the damping of actuators
STILL = ("caster", "tracking")  # kinds of wheels that turn only by drives of their own


@dataclass
class Motor:
    """An actuator of MuJoCo at the wheel, and the meaning of its control."""

    tag: str
    attributes: "dict[str, float]" = field(default_factory=dict)
    ranges: "dict[str, float]" = field(default_factory=dict)  # largest size
    control: str = ""


def _voltage(wheel: Wheel, vehicle: Vehicle) -> Motor:
    """A brushed motor: its voltage, or its share of the supply's, less the voltage that its rate makes."""
    gear, constant, resistance = wheel.value("motor.gear_ratio"), wheel.value("motor.torque_constant"), wheel.value("motor.resistance")
    per_volt = gear * constant / resistance
    back = wheel.value("motor.emf_constant", constant) * gear * per_volt
    duty = wheel.by == "duty"
    full = vehicle.values["supply.voltage"] if duty else 1.0
    motor = Motor("general", {"gain": per_volt * full, "back": back}, control="the share of the supply's voltage" if duty else "the voltage in V")
    if duty:
        motor.ranges["ctrlrange"] = 1.0
    elif "drive.voltage_limit" in wheel.values:
        motor.ranges["ctrlrange"] = wheel.value("drive.voltage_limit")
    if "motor.current_limit" in wheel.values:
        motor.ranges["forcerange"] = abs(gear) * constant * wheel.value("motor.current_limit")
    return motor


def motor_of(wheel: Wheel, vehicle: Vehicle) -> "Motor | None":
    """The actuator of a wheel; None for one that nothing drives."""
    driven = any(one.drive != "none" for one in vehicle.wheels)
    if (wheel.drive == "none" and driven) or (wheel.kind in STILL and wheel.drive == "none"):
        return None
    if wheel.drive in RATED:
        return Motor("velocity", {"kv": HELD * armature(wheel, vehicle)}, control="the rate in rad/s")
    if wheel.by != "torque":
        return _voltage(wheel, vehicle)
    gear, limit = abs(wheel.value("motor.gear_ratio")), wheel.value("drive.torque_limit")
    if "motor.stall_torque" in wheel.values:
        stall = gear * wheel.value("motor.stall_torque")
        line = Motor("general", {"gain": stall, "back": stall * gear / wheel.value("motor.no_load_speed")}, {"ctrlrange": 1.0},
                     "the share of the full voltage, as the torque-speed line has it")
        line.ranges.update({"forcerange": limit} if limit else {})
        return line
    return Motor("motor", ranges={"ctrlrange": limit} if limit else {}, control="the torque in N m")


def armature(wheel: Wheel, vehicle: Vehicle) -> float:
    """Inertia of the rotor at the wheel; of a wheel whose rate is prescribed so much that no contact changes it."""
    if wheel.drive in RATED:
        return HEAVY * vehicle.mass * wheel.radius ** 2 / len(vehicle.wheels)
    return wheel.value("motor.gear_ratio") ** 2 * wheel.value("motor.rotor_inertia")


def of_drive(wheel: Wheel, vehicle: Vehicle) -> "tuple[float, float]":
    """Armature and dry friction at the wheel that the drive brings along, beyond the rotor and the axle's own: no part of a prescribed rate."""
    rotor = wheel.value("motor.gear_ratio") ** 2 * wheel.value("motor.rotor_inertia")
    return armature(wheel, vehicle) - rotor, axle_friction(wheel) - wheel.value("axle_dry.torque")


def axle_friction(wheel: Wheel) -> float:
    """Dry friction of axle and motor that no load changes, N m at the wheel."""
    idle = 0.0 if wheel.by == "torque" else abs(wheel.value("motor.gear_ratio")) * wheel.value("motor.torque_constant") * wheel.value("motor.no_load_current")
    return wheel.value("axle_dry.torque") + idle
