"""Which traced instances are shown one by one, and why these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..reading import designs
from ..reading.result import Array
from .data import Data

MOST = 3
MOST_NAMED = 6
WORDS = {"largest": "smallest", "smallest": "largest"}


@dataclass(frozen=True)
class Chosen:
    """A traced instance."""

    instance: int  # its number
    row: int  # where it stands in the trajectories
    at: int  # where it stands in the arrays with one value per instance
    why: str  # "" where there is nothing to choose


def chosen(data: Data) -> list[Chosen]:
    """Traced instances that the caller chose; by default all where they are few, and up to three telling ones of many."""
    traced = _moving(data)
    if data.choices.instances is not None:
        wanted = [number for number in dict.fromkeys(data.choices.instances) if number in traced]
        return [_made(data, number, "asked for") for number in wanted]
    if len(traced) <= 1:
        return [_made(data, number, "") for number in traced]
    telling = _named(data, traced) or _telling(data, traced)
    return [_made(data, number, why) for number, why in telling]


def _named(data: Data, traced: list[int]) -> list[tuple[int, str]]:
    """Those that the study calls extremes, in its order; instances of one name after the other."""
    names = {number: [name for name in words if not name.startswith("first of cell")] for number, words in data.result.traced_names.items()}
    return [(number, ", ".join(words)) for number, words in names.items() if words and number in traced][:MOST_NAMED]


def _moving(data: Data) -> list[int]:
    """Traced instances that were integrated: parameters that make no vehicle have neither shape nor motion."""
    result = data.result
    made = [result.status_names.get(int(result.status[result.row_of(int(number))])) != "invalid_parameters" for number in result.traced]
    return [int(number) for number, moves in zip(result.traced, made) if moves]


def missing(data: Data) -> list[int]:
    """Instances that the caller chose and that have no trajectory."""
    traced = _moving(data)
    return [number for number in data.choices.instances or [] if number not in traced]


def _made(data: Data, number: int, why: str) -> Chosen:
    row = int(np.flatnonzero(data.result.traced.astype(int) == number)[0])
    return Chosen(number, row, data.result.row_of(number), why)


def _telling(data: Data, traced: list[int]) -> list[tuple[int, str]]:
    """A median one, the worst one and one that failed, of those that were traced."""
    result = data.result
    at = np.array([result.row_of(number) for number in traced])
    found: dict[int, str] = {}
    best: tuple[int, str] | None = None
    name, values, word = _judged(data, at)
    reached = np.flatnonzero(result.ok[at] & np.isfinite(values))
    if len(reached):
        ordered = reached[np.argsort(values[reached], kind="stable")]
        found[traced[ordered[(len(ordered) - 1) // 2]]] = f"median {name} of the traced instances"
        found.setdefault(traced[ordered[-1]], f"{word} {name} of them")
        best = traced[ordered[0]], f"{WORDS[word]} {name} of them"
    failed = np.flatnonzero(~result.ok[at])
    if len(failed):
        first = failed[0]
        status = result.status_names.get(int(result.status[at[first]]), "failed")
        found.setdefault(traced[first], f"failed: {status.replace('_', ' ')}")
    others = [(number, "reached the end" if result.ok[where] else "failed") for number, where in zip(traced, at)]
    for number, why in ([best] if best else []) + others:
        if len(found) < min(MOST, len(traced)):
            found.setdefault(number, why)
    return list(found.items())[:MOST]


def _judged(data: Data, at: Array) -> tuple[str, Array, str]:
    """The observable by which instances are called better or worse, growing with the badness: the observable of the first criterion that
    compares one, otherwise the first that is shown."""
    result = data.result
    for text in designs.criteria(result).values():
        simple = designs.comparison(text)
        if simple and simple[0] in result.observables:
            values = result.observables[simple[0]][at]
            values = np.abs(values) if simple[1] else values
            return (simple[0], values, "largest") if ">" in simple[2] else (simple[0], -values, "smallest")
    name = next((name for name in data.observables if name in result.observables), None)
    if name is None:
        return "", np.full(len(at), np.nan), ""
    return name, result.observables[name][at], "largest"
