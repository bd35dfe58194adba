"""The file of omniroll optimize: the result of a search, the study, and the candidates that it evaluated.

    found = open_optimum("study.optimum.json")
    found.optimum.best.variables, found.rows, found.values"""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..errors import NotAResult
from ..whole_files import replacing
from .evaluator import ARRAYS, Array, Evaluation, Evaluator, Variable
from .front import front_of
from .journal import plain
from .optimum import Candidate, Optimum

FORMAT = "omniroll optimum 1"
MOST = 4096  # candidates that are kept
KEPT = ("values", "low", "high", "feasible", "holds", "draws")  # of each


@dataclass(frozen=True)
class Found:
    """A file that was read. Arrays have a row for each candidate that is kept, in the order of the search; SI units, NaN: not known."""

    path: str
    version: str
    optimum: Optimum
    variables: tuple[Variable, ...]
    study: dict[str, Any]  # "name", "title", "source", "changes", and "texts" of its objectives and constraints by name
    command: str  # that made it
    studies: list[str]  # files of the best candidates, in the folder of this one
    scene: "dict[str, Any] | None"  # of the winner
    evaluated: int  # candidates in all
    rows: Array  # [n, d]; words are numbers from 0 on
    values: Array  # [n, m]
    low: Array
    high: Array
    feasible: Array  # [n]
    holds: Array
    draws: Array
    generation: Array  # [n], from 1 on


@dataclass(frozen=True)
class Searched:
    """The contents of a journal."""

    rows: Array  # each candidate once, with the most draws that it had
    found: Evaluation
    generation: Array
    seed: int  # of the draws on which the finalists were judged, and how many
    draws: int


def searched(problem: Evaluator, journal: "str | os.PathLike[str]") -> Searched:
    """Reads the journal of a search that has ended."""
    rows: list[Array] = []
    parts: list[Evaluation] = []
    seed, draws = 0, 0
    with open(journal, "rb") as file:
        file.readline()
        for line in file:
            record = json.loads(line)
            asked, told = record["asked"], record["told"]
            if asked["call"] != "evaluate":
                continue
            if asked["phase"] == "finalists":
                seed, draws = int(asked["seed"]), int(asked["draws"])
                continue
            rows.append(_numbers(asked["X"]))
            known = {name: _numbers(told[name]).reshape(len(rows[-1]), *np.shape(told[name])[1:]) for name in ARRAYS}
            parts.append(problem.evaluation(**known, status=told["status"]))
    every, found = np.concatenate(rows), Evaluation.joined(parts)
    generation = np.repeat(np.arange(1, len(rows) + 1), [len(part) for part in rows])
    last: dict[bytes, int] = {}
    for i in np.argsort(np.nan_to_num(found.draws), kind="stable"):
        last[every[i].tobytes()] = int(i)
    kept = np.sort(np.array(list(last.values())))
    return Searched(every[kept], found.rows(kept), generation[kept], seed, draws)


def _best(found: Evaluation, most: int) -> Array:
    """The best candidates, in their order: the front first, then feasible ones by their costs, then the others by violation."""
    cost = found.costs
    front = np.zeros(len(cost), dtype=bool)
    feasible = np.flatnonzero(found.feasible)
    if cost.shape[1] > 1 and len(feasible):
        front[feasible[front_of(cost[feasible])]] = True
        cost = (cost - cost[feasible].min(axis=0)) / np.maximum(np.ptp(cost[feasible], axis=0), 1e-300)
    key = np.where(found.feasible, cost.sum(axis=1), found.violation)
    return np.sort(np.lexsort((key, ~found.feasible, ~front))[:most])


def content(problem: Evaluator, optimum: Optimum, known: Searched, about: "dict[str, Any]") -> dict[str, Any]:
    """The contents of the file; `about` has "version", "study", "command", "studies" and "scene"."""
    chosen = _best(known.found, MOST)
    kept = known.found.rows(chosen)
    names = [v.name for v in problem.variables]
    candidates = {"variables": names, "rows": [[v.value(x) for v, x in zip(problem.variables, row)] for row in known.rows[chosen]],
                  **{name: getattr(kept, name) for name in KEPT}, "generation": known.generation[chosen]}
    space = [{"name": v.name, "unit": v.unit, "low": v.low, "high": v.high, "whole": v.whole, "words": list(v.words)} for v in problem.variables]
    return plain({"format": FORMAT, **about, "variables": space, **optimum.to_dict(), "judged": {"seed": str(known.seed), "draws": known.draws},
                  "evaluated": len(known.rows), "candidates": candidates})


def text_of(made: "dict[str, Any]") -> str:
    """A line for each member."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in made.items()) + "\n}\n"


def write(path: str, text: str) -> None:
    """All of it or nothing. Raises OSError."""
    with replacing(path) as file:
        file.write(text)


def is_optimum(path: "str | os.PathLike[str]") -> bool:
    """Whether a file is of omniroll optimize."""
    if not os.path.isfile(path):  # a pipe would never end
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(4096).lstrip()
    except OSError:
        return False
    return head.startswith(b"{") and b'"omniroll optimum ' in head


def open_optimum(path: "str | os.PathLike[str]") -> Found:
    """Reads a file of omniroll optimize. Raises NotAResult."""
    try:
        with open(path, encoding="utf-8") as file:
            made = json.load(file)
        if made["format"] != FORMAT:
            raise NotAResult(f"{path}: has the format {made['format']!r}, and this version reads {FORMAT!r}")
        return _found(os.fspath(path), made)
    except OSError as error:
        raise NotAResult(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise NotAResult(f"{path}: is no file of omniroll optimize, or is damaged ({type(error).__name__}: {error})") from None


def _found(path: str, made: "dict[str, Any]") -> Found:
    variables = tuple(Variable(v["name"], v["unit"], float(v["low"]), float(v["high"]), bool(v["whole"]), tuple(v["words"])) for v in made["variables"])
    names = {field.name for field in fields(Optimum)}
    given = {name: value for name, value in made.items() if name in names}
    given["best"] = _candidate(made["best"])
    for each in ("front", "finalists"):
        given[each] = [_candidate(one) for one in made[each]]
    kept = made["candidates"]
    count = len(kept["rows"])
    rows = np.array([[v.number(x) for v, x in zip(variables, row)] for row in kept["rows"]], dtype=float).reshape(count, len(variables))
    arrays = {name: _numbers(kept[name]) for name in (*KEPT, "generation")}
    for name, array in arrays.items():
        if len(array) != count or name in ("values", "low", "high") and array.shape != (count, len(made["problem"]["goals"])):
            raise ValueError(f"candidates.{name} has another length")
    arrays["feasible"] = arrays["feasible"] > 0
    return Found(path, str(made.get("version", "?")), Optimum(**given), variables, dict(made["study"]), str(made["command"]), [str(name) for name in made["studies"]],
                 made.get("scene"), int(made["evaluated"]), rows, **arrays)


def _candidate(made: "dict[str, Any]") -> Candidate:
    """None is NaN where a number is meant."""
    def number(value: Any) -> float:
        return math.nan if value is None else float(value)

    one = dict(made)
    for name in ("values", "low", "high", "margins", "step"):
        one[name] = {key: number(value) for key, value in one[name].items()}
    for name in ("holds", "failed", "difference", "difference_low", "difference_high"):
        one[name] = number(one[name])
    return Candidate(**one)


def _numbers(value: Any) -> Array:
    """Of plain values: None is NaN, "inf" infinite."""
    return np.array(value, dtype=object).astype(float)
