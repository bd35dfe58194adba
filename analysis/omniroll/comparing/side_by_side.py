"""Several results side by side: each robot's observables and shares of criteria, and how far each robot differs from the first."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from functools import cached_property
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

import numpy as np

from .. import bench, calibration, compare_file, lists
from ..errors import UsageError
from ..figures import probability
from ..reading import asked, designs, summed
from ..reading.in_memory import Memory
from ..reading.result import Array, Result, Source, open_result, path_of
from . import criteria, paired_differences
from .design_cells import cells_of
from .paired_differences import Difference, Moments, NOTHING

if TYPE_CHECKING:
    import xarray

FIRST = 6  # observables that are shown of results that ask for none
MOST_LISTED = 600  # characters of a list of names in a message
SAMPLES = (*lists.designs("sample", "cells"), "posterior")  # designs whose instances are draws
WEIGHED = lists.designs("groups", "adaptive")  # designs whose instances are no plain sample


@dataclass(frozen=True)
class Robot:
    """A result with its name."""

    name: str
    result: Result

    @property
    def sampled(self) -> bool:
        return designs.kind(self.result) in SAMPLES and self.result.total > 1

    @cached_property
    def rows(self) -> list[Array]:
        """Instances of each design of a nested result; of any other result all of them."""
        return cells_of(self.result).rows if designs.compared_variables(self.result) else [np.arange(self.result.instances)]

    @cached_property
    def designs(self) -> Array:
        """Values of the grid's parameters [design, parameter]; one row without columns where there is no grid."""
        if self.result.summed:
            cells = list(summed.cell_values(self.result).values())
            return np.stack(cells, axis=1) if cells else np.empty((1, 0))
        names, first = designs.compared_variables(self.result), [rows[0] for rows in self.rows]
        return np.stack([self.result.parameters[name][first] for name in names], axis=1) if names else np.empty((1, 0))

    def values(self, name: str) -> Array:
        """Of an observable, NaN where an instance failed."""
        return np.where(self.result.ok, self.result.observables[name], np.nan)

    def moments(self, name: str, design: int) -> Moments:
        """Of an observable's values in a design: from the rows, or where not all are kept from the statistics."""
        if not self.result.summed:
            values = self.values(name)[self.rows[design]]
            return Moments.of(values[np.isfinite(values)])
        cells = len(self.designs) > 1
        found = summed.of_cell(self.result, name, design) if cells else summed.of(self.result, name)
        return Moments(found.used, found.mean, found.deviation**2) if found else Moments(0, math.nan, math.nan)

    def counts(self, criterion: str, design: int) -> tuple[int, int]:
        """How many instances of a design meet a criterion, of how many, from the statistics."""
        statistics, cells = self.result.statistics, len(self.designs) > 1
        at = summed.place_of(statistics, "criterion", criterion)
        if at is None or cells and "cell_met" not in statistics:
            return 0, 0
        met, missed = (int(statistics[f"cell_{name}"][design, at] if cells else statistics[name][at]) for name in ("met", "not_met"))
        return met, met + missed

    def unit(self, name: str) -> str:
        return self.result.units.get(name, "1")


@dataclass(frozen=True)
class Entry:
    """A robot's number with its interval and its difference from the first robot."""

    estimate: Difference
    difference: Difference = NOTHING  # with its interval by chance
    step: tuple[float, float] = (math.nan, math.nan)  # step error of the difference; NaN where it was not measured
    paired: bool = False
    met: int = 0  # instances that meet a criterion

    @property
    def apart(self) -> bool:
        """Whether the robot differs from the first by more than chance and the step allow."""
        low, high = self.step if math.isfinite(self.step[0]) else (0.0, 0.0)
        found = self.difference
        return found.low - max(0.0, high) > 0 or found.high - min(0.0, low) < 0


