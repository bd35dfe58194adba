"""The vehicle in Exudyn: wheels are discs with the friction of rollers painted on them, ObjectConnectorRollingDiscPenalty.

Numbers of the bodies are those of the exported model. The rates of the wheels are held by a stiff damper, which an implicit method does not mind."""
import math
import sys
import time

sys.exudynFast = True  # Exudyn's module without range checks
import exudyn  # noqa: E402
import exudyn.itemInterface as items  # noqa: E402
import numpy as np  # noqa: E402

from omniroll.conformance.motion import Motion  # noqa: E402
from omniroll.exporting.equivalent import Explicit  # noqa: E402

STEP = 1e-3
STIFFNESS, DAMPING = 1e5, 2e3  # N/m, N s/m below every wheel: aperiodic
SERVO = 1e3  # N m s: holds the rates
SLIP = 5e-3  # m/s, up to which friction grows
FREE = 6  # joints from the ground to the platform: along x, y, z and yaw, pitch, roll


class Discs:
    """Call it with a manoeuvre."""

    def __init__(self, vehicle, exported):
        seen = Explicit(exported.text)
        self.wheels, self.scene = vehicle.wheels, vehicle.scene["wheels"]
        self.lumped = [seen.lumped(name) for name in exported.wheels]
        platform = seen.model.body("platform")
        self.mass, self.center, self.inertia = float(platform.mass[0]), platform.ipos.tolist(), np.diag(platform.inertia)
        self.gravity = float(-seen.model.opt.gravity[2])
        self.sense = np.sign([wheel.gain for wheel in self.wheels])  # positive rates of the study, about the axle to the left

    def tree(self, system):
        offsets, centers = exudyn.Vector3DList(), exudyn.Vector3DList()
        turns, inertias = exudyn.Matrix3DList(), exudyn.Matrix3DList()
        links = [([0, 0, 0], 0.0, [0, 0, 0], np.zeros((3, 3)), np.eye(3))] * (FREE - 1)
        links.append(([0, 0, 0], self.mass, self.center, self.inertia, np.eye(3)))
        for lumped, scene in zip(self.lumped, self.scene):
            c, s = math.cos(scene["axis_angle"]), math.sin(scene["axis_angle"])
            links.append((list(lumped.place), lumped.mass, [0, 0, 0], np.diag([lumped.upright, lumped.about_axle, lumped.upright]),
                          np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])))
        for offset, _, center, inertia, turn in links:
            offsets.Append(offset)
            centers.Append(center)
            turns.Append(turn)
            inertias.Append(inertia)
        joint, count = exudyn.JointType, len(links)
        mass = self.mass + sum(lumped.mass for lumped in self.lumped)
        sunk = -mass * self.gravity / (len(self.wheels) * STIFFNESS)
        node = system.AddNode(items.NodeGenericODE2(
            referenceCoordinates=[0] * count, initialCoordinates=[0, 0, sunk] + [0] * (count - 3), initialCoordinates_t=[0] * count,
            numberOfODE2Coordinates=count))
        free = [joint.PrismaticX, joint.PrismaticY, joint.PrismaticZ, joint.RevoluteZ, joint.RevoluteY, joint.RevoluteX]
        return system.AddObject(items.ObjectKinematicTree(
            nodeNumber=node, jointTypes=free + [joint.RevoluteY] * len(self.wheels),
            linkParents=list(range(-1, FREE - 1)) + [FREE - 1] * len(self.wheels), jointTransformations=turns, jointOffsets=offsets,
            linkInertiasCOM=inertias, linkCOMs=centers, linkMasses=[link[1] for link in links], gravity=[0, 0, -self.gravity],
            jointDControlVector=[0.0] * FREE + [SERVO * wheel.driven for wheel in self.wheels], jointVelocityOffsetVector=[0.0] * count,
            jointPControlVector=[0.0] * count, jointPositionOffsetVector=[0.0] * count))

    def discs(self, system, tree):
        """About the axis to the right Exudyn's lateral direction is to the right and its longitudinal one back, and the rolling
        direction of the painted rollers has the angle -psi."""
        ground = system.AddMarker(items.MarkerBodyRigid(bodyNumber=system.AddObject(items.ObjectGround()), localPosition=[0, 0, 0]))
        for i, (lumped, scene) in enumerate(zip(self.lumped, self.scene)):
            wheel = system.AddMarker(items.MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=FREE + i, localPosition=[0, 0, 0]))
            data = system.AddNode(items.NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))
            system.AddObject(items.ObjectConnectorRollingDiscPenalty(
                markerNumbers=[ground, wheel], nodeNumber=data, discRadius=scene["radius"], discAxis=[0, -1, 0], planeNormal=[0, 0, 1],
                dryFrictionAngle=-scene["inclination"] if "inclination" in scene else 0.0, contactStiffness=STIFFNESS, contactDamping=DAMPING,
                dryFriction=[0, lumped.friction], dryFrictionProportionalZone=SLIP,
                visualization=items.VObjectConnectorRollingDiscPenalty(show=False)))

    def __call__(self, manoeuvre):
        system = exudyn.SystemContainer().AddSystem()
        tree = self.tree(system)
        self.discs(system, tree)
        system.Assemble()
        watch = Watch(system, tree, manoeuvre, self.sense)
        system.SetPreStepUserFunction(watch)
        start = time.thread_time()
        system.SolveDynamic(settings(manoeuvre.duration))
        seconds = time.thread_time() - start - watch.spent
        watch.note(manoeuvre.duration)
        pose = np.array(watch.pose)
        pose -= pose[0]
        return Motion(np.arange(len(pose)) * STEP, pose[:, 0], pose[:, 1], pose[:, 3], pose[:, 2], watch.energy, len(pose) - 1, seconds)


class Watch:
    """Python that Exudyn calls before every step: it sets the rates of the step's end and keeps the places."""

    def __init__(self, system, tree, manoeuvre, sense):
        self.system, self.tree, self.manoeuvre, self.sense = system, tree, manoeuvre, sense
        self.pose, self.energy, self.spent, self.last = [], 0.0, 0.0, np.zeros(len(sense))

    def note(self, t):
        """The place at t, and the work of the last step."""
        rates = np.array(self.system.systemData.GetODE2Coordinates_t())[FREE:]
        self.energy += float(SERVO * (self.last - rates) @ rates) * STEP
        self.pose.append(np.array(self.system.systemData.GetODE2Coordinates())[:4])

    def __call__(self, _, t):
        start = time.thread_time()
        count = len(self.pose)
        if round(t / STEP) >= count:  # a step that is made again in parts is the same one
            self.note(t)
        self.last = self.sense * self.manoeuvre.rates(min(t + STEP, self.manoeuvre.duration))
        self.system.SetObjectParameter(self.tree, "jointVelocityOffsetVector", [0.0] * FREE + self.last.tolist())
        self.spent += time.thread_time() - start
        return True


def settings(duration):
    made = exudyn.SimulationSettings()
    made.solution.file.write = False
    made.timeIntegration.endTime = duration
    made.timeIntegration.numberOfSteps = round(duration / STEP)
    made.timeIntegration.minimumStepSize = STEP / 128
    made.timeIntegration.verboseMode = 0
    made.timeIntegration.newton.useModifiedNewton = True
    made.timeIntegration.newton.relativeTolerance = 1e-5
    made.timeIntegration.generalizedAlpha.spectralRadius = 0.6
    return made
