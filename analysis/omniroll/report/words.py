"""Numbers and names in plain text: rounded sensibly, with units that people use."""

from __future__ import annotations

import math
from typing import Iterable, Sequence

import numpy as np

from ..figures.nested_designs import shown_in
from ..figures.style import unit_text, within
from ..reading.result import Array, Result

FIGURES = 3  # significant ones
MINUS = "\N{MINUS SIGN}"
KINDS = {"grid": "grid", "list": "list", "table": "table", "nested": "nested design", "candidates": "candidates", "monte_carlo": "Monte Carlo sample",
         "latin_hypercube": "Latin hypercube", "sobol": "Sobol' sequence", "halton": "Halton sequence", "saltelli": "Saltelli design",
         "morris": "Morris design", "subset_simulation": "subset simulation"}
INTERVALS = {"wilson": "Wilson's score interval", "clopper_pearson": "Clopper and Pearson's exact interval"}


def number(value: float, figures: int = FIGURES) -> str:
    """A number with some significant figures, without needless zeros: 0.0123, 1230, 1.2e−7."""
    if not math.isfinite(value):
        return "none"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if size < -4 or size > 6:
        mantissa, exponent = f"{value:.{figures - 1}e}".split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}".replace("-", MINUS)
    shown = f"{round(value, figures - 1 - size):.{max(0, figures - 1 - size)}f}"
    shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    return shown.replace("-", MINUS)


def together(values: Sequence[float], figures: int = FIGURES) -> list[str]:
    """Numbers with the same decimals, so many that the largest has its significant figures, the smallest two of them (at most three
    decimals more than the largest asks for), and different ones look different."""
    finite = [abs(v) for v in values if math.isfinite(v)]
    largest = max(finite, default=0.0)
    if largest == 0 or largest >= 1e6 or largest < 1e-4:
        return [number(v, figures) for v in values]
    whole = all(v == round(v) for v in values if math.isfinite(v))
    decimals = 0 if whole else max(0, figures - 1 - math.floor(math.log10(largest)))
    smallest = min((v for v in finite if v > 0), default=largest)
    if not whole:
        decimals = max(decimals, min(decimals + 3, 1 - math.floor(math.log10(smallest))))
    different = len({v for v in values if math.isfinite(v)})
    while decimals < 9 and len({f"{v:.{decimals}f}" for v in values if math.isfinite(v)}) < different:
        decimals += 1
    return [f"{v:.{decimals}f}".replace("-", MINUS) if math.isfinite(v) else "none" for v in values]


def _joined(words: str, unit: str) -> str:
    return f"{words}{'' if unit in ('', '°', '°/s') else ' '}{unit}"


def factor_and_unit(result: Result, name: str, values: Array | float) -> tuple[float, str]:
    """The factor from SI values, and the unit then: small lengths in mm, angles in degrees."""
    factor, unit = shown_in(result, name, np.atleast_1d(np.asarray(values, dtype=float)))
    return float(factor), str(unit_text(unit))


def quantity(result: Result, name: str, value: float, like: Array | None = None) -> str:
    """A value with its unit: 12.3 mm, 45°. `like`: values whose size decides on the unit."""
    factor, unit = factor_and_unit(result, name, value if like is None else like)
    return _joined(number(value * factor), unit)


def quantities(result: Result, name: str, values: Sequence[float], like: Array | None = None) -> tuple[list[str], str]:
    """Values with the same decimals, and the unit after them (with its space)."""
    factor, unit = factor_and_unit(result, name, np.asarray(values) if like is None else like)
    return together([v * factor for v in values]), _joined("", unit)


def percents(values: Sequence[float]) -> list[str]:
    """Shares as per cent, to the two significant figures of the smallest step between them."""
    shares = [100 * v for v in values]
    steps = [abs(a - b) for a in shares for b in shares if abs(a - b) > 0]
    scale = min(steps, default=0.0) or min((s for s in shares if s > 0), default=1.0)
    decimals = min(8, max(0, 1 - math.floor(math.log10(scale))) if scale < 10 else 0)
    return [f"{s:.0f}" if s in (0.0, 100.0) else f"{s:.{decimals}f}" for s in shares]


def probability(value: float, low: float, high: float, confidence: float) -> str:
    """'3.1 % (2.4 to 4.0), 95 % interval'."""
    share, a, b = percents([value, low, high])
    return f"{within(f'{share} %', a, b)}, {100 * confidence:g} % interval"


def one_in(value: float) -> str:
    """'about 1 in 1850'."""
    return f"about 1 in {number(1 / value)}" if value > 0 else "none was found"


def listed(words: Iterable[str], last: str = "and") -> str:
    """'a, b and c'."""
    found = list(words)
    return " ".join([", ".join(found[:-1]), last, found[-1]]) if len(found) > 1 else "".join(found)


def plural(count: int, word: str) -> str:
    """'1 instance', '2 instances'."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def range_of(result: Result, name: str) -> str:
    """The values of a varied parameter: '24 values from 0.05 to 0.6'."""
    levels = result.levels(name)
    if len(levels) <= 4:
        return listed(quantity(result, name, level, levels) for level in levels)
    factor, unit = factor_and_unit(result, name, levels)
    return f"{len(levels)} values from {number(levels[0] * factor)} to {_joined(number(levels[-1] * factor), unit)}"
