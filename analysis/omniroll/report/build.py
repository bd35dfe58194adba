"""The report put together."""

from __future__ import annotations

import datetime
import os
from typing import Callable, Iterator

from .. import bench, pair
from ..errors import FileError, NotAResult
from . import comparison, failed, general, numbers, reproduce, throughput
from .data import Choices, Data, load
from .page import Section, page, text

Make = Callable[[Data], Iterator[Section]]


def _makers() -> list[Make]:
    """What makes sections, in the order of the page."""
    return [
        general.sections,
        numbers.sections,
        failed.sections,
        reproduce.sections,
    ]


def html_of(data: Data) -> str:
    """The page as text."""
    sections = [section for make in _makers() for section in make(data)]
    title = str(data.result.attrs.get("title") or os.path.basename(data.path))
    made = f"Made by omniroll, {datetime.date.today().isoformat()}, from {text(os.path.basename(data.path))}"
    return page(title, general.subtitle(data), sections, made)


def report(path: str, output: str | None = None, choices: Choices | None = None) -> str:
    """Writes the report of a result file as one HTML file and returns its path (default: the result's with .html). A file of that name
    is replaced when the new one is complete. Raises NotAResult, FileError."""
    where = output or os.path.splitext(path)[0] + ".html"
    content = _content(path, choices or Choices())
    _write(where, content)
    return where


def _content(path: str, choices: Choices) -> str:
    """By what the file is: of a bench, of a comparison, else of a run."""
    if os.path.isdir(path) and path.rstrip("/").endswith(".parts") or not os.path.exists(path) and os.path.isdir(path + ".parts"):
        finished = path.rstrip("/").removesuffix(".parts")
        raise NotAResult(f"{finished}: the run is not finished; omniroll resume {finished} goes on, then the result can be shown")
    if bench.is_bench(path):
        return throughput.html_of(path)
    if pair.is_pair(path):
        return comparison.html_of(path)
    return html_of(load(path, choices))


def _write(where: str, content: str) -> None:
    """All of it or nothing. Raises FileError."""
    unfinished = f"{where}.tmp{os.getpid()}"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(unfinished, where)
    except OSError as error:
        raise FileError(f"{where}: cannot be written: {error.strerror}") from error
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
