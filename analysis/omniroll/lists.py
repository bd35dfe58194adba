"""The program's lists, as far as results and pages need them: designs, laws and methods with their classes, statuses of instances,
errors with their exit codes. lists.json has it from `omniroll describe --json` (studies/generate.py writes it, and a test holds it
to the program), since results are read without the library too. So a new row of host/lists/ needs no edit here."""

from __future__ import annotations

import json
import pathlib
from typing import Any

_LISTS: dict[str, list[dict[str, Any]]] = json.loads(pathlib.Path(__file__).with_name("lists.json").read_text(encoding="utf-8"))


def designs(*classes: str) -> tuple[str, ...]:
    """Types of design of these classes: "levels" (of each parameter), "rows" (given ones), "sample" (drawn), "cells" (levels, and a sample in
    each cell), "groups" (of rows, for sensitivities), "adaptive" (chosen by earlier results)."""
    return tuple(row["name"] for row in _LISTS["designs"] if row["class"] in classes)


def laws(*classes: str) -> tuple[str, ...]:
    """Laws of contact of these classes: "friction", "rolling", "relaxed", "massless"."""
    return tuple(row["name"] for row in _LISTS["laws"] if row["class"] in classes)


def methods(steps: str, *forms: str) -> tuple[str, ...]:
    """Methods of integration with steps "fixed" or chosen by an embedded "pair", of these forms ("explicit", "parted", "implicit"; none: of all)."""
    return tuple(row["name"] for row in _LISTS["methods"] if row["steps"] == steps and (not forms or row["form"] in forms))


def frame_turns() -> list[dict[str, Any]]:
    """Names and signs of a frame that differ from "y_up": "frame", "of" (parameter, observable, sample, ...), "name" in y_up,
    "here", "sign" ("+" or "-") and the models that have it."""
    return _LISTS["frame_turns"]


def meanings() -> dict[str, str]:
    """How an instance ended, by the word of its status."""
    return {row["name"]: row["meaning"] for row in _LISTS["statuses"]}


def meaning_of(of: str, name: str) -> str:
    """The meaning of a row of "models", "laws" or "designs", without its sources; "" where there is none."""
    return next((row.get("meaning", "") for row in _LISTS[of] if row["name"] == name), "")


def exit_codes() -> dict[str, int]:
    """Exit codes of the program, by the word of the status of an error."""
    return {row["name"]: row["code"] for row in _LISTS["errors"]}


def status_codes() -> dict[str, int]:
    """The numbers of statuses of instances, by their words."""
    return {row["name"]: int(row["code"]) for row in _LISTS["statuses"]}
