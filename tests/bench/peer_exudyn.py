"""The yardstick's vehicle in Exudyn: platform and wheels as a kinematic tree in minimal coordinates, the wheels on the discs with friction
angle of ObjectConnectorRollingDiscPenalty (of the rollers only the direction is left). Measured is the processor time within SolveDynamic, less
that of the controller's Python."""
import math
import sys
import time

sys.exudynFast = True  # Exudyn's module without range checks
import exudyn  # noqa: E402
import exudyn.itemInterface as items  # noqa: E402
import numpy as np  # noqa: E402

import peer_vehicle as pv  # noqa: E402

VERSION = exudyn.__version__
STIFFNESS, DAMPING = 1e5, 2e3  # N/m, N s/m below every wheel: 0.5 mm under the vehicle's weight, aperiodic
RADIUS = 0.6
TOLERANCE = 1e-5
TILT = 0.6  # inertia of the platform about the axes forward and to the side, of that about the vertical
FREE, LEVEL = 6, 4  # joints from the ground to the platform: three along x, y, z and yaw, pitch, roll; or yaw alone
SETTINGS = (f"generalized alpha (spectral radius {RADIUS}), modified Newton, relative tolerance {TOLERANCE:g}, contact "
            f"{STIFFNESS:g} N/m and {DAMPING:g} N s/m, steps halved where Newton fails")


def links(vehicle, platform):
    """Offsets, masses, centres and inertias: the joints of the platform, the last with its mass, then four wheels."""
    mass, axial, across = pv.wheel_mass(vehicle)
    tilt = TILT * vehicle["yaw_inertia"]
    found = [([0, 0, 0], 0.0, [0, 0, 0], np.zeros((3, 3)))] * (platform - 1)
    found.append(([0, 0, 0], vehicle["mass"], [0, 0, vehicle["height"]], np.diag([tilt, tilt, vehicle["yaw_inertia"]])))
    for x, z, _ in pv.places(vehicle):
        found.append(([x, -z, vehicle["radius"]], mass, [0, 0, 0], np.diag([across, axial, across])))
    return found


def add_tree(system, vehicle, platform=FREE):
    parts = links(vehicle, platform)
    offsets, centers = exudyn.Vector3DList(), exudyn.Vector3DList()
    turns, inertias = exudyn.Matrix3DList(), exudyn.Matrix3DList()
    for offset, _, center, inertia in parts:
        offsets.Append(offset)
        centers.Append(center)
        turns.Append(np.eye(3))
        inertias.Append(inertia)
    joint = exudyn.JointType
    joints = [joint.PrismaticX, joint.PrismaticY, joint.PrismaticZ, joint.RevoluteZ, joint.RevoluteY, joint.RevoluteX][:platform]
    count = len(parts)
    sunk = -pv.total_mass(vehicle) * vehicle["gravity"] / (4 * STIFFNESS)
    node = system.AddNode(items.NodeGenericODE2(
        referenceCoordinates=[0] * count, initialCoordinates=[0, 0, sunk] + [0] * (count - 3), initialCoordinates_t=[0] * count,
        numberOfODE2Coordinates=count))
    return system.AddObject(items.ObjectKinematicTree(
        nodeNumber=node, jointTypes=joints + [joint.RevoluteY] * 4, linkParents=list(range(-1, platform - 1)) + [platform - 1] * 4,
        jointTransformations=turns, jointOffsets=offsets, linkInertiasCOM=inertias, linkCOMs=centers,
        linkMasses=[mass for _, mass, _, _ in parts], gravity=[0, 0, -vehicle["gravity"]], jointForceVector=[0.0] * count))


