"""Pages of documentation: their links lead somewhere, and what they name exists: study files, tests, functions, files, commands."""

import csv
import glob
import os
import re
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGES = sorted(os.path.relpath(page, ROOT) for page in glob.glob(os.path.join(ROOT, "docs", "explanation", "**", "*.md"), recursive=True))
CODE = ("kernels", "host", "tests")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files(folders, endings):
    for folder in folders:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            yield from (os.path.join(where, name) for name in names if name.endswith(endings))


def anchor(heading):
    """As GitHub makes it: small letters, no punctuation, hyphens for blanks."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def anchors(page):
    return {anchor(line.lstrip("#")) for line in page.splitlines() if re.match(r"#+ ", line)}


def words(page):
    """What stands between backticks outside of blocks of code."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page, flags=re.DOTALL))


class Pages(unittest.TestCase):
    def each(self):
        return [(path, read(path)) for path in PAGES]

    def test_links_lead_to_a_file_and_its_heading(self):
        for path, page in self.each():
            links = [link for link in re.findall(r"\]\(([^)\s]+)\)", page) if not re.match(r"https?:", link)]
            self.assertTrue(links)
            for link in links:
                target, _, heading = link.partition("#")
                file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                self.assertTrue(os.path.exists(os.path.join(ROOT, file)), f"{path}: no {link}")
                if heading:
                    self.assertIn(heading, anchors(read(file)), f"{path}: no heading for {link}")

    def test_pages_are_short(self):
        for page in files(["docs", "studies"], ".md"):
            self.assertLessEqual(read(page).count("\n"), 620, page)

    def test_named_tests_exist(self):
        known = set()
        for file in files(["tests"], ".c"):
            with open(file, encoding="utf-8") as text:
                known.update("::".join(pair) for pair in re.findall(r"^Test\((\w+), *(\w+)", text.read(), re.MULTILINE))
        for path, page in self.each():
            for name in words(page):
                if re.fullmatch(r"\w+::\w+", name) and name != "suite::name":
                    self.assertTrue(name in known, f"{path}: no test {name}")

    def test_named_functions_exist(self):
        text = ""
        for file in files(CODE, (".c", ".h")):
            with open(file, encoding="utf-8") as source:
                text += source.read()
        called = set(re.findall(r"\b\w+\(", text))
        for path, page in self.each():
            for name in words(page):
                if re.fullmatch(r"\w+\(\)", name):
                    self.assertTrue(name[:-1] in called, f"{path}: no {name}")

    def test_named_files_exist(self):
        for path, page in self.each():
            for name in words(page):
                if re.fullmatch(r"[\w*/.-]+/[\w*.-]+\.(c|h|py|sh|md|json|csv|inc|cl|cmake|awk)", name) and "*" not in name:
                    places = ROOT, os.path.join(ROOT, os.path.dirname(path))  # of the project, and beside the page
                    self.assertTrue(any(os.path.exists(os.path.join(place, name)) for place in places), f"{path}: no {name}")
                elif re.fullmatch(r"\w+\.json", name):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, "studies", name)), f"{path}: no study {name}")

    def test_commands_exist(self):
        table = read("host/lists/commands.def")
        for path, page in self.each():
            for command in re.findall(r"\bomniroll ([a-z]+(?:-[a-z]+)*)\b", "\n".join(words(page) + re.findall(r"^    (omniroll .*)$", page, re.M))):
                self.assertTrue(re.search(rf'^(?:X\(\w+, |NAMED\(\w+, \w+, "){command}"?,', table, re.M), f"{path}: omniroll {command}")
            for module in re.findall(r"python3 -m (omniroll\.\w+)", page):
                self.assertTrue(os.path.exists(os.path.join(ROOT, "analysis", *module.split(".")) + ".py"), f"{path}: {module}")
            for script in re.findall(r"\b(tests/\w+/\w+\.(?:py|sh))\b", page):
                self.assertTrue(os.path.exists(os.path.join(ROOT, script)), f"{path}: {script}")

    def test_words_of_a_study_exist(self):
        """Keys with a dot such as contact.baumgarte, and observables: what the study's documentation lists."""
        known = "".join(read(page) for page in files(["docs", "studies"], ".md"))
        sections = ("contact", "roller", "disc", "motor", "platform", "initial", "engine", "integrator", "drive", "layout", "ground",
                    "error")
        for path, page in self.each():
            for name in words(page):
                if re.fullmatch(rf"(?:{'|'.join(sections)})\.[a-z_]+", name) and not name.endswith((".h", ".c")):
                    found = re.search(rf"`{re.escape(name)}|`{re.escape(name.split('.', 1)[1])}`", known)
                    self.assertTrue(found, f"{path}: no {name}")


class FirstPage(unittest.TestCase):
    """Numbers of README.md beside their origin."""

    def test_it_counts_the_laws_of_rollers(self):
        laws = re.split(r"^X\(", read("host/lists/laws.def"), flags=re.MULTILINE)[1:]
        of_rollers = [law for law in laws if '"disc_vehicle:' not in law]
        number = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")[len(of_rollers)]
        self.assertIn(f"| {number}, one word of the study each |", read("README.md"))

    def test_its_speeds_are_those_of_the_measurement(self):
        said = re.search(r"a step of 4 ms, omniroll computes ([\d ]+) seconds of one mecanum vehicle a second,\s+MuJoCo (\d+)",
                         read("README.md"))
        measured = re.findall(r"^\| (omniroll, rollers|MuJoCo, ellipsoids) \| 4 ms \| ([\d.e+]+) \|",
                              read("docs/evidence/bench.md"), re.MULTILINE)
        found = {name: float(speed) for name, speed in reversed(measured)}  # the first table counts
        self.assertEqual([float(number.replace(" ", "")) for number in said.groups()],
                         [found["omniroll, rollers"], found["MuJoCo, ellipsoids"]])


class Speeds(unittest.TestCase):
    """The speeds on the page of the bench are those of a measurement that is kept."""

    MEASURED = "tests/bench/results/amd-epyc-zen5-2-cores.csv"
    COLUMNS = ("openmp avx512", "openmp avx2", "opencl 0:0", "scalar avx512")

    def row(self, precision):
        """Million steps of one vehicle per second by two digits, and the share of the peak."""
        with open(os.path.join(ROOT, self.MEASURED), encoding="utf-8", newline="") as file:
            rows = {line["name"]: line for line in csv.DictReader(file) if line["section"] == "backends"}
        cells = []
        for column in self.COLUMNS:
            line = rows[f"{column} {precision}"]
            cells.append(f"{float(line['steps_per_second']) / 1e6:.2g} ({100 * float(line['fraction_of_peak']):.0f} %)")
        return f"| {precision} | {' | '.join(cells)} |"

    def test_speeds_are_those_of_the_measurement(self):
        page = read("docs/evidence/bench.md")
        for precision in ("double", "single"):
            self.assertIn(f"\n{self.row(precision)}\n", page)


if __name__ == "__main__":
    unittest.main()
