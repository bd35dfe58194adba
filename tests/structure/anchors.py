"""Do equations and code lead to each other?   anchors.py ROOT

docs/explanation/appendix holds the physics. Each of its sections (##, those of index.md apart) ends with a table "| code | functions |" of
files, as links, and the functions that hold its formulas. A named function is in that file, and its comment cites the section
(appendix/PAGE.md#ANCHOR). Every function that a section names stands in its table, and every formula of its own lines is followed by the
test that holds it, before the next one. Every citation in code, tests and analysis has its heading. Nothing cites documents that a
reader cannot get. A file of C that a comment or a page of host/ and kernels/ names is there.
"""
import pathlib
import re
import sys

PAGES = "docs/explanation"
CITATION = re.compile(r"\b(appendix|explanation)/([\w-]+\.md)(?:#([a-z0-9-]+))?")
ROW = re.compile(r"^\| \[[\w./]+\]\(([\w./]+)\) \| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"`\w+::\w+`")
# What the first form was built from, pages that are no more, and numbers of sections in place of anchors.
UNAVAILABLE = re.compile(r"(?<![\w/])(?:physics|architecture|accuracy|edges|house)\.md|shared/design|\b(?:PHYSICS|NUMERICS)\.md|"
                         r"(?:appendix|explanation)/[\w-]+\.md, sections? \d")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NAMED = re.compile(r"(?<![\w.])(?:[\w-]+/)*([a-z][a-z0-9_]+\.(?:c|h|def))\b")
# Of the language, made by the build, written for a run, or placeholders of a kind of file.
NO_FILES = {"words.h", "name.def", "kernel.c", "math.h", "stdint.h", "limits.h", "string.h"}
TEXT = (".c", ".h", ".cl", ".def", ".py", ".sh", ".cmake")


def anchor(heading):
    """The anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower(), flags=re.UNICODE).replace(" ", "-")


def headings(path):
    return {anchor(h): h for h in re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)}


def sources(root):
    for folder in ("kernels", "host", "tests", "analysis", "cmake"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in TEXT and path.name != "anchors.py":
                yield path.relative_to(root), path.read_text(encoding="utf-8", errors="replace")


def comment_of(text, function):
    """The comment right above the function's body; None where the text has no such function."""
    found = re.search(r"^[A-Za-z_][\w *]*?[ *]" + function + r"\([^;{}]*\)\s*\{", text, re.MULTILINE)
    if not found:
        return None
    head = text[: found.start()]
    return head[head.rindex("/*") :] if head.endswith("*/\n") else ""


def flat(text):
    """Comments without the stars at the starts of their lines, so that a citation that is broken by one is found."""
    return re.sub(r"\n\s*\*\s?", " ", text)


def wrong_citations(root, files):
    known = {}
    for path, text in files.items():
        joined = flat(text)
        for folder, page, name in CITATION.findall(joined):
            cited = root / PAGES / ("appendix" if folder == "appendix" else "") / page
            if cited not in known:
                known[cited] = headings(cited) if cited.exists() else None
            if known[cited] is None:
                yield f"{path}: there is no {folder}/{page}"
            elif name and name not in known[cited]:
                yield f"{path}: {folder}/{page} has no heading #{name}"
        for match in UNAVAILABLE.finditer(joined):
            yield f"{path}: cites a page that a reader cannot get, or a number in place of an anchor: {match[0]}"


def wrong_names(root, files):
    """Comments and pages of the program that name a file which is not there."""
    there = {path.name for path in files} | NO_FILES | {path.name for path in (root / "docs").rglob("*.c")}
    pages = [path.relative_to(root) for room in ("host", "kernels") for path in sorted((root / room).rglob("*.md"))]
    texts = {path: (root / path).read_text(encoding="utf-8") for path in pages}
    for path, text in files.items():
        if path.parts[0] in ("host", "kernels"):
            texts[path] = "\n".join(COMMENT.findall(text))
    for path, text in texts.items():
        for match in NAMED.finditer(text):
            if match[1] not in there:
                yield f"{path}: names {match[0]}, which is not there"


def wrong_formulas(place, section):
    """Formulas that no test follows before the next one."""
    parts = re.split(r"^```math\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)
    for formula, after in zip(parts[1::2], parts[2::2]):
        if not TEST.search(after):
            yield f"{place}: no test is named behind the formula {formula.strip()[:60]}"


def wrong_functions(place, section, cites, files):
    placed = set()
    for link, functions in ROW.findall(section):
        path = pathlib.Path(re.sub(r"^(\.\./)+", "", link))
        if path not in files:
            yield f"{place}: there is no {path}"
            continue
        for function in re.findall(r"`(\w+)\(\)`", functions):
            placed.add(function)
            comment = comment_of(files[path], function)
            if comment is None:
                yield f"{place}: {path} has no function {function}()"
            elif not re.search(re.escape(cites) + r"(?![a-z0-9-])", flat(comment)):
                yield f"{path}: the comment above {function}() does not cite {cites}"
    if not placed:
        yield f"{place}: it has no table \"| code | functions |\" that names a function"
    for function in sorted(set(re.findall(r"`(\w+)\(\)`", section)) - placed):
        yield f"{place}: {function}() stands in the text, but not in the table"


def wrong_sections(root, files):
    for page in sorted((root / PAGES / "appendix").glob("*.md")):
        if page.name == "index.md":
            continue
        for section in re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title = section.split("\n", 1)[0]
            place = f"appendix/{page.name}, {title}"
            yield from wrong_formulas(place, section)
            yield from wrong_functions(place, section, f"appendix/{page.name}#{anchor(title)}", files)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = dict(sources(root))
    wrong = [*wrong_citations(root, files), *wrong_sections(root, files), *wrong_names(root, files)]
    for line in wrong:
        print(line)
    cited = sum(len(CITATION.findall(flat(text))) for text in files.values())
    print(f"{len(files)} files, {cited} citations of {PAGES}, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