def add_discs(system, vehicle, tree, platform=FREE):
    """The axis (0, -1, 0) is +z of omniroll, so that Exudyn's lateral direction is k and its longitudinal one -i; the painted roller
    of inclination psi has its rolling direction, of no friction, at the angle -psi (appendix/laws.md#friction)."""
    ground = system.AddMarker(items.MarkerBodyRigid(bodyNumber=system.AddObject(items.ObjectGround()), localPosition=[0, 0, 0]))
    for i, (_, _, psi) in enumerate(pv.places(vehicle)):
        wheel = system.AddMarker(items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=platform + i, localPosition=[0, 0, 0]))
        data = system.AddNode(items.NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))
        system.AddObject(items.ObjectConnectorRollingDiscPenalty(
            markerNumbers=[ground, wheel], nodeNumber=data, discRadius=vehicle["radius"], discAxis=[0, -1, 0], planeNormal=[0, 0, 1],
            dryFrictionAngle=-psi, contactStiffness=STIFFNESS, contactDamping=DAMPING, dryFriction=[0, vehicle["friction"]],
            dryFrictionProportionalZone=vehicle["slip_speed"], visualization=items.VObjectConnectorRollingDiscPenalty(show=False)))


class Driver:
    """Python that Exudyn calls before every step: the controller at its instants, and velocities of the last fifth."""

    def __init__(self, system, vehicle, tree, step, platform=FREE):
        self.system, self.vehicle, self.tree, self.platform = system, vehicle, tree, platform
        self.period, _ = pv.period_of(vehicle, step)
        self.controller, self.done, self.spent, self.late = pv.Controller(vehicle, self.period), -1, 0.0, []

    def __call__(self, _, t):
        start = time.thread_time()
        due = math.floor(t / self.period + 1e-6)
        if due > self.done:
            self.done = due
            rates = self.system.systemData.GetODE2Coordinates_t()
            torques = self.controller.torques(due * self.period, [-rate for rate in rates[self.platform:].tolist()])
            self.system.SetObjectParameter(self.tree, "jointForceVector", [0.0] * self.platform + [-torque for torque in torques])
            if t >= 0.8 * self.vehicle["duration"]:
                self.late.append(body_velocity(self.system.systemData.GetODE2Coordinates()[3], rates))
        self.spent += time.thread_time() - start
        return True


def body_velocity(yaw, rates):
    return (math.cos(yaw) * rates[0] + math.sin(yaw) * rates[1], math.sin(yaw) * rates[0] - math.cos(yaw) * rates[1])


def masses(system):
    """(mass, yaw inertia about the body origin, discs) from Exudyn's own mass matrix."""
    matrix = np.array(system.ComputeLinearizedSystem()[0])
    return float(matrix[0, 0]), float(matrix[3, 3]), len(matrix) - FREE


def solver_settings(vehicle, step):
    made = exudyn.SimulationSettings()
    made.solution.file.write = False
    made.timeIntegration.endTime = vehicle["duration"]
    made.timeIntegration.numberOfSteps = round(vehicle["duration"] / step)
    made.timeIntegration.minimumStepSize = step / 128
    made.timeIntegration.verboseMode = 0
    made.timeIntegration.newton.useModifiedNewton = True
    made.timeIntegration.newton.relativeTolerance = TOLERANCE
    made.timeIntegration.generalizedAlpha.spectralRadius = RADIUS
    return made


def measure(vehicle, _, step):
    """One run: seconds within SolveDynamic, final (x, z, yaw), mean body velocity of the last fifth, masses."""
    system = exudyn.SystemContainer().AddSystem()
    tree = add_tree(system, vehicle)
    add_discs(system, vehicle, tree)
    system.Assemble()
    found, driver = masses(system), Driver(system, vehicle, tree, step)
    system.SetPreStepUserFunction(driver)
    start = time.thread_time()
    system.SolveDynamic(solver_settings(vehicle, step))
    spent = time.thread_time() - start - driver.spent
    end = system.systemData.GetODE2Coordinates()
    return {"seconds": spent, "pose": [float(end[0]), -float(end[1]), float(end[3])],
            "steady": np.mean(driver.late, axis=0).tolist(), "masses": found}
