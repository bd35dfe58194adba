"""Pages of the C interface, made of host/include/omniroll/*.h: what stands above a declaration is its text. The comments are plain
English, so that nothing in them needs a marker; tests/analysis/test_site.py holds the pages to tests/install/interface.txt."""

from __future__ import annotations

import glob
import os
import re
from dataclasses import dataclass

from pages import ROOT

FOLDER = os.path.join(ROOT, "host", "include", "omniroll")
ORDER = ("base", "study", "run", "batch", "result", "evaluate", "calibrate", "excite", "reference", "machine", "program")
PIECE = re.compile(r"""
    (?P<comment>/\*.*?\*/[ ]*\n)
  | (?P<define>\#[ ]*define(?:[^\n\\]|\\\n|\\.)*\n)
  | (?P<other>\#[^\n]*\n)
  | (?P<body>typedef[ ](?:struct|enum)[ ]\w+[ ]\{.*?\n\}[ ]\w+;\n | enum[ ]\{.*?\};\n)
  | (?P<plain>(?:OMR_API|typedef)\b[^;{]*;\n)
  | (?P<blank>[ \t]*\n)
  | (?P<cplusplus>extern[ ]"C"[ ]\{\n|\}\n)""", re.VERBOSE | re.DOTALL)


@dataclass
class Item:
    kind: str  # prose, function, struct, enum, type, macro
    name: str
    code: str
    text: str


def unwrapped(comment: str) -> list[str]:
    """Paragraphs of a comment."""
    inner = re.sub(r"^ ?\* ?", "", comment.strip()[2:-2], flags=re.MULTILINE)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", inner) if part.strip()]


def of_declaration(code: str, text: str) -> Item:
    if match := re.match(r"typedef (struct|enum) (\w+) \{", code):
        return Item(match[1], match[2], code, text)
    if code.startswith("enum"):
        return Item("enum", "", code, text)
    if code.startswith("#"):
        return Item("macro", re.match(r"#\s*define (\w+)", code)[1], code, text)  # type: ignore[index]
    if match := re.match(r"typedef struct (\w+) \1;", code):
        return Item("type", match[1], code, text)
    name = re.search(r"(\w+)\(", code)[1]  # type: ignore[index]
    return Item("callback" if code.startswith("typedef") else "function", name, code, text)


def items(path: str) -> list[Item]:
    """What a header says and declares, in its order."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.DOTALL)
    text = re.sub(r"#if defined\(__GNUC__\).*?#endif\n", "", text, flags=re.DOTALL)  # OMR_API and OMR_FORMAT
    found: list[Item] = []
    waiting: list[str] = []
    at = 0
    while at < len(text):
        match = PIECE.match(text, at)
        if not match:
            raise SystemExit(f"{path}: no declaration that this reader knows: {text[at:at + 80]!r}")
        at = match.end()
        if match["comment"]:
            found += [Item("prose", "", "", part) for part in waiting]
            waiting = unwrapped(match["comment"])
        elif match["body"] or match["plain"] or match["define"]:
            code = match.group().strip()
            if code.startswith("#") and re.fullmatch(r"#define OMNIROLL_\w+_H", code):
                continue
            found += [Item("prose", "", "", part) for part in waiting[:-1]]
            found.append(of_declaration(code, waiting[-1] if waiting else ""))
            waiting = []
        elif match["blank"] or match["other"]:
            found += [Item("prose", "", "", part) for part in waiting]
            waiting = []
    return found


class Names:
    """Which role leads to a name of the interface."""

    def __init__(self, headers: dict[str, list[Item]]) -> None:
        kinds = {"function": "c:func", "struct": "c:struct", "enum": "c:enum", "type": "c:type", "callback": "c:type", "macro": "c:macro"}
        self.roles = {item.name: kinds[item.kind] for header in headers.values() for item in header if item.name}

    def markdown(self, text: str) -> str:
        """A sentence of a comment: names lead to their places, code is code, the rest as it stands."""
        out, at = [], 0
        for match in re.finditer(r"`[^`]+`|(?<![\w*])\*+[a-z]\w*|\b(?:omr|OMR)_\w+", text):
            out.append(re.sub(r"([\\*_<>\[\]{}|#$])", r"\\\1", text[at:match.start()]))
            word = match.group().strip("`")
            out.append(f"{{{self.roles[word]}}}`{word}`" if word in self.roles else f"`{word}`")
            at = match.end()
        return "".join(out) + re.sub(r"([\\*_<>\[\]{}|#$])", r"\\\1", text[at:])


def shown(item: Item, names: Names) -> str:
    text = names.markdown(item.text)
    if item.kind == "prose":
        return text
    code = f"```c\n{item.code}\n```"
    if item.kind == "function":
        signature = " ".join(re.sub(r"\bOMR_API |\s*OMR_FORMAT\(.*?\)(?=;)", "", item.code).rstrip(";").split())
        return f"::::{{c:function}} {signature}\n{text}\n::::"
    if item.kind == "callback":
        return f"::::{{c:type}} {' '.join(item.code.removeprefix('typedef ').rstrip(';').split())}\n{text}\n::::"
    if item.kind == "enum" and not item.name:
        return f"{text}\n\n{code}"
    if item.kind == "macro":
        return f"::::{{c:macro}} {item.name}\n{text}\n\n{code}\n::::"
    if item.kind == "type":
        return f"::::{{c:type}} {item.name}\n{text}\n::::"
    return f"::::{{c:{item.kind}}} {item.name}\n{text}\n\n{code}\n::::"


def pages() -> dict[str, str]:
    """Path of a page below the site's root: its text."""
    headers = {name: items(os.path.join(FOLDER, f"{name}.h")) for name in ORDER}
    assert sorted([*ORDER, "omniroll"]) == sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(FOLDER, "*.h")))
    names = Names(headers)
    made: dict[str, str] = {}
    rows = []
    for name, found in headers.items():
        title, _, rest = found[0].text.partition(": ")
        title = title if rest and len(title) < 40 else name
        body = "\n\n".join(shown(item, names) for item in found)
        made[f"api/c/{name}.md"] = f"# {title}: `{name}.h`\n\n{body}\n"
        first = names.markdown(found[0].text.split(". ")[0].rstrip(".") + ".")
        functions = sum(item.kind == "function" for item in found)
        rows.append(f"| [`{name}.h`]({name}.md) | {first} | {functions} |")
    made["api/c/index.md"] = INDEX.format(rows="\n".join(rows), pages="\n".join(ORDER))
    return made


INDEX = """# C interface

The library `libomniroll` is used through `#include <omniroll/omniroll.h>`, which includes all headers but `program.h`. The
[conventions](base.md) of ownership, threads and NULL stand in `base.h`; [the library in C](../../reference/c.md) has a program of 30
lines, and [building](../../development/building.md) says how to link. These pages are made of the headers.

| header | what is there | functions |
|---|---|---|
{rows}

```{{toctree}}
:hidden:

{pages}
```
"""
