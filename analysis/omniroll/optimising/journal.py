"""The file of a search: one line of JSON for each call of the problem, written before its answer is used. A search that begins again is given
the answers that stand there, and so comes to the same place with the same bits."""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import time
from typing import IO, Any

import numpy as np

from ..errors import FileError, UsageError
from .evaluator import ARRAYS, Array, Differences, Evaluation, Evaluator, Points

KIND = "omniroll search"


def plain(value: Any) -> Any:
    """Numbers for JSON: None is NaN, "inf" and "-inf" are infinite."""
    if isinstance(value, np.ndarray):
        return value.tolist() if np.isfinite(value).all() else plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value.item() if isinstance(value, np.generic) else value


def _array(value: Any) -> Array:
    return np.array(value, dtype=object).astype(float)


def differences(before: dict[str, Any], now: dict[str, Any], where: str = "") -> list[str]:
    """The differences of two headers, in words."""
    found = []
    for name in sorted(set(before) | set(now)):
        a, b = before.get(name), now.get(name)
        if a == b:
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            found += differences(a, b, f"{where}{name}.")
        else:
            found.append(f"{where}{name} was {json.dumps(a)} and is {json.dumps(b)}")
    return found


class Caller:
    """Calls the problem. With a path it writes the answers, and reads those that the file has."""

    def __init__(self, problem: Evaluator, path: "str | os.PathLike[str] | None", settings: dict[str, Any]) -> None:
        self.problem, self.path = problem, path
        self.fine: Evaluator | None = None  # made for the first finalists
        self.spent, self.elapsed, self.integrating = 0.0, 0.0, 0.0  # instances; s
        self.replayed = 0
        self.records: list[tuple[int, dict[str, Any]]] = []
        self.file: IO[bytes] | None = None
        header = json.loads(json.dumps({"kind": KIND, "problem": plain(problem.identity()), "settings": plain(settings)}, allow_nan=False))
        self.of = hashlib.sha256(json.dumps(header, sort_keys=True).encode()).hexdigest()[:16]
        if path is not None:
            self._open(path, header)
        self.begun = time.monotonic()

    @property
    def replaying(self) -> bool:
        """Whether the next answer stands in the file."""
        return self.replayed < len(self.records)

    def _open(self, path: "str | os.PathLike[str]", header: dict[str, Any]) -> None:
        try:
            self.file = open(path, "a+b")
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.file.seek(0)
            content = self.file.read()
        except BlockingIOError:
            raise FileError(f"{path}: another search writes this journal") from None
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        lines, at = [], 0
        for line in content.splitlines(keepends=True):
            try:
                lines.append((at, json.loads(line) if line.endswith(b"\n") else None))
            except ValueError:
                lines.append((at, None))
            at += len(line)
        begin = b'{"kind": "' + KIND.encode() + b'"'
        if not content.startswith(begin[:len(content)]) or any(record is None for _, record in lines[:-1]):
            raise FileError(f"{path}: is no journal of a search, or is damaged; name a new file")
        if lines and lines[-1][1] is None:
            self.file.truncate(lines.pop()[0])  # torn by a kill
        if not lines:
            self._write(header)
            return
        if lines[0][1] != header:
            changes = "; ".join(differences(lines[0][1], header))
            raise UsageError(f"{path}: is the journal of another search: {changes}. Name a new file, or search as before")
        if any(record.get("of") != self.of for _, record in lines[1:]):
            raise FileError(f"{path}: has lines of another search, and is damaged; name a new file")
        self.records = lines[1:]

    def _write(self, record: dict[str, Any]) -> None:
        if self.file is None:
            return
        try:
            self.file.write(json.dumps(record, allow_nan=False).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise FileError(f"{self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Ends the file, which stays."""
        if self.file is not None:
            self.file.close()

    def _call(self, phase: str, asked: dict[str, Any], instances: float, call: Any) -> dict[str, Any]:
        """An answer as plain values, from the file or from the problem."""
        asked = plain({"phase": phase, **asked})
        if self.replaying and self.records[self.replayed][1].get("asked", {}).get("phase") != phase == "search":
            self._cut()  # a larger budget: the search goes on where its finalists were
        if self.replaying:
            record = self.records[self.replayed][1]
            if record.get("asked") != asked:
                raise UsageError(f"{self.path}: line {self.replayed + 2} has other candidates than this search asks for: the budget is smaller than "
                                 "before, or numpy, scipy or the processor is another. Name a new file, or a budget at least as large")
            self.replayed += 1
        else:
            told = call()
            record = {"of": self.of, "asked": asked, "told": plain(told), "elapsed": self.elapsed + time.monotonic() - self.begun}
            self.begun = time.monotonic()
            self._write(record)
        self.elapsed = record["elapsed"]
        if not self.replaying:
            self.begun = time.monotonic()
        self.spent += instances
        told = record["told"]
        self.integrating += told.get("integrating", 0.0)
        return dict(told)

    def _cut(self) -> None:
        assert self.file is not None
        self.file.truncate(self.records[self.replayed][0])
        del self.records[self.replayed:]
        self.begun = time.monotonic()

    def _of(self, phase: str) -> Evaluator:
        """The problem, with shorter steps for finalists."""
        if phase == "search":
            return self.problem
        self.fine = self.fine or self.problem.finer()
        return self.fine

    def evaluate(self, phase: str, X: Array, draws: int, seed: int) -> Evaluation:
        """Problem.evaluate."""
        def call() -> dict[str, Any]:
            found = self._of(phase).evaluate(X, draws=draws, seed=seed)
            return {**{name: getattr(found, name) for name in ARRAYS}, "status": list(found.status), "integrating": found.integrating, "seconds": found.seconds}

        told = self._call(phase, {"call": "evaluate", "X": X, "draws": draws, "seed": seed}, len(X) * draws, call)
        known = {name: _array(told[name]).reshape(len(X), *np.shape(told[name])[1:]) for name in ARRAYS}
        return self.problem.evaluation(**known, status=told["status"], integrating=told["integrating"], seconds=told["seconds"])

    def compare(self, phase: str, X: Array, reference: Points, draws: int, seed: int) -> Differences:
        """Problem.compare."""
        def call() -> dict[str, Any]:
            found = self._of(phase).compare(X, reference, draws=draws, seed=seed)
            return {"difference": found.difference, "low": found.low, "high": found.high, "integrating": found.integrating}

        told = self._call(phase, {"call": "compare", "X": X, "reference": reference, "draws": draws, "seed": seed}, (len(X) + 1) * draws, call)
        return Differences(_array(told["difference"]), _array(told["low"]), _array(told["high"]), float(told.get("integrating", 0.0)))
