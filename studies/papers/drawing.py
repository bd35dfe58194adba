"""One figure: its results, its files, its numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import matplotlib

from omniroll.figures.style import STYLE

from . import published
from .findings import Finding, findings
from .recipes import RECIPES
from .results import Results

FORMATS = ("png", "svg", "pdf")
# The same figure gives the same file
METADATA: dict[str, dict[str, Any]] = {"png": {"Software": "omniroll"}, "svg": {"Date": None, "Creator": "omniroll"},
            "pdf": {"CreationDate": None, "ModDate": None, "Creator": "omniroll"}}


@dataclass(frozen=True)
class Drawn:
    """A figure that was drawn, with the names of its files in the folder."""

    name: str
    files: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Failed:
    """A figure that was not, with the exit code that this deserves."""

    name: str
    reason: str
    code: int


def draw(name: str, results: Results, folder: str, formats: list[str]) -> Drawn:
    """Gets the results, draws the figure and writes its files. Raises Error, Skipped, OSError or Interrupted."""
    needed = [results.get(run) for run in RECIPES[name].runs]
    figure = published.draw(name, *needed)
    files = []
    for kind in formats:
        file = f"{name}.{kind}"
        style: dict[str, Any] = {**STYLE, "svg.hashsalt": name}
        with matplotlib.rc_context(style):
            figure.savefig(os.path.join(folder, file), metadata=METADATA[kind])
        files.append(file)
    return Drawn(name, tuple(files), tuple(findings(name, needed)))
