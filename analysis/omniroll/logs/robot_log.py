"""Logs as tables, the CSV files that a study names, and the study itself."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence, Union

import numpy as np

from ..errors import UsageError
from ..reading.result import Array
from ..running.studies import load
from ..whole_files import writing
from .log_bag import Topic, Topics, bag_contents, bag_series, listed
from .log_csv import csv_contents, csv_series
from .log_series import SECOND, joined
from .log_table import Columns, table_contents, table_series

Path = Union[str, "os.PathLike[str]"]
TABLES = {".parquet": (table_contents, table_series), ".pq": (table_contents, table_series), ".csv": (csv_contents, csv_series)}
PER_RATE = {"rad/s": "rate", "rad": "angle"}  # quantity of a drive that replays a column in this unit


@dataclass(frozen=True)
class Log:
    """A table. columns: "time" first, in s from the first row on; the others as the file has them, columns of known messages in SI units.
    `start` is the time of the first row in s, since 1970 where the clock was right. `about` has the rows, gaps, clock and omissions of each
    source."""

    path: str
    columns: dict[str, Array]
    units: dict[str, str]
    start: float
    about: list[str] = field(default_factory=list)
    ros: bool = False  # its y points to the left, as in the frame "ros"

    @property
    def time(self) -> Array:
        return self.columns["time"]

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise UsageError(f"{self.path}: there is no column {name!r}; there are: {listed(self.columns)}")
        return self.columns[name]

    def __repr__(self) -> str:
        return "\n".join([f"{self.path}: {len(self.time)} rows, {self.time[-1]:.6g} s, columns {', '.join(self.columns)}", *(f"  {line}" for line in self.about)])

    def write_csv(self, path: Path) -> str:
        """Writes the table as a CSV file, which omniroll reads to the same bits, and gives its path. One of that name is replaced once the
        new one is complete. Raises FileError."""
        where = os.fspath(path)
        heads = [f"{name} [{self.units[name]}]" if self.units.get(name) else name for name in self.columns]
        with writing(where) as file:
            file.writelines(f"# {line}\n".replace("\r", " ") for line in " \n".join([f"From {os.path.basename(self.path)}.", *self.about]).split("\n"))
            file.write(",".join(heads) + "\n")
            file.writelines(",".join(map(repr, row)) + "\n" for row in np.column_stack(list(self.columns.values())).tolist())
        return where


def _table(path: str) -> Any:
    """The functions that list and read the columns of a file of this name; None for a bag."""
    return TABLES.get(os.path.splitext(path)[1].lower())


def contents(path: Path) -> dict[str, Topic]:
    """The contents of a bag, Parquet or CSV file: of each topic (column) its type, the number of its messages (rows) and the fields that
    read takes by name. Raises FileError, and UsageError where the library is not installed."""
    name = os.fspath(path)
    return (_table(name) or (bag_contents,))[0](name)


def read(path: Path, topics: Topics | None = None, *, columns: Columns = None, time: str = "time", units: Mapping[str, str] | None = None,
         stamps: str = "header", onto: str | None = None, start: float | None = None, end: float | None = None) -> Log:
    """A log as a table.

    path     a folder of rosbag2, a .mcap, .db3 or .bag (ROS 1) file; or a .parquet or .csv file
    topics   of a bag: names of topics, or {topic: fields}, fields being names or {column: field}. Fields are x, y and yaw of poses and
             transforms, vx, vy and yaw_rate of odometry and velocities, JOINT.position, JOINT.velocity and JOINT.effort of joint states,
             and of any message the path of a number, such as "wheels[2].speed". Topics without fields give all that have names. Of
             transforms name the frame after a colon: "/tf:base_link"
    columns  of a Parquet or CSV file: names, or {column: name in the file}; default: all that are numbers
    time     its column of the time: stamps, or numbers in s
    units    units of its columns, such as {"w1": "turn/min"}, and of "time" where it has whole numbers; in CSV "w1 [rpm]" says it
    stamps   of a bag: "header", the times of headers where messages have them, or "received", the times at which they were recorded
    onto     whose times the rows have: a topic (a column); default: the one with the most rows
    start, end  s from the beginning of the log on, as it was recorded; default: all of it

    >>> omniroll.logs.read("drive_1", ["/odom"]).write_csv("drive_1.csv")

    Raises FileError for a file that cannot be read, and for a missing name UsageError, which lists the names that there are."""
    name = os.fspath(path)
    table = _table(name)
    if table and (topics is not None or stamps != "header"):
        raise UsageError(f"{name}: a table has columns and no topics or stamps; name them by columns")
    if not table and (columns is not None or units is not None or time != "time"):
        raise UsageError(f"{name}: columns, units and time are of tables, whose names end in {' or '.join(TABLES)}; a bag has topics")
    if topics is None and not table:
        raise UsageError(f"{name}: say which topics to read; there are: {listed(bag_contents(name))}")
    found = table[1](name, columns, time, units, start, end) if table else bag_series(name, topics or [], stamps, start, end)
    together = joined(found, name, onto)
    return Log(name, together.columns, together.units, together.start / SECOND, together.about, table is None)


# ---- the study


def _files(logs: Sequence[Log], folder: str) -> list[str]:
    """A CSV file for each log, named as it is."""
    stems = [os.path.splitext(os.path.basename(os.path.normpath(log.path)))[0] for log in logs]
    names = [stem if stems.count(stem) == 1 else f"{stem}_{k}" for k, stem in enumerate(stems, 1)]
    return [log.write_csv(os.path.join(folder, f"{name}.csv")) for log, name in zip(logs, names)]


def _measured(sample: str, given: Any, logs: Sequence[Log]) -> dict[str, Any]:
    of_wheel = re.fullmatch(r"wheels\[(\d+)\]\.(\w+)", sample)
    named: dict[str, Any] = {"sample": of_wheel[2], "wheel": int(of_wheel[1])} if of_wheel else {"sample": sample}
    entry: dict[str, Any] = {**named, "column": sample, **(dict(given) if isinstance(given, Mapping) else {"noise": given})}
    for log in logs:
        log[entry["column"]["column"] if isinstance(entry["column"], Mapping) else entry["column"]]  # refuses a missing column
    return entry


def _drive(column: str, log: Log) -> dict[str, Any]:
    log[column]
    unit = log.units.get(column) or "rad/s"
    if unit not in PER_RATE:
        return {"type": "replay_rate", "replay": {"interpolation": "cubic", "columns": {"rate": column}}}
    return {"type": "replay_rate", "replay": {"interpolation": "cubic", "columns": {PER_RATE[unit]: column}}}


def to_study(study: Path | Mapping[str, Any], logs: Sequence[Log] | Log, *, measured: Mapping[str, Any], rates: Sequence[str] = (),
             vary: Sequence[Mapping[str, Any]] | None = None, predict: int | None = None, folder: Path = "", **data: Any) -> dict[str, Any]:
    """A study that omniroll calibrate takes: a robot held against logs, each of which is written as a CSV file. A dict.

    study     the robot: a study file, or a dict
    logs      one for each run, with the same columns
    measured  the compared samples: {sample: noise} as {"x": "3 mm"}, of the column of that name; or {sample: members} of "measured" in the
              section "data", as {"yaw": {"column": "heading", "noise": "1 deg", "correlation_time": "2 s"}}; of a wheel as
              {"wheels[0].wheel_rate": {"column": "w1", "noise": "1 rpm"}}
    rates     columns of the wheel rates (or angles, in rad), in the order of the wheels, which then follow them; without them the study's
              drives act
    vary      the unknown parameters, as in a study: [{"path": "wheel.friction", "uniform": [0.3, 0.8]}]; default: the study's
    predict   how many logs, the last ones, are predicted and not fitted to; default: one where there are several
    folder    where the CSV files go, default the current one; in the study they are named with it
    data      other members of the section "data", such as interval="50 ms"

    Raises UsageError, FileError."""
    made: dict[str, Any] = dict(study) if isinstance(study, Mapping) else load(study)
    logs = [logs] if isinstance(logs, Log) else list(logs)
    kept = min(1, len(logs) - 1) if predict is None else predict
    if not logs or not 0 <= kept < len(logs):
        raise UsageError(f"predict={predict} of {len(logs)} logs leaves none to fit to")
    if any(log.ros for log in logs) and made.get("frame") != "ros":
        raise UsageError("bags of ROS have y to the left and yaw counterclockwise: write \"frame\": \"ros\" in the study, and its wheels in that frame")
    parts = [_measured(sample, given, logs) for sample, given in measured.items()]
    if rates:
        parameters = dict(made.get("parameters", {}))
        wheels = list(parameters.get("wheels", []))
        wheels += [{}] * (len(rates) - len(wheels))
        parameters["wheels"] = [{**wheel, "drive": _drive(column, logs[0])} for wheel, column in zip(wheels, rates)] + wheels[len(rates):]
        made["parameters"] = parameters
    fitted: dict[str, str] = {}
    uses = [fitted] * (len(logs) - kept) + [{"use": "predict"}] * kept
    made["data"] = {"runs": [{"file": file, **use} for file, use in zip(_files(logs, os.fspath(folder)), uses)], "measured": parts, **data}
    made["integrator"] = {key: value for key, value in made.get("integrator", {}).items() if key != "duration"}
    if vary is not None:
        made["vary"] = [dict(entry) for entry in vary]
    made.setdefault("design", {"type": "monte_carlo", "instances": 100, "seed": 1})
    return made
