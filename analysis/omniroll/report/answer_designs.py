"""The answer of a study that compares designs: a sentence, a table of designs and their values, and how far they differ."""

from __future__ import annotations

import math
from typing import Iterator, Sequence

import numpy as np

from .. import lists
from ..comparing.design_cells import cells_of
from ..figures.style import within
from ..reading import designs
from . import labels, pareto, steps
from .columns import SMALL, Column, columns_of, leader
from .data import Data
from .page import Section, asset, details, paragraph, table, text
from .summary import confidence
from .verdicts import headline
from .wording import Scale, code, count, number, path_of, percent, scale_of, share, signed, stacked

KINDS = lists.designs("levels", "rows", "cells")
ALL = 12  # designs up to which the table has every one
BEST, WORST = 6, 3  # rows of more
OPEN = 8  # differences up to which they are open
MOST_VARIABLES = 4  # columns of the designs' own parameters


def answer(data: Data) -> str:
    """HTML; '' where there is nothing to compare."""
    found = _compared(data)
    if found is None:
        return ""
    columns, rows, note, _ = found
    return headline(columns[0].cells, columns, _table(data, columns, rows, note))


def sections(data: Data) -> Iterator[Section]:
    """The grounds of the answer: how far the designs differ, and where two criteria or objectives conflict."""
    found = _compared(data) if data.kind in KINDS and data.result.instances > 1 else None
    if found is None:
        return
    columns, rows, _, base = found
    if body := _differences(columns, rows, base):
        yield Section("Differences", body, style=asset("answer.css"))
    if body := pareto.figure_of(data, columns):
        yield Section("Trade-off", body)


def _compared(data: Data) -> tuple[list[Column], list[int], str, int] | None:
    """Columns, the designs that are shown, a sentence on the others, and the design that others are compared with."""
    if "compared" not in data.kept:
        cells = cells_of(data.result)
        columns = columns_of(data, cells) if data.result.ok.any() and cells.count > 1 else []
        base = leader(columns) if columns else 0
        data.kept["compared"] = (columns, *_rows(columns, base), base) if columns else None
    return data.kept["compared"]


# --- which designs ----------------------------------------------------------------------------------------------------------


def _rows(columns: Sequence[Column], base: int) -> tuple[list[int], str]:
    """Designs that the table shows, and a sentence on the designs that it leaves out."""
    cells = columns[0].cells
    if cells.count - len(cells.repeats) <= ALL:
        return [design for design in range(cells.count) if design not in cells.repeats], ""
    order = [design for design in _order(columns, base) if design not in cells.repeats]
    judged = any(column.judged for column in columns)
    shown = sorted([*order[:BEST if judged else WORST], *order[-WORST:]])
    name = "design" if cells.sampled else "instance"
    if not judged:
        return shown, (f"Of {count(cells.count)} {name}s those with the largest and the smallest {code(columns[0].quantity.name)}; all of them "
                       "stand in the file and in the pictures below.")
    return shown, f"The best {BEST} and the worst {WORST} of {count(cells.count)} {name}s, by {_ordered_by(columns)}."


def _ordered_by(columns: Sequence[Column]) -> str:
    names = [code(column.quantity.name) for column in columns if column.judged]
    return ", then ".join(names[:3])


def _order(columns: Sequence[Column], base: int) -> list[int]:
    """The best first, by the columns in turn; where no side is better from large to small."""
    judged = [column for column in columns if column.judged]
    keys = [np.where(np.isfinite(column.merit), -column.merit, np.inf) for column in judged]
    if not judged:
        keys = [np.where(np.isfinite(columns[0].values), -columns[0].values, np.inf)]
    order = [int(design) for design in np.lexsort(keys[::-1])]
    valued = np.any([np.isfinite(column.values) for column in columns], axis=0)
    known = [design for design in order if valued[design]]
    return [base, *(design for design in known if design != base)] if judged and columns[0].tells else known


# --- the table --------------------------------------------------------------------------------------------------------------


def _table(data: Data, columns: Sequence[Column], rows: Sequence[int], note: str) -> str:
    cells = columns[0].cells
    variables = cells.variables[:MOST_VARIABLES]
    several = not cells.sampled and len(cells.variables) > MOST_VARIABLES or not variables
    head = [*(["instance"] if several else []), *(code(path_of(name, data.result)) for name in variables), *(_head(column) for column in columns)]
    scales = [_scale(column) for column in columns]
    body = [[*([count(int(cells.rows[design][0]))] if several else []), *(labels.value(cells, name, design) for name in variables),
             *(_cell(column, scale, design) for column, scale in zip(columns, scales))] for design in rows]
    if steps.measured(data.result) and not all(column.criterion or column.step_is_small for column in columns):
        first = ["<small>error by the step</small>", *("" for _ in range(len(head) - len(columns) - 1))]
        body.append([*first, *(_step(column, scale) for column, scale in zip(columns, scales))])
    return f'<div class="designs">{table(head, body, range(len(head)))}</div>' + paragraph(_legend(data, columns, note), "note")


def _scale(column: Column) -> Scale:
    values = column.values[column.known]
    return scale_of(column.cells.result.units.get(column.quantity.name, "1"), values) if not column.criterion else Scale(100, "%")


def _head(column: Column) -> str:
    if column.criterion:
        source = designs.criteria(column.cells.result)[column.criterion]
        return f"{code(column.criterion)}{_side(column)}<br><small>{text(source)}</small>"
    unit = _scale(column).unit
    name = f"|{code(column.quantity.name)}|" if column.quantity.absolute else code(column.quantity.name)
    words = ["mean" if column.cells.sampled else "", text(unit), _better(column) if column.asked else ""]
    return f"{name}<br><small>{', '.join(word for word in words if word)}</small>"


