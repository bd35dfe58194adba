"""Numbers, units and studies in words. These functions return HTML."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Iterable, Sequence

import numpy as np

from ..figures.style import meaning, within
from ..reading import designs
from ..reading.result import Result
from .page import text

NEARLY_NOTHING = 1e-15  # residues of zero by rounding
MOST_DIGITS = 4  # significant digits of a number, however narrow its interval is: nobody reads more
NARROW = "\u202f"  # no-break space between groups of digits


# --- numbers --------------------------------------------------------------------------------------------------------------


def count(value: float) -> str:
    """A whole number: 204800 -> 204 800."""
    return f"{int(value):,}".replace(",", NARROW).replace("-", "−")


def signed(value: str) -> str:
    """A number in words with its sign."""
    return value if value.startswith("−") or value in ("0", "–") else f"+{value}"


def counted(value: float, noun: str) -> str:
    """1 instance, 2 instances."""
    return f"{count(value)} {noun}{'' if value == 1 else 's'}"


def number(value: float, digits: int = 4) -> str:
    """With so many significant digits; powers of ten where it is very small or large."""
    if not math.isfinite(value):
        return "–"
    if 0 < abs(value) < NEARLY_NOTHING:
        return "≈ 0"
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    power = int(exponent)
    if float(mantissa) == 0:
        return "0"
    if -3 <= power < max(digits, 5):
        plain = f"{value:.{max(0, digits - 1 - power)}f}"
        return _trimmed(plain).replace("-", "−")
    return f"{_trimmed(mantissa).replace('-', '−')}·10<sup>{str(power).replace('-', '−')}</sup>"


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def percent(share: float, digits: int = 3) -> str:
    """A part of 1 as per cent; 99.97 stays below 100."""
    if not math.isfinite(share):
        return "–"
    if 0 < 1 - share < 5e-4 or 0 < share < 1e-4:
        digits = 4 if share > 0.5 else 2
    return f"{number(100 * share, digits)}{NARROW}%"


def decimals_of(uncertainty: float) -> int:
    """Decimals that keep one or two digits of an uncertainty, as the Particle Data Group rounds: two below 3.54, one up to 9.49, 10 above;
    below 0 where tens are rounded."""
    power = math.floor(math.log10(uncertainty))
    lead = round(uncertainty / 10.0**power, 2)
    return (1 if lead <= 3.54 else 0) - power


def measured(value: float, low: float, high: float, most: int = MOST_DIGITS) -> tuple[str, str, str]:
    """A number and the ends of its interval, all with the decimals that half the interval is worth, and at most so many significant digits.
    Without an interval that has a width: three significant digits, whole numbers whole."""
    half = (high - low) / 2
    if not (math.isfinite(half) and math.isfinite(value)) or half <= abs(value) * 1e-12:
        plain = count(value) if math.isfinite(value) and value == round(value) and abs(value) < 1e6 else _three(value)
        return plain, plain if math.isfinite(low) else "–", plain if math.isfinite(high) else "–"
    largest = max(abs(value), abs(low), abs(high))
    decimals = min(decimals_of(half), most - 1 - math.floor(math.log10(largest)))
    return fixed(value, decimals), fixed(low, decimals), fixed(high, decimals)


def stacked(value: str, low: str, high: str) -> str:
    """style.within in a cell of a table, the interval in small letters below."""
    return within(value, low, high, "<br><small>", "</small>")


def _three(value: float) -> str:
    """With three significant digits."""
    if not math.isfinite(value) or value == 0 or not 1e3 <= abs(value) < 1e6:
        return number(value, 3)
    return fixed(value, 2 - math.floor(math.log10(abs(value))))


def fixed(value: float, decimals: int) -> str:
    """With these decimals, kept where they are zeros; in powers of ten where that is shorter."""
    if abs(value) < 0.5 * 10.0**-decimals:
        return "0"
    power = math.floor(math.log10(abs(value)))
    if power >= 6 or decimals > 6:
        mantissa = f"{value / 10.0**power:.{max(0, decimals + power)}f}"
        return f"{mantissa}·10<sup>{power}</sup>".replace("-", "−")
    return f"{round(value, decimals):.{max(0, decimals)}f}".replace("-", "−")


def share(value: float, low: float, high: float) -> tuple[str, str, str]:
    """Parts of 1 as per cent, without the sign: a probability and the ends of its interval."""
    shown = measured(100 * value, 100 * low, 100 * high)
    first, second, third = ("100" if part == 1 else words for part, words in zip((value, low, high), shown))
    return first, second, third


def duration(seconds: float) -> str:
    """0.02 s, 5 s, 3 min 20 s, 2 h 5 min."""
    if not math.isfinite(seconds):
        return "–"
    if seconds < 120:
        return f"{number(seconds, 3)} s"
    minutes = round(seconds / 60)
    if seconds < 3600:
        return f"{int(seconds // 60)} min {int(seconds % 60)} s"
    return f"{minutes // 60} h {minutes % 60} min"


# --- units ----------------------------------------------------------------------------------------------------------------


def unit_name(unit: str) -> str:
    """CF spelling as it is written by hand: "kg m2 s-1" -> kg m²/s; "1" -> nothing."""
    above: list[str] = []
    below: list[str] = []
    for name, power in re.findall(r"([A-Za-zµ°%]+)(-?\d*)", unit):
        raised = "" if power in ("", "-1") else power.lstrip("-").translate(str.maketrans("23456", "²³⁴⁵⁶"))
        (below if power.startswith("-") else above).append(name + raised)
    if not below:
        return " ".join(above)
    return f"{' '.join(above) or '1'}/{below[0] if len(below) == 1 else '(' + ' '.join(below) + ')'}"


@dataclass(frozen=True)
class Scale:
    """A unit in which the values of a column are easy to read."""

    factor: float  # of a value in SI
    unit: str

    def number(self, value: float, digits: int = 4, spread: float = 0.0) -> str:
        """Digits below a thousandth of the spread (in SI) of a column are left out."""
        shown = float(value) * self.factor
        if 0 < spread * self.factor < math.inf:
            shown = round(shown, 3 - math.floor(math.log10(spread * self.factor)))
        return number(shown, digits)

    def with_unit(self, value: float, digits: int = 4) -> str:
        return joined(self.number(value, digits), self.unit)

    def measured(self, value: float, low: float, high: float, most: int = MOST_DIGITS) -> tuple[str, str, str]:
        """A number and the ends of its interval, rounded by that."""
        return measured(value * self.factor, low * self.factor, high * self.factor, most)

    def span(self, low: float, high: float, digits: int = 4) -> str:
        """From low to high."""
        ends = self.number(low, digits), self.number(high, digits)
        return joined(ends[0] if ends[0] == ends[1] else " to ".join(ends), self.unit)


def joined(value: str, unit: str) -> str:
    """With its unit: 45°, 3 mm."""
    return f"{value}{'' if unit in ('', '°') else ' '}{text(unit)}"


def scale_of(unit: str, values: Iterable[float] = ()) -> Scale:
    """Degrees for angles; millimetres, millinewtons, ... where the largest value is small."""
    found = np.abs(np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=float))
    finite = found[np.isfinite(found)]
    largest = float(finite.max()) if len(finite) else 0.0
    if unit == "rad":
        return Scale(180 / math.pi, "°")
    prefixed = unit in ("m", "m s-1", "N", "N m", "J", "s", "W", "kg")
    for limit, factor, prefix in ((1e-12, 0, ""), (1e-4, 1e6, "µ"), (0.1, 1e3, "m")):
        if prefixed and largest < limit:
            if factor == 0 or (unit == "m" and largest < 1e-8):
                break
            return Scale(1e3, "g") if unit == "kg" else Scale(factor, prefix + unit_name(unit))
    return Scale(1.0, unit_name(unit))


def quantity(value: float, unit: str, digits: int = 4) -> str:
    """A value with its unit; an angle in degrees and radians."""
    shown = scale_of(unit, [value]).with_unit(value, digits)
    return f"{shown} ({joined(number(value, digits), unit_name(unit))})" if unit == "rad" else shown


def code(name: str) -> str:
    """A name of the program, which may be broken at its dots and underscores."""
    breakable = re.sub("([._])", r"<wbr>\1", text(name))
    return f"<code>{breakable}</code>"


def bracketed(unit: str) -> str:
    """A unit behind the name of what has it; nothing of a number without one."""
    return f" [{text(unit)}]" if unit else ""


def described(result: Result, name: str, unit: str = "", more: str = "") -> str:
    """A quantity in a cell of a table: its name with the unit, and below it in small letters what it is."""
    return f"{code(name)}{bracketed(unit)}<br><small>{text(meaning(result, name) + more)}</small>"


# --- varied parameters of a study -----------------------------------------------------------------------------------------

DISTRIBUTIONS: dict[str, tuple[str, Sequence[str]]] = {
    "uniform": ("uniform", ("from", "to")),
    "log_uniform": ("log-uniform", ("from", "to")),
    "normal": ("normal", ("mean", "standard deviation")),
    "log_normal": ("log-normal", ("median", "spread of the logarithm")),
    "truncated_normal": ("truncated normal", ("mean", "standard deviation", "from", "to")),
    "triangular": ("triangular", ("from", "mode", "to")),
    "beta": ("beta", ("α", "β", "from", "to")),
    "weibull": ("Weibull", ("scale", "shape")),
    "integer": ("whole numbers, all alike", ("from", "to")),
}


def _word(value: Any) -> str:
    if isinstance(value, (int, float)):
        return number(float(value), 5)
    return text(value if isinstance(value, str) else json.dumps(value))


def values_of(entry: dict[str, Any]) -> str:
    """The values or the distribution of an entry of "vary"."""
    for key, (name, parts) in DISTRIBUTIONS.items():
        if isinstance(entry.get(key), list):
            return f"{name}: " + ", ".join(f"{part} {_word(value)}" for part, value in zip(parts, entry[key]))
    if isinstance(entry.get("linspace"), list) and len(entry["linspace"]) == 3:
        low, high, levels = entry["linspace"]
        return f"{_word(levels)} values evenly from {_word(low)} to {_word(high)}"
    if isinstance(entry.get("values"), list):
        shown = entry["values"] if len(entry["values"]) <= 12 else [*entry["values"][:5], "…", *entry["values"][-2:]]
        return f"{counted(len(entry['values']), 'value')}: " + ", ".join(_word(value) for value in shown)
    if isinstance(entry.get("discrete"), list):
        return "with probabilities: " + ", ".join(f"{_word(pair[0])} ({_word(pair[1])})" for pair in entry["discrete"][:12])
    return text(json.dumps({key: value for key, value in entry.items() if key != "path"}))


def columns_of(entry: dict[str, Any], result: Result) -> list[str]:
    """The columns of an entry of "vary"; one for each wheel where each has a value of its own."""
    column = designs.column_of(str(entry.get("path", "")))
    if column in result.parameters:
        return [column]
    each = re.compile(re.sub(r"^wheel_", r"wheel\\d+_", re.escape(column).replace(r"\_", "_")) + "$")
    return [name for name in result.parameters if each.match(name)]


def path_of(column: str, result: Result) -> str:
    """The path of a column in the study, where it can be found; otherwise the column itself."""
    return told_path(column, result) or column


def told_path(column: str, result: Result) -> str | None:
    """The path that the study has for a column; None for the columns of a table, whose study names only its file."""
    study = designs.study_of(result)
    design = study.get("design") if isinstance(study.get("design"), dict) else {}
    entries = [entry for entry in study.get("vary", []) if isinstance(entry, dict)] + [{"path": path} for path in design.get("paths", [])]
    for entry in entries:
        path = str(entry.get("path", ""))
        if designs.column_of(path) == column:
            return path
        wheel = re.match(r"wheel(\d+)_", column)
        if wheel and path.startswith("wheel.") and designs.column_of(path.replace("wheel.", f"wheels[{wheel[1]}].", 1)) == column:
            return path.replace("wheel.", f"wheels[{wheel[1]}].", 1)
    return None


def value_word(column: str, value: float, result: Result) -> str | None:
    """The word that a parameter of words has for a value: contact.tracking 1 is implicit. None of a parameter of numbers."""
    found = {int(code): word for word, code in re.findall(r'"(\w+)" \((\d+)\)', result.long_names.get(column, ""))}
    return found.get(int(value)) if found and math.isfinite(value) and value == int(value) else None


def value_of(column: str, value: float, result: Result, scale: Scale | None = None) -> str:
    """A value of a parameter or observable with its unit, or its word."""
    word = value_word(column, value, result)
    if word is not None:
        return text(word)
    scale = scale or scale_of(result.units.get(column, "1"), [value])
    return scale.with_unit(value)
