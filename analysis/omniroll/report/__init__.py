"""A result as one HTML file that needs nothing else: omniroll.report(result), or on the command line
omniroll report result.h5 (several: side by side), which is python3 -m omniroll.report result.h5

build.py puts the page together from sections; each module of sections has a function sections(data) that yields those that the result
has something for. page.py makes HTML, svg.py pictures of matplotlib's figures that follow the colours of the page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterable, Sequence

from ..errors import UsageError
from ..reading.in_memory import Memory
from ..reading.result import Source, path_of

if TYPE_CHECKING:
    import xarray

__all__ = ["report", "side_by_side"]


def report(result: Source | Sequence[Source], output: str | os.PathLike[str] | None = None, *, observables: Iterable[str] | None = None,
           instances: Iterable[int] | None = None) -> str:
    """Writes a result as one HTML file for the browser and returns its path.

    result       a file (of omniroll run, compare or bench), or a Dataset of omniroll.run or omniroll.open; a list of two or more of
                 omniroll.run is set side by side, as omniroll.side_by_side does
    output       the page; default: the file's name with .html, in its folder, replaced once the new page is complete.
    observables  those to show; default: up to three that differ between the instances
    instances    traced instances to show over time; default: some of each kind

    Raises NotAResult, UsageError for an observable or an instance that the result does not have, and FileError."""
    from . import build
    from .data import Choices

    chosen = Choices(None if observables is None else list(observables), None if instances is None else [int(k) for k in instances])
    where = None if output is None else os.fspath(output)
    if isinstance(result, (list, tuple)):
        return build.report_several(result, where, chosen)
    path = path_of(result)
    if output is None and isinstance(path, Memory):
        raise UsageError("this result is in memory alone: say where the page goes, such as report(result, 'page.html')")
    return build.report(path, where, chosen)


def side_by_side(*results: Source, names: Iterable[str] | None = None, observables: Iterable[str] | None = None) -> "xarray.Dataset":
    """Results of several robots as one xarray Dataset over `robot` and `observable`.

    results      two or more: files of omniroll run, or Datasets of omniroll.run or omniroll.open. Others are compared with the first
    names        of the robots; default: the names of the variants, else of the files
    observables  default: those that the studies ask, else those that their criteria name, else the first that all results have

    `value` is the mean of the instances that reached the end, with the ends low and high of its interval; difference is its difference from
    the first robot, with difference_low and difference_high; paired says whether both met the same draws, so that the differences of the
    pairs are the sample (otherwise two samples, and the attribute unpaired says why); difference_step_low and difference_step_high are the
    range that the step adds to the difference, NaN where a file does not say. In SI; the coordinate `unit` has the units. Over `criterion`,
    for criteria that all results have: share, share_low and so on. Nested results have the dimension `design`, too. There is no interval
    where nothing is drawn. The attribute notes names the differences between the results. Raises NotAResult and UsageError."""
    from ..comparing import side_by_side as robots  # only this function loads matplotlib

    return robots.dataset_of(robots.compared(results, names, observables))
