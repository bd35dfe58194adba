"""Numbers on the pages against the studies that they come from: the short form of tests/long/page_numbers.py. OMNIROLL names the program."""
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "long")]

import page_numbers  # noqa: E402
from short_form import few  # noqa: E402

LONGEST = ("spur_gear", "skateboard", "tippe_top_over", "uk_weights", "mecanum_square", "coast_down")  # half of the time


@unittest.skipUnless("OMNIROLL" in os.environ, "OMNIROLL names no program")
class PageNumbers(unittest.TestCase):
    def run_short(self, *names):
        script = os.path.join(ROOT, "tests", "long", "page_numbers.py")
        return subprocess.run([sys.executable, "-B", script, "--short", os.environ["OMNIROLL"], *names], capture_output=True, text=True)

    def test_sentences_are_what_the_studies_give(self):
        names = [claim.name for claim in page_numbers.CLAIMS if claim.short]
        done = self.run_short(*few(self, names, [name for name in names if name not in LONGEST]))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_sentence_that_is_not_there_is_named(self):
        claim = page_numbers.Claim("made", "README.md", True, lambda runs: "omniroll makes coffee.")
        self.assertFalse(page_numbers.judge(claim, None, "nothing"))


if __name__ == "__main__":
    unittest.main()
