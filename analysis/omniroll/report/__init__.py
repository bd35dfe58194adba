"""A result as one HTML file that needs nothing else: omniroll.report(result), or on the command line
omniroll report result.h5, which is python3 -m omniroll.report result.h5

build.py puts the page together from sections; each module of sections has a function sections(data) that yields those that the result
has something for. page.py makes HTML, svg.py pictures of matplotlib's figures that follow the colours of the page."""

from __future__ import annotations

import os
from typing import Iterable

from ..errors import UsageError
from ..reading.in_memory import Memory
from ..reading.result import Source, path_of

__all__ = ["report"]


def report(result: Source, output: str | os.PathLike[str] | None = None, *, observables: Iterable[str] | None = None,
           instances: Iterable[int] | None = None) -> str:
    """Writes a result as one HTML file for the browser and returns its path.

    result       a file (of omniroll run, compare or bench), or a Dataset of omniroll.run or omniroll.open
    output       the page; default: the file's name with .html, beside it. One of that name is replaced once the new one is complete.
    observables  those to show; default: up to three that differ between the instances
    instances    traced instances to show over time; default: some of each kind

    Raises NotAResult, UsageError for what the result does not have, and FileError."""
    from . import build
    from .data import Choices

    path = path_of(result)
    if output is None and isinstance(path, Memory):
        raise UsageError("this result is in memory alone: say where the page goes, such as report(result, 'page.html')")
    chosen = Choices(None if observables is None else list(observables), None if instances is None else [int(k) for k in instances])
    return build.report(path, None if output is None else os.fspath(output), chosen)
