"""A program that drives an exported model in Newton, whose importer reads MJCF."""

from __future__ import annotations

import os
import re

from ..errors import UsageError
from ..library import library
from .checksum import MADE_BY, PLACE, summed
from .model import ExportedModel
from .motors import HEAVY, HELD

VERSION = "1.8"
SPEED = 0.5  # m/s, of the drive that the program shows
RAMP = 0.25  # s

PROGRAM = '''"""{title} in Newton {version}, {made}.

    pip install "newton[sim]"
    python3 {name}             # on the first device of Warp; "cpu" behind it: on the processor, by MuJoCo itself

The wheels turn at the rates that step() is given, as by strong servos; positive rates are those of the study."""

import os
import sys
import time

import newton
import numpy as np

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), {mjcf!r})
STEP = {step:g}  # s
WHEELS = {wheels}  # the order of rates
FORWARD = {forward}  # rad/s for 1 m/s
ARMATURE = {armature}  # kg m2, with which contacts do not change a wheel's rate


class Robot:
    """One vehicle; for many, builder.add_world(builder_of_one) and a solver on the GPU."""

    def __init__(self, cpu=False):
        builder = newton.ModelBuilder()
        builder.add_mjcf(MODEL)
        names = [label.rsplit("/", 1)[-1] for label in builder.joint_label]
        self.dofs = [builder.joint_qd_start[names.index("wheel_" + wheel)] for wheel in WHEELS]
        for dof, inertia in zip(self.dofs, ARMATURE):
            builder.joint_target_mode[dof] = newton.JointTargetMode.VELOCITY
            builder.joint_target_ke[dof], builder.joint_target_kd[dof] = 0.0, {held:g} * inertia
            builder.joint_armature[dof] = inertia
        self.model = builder.finalize(device="cpu" if cpu else None)
        self.solver = newton.solvers.SolverMuJoCo(self.model, use_mujoco_cpu=cpu)
        self.state, self.next, self.control = self.model.state(), self.model.state(), self.model.control()
        self.targets = self.control.joint_target_qd.numpy()

    def step(self, rates):
        self.targets[self.dofs] = rates
        self.control.joint_target_qd.assign(self.targets)
        self.state.clear_forces()
        self.solver.step(self.state, self.next, self.control, None, STEP)
        self.state, self.next = self.next, self.state

    def pose(self):
        """x, y [m], yaw [rad]."""
        x, y, _, i, j, k, w = self.state.joint_q.numpy()[:7]
        return np.array([x, y, np.arctan2(2 * (w * k + i * j), 1 - 2 * (j * j + k * k))])


def drive(robot, duration=2.0, speed={speed:g}, ramp={ramp:g}):
    """Forward from rest, where the robot has stood for a while; the way and the yaw."""
    for _ in range(round(0.2 / STEP)):
        robot.step(np.zeros(len(WHEELS)))
    start = robot.pose()
    for number in range(round(duration / STEP)):
        share = min(number * STEP / ramp, 1.0)
        robot.step(speed * share * share * (3 - 2 * share) * np.array(FORWARD))
    return robot.pose() - start


if __name__ == "__main__":
    robot = Robot(cpu="cpu" in sys.argv[1:])
    begun = time.perf_counter()
    x, y, yaw = drive(robot)
    print("2 s forward: x %.4f m, y %.4f m, yaw %.3f deg, %.0f s of computing" % (x, y, np.degrees(yaw), time.perf_counter() - begun))
'''


def newton_program(model: ExportedModel, mjcf: str, name: str = "robot.py") -> str:
    """The text of a program for Newton. mjcf: the file of the model, from the folder of the program; name: of the program. Raises UsageError."""
    wheels = [wheel for wheel in model.numbers["wheels"] if wheel["driven"]]
    if not wheels:
        raise UsageError("nothing drives the wheels of this model, and there is nothing that a program in Newton could turn; give the study drives")
    title = re.sub(r'["\\]', "'", str(model.numbers["title"] or "A vehicle"))
    heavy = [HEAVY * model.numbers["mass"] * wheel["radius"] ** 2 / len(model.wheels) for wheel in wheels]
    text = PROGRAM.format(title=title, version=VERSION, made=f"{MADE_BY} {library().omr_version().decode()}; {PLACE}", mjcf=mjcf,
                          name=re.sub(r'["\\]', "'", os.path.basename(name)), step=model.numbers["timestep"], wheels=[wheel["name"] for wheel in wheels],
                          forward=[round(float(wheel["forward"]), 9) for wheel in wheels], armature=[float(f"{value:.6g}") for value in heavy],
                          held=HELD, speed=SPEED, ramp=RAMP)
    return summed(text)