@dataclass(frozen=True)
class SideBySide:
    """Robots, the first of which the others are compared with."""

    robots: list[Robot]
    observables: list[str]
    criteria: list[str]
    notes: list[str] = field(default_factory=list)  # plain text: differences between the results besides the numbers

    @property
    def confidence(self) -> float:
        return probability.method(self.robots[0].result)[1]

    @property
    def designs(self) -> int:
        return len(self.robots[0].designs)

    @property
    def variables(self) -> list[str]:
        return list(designs.compared_variables(self.robots[0].result))

    @cached_property
    def unpaired(self) -> dict[str, str]:
        """Why the robots of these names are compared as samples of their own."""
        found = {robot.name: unlike(self.robots[0], robot) for robot in self.robots[1:]}
        return {name: why for name, why in found.items() if why}

    def entry(self, robot: Robot, name: str, design: int = 0) -> Entry:
        """Of an observable."""
        first = self.robots[0]
        if self.summed:
            return self._entry_of_moments(robot, name, design)
        ours, theirs = (each.values(name)[each.rows[design]] for each in (robot, first))
        estimate = self._mean(robot, ours)
        if robot is first:
            return Entry(estimate)
        paired = robot.name not in self.unpaired
        found = (paired_differences.paired if paired else paired_differences.unpaired)(ours, theirs, self.confidence)
        found = paired_differences.rounded(found, estimate.value, self._mean(first, theirs).value)
        return Entry(estimate, self._of_sample(robot, found), _step(robot.result, first.result, name), paired)

    @cached_property
    def summed(self) -> bool:
        """Whether a result does not keep all rows, so that nothing can be paired."""
        return any(robot.result.summed for robot in self.robots)

    def _entry_of_moments(self, robot: Robot, name: str, design: int) -> Entry:
        first = self.robots[0]
        ours, theirs = robot.moments(name, design), first.moments(name, design)
        estimate = self._of_sample(robot, paired_differences.mean_of(ours, self.confidence))
        if robot is first:
            return Entry(estimate)
        found = paired_differences.rounded(paired_differences.apart(ours, theirs, self.confidence), ours.mean, theirs.mean)
        return Entry(estimate, self._of_sample(robot, found), _step(robot.result, first.result, name))

    def _share_of_counts(self, robot: Robot, name: str, design: int) -> Entry:
        first = self.robots[0]
        met, count = robot.counts(name, design)
        estimate = self._share(robot, met, count)
        if robot is first:
            return Entry(estimate, met=met)
        found = paired_differences.shares_apart((met, count), first.counts(name, design), self.confidence)
        return Entry(estimate, self._of_sample(robot, found), met=met)

    def share(self, robot: Robot, name: str, design: int = 0) -> Entry:
        """Of a criterion: the part of the instances that meets it."""
        first = self.robots[0]
        if self.summed:
            return self._share_of_counts(robot, name, design)
        (ours, told), (theirs, _) = (_truth(each, name, design) for each in (robot, first))
        known = ours[np.isfinite(ours)]
        met = int(known.sum())
        estimate = self._share(robot, met, len(known))
        if robot is first:
            return Entry(estimate, met=met)
        paired = told and robot.name not in self.unpaired
        found = (paired_differences.paired_shares if paired else paired_differences.unpaired_shares)(ours, theirs, self.confidence)
        return Entry(estimate, self._of_sample(robot, found), paired=paired, met=met)

    def _share(self, robot: Robot, met: int, count: int) -> Difference:
        low, high, _ = probability.interval(probability.method(robot.result)[0], met, count, self.confidence)
        return self._of_sample(robot, Difference(met / count, low, high, count)) if count else NOTHING

    def _mean(self, robot: Robot, values: Array) -> Difference:
        return self._of_sample(robot, paired_differences.mean(values, self.confidence))

    def _of_sample(self, robot: Robot, found: Difference) -> Difference:
        """Without an interval where nothing is drawn."""
        if robot.sampled and self.robots[0].sampled:
            return found
        return Difference(found.value, math.nan, math.nan, found.count)


def _truth(robot: Robot, criterion: str, design: int) -> tuple[Array, bool]:
    """1 for each instance that meets a criterion and 0 for each that does not, and whether they stand in the order of the draws: without the
    library only the counts are known."""
    found = criteria.truth(robot.result, criterion)
    if found is not None:
        return found[robot.rows[design]], True
    met, count = robot.counts(criterion, design)
    return np.repeat([1.0, 0.0], [met, count - met]), False


def _step(one: Result, other: Result, name: str) -> tuple[float, float]:
    """Range that the step adds to the difference of two means; NaN where a file does not say."""
    (low, high), (other_low, other_high) = (_step_of(each, name) for each in (one, other))
    return low - other_high, high - other_low


def _step_of(result: Result, name: str) -> tuple[float, float]:
    table = result.statistics.get("step_error", {})
    at = summed.place_of(table, "quantity", name) if isinstance(table, dict) else None
    if at is None or not table["used"][at]:
        return math.nan, math.nan
    return float(table["error_low"][at]), float(table["error_high"][at])


# --- pairs ------------------------------------------------------------------------------------------------------------------


def unlike(one: Robot, other: Robot) -> str:
    """Why the k-th instances of two results did not meet the same draw, in plain words; "" where they did: the same seed and design, and
    every parameter that varies has the same values row by row."""
    a, b = one.result, other.result
    unkept = [robot.name for robot in (one, other) if robot.result.summed]
    if unkept:
        return f"not all rows of {unkept[0]} are kept (output.rows)"
    if one.sampled and a.attrs.get("seed") != b.attrs.get("seed"):
        return "the seeds differ"
    if _design(a) != _design(b) or a.instances != b.instances:
        return "the designs differ"
    numbers = [np.arange(each.instances) if each.numbers is None else each.numbers for each in (a, b)]
    if not np.array_equal(numbers[0], numbers[1]):
        return "the files hold other instances"
    for left, right in ((one, other), (other, one)):
        alone = [name for name in left.result.varied if name not in right.result.varied]
        if alone:
            return f"{alone[0]} varies in {left.name} only"
    differing = [name for name in a.varied if not np.array_equal(a.parameters[name], b.parameters[name], equal_nan=True)]
    return f"the values of {differing[0]} differ" if differing else ""


