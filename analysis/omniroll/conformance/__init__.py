"""The same manoeuvres, at equal wheel rates, by omniroll and by other simulators: one table.

A simulator is a function that takes a Manoeuvre and gives back a Motion:

    vehicle = Vehicle("robot.json")
    table = compare(vehicle.wheels, {"omniroll": vehicle, "mine": simulate})
    print(table.text())"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .manoeuvres import LARGEST, Manoeuvre, Wheel, manoeuvres, wheels_of
from .motion import Motion, Simulate, measure
from .mujoco_model import MujocoModel, mujoco_library
from .ours import FIXED, TOLERANCE, Vehicle
from .table import Table, compare

if TYPE_CHECKING:
    from ..exporting import ExportedModel
    from ..exporting.equivalent import Fitted
    from ..running.study_input import StudyLike

__all__ = ["Manoeuvre", "Motion", "MujocoModel", "Simulate", "Table", "Vehicle", "Wheel", "check", "compare", "manoeuvres", "measure", "wheels_of"]


def check(study: "StudyLike", exported: "ExportedModel", cheap: "Fitted | None" = None, *, instance: "int | None" = None) -> Table:
    """An exported model, and its cheap equivalent where there is one, in MuJoCo and in omniroll's own run of the study's vehicle. Raises
    LibraryError without MuJoCo; StudyError, UsageError."""
    mujoco_library()
    vehicle = Vehicle(study, instance)
    driven = [wheel.driven for wheel in vehicle.wheels]
    have = [wheel["of_drive"] for wheel in exported.numbers["wheels"]]
    simulators: "dict[str, Simulate]" = {"omniroll": vehicle, "MuJoCo": MujocoModel(exported.text, exported.wheels, driven, drives_have=have)}
    if cheap is not None:
        simulators["MuJoCo, cheap"] = MujocoModel(cheap.text, exported.wheels, driven, drives_have=have)
    table = compare(vehicle.wheels, simulators)
    return replace(table, notes=_notes(table, exported.numbers["timestep"]))


def _notes(table: Table, step: float) -> str:
    """How the rows came about, and how far to trust them."""
    seconds = {row.manoeuvre: row.motion.t[-1] for row in table.rows if row.motion is not None}
    driven = ", ".join(f"{name} {duration:g} s" for name, duration in seconds.items())
    return (f"Wheels turn at up to {LARGEST:g} rad/s: {driven}. Steps: MuJoCo's {1e3 * step:g} ms, as in the file; omniroll's by the tolerance {TOLERANCE:g}, those "
            f"of steps/s {1e3 * FIXED['step']:g} ms. steps/s: of one vehicle on one core. MuJoCo's contacts hop and give way, and its shakes and work have that in them.")
