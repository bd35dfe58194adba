"""The command that runs a single instance of a result again, and traces it."""

from __future__ import annotations

import json
import os
import shlex
from typing import Any

from .data import Data
from .wording import path_of, told_path, value_word

SAMPLES = 1000  # times of the trajectory


def command_of(data: Data, instance: int) -> str | None:
    """For a shell, with study.json as the study kept in the file; None where the file has no study. The study of a table does not name the
    parameters of its columns: all rows run again, and only the instance is traced."""
    if not data.study:
        return None
    stem = os.path.splitext(os.path.basename(data.path))[0]
    words = ["omniroll", "run", "study.json", *(f"--set {shlex.quote(each)}" for each in _settings(data, instance))]
    name = shlex.quote(f"{stem}_{instance}.h5")
    return " \\\n  ".join([" ".join(words[:3]), *words[3:], f"-o {name}"]) + f"\nomniroll report {name}"


def alone(data: Data) -> bool:
    """Whether the command runs only the instance."""
    return all(told_path(column, data.result) for column in data.result.parameters)


def _settings(data: Data, instance: int) -> list[str]:
    """A list of one row in place of the design; the statistics might need the design."""
    result = data.result
    paths, row = [], []
    for column, values in result.parameters.items():
        value = float(values[result.row_of(instance)])
        paths.append(path_of(column, result))
        row.append(value_word(column, value, result) or _exact(value))
    traced = {"instances": [0 if alone(data) else instance], "interval": _interval(data)}
    settings: list[tuple[str, Any]] = [("output.trajectories", traced)]
    if alone(data) and result.status[result.row_of(instance)]:
        settings.insert(0, ("statistics", {"failed_limit": 1}))  # it fails again, as intended
    elif alone(data) and data.study.get("statistics"):
        settings.insert(0, ("statistics", {}))
    if alone(data) and paths:
        settings[:0] = [("vary", []), ("design", {"type": "list", "paths": paths, "rows": [row]})]
    return [f"{path}={json.dumps(value, separators=(',', ':'))}" for path, value in settings]


def _exact(value: float) -> float | int:
    return int(value) if value == int(value) and abs(value) < 2 ** 53 else value


def _interval(data: Data) -> float:
    """Near a thousandth of the simulated time; of fixed steps a whole number."""
    duration = float(data.result.attrs["duration"])
    if "tolerance" in data.result.attrs:
        return float(f"{duration / SAMPLES:.12g}")
    step = float(data.result.attrs["step"])
    steps = max(1, round(duration / step / SAMPLES))
    while round(duration / step) % steps:
        steps -= 1
    return float(f"{steps * step:.12g}")
