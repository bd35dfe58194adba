"""tests/count.py, tests/seconds.py and tests/python_tests.py: reports that ctest and Criterion themselves write."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
CMAKE = os.environ["OMNIROLL_CMAKE"]
CTEST = os.environ["OMNIROLL_CTEST"]
DELIBERATE = os.environ["OMNIROLL_DELIBERATE"]

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(counted LANGUAGES NONE)
include(CTest)
set(EMPTY "Synthesis: Tested: 0 . Passing: 0 . Failing: 0 . Crashing: 0 ")
add_test(NAME passes COMMAND sh -c "echo '[RUN ] a::b'")
add_test(NAME passes/in_part COMMAND sh -c "echo '[PART] a::b: no OpenCL <here> & now'; echo '[PART] a::b: no OpenCL <here> & now'")
add_test(NAME fails COMMAND sh -c "exit 1")
add_test(NAME skips COMMAND sh -c "echo 'one tool is missing'; exit 77")
add_test(NAME unbuilt COMMAND /nonexistent/program)
add_test(NAME after_a_failure COMMAND sh -c "exit 0")
add_test(NAME criterion/one COMMAND DELIBERATE --filter deliberate/skips)
add_test(NAME criterion/half COMMAND DELIBERATE --filter deliberate/[ps]*)
add_test(NAME python/all COMMAND PYTHON -B PYTHON_TESTS all.py)
add_test(NAME python/half COMMAND PYTHON -B PYTHON_TESTS half.py)
add_test(NAME python/fails COMMAND PYTHON -B PYTHON_TESTS fails.py)
set_tests_properties(skips python/all python/half python/fails PROPERTIES SKIP_RETURN_CODE 77 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(criterion/one criterion/half PROPERTIES SKIP_REGULAR_EXPRESSION ${EMPTY} ENVIRONMENT CRITERION_VERBOSITY_LEVEL=1)
set_tests_properties(fails PROPERTIES FIXTURES_SETUP broken)
set_tests_properties(after_a_failure PROPERTIES FIXTURES_REQUIRED broken)
"""

SKIPPED = """import unittest
@unittest.skip("no numpy")
class A(unittest.TestCase):
    def test_a(self): pass
"""
PASSES = """
class B(unittest.TestCase):
    def test_b(self): pass
"""
FAILS = """
class C(unittest.TestCase):
    def test_c(self): self.fail()
"""


class Counts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_here(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def test_skipped_tests_are_in_neither_number_and_tell_their_reasons(self):
        text = PROJECT.replace("PYTHON_TESTS", os.path.join(TESTS, "python_tests.py"))
        self.write("CMakeLists.txt", text.replace("PYTHON", sys.executable).replace("DELIBERATE", DELIBERATE))
        self.write("all.py", SKIPPED)
        self.write("half.py", SKIPPED + PASSES)
        self.write("fails.py", SKIPPED + FAILS)
        configured = self.run_here(CMAKE, "-S", ".", "-B", "build")
        self.assertEqual(configured.returncode, 0, configured.stderr)
        self.run_here(CTEST, "--test-dir", "build", "--output-junit", os.path.join(self.folder, "tests.xml"))
        counted = self.run_here(sys.executable, "-B", os.path.join(TESTS, "count.py"), "tests.xml", "dev", "skipped.txt")
        with open(os.path.join(self.folder, "skipped.txt"), encoding="utf-8") as file:
            # What --filter leaves out, Criterion calls disabled.
            lines = sorted(line for line in file.read().splitlines() if not line.endswith(": Test is disabled"))
        # Passed: passes, passes/in_part, criterion/half, python/half; failed: fails, unbuilt, after_a_failure, python/fails.
        self.assertEqual(counted.stdout, "4 4\n", counted.stderr)
        self.assertEqual(lines, [
            "dev: criterion/half: deliberate::skips: this test skips itself",
            "dev: criterion/one: deliberate::skips: this test skips itself",
            "dev: passes/in_part: a::b: no OpenCL <here> & now",
            "dev: python/all: all.A.test_a: no numpy",
            "dev: python/fails: fails.A.test_a: no numpy",
            "dev: python/half: half.A.test_a: no numpy",
            "dev: skips: one tool is missing",
        ])

    def test_a_report_that_cannot_be_read_is_no_number(self):
        self.write("tests.xml", "<testsuite")
        counted = self.run_here(sys.executable, "-B", os.path.join(TESTS, "count.py"), "tests.xml", "dev", "skipped.txt")
        self.assertNotEqual(counted.returncode, 0)
        self.assertEqual(counted.stdout, "")


REPORT = """<testsuite><testcase name="unit/json" time="0.5" status="run"/><testcase name="analysis/site" time="31" status="run"/>
<testcase name="physics/loads" time="25.25" status="run"/></testsuite>"""


class Seconds(unittest.TestCase):
    def test_the_slowest_come_first_and_what_is_slow_has_its_reason_or_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            report, reasons = pathlib.Path(folder, "tests.xml"), pathlib.Path(folder, "slow.txt")
            report.write_text(REPORT, encoding="utf-8")
            reasons.write_text("# why\nanalysis/site: builds the site\n", encoding="utf-8")
            done = subprocess.run([sys.executable, "-B", os.path.join(TESTS, "seconds.py"), report, "release", reasons], capture_output=True,
                                  text=True, check=True)
            self.assertEqual([line.split() for line in done.stdout.splitlines()[1:]],
                             [["31.0", "s", "analysis/site", "builds", "the", "site"],
                              ["25.2", "s", "physics/loads", "NO", "REASON", "in", "tests/slow.txt"]])
            self.assertIn("== release: 3 tests took 57 s", done.stdout)
            self.assertIn("   0.5 s  unit/json", report.with_name("seconds.txt").read_text(encoding="utf-8"))

    def test_every_reason_is_one_and_of_a_test_that_is_there(self):
        build = "".join(path.read_text(encoding="utf-8") for path in pathlib.Path(TESTS).parent.glob("cmake/*.cmake"))
        for line in pathlib.Path(TESTS, "slow.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            name, _, reason = line.partition(": ")
            folder, _, stem = name.partition("/")
            with self.subTest(name):
                self.assertGreater(len(reason), 20)
                files = [pathlib.Path(TESTS, folder, f"test_{stem}.{end}").exists() for end in ("c", "py")]
                self.assertTrue(any(files) or f"NAME {name}" in build, "there is no such test")


if __name__ == "__main__":
    unittest.main()
