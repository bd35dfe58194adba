"""The study of one candidate, which runs by itself: omniroll evaluate has the values again by which it was judged, to the bit."""

from __future__ import annotations

import json
import os
from typing import Any

from ..errors import Error, StudyError
from ..library import json_of, library
from ..pictures.showing import NOMINAL
from ..running.study_input import Loaded, Source, assignment
from .optimum import Candidate
from .study_problem import StudyProblem


def study_of(problem: StudyProblem, source: Source, one: Candidate, seed: int, title: str) -> Loaded:
    """The study with this candidate in its parameters and as its one row, with the draws that it was judged by."""
    changes = [*problem.identity()["changes"], *_changes(problem, one, seed), assignment("title", title)]
    own = [assignment(f"parameters.{about['path']}", _written(about, one)) for about in problem.about["variables"]]
    try:
        return Loaded(source, [*changes, *own])
    except StudyError:  # a path that "parameters" does not spell so, such as one of all wheels
        return Loaded(source, [*changes, *(change for change, about in zip(own, problem.about["variables"]) if _is_word(about))])


def _changes(problem: StudyProblem, one: Candidate, seed: int) -> list[str]:
    given = problem.identity()
    design, statistics = given["study"].get("design") or {}, given["study"].get("statistics") or {}
    numeric = [about for about in problem.about["variables"] if not _is_word(about)]
    paths = [about["path"] for about in numeric]
    changed = [change.partition("=")[0] for change in given["changes"]]
    made = [assignment("design.seed", str(seed))]
    if "file" in design or "design.file" in changed:
        made.append(assignment("design.file", None))
    if "stop" in statistics or any(path.startswith("statistics") for path in changed):
        made.append(assignment("statistics.stop", None))
    made += [assignment("design.paths", paths or None), assignment("design.rows", [[_written(about, one) for about in numeric]] if paths else None)]
    if len(numeric) < len(problem.about["variables"]):
        made.append(assignment("design.variables", [_range(about) for about in numeric] or None))
    if problem.about["drawn"]:
        made.append(assignment("design.per_cell", one.draws))
    return made


def _is_word(about: "dict[str, Any]") -> bool:
    """A word of the study, such as a law; listed values of numbers have a unit, which may be "1"."""
    return bool(about.get("words")) and not about["unit"]


def _written(about: "dict[str, Any]", one: Candidate) -> Any:
    """A value as a study has it: a listed one as it is listed."""
    value = one.variables[about["path"]]
    return _listed(value) if isinstance(value, str) and not _is_word(about) else value


def _listed(word: str) -> Any:
    try:
        return float(word)
    except ValueError:
        return word


def _range(about: "dict[str, Any]") -> dict[str, Any]:
    if about.get("words"):
        return {"path": about["path"], "values": [_listed(word) for word in about["words"]]}
    return {"path": about["path"], "integer" if about["whole"] else "between": [about["low"], about["high"]]}


def text_in(loaded: Loaded, folder: str) -> str:
    """The study as text for a file of that folder: names of files are those from there."""
    made = json.loads(library().omr_study_text(loaded.handle))
    home = os.path.dirname(os.fsdecode(loaded.path)) if loaded.path else ""
    if os.path.realpath(home or ".") != os.path.realpath(folder or "."):
        _move(made, home or ".", folder or ".")
    return json.dumps(made, indent=2) + "\n"


def _move(part: Any, home: str, folder: str) -> None:
    """Every file that a study names is read; its members are called "file"."""
    for member in part if isinstance(part, list) else part.values() if isinstance(part, dict) else ():
        _move(member, home, folder)
    if isinstance(part, dict) and isinstance(part.get("file"), str) and not os.path.isabs(part["file"]):
        part["file"] = os.path.relpath(os.path.join(home, part["file"]), folder)


def scene_of(loaded: Loaded) -> "dict[str, Any] | None":
    """The vehicle with nominal values of its uncertain parameters; None where it cannot be drawn."""
    try:
        return json_of("omr_study_scene_json", loaded.handle, NOMINAL)
    except Error:
        return None
