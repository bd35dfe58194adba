"""Which instances meet a criterion of the study, by the library, and the subject of a criterion."""

from __future__ import annotations

import ctypes
import re
from typing import NamedTuple

import numpy as np

from ..errors import Error
from ..library import CriterionTable, call, texts
from ..reading import designs
from ..reading.result import Array, Result


def truth(result: Result, criterion: str) -> Array | None:
    """Per instance: 1 where the criterion (its name) is met, 0 where not, NaN where that is unknown or the instance is left out because it
    failed. None where the library is not there or does not understand the text, or where the file's own counts say otherwise."""
    known = designs.criteria(result)
    if criterion not in known:
        return None
    try:
        values = _evaluated(result, criterion, known)
    except Error:
        return None
    return values if _agrees(result, criterion, values) else None


def _agrees(result: Result, criterion: str, values: Array) -> bool:
    known = list(result.statistics.get("criterion", []))
    if criterion not in known or "level" in result.marks:  # statistics of a subset simulation are only of level 0
        return True
    at = known.index(criterion)
    counts = [int(np.sum(values == 1)), int(np.sum(values == 0))]
    return counts == [int(result.statistics[name][at]) for name in ("met", "not_met")]


def _evaluated(result: Result, criterion: str, known: dict[str, str]) -> Array:
    """By the library. Raises Error."""
    names = list(known)[:list(known).index(criterion) + 1]
    columns = {name: np.ascontiguousarray(values, dtype=float) for name, values in {**result.parameters, **result.observables}.items()}
    status, values = np.ascontiguousarray(result.status, dtype=np.int8), np.empty(result.instances)
    pointers = (ctypes.c_void_p * len(columns))(*(column.ctypes.data for column in columns.values()))
    table = CriterionTable(ctypes.sizeof(CriterionTable), texts(list(columns)), texts([result.units.get(name, "1") for name in columns]), pointers,
                           status.ctypes.data, len(columns), len(values))
    call("omr_criterion_truth", ctypes.byref(table), texts(names), texts([str(known[name]) for name in names]), len(names), values.ctypes.data)
    return values


# --- the subject of a criterion -----------------------------------------------------------------------------------------------


def named(result: Result, criterion: str) -> list[str]:
    """Observables that a criterion names, itself or through criteria that it uses, in the order of its text."""
    return _named(result, criterion, set())


def _named(result: Result, criterion: str, seen: set[str]) -> list[str]:
    texts, found = designs.criteria(result), []
    if criterion in seen or criterion not in texts:
        return []
    seen.add(criterion)
    for word in re.findall(r"[A-Za-z_][\w.]*", str(texts[criterion])):
        found += [word] if word in result.observables else _named(result, word, seen)
    return list(dict.fromkeys(found))


def observables(result: Result) -> list[str]:
    """Observables that the study's criteria name, in the order of the criteria."""
    return list(dict.fromkeys(name for criterion in designs.criteria(result) for name in named(result, criterion)))


def is_made_of_others(result: Result, criterion: str) -> bool:
    """Whether a criterion uses only others, so that it adds nothing to them."""
    texts = designs.criteria(result)
    words = re.findall(r"[A-Za-z_][\w.]*", str(texts[criterion]))
    return bool(words) and all(word in texts and word not in result.observables for word in words)


class Limit(NamedTuple):
    """A comparison of an observable with a number, which a criterion is met beyond."""

    criterion: str
    name: str
    absolute: bool
    more: bool  # met above the number
    value: float  # SI


def limits(result: Result, criterion: str) -> list[Limit]:
    """The comparisons of an observable with a number that a criterion consists of, joined by && and ||; [] of one that is more."""
    source = str(designs.criteria(result).get(criterion, ""))
    if re.search(r"!(?!=)", source):
        return []
    found = []
    for part in re.split(r"&&|\|\|", source):
        part = part.strip()
        while part.startswith("(") and (part.endswith(")") or part.count("(") > part.count(")")):
            part = part[1:-1].strip() if part.endswith(")") and part.count("(") <= part.count(")") else part[1:].strip()
        while part.endswith(")") and part.count(")") > part.count("("):
            part = part[:-1].strip()
        simple = designs.comparison(part)
        if simple and simple[0] in result.observables:
            found.append(Limit(criterion, simple[0], bool(simple[1]), simple[2].startswith(">"), simple[3]))
    return found


def judged(result: Result) -> dict[str, Limit]:
    """Of observables that criteria compare with a number the first such limit: its side says which values are better. Those that criteria
    bound from both sides are left out: of them neither small nor large values are better."""
    found: dict[str, list[Limit]] = {}
    for criterion in designs.criteria(result):
        for limit in limits(result, criterion):
            found.setdefault(limit.name, []).append(limit)
    return {name: each[0] for name, each in found.items() if len({limit.more for limit in each}) == 1}
