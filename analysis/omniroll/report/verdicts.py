"""The outcome of a comparison of designs, in sentences that claim no more than chance and the step allow."""

from __future__ import annotations

import math
from typing import Iterator, Sequence

import numpy as np

from ..comparing.criteria import is_made_of_others
from ..comparing.design_cells import Cells
from ..figures.style import within
from . import labels, thresholds, words
from .columns import Column, shared
from .page import findings, paragraph
from .wording import code, count, joined, scale_of, share

LISTED = 3  # designs behind the best that a sentence lists one by one
DIFFERENCES = 2  # observables without a limit in the sentences


def headline(cells: Cells, columns: Sequence[Column], table: str = "") -> str:
    """The answer in one sentence, then the table, and the reasons for the sentence, as HTML."""
    judged = [column for column in columns if column.criterion]
    lines = [criterion_words(column) for column in judged if not _repeats(column, judged)]
    asked = [asked_words(column) for column in columns if column.asked and column.judged]
    more = [*thresholds.sentences(cells.result), *asked, *_open_words(columns), *_differ_words(columns)]
    if not judged and asked:
        first, rest = asked[0], [line for line in more if line != asked[0]]
    elif not judged:
        first, rest = (more[0], more[1:]) if more else (_alike_words(cells), [])
    elif len(lines) == 1:
        first, rest = lines[0], more
    else:
        first, rest = (_all_words(cells, judged) if cells.sampled else _met_words(cells, judged)), [*lines, *more]
    return paragraph(first, "answer") + table + findings(rest)


def _repeats(column: Column, judged: Sequence[Column]) -> bool:
    """Whether a criterion made of others equals one of them for every design."""
    if not is_made_of_others(column.cells.result, column.criterion):
        return False
    return any(other is not column and np.array_equal(other.values, column.values, equal_nan=True) for other in judged)


def _alike_words(cells: Cells) -> str:
    kind = "designs" if cells.sampled else "instances"
    return f"No observable tells the {count(cells.count)} {kind} apart."


def _all_words(cells: Cells, judged: Sequence[Column]) -> str:
    """Of several criteria: which designs none of them is against."""
    found = shared(judged)
    if len(found) == cells.count:
        which = labels.several(cells, found) if cells.count <= labels.MOST_NAMED else f"the {count(cells.count)} designs"
        return f"The criteria do not tell {which} apart."
    if not found:
        return "The criteria conflict: no design is among the best by all of them."
    names = labels.several(cells, found) if len(found) <= labels.MOST_NAMED else f"{len(found)} of {count(cells.count)} designs"
    rest = "" if len(found) == 1 else ", which the criteria do not tell apart"
    return f"Best by all criteria: {names}{rest}."


def _met_words(cells: Cells, judged: Sequence[Column]) -> str:
    """Of designs without draws: how many meet every criterion that is good and none that is bad."""
    free = [int(design) for design in np.flatnonzero(np.all([column.values == (column.sign > 0) for column in judged], axis=0))]
    good, bad = (any((column.sign > 0) == side for column in judged) for side in (True, False))
    if not free:
        failed = "" if cells.result.ok.all() else " or did not reach the end"
        meets = "meets a criterion of failure" if bad else ""
        misses = "misses one that is good" if good and bad else "misses a criterion" if good else ""
        why = " or ".join(word for word in (meets, misses) if word)
        return f"No design passes: each of the {count(cells.count)} instances {why}{failed}."
    which = f": {labels.several(cells, free)}" if len(free) <= labels.MOST_NAMED else ""
    met = ("all good ones are" if bad else "all criteria are met") if good else ""
    how = " and ".join(word for word in ("no criterion of failure is met" if bad else "", met) if word)
    return f"{count(len(free))} of {count(cells.count)} instances pass{'es' if len(free) == 1 else ''} ({how}){which}."


# --- one criterion ----------------------------------------------------------------------------------------------------------


def criterion_words(column: Column) -> str:
    """A criterion in each of the designs."""
    cells, name = column.cells, code(column.criterion)
    if not cells.sampled:
        return _met_by(column)
    counts = {column.met(design) for design in column.known}
    size = column.estimate(column.known[0]).count
    same = all(column.estimate(design).count == size for design in column.known)
    if same and counts == {0}:
        return f"{name}: {within(f'0 of {count(size)} with every design', *_ends(column, column.known[0]))}."
    if same and counts == {size}:
        return f"{name}: {within(f'{count(size)} of {count(size)} with every design', *_ends(column, column.known[0]))}."
    if not column.tells:
        low, high = column.ends
        return (f"{name}: {_share(column, low)} with {labels.several(cells, _same(column, low))} to {_share(column, high)} with "
                f"{labels.several(cells, _same(column, high))}, not told apart.")
    return _ranked(column)


