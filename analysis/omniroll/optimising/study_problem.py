"""The problem that a study poses: its candidates are vehicles, evaluated by the library in memory."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from typing import Any, Mapping, Sequence

import numpy as np

from ..errors import Stopped, UsageError
from ..library import EvaluateOptions, FileOptions, RunOptions, call, json_of, library, texts
from ..running.one_at_a_time import alone, catching_interrupts
from ..running.progress import Nothing
from ..running.study_input import NAME, Source, assignments, path_bytes, plain
from ..running.watched import Watch
from .evaluator import Array, Differences, Evaluation, Goal, Limit, Points, Variable
from .problem import OF_STUDIES, Problem


class StudyProblem(Problem):
    """Made by omniroll.Problem(study)."""

    def __init__(self, study: Source, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> None:  # noqa: A002
        self._given = study, assignments(set, overrides)
        self.measured = False  # whether evaluations measure the step error by default
        self.handle = ctypes.c_void_p()
        self._end = weakref.finalize(self, library().omr_evaluator_destroy, self.handle)
        if isinstance(study, Mapping):
            name, text = NAME.encode(), json.dumps(plain(study)).encode()
        elif isinstance(study, (str, os.PathLike)):
            name, text = path_bytes(study), None
        else:
            raise TypeError(f"a problem is made of a dict or the path of a JSON file, not {type(study).__name__}")
        changes = self._given[1]
        call("omr_evaluator_create", name, text, texts(changes), len(changes), ctypes.byref(self.handle))
        self.about: dict[str, Any] = json_of("omr_evaluator_about_json", self.handle)
        for kind, example in (("variables", '"design": {"variables": [{"path": "wheel.rollers", "integer": [6, 12]}]}'),
                              ("objectives", '"objectives": {"shaking": {"minimize": "mean(vibration_rms)"}}')):
            if not self.about[kind]:
                raise UsageError(f"the study has no {kind}: give it {example}")
        super().__init__([_variable(each) for each in self.about["variables"]],
                         [Goal(one["name"], _unit(one["unit"]), one["maximize"]) for one in self.about["objectives"]],
                         [*(Limit(one["name"], _unit(one["unit"]), one["limit"], one["above"]) for one in self.about["constraints"]),
                          Limit("failed", "", self.about["failed_limit"])],
                         self.about["per_candidate"])

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, self._given

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.variables)
        return f"<omniroll.Problem {self.about['title'] or 'without a title'!r}: {names}; {', '.join(goal.name for goal in self.goals)}>"

    def identity(self) -> dict[str, Any]:
        """With the study and its changes."""
        source, changes = self._given
        text = plain(source) if isinstance(source, Mapping) else json_of("omr_json_read", path_bytes(source))
        return {**super().identity(), "study": text, "changes": changes}

    def finer(self) -> StudyProblem:
        """The same problem with half the step, or a tenth of the tolerance, and its error measured."""
        tolerance, step = self.about["tolerance"], self.about["step"]
        change = f"integrator.tolerance={tolerance / 10!r}" if tolerance else f"integrator.step={step / 2!r}"
        fine = _again(self._given[0], [*self._given[1], change])
        fine.measured = True
        return fine

    def evaluate(self, X: Points, draws: int | None = None, seed: int | None = None, step_error: bool | None = None) -> Evaluation:
        """Statistics of each candidate over so many draws, by omr_evaluator_run. The same seed and candidate give the same bits. With step_error
        some vehicles run again with shorter steps."""
        handle = self._run(self.points(X), draws, seed, 0, self.measured if step_error is None else step_error)
        try:
            return self._read(handle, len(X))
        finally:
            library().omr_evaluation_destroy(handle)

    def compare(self, X: Points, reference: Points, draws: int | None = None, seed: int | None = None) -> Differences:
        """Each candidate less the reference, one row, draw by draw."""
        points = self.points([*self.points(X), reference])
        handle = self._run(points, draws, seed, len(points), False)
        try:
            table = {name: self._numbers(handle, name, len(points), len(self.goals))[:-1] for name in ("difference", "difference_low", "difference_high")}
            integrating = ctypes.c_double()
            library().omr_evaluation_seconds(handle, ctypes.byref(integrating))
        finally:
            library().omr_evaluation_destroy(handle)
        return Differences(table["difference"], table["difference_low"], table["difference_high"], integrating.value)

    def _run(self, points: Array, draws: int | None, seed: int | None, reference: int, step_error: bool) -> Any:
        for name, given, most in (("draws", draws, 2**32), ("seed", seed, 2**64 - 1)):
            if given is not None and not (given == int(given) and 0 <= given <= most):
                raise UsageError(f"{name}: a whole number from 0 to {most} is meant, not {given!r}")
        settings = [] if seed is None else [f"design.seed=\"{int(seed)}\""]
        watch = Watch(Nothing())
        values, handle = np.ascontiguousarray(points, dtype=float), ctypes.c_void_p()
        options = EvaluateOptions(size=ctypes.sizeof(EvaluateOptions), values=values.ctypes.data, count=len(values),
                                  per_candidate=int(draws or 0) if self.about["drawn"] else 0, settings=texts(settings),
                                  setting_count=len(settings), reference=reference)
        options.run.size = ctypes.sizeof(FileOptions)
        options.run.run = RunOptions(size=ctypes.sizeof(RunOptions), progress=watch.callback, no_step_error=not step_error)
        with alone(), catching_interrupts(watch.interrupt):
            try:
                call("omr_evaluator_run", self.handle, ctypes.byref(options), ctypes.byref(handle))
            except Stopped:
                if watch.interrupted:
                    raise KeyboardInterrupt from None
                raise
        return handle

    def _numbers(self, handle: Any, name: str, count: int, columns: int) -> Array:
        out = np.empty((count, columns))
        if not library().omr_evaluation_numbers(handle, name.encode(), out.ctypes.data):
            raise UsageError(f"an evaluation has no {name}")
        return out

    def _read(self, handle: Any, count: int) -> Evaluation:
        goals, limits = len(self.goals), len(self.limits)
        known: dict[str, Any] = {name: self._numbers(handle, name, count, 1)[:, 0] for name in ("holds", "failed", "draws")}
        known.update({name: self._numbers(handle, name, count, goals) for name in ("low", "high", "step")})
        known["margins"] = np.column_stack([self._numbers(handle, "margins", count, limits - 1), self.limits[-1].limit - known["failed"]])
        values = self._numbers(handle, "values", count, goals)
        status = [library().omr_evaluation_status(handle, i).decode() for i in range(count)]
        integrating = ctypes.c_double()
        seconds = library().omr_evaluation_seconds(handle, ctypes.byref(integrating))
        return self.evaluation(values, status=status, integrating=integrating.value, seconds=seconds, **known)


def _variable(about: Mapping[str, Any]) -> Variable:
    return Variable(about["path"], _unit(about["unit"]), about["low"], about["high"], about["whole"], tuple(about.get("words", ())))


def _unit(unit: str) -> str:
    return "" if unit == "1" else unit


def _again(source: Source, changes: Sequence[str]) -> StudyProblem:
    return StudyProblem(source, set={one.split("=", 1)[0]: json.loads(one.split("=", 1)[1]) for one in changes})


OF_STUDIES.append(StudyProblem)
