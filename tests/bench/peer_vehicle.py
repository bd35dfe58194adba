"""The yardstick's vehicle for other engines: its masses, the profile of its rollers, its controller, computed here a second time from
the page (appendix/rollers.md#contact-point, appendix/vehicle.md#masses, appendix/drives.md#drives). SI units; axes x forward, y up, z to the right.

Other engines have z up: their axes are (x, -z, y) of these, a turn about x.
"""
import math

import numpy as np

UNITS = {"": 1, "kg": 1, "kg m2": 1, "kg/m3": 1, "m": 1, "cm": 1e-2, "mm": 1e-3, "deg": math.pi / 180, "rad": 1, "m/s": 1, "mm/s": 1e-3,
         "N m s": 1, "N m": 1, "s": 1, "ms": 1e-3}
SPHERES = 15  # of a roller of true profile, in MuJoCo
MECANUM = (1, -1, -1, 1)  # signs of the inclination: front left, front right, rear left, rear right


def si(quantity):
    """Number of a quantity of a study, in SI units. Raises ValueError for a unit that the yardstick does not need."""
    if not isinstance(quantity, str):
        return float(quantity)
    number, _, unit = quantity.partition(" ")
    if unit not in UNITS:
        raise ValueError(f"{quantity}: the unit is none of {', '.join(unit for unit in UNITS if unit)}")
    return float(number) * UNITS[unit]


def default(listed, group, path):
    """Default of a parameter in what `omniroll describe omni_vehicle --json` lists."""
    return next(float(row["default"]) for row in listed[group] if row["name"] == path)


def vehicle_of(study, listed):
    """Plain numbers of the vehicle and manoeuvre of a study of the yardstick's form; defaults from the program's lists."""
    parameters = study["parameters"]
    platform, layout, wheel, command = (parameters[name] for name in ("platform", "layout", "wheel", "command"))
    if layout["type"] != "rectangle" or not layout.get("mecanum") or wheel["drive"]["type"] != "body" or command["type"] != "tanh":
        raise ValueError("the peers are built for a rectangle of mecanum wheels that follow a tanh command")
    made = {name: si(platform[name]) for name in ("mass", "yaw_inertia")}
    made["height"] = si(platform["center_of_mass"]["height"])
    made.update({name: si(layout[name]) for name in ("half_length", "half_width")})
    made.update({name: si(wheel[name]) for name in ("radius", "rollers", "inclination", "tip_radius", "friction", "slip_speed")})
    made["rollers"] = int(made["rollers"])
    made["density"] = si(wheel["roller"]["density"])
    made.update({name: si(wheel["drive"][name]) for name in ("kp", "ki")})
    made.update({name: si(command.get(name, 0)) for name in ("vx", "vz", "ramp_time")})
    for name in ("mass", "axial_inertia", "diametral_inertia"):
        made["disc_" + name] = default(listed, "wheel_parameters", "disc." + name)
    made["gravity"] = default(listed, "parameters", "gravity")
    made["duration"] = si(study["integrator"]["duration"])
    made["controller_period"] = 1e-3
    return made


def places(vehicle):
    """(x, z, inclination) of the four wheels."""
    a, b, psi = vehicle["half_length"], vehicle["half_width"], vehicle["inclination"]
    return [(x, z, sign * psi) for (x, z), sign in zip(((a, -b), (a, b), (-a, -b), (-a, b)), MECANUM)]


def half_angle(vehicle):
    return math.pi / vehicle["rollers"]


def roller_center(vehicle):
    """R1: distance of wheel centre and roller centre that gives end faces of tip_radius (section 2)."""
    alpha = half_angle(vehicle)
    axial = math.sin(alpha) * math.cos(vehicle["inclination"])
    return (vehicle["radius"] - vehicle["tip_radius"] / math.sqrt(1 - axial * axial)) * math.cos(alpha)


def normal_foot(vehicle, q):
    """(m, h) at contact angle q: where the normal of the profile leaves the roller's axis, and its length (section 2)."""
    center = roller_center(vehicle)
    return center * np.tan(q) / math.cos(vehicle["inclination"]), vehicle["radius"] - center / np.cos(q)


def profile(vehicle, q):
    """(place along the axis, radius) of the section of a roller that touches at contact angle q (section 2)."""
    m, h = normal_foot(vehicle, q)
    up = np.sin(q) * math.cos(vehicle["inclination"])
    return m + h * up, h * np.sqrt(1 - up * up)


def roller_mass(vehicle):
    """(mass, axial inertia, inertia about a diameter) of one roller: integrals over its profile, Gauss-Legendre in q."""
    node, weight = np.polynomial.legendre.leggauss(40)
    alpha, step = half_angle(vehicle), 1e-4
    q, weight = alpha * (node + 1) / 2, weight * alpha / 2
    axial, radius = profile(vehicle, q)
    ends = [profile(vehicle, q + k * step)[0] for k in (-2, -1, 1, 2)]
    slope = (ends[0] - 8 * ends[1] + 8 * ends[2] - ends[3]) / (12 * step)  # right to 1e-11
    square, rho = radius**2, vehicle["density"]
    mass = 2 * math.pi * rho * np.sum(weight * slope * square)
    spin = math.pi * rho * np.sum(weight * slope * square**2)
    across = spin / 2 + 2 * math.pi * rho * np.sum(weight * slope * square * axial**2)
    return float(mass), float(spin), float(across)