def _design(result: Result) -> Any:
    return designs.study_of(result).get("design", {})


# --- which results, observables and criteria ----------------------------------------------------------------------------------


def compared(sources: Sequence[Source], names: Iterable[str] | None = None, observables: Iterable[str] | None = None) -> SideBySide:
    """Reads the results. Raises NotAResult, and UsageError for results that cannot be set side by side."""
    paths = [path_of(source) for source in sources]
    _check_files(paths)
    results = [open_result(path) for path in paths]
    robots = [Robot(name, result) for name, result in zip(_names(paths, _variants(results) if names is None else names), results)]
    _check_designs(robots)
    shown, left = _observables(robots, None if observables is None else list(observables))
    judged = [name for name in designs.criteria(results[0]) if all(name in designs.criteria(result) for result in results)]
    if not shown and not judged:
        raise UsageError(_nothing_common(robots))
    return SideBySide(robots, shown, judged, [*left, *_notes(robots, judged)])


def _check_files(paths: Sequence[str]) -> None:
    if len(paths) < 2:
        raise UsageError("one result has nothing beside it: name two results or more, such as omniroll report a.h5 b.h5")
    for at, path in enumerate(paths):
        if any(_same(path, other) for other in paths[:at]):
            raise UsageError(f"{path}: is named twice; name each result once, the one that others are compared with first")
    for path in paths:
        if isinstance(path, Memory) or not os.path.isfile(path):
            continue
        kinds = {"bench": bench.is_bench, "calibrate": calibration.is_calibration, "compare": compare_file.is_pair}
        for kind, is_one in kinds.items():
            if is_one(path):
                raise UsageError(f"{path}: is a file of omniroll {kind}; results of omniroll run can stand side by side, and omniroll report "
                                 f"{path} shows this file")


def _same(one: str, other: str) -> bool:
    if isinstance(one, Memory) or isinstance(other, Memory):
        return one is other
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)


def _names(paths: Sequence[str], names: Iterable[str] | None) -> list[str]:
    """The files' names, with their folders where files of different folders share a name."""
    if names is not None:
        given = [str(name) for name in names]
        if len(given) != len(paths) or len(set(given)) != len(given):
            raise UsageError(f"names={given}: {len(paths)} results need {len(paths)} names that differ")
        return given
    stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    if len(set(stems)) < len(stems):
        stems = [os.path.splitext(path)[0] for path in paths]
    return stems if len(set(stems)) == len(stems) else [f"{stem} ({at})" for at, stem in enumerate(stems, 1)]


def _variants(results: Sequence[Result]) -> list[str] | None:
    """The names of variants of a study, where all results are such and their names differ."""
    found = [str(designs.study_of(result).get("variant", "")) for result in results]
    return found if all(found) and len(set(found)) == len(found) else None


def _check_designs(robots: Sequence[Robot]) -> None:
    """Every result is a sample or a list, and nested ones have the same grid."""
    first = robots[0]
    for robot in robots:
        kind = designs.kind(robot.result)
        if kind in WEIGHED:
            raise UsageError(f"{robot.result.path}: the design {kind} does not draw instances that all count alike, so their mean says nothing of "
                             "the robot; run the study with \"design\": {\"type\": \"monte_carlo\"} and name that result")
        names = [designs.compared_variables(each.result) for each in (first, robot)]
        if names[0] != names[1] or not np.array_equal(first.designs, robot.designs):
            grid = ", ".join(dict.fromkeys([*names[0], *names[1]]))
            raise UsageError(f"{robot.result.path}: does not have the designs of {first.result.path}: give both studies the same values of {grid}, "
                             "or let neither vary it over a grid")


def _observables(robots: Sequence[Robot], chosen: list[str] | None) -> tuple[list[str], list[str]]:
    """Observables to show, and a sentence on the others: the caller's, else those that the studies or else their criteria name, else the
    first that all have."""
    results = [robot.result for robot in robots]
    both = [name for name in results[0].observables if all(name in result.observables for result in results)]
    common = [name for name in both if len({robot.unit(name) for robot in robots}) == 1]
    _check_chosen(robots, chosen or [], common)
    wanted = chosen or [each.name for result in results for each in asked.asked(result)] or \
        [name for result in results for name in criteria.observables(result)] or asked.named(results[0])
    wanted = list(dict.fromkeys(wanted))
    units = [name for name in both if name not in common and (name in wanted or not wanted)]
    notes = [f"{name} is left out, since its unit differs: " + ", ".join(f"{robot.unit(name)} in {robot.name}" for robot in robots) for name in units]
    for name in (name for name in wanted if name not in both):
        having = [robot.name for robot in robots if name in robot.result.observables]
        notes.append(f"{name} is left out, since only {' and '.join(having)} {'has' if len(having) == 1 else 'have'} it")
    return [name for name in wanted if name in common] or common[:FIRST], notes


