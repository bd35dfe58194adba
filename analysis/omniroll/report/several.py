"""The page of several results: robots side by side."""

from __future__ import annotations

import math
import os
import shlex
from typing import Iterable, Iterator, Sequence

from ..comparing.side_by_side import Entry, Robot, SideBySide, compared
from ..figures.style import within
from ..reading import asked, designs
from ..reading.in_memory import Memory
from ..reading.result import Source
from . import thresholds, vehicle
from .data import Data
from .notices import warnings
from .page import Section, asset, command, details, facts, findings, page, paragraph, table, text
from .words import listed
from .wording import Scale, code, count, counted, number, scale_of, share, signed, stacked, value_of

TOLD = 3  # observables whose differences stand in sentences
OPEN = 8  # designs up to which the table is open
SMALL = 0.1  # of the interval by chance: below, the step's part is not worth a line
PERCENT = Scale(100, "%")


def html_of(sources: Sequence[Source], observables: Iterable[str] | None = None) -> str:
    """The page as text. Raises NotAResult and UsageError."""
    found = compared(sources, observables=observables)
    views = [Column(found, name, False) for name in found.observables] + [Column(found, name, True) for name in found.criteria]
    about = Section("About these results", facts((robot.name, _facts(robot)) for robot in found.robots))
    sections = [_answer(found, views), _vehicles(found), about, _again(found)]
    titles = {str(robot.result.attrs.get("title", "")) for robot in found.robots}
    names = listed(robot.name for robot in found.robots)
    title = titles.pop() if len(titles) == 1 else ""
    words = f"{counted(len(found.robots), 'result')} side by side; the others are compared with <strong>{text(found.robots[0].name)}</strong>."
    return page(title or f"{names}, side by side", paragraph(words), sections, "Made by omniroll")


class Column:
    """An observable or a criterion over robots and designs."""

    def __init__(self, found: SideBySide, name: str, criterion: bool) -> None:
        self.name, self.criterion = name, criterion
        made = found.share if criterion else found.entry
        self.entries = [[made(robot, name, design) for robot in found.robots] for design in range(found.designs)]
        values = [entry.estimate.value for row in self.entries for entry in row]
        self.scale = PERCENT if criterion else scale_of(found.robots[0].unit(name), values)
        self.sign, self.asked = self._side(found)
        self.texts = list(dict.fromkeys(str(designs.criteria(robot.result)[name]) for robot in found.robots)) if criterion else []

    def _side(self, found: SideBySide) -> tuple[int, bool]:
        """Which values are better, 1: larger ones, -1: smaller ones, 0: not known; and whether a study asks for them."""
        results = [robot.result for robot in found.robots]
        if self.criterion:
            sides = {1 if designs.is_good(result, self.name) else -1 for result in results}
            return (sides.pop() if len(sides) == 1 else 0), True
        signs = [each.sign for result in results for each in asked.asked(result) if each.name == self.name]
        return (signs[0] if len(set(signs)) == 1 else 0), bool(signs)

    @property
    def head(self) -> str:
        if self.criterion:
            below = text(self.texts[0]) if len(self.texts) == 1 else "limits differ, see below"
        else:
            below = ", ".join(word for word in ("mean", text(self.scale.unit), {-1: "smaller is better", 1: "larger is better"}.get(self.sign, "")) if word)
        return f"{code(self.name)}<br><small>{below}</small>"

    def cell(self, entry: Entry) -> str:
        """A robot's number with its interval."""
        found = entry.estimate
        if not math.isfinite(found.value):
            return "–"
        value, low, high = self._measured(found.value, found.low, found.high)
        if self.criterion:
            value, high = (f"{count(entry.met)} of {count(found.count)}", f"{high} %") if entry.met in (0, found.count) else (f"{value} %", high)
        return stacked(value, low, high) if math.isfinite(found.low + found.high) else value

    def change(self, entry: Entry) -> str:
        """Its difference from the first robot."""
        found = entry.difference
        if not math.isfinite(found.value):
            return "–"
        value, low, high = (signed(each) for each in self._measured(found.value, found.low, found.high))
        shown = f"{value}{' %' if self.criterion else ''}"
        if entry.apart:
            kind = "" if not self.sign else ' class="good"' if self.sign * found.value > 0 else ' class="bad"'
            shown = f"<strong><span{kind}>{shown}</span></strong>"
        return (stacked(shown, low, high) if math.isfinite(found.low + found.high) else shown) + self._step(entry)

    def _step(self, entry: Entry) -> str:
        low, high = entry.step
        half = (entry.difference.high - entry.difference.low) / 2
        half = half if math.isfinite(half) else SMALL * abs(entry.difference.value)  # without an interval a hundredth of the number
        if not math.isfinite(low + high) or max(abs(low), abs(high)) <= SMALL * half or low == high == 0:
            return ""
        ends = [signed(self.scale.number(end, 2)) for end in (low, high)]
        return f"<br><small><em>step</em> {' to '.join(dict.fromkeys(ends))}</small>"

    def _measured(self, value: float, low: float, high: float) -> tuple[str, str, str]:
        return share(value, low, high) if self.criterion else self.scale.measured(value, low, high)

    def sentence(self, robot: Robot, entry: Entry) -> str:
        """A robot and the first in words."""
        found = entry.difference
        if not math.isfinite(found.value):
            return ""
        value, low, high = self._measured(abs(found.value), *sorted((found.low, found.high) if found.value >= 0 else (-found.low, -found.high)))
        unit = " percentage points" if self.criterion else f" {text(self.scale.unit)}" if self.scale.unit else ""
        if not entry.apart and math.isfinite(found.low):
            return f"{text(robot.name)} is not told apart"
        if value == "0":
            return f"{text(robot.name)} has the same"
        better = "" if not self.sign else ", which is better" if self.sign * found.value > 0 else ", which is worse"
        said = f"{text(robot.name)} has {value}{unit} {'more' if found.value > 0 else 'less'}"
        return (within(said, low, high) if math.isfinite(found.low) else said) + better


