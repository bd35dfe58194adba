"""The repository's pages, and how one of them becomes a page of the site: links to files, formulas as GitHub writes them, comments."""

from __future__ import annotations

import glob
import html
import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATTERNS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md", "studies/*.md",
            "host/*.md", "host/*/*.md", "kernels/*.md", "tests/*/*.md", "tests/*/*/*.md")
KATEX = "/usr/share/javascript/katex"  # Debian: libjs-katex
FENCE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"``[^`]+``|`[^`\n]+`")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
NOTE = re.compile(r"^<!-- (?!cards|end of cards).*? -->\n", re.MULTILINE)
MADE = ("gallery/reports.md", "reference/names.md", "reference/messages.md", "evidence/checks.md", "api/c/index.md", "api/python/index.md")  # pages that the build writes
# Parts of the site, and of each its first pages; the others of its folder follow in the order in which the first page links to them.
PARTS = (
    ("Start", "start/", ("start/first-study.md",)),
    ("How to", "how-to/", ()),
    ("Gallery", "gallery/", ("gallery/index.md", "gallery/reports.md")),
    ("Reference", "reference/", ("reference/index.md", "reference/names.md", "reference/messages.md", "api/python/index.md", "api/c/index.md")),
    ("Explanation", "explanation/", ()),
    ("Evidence", "evidence/", ("evidence/checks.md",)),
    ("Development", "development/", ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
)
COMMANDS = ("omniroll", "bash", "sh", "python3", "cmake", "ctest", "pip", "mpirun", "cc", "sudo", "PYTHONPATH=analysis", "export", "git",
            "sbatch", "srun", "tests/", "OCL_ICD_VENDORS")
KEYWORDS: dict[str, dict[str, str]] = {}  # of each page that was read, by heading
FILE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name} - omniroll</title><link rel="stylesheet" href="{top}_static/styles/furo.css"><link rel="stylesheet" href="{top}_static/site.css"></head>
<body data-theme="auto" class="file"><article><p><a href="{top}index.html">omniroll</a></p><h1>{name}</h1>
<p>The {kind} <code>{path}</code> of the repository:</p><div class="highlight"><pre tabindex="0">{text}</pre></div></article></body></html>
"""


def pages() -> list[str]:
    return sorted({os.path.relpath(path, ROOT) for pattern in PATTERNS for path in glob.glob(os.path.join(ROOT, pattern))})


def place(path: str) -> str:
    """Where a file of the repository lies on the site: docs/ is its root."""
    return path.removeprefix("docs/")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def in_order(paths: set[str], folder: str) -> list[str]:
    """Pages of a part: of each folder its index, then as the index names them, then by name."""
    named = []
    found = glob.glob(os.path.join(ROOT, "docs", folder, "**", "index.md"), recursive=True)
    for index in sorted(found, key=lambda path: (path.count(os.sep), path)):
        page = os.path.relpath(index, ROOT)
        links = [os.path.join(os.path.dirname(page), link.partition("#")[0]) for _, link, _ in LINK.findall(read(page))]
        named += [place(page), *(place(os.path.normpath(link)) for link in links)]
    return sorted(paths, key=lambda path: (named.index(path) if path in named else len(named), path))


def parts() -> list[tuple[str, list[str]]]:
    """Title and pages (without .md) of each part. A page outside of docs/ that no part names is one of development."""
    left = {place(path) for path in pages()} - {"index.md"}
    found = []
    for title, folder, first in PARTS:
        own = {path for path in left if path.startswith(folder) or folder == "development/"} - set(first)
        names = [*(path for path in first if path in left or path in MADE), *in_order(own, folder)]
        left -= set(names)
        if names:
            found.append((title, [name.removesuffix(".md") for name in names]))
    return found


def contents() -> str:
    """The lists of pages, as Sphinx wants them."""
    listed = [(title, "".join(f"/{name}\n" for name in names)) for title, names in parts()]
    return "\n".join(f"```{{toctree}}\n:caption: {title}\n:hidden:\n\n{names}```\n" for title, names in listed)


def keywords(text: str) -> dict[str, str]:
    """Words that a comment after a heading gives for its section: <!-- search: WORDS -->."""
    return {title.replace("`", ""): words for title, words in re.findall(r"^#+ (.*)\n\n?<!-- search: (.*?) -->$", text, re.MULTILINE)}


class Files:
    """Files that pages link to and that are no pages: each gets one that shows it; notebooks go through Sphinx."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    def link(self, path: str, folder: str) -> str:
        self.known.add(path)
        return os.path.relpath(f"files/{path}.md", folder or ".") if path.endswith(".ipynb") else f"repository:{path}"

    def write(self, source: str) -> None:
        """The pages that Sphinx reads."""
        for path in self.known:
            if path.endswith(".ipynb"):
                write(os.path.join(source, "files", path + ".md"), notebook(path))

    def show(self, site: str) -> None:
        """The others, into the site."""
        for path in self.known:
            if not path.endswith(".ipynb"):
                write(os.path.join(site, "files", path + ".html"), listing(path))


