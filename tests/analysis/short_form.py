"""The short form of tests/run.sh (OMNIROLL_TESTS=short): what takes long and has its like in what stays is left to tests/nightly.sh."""

import os
import unittest

SHORT = os.environ.get("OMNIROLL_TESTS") == "short"
WORDS = "shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole"


def nightly(like):
    """A test, or a class of them, that the short form leaves out; `like` says what would fail there for the same fault."""
    return unittest.skipIf(SHORT, f"{WORDS}: here {like}")


def few(test, whole, some):
    """`some` in the short form, which is told; otherwise `whole`."""
    if not SHORT:
        return whole
    print(f"[PART] {test.id()}: {WORDS}")
    return some
