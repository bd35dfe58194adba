"""tests/nightly.sh runs the tests whole, whatever the environment says, and tells what it ran."""

import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHORT = "[PART] a::b: shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole"
TESTS = """add_test(parity/bits sh -c "echo '${OMNIROLL_TESTS-whole} form'; [ -z \\"$OMNIROLL_TESTS$POCL_EXTRA_BUILD_FLAGS\\" ]")
add_test(unit/json true)
"""


class Nightly(unittest.TestCase):
    def nightly(self, tests, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(tests, encoding="utf-8")
            return subprocess.run(["sh", str(ROOT / "tests/nightly.sh"), "-b", folder, *arguments], capture_output=True, text=True,
                                  env=dict(os.environ, OMNIROLL_TESTS="short", POCL_EXTRA_BUILD_FLAGS="-cl-opt-disable"), check=False)

    def test_tests_are_run_whole_and_told_with_their_count(self):
        done = self.nightly(TESTS, "tests")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"== ran\ntests +2 passed +0 failed +\d+ s  every test .*\n2 passed, 0 failed\n$")

    def test_what_is_shortened_all_the_same_is_a_failure(self):
        done = self.nightly(TESTS.replace("${OMNIROLL_TESTS-whole} form", SHORT), "tests")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertTrue(done.stdout.endswith("2 passed, 1 failed\n"), done.stdout)
        self.assertIn("nightly: parity/bits: a::b: shortened by OMNIROLL_TESTS=short", done.stdout)

    def test_unknown_steps_are_refused(self):
        self.assertEqual(self.nightly(TESTS, "parrity").returncode, 2)

    def test_every_command_is_there(self):
        listed = self.nightly(TESTS, "-l").stdout.splitlines()
        self.assertEqual(listed[0], "tests: every test of the release build whole, OpenCL programs optimised")
        text = (ROOT / "tests/nightly.sh").read_text(encoding="utf-8")
        scripts = {word for word in text.split() if word.startswith("tests/long/")}
        self.assertGreater(len(scripts), 7)
        self.assertEqual([script for script in scripts if not (ROOT / script).exists()], [])


if __name__ == "__main__":
    unittest.main()
