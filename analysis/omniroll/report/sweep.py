"""Sections of studies whose values were chosen: grids, lists, tables, and nested designs that draw a sample for each of their designs."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, Iterator

import numpy as np

from .. import lists
from ..comparing import criteria
from ..figures import nested_designs, sweeps
from ..figures.basic import MAX_PATHS, has_path, paths
from ..figures.style import Skipped, fits, meaning, within
from ..reading import asked, designs
from ..reading.result import Result
from . import words
from .data import Data
from .page import Section, details, paragraph, pictures, table, text
from .summary import failures
from .svg import picture
from .wording import code, stacked

KINDS = lists.designs("levels", "rows", "cells")
OPEN = 3  # observables that are shown at once
REST = 9  # further ones that are made, closed
MOST_LINES = 4  # design variables that get a picture of their own
MOST_COLUMNS = 8  # design variables in a table of extremes
MOST_NAMED = 12  # instances that are named
MOST_ROWS = 30  # instances that are listed one by one
Make = Callable[[], Any]


def sections(data: Data) -> Iterator[Section]:
    if data.kind not in KINDS or data.result.instances < 2 or not data.result.varied:
        return
    yield Section("Design variables", "".join([paragraph(introduction(data)), *_observables(data), *_remarks(data)]))
    if extremes := extremes_part(data):
        yield Section("Extremes", extremes)
    if not data.result.ok.all():
        if body := failed_parts(data.result):
            yield Section("Where instances failed", body)
    if body := "".join(_criteria(data)):
        yield Section("Probability of each design" if data.kind == "nested" else "Criteria", body)
    if len(data.result.traced) > 1 and has_path(data.result):
        yield Section("Paths", pictures(*drawn([(lambda: paths(data.result), paths_caption(data.result))])))


# --- shown observables ----------------------------------------------------------------------------------------------------------


def introduction(data: Data) -> str:
    """Which parameters vary, and how, as HTML."""
    result, axes = data.result, sweeps.design_axes(data.result)
    ranges = words.listed(f"<code>{text(name)}</code> ({text(words.range_of(result, name))})" for name in axes)
    failed = int(np.sum(~result.ok))
    end = (f" {words.plural(failed, 'instance')} failed and {'is' if failed == 1 else 'are'} left out of everything but the maps of "
           "failures.") if failed else ""
    if data.kind == "nested":
        cells = int(np.prod([len(result.levels(name)) for name in axes]))
        drawn = designs.drawn_variables(result)
        names = words.listed(f"<code>{text(name)}</code>" for name in drawn[:6]) + (f" and {len(drawn) - 6} more" if len(drawn) > 6 else "")
        return f"{cells} designs, all combinations of {ranges}. Each design met {result.instances // cells} draws of {names}.{end}"
    if data.kind == "candidates":
        draws = int(data.study.get("design", {}).get("per_cell", 1))
        return f"{words.plural(result.instances // draws, 'candidate')} over {ranges}. Each met {words.plural(draws, 'draw')}.{end}"
    if data.kind == "one_at_a_time":
        return (f"From the base (instance 0) one parameter at a time went through its levels: {ranges}; "
                f"{words.plural(result.instances, 'instance')}.{end}")
    what = "All combinations of" if result.is_grid and len(axes) > 1 else "Instances over"
    return f"{what} {ranges}: {words.plural(result.instances, 'instance')}.{end}"


def shown_observables(data: Data) -> tuple[list[str], list[str]]:
    """Observables shown at once, and those in the part that opens on demand."""
    from ..plot import differing, first_asked

    if data.choices.observables:
        return data.observables[:OPEN], data.observables[OPEN:]
    shown = max(OPEN, len({*criteria.observables(data.result), *(each.name for each in asked.asked(data.result))}))
    others = [name for name in first_asked(data.result) if name not in data.observables]
    return data.observables[:shown], [name for name in dict.fromkeys(others) if differing(data.result, name)][:REST]


def _observables(data: Data) -> Iterator[str]:
    first, rest = shown_observables(data)
    if not first:
        yield paragraph(nothing_differs(data.result), "note")
        return
    if _listed(data.result):
        yield pictures(*(each for name in first for each in drawn(observable_pictures(data.result, name))))
    else:
        for name in first:
            yield f"<h3>{text(name)}</h3>" + pictures(*drawn(observable_pictures(data.result, name)))
    if rest:
        parts = [f"<h3>{text(name)}</h3>" + pictures(*drawn(observable_pictures(data.result, name, 1))) for name in rest]
        yield details(f"{words.plural(len(rest), 'more observable')}: {', '.join(rest)}", "".join(parts))


def nothing_differs(result: Result) -> str:
    """Why no observable is shown, as HTML."""
    if not result.ok.any():
        return (f"All {result.instances} instances failed, so that no observable can be shown. The reasons stand below, with the failed "
                "instances.")
    return "No observable differs between the instances that reached the end."


def drawn(makes: Iterator[tuple[Make, str]] | list[tuple[Make, str]]) -> list[str]:
    """Pictures that can be drawn."""
    found = []
    for make, caption in makes:
        try:
            found.append(picture(make, caption))
        except Skipped:
            continue
    return found


def observable_pictures(result: Result, name: str, most: int = MOST_LINES) -> Iterator[tuple[Make, str]]:
    """(figure, caption) of an observable over the design variables, those that move it most first."""
    if not fits(result.observables[name][result.ok]):
        return
    axes = sweeps.telling(result, name)
    if len(axes) > 1 and _has_cells(result):
        across, up = [each for each in result.varied if each in axes[:2]]
        yield partial(sweeps.level_map, result, name, up, across), map_caption(result, name, up, across)
        if len(axes) > 2 and most > 1:
            yield lambda: sweeps.level_maps(result, name, up, across, axes[2]), panels_caption(result, name, up, across, axes[2])
    if designs.kind(result) == "one_at_a_time":
        yield lambda: sweeps.range_bars(result, name), ranges_caption(result, name)
    if _listed(result):
        yield lambda: sweeps.instance_dots(result, name), \
            f"{meaning(result, name)}, of each of the {result.instances} instances; their parameters stand in the table below."
        return
    mapped = len(axes) > 1 and _has_cells(result) or designs.kind(result) == "one_at_a_time"
    for k, along in enumerate(axes[:0 if mapped and most == 1 else most]):
        first = f"{meaning(result, name)}. " if k == 0 and not mapped else ""
        yield partial(sweeps.bands, result, name, along), first + bands_caption(result, name, along)


def _has_cells(result: Result) -> bool:
    """Whether the design variables make a grid, so that maps have cells."""
    axes = sweeps.design_axes(result)
    cells = np.prod([float(len(result.levels(name))) for name in axes])
    return len(axes) > 1 and bool(result.instances >= cells) and (result.is_grid or designs.kind(result) in ("grid", "nested")) and \
        designs.kind(result) != "one_at_a_time"


def _listed(result: Result) -> bool:
    """Whether the instances are so few, and without the order of a grid, that each is shown by itself."""
    chosen = designs.kind(result) in ("list", "table")
    return chosen and result.instances <= MOST_ROWS and len(sweeps.design_axes(result)) > 1


def paths_caption(result: Result) -> str:
    """Caption of figures.paths."""
    shown = min(len(result.traced), MAX_PATHS)
    return f"Paths of the body origin seen from above, of {shown} of {words.plural(result.total, 'instance')} (x forward is up)."


def map_caption(result: Result, name: str, across: str, up: str) -> str:
    """Caption of a map, with its largest and smallest number and where they are."""
    median, counted, failed = sweeps.cells(result, name, across, up)
    known = np.isfinite(median)
    low, high = (np.unravel_index(f(np.where(known, median, bad)), median.shape) for f, bad in ((np.argmin, np.inf), (np.argmax, -np.inf)))
    (small, large), unit = words.quantities(result, name, [float(median[low]), float(median[high])], result.observables[name][result.ok])
    at = lambda place: f"{across} {_level(result, across, place[1])}, {up} {_level(result, up, place[0])}"
    each = _aggregation(result, {across, up}, int(counted.max()))
    end = f" Hatched with a cross: all instances of the cell failed ({int(np.sum((failed > 0) & (counted == 0)))} cells)." \
        if ((failed > 0) & (counted == 0)).any() else ""
    some = int(np.sum((failed > 0) & (counted > 0)))
    end += f" A dot in the corner: some instances failed ({words.plural(some, 'cell')}); the median is of the others." if some else ""
    return f"{meaning(result, name)}{each}. Smallest {small}{unit} (at {at(low)}), largest {large}{unit} (at {at(high)}).{end}"


def _level(result: Result, name: str, place: int) -> str:
    levels = result.levels(name)
    return words.quantity(result, name, levels[place], levels)


def _aggregation(result: Result, shown: set[str], most: int) -> str:
    """The axes over which the median of a cell is taken."""
    if most <= 1:
        return ""
    others = [name for name in sweeps.design_axes(result) if name not in shown]
    over = words.listed([*others, *(["the draws"] if designs.drawn_variables(result) and designs.kind(result) == "nested" else [])])
    return f": median of each cell over {over or 'its instances'} (up to {most} instances)"


def panels_caption(result: Result, name: str, across: str, up: str, third: str) -> str:
    levels = sweeps.panel_levels(result, third)
    shown = "every level" if len(levels) == len(result.levels(third)) else f"{len(levels)} of {len(result.levels(third))} levels"
    others = [each for each in sweeps.design_axes(result) if each not in (across, up, third)]
    rest = f"; median over {words.listed(others)}" if others else ""
    return f"The same at {shown} of {third}, in the same colours{rest}. The variables are those that move the median of {name} most."


def ranges_caption(result: Result, name: str) -> str:
    """Caption of the bars, with the widest."""
    variable, low, at_low, high, at_high = sweeps.ranges(result, name)[0]
    (a, b), unit = words.quantities(result, name, [low, high], result.observables[name][result.ok])
    level = lambda value: words.quantity(result, variable, value, result.levels(variable))
    return (f"{meaning(result, name)}: how far it goes while one parameter goes through its levels and the others keep their base "
            f"(vertical line). At the ends the parameter's values there. Widest: {variable}, from {a}{unit} (at {level(at_low)}) to "
            f"{b}{unit} (at {level(at_high)}). Effects of parameters together cannot be seen in this design.")


def bands_caption(result: Result, name: str, along: str) -> str:
    """Caption of the lines and the band."""
    numbers = sweeps.band(result, name, along)
    known = np.flatnonzero(np.isfinite(numbers[:, 1]))
    (first, last), unit = words.quantities(result, name, [numbers[known[0], 1], numbers[known[-1], 1]], result.observables[name][result.ok])
    others = [each for each in sweeps.design_axes(result) if each != along]
    several = result.instances > len(result.levels(along)) and designs.kind(result) != "one_at_a_time"
    if designs.kind(result) == "one_at_a_time":
        others = []
    over = words.listed([*others, *(["the draws"] if designs.kind(result) == "nested" else [])]) or "the instances"
    lines = f"Lines: first, middle and last level of {others[0]}. " if len(others) == 1 else ""
    band = f"Band: the middle 90 % (5 % to 95 %) over {over}. " if several else ""
    subject = f"The median{' of all' if lines else ''}" if several else "It"
    return (f"{lines}{band}{subject} goes from {first}{unit} at {_level(result, along, known[0])} "
            f"to {last}{unit} at {_level(result, along, known[-1])}.")


def _remarks(data: Data) -> Iterator[str]:
    """Values that no picture shows: lists as tables."""
    if not _has_cells(data.result) and data.result.instances <= MOST_ROWS and data.kind != "one_at_a_time":
        yield instances_table(data)


def instances_table(data: Data) -> str:
    """Every instance of a short list: its parameters, status and the observables that are shown."""
    result, names = data.result, shown_observables(data)[0]
    head = ["instance", *result.varied, "status", *names]
    units = {name: words.factor_and_unit(result, name, {**result.parameters, **result.observables}[name][result.ok])
             for name in [*result.varied, *names]}
    columns = {**result.parameters, **result.observables}
    rows = [[str(row), *(text(_cell(columns[name][row] * units[name][0])) for name in result.varied),
             text(result.status_names.get(int(result.status[row]), "?")),
             *(text(_cell(columns[name][row] * units[name][0])) for name in names)]
            for row in range(result.instances)]
    heads = [f"{text(name)}{f' [{text(units[name][1])}]' if units.get(name, (1, ''))[1] else ''}" for name in head]
    numbers = [k for k, name in enumerate(head) if name != "status"]
    return table(heads, rows, numbers, "Every instance; observables of failed ones are left out")


def _cell(value: float) -> str:
    return words.number(value) if np.isfinite(value) else "–"


# --- extremes ---------------------------------------------------------------------------------------------------------------------


def extremes_part(data: Data) -> str:
    """Smallest and largest value of the observables, with the parameters they came with. '' where nothing differs."""
    first, rest = (extremes_table(data, names) for names in shown_observables(data))
    if not first:
        return ""
    judged = {each.name for each in asked.asked(data.result) if each.sign or np.isfinite(each.target)}
    note = "" if judged.issuperset(shown_observables(data)[0]) else \
        "Which end of an observable is the good one depends on the task, so both are given."
    if data.kind == "nested":
        note += " Designs are ranked by the median over their draws, which a single unlucky draw does not move."
    return (paragraph(note.strip(), "note") if note else "") + first + (details("The same of the other observables", rest) if rest else "")


def extremes_table(data: Data, names: list[str]) -> str:
    rows = [row for name in names for row in _extreme_rows(data, name)]
    axes = sweeps.design_axes(data.result)[:MOST_COLUMNS]
    head = ["observable", "", "value", "draws" if data.kind == "nested" else "instance", *axes]
    return table([text(name) for name in head], rows, range(2, 4 + len(axes))) if rows else ""


def _extreme_rows(data: Data, name: str) -> Iterator[list[str]]:
    result, axes = data.result, sweeps.design_axes(data.result)[:MOST_COLUMNS]
    try:
        values = result.observables[name][result.ok]
        if data.kind == "nested":
            for word, (levels, median, count) in zip(("smallest", "largest"), sweeps.extreme_cells(result, name)):
                shown = [text(words.quantity(result, each, levels[each], result.levels(each))) for each in axes]
                yield [code(name), f"{word} median", text(words.quantity(result, name, median, values)), str(count), *shown]
            return
        for word, row in zip(("smallest", "largest"), sweeps.extremes(result, name)):
            shown = [text(words.quantity(result, each, result.parameters[each][row], result.levels(each))) for each in axes]
            yield [code(name), word, text(words.quantity(result, name, result.observables[name][row], values)), str(row), *shown]
    except Skipped:
        return


# --- failures and criteria ----------------------------------------------------------------------------------------------------------


def failed_parts(result: Result) -> str:
    """Where in the design instances failed."""
    counts = words.listed(f"{count} {text(name)}" for name, count in failures(result).items())
    found = [paragraph(f"{int(np.sum(~result.ok))} of {result.instances} instances did not reach the end: {counts}.")]
    axes = sorted(sweeps.design_axes(result), key=lambda name: -_failed_spread(result, name))
    if len(axes) > 1 and _has_cells(result) and not result.ok.all() and result.ok.any():
        across, up = [each for each in result.varied if each in axes[:2]][::-1]
        found.append(pictures(*drawn([(lambda: sweeps.failed_where(result, across, up), failed_caption(result, across, up))])))
    elif not result.ok.any():
        found.append(paragraph("Every instance failed: see the failed instances below for the reason and the time, and begin with one that "
                               "should work.", "note"))
    return "".join(found)


def _failed_spread(result: Result, name: str) -> float:
    shares = [np.mean(~result.ok[result.parameters[name] == level]) for level in result.levels(name)]
    return float(np.ptp(shares))


def failed_caption(result: Result, across: str, up: str) -> str:
    share = sweeps.failed_shares(result, across, up)
    all_failed, some = int(np.sum(share == 1)), int(np.sum((share > 0) & (share < 1)))
    between = f", some in {some}" if some else ""
    return (f"Share of the instances of each cell that failed. All failed in {words.plural(all_failed, 'cell')}{between}, none in "
            f"{int(np.sum(share == 0))}.")


def _criteria(data: Data) -> Iterator[str]:
    """Of a nested design: probability of each criterion in each design; of a grid or list which instances meet it."""
    result = data.result
    if data.kind != "nested":
        if designs.criteria(result):
            yield _met_table(result)
        return
    for criterion, source in designs.criteria(result).items():
        axes = designs.design_variables(result)
        try:
            shape = [len(result.levels(name)) for name in axes]
            share, low, high, interval = nested_designs._probabilities(result, criterion, shape)
        except Skipped as reason:
            yield paragraph(text(f"{criterion}: {reason}"), "note")
            continue
        yield f"<h3>{text(criterion)}</h3>" + paragraph(f"<code>{text(source)}</code>. "
                                                        f"{text(probability_words(result, axes, share, low, high))}")
        yield pictures(*drawn([(partial(nested_designs.failure_map, result, criterion),
                                f"Probability in per cent in each design, below it the interval ({interval}). "
                                "Designs without an instance that says so are hatched.")]))
        yield details(f"{criterion}: numbers of every design", probability_table(result, axes, share, low, high))


def _met_table(result: Result) -> str:
    """How many of the chosen instances meet each criterion."""
    rows = []
    for name, source in designs.criteria(result).items():
        truth = criteria.truth(result, name)
        if truth is None:
            rows.append([text(name), f"<code>{text(source)}</code>", "–", "–", "–"])
            continue
        met = np.flatnonzero(truth == 1)
        which = ", ".join(map(str, met[:MOST_NAMED])) + (", ..." if len(met) > MOST_NAMED else "")
        rows.append([text(name), f"<code>{text(source)}</code>", f"{len(met)} of {int(np.sum(np.isfinite(truth)))}",
                     str(int(np.sum(~np.isfinite(truth)))), which or "–"])
    note = "The instances were chosen, not drawn: their share is no probability. Orange lines in the maps are the limits."
    return paragraph(note, "note") + table(["criterion", "", "met by", "unknown or failed", "instances"], rows, [2, 3])


def probability_words(result: Result, axes: list[str], share: Any, low: Any, high: Any) -> str:
    """The designs with the smallest and the largest probability."""
    known = np.isfinite(share)
    if not known.any():
        return "No design has an instance that says whether it is met."
    places = [np.unravel_index(f(np.where(known, share, bad)), share.shape) for f, bad in ((np.argmin, np.inf), (np.argmax, -np.inf))]
    least, most = (words.percents([share[p], low[p], high[p]]) for p in places)
    at = [words.listed(f"{name} {_level(result, name, int(k))}" for name, k in zip(axes, p)) for p in places]
    same = [int(np.sum(share[known] == share[place])) - 1 for place in places]
    ties = [f" (and in {words.plural(count, 'other design')})" if count else "" for count in same]
    return (f"Least often met with {at[0]}{ties[0]}: {within(f'{least[0]} %', *least[1:])}. Most often with {at[1]}{ties[1]}: "
            f"{within(f'{most[0]} %', *most[1:])}. Intervals that overlap do not tell designs apart, unless the designs met the same draws.")


def probability_table(result: Result, axes: list[str], share: Any, low: Any, high: Any) -> str:
    rows = []
    for at in np.ndindex(share.shape):
        levels = [text(_level(result, name, k)) for name, k in zip(axes, at)]
        p, a, b = words.percents([share[at], low[at], high[at]]) if np.isfinite(share[at]) else ("–", "", "")
        rows.append([*levels, stacked(f"{p} %", a, b) if a else p])
    return table([*(text(name) for name in axes), "probability<br><small>interval</small>"], rows, range(len(axes) + 1))
