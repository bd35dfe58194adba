"""Pages that the program writes: every name that a study or a result may have, in one table to filter, and every code of a message. Rows come
from `omniroll describe MODEL --json`, so that a row of host/lists/ is here without an edit. An anchor is the name itself."""

from __future__ import annotations

import html
import json
import os
import re
from typing import Any

from pages import ROOT

# Tables of describe and what a row of them is; "of" a section where the row does not say it itself. Tables that are no names of anything
# (frames and what they turn, classes) are left out, codes of messages have a page of their own.
KINDS = {"sections": "section", "parameters": "parameter", "wheel_parameters": "wheel parameter", "words": "word of a parameter", "laws": "law of contact",
         "law_words": "word of a law", "drives": "drive", "commands": "command", "replay_keys": "key", "externals": "external force", "grounds": "ground",
         "patches": "patch of floor", "spins": "roller spin", "vary_keys": "key of vary", "draws": "distribution", "designs": "design",
         "design_keys": "key of design", "data_keys": "key", "calibrate_keys": "key of calibrate", "excite_keys": "key of excite", "manoeuvres": "manoeuvre",
         "integrator_keys": "key of integrator", "methods": "method", "stability": "word of integrator.stability", "on_failure": "word of on_failure",
         "output_keys": "key of output", "trajectories_keys": "key of output.trajectories", "observables": "observable", "samples": "sample",
         "wheel_samples": "sample of a wheel", "wheel_shapes": "number of a wheel", "reference_samples": "sample of the reference",
         "statistics": "key of statistics", "stop": "key of statistics.stop", "engine_keys": "key of engine", "backends": "backend"}
CODES = {"doubts": ("Warnings", "A warning begins with its code: the study runs, but hardly as it is meant. `omniroll validate` prints them before a run."),
         "mistakes": ("Mistakes in a study", "`omniroll validate --json` and the exceptions of Python give the code of each mistake with its place."),
         "statuses": ("What became of an instance", "The status of each instance in a result, and the reasons in the report's section on failures.")}


def tables() -> dict[str, dict[str, list[dict[str, Any]]]]:
    """By model, what the program says of it."""
    import omniroll

    return omniroll.describe()


def name_of(kind: str, row: dict[str, Any]) -> str:
    name = str(row["name"])
    if row.get("of"):
        return f"{row['of']}.{name}"
    return f"wheel.{name}" if kind == "wheel_parameters" else name


def bounds(row: dict[str, Any]) -> str:
    """What a value may be, as it is said in a cell."""
    if row.get("values"):
        return str(row["values"])
    low, high = row.get("low"), row.get("high")
    if low is None and high is None:
        return ""
    if high is None:
        return f"{'>' if row.get('low_open') else '≥'} {low:g}"
    return f"{'above ' if row.get('low_open') else ''}{low:g} to {high:g}" if low is not None else f"≤ {high:g}"


def rows(found: dict[str, dict[str, list[dict[str, Any]]]]) -> list[dict[str, str]]:
    """A row for each kind and name, with the models that have it; meanings that differ make rows of their own."""
    made: dict[tuple[str, ...], list[str]] = {}
    for model, about in found.items():
        for kind, word in KINDS.items():
            for row in about.get(kind, []):
                default = row.get("default")
                cells = (name_of(kind, row), word, str(row.get("unit") or "").removeprefix("1") if row.get("unit") != "1" else "",
                         "" if default is None else f"{default:g}" if isinstance(default, float) else str(default), bounds(row), str(row.get("meaning", "")))
                made.setdefault(cells, []).append(model)
    titles = ("name", "kind", "unit", "default", "values", "meaning")
    return sorted(({**dict(zip(titles, cells)), "models": "all" if len(models) == len(found) else ", ".join(models)} for cells, models in made.items()),
                  key=lambda row: (row["name"].lower(), row["kind"]))


def marked(text: str) -> str:
    """Plain text with code between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def broken(name: str) -> str:
    """A long name breaks at its dots and underscores."""
    return re.sub(r"([._])", r"\1<wbr>", html.escape(name))


def table(listed: list[dict[str, str]]) -> str:
    seen: set[str] = set()
    lines = []
    for row in listed:
        anchor = "" if row["name"] in seen else f' id="{html.escape(row["name"])}"'
        seen.add(row["name"])
        facts = ", ".join(part for part in (row["unit"], f"default {row['default']}" if row["default"] else "", row["values"]) if part)
        lines.append(f'<tr{anchor}><td><code>{broken(row["name"])}</code><br><small>{row["kind"]}</small></td><td>{marked(row["meaning"])}'
                     f'<br><small>{html.escape(facts)}{" · " if facts else ""}{html.escape(row["models"])}</small></td></tr>')
    return "\n".join(lines)


LISTED: list[dict[str, str]] = []  # the rows of the page, for the search


def names_page(found: dict[str, dict[str, list[dict[str, Any]]]]) -> str:
    listed = rows(found)
    LISTED[:] = listed
    return f"""# Every name in one table

{len(listed)} names of studies and results: parameters, keys, words, observables, samples. Type some letters of a name or of its meaning.
`omniroll describe --search WORD` looks in the same rows, and `names.html#wheel.friction` leads to one.

```{{raw}} html
<p><input id="names-filter" type="search" placeholder="friction, slope, motor …" aria-label="filter" autocomplete="off"> <span id="names-count">{len(listed)}</span></p>
<table id="names"><thead><tr><th>name</th><th>meaning, unit, default, values, models</th></tr></thead><tbody>
{table(listed)}
</tbody></table>
```
"""


def messages_page(found: dict[str, dict[str, list[dict[str, Any]]]]) -> str:
    parts = ["# Codes of messages\n\nEvery warning, mistake and status has a code. Messages name it, with the place and what to do."]
    for kind, (title, words) in CODES.items():
        listed: dict[str, str] = {}
        for about in found.values():
            listed.update({str(row["name"]): str(row["meaning"]) for row in about.get(kind, [])})
        parts.append(f"## {title}\n\n{words}")
        parts += [f"### {name}\n\n{meaning[:1].upper()}{meaning[1:]}." for name, meaning in listed.items()]
    with open(os.path.join(ROOT, "analysis", "omniroll", "lists.json"), encoding="utf-8") as file:
        errors = json.load(file)["errors"]
    parts.append("## Exit codes\n\nThe program ends with one of these; in Python each is an exception.\n\n| code | word |\n|---|---|\n"
                 + "\n".join(f"| {row['code']} | `{row['name']}` |" for row in errors))
    return "\n\n".join(parts) + "\n"


def pages() -> dict[str, str]:
    """{page: text}."""
    found = tables()
    return {"reference/names.md": names_page(found), "reference/messages.md": messages_page(found)}
