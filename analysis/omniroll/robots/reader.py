"""From the file of a robot to its study."""

from __future__ import annotations

import os
from typing import Any

from ..errors import LibraryError, StudyError
from ..running.runs import validate
from . import study as made
from .bare import missing_of
from .mjcf import robot_of as mjcf_robot
from .robot import Robot
from .table import Imported
from .urdf import refuse_xacro
from .urdf import robot_of as urdf_robot
from .vehicle import vehicle_of
from .xml_tree import read as read_xml


def robot_of(path: str) -> Robot:
    """The links and joints of a file. Raises StudyError, FileError."""
    root, name = read_xml(path), "standard input" if path == "-" else path
    refuse_xacro(root, name)
    if root.tag == "robot":
        return urdf_robot(root, name)
    if root.tag == "mujoco":
        return mjcf_robot(root, name)
    if root.tag == "sdf":
        raise StudyError(f"{root.where}: this is SDF, which is not read; import the URDF that it was made of")
    raise StudyError(f"{root.where}: <{root.tag[:40]}> describes no robot; omniroll import takes URDF (<robot>) and MJCF (<mujoco>)")


def read(path: "str | os.PathLike[str]") -> Imported:
    """The study of a robot from a file in URDF or MJCF; "-" reads standard input. Where the robot is no vehicle of 3 to 8 wheels, `study`
    is None and `refusal` says why. Raises FileError, and StudyError for a file that cannot be read as a robot."""
    robot = robot_of(os.fspath(path))
    vehicle = vehicle_of(robot)
    vehicle.missing = missing_of(vehicle)
    refusal = made.refusal_of(vehicle)
    if not refusal and made.plain_tyres(vehicle):
        dry = ", without axle_dry" if any(wheel.joint.friction for wheel in vehicle.wheels) else ""
        robot.notes.append(f"nothing in the file says that the wheels have rollers; a vehicle on plain tyres is --set model=disc_vehicle of the same study{dry}")
    if refusal:
        return Imported(vehicle, made.values_of(vehicle, whole=True) if vehicle.wheels else made.platform_of(vehicle), refusal=refusal)
    for guessed in (0, 1, 2) if any(wheel.rollers for wheel in vehicle.wheels) else (0,):
        values = made.values_of(vehicle, guessed)
        tree = made.study_of(robot, values, len(vehicle.wheels))
        study: "dict[str, Any]" = made.plain(tree)
        imported = Imported(vehicle, values, study, made.text_of(robot, tree))
        try:
            imported.doubts = list(map(str, validate(study).get("warnings", [])))
            return imported
        except LibraryError:  # the study is written without this check
            return imported
        except StudyError as error:
            imported.doubts = [f"the study does not run yet: {error}"]
    return imported
