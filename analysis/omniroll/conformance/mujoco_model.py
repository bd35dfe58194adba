"""MuJoCo drives an exported model through the manoeuvres.

Wheel rates are prescribed as in omniroll, whatever the contacts ask for: the joint of a driven wheel gets a rotor of so much inertia that nothing
turns it within a step, that is accelerated as the rates say and set to them after every step. The torque that this takes is the drive's."""

from __future__ import annotations

import sys
import time
from typing import Any, Sequence

import numpy as np

from ..needed import to_install
from .manoeuvres import Manoeuvre
from .motion import Motion

VERSION = "4.0.0"
ROTOR = 1e4  # of a wheel's inertia
SETTLING = 0.3  # s at rest, before a manoeuvre begins


def mujoco_library() -> Any:
    """The library. Raises LibraryError."""
    try:
        import mujoco
    except ImportError:
        raise to_install(f"the check and the fit run models in MuJoCo, which {sys.executable} does not have", f"mujoco=={VERSION}") from None
    return mujoco


class MujocoModel:
    """A model as text of MJCF with the names of an exported one, and the wheels in the order of the study: call it with a manoeuvre. It
    steps as the text says. `drives_have`: armature and dry friction of each wheel's joint from its drive, which a prescribed rate lacks."""

    def __init__(self, text: str, wheels: Sequence[str], driven: Sequence[bool], drives_have: "Sequence[tuple[float, float]]" = ()) -> None:
        self.mujoco = mujoco_library()
        self.model = self.mujoco.MjModel.from_xml_string(text)
        self.data = self.mujoco.MjData(self.model)
        drives = [self.model.actuator(f"drive_{name}").id for name, turns in zip(wheels, driven) if turns]
        self.at = np.flatnonzero(driven)
        self.bodies = np.array([self.model.body(f"wheel_{name}").id for name in wheels])
        self.dofs = self.model.jnt_dofadr[self.model.actuator_trnid[drives, 0]]
        self.gear = self.model.actuator_gear[drives, 0].copy()
        for dof, gear, (armature, friction) in zip(self.dofs, self.gear, [have for have, turns in zip(drives_have, driven) if turns]):
            self.model.dof_armature[dof] = max(self.model.dof_armature[dof] - armature * gear**2, 0.0)
            self.model.dof_frictionloss[dof] = max(self.model.dof_frictionloss[dof] - friction * abs(gear), 0.0)
        self.place = int(self.model.joint("platform").qposadr[0])
        self.model.opt.disableflags |= int(self.mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        kinds = self.mujoco.mjtWarning
        self.unstable = (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC)  # MuJoCo begins anew, and its numbers mean nothing
        self.rotor = ROTOR / self.model.dof_invweight0[self.dofs]
        self.model.dof_armature[self.dofs] += self.rotor

    def _rates(self, manoeuvre: Manoeuvre, t: float) -> Any:
        """Of the joints."""
        return manoeuvre.rates(t)[self.at] / self.gear

    def _rest(self) -> None:
        """Until the contacts have settled, wheels locked. From angles and yaw 0, as omniroll begins; a keyframe has the study's."""
        self.mujoco.mj_resetData(self.model, self.data)
        for _ in range(round(SETTLING / self.model.opt.timestep)):
            self.mujoco.mj_step(self.model, self.data)
            self.data.qvel[self.dofs] = 0

    def __call__(self, manoeuvre: Manoeuvre) -> Motion:
        model, data, step = self.model, self.data, self.model.opt.timestep
        self._rest()
        count = round(manoeuvre.duration / step)
        pose, heights = np.zeros((count + 1, 7)), np.zeros((count + 1, len(self.bodies)))
        energy, spent, rates = 0.0, 0.0, self._rates(manoeuvre, 0)
        place = slice(self.place, self.place + 7)
        pose[0], heights[0] = data.qpos[place], data.xpos[self.bodies, 2]
        for k in range(count):
            wanted = self._rates(manoeuvre, (k + 1) * step)
            data.qfrc_applied[self.dofs] = self.rotor * (wanted - rates) / step
            start = time.thread_time()
            self.mujoco.mj_step(model, data)
            spent += time.thread_time() - start
            torque = self.rotor * (wanted - data.qvel[self.dofs]) / step  # bearings of axles included
            energy += float(torque @ (wanted + rates)) / 2 * step
            data.qvel[self.dofs] = rates = wanted
            pose[k + 1], heights[k + 1] = data.qpos[place], data.xpos[self.bodies, 2]
        if any(data.warning[int(kind)].number for kind in self.unstable):
            pose[1:], heights[1:], energy = np.nan, np.nan, np.nan
        return _motion(step, pose, heights, energy, spent)


def _motion(step: float, pose: Any, heights: Any, energy: float, spent: float) -> Motion:
    """The place relative to the start, in axes of the start."""
    w, a, b, c = pose[:, 3:].T
    yaw = np.unwrap(np.arctan2(2 * (w * c + a * b), 1 - 2 * (b * b + c * c)))
    x, y = pose[:, 0] - pose[0, 0], pose[:, 1] - pose[0, 1]
    cos, sin = np.cos(yaw[0]), np.sin(yaw[0])
    count = len(pose) - 1
    return Motion(np.arange(count + 1) * step, cos * x + sin * y, cos * y - sin * x, yaw - yaw[0], pose[:, 2] - pose[0, 2], energy, count, spent, heights)
