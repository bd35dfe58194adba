"""The first section of a report: the answer to the study's question, then what a reader should know before trusting it.

The kind of answer depends on the design. MAKERS has a function for each class of designs, or for one design by its name: a further kind of
study takes one function and one row."""

from __future__ import annotations

import re
from typing import Callable, Iterator

from .. import lists
from . import answer_designs, answer_samples, answer_single, vehicle
from .data import Data
from .notices import warnings
from .page import Section, asset, paragraph, text
from .summary import failures
from .wording import count, counted

MAKERS: dict[str, Callable[[Data], str]] = {
    "subset_simulation": answer_samples.rare,
    "levels": answer_designs.answer,
    "rows": answer_designs.answer,
    "cells": answer_designs.answer,
    "sample": answer_samples.answer,
    "groups": answer_samples.sensitive,
}

LONG = 7  # rows of a table, with its heading, that are as high as the views of a vehicle


def sections(data: Data) -> Iterator[Section]:
    yield Section("Answer", _beside(_answer(data) + warnings(data), vehicle.picture(data.result.attrs)), style=asset("answer.css"))


def maker(kind: str) -> Callable[[Data], str] | None:
    """The function that makes the answer of a design, by the design's name or else by its class."""
    classes = ("levels", "rows", "cells", "sample", "groups", "adaptive")
    names = [kind, *(each for each in classes if kind in lists.designs(each))]
    return next((MAKERS[name] for name in names if name in MAKERS), None)


def _answer(data: Data) -> str:
    made = maker(data.kind) if data.result.instances > 1 else None
    body = made(data) if made else ""
    return _caution(data) + (body or answer_single.answer(data)) + _left_out(data)


def _caution(data: Data) -> str:
    """Where the run itself found its step too long: that comes before any number."""
    told = str(data.result.attrs.get("warnings", "")).splitlines()
    found = [line for line in told if re.match("step error: |energy balance: ", line)]
    if not found:
        return ""
    what = "tolerance is too large" if "tolerance" in data.result.attrs else "step is too long"
    below = "the warning below tells" if len(found) == 1 else f"the {counted(len(found), 'warning')} below tell"
    return paragraph(f"Do not decide by these numbers yet: the {what} for them, as {below}.", "warning")


def _beside(body: str, picture: str) -> str:
    """Long tables have the picture at their side where there is room; an answer of a few lines has it below, view next to view."""
    long = body.count("<tr>") >= LONG
    return f'<div class="beside"><div>{body}</div><div>{picture}</div></div>' if picture and long else body + picture


def _left_out(data: Data) -> str:
    """How many instances failed, and whether the numbers leave them out."""
    found, total = failures(data.result), data.result.total
    failed = sum(found.values())
    if not failed:
        return ""
    listed = ", ".join(f"{count(each)} {text(name)}" for name, each in found.items())
    if failed == total:
        return paragraph(f"{'The instance' if failed == 1 else f'All {count(failed)} instances'} failed: {listed}.", "failed")
    return paragraph(f"{counted(failed, 'instance')} of {count(total)} failed and {'is' if failed == 1 else 'are'} left out, but "
                     f"for criteria that name the status: {listed}.", "failed")
