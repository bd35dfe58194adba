"""The schema of study files (JSON Schema, draft 2020-12), as `omniroll schema` prints it."""

from __future__ import annotations

import json
from typing import Any

from .library import text_of


def schema() -> dict[str, Any]:
    """The schema of study files, a dict of its own for each caller: members with what they mean, words, units as patterns, bounds, for each
    model. Whatever the program reads as a study fits it, and what does not fit is refused; that a study fits does not say that it
    runs: validate says that. Raises LibraryError without libomniroll.

    >>> import jsonschema, omniroll
    >>> jsonschema.validate({"model": "wheelset", "integrator": {"step": "1 ms", "duration": "1 s"}}, omniroll.schema())
    """
    found: dict[str, Any] = json.loads(text_of("omr_study_schema_json"))
    return found
