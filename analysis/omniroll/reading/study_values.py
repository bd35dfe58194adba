"""Values of a study as it was run, in SI: a number, or a text with a unit."""

from __future__ import annotations

import re
from typing import Any

from . import designs, frames
from .result import Result

TEXT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z/]*)\s*$")


def si(value: Any) -> float | None:
    """A value of a study as a number in SI; None where it is none, or has a unit that is not known here."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    match = TEXT.match(value) if isinstance(value, str) else None
    return float(match[1]) * float(designs.UNITS[match[2]]) if match and match[2] in designs.UNITS else None


def parameter(result: Result, path: str, row: int, default: float) -> float | None:
    """The parameter (command.vx, ..., as y_up calls it) of the instance at `row` of the instances: its varied value, the value of the
    study, or the default, in y_up. None where the study's value cannot be read."""
    path, sign = frames.parameter_here(result, path)
    varied = result.parameters.get(designs.column_of(path))
    if varied is not None:
        return sign * float(varied[row])
    at: Any = designs.study_of(result).get("parameters", {})
    for key in path.split("."):
        at = at.get(key) if isinstance(at, dict) else None
    value = default if at is None else si(at)
    return value if value is None or at is None else sign * value
