"""Simulators of the suite: one function each. It gets a Case and gives back what drives a manoeuvre: a function from a Manoeuvre to a Motion
(analysis/omniroll/conformance). What cannot be imported is left out of the table, with the reason."""
from dataclasses import dataclass

import omniroll
from omniroll.conformance import MujocoModel, Vehicle
from omniroll.exporting.equivalent import equivalent

SIMULATORS = {}


def simulator(name):
    """Puts a function into the suite."""
    def put(function):
        SIMULATORS[name] = function
        return function
    return put


@dataclass
class Case:
    """A vehicle of the suite: its study, omniroll's own simulator of it, and its exported model."""

    study: str
    vehicle: Vehicle
    exported: omniroll.ExportedModel

    @property
    def driven(self):
        return [wheel.driven for wheel in self.vehicle.wheels]


@simulator("MuJoCo")
def mujoco_explicit(case):
    """Every roller a body, an ellipsoid."""
    return MujocoModel(case.exported.text, case.exported.wheels, case.driven)


@simulator("MuJoCo, cheap")
def mujoco_cheap(case):
    """One body a wheel, fitted."""
    return MujocoModel(equivalent(case.study, case.exported, ours=case.vehicle).text, case.exported.wheels, case.driven)


@simulator("Exudyn, discs")
def exudyn_discs(case):
    """Discs with painted rollers."""
    from exudyn_discs import Discs

    return Discs(case.vehicle, case.exported)
