"""Parts of the pictures of scenes: pieces of SVG, and checks of the contents of untrusted files."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence, Tuple

Scene = Mapping[str, Any]
Place = Tuple[float, float]
Paint = Callable[[str], str]

LARGEST = 1e6


@dataclass(frozen=True)
class Panel:
    """One view: its size in px and its contents, as SVG without the element around it."""

    title: str
    width: float
    height: float
    body: str


def number(value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or not low <= value <= high:
        raise ValueError("the scene has a number that cannot be one")
    return float(value)


def items(value: Any, most: int) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)) or len(value) > most:
        raise ValueError("the scene has a list that cannot be one")
    return value


def numbers(value: Any, count: int) -> Sequence[float]:
    """So many numbers."""
    return [number(one) for one in (value if len(items(value, count)) == count else [None])]


def length_words(metres: float) -> str:
    """92.8 mm, 25 cm, 1.5 m."""
    size = abs(metres)
    value, unit = (1e3 * metres, "mm") if size < 0.1 else (1e2 * metres, "cm") if size < 1 else (metres, "m")
    return f"{value:.3g} {unit}"


def words(value: Any) -> str:
    return value[:300] if isinstance(value, str) else ""


def text(value: object) -> str:
    """Escaped, and without characters that XML forbids in a text."""
    return html.escape("".join(c if c in "\t\n" or " " <= c and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff" else "?"
                               for c in str(value)))


def points(places: Sequence[Place]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)


def polygon(places: Sequence[Place], attribute: str) -> str:
    return f'<polygon{attribute} points="{points(places)}"/>'


def line(a: Place, b: Place, attribute: str) -> str:
    return f'<line{attribute} x1="{a[0]:.2f}" y1="{a[1]:.2f}" x2="{b[0]:.2f}" y2="{b[1]:.2f}"/>'


def label(at: Place, words: str, attribute: str, anchor: str = "start") -> str:
    return f'<text{attribute} x="{at[0]:.2f}" y="{at[1]:.2f}" text-anchor="{anchor}">{text(words)}</text>'
