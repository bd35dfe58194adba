"""How to run the study again, and which results will be the same."""

from __future__ import annotations

import base64
import os
import shlex
from typing import Any, Iterator

from .data import Data
from .page import Section, command, details, facts, paragraph, text
from .wording import code, number


def sections(data: Data) -> Iterator[Section]:
    body = _commands(data) if data.study else paragraph("The file does not hold the study that it was made of.", "note")
    yield Section("How to reproduce it", body + facts(_facts(data)) + _same(data.result.attrs) + _study(data))


def _source(data: Data) -> str:
    return str(data.result.attrs.get("study", ""))


def _commands(data: Data) -> str:
    name = os.path.basename(data.path)
    stem = os.path.splitext(name)[0]
    again = shlex.quote(f"{stem}_again.h5")
    save = ("python3 -c 'import h5py, sys; print(h5py.File(sys.argv[1]).attrs[\"study\"], end=\"\")' " f"{shlex.quote(name)} > study.json")
    group = "/partial" if data.result.summed else "/instances"  # the sums of all rows
    lines = [save, f"omniroll run study.json -o {again}", f"h5diff {shlex.quote(name)} {again} {group} {group}"]
    words = ("The file holds the study as it was run, <code>--set</code> included. Save it as <code>study.json</code> "
             f"({_link(_source(data))}, or by the first command) and run it. h5diff (Debian package hdf5-tools) says nothing where every "
             "number is the same.")
    more = ("<code>omniroll run study.json --hash</code> runs it in memory and prints a hash of all numbers, by which two machines or "
            "builds are compared without a file; the file does not hold that hash.")
    return paragraph(words) + _table_note(data) + command("\n".join(lines)) + paragraph(more)


def _replayed(part: Any) -> Iterator[str]:
    """Names of the files that drives and the command replay, and of the floor's map."""
    if isinstance(part, list):
        for member in part:
            yield from _replayed(member)
    if isinstance(part, dict):
        for key, member in part.items():
            if key in ("replay", "map") and isinstance(member, dict) and isinstance(member.get("file"), str):
                yield member["file"]
            else:
                yield from _replayed(member)


def _table_note(data: Data) -> str:
    design = data.study.get("design")
    files = list(dict.fromkeys(_replayed(data.study.get("parameters"))))
    if isinstance(design, dict) and design.get("type") == "table":
        files.insert(0, str(design.get("file", "?")))
    if not files:
        return ""
    tables = " and ".join(f"<code>{text(file)}</code>" for file in files)
    one = len(files) == 1
    return paragraph(f"It reads the table{'' if one else 's'} {tables}, which ha{'s' if one else 've'} to lie beside it; the hash that the study "
                     f"keeps checks {'it' if one else 'them'}.")


def _link(source: str) -> str:
    content = base64.b64encode(source.encode()).decode()
    return f'<a download="study.json" href="data:application/json;base64,{content}">from this page</a>'


def _facts(data: Data) -> Iterator[tuple[str, str]]:
    attrs = data.result.attrs
    yield "File", code(os.path.basename(data.path))
    yield "Study was", code(os.path.basename(str(attrs.get("study_name", "?"))))
    yield "Hash of the study", f"<code>{text(attrs.get('study_hash', '–'))}</code>"
    yield "Seed", text(attrs.get("seed", "–"))
    yield "Program", f"omniroll {text(attrs.get('omniroll_version', '?'))}"
    yield "Build", text(attrs.get("build", "–"))
    yield "Backend and device", f"{text(attrs.get('backend', '?'))}, {text(attrs.get('device', '?'))}"
    numbers = [text(attrs[name]) for name in ("precision", "numerics", "rounding") if name in attrs]
    yield "Precision, numerics, rounding", ", ".join(numbers) or "–"
    yield "Lanes, threads", ", ".join(number(float(attrs[name])) for name in ("lanes", "threads") if name in attrs) or "–"
    if "chunks" in attrs:
        yield "Chunks, processes", f"{number(float(attrs['chunks']))}, {number(float(attrs.get('sessions', 1)))}"


def _same(attrs: dict[str, Any]) -> str:
    """The results that hold for another machine."""
    if attrs.get("numerics") == "fast":
        words = "Fast numerics: the numbers depend on backend, instruction set and lanes, and are the same on the same ones alone."
    elif attrs.get("rounding") == "device":
        words = ("This device divides and takes roots in its own way: the numbers are the same on devices of its kind, and other backends "
                 "differ in the last digits.")
    elif "backend" not in attrs or attrs.get("backend") == "reference":
        words = "The reference integrates with controlled error: the numbers are the same to its tolerance, not to the last bit."
    else:
        precision = text(attrs.get("precision", "the same"))
        words = ("With exact numerics the numbers of instances and trajectories are the same to the last bit on every backend, instruction "
                 f"set, number of threads, compiler and processor in {precision} precision, however often the run was interrupted or "
                 "shared. Another version of the program, or another precision, gives other last digits.")
    return paragraph(words, "note")


def _study(data: Data) -> str:
    source = _source(data)
    return details("The study in full", command(source)) if source else ""