def _side(column: Column) -> str:
    """Whether a criterion that is met is good, where some are and some are not."""
    result = column.cells.result
    if not any(designs.is_good(result, name) for name in designs.criteria(result)):
        return ""
    word = "good" if column.sign > 0 else "bad"
    return f' <span class="{word}">{word} when met</span>'


def _better(column: Column) -> str:
    if math.isfinite(column.target):
        return f"best near {_scale(column).with_unit(column.target)}"
    return {-1: "smaller is better", 0: "", 1: "larger is better"}[column.sign]


def _cell(column: Column, scale: Scale, design: int) -> str:
    estimate = column.estimate(design)
    if not math.isfinite(estimate.value):
        return "–"
    shown = _criterion(column, design) if column.criterion else stacked(*column.rounded(scale, design))
    if design in column.best and (column.tells or not column.cells.sampled):
        return f'<span class="best"><span class="mark">★</span> {shown}</span>'
    mark = '<span class="mark">≈</span> ' if column.tells and design in column.alike else ""
    return mark + shown


def _criterion(column: Column, design: int) -> str:
    estimate, met = column.estimate(design), column.met(design)
    if not column.cells.sampled:
        return f'<span class="{"good" if bool(met) == (column.sign > 0) else "bad"}">{"met" if met else "not met"}</span>'
    first, low, high = share(estimate.value, estimate.low, estimate.high)
    value = f"{count(met)} of {count(estimate.count)}" if met in (0, estimate.count) else f"{first} %"
    return stacked(value, low, high) if value.endswith("%") else stacked(value, low, f"{high} %")


def _step(column: Column, scale: Scale) -> str:
    """Step error of a column, for all designs together."""
    result = column.cells.result
    if column.criterion:
        flips = steps.flips_of(result, column.criterion)
        if flips is None:
            return ""
        most = f",<br>below {percent(flips[2], 2)}" if flips[2] > 0 else ""  # nothing is open where all ran again
        return f"<small>{count(flips[0])} of {count(flips[1])} change{most}</small>"
    found = steps.of_mean(result, column.quantity.name)
    if found is None or column.quantity.absolute:
        return ""
    if column.step_is_small:
        return "<small>small</small>"
    value, low, high = scale.measured(found.error, found.low, found.high)
    return f"<small>{within(value, low, high, '<br>')}</small>"


def _legend(data: Data, columns: Sequence[Column], note: str) -> str:
    cells = columns[0].cells
    said = [note] if note else []
    told = [column for column in columns if column.tells or column.best and not cells.sampled]
    if told:
        said.append("★ best of the column" + (", ≈ not told apart from it." if any(column.tells for column in columns) else "."))
    if cells.sampled:
        met = f"{count(len(cells.rows[0]))} draws each" + (", the same for every design" if cells.common else "")
        said.append(f"Small: {number(100 * confidence(data.result), 4)} % intervals; {met}.")
    return " ".join([*said, *_step_words(columns)])


def _step_words(columns: Sequence[Column]) -> Iterator[str]:
    """Sentences on the step errors in the table."""
    result = columns[0].cells.result
    if not steps.measured(result):
        return
    if not all(column.criterion or column.step_is_small for column in columns):
        more = "; of criteria how many instances change sides" if any(column.criterion for column in columns) else ""
        yield f"Error by the step: the number less what it tends to with shorter steps, and its range{more}."
        return
    flips = [found for found in (steps.flips_of(result, column.criterion) for column in columns if column.criterion) if found]
    changed = f"; {count(max(flips)[0])} of {count(max(flips)[1])} instances that ran again with a shorter one change sides" if flips else ""
    yield f"The error by the step is below a tenth of the intervals{changed}."


# --- differences ------------------------------------------------------------------------------------------------------------


def _differences(columns: Sequence[Column], rows: Sequence[int], base: int) -> str:
    """Differences to one design: paired where both met the same draws."""
    cells = columns[0].cells
    others = [design for design in rows if design != base]
    if not cells.sampled or not others:
        return ""
    head = ["", *(_head(column) for column in columns)]
    body = [[labels.of(cells, design), *(_difference(column, _scale(column), design, base) for column in columns)] for design in others]
    how = "draw by draw, since all designs met the same draws" if cells.common else "of two samples of their own"
    title = f"Differences from {labels.of(cells, base)}"
    words = (f"{title}, {how}, with {number(100 * cells.confidence, 4)} % intervals. Bold: told apart from 0 by chance and by the step. "
             "<em>Step</em>: what the step adds to the difference, and its range, where that is a tenth of the interval or more.")
    body_html = paragraph(words) + f'<div class="designs">{table(head, body, range(1, len(head)))}</div>'
    return body_html if len(others) <= OPEN else details(title.replace("<wbr>", ""), body_html)


def _difference(column: Column, scale: Scale, design: int, base: int) -> str:
    found = column.difference(design, base)
    if not math.isfinite(found.value):
        return "–"
    if column.criterion:
        value, low, high = share(found.value, found.low, found.high)
        unit = " %"
    else:
        (value, low, high), unit = scale.measured(found.value, found.low, found.high), ""
    shown = f"{signed(value)}{unit}"
    shown = f"<strong>{shown}</strong>" if column.apart(design, base) else shown
    return stacked(shown, signed(low), signed(high)) + _step_of(column, scale, design, base)


def _step_of(column: Column, scale: Scale, design: int, base: int) -> str:
    found = column.step(design, base)
    if found is None:
        return ""
    chance = column.difference(design, base)
    if max(abs(found.low), abs(found.high)) <= SMALL * (chance.high - chance.low) / 2:
        return ""
    value, low, high = (signed(each) for each in scale.measured(found.value, found.low, found.high))
    return f"<br><small><em>step</em> {within(value, low, high, '<br>')}</small>"
