"""Measures how a page is laid out, in a browser: what overflows, is cut, overlaps or is too faint, and pictures with nothing beside them.

    with Browser() as browser:
        found = measure(browser, "report.html", width=390, theme="dark")
        found.wrong()                                   # what is wrong, in words; [] where nothing is
        print(table([found]))

Any page will do: a report, a page of the documentation. Parts that open on demand are opened first. `measure_open` takes a page that is
open already, at another width or theme, which saves loading it again."""

from __future__ import annotations

import os
import pathlib
import re
from dataclasses import dataclass, field
from typing import Any, Iterable

from browser import Browser, Page

WIDTHS = (390, 768, 1280, 1920)  # a phone, a tablet, a laptop, a large screen
THEMES = ("light", "dark")
PAPER = "paper"
A4 = (8.27, 11.69)  # in
MARGIN = 0.4  # in, what a browser leaves by itself
CSS = 96  # px per inch
CONTRAST = 4.5  # WCAG 2.1, 1.4.3 (AA); large text, which needs 3, is counted as half as much again
SMALLEST = {"light": 8.5, "dark": 8.5, PAPER: 7.9}  # px, letters; 7.9 are 6 pt on paper
SCRIPT = pathlib.Path(__file__).with_name("page_checks.js").read_text(encoding="utf-8")
OPEN = "document.querySelectorAll('details').forEach(part => { part.open = true; })"


@dataclass
class Findings:
    """Of one page at one width and theme: lists of what is wrong, each with the element and its words."""

    page: str
    width: int
    theme: str  # light, dark or paper
    overflows: list[str] = field(default_factory=list)  # wider than the page or than its box, and no scroller
    cut: list[str] = field(default_factory=list)  # text that cannot be seen whole
    cueless: list[str] = field(default_factory=list)  # scrollers without a cue, or out of reach of the keyboard
    broken: list[str] = field(default_factory=list)  # words that go on in the next line
    overlaps: list[str] = field(default_factory=list)  # text on text, in pictures too
    crowded: list[str] = field(default_factory=list)  # labels of an axis with less than a blank between them
    halves: list[str] = field(default_factory=list)  # pictures with nothing in a half
    faint: list[str] = field(default_factory=list)  # contrast below WCAG AA
    empty: list[str] = field(default_factory=list)  # pictures narrower than 60 % of the page with nothing beside them
    contrast: float = 21.0  # the lowest
    faintest: str = ""
    smallest: float = 99.0  # px, letters
    smallest_where: str = ""
    texts: int = 0  # pieces of text that were looked at
    height: int = 0  # px

    def wrong(self) -> list[str]:
        """Everything that is wrong, in words."""
        parts = {"overflows": self.overflows, "is cut": self.cut, "scrolls without a cue": self.cueless, "is broken": self.broken,
                 "overlaps": self.overlaps, "runs into the next": self.crowded, "is half empty": self.halves,
                 "is faint": self.faint, "stands alone": self.empty}
        found = [f"{self.page}, {self.width} px, {self.theme}: {what}: {each}" for what, several in parts.items() for each in several]
        if self.smallest < SMALLEST[self.theme]:
            found.append(f"{self.page}, {self.width} px, {self.theme}: is {self.smallest} px small: {self.smallest_where}")
        if not self.texts:
            found.append(f"{self.page}: has no text")
        return found


def measure(browser: Browser, path: str | os.PathLike[str], width: int, theme: str = "light", name: str = "") -> Findings:
    """Opens a page and measures it. Themes: light, dark; paper measures what is printed, at the width of A4 between its margins."""
    page = browser.open(path, width=width)
    try:
        return measure_open(page, width, theme, name or pathlib.Path(path).stem)
    finally:
        page.close()


def measure_open(page: Page, width: int, theme: str, name: str) -> Findings:
    """The same of a page that is open."""
    paper = theme == PAPER
    if paper:
        width = round((A4[0] - 2 * MARGIN) * CSS)
    page.resize(width, 900)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if theme == "dark" else "light"}
    page.call("Emulation.setEmulatedMedia", media="print" if paper else "", features=[scheme])
    page.value(OPEN)
    return Findings(name, width, theme, **page.value(f"({SCRIPT.strip()})({str(paper).lower()})"))


def measure_all(browser: Browser, path: str | os.PathLike[str], name: str = "", widths: Iterable[int] = WIDTHS) -> list[Findings]:
    """At every width, light and dark, and on paper."""
    page, name = browser.open(path), name or pathlib.Path(path).stem
    try:
        found = [measure_open(page, width, theme, name) for width in widths for theme in THEMES]
        return [*found, measure_open(page, 0, PAPER, name)]
    finally:
        page.close()


def sheets(pdf: str | os.PathLike[str]) -> int:
    """How many pages a PDF of the browser has."""
    return len(re.findall(rb"/Type\s*/Page\b", pathlib.Path(pdf).read_bytes()))


def table(found: Iterable[Findings]) -> str:
    """A line for each page, width and theme."""
    head = f"{'page':<16} {'width':>5} {'theme':<6} {'overflow':>8} {'cut':>4} {'no cue':>6} {'broken':>6} {'overlap':>7} {'crowded':>7} " \
        f"{'half':>4} {'faint':>5} {'alone':>5} " \
        f"{'contrast':>8} {'letters':>7} {'texts':>6}"
    rows = [f"{each.page:<16} {each.width:>5} {each.theme:<6} {len(each.overflows):>8} {len(each.cut):>4} {len(each.cueless):>6} "
            f"{len(each.broken):>6} {len(each.overlaps):>7} {len(each.crowded):>7} {len(each.halves):>4} "
            f"{len(each.faint):>5} {len(each.empty):>5} {each.contrast:>8.2f} {each.smallest:>7.1f} {each.texts:>6}"
            for each in found]
    return "\n".join([head, *rows])


def main(arguments: list[str]) -> int:
    """python3 tests/analysis/page_checks.py PAGE.html ...: the table, and what is wrong."""
    with Browser() as browser:
        found: list[Any] = [each for path in arguments for each in measure_all(browser, path)]
    print(table(found))
    wrong = [words for each in found for words in each.wrong()]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    import sys

    sys.exit(main(sys.argv[1:]))
