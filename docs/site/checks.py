"""The page of checks, made of the tests: what each file of tests says above its first line, and the names of its tests."""

from __future__ import annotations

import glob
import html
import os
import re

from pages import ROOT

FOLDERS = {
    "physics": "Equations of the kernels, against closed forms, identities, exact motions and programs of their own.",
    "reference": "The second computation in maximal coordinates, against handbooks and papers, and the kernels against it.",
    "parity": "The same bits, whatever computes them.",
    "statistics": "Estimates and intervals, against exact values and their coverage.",
    "calibrate": "Parameters from measured runs, against exact posteriors and vehicles whose parameters are known.",
    "converge": "Errors and orders that are found, against exact solutions.",
}
COMMENT = re.compile(r"\A/\*(.*?)\*/", re.DOTALL)
TEST = re.compile(r"^Test\(\w+, (\w+)", re.MULTILINE)
CITATION = re.compile(r"\s*\([^()]*\.md#[^()]*\)")


def suite(path: str) -> tuple[str, str, list[str]]:
    """Name, first words and tests of a file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    comment = COMMENT.match(text)
    said = " ".join(re.sub(r"^ ?\*", "", line).strip() for line in comment[1].split("\n")) if comment else ""
    said = CITATION.sub("", " ".join(said.split()))
    return os.path.basename(path)[len("test_"):-2], said, [name.replace("_", " ") for name in TEST.findall(text)]


def row(name: str, said: str, tests: list[str]) -> str:
    names = "".join(f"<li>{html.escape(test)}</li>" for test in tests)
    return (f"<tr><td><code>{html.escape(name).replace('_', '_<wbr>')}</code></td><td>{html.escape(said)}"
            f"<details><summary>{len(tests)} test{'s' if len(tests) > 1 else ''}</summary><ul>{names}</ul></details></td></tr>")


def pages() -> dict[str, str]:
    """{page: text}."""
    parts, total = [], 0
    for folder, title in FOLDERS.items():
        suites = [suite(path) for path in sorted(glob.glob(os.path.join(ROOT, "tests", folder, "test_*.c")))]
        suites = [(name, said, tests) for name, said, tests in suites if said and tests]
        total += sum(len(tests) for _, _, tests in suites)
        rows = "\n".join(row(*each) for each in suites)
        table = f'```{{raw}} html\n<table class="checks"><tbody>\n{rows}\n</tbody></table>\n```\n'
        parts.append(f"## {folder.capitalize()}\n\n{title} `tests/{folder}`:\n\n{table}")
    head = (f"# Checks, and the tests behind them\n\n{total} tests in C hold the numbers; each row is the purpose that a file of "
            "tests states above its code. Tests of the program, of packages and of pages come on top.\n")
    return {"evidence/checks.md": "\n".join([head, *parts])}
