"""Parquet files by the library pyarrow: columns of a table, by their names. A column may have gaps, as tables have in which topics of
different rates were put together; then its own rows count."""

from __future__ import annotations

import math
import os
from typing import Any, Mapping, Sequence, Union

import numpy as np

from ..errors import Error, FileError, OutOfMemory, UsageError
from ..reading.result import Array
from .log_bag import Topic, listed
from .log_series import MOST_ROWS, SECOND, Series

Columns = Union[None, Sequence[str], Mapping[str, str]]
BATCH = 65536  # rows that are read at a time
TURNS = {"rad": 2 * math.pi, "deg": 360.0}
TIME_UNITS = {"s": SECOND, "ms": 1_000_000, "us": 1_000, "ns": 1}
MOST_TIME = 9e18  # ns that a whole number holds


def _library(path: str) -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:  # of one that does not fit the numpy that is there, too
        raise UsageError(f"{path}: Parquet files are read by the library pyarrow, which this Python does not have: pip install pyarrow ({error})") from None
    return pyarrow


def _nanoseconds(column: Any, place: str, unit: str | None) -> Array:
    """Times of a column: stamps, or numbers in a unit, by default s."""
    pyarrow = _library(place)
    if pyarrow.types.is_timestamp(column.type):
        column, unit = column.cast(pyarrow.timestamp("ns", column.type.tz)).cast(pyarrow.int64()), "ns"
    if column.null_count:
        raise UsageError(f"{place}: {column.null_count} rows have no time; leave them out")
    values, factor = column.to_numpy(zero_copy_only=False), TIME_UNITS[unit or "s"]
    wrong = ~(np.abs(values.astype(float) * factor) < MOST_TIME)  # nan too
    if np.any(wrong):
        raise UsageError(f"{place}: {values[wrong][0]} is no time in {unit or 's'}")
    if values.dtype.kind in "iu":
        return np.asarray(values.astype(np.int64) * factor)
    return np.asarray(np.round(values.astype(float) * factor).astype(np.int64))


def _is_time(kind: Any, pyarrow: Any, unit: str | None) -> bool:
    return bool(pyarrow.types.is_timestamp(kind) or pyarrow.types.is_floating(kind) or (unit and pyarrow.types.is_integer(kind)))


def _is_number(kind: Any, pyarrow: Any) -> bool:
    return bool(pyarrow.types.is_floating(kind) or pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind))


def _check(file: Any, path: str, names: Mapping[str, str], time: str, unit: str | None) -> None:
    pyarrow, schema = _library(path), file.schema_arrow
    if unit is not None and unit not in TIME_UNITS:
        raise UsageError(f"{path}: times are in {', '.join(TIME_UNITS)}, not {unit!r}")
    for column in [time, *names.values()]:
        if schema.names.count(column) != 1:
            raise UsageError(f"{path}: there {'are two columns' if column in schema.names else 'is no column'} {column!r}"
                             + (" for the time (time=...)" if column == time else "") + f"; there are: {listed(schema.names)}")
        kind = schema.field(column).type
        if not (_is_time(kind, pyarrow, unit) if column == time else _is_number(kind, pyarrow)):
            raise UsageError(f"{path}: the column {column!r} has {kind}, and "
                             + ("times are stamps, numbers with a point in s, or numbers in the unit that units={\"time\": \"ns\"} names"
                                if column == time else "columns are numbers"))


def _batches(file: Any, path: str, names: list[str], time: tuple[str, str | None], start: float | None, end: float | None) -> tuple[Array, dict[str, Array]]:
    """Times in ns, and columns with nan where there is nothing, between start and end."""
    zero: int | None = None
    times: list[Array] = []
    values: dict[str, list[Array]] = {name: [] for name in names}
    rows = 0
    for batch in file.iter_batches(batch_size=BATCH, columns=[time[0], *names]):
        now = _nanoseconds(batch.column(time[0]), f"{path}: {time[0]}", time[1])
        zero = int(now[0]) if zero is None and len(now) else zero
        since = (now - (zero or 0)) / SECOND
        keep = (since >= (-math.inf if start is None else start)) & (since <= (math.inf if end is None else end))
        rows += int(np.sum(keep))
        if rows > MOST_ROWS:
            raise UsageError(f"{path}: has more than {MOST_ROWS} rows, and a table as many at most; read a part, with start and end in s")
        times.append(now[keep])
        for name in names:
            values[name].append(np.asarray(batch.column(name).to_numpy(zero_copy_only=False), dtype=float)[keep])
    if not rows:
        raise UsageError(f"{path}: has no row{'' if start is None and end is None else ' between start and end'}")
    return np.concatenate(times), {name: np.concatenate(parts) for name, parts in values.items()}


def table_series(path: str, columns: Columns, time: str = "time", units: Mapping[str, str] | None = None, start: float | None = None,
                 end: float | None = None) -> list[Series]:
    """The wanted columns of a Parquet file. columns: names, or {column: name in the file}; None: all that are numbers. units: of columns,
    and of "time". start, end: s from the first row on. Raises UsageError, FileError."""
    pyarrow = _library(path)
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            numbers = [field.name for field in file.schema_arrow if field.name != time and _is_number(field.type, pyarrow)]
            names = dict(columns) if isinstance(columns, Mapping) else {name: name for name in ([columns] if isinstance(columns, str) else columns or numbers)}
            unit = (units or {}).get("time")
            _check(file, path, names, time, unit)
            for name in units or {}:
                if name not in (*names, "time"):
                    raise UsageError(f"{path}: units names {name!r}, which is no column that is read; there are: {listed(names)}")
            times, values = _batches(file, path, list(dict.fromkeys(names.values())), (time, unit), start, end)
    except Error:
        raise
    except MemoryError:
        raise OutOfMemory(f"{path}: there is not enough memory for what this file says it has: it is damaged, or too large") from None
    except FileNotFoundError:
        raise FileError(f"{path}: there is no such file") from None
    except Exception as error:  # noqa: BLE001  a damaged file makes the library raise errors of any kind
        raise FileError(f"{path}: cannot be read as Parquet: {type(error).__name__}: {str(error)[:300]}") from error
    given = {**{"yaw": "rad"}, **(units or {})}
    return [Series(name, given.get(name, ""), source, times, values[source], "", False, TURNS.get(given.get(name, ""), 0.0) if name == "yaw" else 0.0)
            for name, source in names.items()]


def table_contents(path: str) -> dict[str, Topic]:
    """Columns of a Parquet file."""
    pyarrow = _library(path)
    if not os.path.exists(path):
        raise FileError(f"{path}: there is no such file")
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            return {field.name: Topic(str(field.type), file.metadata.num_rows, [field.name]) for field in file.schema_arrow}
    except Exception as error:  # noqa: BLE001
        raise FileError(f"{path}: cannot be read as Parquet: {type(error).__name__}: {str(error)[:300]}") from error
