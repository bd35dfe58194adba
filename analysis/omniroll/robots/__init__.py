"""Robots of other programs as studies: URDF of ROS and MJCF of MuJoCo.

    imported = omniroll.robots.read("robot.urdf")
    print(imported)              # from the file, guessed, left out
    omniroll.run(imported.study)

A description of a robot says little of rollers and nothing of the floor. Missing values are guessed, and marked as a guess in the table, in
`imported.values` and in the comments of `imported.text`, which is the study as JSON."""

from .reader import read
from .table import Imported
from .value import Value

__all__ = ["Imported", "Value", "read"]
