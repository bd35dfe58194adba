"""The schema of study files (JSON Schema, draft 2020-12). study.schema.json is what `omniroll schema` prints (studies/generate.py writes it, and a
test holds it to the program), so that a study can be looked at without the library."""

from __future__ import annotations

import copy
import functools
import json
import pathlib
from typing import Any

FILE = pathlib.Path(__file__).with_name("study.schema.json")


@functools.lru_cache(maxsize=None)
def _read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def schema() -> dict[str, Any]:
    """The schema of study files, a dict of its own for each caller: members with what they mean, words, units as patterns, bounds, for each
    model. Whatever the program reads as a study fits it, and what does not fit is refused; that a study fits does not say that it
    runs: validate says that.

    >>> import jsonschema, omniroll
    >>> jsonschema.validate({"model": "wheelset", "integrator": {"step": "1 ms", "duration": "1 s"}}, omniroll.schema())
    """
    return copy.deepcopy(_read())