def write(target: str, text: str) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


def listing(path: str) -> str:
    """A plain page that shows a file, or the names of a folder."""
    full = os.path.join(ROOT, path)
    folder = os.path.isdir(full)
    text = "\n".join(sorted(name for name in os.listdir(full) if not name.startswith("__"))) if folder else read(path).rstrip()
    top = "../" * (path.count("/") + 1)
    return FILE.format(top=top, name=html.escape(os.path.basename(path)), path=html.escape(path), kind="folder" if folder else "file", text=html.escape(text))


def notebook(path: str) -> str:
    """Its texts, code and printed output; pictures are left to the notebook itself."""
    parts = ["---\norphan: true\n---\n"]
    for cell in json.loads(read(path))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        printed = "".join("".join(output["text"]) for output in cell.get("outputs", []) if output.get("output_type") == "stream")
        if printed:
            parts.append(f"```none\n{printed.rstrip()}\n```")
    return "\n\n".join(parts) + f"\n\nThis is the notebook `{path}`, which has the figures too.\n"


def outside_of_code(text: str, change, inline: bool = False) -> str:
    """Applies `change` to what stands outside of fences and, unless inline, of code within lines."""
    pieces, at = [], 0
    for match in list(FENCE.finditer(text)) + [None]:
        part = text[at:match.start() if match else len(text)]
        if inline:
            pieces.append(change(part))
        else:
            last = 0
            for code in INLINE.finditer(part):
                pieces.append(change(part[last:code.start()]) + code.group())
                last = code.end()
            pieces.append(change(part[last:]))
        if match:
            pieces.append(match.group())
            at = match.end()
    return "".join(pieces)


def fenced(text: str) -> str:
    """Indented commands as blocks of a shell, whose comments are then seen as such."""
    out: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        before = lines[at - 1].strip() if at else ""
        if lines[at].startswith("    ") and not before and not within_list(lines, at):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or (not lines[end].strip() and lines[end + 1:end + 2]
                                                                          and lines[end + 1].startswith("    "))):
                end += 1
            block = [line[4:] for line in lines[at:end]]
            kind = "console" if block[0].startswith("$ ") else "bash" if block[0].startswith(COMMANDS) else "none"
            out += [f"```{kind}", *block, "```"]
            at = end
        else:
            out.append(lines[at])
            at += 1
    return "\n".join(out)


def within_list(lines: list[str], at: int) -> bool:
    last = next((line for line in reversed(lines[:at]) if line.strip()), "")
    return bool(re.match(r"\s*([-*]|\d+\.) ", last))


def relinked(text: str, page: str, known: set[str], files: Files) -> str:
    """Links to files lead to the pages that show them, links to a folder to its README.md or index.md; pictures lie where they do."""
    folder = os.path.dirname(page)

    def lead(match: re.Match[str]) -> str:
        target, hash_, anchor = match.group(2).partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return match.group()
        path = os.path.normpath(os.path.join(folder, target))
        if place(path) in MADE:
            return match.group()
        path = next((within for name in ("README.md", "index.md") if (within := os.path.join(path, name)) in known), path)
        if not os.path.exists(os.path.join(ROOT, path)):
            raise SystemExit(f"{page}: there is no {target}")
        where = os.path.dirname(place(page))
        if path not in known and not path.endswith(".png"):
            return f"{match.group(1)}{files.link(path, where)}{match.group(3)}"
        end = f"{hash_}{anchor}" if path in known else ""
        return f"{match.group(1)}{os.path.relpath(place(path), where or '.')}{end}{match.group(3)}"

    return LINK.sub(lead, text)


def page_of_site(page: str, known: set[str], files: Files) -> str:
    text = read(page)
    KEYWORDS[place(page).removesuffix(".md")] = keywords(text)
    text = outside_of_code(text, lambda part: NOTE.sub("", part), inline=True)
    text = outside_of_code(text, fenced, inline=True)
    text = outside_of_code(text, lambda part: re.sub(r"\$`([^`]+)`\$", r"$\1$", part), inline=True)
    text = re.sub(r"^```math$", "```{math}", text, flags=re.MULTILINE)
    text = outside_of_code(text, lambda part: relinked(part, page, known, files), inline=True)
    text = re.sub(r"^<!-- cards -->$(.*?)^<!-- end of cards -->$", r"`````{container} cards\1`````", text, flags=re.MULTILINE | re.DOTALL)
    return text + "\n" + contents() if page == "docs/index.md" else text
