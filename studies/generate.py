#!/usr/bin/python3
"""Writes the tables of the pages below docs/ and studies/ that come from the program's own lists.

    python3 studies/generate.py [OMNIROLL]            writes the pages
    python3 studies/generate.py --check [OMNIROLL]    writes nothing; exit code 1 where a page is not what it would write

A table stands between <!-- generated: TABLE MODEL... --> and <!-- end -->; TABLE is a member of what `omniroll describe MODEL --json`
prints, and only what is between the marks is written. TABLE gallery is a card for each study whose file begins with two lines of comment: its
group and its question, and the answer. The lists of the Python package (analysis/omniroll/lists.json) are written too: what `describe --json`
says of designs, laws, methods, errors and statuses. OMNIROLL is the program, by default that of the environment or on PATH.

Not generated, since the program has no list of it: the terms of criteria, the files of a run's folder, groups and attributes of the result
file, datasets of the statistics, columns of `omniroll compare`, figures (a test of analysis/ compares their names), and measured numbers.
"""
import argparse
import difflib
import glob
import json
import os
import re
import subprocess
import sys
import textwrap
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "analysis", "omniroll")
REGION = re.compile(r"^<!-- generated: (.+?) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
Row = dict[str, Any]

# Columns of a table: heading, member of the row, and whether its words are code.
NAME, UNIT, MEANING = ("name", True), ("unit", False), ("meaning", False)
KEYS = {"key": NAME, "unit": UNIT, "default": ("default", False), "values": ("values", False), "meaning": MEANING}
USES = {"type": NAME, "uses": ("uses", True), "meaning": MEANING}
SAMPLES = {"sample": NAME, "unit": UNIT, "dimensions": ("dimensions", False), "meaning": MEANING}
TABLES: dict[str, dict[str, tuple[str, bool]]] = {
    "frames": {"frame": NAME, "meaning": MEANING},
    "frame_turns": {"in y_up": NAME, "in ros": ("here", True), "what": ("of", False), "sign": ("sign", False), "in ros it is": MEANING},
    "sections": KEYS, "vary_keys": KEYS, "design_keys": KEYS, "integrator_keys": KEYS, "output_keys": KEYS,
    "trajectories_keys": KEYS, "derived_keys": KEYS, "ask_keys": KEYS, "engine_keys": KEYS,
    "models": {"model": NAME, "meaning": MEANING},
    "parameters": {"parameter": NAME, "unit": UNIT, "default": ("default", False), "bounds": ("bounds", False), "meaning": MEANING},
    "words": {"word": NAME, "values": ("values", False), "meaning": MEANING},
    "law_words": {"word, in contact": NAME, "values": ("values", False), "meaning": MEANING},
    "own_names": {"place": NAME, "form": ("form", True), "meaning": MEANING},
    "system_keys": {"of": ("of", False), "key": NAME, "form": ("form", False), "meaning": MEANING},
    "system_kinds": {"of": ("of", False), "word": NAME, "in the sources": ("source", False), "meaning": MEANING},
    "system_edges": {"of": ("of", False), "key": NAME, "unit": UNIT, "default": ("default", False), "meaning": MEANING},
    "system_quantities": {"name": NAME, "unit": UNIT, "in forces": ("in_forces", False), "meaning": MEANING},
    "functions": {"function": NAME, "meaning": MEANING},
    "small_words": {"word": NAME, "value": ("values", True), "meaning": MEANING},
    "laws": {"law": NAME, "uses": ("uses", True), "meaning": MEANING},
    "drives": USES, "wheel_kinds": USES, "commands": USES, "externals": USES, "grounds": USES,
    "data_keys": {"of": ("of", False), "key": NAME, "unit": UNIT, "default": ("default", False), "values": ("values", False), "meaning": MEANING},
    "calibrate_keys": KEYS, "excite_keys": KEYS, "manoeuvres": {"family": NAME, "meaning": MEANING},
    "replay_keys": {"of": ("of", False), "key": NAME, "default": ("default", False), "values": ("values", False), "meaning": MEANING},
    "motor_sheet_keys": {"key": NAME, "unit": ("unit", False), "values": ("values", False), "meaning": MEANING},
    "patches": {"shape": NAME, "uses": ("uses", True), "meaning": MEANING},
    "spins": {"value": NAME, "meaning": MEANING},
    "variable_keys": KEYS, "objective_keys": {"key": NAME, "values": ("values", False), "meaning": MEANING},
    "goal_terms": {"statistic": NAME, "meaning": MEANING},
    "draws": {"key": NAME, "argument": ("form", True), "meaning": MEANING},
    "designs": {"type": NAME, "meaning": MEANING},
    "methods": {"method": NAME, "meaning": MEANING},
    "stability": {"stability": NAME, "meaning": MEANING},
    "on_failure": {"on_failure": NAME, "meaning": MEANING},
    "observables": {"observable": NAME, "unit": UNIT, "default": ("default", False), "meaning": MEANING},
    "samples": SAMPLES, "small_samples": {"sample": NAME, "unit": UNIT, "meaning": MEANING},
    "wheel_shapes": {"dataset": NAME, "unit": UNIT, "dimensions": ("dimensions", False), "meaning": MEANING},
    "reference_samples": {"dataset": NAME, "unit": UNIT, "dimensions": ("dimensions", False), "meaning": MEANING},
    "statistics": {"key": NAME, "default": ("default", False), "meaning": MEANING},
    "criterion_keys": {"key": NAME, "default": ("default", False), "values": ("values", False), "meaning": MEANING},
    "stop": {"key": NAME, "default": ("default", False), "meaning": MEANING},
    "doubts": {"warning": NAME, "meaning": MEANING},
    "statuses": {"status": ("code", False), "name": NAME, "meaning": MEANING},
    "last_states": {"dataset": NAME, "unit": UNIT, "dimensions": ("dimensions", False), "meaning": MEANING},
}


def number(value: float) -> str:
    return f"{value:.6g}"


def bounds(row: Row) -> str:
    low, high = row["low"], row["high"]
    if low is None:
        return "any"
    if high is None:
        return f"{'>' if row['low_open'] else '>='} {number(low)}"
    return f"{number(low)} .. {number(high)}"


class Lists:
    """What the program says of its models."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.models: dict[str, dict[str, Any]] = {}

    def model(self, name: str) -> dict[str, Any]:
        if name not in self.models:
            done = subprocess.run([self.program, "describe", name, "--json"], capture_output=True, text=True, check=True)
            self.models[name] = json.loads(done.stdout)
        return self.models[name]

    def model_names(self) -> list[str]:
        """As the program lists them to whoever asks for a model that is none."""
        done = subprocess.run([self.program, "describe", "?"], capture_output=True, text=True, check=False)
        return re.findall(r'"(\w+)"', done.stderr)

    def rows(self, member: str, models: list[str]) -> list[Row]:
        """Rows of several models, each once, those of the first model first; "models" names those that have it."""
        rows: list[Row] = []
        for name in models:
            for row in self.model(name)[member]:
                known = next((other for other in rows if same(other, row)), None)
                if known:
                    known["models"].append(name)
                else:
                    rows.append({**row, "models": [name]})
        return rows


def same(a: Row, b: Row) -> bool:
    return all(a.get(key) == b.get(key) for key in ("name", "code", "values", "meaning"))


def parameter_rows(lists: Lists, member: str, models: list[str]) -> list[Row]:
    rows = lists.rows(member, models)
    for row in rows:
        row["default"] = "-" if row["default"] is None else number(row["default"])
        row["bounds"] = bounds(row)
    return rows


def sample_rows(lists: Lists, models: list[str]) -> list[Row]:
    rows = lists.rows("samples", models)
    wheels = lists.rows("wheel_samples", models)
    return [{**row, "dimensions": "instance, time"} for row in rows] + [{**row, "dimensions": "instance, time, wheel"} for row in wheels]


def last_rows(lists: Lists, models: list[str]) -> list[Row]:
    of_wheels = {row["name"] for name in models for row in lists.model(name)["wheel_samples"]}
    rows = lists.rows("last_states", models)
    return [{**row, "dimensions": "instance, wheel" if row["name"] in of_wheels else "instance"} for row in rows]


def law_rows(lists: Lists, models: list[str]) -> list[Row]:
    rows = lists.rows("laws", models)
    for row in rows:
        row["meaning"], row["uses"] = row["meaning"].rsplit("; uses ", 1)
    return rows


def of_one_model(lists: Lists, table: str, models: list[str]) -> list[Row]:
    member = {"small_words": "words", "small_samples": "samples"}.get(table, table)
    dimensions = {"wheel_shapes": "instance, wheel", "reference_samples": "instance, time"}.get(table, "")
    return [{**row, "dimensions": dimensions} for row in lists.rows(member, models)]


def table_rows(lists: Lists, table: str, models: list[str]) -> list[Row]:
    if table == "models":
        return [{"name": name, "meaning": lists.model(name)["meaning"]} for name in models]
    if table in ("parameters", "wheel_parameters"):
        return parameter_rows(lists, table, models)
    if table == "samples":
        return sample_rows(lists, models)
    if table == "last_states":
        return last_rows(lists, models)
    if table == "laws":
        return law_rows(lists, models)
    if table.startswith("system_"):  # one key may stand in several places
        return [dict(row) for row in lists.model(models[0])[table]]
    return of_one_model(lists, table, models)


def model_names(having: list[str], models: list[str]) -> str:
    if having == models:
        return "all"
    return "vehicles" if having == ["omni_vehicle", "disc_vehicle"] else ", ".join(having)


def code(text: str, list_of_words: bool) -> str:
    words = text.split(", ") if list_of_words else [text]
    return ", ".join(f"`{word}`" for word in words) if text else ""


def linked(text: str, headings: dict[str, str]) -> str:
    """A heading in quotation marks becomes a link to it (headings: where each is, "" on this page); a bar would end the cell."""
    def link(match: re.Match[str]) -> str:
        title = match.group(1)
        if title not in headings:
            return match.group(0)
        return f"[{title}]({headings[title]}#{re.sub('[.:,()]', '', title.lower()).replace(' ', '-')})"
    return re.sub(r'"([^"]+)"', link, text).replace("|", "\\|")


def table_text(lists: Lists, words: list[str], headings: dict[str, str]) -> str:
    table, models = words[0], words[1:]
    columns = dict(TABLES["parameters" if table == "wheel_parameters" else table])
    rows = table_rows(lists, table, models)
    partly = any(row.get("models", models) != models for row in rows)
    if partly:
        meaning = columns.pop("meaning")
        columns.update({"model": ("model", False), "meaning": meaning})
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in rows:
        row["model"] = model_names(row.get("models", models), models)
        cells = [code(row[key], key == "uses") if is_code else linked(row[key], headings) for key, is_code in columns.values()]
        lines.append("|" + "".join(f" {cell} |" if cell else " |" for cell in cells))
    return "\n".join(lines)


CARD = re.compile(r"^\{\n  // (?P<group>[^.]+)\. (?P<question>.+\?)\n  // (?P<answer>.+)$", re.MULTILINE)


def cards() -> dict[str, list[tuple[str, str, str]]]:
    """By group, in the order of docs/gallery/groups.txt: name, question and answer of each study."""
    with open(os.path.join(ROOT, "docs", "gallery", "groups.txt"), encoding="utf-8") as file:
        found: dict[str, list[tuple[str, str, str]]] = {line.strip(): [] for line in file if line.strip()}
    for path in sorted(glob.glob(f"{ROOT}/studies/*.json") + glob.glob(f"{ROOT}/studies/robots/*.json")):
        with open(path, encoding="utf-8") as file:
            match = CARD.search(file.read())
        if match:
            found[match["group"]].append((os.path.relpath(path, f"{ROOT}/studies")[:-5], match["question"], match["answer"]))
    return found


def command(name: str) -> str:
    """That runs the study, by its sections."""
    with open(f"{ROOT}/studies/{name}.json", encoding="utf-8") as file:
        text = file.read()
    sections = ("objectives", "optimize"), ("excite", "excite"), ("calibrate", "calibrate")
    word = "compare" if name.startswith("compare_") else next((verb for section, verb in sections if f'"{section}":' in text), "run")
    return f"omniroll {word} studies/{name}.json"


def gallery() -> str:
    parts = []
    for group, studies in cards().items():
        parts.append(f"## {group}\n\n<!-- cards -->\n")
        for name, question, answer in studies:
            shown = f"![](../../studies/{name}.png)\n\n" if os.path.exists(f"{ROOT}/studies/{name}.png") else ""
            lines = textwrap.wrap(answer, 96) + ["", f"`{command(name)}`"]
            body = shown + "\n".join(lines)
            parts.append(f"- **[{question}](../../studies/{name}.json)**\n\n" + textwrap.indent(body, "  "))
        parts.append("\n<!-- end of cards -->\n")
    return "\n".join(parts).rstrip()


def written(page: str, texts: dict[str, str], lists: Lists) -> str:
    """The page with its tables as the lists give them."""
    order = sorted(texts, key=lambda name: "reference" in name)  # of pages with a heading of one name the reference counts
    headings = {title: os.path.relpath(name, os.path.dirname(page)) for name in order for title in HEADING.findall(texts[name])}
    headings.update(dict.fromkeys(HEADING.findall(texts[page]), ""))

    def region(match: re.Match[str]) -> str:
        words = match.group(1).split()
        text = gallery() if words == ["gallery"] else table_text(lists, words, headings)
        return f"<!-- generated: {match.group(1)} -->\n{text}\n<!-- end -->"
    return REGION.sub(region, texts[page])


def frame_rows(lists: Lists) -> list[Row]:
    """What frames turn, with the models that have it."""
    kept = ("frame", "of", "name", "here", "sign")
    rows: list[Row] = []
    for model in lists.model_names():
        for row in lists.model(model)["frame_turns"]:
            turn = {key: row[key] for key in kept}
            known = next((other for other in rows if all(other[key] == turn[key] for key in kept)), None)
            if known:
                known["models"].append(model)
            else:
                rows.append({**turn, "models": [model]})
    return rows


# Sources, models, defaults and used keys, which a page says elsewhere.
ASIDE = re.compile(r"^\w+_vehicle[^:]*: | \(sources? (?:[^()]|\([^()]*\))*\)|; the default|; without design .*$|; uses .*$")


def with_meanings(rows: list[Row], described: list[Row]) -> list[Row]:
    """The rows, with their meanings as sentences of a page."""
    meanings = {row["name"]: ASIDE.sub("", row["meaning"]) for row in described}
    return [row | ({"meaning": meanings[row["name"]]} if row["name"] in meanings else {}) for row in rows]


def package_lists(lists: Lists) -> str:
    """The text of the Python package's lists.json, a row a line."""
    described = lists.model("omni_vehicle")
    found = {**described["classes"], "statuses": described["statuses"], "frame_turns": frame_rows(lists)}
    models = [{"name": name, "meaning": lists.model(name)["meaning"]} for name in lists.model_names()]
    found |= {"models": with_meanings(models, models)}
    found |= {of: with_meanings(found[of], described[of]) for of in ("laws", "designs")}
    tables = [f'"{name}": [\n' + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]" for name, rows in found.items()]
    return "{\n" + ",\n".join(tables) + "\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", default=os.environ.get("OMNIROLL", "omniroll"), metavar="OMNIROLL")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 and the difference where the page is another")
    arguments = parser.parse_args()
    lists = Lists(arguments.program)
    texts = {}
    for page in sorted(path for top in ("docs", "studies") for path in glob.glob(f"{ROOT}/{top}/**/*.md", recursive=True)):
        with open(page, encoding="utf-8") as file:
            texts[page] = file.read()
    made = {page: (text, written(page, texts, lists)) for page, text in texts.items()}
    if os.path.isdir(PACKAGE):  # not beside installed studies
        path = os.path.join(PACKAGE, "lists.json")
        with open(path, encoding="utf-8") as file:
            made[path] = file.read(), package_lists(lists)
    others = 0
    for path, (text, new) in made.items():
        if new == text:
            continue
        others += 1
        if arguments.check:
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), path, "generated", n=0))
            print(f"{os.path.relpath(path, ROOT)} is not what its lists give: python3 studies/generate.py {arguments.program}", file=sys.stderr)
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    return 1 if arguments.check and others else 0


if __name__ == "__main__":
    sys.exit(main())
