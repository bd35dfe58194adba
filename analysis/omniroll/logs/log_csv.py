"""CSV files by the library pandas, which xarray brings along: columns of numbers with their units in the head, "x [mm]", as omniroll writes them."""

from __future__ import annotations

import os
import re
from typing import Any, Mapping

import numpy as np

from ..errors import FileError, UsageError
from .log_bag import Topic, listed
from .log_series import MOST_ROWS, SECOND, Series
from .log_table import TIME_UNITS, TURNS, Columns

HEAD = re.compile(r"(?P<name>.*?)\s*\[(?P<unit>[^\]]*)\]\s*")


def _read(path: str, most: int | None) -> tuple[Any, dict[str, str]]:
    """The table with the names of its columns, and the units that stand in its head."""
    import pandas

    if not os.path.exists(path):
        raise FileError(f"{path}: there is no such file")
    exact: dict[str, Any] = {"float_precision": "round_trip"} if int(pandas.__version__.split(".")[0]) < 3 else {}  # the default from 3 on
    try:
        table = pandas.read_csv(path, comment="#", skipinitialspace=True, nrows=most, encoding="utf-8-sig", **exact)
    except (OSError, ValueError, MemoryError) as error:  # pandas' own errors of parsing are ValueErrors
        raise FileError(f"{path}: cannot be read as CSV: {str(error).strip()[:300]}") from error
    heads = [HEAD.fullmatch(str(head)) for head in table.columns]
    names = [match["name"].strip() if match else str(head).strip() for match, head in zip(heads, table.columns)]
    table.columns = names
    return table, {name: match["unit"].strip() for name, match in zip(names, heads) if match}


def _times(column: Any, place: str, unit: str) -> Any:
    """Whole nanoseconds: of numbers in the unit, or of stamps such as 2026-11-29T12:00:00Z."""
    import pandas

    if unit not in TIME_UNITS:
        raise UsageError(f"{place}: times are in {', '.join(TIME_UNITS)}, not {unit!r}")
    if column.dtype.kind in "iu":
        return column.to_numpy().astype(np.int64) * TIME_UNITS[unit]
    if column.dtype.kind != "f":
        try:
            column = pandas.Series([pandas.Timestamp(stamp) for stamp in column])  # of as many digits as each has
            column = column.dt.tz_convert("UTC").dt.tz_localize(None) if column.dt.tz is not None else column
        except (ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"{place}: times are numbers, or stamps such as 2026-11-29T12:00:00Z: {str(error)[:200]}") from None
        return column.to_numpy(dtype="datetime64[ns]").astype(np.int64)
    if not np.all(np.isfinite(column.to_numpy())):
        raise UsageError(f"{place}: {int(np.sum(~np.isfinite(column.to_numpy())))} rows have no time; leave them out")
    return np.round(column.to_numpy() * TIME_UNITS[unit]).astype(np.int64)


def csv_series(path: str, columns: Columns, time: str = "time", units: Mapping[str, str] | None = None, start: float | None = None,
               end: float | None = None) -> list[Series]:
    """Columns of a CSV file; arguments as of table_series. Raises UsageError, FileError."""
    table, found = _read(path, MOST_ROWS + 1)
    if len(table) > MOST_ROWS:
        raise UsageError(f"{path}: has more than {MOST_ROWS} rows, which is the most that a table has")
    numbers = [name for name in table.columns if name != time and table[name].dtype.kind in "iufb"] if table.columns.is_unique else list(table.columns)
    names = dict(columns) if isinstance(columns, Mapping) else {name: name for name in ([columns] if isinstance(columns, str) else columns or numbers)}
    for name in [time, *names.values()]:
        count = list(table.columns).count(name)
        if count != 1:
            raise UsageError(f"{path}: there {'are two columns' if count else 'is no column'} {name!r}" + (" for the time (time=...)" if name == time else "")
                             + f"; there are: {listed(table.columns)}")
    for name in units or {}:
        if name not in (*names, "time"):
            raise UsageError(f"{path}: units names {name!r}, which is no column that is read; there are: {listed(names)}")
    for name in names.values():
        if table[name].dtype.kind not in "iufb":
            wrong = next((str(value)[:40] for value in table[name] if not isinstance(value, (int, float))), "")
            raise UsageError(f"{path}: the column {name!r} is not of numbers: it has {wrong!r}")
    given = {**{"yaw": "rad"}, **{name: found[source] for name, source in names.items() if source in found}, **(units or {})}
    moments = _times(table[time], f"{path}: {time}", (units or {}).get("time", found.get(time) or "s"))
    since = (moments - (moments[0] if len(moments) else 0)) / SECOND
    keep = (since >= (-np.inf if start is None else start)) & (since <= (np.inf if end is None else end))
    if not np.any(keep):
        raise UsageError(f"{path}: has no row{'' if start is None and end is None else ' between start and end'}")
    return [Series(name, given.get(name, ""), source, moments[keep], table[source].to_numpy(dtype=float)[keep], "", False,
                   TURNS.get(given.get(name, ""), 0.0) if name == "yaw" else 0.0) for name, source in names.items()]


def csv_contents(path: str) -> dict[str, Topic]:
    """Columns of a CSV file."""
    table, _ = _read(path, None)
    return {name: Topic(str(table.dtypes.iloc[at]), len(table), [name]) for at, name in enumerate(table.columns)}
