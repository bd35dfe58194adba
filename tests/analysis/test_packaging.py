"""What pip makes of analysis/: its metadata, its commands, and which library and program are taken."""

import ast
import importlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANALYSIS = ROOT / "analysis"
sys.path.insert(0, str(ANALYSIS))

import omniroll  # noqa: E402
from omniroll import launch, library  # noqa: E402

PROGRAM = shutil.which(os.environ.get("OMNIROLL", "omniroll")) or "omniroll"
PROJECT = tomllib.loads((ANALYSIS / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = PROJECT["tool"]["scikit-build"]


class Metadata(unittest.TestCase):
    def test_the_version_is_that_of_the_program(self):
        self.assertEqual(PROJECT["project"]["version"], omniroll.__version__)
        self.assertEqual(PROJECT["project"]["version"], omniroll.version())

    def test_what_is_required_is_what_the_launcher_looks_for(self):
        # Without xxhash results are read, and a warning says that their checksums are not checked.
        self.assertEqual(set(PROJECT["project"]["dependencies"]), {*launch.REQUIRED, "xxhash"})

    def test_commands_are_functions(self):
        for command in PROJECT["project"]["scripts"].values():
            module, name = command.split(":")
            self.assertTrue(callable(getattr(importlib.import_module(module), name)), command)

    def test_the_language_is_that_of_the_oldest_python(self):
        oldest = PROJECT["project"]["requires-python"].removeprefix(">=")
        self.assertEqual(PROJECT["tool"]["mypy"]["python_version"], oldest)
        self.assertIn(f"sys.version_info < ({oldest.replace('.', ', ')})", (ANALYSIS / "omniroll" / "launch.py").read_text(encoding="utf-8"))
        for path in (*ANALYSIS.glob("omniroll/**/*.py"), *(ROOT / "studies" / "papers").glob("*.py")):
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=tuple(map(int, oldest.split("."))))

    def test_targets_of_the_build_are_there(self):
        rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "cmake").glob("*.cmake"))
        for target in BUILD["build"]["targets"]:
            self.assertTrue(re.search(rf"add_(executable|library|custom_target)\({target} ", rules), target)


class Installed(unittest.TestCase):
    """A copy of the package with program and library where pip puts them."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        package = self.folder / "omniroll"
        shutil.copytree(ANALYSIS / "omniroll", package, ignore=shutil.ignore_patterns("__pycache__"))
        self.native = self.folder / BUILD["wheel"]["install-dir"]
        for name, path in (("lib/libomniroll.so.0", library.library()._name), ("bin/omniroll", PROGRAM)):
            (self.native / name).parent.mkdir(parents=True)
            (self.native / name).symlink_to(os.path.realpath(path))

    def omniroll(self, *arguments, **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("OMNIROLL")}
        return subprocess.run([sys.executable, "-B", "-m", "omniroll", *arguments], cwd=self.folder, capture_output=True, text=True,
                              env={**clean, "PYTHONPATH": str(self.folder), **environment})

    def test_its_own_program_and_library_come_first(self):
        os.symlink(os.path.realpath(library.library()._name), self.folder / "omniroll" / "libomniroll.so.0")
        said = self.omniroll("--version").stdout.splitlines()
        self.assertEqual(said[0], f"omniroll {omniroll.version()}")
        self.assertEqual(said[-3:], [f"program {self.native}/bin/omniroll", f"library {self.native}/lib/libomniroll.so.0",
                                     f"package {self.folder}/omniroll, Python {sys.version.split()[0]}"])

    def test_another_one_is_taken_where_it_is_named(self):
        said = self.omniroll("--version", OMNIROLL_PROGRAM=PROGRAM, OMNIROLL_LIBRARY=library.library()._name).stdout
        self.assertIn(f"program {PROGRAM}\nlibrary {library.library()._name}\n", said)

    def test_the_command_becomes_the_program(self):
        said = self.omniroll("describe", "nosuch")
        self.assertEqual((said.returncode, said.stderr),
                         (lambda done: (done.returncode, done.stderr))(subprocess.run([PROGRAM, "describe", "nosuch"], capture_output=True, text=True)))

    def test_it_ends_as_the_program_where_nobody_reads(self):
        for words in (["--version"], ["describe", "omni_vehicle"]):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([sys.executable, "-u", "-B", "-m", "omniroll", *words], cwd=self.folder, stdout=writing, stderr=subprocess.PIPE,
                                  text=True, env={**os.environ, "PYTHONPATH": str(self.folder)})
            os.close(writing)
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""), words)

    def test_reports_are_made_by_this_python_and_this_package(self):
        (self.folder / "omniroll" / "report" / "__main__.py").write_text("import sys; print(sys.executable, __file__)", encoding="utf-8")
        said = self.omniroll("report", "result.h5").stdout
        self.assertEqual(said.strip(), f"{sys.executable} {self.folder}/omniroll/report/__main__.py")

    def test_without_a_program_the_remedy_is_named(self):
        said = self.omniroll("devices", OMNIROLL_PROGRAM=str(self.folder / "none"))
        self.assertEqual((said.returncode, said.stderr), (4, f"omniroll: {self.folder}/none: cannot be run: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
