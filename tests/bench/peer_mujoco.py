"""The yardstick's vehicle in MuJoCo: a free platform, hinged wheels, every roller a hinged body on soft contacts with an elliptic
friction cone. Measured is the processor time within mj_step."""
import math
import time

import mujoco
import numpy as np

import peer_vehicle as pv

VERSION = mujoco.__version__
IMPRATIO = 10
SHORTEST = 5e-3  # time constant of contacts, s; MuJoCo wants two steps at least
SETTINGS = (f"implicitfast, Newton, sparse Jacobian, elliptic cone, impratio {IMPRATIO}, time constant of contacts "
            f"{1e3 * SHORTEST:g} ms or two steps")


def roller_geoms(vehicle, shape):
    if shape == "spheres":
        return "".join(f'<geom type="sphere" size="{radius!r}" pos="0 0 {place!r}" mass="0"/>'
                       for place, radius in pv.sphere_chain(vehicle, pv.SPHERES))
    if shape == "ellipsoids":
        half, radius = pv.ellipsoid(vehicle)
        return f'<geom type="ellipsoid" size="{radius!r} {radius!r} {half!r}" mass="0"/>'
    half, radius = pv.capsule(vehicle)
    return f'<geom type="capsule" size="{radius!r} {half!r}" mass="0"/>'


def roller_bodies(vehicle, psi, geoms):
    mass, spin, across = pv.roller_mass(vehicle)
    center, found = pv.roller_center(vehicle), []
    for j in range(vehicle["rollers"]):
        q = 2 * math.pi * j / vehicle["rollers"]
        axis = (math.cos(psi) * math.cos(q), -math.sin(psi), math.cos(psi) * math.sin(q))
        found.append(f'<body pos="{center * math.sin(q)!r} 0 {-center * math.cos(q)!r}" zaxis="{axis[0]!r} {axis[1]!r} {axis[2]!r}">'
                     f'<joint type="hinge" axis="0 0 1"/><inertial pos="0 0 0" mass="{mass!r}" '
                     f'diaginertia="{across!r} {across!r} {spin!r}"/>{geoms}</body>')
    return "".join(found)


def describe(vehicle, shape, step):
    """MJCF text. Rolling and pitching inertia of the platform, which omniroll does not need, are 0.6 of the yaw inertia."""
    geoms, wheels = roller_geoms(vehicle, shape), ""
    disc = [vehicle["disc_" + name] for name in ("mass", "axial_inertia", "diametral_inertia")]
    for i, (x, z, psi) in enumerate(pv.places(vehicle)):
        wheels += (f'<body pos="{x!r} {-z!r} {vehicle["radius"]!r}"><joint name="wheel{i}" type="hinge" axis="0 -1 0"/>'
                   f'<inertial pos="0 0 0" mass="{disc[0]!r}" diaginertia="{disc[2]!r} {disc[1]!r} {disc[2]!r}"/>'
                   f'{roller_bodies(vehicle, psi, geoms)}</body>')
    tilt = 0.6 * vehicle["yaw_inertia"]
    return (f'<mujoco><option timestep="{step!r}" gravity="0 0 {-vehicle["gravity"]!r}" integrator="implicitfast" cone="elliptic" '
            f'solver="Newton" jacobian="sparse" impratio="{IMPRATIO}"/>'
            f'<default><geom contype="0" conaffinity="1" condim="3" friction="{vehicle["friction"]!r} 0 0" '
            f'solref="{max(SHORTEST, 2 * step)!r} 1"/></default><worldbody>'
            '<geom type="plane" size="0 0 1" contype="1" conaffinity="0" friction="0 0 0"/>'
            f'<body><freejoint/><inertial pos="0 0 {vehicle["height"]!r}" mass="{vehicle["mass"]!r}" '
            f'diaginertia="{tilt!r} {tilt!r} {vehicle["yaw_inertia"]!r}"/>{wheels}</body></worldbody></mujoco>')


def masses(model, data, wheels):
    """(mass, yaw inertia about the body origin with wheels at rest on the platform and rollers free to turn, rollers)."""
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, full, data.qM) if hasattr(data, "qM") else mujoco.mj_fullM(model, data, full)
    rollers = [i for i in range(6, model.nv) if i not in wheels]
    free = full[np.ix_(rollers, rollers)]
    yaw = full[5, 5] - full[5, rollers] @ np.linalg.solve(free, full[rollers, 5])
    return float(full[0, 0]), float(yaw), len(rollers)


def measure(vehicle, shape, step):
    """One run: seconds within mj_step, final (x, z, yaw), mean body velocity of the last fifth, masses."""
    model = mujoco.MjModel.from_xml_string(describe(vehicle, shape, step))
    data = mujoco.MjData(model)
    wheels = np.array([model.joint(f"wheel{i}").dofadr[0] for i in range(4)])
    found = masses(model, data, set(wheels.tolist()))
    period, steps = pv.period_of(vehicle, step)
    controller, spent, rounds, late = pv.Controller(vehicle, period), 0.0, round(vehicle["duration"] / period), []
    for k in range(rounds):
        data.qfrc_applied[wheels] = controller.torques(k * period, data.qvel[wheels].tolist())
        start = time.thread_time()
        mujoco.mj_step(model, data, steps)
        spent += time.thread_time() - start
        if k >= 0.8 * rounds:
            late.append(body_velocity(data))
    w, x, y, z = data.qpos[3:7]
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return {"seconds": spent, "pose": [float(data.qpos[0]), -float(data.qpos[1]), yaw],
            "steady": np.mean(late, axis=0).tolist(), "masses": found}


def body_velocity(data):
    """(vx, vz) of the body origin in body axes; MuJoCo has it in the world's."""
    w, x, y, z = data.qpos[3:7]
    yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    east, north = data.qvel[0], data.qvel[1]
    return math.cos(yaw) * east + math.sin(yaw) * north, math.sin(yaw) * east - math.cos(yaw) * north
