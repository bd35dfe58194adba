"""Runs one module of unittest and says what was skipped and why: python_tests.py FILE, from the project's root.

Every skipped test is a line "[SKIP] TEST: REASON", which tests/count.py collects. The exit code is 77 where all tests were skipped."""

import os
import sys
import unittest

sys.path[0] = os.getcwd()  # as `python3 -m unittest FILE` has it


class Result(unittest.TextTestResult):
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        lines = str(reason).splitlines() or [""]
        print(f"\n[SKIP] {test.id()}: {lines[0]}", file=sys.stderr, flush=True)


def main():
    runner = unittest.TextTestRunner(resultclass=Result)
    result = unittest.main(module=None, testRunner=runner, exit=False).result
    if not result.wasSuccessful():
        return 1
    return 77 if result.skipped and len(result.skipped) >= result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