def _ranked(column: Column) -> str:
    cells, name, best = column.cells, code(column.criterion), column.best
    said = f"{name}: {_share(column, best[0])} with {labels.several(cells, best)}"
    near = [design for design in column.alike if design not in best]
    if near:
        said += f", not told apart from {labels.several(cells, near)}"
    far = sorted((design for design in column.known if design not in column.alike), key=lambda design: column.values[design])
    shown = far if len(far) <= LISTED else far[:1] + far[-1:]
    parts = [f"{_share(column, design)} with {labels.of(cells, design)}" for design in shown]
    if len(far) > LISTED:
        return f"{said}; {' to '.join(parts)} for the other {count(len(far))}."
    return f"{said}; {'; '.join(parts)}."


def _same(column: Column, design: int) -> list[int]:
    return [int(other) for other in np.flatnonzero(column.values == column.values[design])]


def _ends(column: Column, design: int) -> tuple[str, str]:
    estimate = column.estimate(design)
    _, low, high = share(estimate.value, estimate.low, estimate.high)
    return low, f"{high} %"


def _share(column: Column, design: int) -> str:
    """3.1 % (1.2 to 7.8), 0 of 128 (0 to 2.9 %)."""
    estimate, met = column.estimate(design), column.met(design)
    if met in (0, estimate.count):
        return within(f"{count(met)} of {count(estimate.count)}", *_ends(column, design))
    value, low, high = share(estimate.value, estimate.low, estimate.high)
    return within(f"{value} %", low, high)


def _met_by(column: Column) -> str:
    """Of designs without draws."""
    cells, name = column.cells, code(column.criterion)
    met = [int(design) for design in np.flatnonzero(column.values == 1)]
    if not met:
        return f"{name}: met by none of {count(len(column.known))} instances."
    if len(met) == len(column.known):
        return f"{name}: met by all {count(len(met))} instances."
    which = f" ({labels.several(cells, met)})" if len(met) <= labels.MOST_NAMED else ""
    return f"{name}: met by {count(len(met))} of {count(len(column.known))} instances{which}."


# --- observables ------------------------------------------------------------------------------------------------------------


def asked_words(column: Column) -> str:
    """The best designs by an observable of "ask", the designs that do not differ from them, and the other end."""
    cells, name = column.cells, code(column.quantity.name)
    if not column.best:
        return f"{name}: no design is better than another."
    near = [design for design in column.alike if design not in column.best]
    which = f"nearest to {_value(column, None)}" if math.isfinite(column.target) else "largest" if column.sign > 0 else "smallest"
    said = f"{name}: {which} with {labels.several(cells, column.best)}, {_value(column, column.best[0])}"
    if len(near) == len(column.known) - len(column.best) and near:
        return f"{said}; no other design is told apart from it."
    if near:
        said += f", not told apart from {labels.several(cells, near)}"
    worst = int(min(column.known, key=lambda design: column.merit[design]))
    return f"{said}; {_value(column, worst)} with {labels.of(cells, worst)}{' at the other end' if len(column.known) > 2 else ''}."


def _value(column: Column, design: int | None) -> str:
    """Of a design; None: the target."""
    scale = scale_of(column.cells.result.units.get(column.quantity.name, "1"), column.values[column.known])
    value = scale.number(column.target) if design is None else column.rounded(scale, design)[0]
    return joined(value, scale.unit)


def _open_words(columns: Sequence[Column]) -> Iterator[str]:
    """Where only the step leaves open which design is the better one."""
    found = [column for column in columns if not column.criterion and column.cells.sampled and len(column.known) > 1
             and column.difference(*column.ends[::-1]).told and not column.apart(*column.ends[::-1])]
    if found:
        names = words.listed(code(column.quantity.name) for column in found)
        yield f"The error by the step leaves open which design has the smaller {names}."


def _differ_words(columns: Sequence[Column]) -> Iterator[str]:
    """Observables that differ, those with a limit first."""
    found = [column for column in columns if not column.criterion and not (column.asked and column.judged) and len(column.known) > 1
             and column.apart(*column.ends[::-1])]
    judged = any(column.criterion for column in columns)
    shown = [column for column in found if column.limit is None or not judged] or found
    for column in shown[:DIFFERENCES]:
        yield _range_words(column)


def _range_words(column: Column) -> str:
    cells, (low, high) = column.cells, column.ends
    scale = scale_of(cells.result.units.get(column.quantity.name, "1"), column.values[column.known])
    shown = []
    for design in (low, high):
        value = column.rounded(scale, design)[0]
        shown.append(f"{joined(value, scale.unit)} with {labels.several(cells, _same(column, design))}")
    mean = "the mean goes" if cells.sampled else "goes"
    return f"{code(column.quantity.name)}: {mean} from {shown[0]} to {shown[1]}."
