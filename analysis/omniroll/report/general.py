"""What every report has: what the study was, its statistics, the instances that failed, how to reproduce it."""

from __future__ import annotations

from typing import Iterator

from .data import Data
from .page import Section, facts, paragraph, text


def subtitle(data: Data) -> str:
    """The line below the title, as HTML."""
    return paragraph(f"{data.result.instances} instances of {text(data.result.attrs.get('model', '?'))}")


def sections(data: Data) -> Iterator[Section]:
    yield overview(data)


def overview(data: Data) -> Section:
    shown = ("model", "seed", "backend", "device", "precision")
    return Section("The study", facts((name, text(data.result.attrs[name])) for name in shown if name in data.result.attrs))
