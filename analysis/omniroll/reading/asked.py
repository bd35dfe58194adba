"""Observables that a study asks for: its "ask", else parts of its objectives and constraints, else the observables that it lists."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from . import designs
from .result import Result


class Asked(NamedTuple):
    """An observable that the study asks for, and which of its values are better."""

    name: str
    sign: int  # -1: smaller ones; 1: larger ones; 0: neither, or the nearer to the target
    target: float  # SI; NaN: none


def asked(result: Result) -> list[Asked]:
    """Of "ask", else of the objectives and constraints; [] where the study has none."""
    study = designs.study_of(result)
    entries = study.get("ask") or ([] if study.get("output", {}).get("observables") else _of_goals(study))
    found = [_entry(result, {"name": each} if isinstance(each, str) else each) for each in entries]
    return [each for each in found if each.name in result.observables]


def _of_goals(study: dict[str, Any]) -> list[dict[str, Any]]:
    """The names in objectives and constraints; where an objective is the mean of one, with its direction."""
    goals = [*study.get("objectives", {}).values(), *study.get("constraints", {}).values()]
    found: dict[str, dict[str, Any]] = {}
    for goal in goals:
        text = goal if isinstance(goal, str) else goal.get("minimize", goal.get("maximize", ""))
        best = None if isinstance(goal, str) or not re.fullmatch(r"\s*mean\s*\(\s*\w+\s*\)\s*", text) else "smaller" if "minimize" in goal else "larger"
        for name in re.findall(r"\b[A-Za-z_]\w*\b(?!\s*\()", text):
            found.setdefault(name, {"name": name, **({"best": best} if best else {})})
    return list(found.values())


def _entry(result: Result, entry: dict[str, Any]) -> Asked:
    best = entry.get("best")
    sign = {"smaller": -1, "larger": 1}.get(best, 0) if isinstance(best, str) else 0
    return Asked(entry["name"], sign, math.nan if sign or best is None else _target(result, entry["name"]))


def _target(result: Result, name: str) -> float:
    """In SI, as the file has it."""
    group = result.statistics.get("answer", {})
    names = [str(each) for each in group.get("asked", [])]
    return float(group["target"][names.index(name)]) if name in names else math.nan


def named(result: Result) -> list[str]:
    """Observables that the study asks for, else those that it lists, with those that it derives; [] where it names none."""
    if found := asked(result):
        return [each.name for each in found]
    output = designs.study_of(result).get("output", {})
    return [name for name in dict.fromkeys([*output.get("observables", []), *output.get("derived", {})]) if name in result.observables]
