"""What the site's search looks through: every section of the pages, and every name of the interfaces, with the words in it. Pages of
development, lists of changes and files are left out. Read by static/search.js."""

from __future__ import annotations

import collections
import json
import os
import re
from typing import Any

import pages
from docutils import nodes
from sphinx import addnodes

WORD = re.compile(r"[^\W_]\w*(?:[.-]\w+)*")
SHOWN = 160  # characters of the first words that a result shows
COMMON = frozenset("a an and are as at be by for from has have in is it its of on or that the their this to was with you".split())

# Words of users, and the pages' word for the same.
ALIKE = {"payload": "load", "incline": "slope", "hill": "slope", "ramp": "slope", "engine": "motor", "accumulator": "battery", "cuda": "gpu",
         "drift": "odometry", "shaking": "vibration", "sbatch": "slurm", "hpc": "cluster", "crash": "fail", "uncertainty": "interval", "urdf": "robot"}

_found: dict[str, list[list[Any]]] = {}


def part_of(page: str) -> int:
    """Number of a page's part of the site, -1 where search leaves it out."""
    if page == "index":
        return 0
    for number, (_, folder, first) in enumerate(pages.PARTS):
        if page.startswith(folder) or f"{page}.md" in first or (folder == "reference/" and page.startswith("api/")):
            return -1 if folder == "development/" else number
    return -1


def words_of(text: str) -> dict[str, int]:
    """How often each word stands there; of a name with dots or underscores each part too."""
    counted: collections.Counter[str] = collections.Counter()
    for word in WORD.findall(text.lower()):
        counted.update({word, *re.split(r"[._-]", word)} - COMMON)
    counted.pop("", None)
    return counted


def own_text(section: nodes.Element) -> str:
    """Text of a section without that of sections and names within it."""
    inner = (nodes.section, nodes.title, addnodes.desc, nodes.raw, nodes.comment)
    return " ".join(child.astext() for child in section.children if not isinstance(child, inner))


def first_words(text: str) -> str:
    text = " ".join(text.split()).removesuffix(" All pages.")
    return text if len(text) <= SHOWN else text[:SHOWN].rsplit(" ", 1)[0] + " …"


def look(page: str, doctree: nodes.document) -> None:
    """Keeps the sections and names of a page: [part, anchor, title, first words, words wanted by a comment, words]."""
    part = part_of(page)
    if part < 0:
        return
    rows: list[list[Any]] = []
    wanted = pages.KEYWORDS.get(page, {})
    for section in doctree.findall(nodes.section):
        title, text = section[0].astext(), own_text(section)
        anchor = "" if not rows else section["ids"][0]
        rows.append([part, anchor, title, first_words(text), wanted.get(title, ""), words_of(f"{title} {text}")])
    for name in doctree.findall(addnodes.desc):
        for signature in name.findall(addnodes.desc_signature):
            if signature["ids"] and signature.parent is name:
                text = name[-1].astext() if isinstance(name[-1], addnodes.desc_content) else ""
                title = signature["ids"][0].removeprefix("c.")
                rows.append([part, signature["ids"][0], title, first_words(text), "", words_of(f"{title} {text}")])
    _found[page] = rows


def add_names(listed: list[dict[str, str]]) -> None:
    """Rows of the table of names (names.py), once each."""
    rows = _found.setdefault("reference/names", [])
    part, seen = part_of("reference/names"), {row[1] for row in rows}
    for row in listed:
        if row["name"] not in seen:
            seen.add(row["name"])
            shown = first_words(f"{row['kind']}: {row['meaning']}")
            rows.append([part, row["name"], row["name"], shown, "", words_of(f"{row['name']} {row['meaning']}")])


def write(folder: str) -> None:
    """_static/sections.js. Words are kept once and named by their numbers."""
    numbers: dict[str, int] = {}
    table = []
    for page in sorted(_found):
        for part, anchor, title, shown, wanted, words in _found[page]:
            counted = [number for word in sorted(words) for number in (numbers.setdefault(word, len(numbers)), words[word])]
            table.append([page, part, anchor, title, shown, wanted, counted])
    titles = {page: rows[0][2] for page, rows in sorted(_found.items()) if rows}
    data = {"words": list(numbers), "alike": ALIKE, "parts": [title for title, _, _ in pages.PARTS], "titles": titles, "sections": table}
    with open(os.path.join(folder, "_static", "sections.js"), "w", encoding="utf-8") as file:
        file.write(f"window.omnirollSections = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n")
