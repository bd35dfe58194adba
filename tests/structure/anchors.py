"""Do equations and code lead to each other?   anchors.py ROOT

kernels/PHYSICS.md is the only page of physics. Each of its sections but WITHOUT_CODE ends with a line "In the code:" that names the
files which hold its formulas, as links, and behind each file the functions. A named function is in that file, and its comment cites the
section (PHYSICS.md#ANCHOR). Every function that the page names stands in one of the lines. Every citation in code, tests and
analysis has its heading. Nothing cites documents that a reader cannot get.
"""
import pathlib
import re
import sys

CITED = {"PHYSICS.md": "kernels/PHYSICS.md", "NUMERICS.md": "host/NUMERICS.md"}
CITATION = re.compile(r"\b(PHYSICS|NUMERICS)\.md#([a-z0-9-]+)")
FILE = re.compile(r"\[`?([\w./]+)`?\]\(([\w./]+)\): ((?:`\w+\(\)`(?:, )?)+)")
# What the first form was built from, and numbers of sections in place of anchors.
UNAVAILABLE = re.compile(r"(?<![\w/])(?:physics|architecture|accuracy|edges|house)\.md|shared/design|"
                         r"sections? \d+(?: to \d+)? of (?:kernels/)?PHYSICS\.md|PHYSICS\.md, sections? \d|PHYSICS\.md#[a-z0-9-]+ (?:and|to) \d")
WITHOUT_CODE = "16. Where this differs from the sources", "17. What is idealised, what is not checked"
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
    known = {page: headings(root / path) for page, path in CITED.items()}
    for path, text in files.items():
        joined = flat(text)
        for page, name in CITATION.findall(joined):
            if name not in known[page + ".md"]:
                yield f"{path}: {page}.md has no heading #{name}"
        for match in UNAVAILABLE.finditer(joined):
            yield f"{path}: cites what a reader cannot get, or a number in place of an anchor: {match[0]}"


def wrong_sections(root, files):
    page = (root / "kernels/PHYSICS.md").read_text(encoding="utf-8")
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = section.split("\n", 1)[0]
        lines = re.findall(r"^In the code: (.*)$", section, re.MULTILINE)
        if title in WITHOUT_CODE:
            continue
        if len(lines) != 1:
            yield f"PHYSICS.md, {title}: {len(lines)} lines \"In the code:\", one is wanted"
            continue
        placed = set()
        for _, link, functions in FILE.findall(lines[0]):
            path = pathlib.Path("kernels", link)
            path = pathlib.Path(*path.parts[2:]) if ".." in path.parts else path
            if path not in files:
                yield f"PHYSICS.md, {title}: there is no {path}"
                continue
            for function in re.findall(r"`(\w+)\(\)`", functions):
                placed.add(function)
                comment = comment_of(files[path], function)
                if comment is None:
                    yield f"PHYSICS.md, {title}: {path} has no function {function}()"
                elif f"PHYSICS.md#{anchor(title)}" not in flat(comment):
                    yield f"{path}: the comment above {function}() does not cite PHYSICS.md#{anchor(title)}"
        if not placed:
            yield f"PHYSICS.md, {title}: its line \"In the code:\" names no function"
        for function in sorted(set(re.findall(r"`(\w+)\(\)`", section)) - placed):
            yield f"PHYSICS.md, {title}: {function}() stands in the text, but not behind a file of the line \"In the code:\""


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = dict(sources(root))
    wrong = [*wrong_citations(root, files), *wrong_sections(root, files)]
    for line in wrong:
        print(line)
    cited = sum(len(CITATION.findall(flat(text))) for text in files.values())
    print(f"{len(files)} files, {cited} citations of {' and '.join(CITED)}, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
