"""index.html: the figures with what their papers say, in one file that needs nothing else."""

from __future__ import annotations

import base64
import datetime
import json
import os
from typing import Sequence

import omniroll
from omniroll.figures.style import STYLE as FIGURE_STYLE
from omniroll.whole_files import replacing
from omniroll.report.page import Section, command, page, paragraph, table, text

from .drawing import Drawn, Failed
from .findings import AGREES, DIFFERS, Finding
from .recipes import RECIPES, Run
from .results import Results
from .sources import PAPER_FIGURES, SOURCES, PaperFigure, Source, figures_of, shows, source_of

SCREEN = 100  # dots per inch that figures are shown with
PNG_RESOLUTION = int(str(FIGURE_STYLE["savefig.dpi"]))
MIME = {"png": "image/png", "svg": "image/svg+xml"}
STYLE = """
.paper { background: #fff; border-radius: 0.4rem; display: block; max-width: 100%; height: auto; margin: 0 auto; }
.agrees { white-space: nowrap; } .differs { color: var(--failed); font-weight: 600; white-space: nowrap; } .told { color: var(--ink-2); }
td:not(.number), td:first-child:not(.number) { min-width: 0; }
.drawn { border-top: 1px solid var(--grid); margin-top: 1.8rem; }
.drawn h3 { font-size: 1.05rem; }
@media (min-width: 100rem) { .drawn > figure { display: grid; grid-template-columns: auto minmax(16rem, 1fr); gap: 1.6rem; align-items: center; }
  .drawn > figure > .paper { max-width: 60rem; } }
@media (max-width: 40rem) { .findings table, .findings tbody, .findings tr, .findings td { display: block; border: 0; padding: 0; }
  .findings thead { display: none; } .findings tr { border-bottom: 1px solid var(--grid); padding: 0.4rem 0; }
  .findings td:first-child { font-weight: 600; } .findings td:nth-child(2)::before { content: "Paper: "; color: var(--ink-2); }
  .findings td:nth-child(3)::before { content: "Here: "; color: var(--ink-2); } }
"""


def write_page(folder: str, drawn: Sequence[Drawn], failed: Sequence[Failed], results: Results, quick: bool) -> str:
    """Writes index.html, whole or not at all, and gives its path."""
    sections = [_overview(drawn, failed)]
    for source in SOURCES.values():
        own = [figure for figure in drawn if source_of(figure.name) == source.number]
        sections.append(_source(source, own, drawn, folder, results))
    fewer = ", the long ones with fewer instances (--quick)" if quick else ""
    subtitle = paragraph(f"Drawn from the ready studies of omniroll{fewer}.")
    made = page("Figures of the source papers", subtitle, sections, _footer())
    path = os.path.join(folder, "index.html")
    with replacing(path) as file:
        file.write(made)
    return path


def _footer() -> str:
    return f"omniroll {text(omniroll.version())}, {datetime.date.today().isoformat()}. To draw them again: <code>omniroll figures</code>"


def _overview(drawn: Sequence[Drawn], failed: Sequence[Failed]) -> Section:
    body = paragraph("Every number in the tables is computed from the results when the page is made. The papers print few numbers: "
                     "what a study assumes in their place is said below its figure, and the studies say the values. Where the engine and "
                     "a paper differ, the table says so.")
    rows = [[f'<a href="#{figure.name}">{text(figure.name)}</a>', text(figures_of(figure.name)), _verdicts(figure)] for figure in drawn]
    body += table(["Figure", "Reproduces", "Result"], rows)
    if failed:
        body += paragraph("Not drawn:", "failed")
        body += table(["Figure", "Reason"], [[text(figure.name), text(figure.reason)] for figure in failed])
    return Section("Overview", body, style=STYLE)


def _verdicts(figure: Drawn) -> str:
    """How many findings agree and how many differ."""
    judged = [finding.verdict for finding in figure.findings]
    agree, differ = judged.count(AGREES), judged.count(DIFFERS)
    parts = []
    if agree:
        parts.append(f"{agree} agree{'s' if agree == 1 else ''}")
    if differ:
        parts.append(f'<span class="differs">{differ} differ{"s" if differ == 1 else ""}</span>')
    return ", ".join(parts) or '<span class="told">nothing to compare with</span>'