# --- answer -----------------------------------------------------------------------------------------------------------------


def _answer(found: SideBySide, columns: Sequence[Column]) -> Section:
    said = "" if found.variables else _sentences(found, columns)
    shown = f'<div class="designs">{_table(found, columns)}</div>'
    if found.designs > OPEN:
        shown = details(f"{count(found.designs)} designs", shown)
    notes = "".join(paragraph(f"{text(note)}.", "note") for note in found.notes)
    doubts = "".join(f"<h3>Warnings of {text(robot.name)}</h3>{told}" for robot in found.robots if (told := warnings(Data(robot.result))))
    return Section("Answer", said + _limits(found) + shown + paragraph(" ".join(_legend(found, columns)), "note") + notes + doubts, style=asset("answer.css"))


def _limits(found: SideBySide) -> str:
    """Where a criterion changes, for each robot: of a grid that says more than the share of its points."""
    return findings(f"{text(robot.name)}: {said}" for robot in found.robots for said in thresholds.sentences(robot.result))


def _sentences(found: SideBySide, columns: Sequence[Column]) -> str:
    """How the robots differ in the first columns, those that the studies ask and their criteria before others."""
    first = sorted(columns, key=lambda column: not column.asked)[:TOLD]
    lines = []
    for column in first:
        words = [words for robot, entry in zip(found.robots[1:], column.entries[0][1:]) if (words := column.sentence(robot, entry))]
        lines += [f"{code(column.name)}: {'; '.join(words)}."] if words else []
    return paragraph(f"Compared with {text(found.robots[0].name)}:", "answer") + findings(lines) if lines else ""


def _table(found: SideBySide, columns: Sequence[Column]) -> str:
    """Robots, and below them their differences from the first."""
    variables = found.variables
    head = [*(code(name) for name in variables), "robot", *(column.head for column in columns)]
    rows = []
    for design in range(found.designs):
        values = [value_of(name, float(found.robots[0].designs[design, at]), found.robots[0].result) for at, name in enumerate(variables)]
        for at, robot in enumerate(found.robots):
            rows.append([*values, text(robot.name), *(column.cell(column.entries[design][at]) for column in columns)])
            values = [""] * len(variables)
        for at, robot in enumerate(found.robots[1:], 1):
            how = "two samples" if robot.name in found.unpaired else "pairs"
            name = f"{text(robot.name)} − {text(found.robots[0].name)}<br><small>{how}</small>"
            rows.append([*values, name, *(column.change(column.entries[design][at]) for column in columns)])
    return table(head, rows, range(len(variables) + 1, len(head)))