def wheel_mass(vehicle):
    """(mass, inertia about the axle, about a diameter) of a wheel whose rollers turn freely: their own axial inertia is no part of
    it, since a roller's whole spin is a velocity of its own (section 4, n >= 3)."""
    mass, _, across = roller_mass(vehicle)
    n, square, cos2 = vehicle["rollers"], roller_center(vehicle) ** 2, math.cos(vehicle["inclination"]) ** 2
    return (vehicle["disc_mass"] + n * mass, vehicle["disc_axial_inertia"] + n * (mass * square + across * cos2),
            vehicle["disc_diametral_inertia"] + n * (mass * square / 2 + across * (1 - cos2 / 2)))


def total_mass(vehicle):
    return vehicle["mass"] + 4 * wheel_mass(vehicle)[0]


def yaw_inertia(vehicle):
    """J_O about the vertical through the body origin, where the centre of mass is (section 4)."""
    mass, _, across = wheel_mass(vehicle)
    return vehicle["yaw_inertia"] + 4 * (across + mass * (vehicle["half_length"] ** 2 + vehicle["half_width"] ** 2))


def sphere_chain(vehicle, count):
    """[(place along the roller's axis, radius)] of spheres that touch the profile from inside at `count` sections, evenly spaced in
    the contact angle: the profile is the envelope of all spheres about its axis at m(q) with the radius h(q)."""
    alpha = half_angle(vehicle)
    angles = [alpha * ((2 * k + 1) / count - 1) for k in range(count)]
    return [tuple(float(v) for v in normal_foot(vehicle, q)) for q in angles]


def chain_deviation(vehicle, count):
    """Largest depth by which a wheel on these chains sinks below the true one. On the sphere of the angle c it stands R1 (1 -
    cos(q - c))/cos c lower at the contact angle q; the deepest is at the edge of the last sphere's share."""
    alpha = half_angle(vehicle)
    half = alpha / count
    return roller_center(vehicle) * (1 - math.cos(half)) / math.cos(alpha - half)


def capsule(vehicle):
    """(half length of the cylinder, radius) of the capsule on which a wheel is as round as on any: its ends carry at a quarter of a
    roller's share of the turn, so that the wheel is lowest at the middle of a roller and, equally, between two; its mean rolling
    radius is R."""
    alpha, center = half_angle(vehicle), roller_center(vehicle)
    end = alpha / 2
    q = np.linspace(0, alpha, 4001)
    rise = center * (np.cos(q - end) / math.cos(end) - 1)
    mean = float(np.sum((rise[1:] + rise[:-1]) / 2) / (len(q) - 1))
    return center * math.tan(end) / math.cos(vehicle["inclination"]), vehicle["radius"] - center - mean


def ellipsoid(vehicle):
    """(half length, radius) of the ellipsoid that is curved along its axis at the middle as the wheel is: a^2/b = R/cos^2 psi."""
    radius = vehicle["radius"] - roller_center(vehicle)
    return math.sqrt(radius * vehicle["radius"]) / math.cos(vehicle["inclination"]), radius


def capsule_deviation(vehicle):
    """Lowest and highest rolling radius of a wheel of such capsules, less R."""
    center, (_, radius) = roller_center(vehicle), capsule(vehicle)
    lowest = center + radius - vehicle["radius"]
    return lowest, lowest + center * (1 / math.cos(half_angle(vehicle) / 2) - 1)


def command_at(vehicle, t):
    """Commanded (vx, vz)."""
    gain = math.tanh(t / vehicle["ramp_time"])
    return vehicle["vx"] * gain, vehicle["vz"] * gain


class Controller:
    """PI control of the wheel rates (about +z) towards those of ideal massless rollers, sampled once per period (section 12)."""

    def __init__(self, vehicle, period):
        self.vehicle, self.gain, self.grow = vehicle, vehicle["kp"], vehicle["ki"] * period
        self.wanted = [(-1 / vehicle["radius"], -math.tan(psi) / vehicle["radius"]) for _, _, psi in places(vehicle)]
        self.integral = [0.0] * 4

    def torques(self, t, rates):
        """Torques of the period that begins at t, where the wheels have these rates. Call once per period."""
        vx, vz = command_at(self.vehicle, t)
        errors = [x * vx + z * vz - rate for (x, z), rate in zip(self.wanted, rates)]
        self.integral = [sum_ + self.grow * error for sum_, error in zip(self.integral, errors)]
        return [self.gain * error + sum_ for error, sum_ in zip(errors, self.integral)]


def period_of(vehicle, step):
    """The controller's period and its number of steps: as omniroll takes it, 1 ms where steps fit into it, else the step."""
    steps = max(1, round(vehicle["controller_period"] / step))
    return steps * step, steps
