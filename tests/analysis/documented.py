"""Blocks of the documentation's pages, and how they are run (docs/development/tests.md, Pages).

A page's blocks run one after the other in a scratch folder that holds the project's folders (studies/ as a copy), with `omniroll` and
`python3` on PATH. In the short form the program `omniroll` there is a script that adds the options of `docs: with` to the commands that
integrate, no OpenCL device is visible, and plots are made in this process instead of an interpreter of their own, with files that
are empty: pixels are the matter of other tests. Nothing is left out silently: `Runner.say` prints a line for every block.
"""
from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from matplotlib.figure import Figure
from short_form import SHORT, WORDS

import omniroll

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STARTS = ("omniroll", "bash", "sh", "python3", "cmake", "ctest", "pip", "mpirun", "cc", "sudo", "git", "apt-get", "tar", "dpkg", "mypy",
          "man", "export", "$")
PROGRESS = re.compile(r"^ *[0-9.]+ %  .*(left|nothing yet|finishing)\n", re.MULTILINE)  # what a slow machine prints besides
NOTE = re.compile(r"^<!-- docs: (.+?) -->$")
DRAWING = re.compile(r"omniroll (report|figures) (?!--list)")
LENGTHENING = ("run", "evaluate", "optimize", "compare", "reference", "plan", "converge")  # commands that `docs: with` shortens
SEARCHING = re.compile(r"omniroll optimize|\.optimum\.")  # a search, or what it finds
CMAES, GYMNASIUM = importlib.util.find_spec("cmaes"), importlib.util.find_spec("gymnasium")
C_READS = ("README.md", "docs/", "studies/")  # pages whose JSON tests/study/test_documentation.c reads
HEAD = '{"model": "omni_vehicle", "integrator": {"step": "1 ms", "duration": "1 s"}, '
WRAPPER = """#!/bin/sh
case $1 in {commands}) exec "{program}" "$@" $DOCS_WITH ;; esac
exec "{program}" "$@"
"""


@dataclass
class Block:
    page: str
    line: int
    kind: str  # language of a fence, or "" for indented and bare ones
    text: str
    notes: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def shows_output(self) -> bool:
        """Whether its commands stand as `$ COMMAND`, with what they print below."""
        return self.text.startswith("$ ")

    def note(self, word: str) -> str | None:
        """What follows a word in the comments before the block; several of one word are joined by a comma."""
        found = [note[len(word):].lstrip(": ") for note in self.notes if re.match(rf"{word}\b", note)]
        return ", ".join(found) if found else None

    def commands(self) -> list[tuple[str, list[str]]]:
        """(command, lines of output that the page shows) of a block of commands; empty for other blocks."""
        lines = re.sub(r"\\\n\s*", " ", self.text).split("\n")
        if self.kind not in ("", "sh", "bash", "console") or not starts_a_command(lines[0]):
            return []
        if not self.shows_output:
            return [(line.strip(), []) for line in lines if line.strip() and not line.lstrip().startswith("#")]
        found: list[tuple[str, list[str]]] = []
        for line in lines:
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
        return found


def starts_a_command(line: str) -> bool:
    words = [word for word in line.split() if not re.match(r"^[A-Z_]+=", word)]
    return bool(words) and (words[0] in STARTS or words[0].startswith(("tests/", "./", "build/")))


def read(page: str) -> str:
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def blocks(page: str) -> list[Block]:
    """Fenced and indented blocks of a page, with the comments that stand before them."""
    found: list[Block] = []
    notes: list[str] = []
    lines = read(page).split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if match := NOTE.match(line):
            notes.append(match.group(1))
            at += 1
            continue
        start = at
        if line.startswith("```"):
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith("```"))
            found.append(Block(page, start + 1, line[3:].strip(), "\n".join(lines[start + 1:end]), notes))
            at, notes = end + 1, []
        elif line.startswith("    ") and start > 0 and (not lines[start - 1].strip()):
            while at < len(lines) and (lines[at].startswith("    ") or (not lines[at].strip() and lines[at + 1:at + 2] != []
                                                                        and lines[at + 1].startswith("    "))):
                at += 1
            found.append(Block(page, start + 1, "", "\n".join(text[4:] for text in lines[start:at]), notes))
            notes = []
        else:
            if line.strip():
                notes = []
            at += 1
    return found


def inline_commands(page: str) -> Iterator[str]:
    """`omniroll COMMAND ...` within sentences and tables."""
    whole = read(page)
    for text in re.findall(r"^```text\n(.*?)^```$", whole, re.MULTILINE | re.DOTALL):
        yield from (line for line in text.split("\n") if line.startswith("omniroll "))
    text = re.sub(r"^(```.*?^```|    .*?)$", "", whole, flags=re.MULTILINE | re.DOTALL)
    for match in re.finditer(r"`(omniroll [^`]+)`", text):
        yield match.group(1).replace("\n", " ")


