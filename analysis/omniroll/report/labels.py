"""Names of designs: 9 rollers, friction 0.3."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from ..comparing.design_cells import Cells
from . import words
from .page import text
from .wording import path_of, value_of

MOST_NAMED = 4  # designs that a sentence names
MOST_VARIABLES = 3  # parameters of a design that a sentence names


def short(cells: Cells, column: str) -> str:
    """The last part of a parameter's path: rollers of wheel.rollers; of single wheels and of names that occur twice, more of it."""
    names = [path_of(each, cells.result).split(".") for each in cells.variables]
    parts = path_of(column, cells.result).split(".")
    for length in range(1, len(parts)):
        if sum(other[-length:] == parts[-length:] for other in names) == 1:
            return ".".join(parts[-length:])
    return ".".join(parts)


def of(cells: Cells, design: int) -> str:
    """A design in a sentence, as HTML."""
    if not cells.variables or not cells.sampled and len(cells.variables) > MOST_VARIABLES:
        return f"instance {int(cells.rows[design][0])}"
    return ", ".join(_part(cells, column, [design]) for column in cells.variables[:MOST_VARIABLES])


def several(cells: Cells, found: Sequence[int]) -> str:
    """Designs in a sentence, as HTML: 9, 10 and 12 rollers; of many how many they are."""
    if len(found) == 1:
        return of(cells, found[0])
    if len(found) > MOST_NAMED:
        return f"{len(found)} designs" if cells.sampled else f"{len(found)} instances"
    if len(cells.variables) == 1:
        return _part(cells, cells.variables[0], found)
    return "; ".join(dict.fromkeys(of(cells, design) for design in found))


def _part(cells: Cells, column: str, found: Sequence[int]) -> str:
    name = short(cells, column)
    values = words.listed(value(cells, column, design) for design in found)
    counts = cells.result.units.get(column, "1") == "1" and name.endswith("s") and np.all(cells.result.levels(column) % 1 == 0)
    if counts:
        return f"{values} {text(name if values != '1' else name[:-1])}"
    return f"{text(name.replace('_', ' '))} {values}"


def value(cells: Cells, column: str, design: int) -> str:
    """A design's value of a parameter, as HTML."""
    return value_of(column, float(cells.result.parameters[column][cells.rows[design][0]]), cells.result)
