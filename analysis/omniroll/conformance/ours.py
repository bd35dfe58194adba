"""omniroll's own runs of the manoeuvres: the study's vehicle, with its drives replaced by wheel rates."""

from __future__ import annotations

import json
import math
import os
import tempfile
import warnings
from typing import Any, cast

import numpy as np

from .. import lists
from ..errors import Error, StudyWarning, UsageError
from ..optimising.finalist_study import text_in
from ..library import library
from ..pictures.showing import show
from ..running.chosen_vehicles import chosen
from ..running.runs import run
from ..running.study_input import Loaded, StudyLike, loaded_of
from .manoeuvres import Manoeuvre, Wheel, reach, wheels_of
from .motion import Motion

INTERVAL = 1e-3  # s, of samples and of the table of rates
TOLERANCE = 1e-4  # of the run whose motion counts: its energies hold to a few 1e-4
FIXED: dict[str, Any] = {"method": "rosenbrock", "step": 1e-3}  # of the runs whose time counts
TIMED = 5  # of which the best one does
KEPT = ("model", "frame", "parameters", "design")
MECHANICAL = ("gear_ratio", "rotor_inertia")  # of a motor: parts that turn with the wheel
LEVEL = ("slope", "slope_direction")  # of "floor": members for a model, whose floor has no heights
NOT_DRIVEN = ("command", "initial", "external", "heading_hold", "supply")  # of "parameters": members that the rates replace


def _write(path: str, manoeuvre: Manoeuvre, wheels: int) -> None:
    """The table of rates, a column for each wheel."""
    times = np.arange(round(manoeuvre.duration / INTERVAL) + 1) * INTERVAL
    rows = np.column_stack([times, [manoeuvre.rates(t) for t in times]])
    np.savetxt(path, rows, "%.17g", ",", header=",".join(["time", *(f"rate{i}" for i in range(wheels))]), comments="")


def _replay(table: str, number: int) -> dict[str, Any]:
    return {"type": "replay_rate", "replay": {"file": table, "columns": {"time": "time", "rate": f"rate{number}"}, "interpolation": "cubic"}}


class Vehicle:
    """One vehicle of a study, by default the nominal one, that drives at wheel rates: call it with a manoeuvre. Raises StudyError, UsageError."""

    def __init__(self, study: StudyLike, instance: "int | None" = None) -> None:
        whole = loaded_of(study, [])
        self.scene: dict[str, Any] = show(study, instance=instance).scene
        try:
            self.wheels: list[Wheel] = wheels_of(self.scene)
        except (KeyError, ValueError) as error:
            raise UsageError(f"the check drives a vehicle at given wheel rates: {error}; leave out --check and --cheap") from None
        one = chosen(whole, instance is None, instance, None)
        law = _law(whole)
        if law in lists.laws("rolling", "relaxed", "massless"):
            raise UsageError(f"the check prescribes the rates of all wheels, which the law {law} leaves nothing to choose, since it forbids slip: take a law of "
                             "friction, such as --set parameters.contact.law=saturated_coulomb")
        self.study: dict[str, Any] = json.loads(text_in(cast(Loaded, one), os.getcwd()))
        self.radius = max(wheel.radius for wheel in self.wheels)
        self.size = reach(self.wheels)

    def driven(self, table: str, integrator: dict[str, Any]) -> dict[str, Any]:
        """The study of a manoeuvre whose rates are in the file `table`."""
        made = {key: value for key, value in self.study.items() if key in KEPT}
        parameters = made["parameters"] = {key: value for key, value in made["parameters"].items() if key not in NOT_DRIVEN}
        if "floor" in parameters:
            parameters["floor"] = {key: value for key, value in parameters["floor"].items() if key in LEVEL}
        parameters["wheel"] = _without_drive(parameters.get("wheel", {}))
        own = parameters.get("wheels") or [{} for _ in self.wheels]
        parameters["wheels"] = [{**_without_drive(wheel), **({"drive": _replay(table, i)} if self.wheels[i].driven else {})}
                                for i, wheel in enumerate(own)]
        if "design" in made and not _design(made).get("rows", [[]])[0]:
            del made["design"]
        made["integrator"] = {**integrator, "step_error": "off", "stability": "ignore"}
        made["output"] = {"observables": ["drive_work"]}
        made["engine"] = {"backend": "openmp", "threads": 1}
        return made

    def __call__(self, manoeuvre: Manoeuvre) -> Motion:
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "rates.csv")
            _write(table, manoeuvre, len(self.wheels))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", StudyWarning)
                seconds = self._seconds(table, manoeuvre)
                study = self.driven(table, {"tolerance": TOLERANCE, "duration": manoeuvre.duration})
                study["output"]["trajectories"] = {"instances": [0], "interval": INTERVAL}
                return _motion(run(study), round(manoeuvre.duration / FIXED["step"]), seconds)

    def _seconds(self, table: str, manoeuvre: Manoeuvre) -> float:
        """Of fixed steps on one core; NaN where they fail."""
        try:
            told = [run(self.driven(table, {**FIXED, "duration": manoeuvre.duration})).attrs for _ in range(TIMED)]
        except Error:  # steps too long for this vehicle
            return math.nan
        return float(min(one["instance_steps"] / one["steps_per_second"] for one in told))


def _motion(result: Any, steps: int, seconds: float) -> Motion:
    sample = {name: result[name].values[0] for name in ("x", "y", "z", "yaw", "height") if name in result}
    x = sample["x"]
    y = sample["y"] if "y" in sample else -sample["z"]
    height = sample.get("height")
    z = np.zeros_like(x) if height is None or not np.isfinite(height).all() else height
    return Motion(result["time"].values, x, y, sample["yaw"], z, float(result["drive_work"].values[0]), steps, seconds)


def _law(whole: Loaded) -> str:
    parameters = json.loads(library().omr_study_text(whole.handle)).get("parameters", {})
    return str(parameters.get("contact", {}).get("law", ""))


def _without_drive(wheel: dict[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in wheel.items() if key not in ("drive", "initial")}
    if "motor" in made:
        made["motor"] = {key: value for key, value in made["motor"].items() if key in MECHANICAL}
    return made


def _keeps(path: str) -> bool:
    """Whether a varied parameter is still one where the wheels' rates are given."""
    parts = path.split(".")
    if parts[0] == "floor" and parts[1] not in LEVEL:
        return False
    return not {*NOT_DRIVEN, "drive"} & set(parts) and ("motor" not in parts or parts[-1] in MECHANICAL)


def _design(made: dict[str, Any]) -> dict[str, Any]:
    """The list of one instance, left without values that drive it."""
    design: dict[str, Any] = made["design"]
    at = [i for i, path in enumerate(design.get("paths", [])) if _keeps(path)]
    if "paths" in design:
        design.update(paths=[design["paths"][i] for i in at], rows=[[row[i] for i in at] for row in design["rows"]])
    return design
