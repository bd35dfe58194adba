"""The repository's pages, and how one of them becomes a page of the site: links to files, formulas as GitHub writes them, comments."""

from __future__ import annotations

import glob
import json
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATTERNS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md", "studies/*.md",
            "host/*.md", "host/*/*.md", "kernels/*.md", "tests/*/*.md", "tests/*/*/*.md")
FENCE = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"``[^`]+``|`[^`\n]+`")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
NOTE = re.compile(r"^<!-- (?!cards|end of cards).*? -->\n", re.MULTILINE)
MADE = ("gallery/index.md", "reference/names.md", "reference/messages.md", "api/c/index.md", "api/python/index.md")  # pages that the build writes
# Parts of the site, and of each its first pages; the others of its folder follow in the order in which the first page links to them.
PARTS = (
    ("Start", "start/", ()),
    ("How to", "how-to/", ()),
    ("Gallery", "gallery/", ("gallery/index.md",)),
    ("Reference", "reference/", ("reference/index.md", "reference/names.md", "reference/messages.md", "api/python/index.md", "api/c/index.md")),
    ("Explanation", "explanation/", ()),
    ("Evidence", "evidence/", ()),
    ("Development", "development/", ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
)
COMMANDS = ("omniroll", "bash", "sh", "python3", "cmake", "ctest", "pip", "mpirun", "cc", "sudo", "PYTHONPATH=analysis", "export", "git",
            "sbatch", "srun", "tests/", "OCL_ICD_VENDORS")
LANGUAGES = {".json": "json", ".py": "python", ".c": "c", ".h": "c", ".sh": "bash", ".cmake": "cmake", ".cff": "yaml", ".csv": "none"}


def pages() -> list[str]:
    return sorted({os.path.relpath(path, ROOT) for pattern in PATTERNS for path in glob.glob(os.path.join(ROOT, pattern))})


def place(path: str) -> str:
    """Where a file of the repository lies on the site: docs/ is its root."""
    return path.removeprefix("docs/")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def in_order(paths: set[str], folder: str) -> list[str]:
    """Pages of a part: its index, then as the index names them, then by name."""
    index = f"docs/{folder}index.md"
    named = [place(os.path.normpath(os.path.join(os.path.dirname(index), link.partition("#")[0]))) for _, link, _ in LINK.findall(read(index))] \
        if os.path.exists(os.path.join(ROOT, index)) else []
    return sorted(paths, key=lambda path: (path != f"{folder}index.md", named.index(path) if path in named else len(named), path))


def contents(known: set[str]) -> str:
    """The lists of pages beside every page of the site. A page outside of docs/ that no part names is one of development."""
    left = {place(path) for path in known} - {"index.md"}
    found = []
    for title, folder, first in PARTS:
        own = {path for path in left if path.startswith(folder) or (folder == "development/" and path not in first)} - set(first)
        pages_of_part = [*(path for path in first if path in left or path in MADE), *in_order(own, folder)]
        left -= set(pages_of_part)
        if pages_of_part:
            entries = "\n".join(f"/{path.removesuffix('.md')}" for path in pages_of_part)
            found.append(f"```{{toctree}}\n:caption: {title}\n:hidden:\n\n{entries}\n```\n")
    return "\n".join(found)


class Files:
    """Files that pages link to and that are no pages: each gets one that shows it."""

    def __init__(self) -> None:
        self.known: set[str] = set()

    def page_of(self, path: str) -> str:
        self.known.add(path)
        return f"files/{path}.md"

    def write(self, folder: str) -> None:
        for path in sorted(self.known):
            target = os.path.join(folder, "files", path + ".md")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "w", encoding="utf-8") as file:
                file.write(listing(path))


def listing(path: str) -> str:
    head = f"---\norphan: true\nnosearch: true\n---\n\n# {os.path.basename(path)}\n\n"
    full = os.path.join(ROOT, path)
    if os.path.isdir(full):
        names = sorted(name for name in os.listdir(full) if not name.startswith("__"))
        return head + f"The folder `{path}` of the repository:\n\n" + "".join(f"- `{name}`\n" for name in names)
    if path.endswith(".ipynb"):
        return notebook(path)
    language = LANGUAGES.get(os.path.splitext(path)[1], "none")
    return head + f"`{path}` of the repository:\n\n`````{language}\n{read(path).rstrip()}\n`````\n"


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
        there = place(path) if path in known or path.endswith(".png") else files.page_of(path)
        end = f"{hash_}{anchor}" if path in known else ""
        return f"{match.group(1)}{os.path.relpath(there, os.path.dirname(place(page)) or '.')}{end}{match.group(3)}"

    return LINK.sub(lead, text)


def page_of_site(page: str, known: set[str], files: Files) -> str:
    text = read(page)
    text = outside_of_code(text, lambda part: NOTE.sub("", part), inline=True)
    text = outside_of_code(text, fenced, inline=True)
    text = outside_of_code(text, lambda part: re.sub(r"\$`([^`]+)`\$", r"$\1$", part), inline=True)
    text = re.sub(r"^```math$", "```{math}", text, flags=re.MULTILINE)
    text = outside_of_code(text, lambda part: relinked(part, page, known, files), inline=True)
    text = re.sub(r"^<!-- cards -->$(.*?)^<!-- end of cards -->$", r"`````{container} cards\1`````", text, flags=re.MULTILINE | re.DOTALL)
    return text + "\n" + contents(known) if page == "docs/index.md" else text
