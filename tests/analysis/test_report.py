"""The report of results, made and shown in a browser."""

import os
import pathlib
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "analysis")]
from browser import Browser, needs_browser  # noqa: E402
from omniroll.report import report  # noqa: E402

RESULT = os.environ["OMNIROLL_RESULT"]


def made(folder, result, **options):
    return pathlib.Path(report(result, os.path.join(folder, "page.html"), **options))


@needs_browser
class TestInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = made(cls.folder.name, RESULT)
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def test_shows_without_errors_and_without_a_network(self):
        page = self.browser.open(self.path)
        self.assertGreater(page.value("document.querySelectorAll('h2').length"), 0)
        self.assertEqual(page.errors, [])
        self.assertEqual(page.requests, [])

    def test_fits_a_phone(self):
        page = self.browser.open(self.path, 390, 844)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)

    def test_the_button_changes_the_theme(self):
        page = self.browser.open(self.path, dark=True)
        color = "getComputedStyle(document.body).backgroundColor"
        dark = page.value(color)
        page.value("document.getElementById('theme').click()")
        self.assertNotEqual(page.value(color), dark)


if __name__ == "__main__":
    unittest.main()