def _source(source: Source, own: Sequence[Drawn], drawn: Sequence[Drawn], folder: str, results: Results) -> Section:
    link = f' <a href="{text(source.url)}">{text(source.url)}</a>' if source.url else ""
    body = paragraph(text(source.full) + link)
    there = {figure.name for figure in drawn}
    rows = [[text(_paper_name(figure)), text(figure.shows), _reproduced(figure, there)] for figure in PAPER_FIGURES
            if figure.source == source.number]
    body += table(["In the paper", "What it shows", "Here"], rows)
    body += "".join(_figure(figure, folder, results) for figure in own)
    return Section(f"Source {source.number}: {source.short}", body)


def _paper_name(figure: PaperFigure) -> str:
    return f"Fig. {figure.figure}" if figure.figure.isdigit() else figure.figure.capitalize()


def _reproduced(figure: PaperFigure, there: set[str]) -> str:
    if not figure.drawn:
        return f'<span class="told">no: {text(figure.why)}</span>'
    words = ", ".join(f'<a href="#{name}">{name}</a>' if name in there else f"{name} (not drawn this time)" for name in figure.drawn)
    return words + (f" ({text(figure.why)})" if figure.why else "")


def _figure(figure: Drawn, folder: str, results: Results) -> str:
    """Heading, picture with caption, numbers, and how to draw it alone."""
    recipe = RECIPES[figure.name]
    files = ", ".join(f'<a href="{file}">{file}</a>' for file in figure.files)
    where = text(figures_of(figure.name)).capitalize()
    return (f'<div class="drawn" id="{figure.name}"><h3>{where}: {text(shows(figure.name))}</h3>'
            f"<figure>{_picture(figure, folder)}<figcaption><strong>{text(figure.name)}</strong> {where}. {files}"
            f'</figcaption></figure><div class="findings">{_table(figure.findings)}</div>'
            + paragraph(f"Assumed, since the paper does not print it: {text(recipe.assumed)}. {_runs(recipe.runs, results)}", "note")
            + command(f"omniroll figures {figure.name}") + "</div>")


def _table(found: Sequence[Finding]) -> str:
    kinds = {AGREES: "agrees", DIFFERS: "differs"}
    rows = [[text(finding.quantity), text(finding.paper), text(finding.here),
             f'<span class="{kinds.get(finding.verdict, "told")}">{text(finding.verdict)}</span>'] for finding in found]
    return table(["Quantity", "Paper", "Here", ""], rows)


def _runs(runs: Sequence[Run], results: Results) -> str:
    """The runs, with what was changed in the ready study."""
    parts = []
    for run in runs:
        changes = run.set(results.quick)
        words = [f"{member} = {json.dumps(value, ensure_ascii=False)}" for member, value in changes.items()]
        if run.tolerance is not None:
            words.append(f"on the reference with a relative tolerance of {run.tolerance:g}")
        if run.bench:
            words.append(f"its motion, measured by omniroll bench --section {run.bench}")
        parts.append(f"<code>studies/{text(run.study)}.json</code>" + (f" ({text('; '.join(words))})" if words else ""))
    return ("Study: " if len(runs) == 1 else "Studies: ") + ", ".join(parts) + "."


def _size(content: bytes) -> str:
    """Of a PNG file, so that all have letters of the same size; its size in pixels stands in the bytes 16 to 23."""
    if not content.startswith(b"\x89PNG"):
        return ""
    across, down = (round(int.from_bytes(content[at:at + 4], "big") * SCREEN / PNG_RESOLUTION) for at in (16, 20))
    return f'width="{across}" height="{down}"'


def _picture(figure: Drawn, folder: str) -> str:
    """Inside the page where a browser can show it."""
    shown = [file for kind in ("png", "svg") for file in figure.files if file.endswith(f".{kind}")]
    if not shown:
        return paragraph(f'<a href="{figure.files[0]}">{text(figure.files[0])}</a>')
    with open(os.path.join(folder, shown[0]), "rb") as file:
        content = file.read()
    data = base64.b64encode(content).decode()
    mime = MIME[shown[0].rsplit(".", 1)[1]]
    return f'<img class="paper" {_size(content)} alt="{text(shows(figure.name))}" src="data:{mime};base64,{data}">'
