"""Values that make no vehicle, as a result without numbers, so that an optimiser goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import lists
from ..errors import StudyError, UsageError
from ..library import json_of
from .study_input import Loaded, StudyLike, loaded_of

if TYPE_CHECKING:
    import xarray

INVALID = "invalid_parameters"
CHOICES = ("raise", "nan")


def check(infeasible: str) -> None:
    """Raises UsageError for a word that run does not know."""
    if infeasible not in CHOICES:
        raise UsageError(f"infeasible={infeasible!r} is none of {', '.join(map(repr, CHOICES))}")


def feasible(study: StudyLike, error: StudyError) -> Loaded:
    """The study without the changes that it refused, where only numbers are at fault: bounds, or a geometry that they do not make. Raises
    the error for a mistyped name, and StudyError where the study is wrong without its changes too."""
    if any(mistake.code != "out_of_range" for mistake in error.mistakes):
        raise error
    return loaded_of(study, [])


def without_numbers(base: Loaded, reason: str) -> "xarray.Dataset":
    """A row for each instance of the study, with NaN for every observable, the status "invalid" and the attribute invalid_reason."""
    import xarray

    plan = json_of("omr_study_validate_json", base.handle)
    count, code = int(plan["instances"]), lists.status_codes()[INVALID]
    columns = {name: ("instance", np.full(count, np.nan), {"role": "observable"}) for name in plan["observables"]}
    status = np.full(count, code, dtype=np.int8), {"role": "status", "flag_values": [code], "flag_meanings": INVALID}
    return xarray.Dataset({**columns, "status": ("instance", *status), "status_time": ("instance", np.zeros(count), {"units": "s"})},
                          {"instance": np.arange(count)}, {"title": plan["title"], "model": plan["model"], "invalid_reason": reason})
