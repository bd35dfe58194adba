"""Pictures: a figure of matplotlib as SVG in the page, in the page's colours, light and dark."""

from __future__ import annotations

import io
import itertools
import re
from typing import TYPE_CHECKING, Any, Callable, Iterator

from ..figures.style import COLORS, FAILED, on_page
from .names import in_text
from .page import text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Parts of figures in these colours follow the theme (style.css: --ink, ...); all others, as in colour maps, stay as they are.
THEMED = {
    **{color.lower(): f"var(--series-{at})" for at, color in enumerate(COLORS)},
    FAILED.lower(): "var(--failed)",
    "#000000": "var(--ink)", "#333333": "var(--ink)", "#444444": "var(--ink-2)", "#666666": "var(--ink-2)",
    "#dddddd": "var(--empty)", "#e3e3e3": "var(--grid)", "#ffffff": "var(--paper)",
}
RC: dict[str, Any] = {"svg.fonttype": "none", "font.family": ["sans-serif"], "svg.hashsalt": "omniroll"}
WIDE = 620  # pixels
LARGER = 1.25  # pictures grow so much where there is room: their letters are then as large as the text
_numbers = itertools.count()


def picture(make: Callable[[], Figure], caption: str = "", alt: str = "") -> str:
    """The figure that `make` gives as a <figure> with a caption (plain text). Title and subtitle that figures of this package have on paper
    stand in the caption. Raises Skipped where `make` does."""
    import matplotlib

    from ..figures.room import make_room

    with on_page(), matplotlib.rc_context(RC):
        figure = _renamed(make())
        make_room(figure)
        title, more = in_text(getattr(figure, "page_title", "")), getattr(figure, "page_subtitle", "")
        source = _svg(figure)
    words = caption or more
    head = f"<strong>{text(title)}</strong> " if title else ""
    shown, wide = _scrolled(_labelled(source, alt or f"{title}. {words}"))
    return f'<figure{wide}>{shown}<figcaption>{head}{text(words)}</figcaption></figure>'


def _renamed(figure: Figure) -> Figure:
    """The figure with the study's names."""
    from matplotlib.ticker import FixedLocator

    for part in _texts(figure):
        words = part.get_text()
        if "_" in words:
            part.set_text(in_text(words))
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        chosen = axis.get_major_locator()
        labels = axis.get_major_formatter().format_ticks(chosen.locs) if isinstance(chosen, FixedLocator) else []
        if any("_" in label for label in labels):
            axis.set_ticklabels([in_text(label) for label in labels])
    return figure


def _texts(artist: Any) -> Iterator[Any]:
    """The texts of a figure without the labels of ticks: asking for those makes every tick, which takes as long as drawing it."""
    from matplotlib.axis import Axis
    from matplotlib.text import Text

    for part in artist.get_children():
        if isinstance(part, Axis):
            yield part.label
            continue
        if isinstance(part, Text):
            yield part
        yield from _texts(part)


def _scrolled(source: str) -> tuple[str, str]:
    """A picture too wide for its text to be read on a phone keeps its size there, and scrolls by itself; and its figure's attribute."""
    width = re.search(r"max-width:(\d+)px", source)
    if not width or int(width[1]) <= WIDE * LARGER:
        return source, ""
    sized = source.replace("max-width:", f"min-width:{int(0.85 / LARGER * int(width[1]))}px;max-width:", 1)
    return f'<div class="scroll" tabindex="0" role="group" aria-label="picture">{sized}</div>', ' class="wide"'


def _svg(figure: Figure) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_facecolor("none" if axes.get_facecolor()[:3] == (1.0, 1.0, 1.0) else axes.get_facecolor())
    file = io.StringIO()
    figure.dpi = 160  # of the parts that are drawn in pixels
    FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})  # savefig draws twice
    source = file.getvalue()
    source = re.sub(r"<defs>\s*<style[^>]*>[^<]*</style>\s*</defs>\s*", "", source[source.index("<svg"):])  # style.css has its rule
    return _themed(_renumbered(_shorter(source), next(_numbers)))


def _shorter(source: str) -> str:
    """Places in hundredths of a point: lines of many samples take most of a page."""
    return re.sub(r' (?:d|x|y)="[^"]*"', lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), source)


def _renumbered(source: str, number: int) -> str:
    """Several pictures stand in one page: ids get the number of theirs."""
    source = re.sub(r'\bid="([^"]+)"', rf'id="p{number}-\1"', source)
    source = re.sub(r"url\(#([^)]+)\)", rf"url(#p{number}-\1)", source)
    return re.sub(r'xlink:href="#([^"]+)"', rf'href="#p{number}-\1"', source)


def _themed(source: str) -> str:
    def color(match: re.Match[str]) -> str:
        return THEMED.get(match[0].lower(), match[0])

    def style(match: re.Match[str]) -> str:
        return re.sub(r"#[0-9a-fA-F]{6}\b", color, match[0])

    hatched = re.sub(r'(<rect [^>]*?)fill="(#[0-9a-fA-F]{6})"', r'\1style="fill: \2"', source)  # the ground of hatches
    return re.sub(r'style="[^"]*"', style, hatched)


def _labelled(source: str, alt: str) -> str:
    """With its own size as the largest, read out as one picture."""
    width = re.search(r'<svg[^>]*?width="([\d.]+)pt"', source)
    size = f' style="max-width:{float(width[1]) * 4 / 3 * LARGER:.0f}px"' if width else ""
    source = re.sub(r' (?:width|height)="[\d.]+pt"', "", source, count=2)
    return source.replace("<svg", f'<svg role="img" aria-label="{text(alt)}"{size}', 1)
