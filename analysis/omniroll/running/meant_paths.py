"""Paths of set={...} as people write a study's names: by the path in "vary", wheel.friction, or by a result's column, wheel_friction."""

from __future__ import annotations

import difflib
import re
from typing import Any, Mapping, Sequence

from ..errors import Error, StudyError
from ..library import json_of
from ..reading.designs import column_of

SECTIONS = ("integrator", "design", "engine", "output")  # whose keys are found by integrator_step, too
MOST_WHEELS = 8


def meant(study: Mapping[str, Any], changes: Sequence[str]) -> list[str]:
    """Assignments with the paths that a study has. Raises StudyError with the nearest one for a name that is close to it."""
    model, frame = str(study.get("model", "omni_vehicle")), str(study.get("frame", "y_up"))
    try:
        described = json_of("omr_describe_json_in", model.encode(), frame.encode())
    except Error:  # the study reports its own mistake
        return list(changes)
    known = _by_column(study, described)
    return [_meant(change, {row["name"] for row in described["sections"]}, known) for change in changes]


def _by_column(study: Mapping[str, Any], described: Mapping[str, Any]) -> dict[str, str]:
    """Paths of the model's parameters and of the keys of sections, by the columns that they would be."""
    own = study.get("parameters", {})
    wheels = ["wheel", *(f"wheels[{k}]" for k in range(MOST_WHEELS))] if described.get("wheel_parameters") else []
    names = [*(own if isinstance(own, Mapping) else ()), *(row["name"] for part in ("words", "parameters") for row in described.get(part, ())),
             *(f"{wheel}.{row['name']}" for wheel in wheels for row in described["wheel_parameters"])]
    paths = [*(f"parameters.{name}" for name in names),
             *(f"{section}.{row['name']}" for section in SECTIONS for row in described.get(f"{section}_keys", ()))]
    return {column_of(path.removeprefix("parameters.")): path for path in paths}


def _meant(change: str, sections: set[str], known: Mapping[str, str]) -> str:
    given, _, value = change.partition("=")
    path = re.sub(r"\.(\d+)(?=[.\[]|$)", r"[\1]", given)  # vary.0.uniform
    if re.split(r"[.\[]", path)[0] in sections:
        return f"{path}={value}"
    column = column_of(path)
    if column not in known:
        near = difflib.get_close_matches(column, {*known, *sections}, 1)  # the study reports a section's own mistake
        if near and near[0] in known:
            raise StudyError(f"set: the study has no \"{given}\"; did you mean \"{known[near[0]].removeprefix('parameters.')}\"?")
        return f"{path}={value}"
    return f"{known[column]}={value}"


def refuse_varied(study: Mapping[str, Any], changes: Sequence[str], before: Sequence[str]) -> None:
    """Raises StudyError where a change, named otherwise before, is of a parameter that "vary" gives its values: it would change nothing."""
    varied = [entry.get("path") for entry in study.get("vary", []) if isinstance(entry, dict)]
    for change, given in zip(changes, before):
        path = change.partition("=")[0].removeprefix("parameters.")
        if change != given and path in varied:
            raise StudyError(f"set: {path} is varied, so that its values are those of vary[{varied.index(path)}]: set that, or "
                             f"\"parameters.{path}\" for the nominal vehicle alone")
