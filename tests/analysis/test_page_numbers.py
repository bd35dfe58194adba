"""Numbers on the pages against the studies that they come from: the short form of tests/long/page_numbers.py. OMNIROLL names the program."""
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@unittest.skipUnless("OMNIROLL" in os.environ, "OMNIROLL names no program")
class PageNumbers(unittest.TestCase):
    def run_short(self, *names):
        script = os.path.join(ROOT, "tests", "long", "page_numbers.py")
        return subprocess.run([sys.executable, "-B", script, "--short", os.environ["OMNIROLL"], *names], capture_output=True, text=True)

    def test_sentences_are_what_the_studies_give(self):
        done = self.run_short()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_sentence_that_is_not_there_is_named(self):
        sys.path.insert(0, os.path.join(ROOT, "tests", "long"))
        import page_numbers  # noqa: PLC0415
        claim = page_numbers.Claim("made", "README.md", True, lambda runs: "omniroll makes coffee.")
        self.assertFalse(page_numbers.judge(claim, None, "nothing"))


if __name__ == "__main__":
    unittest.main()
