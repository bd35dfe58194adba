"""HTML of a report. Everything that comes from a user goes through text()."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from importlib import resources
from typing import Iterable, Sequence

from .policy import classed, policy

MANY = 11  # columns, above which a table has smaller letters on paper


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading and an entry in the contents."""

    title: str
    body: str  # HTML
    script: str = ""  # JavaScript of this section; a script that several sections share stands once in the page
    style: str = ""  # CSS of this section, likewise
    wasm: bool = False  # its script compiles WebAssembly

    @property
    def anchor(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


def text(value: object) -> str:
    """A value as text of HTML."""
    return html.escape(str(value))


def asset(name: str) -> str:
    """A file of this package: style.css, theme.js, ..."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph; `words` is HTML. Kinds: note, warning, failed."""
    return f"<p{_class(kind)}>{words}</p>"


def findings(lines: Iterable[str]) -> str:
    """Lines below an answer, each HTML; empty ones are left out."""
    listed = "".join(f"<li>{line}</li>" for line in lines if line)
    return f'<ul class="findings">{listed}</ul>' if listed else ""


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and their values, side by side (one above the other on a phone); the second is HTML."""
    return "<dl>" + "".join(f"<div><dt>{text(name)}</dt><dd>{value}</dd></div>" for name, value in rows) + "</dl>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (), caption: str = "") -> str:
    """A table that scrolls by itself where it is wider than the page. Cells are HTML; columns of `numbers` are right-aligned."""
    right = set(numbers)
    cell = lambda tag, at, value: f"<{tag}{_class('number' if at in right else '')}>{value}</{tag}>"
    above = f"<caption>{caption}</caption>" if caption else ""
    heading = "".join(cell("th", at, name) for at, name in enumerate(head))
    lines = "".join("<tr>" + "".join(cell("td", at, value) for at, value in enumerate(row)) + "</tr>" for row in rows)
    whole = f"<thead><tr>{heading}</tr></thead><tbody>{lines}</tbody>"
    many = _class("many" if len(head) > MANY else "")
    return f'<div class="scroll" tabindex="0" role="group" aria-label="table"><table{many}>{above}{whole}</table></div>'


def filled_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same without columns that have no value in any row; "" without rows. All but the first are numbers."""
    kept = [at for at in range(len(head)) if any(row[at] != "–" for row in rows)]
    return table([head[at] for at in kept], [[row[at] for at in kept] for row in rows], range(1, len(kept))) if rows else ""


def details(summary: str, body: str, opened: bool = False) -> str:
    """A part that opens on demand; printed it is open."""
    return f"<details{' open' if opened else ''}><summary>{text(summary)}</summary>{body}</details>"


def pictures(*found: str) -> str:
    """Pictures side by side where there is room."""
    return f'<div class="pictures">{"".join(found)}</div>'


def beside(*parts: str) -> str:
    """A picture and the table that explains it, side by side where there is room."""
    return f'<div class="pictures">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def command(line: str) -> str:
    """A command that can be copied; it scrolls by itself where it is wider than the page."""
    return f'<pre tabindex="0"><code>{text(line)}</code></pre>'


def page(title: str, subtitle: str, sections: Sequence[Section], footer: str) -> str:
    """The whole file; subtitle and footer are HTML."""
    contents = "".join(f'<li><a href="#{s.anchor}">{text(s.title)}</a></li>' for s in sections)
    body = "".join(f'<section id="{s.anchor}"><h2>{text(s.title)}</h2>{s.body}</section>' for s in sections)
    body, rules = classed(body)
    style = "".join([asset("style.css"), *_once(s.style for s in sections), rules])
    theme, scripts = asset("theme.js"), _once(s.script for s in sections)
    allowed = policy([theme, *scripts], [style], any(s.wasm for s in sections))
    last = "".join(f"<script>{script}</script>" for script in scripts)
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{allowed}">'
            f"<title>{text(title)}</title>"
            '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
            f"<style>{style}</style><script>{theme}</script></head><body>"
            f'<header><h1>{text(title)}</h1>{subtitle}<button id="theme" type="button" hidden>Dark</button></header>'
            f"<nav><ul>{contents}</ul></nav><main>{body}</main><footer>{footer}</footer>{last}</body></html>\n")


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _once(parts: Iterable[str]) -> list[str]:
    return [part for part in dict.fromkeys(parts) if part]
