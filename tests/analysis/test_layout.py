"""Pages of every kind in a browser, at the widths of a phone, a tablet, a laptop and a large screen, light and dark, and on paper (in the
short form of tests/run.sh at two of the widths): nothing overflows, is cut, overlaps or is too faint, no picture has an empty half page
beside it (page_checks.py). And a page does not grow with the number of instances."""

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import page_samples  # noqa: E402
from browser import CHROMIUM, Browser, needs_browser  # noqa: E402
from page_checks import PAPER, THEMES, WIDTHS, measure_open, table  # noqa: E402
from short_form import SHORT, few  # noqa: E402

import omniroll  # noqa: E402

WORKERS = 2  # a browser each
NAMES = [name for name in page_samples.NAMES if name != "figures" or os.environ.get("OMNIROLL_LIBRARY")]  # figures run in this process
# A phone's light page and a laptop's dark one stand for the other widths in the short form, and these pages for the others: designs under
# uncertainty, one vehicle, instances that fail, a comparison.
FEW = ["nested", "single", "failures", "compare"]
LOOKS = [(390, "light"), (1280, "dark")] if SHORT else [(width, theme) for width in WIDTHS for theme in THEMES]
LARGEST = 3e6  # bytes of a page
SOONEST = 2.0  # s, in which a page is there


def looked_at(names, folder):
    """Of each page: what was found in every look at it, and what the browser complained of or fetched."""
    seen = []
    with Browser() as browser:
        for name in names:
            path = page_samples.page(name, folder)
            page = browser.open(path)
            looks = [measure_open(page, width, theme, name) for width, theme in LOOKS] + [measure_open(page, 0, PAPER, name)]
            seen.append((name, looks, page.errors + page.violations + page.requests, path.stat().st_size))
            page.close()
    return seen


@needs_browser
class Layout(unittest.TestCase):
    def test_pages_of_every_kind_show_all_that_they_have(self):
        names = few(self, NAMES, FEW)
        with tempfile.TemporaryDirectory() as folder:
            fork = multiprocessing.get_context("fork")
            with concurrent.futures.ProcessPoolExecutor(WORKERS, mp_context=fork) as pool:
                jobs = [pool.submit(looked_at, names[k::WORKERS], folder) for k in range(WORKERS)]
                seen = sorted((each for job in jobs for each in job.result()), key=lambda each: names.index(each[0]))
        self.assertEqual([name for name, *_ in seen], names)
        print(table([look for _, looks, _, _ in seen for look in looks]))
        for name, looks, complaints, size in seen:
            with self.subTest(name):
                self.assertEqual(len(looks), len(LOOKS) + 1)
                self.assertEqual([words for look in looks for words in look.wrong()], [])
                self.assertEqual(complaints, [])
                self.assertLess(size, LARGEST)

    def test_ready_studies_that_crowded_their_pictures_do_so_no_more(self):
        """Ticks that ran into each other, numbers wider than their cells, names broken inside, labels beyond the edge. tests/long/pictures.py
        looks at every starter and ready study."""
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            for name in few(self, ("roller_gap", "stick_slip", "heave", "calibrate", "first", "height_ripple", "starter_sensitivity"),
                            ("roller_gap", "height_ripple", "starter_sensitivity")):
                page = browser.open(page_samples.ready_page(name, folder))
                with self.subTest(name):
                    self.assertEqual([words for width in (390, 1280) for words in measure_open(page, width, "light", name).wrong()], [])
                page.close()

    def test_labels_can_be_read_in_narrower_and_wider_fonts(self):
        """The one that this machine has is one of many: closer and wider letters stand for the others. (Liberation Sans, which most desktops
        have, is narrower by an eighth than DejaVu Sans.)"""
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            page = browser.open(page_samples.page("line", folder))
            for spacing in ("-0.8px", "0", "0.4px"):
                page.value(f"document.querySelectorAll('svg text').forEach(words => {{ words.style.letterSpacing = '{spacing}'; }})")
                for theme in THEMES:
                    found = measure_open(page, 1280, theme, f"letters {spacing} apart")
                    self.assertGreater(found.texts, 100)
                    self.assertEqual(found.faint, [], f"{theme}, letters {spacing} apart")


class Size(unittest.TestCase):
    """What a page draws and lists has an upper bound, so that the page of a million instances has below 3 MB (1.5 MB and less than a second
    to open, measured of a sample, of 1000 designs and of a grid of 1000 by 1000). Here the 120 000 instances of a longer run add less than a
    byte each: those of a million would add less than a megabyte."""

    STUDY = {
        "title": "Many draws", **{name: page_samples.VEHICLE[name] for name in ("model", "parameters")},
        "vary": page_samples.DRAWN, "statistics": {"fail": {"slides": "max_slip > 0.2 m/s"}},
        "integrator": {"method": "rosenbrock", "step": "1 ms", "duration": "3 ms"},
    }

    def page(self, folder, instances):
        """Its path; of one observable, which is enough to see what grows."""
        study = {**self.STUDY, "design": {"type": "monte_carlo", "instances": instances, "seed": 1}}
        source = pathlib.Path(folder, f"{instances}.json")
        source.write_text(json.dumps(study), encoding="utf-8")
        subprocess.run([os.environ["OMNIROLL"], "run", source, "-o", source.with_suffix(".h5"), "-q"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return pathlib.Path(omniroll.report(str(source.with_suffix(".h5")), observables=["max_slip"]))

    def test_a_page_does_not_grow_with_the_instances(self):
        with tempfile.TemporaryDirectory() as folder:
            fewer, many = (self.page(folder, count) for count in few(self, (8000, 128000), (2000, 32000)))
            sizes = fewer.stat().st_size, many.stat().st_size
            opened = opens_in(many) if CHROMIUM else 0.0
        print(f"{sizes[0]} bytes, with 16 times the instances {sizes[1]} bytes, opened in {opened:.2f} s")
        self.assertLess(sizes[1] - sizes[0], 30000 if SHORT else 120000)
        self.assertLess(sizes[1], LARGEST)
        self.assertLess(opened, SOONEST)


def opens_in(path):
    """Seconds from the start to the end of loading, the shortest of three."""
    found = []
    with Browser() as browser:
        for _ in range(3):
            page = browser.open(path)
            found.append(page.value("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000)
            page.close()
    return min(found)


if __name__ == "__main__":
    unittest.main()