def shown_matches(shown: list[str], printed: str) -> bool:
    """Whether a command prints what the page shows; a line `...` stands for any lines."""
    while shown and not shown[-1].strip():
        shown = shown[:-1]
    pattern = "".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ \t]*\n" for line in shown)
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


class Failed(Exception):
    """A block does not do what its page says."""


class Runner:
    """Runs the blocks of a page in a scratch folder. In the short form of tests/run.sh one report and the figures of one page are drawn, those
    of the first page that has some; analysis/omniroll/report and studies/papers have every kind."""

    drawn: set[str] = set()

    def __init__(self, folder: str, program: str, long: bool) -> None:
        self.folder, self.program, self.long = folder, os.path.abspath(program), long
        self.copy_project()
        self.environment = {**os.environ, "PATH": os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"], "MPLBACKEND": "Agg",
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PYTHONDONTWRITEBYTECODE": "1",
                            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_plm_rsh_agent": "false", "NO_COLOR": "1"}
        if not long:
            self.environment["OCL_ICD_VENDORS"] = folder  # no OpenCL device: kernels are not built for one
        self.environment.pop("PYTHONPATH", None)
        if CMAES is not None and CMAES.origin:  # it may be in build/python
            self.environment["PYTHONPATH"] = os.path.dirname(os.path.dirname(CMAES.origin))
        self.environment.pop("OMNIROLL_CACHE", None)  # `omniroll warm` keeps what it makes, here in a folder of the page's own
        self.environment["XDG_CACHE_HOME"] = os.path.join(folder, "cache")

    def copy_project(self) -> None:
        shutil.copytree(os.path.join(ROOT, "studies"), os.path.join(self.folder, "studies"))
        for name in os.listdir(ROOT):
            if name not in ("studies", "build", ".git") and not name.startswith("build"):
                os.symlink(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.makedirs(os.path.join(self.folder, "bin"))
        os.makedirs(os.path.join(self.folder, "build", "release"))
        wrapper = os.path.join(self.folder, "bin", "omniroll")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(WRAPPER.format(commands="|".join(LENGTHENING), program=self.program))
        os.chmod(wrapper, 0o755)
        os.symlink(wrapper, os.path.join(self.folder, "build", "release", "omniroll"))
        os.symlink("/usr/bin/python3", os.path.join(self.folder, "bin", "python3"))

    def say(self, block: Block, what: str, took: float | None = None) -> None:
        print(f"  {block.place:<28} {what}" + (f"  [{took:.1f} s]" if took is not None and took >= 0.05 else ""), flush=True)

    def shell(self, block: Block, command: str, code: int = 0, short: bool | None = None) -> str:
        options = block.note("with") or "" if (not self.long if short is None else short) else ""
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env={**self.environment, "DOCS_WITH": options}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              timeout=None if self.long else 120)
        if done.returncode != code:
            raise Failed(f"{block.place}: exit code {done.returncode}, not {code}: {command}\n{done.stdout}")
        return done.stdout

    def here(self, block: Block, command: str) -> bool:
        """Runs a Python program of the project in this process, which is sooner; False where it has to be started."""
        words = shlex.split(command, comments=True)
        words = words[1:] if words[:1] == ["PYTHONPATH=analysis"] else words
        if self.long or words[:1] != ["python3"] or any(word in (";", "&&", "|", ">") for word in words):
            return False
        is_module = words[1] == "-m"
        arguments = words[3:] if is_module else words[2:]
        with changed_folder(self.folder), mock.patch.dict(os.environ, self.environment), quiet() as printed, \
                mock.patch.object(Figure, "savefig", lambda figure, path, **how: open(path, "w").close()):
            try:
                with mock.patch.object(sys, "argv", [words[1], *arguments]):
                    if is_module:
                        runpy.run_module(words[2], run_name="__main__", alter_sys=True)
                    else:
                        runpy.run_path(words[1], run_name="__main__")
            except SystemExit as end:
                if end.code:
                    raise Failed(f"{block.place}: exit code {end.code}: {command}\n{printed.getvalue()}") from end
        return True

    def python(self, block: Block) -> None:
        code = compile(block.text, block.place, "exec")
        words = [] if self.long else shlex.split(block.note("with") or "", posix=False)
        shorter = {path: json.loads(value) for path, value in (word.split("=", 1) for word in words if "=" in word)}
        run = omniroll.run

        def short_run(study: Any, *arguments: Any, **named: Any) -> Any:
            return run(study, *arguments, **{**named, "set": {**(named.get("set") or {}), **shorter}})

        with changed_folder(self.folder), mock.patch.dict(os.environ, self.environment), quiet(), \
                mock.patch.object(omniroll, "run", short_run):
            exec(code, {"__name__": "__documentation__"})  # noqa: S102

    def make(self, block: Block, given: str) -> None:
        """`FILE from STUDY`: a study's copy, a result, always short, or the folder of a run that shards share (`x/R.h5.parts`)."""
        for item in given.split(", "):
            file, study = item.split(" from ")
            path = os.path.join(self.folder, file)
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            source = study if "/" in study else f"studies/{study}"
            if file.endswith(".json"):
                shutil.copy(os.path.join(ROOT, source), path)
            elif file.endswith(".h5") and not os.path.exists(path):
                self.shell(block, f"omniroll run {source} -o {file} --quiet", short=True)
            elif file.endswith(".parts"):
                with contextlib.suppress(FileNotFoundError):
                    os.remove(path[:-len(".parts")])  # of the blocks before
                shard = next((k for k, name in enumerate("abc", 1) if file.startswith(name + "/")), 1)
                self.shell(block, f"omniroll run {source} -o {file[:-6]} --quiet --set engine.chunk=16 --shard {shard}/3")

    def run_commands(self, block: Block) -> None:
        code = int(block.note("exit") or 0)
        short = "" if self.long else (block.note("with") or "")
        for command, shown in block.commands():
            began = time.monotonic()
            if SEARCHING.search(command) and CMAES is None:
                print(f"[PART] {block.place}: {command}: cmaes is not installed: pip install cmaes==0.13.1")
                continue
            if SHORT and code == 0 and not shown and (drawing := DRAWING.match(command)):
                if drawing[1] in self.drawn:
                    print(f"[PART] {block.place}: {command}: {WORDS}")
                    continue
                self.drawn.add(drawing[1])
            shortened = f"  (shortened: {short})" if short and re.search(rf"omniroll ({'|'.join(LENGTHENING)})\b", command) else ""
            if not (code == 0 and not shown and self.here(block, command)):
                printed = self.shell(block, command, code_of(shown, code))
                if shortened and shown:
                    shortened += "  (its output is that of the long form)"
                elif block.shows_output and not shown_matches(shown, PROGRESS.sub("", printed)):
                    raise Failed(f"{block.place}: {command}\nprints\n{printed}\nand the page shows\n" + "\n".join(shown))
            bare = re.sub(r"\s+#.*", "", command)
            self.say(block, f"ran: {bare}{shortened}", time.monotonic() - began)

    def run(self, block: Block) -> None:
        began = time.monotonic()
        for word in ("skip", "elsewhere"):
            if (reason := block.note(word)) is not None:
                first = block.text.strip().split("\n")[0]
                self.say(block, f"{'skipped' if word == 'skip' else 'run elsewhere'}: {first[:60]}: {reason}")
                return
        if given := block.note("given"):
            self.make(block, given)
            self.say(block, f"made before: {given}", time.monotonic() - began)
        if block.kind.endswith(" recipe"):
            self.say(block, f"run elsewhere: {block.text.strip().splitlines()[0][:60]}: tests/structure/recipes.py")
        elif block.commands():
            self.run_commands(block)
        elif block.kind in ("python", "sh") and block.note("file"):
            self.shows_file(block)
            self.say(block, f"shown: {block.note('file')}")
        elif block.kind == "python" and "import gymnasium" in block.text and GYMNASIUM is None:
            print(f"[PART] {block.place}: gymnasium is not installed: pip install 'gymnasium>=1.1,<2'")
        elif block.kind == "python":
            began = time.monotonic()
            self.python(block)
            self.say(block, f"ran: Python{'' if self.long or not block.note('with') else '  (shortened: ' + block.note('with') + ')'}",
                     time.monotonic() - began)
        elif block.kind.startswith("json"):
            self.shows_file(block)
            self.validate(block)
        elif block.kind in ("", "text", "math"):
            self.say(block, f"no command: {block.text.strip().splitlines()[0][:60]}")
        else:
            raise Failed(f"{block.place}: nothing is known of how to run a block of {block.kind}")

    def shows_file(self, block: Block) -> None:
        """`docs: file FILE`: the page shows that file, whole."""
        if (file := block.note("file")) and read(file).strip() != block.text.strip():
            raise Failed(f"{block.place}: this is not what {file} holds")

    def validate(self, block: Block) -> None:
        if block.page.startswith(C_READS):
            self.say(block, "read by tests/study/test_documentation.c: JSON")
            return
        kind = block.kind.partition(" ")[2]
        text = {"": block.text, "study": block.text, "parameters": HEAD + '"parameters": {' + block.text + "}}",
                "sections": HEAD + block.text + "}"}[kind]
        with open(os.path.join(self.folder, "example.json"), "w", encoding="utf-8") as file:
            file.write(text)
        if kind or '"model"' in text:
            self.shell(block, "omniroll validate example.json")
        else:
            json.loads(text)
        self.say(block, "read: JSON")


def code_of(shown: list[str], code: int) -> int:
    """A command line or a study that is refused, as the page shows it: exit code 3."""
    return 3 if shown and shown[0].startswith("omniroll: ") else code


@contextlib.contextmanager
def changed_folder(folder: str) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def quiet() -> Iterator[io.StringIO]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield printed