def _legend(found: SideBySide, columns: Sequence[Column]) -> Iterator[str]:
    robots, first = found.robots, found.robots[0]
    drawn = [robot.name for robot in robots if robot.sampled]
    if len(drawn) == len(robots):
        yield f"Small: {number(100 * found.confidence, 4)} % intervals. Bold: told apart from 0 by chance and by the step."
    else:
        others = [robot.name for robot in robots if not robot.sampled]
        yield (f"No intervals: {text(listed(others))} {'is' if len(others) == 1 else 'are'} no random sample; each number is the mean over the "
               "listed instances, or the number of a single one.")
    paired = [robot.name for robot in robots[1:] if robot.name not in found.unpaired]
    if paired:
        alike = "met the same draws" if len(drawn) == len(robots) else "have the same instances"
        yield f"{text(listed(paired))} and {text(first.name)} {alike}: their differences are taken instance by instance."
    for name, why in found.unpaired.items():
        yield f"{text(name)} and {text(first.name)} are compared as two samples of their own, since {text(why)}."
    counts = [column.name for column in columns if column.criterion and any(
        not entry.paired and robot.name in paired for row in column.entries for robot, entry in zip(robots, row))]
    if counts:
        yield f"Of {listed(code(name) for name in counts)} the files' counts are compared, as two samples."
    lost = [robot.result.total - robot.result.by_status.get("ok", 0) for robot in robots]
    failed = [f"{count(each)} of {counted(robot.result.total, 'instance')} of {text(robot.name)}" for robot, each in zip(robots, lost) if each]
    if failed:
        yield f"Failed and left out: {listed(failed)}{'; of pairs both are left out' if paired else ''}."
    if any(not math.isfinite(entry.step[0]) for column in columns if not column.criterion for entry in column.entries[0][1:]):
        yield "Some files do not say how large the step's error is; there, bold goes by chance only."


# --- vehicles and their runs --------------------------------------------------------------------------------------------------


def _vehicles(found: SideBySide) -> Section:
    parts = []
    for robot in found.robots:
        shown = vehicle.picture(robot.result.attrs) or paragraph("The file has no picture of it.", "note")
        title = str(robot.result.attrs.get("title", ""))
        own = title and any(title != str(other.result.attrs.get("title", "")) for other in found.robots)
        parts.append(f"<h3>{text(robot.name)}</h3>{paragraph(text(title)) if own else ''}{shown}")
    return Section("Vehicles", "".join(parts), style=asset("answer.css"))


def _facts(robot: Robot) -> str:
    result = robot.result
    attrs, kind = result.attrs, designs.kind(result)
    seed = f", seed {text(attrs['seed'])}" if robot.sampled and "seed" in attrs else ""
    varied = listed(code(name) for name in result.varied) or "nothing"
    return (f"{text(os.path.basename(result.path))}: <code>{text(attrs.get('model', '?'))}</code>, {text(kind)}, "
            f"{counted(result.total, 'instance')}{seed}; varied: {varied}; omniroll {text(attrs.get('omniroll_version', '?'))}")


def _again(found: SideBySide) -> Section:
    paths = [robot.result.path for robot in found.robots if not isinstance(robot.result.path, Memory)]
    if len(paths) < len(found.robots):
        return Section("How to make it again", paragraph("These results, or some of them, were in memory and in no file."))
    names = [shlex.quote(os.path.basename(path)) for path in paths]
    alone = "\n".join(f"omniroll report {name}" for name in names)
    return Section("How to make it again", command(f"omniroll report {' '.join(names)}")
                   + paragraph("Each result by itself, with its study and how to run it again:") + command(alone))
