"""The documentation's commands, examples, tables and links against the program (docs/development/tests.md, Pages).

OMNIROLL_DOCS=long runs everything unshortened (tests/long/documentation.sh); OMNIROLL_PAGE=README.md one page alone. Tutorials and
galleries: test_tutorials.py.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from documented import ROOT, Runner, blocks, inline_commands, read  # noqa: E402

PROGRAM = os.environ.get("OMNIROLL", "")
LONG = os.environ.get("OMNIROLL_DOCS") == "long"
PAGES = [os.path.relpath(page, ROOT) for pattern in
         ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md", "studies/*.md", "host/*.md", "host/*/*.md", "kernels/*.md", "tests/*.md",
          "tests/*/*.md", "tests/bench/results/*.md")
         for page in sorted(glob.glob(os.path.join(ROOT, pattern)))]


def is_tutorial(page: str) -> bool:
    return page.startswith(("docs/start/tutorials/", "docs/gallery/"))


def program(*words: str) -> str:
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def rows(page: str, head: str) -> list[list[str]]:
    """Cells of the table under that head, without code marks."""
    lines = read(page).split(f"\n{head}\n", 1)[1].split("\n")[1:]
    table = [line for line, _ in zip(lines, iter(lambda: True, False))]
    end = next(i for i, line in enumerate(table) if not line.startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table[:end]]


def prose(text: str) -> str:
    return " ".join(text.replace("`", "").split())


@unittest.skipUnless(PROGRAM, "OMNIROLL names no program")
class Pages(unittest.TestCase):
    def run_page(self, page: str) -> None:
        found = blocks(page)
        if not found or os.environ.get("OMNIROLL_PAGE", page) != page:
            return
        with tempfile.TemporaryDirectory() as folder:
            runner = Runner(os.path.join(folder, "project"), PROGRAM, LONG)
            print(page, flush=True)
            for block in found:
                with self.subTest(block.place):
                    runner.run(block)


@unittest.skipUnless(PROGRAM, "OMNIROLL names no program")
class Commands(Pages):
    def test_commands_within_sentences_are_known(self):
        listed = set(re.findall(r"^  ([a-z]+)\b", program("help"), re.MULTILINE))
        help_of = {name: program("help", name) for name in listed}
        for page in PAGES:
            for command in inline_commands(page):
                words = re.sub(r"[\[\]|]", " ", command).split()[1:]
                if words[0].startswith("-") or not words[0].islower():
                    continue
                with self.subTest(f"{page}: {command}"):
                    self.assertIn(words[0], listed)
                    for option in (word.split("=")[0] for word in words[1:] if word.startswith("--")):
                        self.assertRegex(help_of[words[0]], rf"{option}\b")


def add_page(tests: type[Pages], page: str) -> None:
    name = "test_" + re.sub(r"\W", "_", page)
    setattr(tests, name, lambda self: self.run_page(page))


for _page in PAGES:
    if not is_tutorial(_page):
        add_page(Commands, _page)


@unittest.skipUnless(PROGRAM, "OMNIROLL names no program")
class Tables(unittest.TestCase):
    def test_tables_of_the_lists_are_what_the_generator_writes(self):
        done = subprocess.run([sys.executable, "-B", os.path.join(ROOT, "studies", "generate.py"), "--check", PROGRAM],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_exit_codes_are_the_program_s(self):
        said: dict[str, str] = {}  # a command's help has the codes of that command
        for name in re.findall(r'^(?:X\(\w+, |NAMED\(\w+, \w+, ")([\w-]+)"?,', read("host/lists/commands.def"), re.MULTILINE):
            said.update(re.findall(r"^  (\d+) +(.*(?:\n {6}.*)*)", program("help", name).partition("Exit codes:\n")[2], re.MULTILINE))
        table = {row[0]: row[1] for row in rows("docs/reference/running.md", "| code | meaning |")}
        self.assertEqual(list(table), sorted(said, key=int))
        header = dict(re.findall(r"OMR_ERR_(\w+) = (\d+)", read("host/include/omniroll/base.h")))
        self.assertEqual(set(table), {"0", *header.values()})
        for code, meaning in table.items():
            first = set(re.findall(r"\w+", prose(meaning).split(";")[0]))
            self.assertLessEqual(len(first - set(re.findall(r"\w+", prose(said[code])))), 2, f"{code}: {meaning} / {said[code]}")

    def test_options_of_the_build_are_those_of_cmake(self):
        text = "".join(read(path) for path in ("CMakeLists.txt", "cmake/lanes.cmake", "cmake/kernels.cmake", "cmake/wasm.cmake"))
        options = dict(re.findall(r'^ *option\((\w+) ".*" (ON|OFF)\)', text, re.MULTILINE))
        options.update(re.findall(r'^ *set\((OMNIROLL_\w+) "?(.*?)"? CACHE', text, re.MULTILINE))
        options.setdefault("BUILD_TESTING", "ON")  # of CTest
        table = {row[0].strip("`"): row[1].strip("`") for row in rows("docs/development/building.md", "| option | default | meaning |")}
        self.assertEqual({name: "" if value == "none" else value for name, value in table.items()}, options)


class Places(unittest.TestCase):
    def test_links_lead_to_files_and_headings(self):
        for page in [*PAGES, "CHANGELOG.md"]:
            folder = os.path.dirname(os.path.join(ROOT, page))
            for target, anchor in re.findall(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", re.sub(r"^```.*?^```", "", read(page), flags=re.M | re.S)):
                if "://" in target:
                    continue
                with self.subTest(f"{page}: {target}{anchor}"):
                    path = os.path.normpath(os.path.join(folder, target)) if target else os.path.join(ROOT, page)
                    self.assertTrue(os.path.exists(path), path)
                    if anchor:
                        headings = re.findall(r"^#+ (.*)$", read(os.path.relpath(path, ROOT)), re.MULTILINE)
                        slugs = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
                        self.assertIn(anchor[1:], slugs)

    def test_presets_targets_tests_and_files_of_skipped_commands_exist(self):
        presets = {item["name"] for item in json.loads(read("CMakePresets.json"))["configurePresets"]}
        for page in PAGES:
            for block in blocks(page):
                for command, _ in block.commands() if block.note("skip") is not None else []:
                    with self.subTest(f"{block.place}: {command}"):
                        for preset in re.findall(r"--preset (\w+)", command):
                            self.assertIn(preset, presets)
                        for folder, name in re.findall(r"\btest_([a-z]+)_(\w+)|-R (?:[a-z]+)/(?:\w+)", command):
                            if folder:
                                self.assertTrue(os.path.exists(os.path.join(ROOT, "tests", folder, f"test_{name}.c")))
                        for path in re.findall(r"\b(?:studies|tests)/[\w./]+\.(?:sh|py|json)\b", command):
                            self.assertTrue(os.path.exists(os.path.join(ROOT, path)), path)

    def test_what_is_not_run_has_a_reason(self):
        for page in PAGES:
            for block in blocks(page):
                for note in block.notes:
                    self.assertRegex(note, r"^(with .+|given .+ from .+|file .+|output|exit \d+|(skip|elsewhere): .{10,})$", block.place)

    def test_the_citation_is_complete(self):
        text = read("CITATION.cff")
        version = re.search(r"project\(omniroll\s+VERSION ([\d.]+)", read("CMakeLists.txt"))
        self.assertIsNotNone(version)
        self.assertIn(f"version: {version.group(1)}\n", text)
        for member in ("cff-version: 1.2.0", "message:", "title:", "authors:", "license: MIT"):
            self.assertIn(member, text)


if __name__ == "__main__":
    unittest.main()
