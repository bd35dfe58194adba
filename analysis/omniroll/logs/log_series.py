"""The logged values of one quantity, and of several at the same times.

Topics of a bag come at rates of their own, and the rows of a CSV file have one time each. So one source gives the times, and the others are
read there: by straight lines, or as the last value where a command is held until the next one. Angles are unwrapped before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Sequence

import numpy as np

from ..errors import UsageError
from ..reading.result import Array

SECOND = 1_000_000_000  # ns
MOST_ROWS = 1_000_000  # of a table that omniroll reads
UNWRITABLE = set(',"\r\n[]#')  # in the header of a CSV file


@dataclass(frozen=True)
class Series:
    """Values of one quantity. Times are whole nanoseconds, since seconds since 1970 leave a double 0.2 us."""

    name: str  # its column
    unit: str  # "" where it is not known
    source: str  # its topic, or its column in the file
    time: Array
    values: Array
    clock: str = ""  # which times they are, in words
    held: bool = False  # a command, which holds until the next one
    turn: float = 0.0  # size of an angle's jumps; 0: it does not wrap


@dataclass(frozen=True)
class Joined:
    start: int  # ns of the first row
    columns: dict[str, Array]  # "time" first
    units: dict[str, str]
    about: list[str]  # sentences: rows, gaps and times of each source


def check_names(names: Sequence[str], place: str) -> None:
    """Names of columns that a CSV file can have. Raises UsageError."""
    for name in names:
        if not name.strip() or UNWRITABLE & set(name) or name != name.strip():
            raise UsageError(f"{place}: {name!r} cannot be a column of a CSV file; name it, such as {{\"w1\": {name!r}}}")
        if name == "time" or list(names).count(name) > 1:
            raise UsageError(f"{place}: there are two columns {name!r}; name them, such as {{\"{name}_2\": {name!r}}}")


def _seconds(time: int, zero: int) -> str:
    return f"{(time - zero) / SECOND:.6g} s"


def cleaned(series: Series) -> tuple[Series, str]:
    """The rows that have a value, with times that rise, and in words the rows left out. Raises UsageError where times run backwards."""
    finite = np.isfinite(series.values)
    time, values = series.time[finite], series.values[finite]
    back = np.flatnonzero(np.diff(time) < 0)
    if len(back):
        row, zero = int(back[0]), int(time[0])
        what = f" ({series.clock})" if series.clock else ""
        remedy = "; stamps=\"received\" takes the times of receipt" if series.clock == "stamps of headers" else ""
        raise UsageError(f"{series.source}: times run backwards{what}: {_seconds(int(time[row + 1]), zero)} comes after {_seconds(int(time[row]), zero)}, "
                         f"counted from the first row, {len(back)} time{'s' * (len(back) > 1)} in all: a clock was set, or two nodes write{remedy}; "
                         "or read a part, with start and end")
    again = np.concatenate([[False], np.diff(time) == 0]) if len(time) else np.zeros(0, bool)
    time, values = time[~again], values[~again]
    if series.turn and len(values):
        values = np.unwrap(values, period=series.turn)
    left_out = [f"{count} {what}" for count, what in ((int(np.sum(~finite)), "without a value"), (int(np.sum(again)), "with the time of the row before")) if count]
    return replace(series, time=time, values=values), f"; left out: {', '.join(left_out)}" if left_out else ""


def _about(series: Series, left_out: str) -> str:
    steps = np.diff(series.time) / SECOND
    pace = f", every {1e3 * float(np.median(steps)):.3g} ms, longest gap {1e3 * float(np.max(steps)):.3g} ms" if len(steps) else ""
    return f"{series.source}: {len(series.time)} rows{pace}{', ' + series.clock if series.clock else ''}{left_out}"


def _at(series: Series, time: Array) -> Array:
    if series.held:
        return series.values[np.searchsorted(series.time, time, side="right") - 1]
    if len(series.time) == len(time) and np.array_equal(series.time, time):
        return series.values
    zero = series.time[0]
    return np.interp((time - zero).astype(float), (series.time - zero).astype(float), series.values)


def _rows_of(found: Sequence[Series], place: str, onto: str | None) -> Series:
    """The series whose times are taken: the one with the most rows, of the chosen source."""
    sources = list(dict.fromkeys(series.source for series in found))
    if onto is not None and onto not in sources:
        raise UsageError(f"{place}: onto={onto!r} is none of what is read: {', '.join(sources)}")
    return max((series for series in found if onto in (None, series.source)), key=lambda series: len(series.time))


def joined(found: Sequence[Series], place: str, onto: str | None = None) -> Joined:
    """All at the times of one source (onto; default: the one with the most rows), where all of them have been seen. Raises UsageError."""
    check_names([series.name for series in found], place)
    clean = [cleaned(series) for series in found]
    found = [series for series, _ in clean]
    for series in found:
        if len(series.time) < 2:
            raise UsageError(f"{place}: {series.source} has {len(series.time)} row{'s' * (len(series.time) != 1)} of {series.name!r}; a measured run has 2 at least")
    paced = _rows_of(found, place, onto)
    first = max(int(series.time[0]) for series in found)
    last = min(int(series.time[-1]) for series in found if not series.held or series is paced)
    time = paced.time[(paced.time >= first) & (paced.time <= last)]
    if len(time) < 2:
        zero = min(int(series.time[0]) for series in found)
        spans = "; ".join(f"{series.source} ({series.clock or 'times of the file'}) from {_seconds(int(series.time[0]), zero)} to {_seconds(int(series.time[-1]), zero)}"
                          for series in {series.source: series for series in found}.values())
        raise UsageError(f"{place}: there is no time at which all of it was logged: {spans}. Are they of two clocks? "
                         "stamps=\"received\" takes the times of receipt of a bag")
    if len(time) > MOST_ROWS:
        raise UsageError(f"{place}: has {len(time)} rows, and a table {MOST_ROWS} at most; read a part, with start and end, or take the times of a slower one, with onto")
    columns = {"time": (time - time[0]) / SECOND, **{series.name: _at(series, time) for series in found}}
    about = list(dict.fromkeys(_about(series, left_out) for series, (_, left_out) in zip(found, clean)))
    if len({series.source for series in found}) > 1:
        about.append(f"rows are those of {paced.source}; the others are read there "
                     + ("by straight lines, commands as the last one" if any(series.held for series in found) else "by straight lines"))
    clocks = {series.clock for series in found}
    if len(clocks) > 1:
        about.append("times are of two clocks; stamps=\"received\" takes one for all")
    return Joined(int(time[0]), columns, {"time": "s", **{series.name: series.unit for series in found}}, about)
