"""The report put together."""

from __future__ import annotations

import datetime
import os
from typing import Callable, Iterator

from . import general, montecarlo, rare, sensitivity, sweep
from .data import Choices, Data, load
from .page import Section, page, text

Make = Callable[[Data], Iterator[Section]]


def _makers() -> list[Make]:
    """What makes sections, in the order of the page."""
    return [general.sections, sweep.sections, montecarlo.sections, rare.sections, sensitivity.sections]


def html_of(data: Data) -> str:
    """The page as text."""
    sections = [section for make in _makers() for section in make(data)]
    title = str(data.result.attrs.get("title") or os.path.basename(data.path))
    return page(title, general.subtitle(data), sections, f"Made by omniroll, {datetime.date.today().isoformat()}, from {text(os.path.basename(data.path))}")


def report(path: str, output: str | None = None, choices: Choices | None = None) -> str:
    """Writes the report of a result file as one HTML file and returns its path (default: the result's with .html). A file of that name
    is replaced when the new one is complete. Raises NotAResult, OSError."""
    where = output or os.path.splitext(path)[0] + ".html"
    content = html_of(load(path, choices))
    unfinished = f"{where}.tmp{os.getpid()}"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(unfinished, where)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
    return where
