"""The report put together."""

from __future__ import annotations

import contextlib
import datetime
import errno
import gc
import os
import traceback
from dataclasses import replace
from typing import Callable, Iterator, Sequence

import numpy as np

from .. import bench, calibration, compare_file
from ..errors import Error, FileError, NotAResult, UsageError
from ..optimising import found_file
from ..reading.in_memory import Memory
from ..reading.result import Source, path_of
from ..whole_files import replacing
from . import (animation, answer, answer_designs, calibrated, comparison, failed, general, montecarlo, numbers, optimised, rare, reproduce,
               sensitivity, several, single, sweep, throughput, trial, unkept)
from .data import Choices, Data, load
from .names import in_page, in_text, named
from .page import Section, page, paragraph, text

PACKAGE = ("omniroll", "report")  # folders of it
Make = Callable[[Data], Iterator[Section]]


def _makers() -> list[Make]:
    """Functions that make sections, in the order of the page: the answer, its grounds, and at last the study."""
    return [
        answer.sections,
        answer_designs.sections,
        sweep.sections,
        montecarlo.sections,
        rare.sections,
        sensitivity.sections,
        single.sections,
        animation.sections,
        trial.sections,
        numbers.sections,
        failed.sections,
        general.sections,
        reproduce.sections,
    ]


def _without_rows(data: Data) -> list[Make]:
    """The same of a result that does not keep all rows."""
    over_time = [single.sections, animation.sections, trial.sections] if len(data.result.traced) or data.result.nominal else []
    return [unkept.answer, unkept.of_cells, unkept.distributions_of, unkept.what_matters, unkept.extremes, unkept.kept_rows, *over_time,
            unkept.statistics, unkept.failed, general.sections, reproduce.sections]


def html_of(data: Data, faults: list[Exception] | None = None) -> str:
    """The page as text. An error in a part of it is raised, or added to `faults`, and the page has the other parts."""
    with named(data.result):
        return _html_of(data, faults)


def _html_of(data: Data, faults: list[Exception] | None) -> str:
    sections: list[Section] = []
    for make in _without_rows(data) if data.result.summed else _makers():
        try:
            sections.extend(replace(section, title=in_text(section.title), body=in_page(section.body)) for section in make(data))
        except Exception as fault:
            if faults is None or isinstance(fault, Error):
                raise
            faults.append(fault)
            sections.append(Section("A part is missing", paragraph(f"{text(_told(fault))}. This is a fault of omniroll.", "failed")))
    title = str(data.result.attrs.get("title") or os.path.basename(data.path))
    made = f"Made by omniroll, {datetime.date.today().isoformat()}, from {text(os.path.basename(data.path))}"
    return page(title, general.subtitle(data), sections, made)


def report(path: str, output: str | None = None, choices: Choices | None = None) -> str:
    """Writes the report of a result file as one HTML file and returns its path (default: the result's with .html). A file of that name
    is replaced when the new one is complete. Raises NotAResult, FileError, UsageError; and Error where a part could not be made for a fault
    of its own: the page is then written without it."""
    where = output or os.path.splitext(path)[0] + ".html"
    if os.path.exists(path) and not os.path.isdir(os.path.dirname(where) or "."):  # before the page is drawn
        raise _unwritable(where, os.strerror(errno.ENOENT))
    faults: list[Exception] = []
    with _seldom_collected(), np.errstate(over="ignore", invalid="ignore"):  # squares of values beyond 1e154
        content = _content(path, choices or Choices(), faults)
    _write(where, content)
    if faults:
        raise Error(f"{where}: is written, but lacks a part for a fault of omniroll: {_told(faults[0])}") from faults[0]
    return where


def report_several(sources: Sequence[Source], output: str | None = None, choices: Choices | None = None) -> str:
    """Writes the page of several results side by side and returns its path (default: the first two names, in the folder of the first).
    Raises as report does."""
    choices = choices or Choices()
    if choices.instances is not None:
        raise UsageError("single instances are shown of one result; leave out --instances, or name one result only")
    content = several.html_of(sources, choices.observables)
    where = output or _name_of(sources)
    _write(where, content)
    return where


def _name_of(sources: Sequence[Source]) -> str:
    """one-other.html, or one-other-and-2-more.html; study.variants.html of study.one.h5 and study.other.h5."""
    paths = [path_of(source) for source in sources]
    if any(isinstance(path, Memory) for path in paths):
        raise UsageError("a result is in memory only: say where the page goes, such as report([a, b], 'page.html')")
    stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    studies, variants = zip(*(os.path.splitext(stem) for stem in stems))
    if len(set(studies)) == 1 and all(variants):  # of one study
        return os.path.join(os.path.dirname(paths[0]), f"{studies[0]}.variants.html")
    more = f"-and-{len(stems) - 2}-more" if len(stems) > 2 else ""
    return os.path.join(os.path.dirname(paths[0]), f"{stems[0]}-{stems[1]}{more}.html")


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Figures are many small objects, which Python's collector of garbage would go through again and again: a quarter of a report's time."""
    usual = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _told(fault: Exception) -> str:
    """The error's message, and the line of this package that raised it."""
    frames = [frame for frame in traceback.extract_tb(fault.__traceback__) if os.path.basename(os.path.dirname(frame.filename)) in PACKAGE]
    where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(fault).__name__}: {fault}{where}"


def _content(path: str, choices: Choices, faults: list[Exception]) -> str:
    """The page of a bench, of a comparison or of a run, as the file is."""
    if os.path.isdir(path) and path.rstrip("/").endswith(".parts") or not os.path.exists(path) and os.path.isdir(path + ".parts"):
        finished = path.rstrip("/").removesuffix(".parts")
        raise NotAResult(f"{finished}: the run is not finished; omniroll resume {finished} goes on, then the result can be shown")
    for is_one, html in ((bench.is_bench, throughput.html_of), (found_file.is_optimum, optimised.html_of),
                         (calibration.is_calibration, calibrated.html_of), (compare_file.is_pair, comparison.html_of)):
        if is_one(path):
            return html(path)
    return html_of(load(path, choices), faults)


def _unwritable(where: str, why: str) -> FileError:
    folder = os.path.dirname(where) or "."
    first = "" if os.path.isdir(folder) else f"make the folder {folder} first, or "
    return FileError(f"{where}: cannot be written: {why}; {first}choose another file with -o FILE")


def _write(where: str, content: str) -> None:
    """All of it or nothing. Raises FileError."""
    try:
        with replacing(where) as file:
            file.write(content)
    except OSError as error:
        raise _unwritable(where, error.strerror) from error
