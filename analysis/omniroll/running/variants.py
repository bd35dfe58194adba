"""Studies that hold variants: each runs as a study of its own."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Mapping

from ..errors import UsageError
from ..library import text_of, texts
from . import runs
from .study_input import NAME, Loaded, Source, assignments, path_bytes, plain

if TYPE_CHECKING:
    import xarray


def variants(study: Source, *, set: Mapping[str, Any] | None = None) -> list[str]:  # noqa: A002
    """The names of the variants that a study holds, in its order; none of a plain study, or where set={"variant": ...} chooses one. Raises
    StudyError and FileError."""
    changes = assignments(set, {})
    text = json.dumps(plain(study), indent=2).encode() if isinstance(study, Mapping) else None
    path = NAME.encode() if isinstance(study, Mapping) else path_bytes(study)
    return text_of("omr_study_variants", path, text, texts(changes), len(changes)).split()


def run_variants(study: Source, *, output: str | os.PathLike[str] | None = None, set: Mapping[str, Any] | None = None,  # noqa: A002
                 **options: Any) -> "dict[str, xarray.Dataset]":
    """Runs every variant of a study and gives their results by name, which side_by_side and report take.

    study    a dict with the members of a study file, or the path of one
    output   "robots.h5": the results are robots.NAME.h5; without it they are only in memory
    set      members to replace or add in every variant
    options  as of run

    >>> found = omniroll.run_variants("studies/how-to/three_or_four_wheels.json")
    >>> omniroll.side_by_side(*found.values()).difference

    A mistake in one of them is found before any runs. Raises UsageError for a study without variants, and the errors of run."""
    names = variants(study, set=set)
    if not names:
        raise UsageError("the study has no variants to run: omniroll.run takes it, or give it \"variants\": {\"NAME\": {...}, ...}")
    stem, ending = os.path.splitext("" if output is None else os.fspath(output))
    for name in names:
        Loaded(study, assignments({**(set or {}), "variant": name}, {}))
    return {name: runs.run(study, output=None if output is None else f"{stem}.{name}{ending}", set={**(set or {}), "variant": name}, **options)
            for name in names}
