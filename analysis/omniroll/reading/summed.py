"""A quantity's numbers in a result's statistics: all that a result says of its instances where output.rows keeps a sample of them or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .designs import design_variables
from .result import Array, Result

ROUNDING = 1e-12  # of the largest value: numbers that differ by less are the same


@dataclass(frozen=True)
class Summed:
    """Of a varied parameter or an observable, over the ok instances; of a cell of a nested design without extremes."""

    name: str
    used: int
    without_value: int
    mean: float
    mean_low: float
    mean_high: float
    deviation: float
    min: float
    max: float
    quantiles: dict[float, float]  # level -> value
    errors: dict[float, float]  # level -> how far off the quantile may be, as it is from bins
    min_instance: int = -1  # the first of several
    max_instance: int = -1
    edges: Array | None = None  # of the histogram's bins; None: there is none
    counts: Array | None = None

    @property
    def differs(self) -> bool:
        """Whether the values differ by more than rounding leaves."""
        return self.used > 1 and self.max - self.min > max(ROUNDING * max(abs(self.min), abs(self.max)), 1e-15)


def place_of(table: dict[str, Any], of_what: str, name: str) -> int | None:
    """Where a table of the statistics has a quantity, a criterion or what else it is of; None where it does not have it."""
    names = [str(each) for each in np.atleast_1d(table.get(of_what, []))]
    return names.index(name) if name in names else None


def of(result: Result, name: str) -> Summed | None:
    """Of all instances; None where the statistics do not have the quantity."""
    table = result.statistics
    if (at := place_of(table, "quantity", name)) is None:
        return None
    levels = [float(level) for level in table.get("quantile", [])]
    errors = table.get("quantile_errors", np.zeros((at + 1, len(levels))))[at]
    more: dict[str, Any] = {}
    if "min_instance" in table:
        more.update(min_instance=int(table["min_instance"][at]), max_instance=int(table["max_instance"][at]))
    if "histogram" in table:
        more.update(edges=table["histogram_edges"][at], counts=table["histogram"][at])
    return _summed(table, "", at, name, dict(zip(levels, table["quantiles"][at])) if levels else {}, dict(zip(levels, errors)), more)


def of_cell(result: Result, name: str, cell: int) -> Summed | None:
    """Of a cell of a nested design."""
    table = result.statistics
    if (at := place_of(table, "quantity", name)) is None or "cell_mean" not in table:
        return None
    levels = [float(level) for level in table.get("quantile", [])] if "cell_quantiles" in table else []
    values = dict(zip(levels, table["cell_quantiles"][cell, at])) if levels else {}
    return _summed(table, "cell_", (cell, at), name, values, {}, {})


def _summed(table: dict[str, Any], prefix: str, at: Any, name: str, quantiles: dict[float, float], errors: dict[float, float],
            more: dict[str, Any]) -> Summed:
    mean, low, high, deviation, least, most = (float(table[prefix + key][at])
                                               for key in ("mean", "mean_low", "mean_high", "standard_deviation", "min", "max"))
    return Summed(name, int(table[f"{prefix}used"][at]), int(table[f"{prefix}without_value"][at]), mean, low, high, deviation, least, most,
                  quantiles, errors, **more)


def cells(result: Result) -> int:
    """How many cells of a nested design the statistics have."""
    return len(result.statistics.get("cell_instances", []))


def cell_values(result: Result) -> dict[str, Array]:
    """Of the grid's parameters: the value in each cell."""
    return {name: np.asarray(result.statistics[name]) for name in design_variables(result) if name in result.statistics}


def first_failed(result: Result) -> dict[str, list[int]]:
    """Numbers of the first instances of each status but ok that occurs."""
    table = result.statistics
    if "failed_instances" not in table:
        return {}
    found = {str(name): [int(k) for k in row if k >= 0] for name, row in zip(table["status"], table["failed_instances"])}
    return {name: numbers for name, numbers in found.items() if numbers}