def _check_chosen(robots: Sequence[Robot], chosen: Sequence[str], common: Sequence[str]) -> None:
    for name in chosen:
        if name not in common:
            lacking = [robot.name for robot in robots if name not in robot.result.observables]
            why = f"{', '.join(lacking)} does not have it" if lacking else "its unit differs between the results"
            raise UsageError(f"there is no observable {name} that all results have ({why}); they have: "
                             f"{shorten(', '.join(common) or 'none', MOST_LISTED)}")


def _nothing_common(robots: Sequence[Robot]) -> str:
    has = "; ".join(f"{robot.name}: {shorten(', '.join(robot.result.observables) or 'none', MOST_LISTED // len(robots))}" for robot in robots)
    return (f"the results have no observable and no criterion in common ({has}); name the same observables in \"output\": {{\"observables\": "
            "[...]}} of each study and run them again")


def _notes(robots: Sequence[Robot], judged: Sequence[str]) -> Iterator[str]:
    """Differences between the results: models, and criteria of one name."""
    results = [robot.result for robot in robots]
    models = [str(result.attrs.get("model", "?")) for result in results]
    if len(set(models)) > 1:
        yield "The models differ: " + ", ".join(f"{robot.name} is {model}" for robot, model in zip(robots, models))
    for name in judged:
        texts = [str(designs.criteria(result)[name]) for result in results]
        if len(set(texts)) > 1:
            yield f"The criterion {name} differs: " + "; ".join(f"{text} in {robot.name}" for robot, text in zip(robots, texts))
        if len({designs.is_good(result, name) for result in results}) > 1:
            yield f"The criterion {name} is good in one study and a failure in another"
    alone = {name: robot.name for robot in robots for name in designs.criteria(robot.result) if name not in judged}
    if alone:
        yield "Not all results have the criteria " + ", ".join(f"{name} ({robot})" for name, robot in alone.items())
    durations = [float(result.attrs.get("duration", math.nan)) for result in results]
    if len(set(durations)) > 1:
        yield "The simulated times differ: " + ", ".join(f"{robot.name} {time:g} s" for robot, time in zip(robots, durations))


# --- as a Dataset -------------------------------------------------------------------------------------------------------------

PARTS = ("value", "low", "high", "difference", "difference_low", "difference_high", "difference_step_low", "difference_step_high")


def dataset_of(found: SideBySide) -> "xarray.Dataset":
    """Over robot and observable, and robot and criterion; of nested results over design as well."""
    import xarray

    variables: dict[str, Any] = {}
    for names, dimension, prefix, made in ((found.observables, "observable", "", found.entry), (found.criteria, "criterion", "share_", found.share)):
        if not names:
            continue
        entries = [[[made(robot, name, design) for name in names] for robot in found.robots] for design in range(found.designs)]
        dims = ("design", "robot", dimension)
        for at, part in enumerate(PARTS if not prefix else PARTS[:6]):
            variables[(prefix + part).removesuffix("_value")] = (dims, np.array([[[_parts(each)[at] for each in row] for row in table] for table in entries]))
        variables[f"{prefix}paired"] = (dims, np.array([[[each.paired for each in row] for row in table] for table in entries]))
        variables[f"{prefix}count"] = (dims, np.array([[[each.estimate.count for each in row] for row in table] for table in entries]))
    robots = [robot.name for robot in found.robots]
    coordinates: dict[str, Any] = {"robot": robots, "observable": found.observables, "criterion": found.criteria}
    coordinates = {name: values for name, values in coordinates.items() if values}
    if found.observables:
        coordinates["unit"] = ("observable", [found.robots[0].unit(name) for name in found.observables])
    for at, name in enumerate(found.variables):
        coordinates[name] = ("design", found.robots[0].designs[:, at])
    attrs = {"first": robots[0], "confidence": found.confidence, "notes": "\n".join(found.notes), "unpaired": json.dumps(found.unpaired)}
    whole = xarray.Dataset(variables, coordinates, attrs)
    return whole if found.variables else whole.isel(design=0)


def _parts(entry: Entry) -> tuple[float, ...]:
    value, change = entry.estimate, entry.difference
    return value.value, value.low, value.high, change.value, change.low, change.high, *entry.step
