"""Results that keep no rows or a sample of them (output.rows) beside the same run with all rows: what the page, Python and the program say of
them is of all instances, and names the kept ones as a sample."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.join(ROOT, "tests", "analysis")]

from browser import Browser, needs_browser  # noqa: E402
from page_checks import PAPER, measure_open  # noqa: E402

import omniroll  # noqa: E402
from omniroll import plot  # noqa: E402
from omniroll.comparing.paired_differences import Moments, apart, mean, mean_of, shares_apart, unpaired, unpaired_shares  # noqa: E402
from omniroll.figures import Skipped  # noqa: E402
from omniroll.figures.basic import _bins  # noqa: E402
from omniroll.figures.distributions import rank_correlations  # noqa: E402
from omniroll.reading import summed  # noqa: E402

PROGRAM = os.environ.get("OMNIROLL", "")
TOTAL, SAMPLE = 1500, 40
ROWS = {"all": '"all"', "none": '"none"', "sample": json.dumps({"sample": SAMPLE})}
GRID = {"path": "wheel.inclination", "values": ["10 deg", "25 deg", "40 deg"]}
DRAWN = [{"path": "wheel.friction", "uniform": [0.05, 0.6]}, {"path": "platform.mass", "normal": ["12 kg", "8 kg"]}]


def study(design, vary):
    """Of which some instances are no vehicle: masses below 0."""
    with open(os.path.join(ROOT, "studies", "first.json"), encoding="utf-8") as file:
        text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.MULTILINE)
    found = json.loads(text)
    found.update(vary=vary, design={"seed": 3, **design}, ask=["vibration_rms", {"name": "odometry_error", "best": "smaller"}])
    found["statistics"] = {"fail": {"shakes": "vibration_rms > 1 mm/s2", "no_vehicle": "status == invalid_parameters"}, "failed_limit": 1}
    found["integrator"] = {"method": "rk4", "step": "0.1 ms", "duration": "2 ms"}
    found.pop("output", None)
    return found


DESIGNS = {
    "draws": study({"type": "monte_carlo", "instances": TOTAL}, DRAWN),
    "cells": study({"type": "nested", "sample": "monte_carlo", "per_cell": TOTAL // 3}, [GRID, *DRAWN]),
    "groups": study({"type": "saltelli", "groups": TOTAL // 4}, DRAWN),
}


def plain(page):
    """The words of a page."""
    text = re.sub(r"<(script|style|svg).*?</\1>", " ", page.replace("\u202f", ""), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", text))


class WithoutRows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        for design, content in DESIGNS.items():
            with open(cls.path(f"{design}.json"), "w", encoding="utf-8") as file:
                json.dump(content, file)
            for name, rows in ROWS.items():
                cls.program("run", cls.path(f"{design}.json"), "-q", "-o", cls.path(f"{design}.{name}.h5"), "--set", f"output.rows={rows}")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @staticmethod
    def program(*arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        if done.returncode != code:
            raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}")
        return done.stdout + done.stderr

    def page(self, name):
        output = self.path(f"{name}.html")
        omniroll.report(self.path(f"{name}.h5"), output)
        with open(output, encoding="utf-8") as file:
            return file.read()


class Reading(WithoutRows):
    def test_totals_are_those_of_all(self):
        for design in DESIGNS:
            whole = omniroll.open_result(self.path(f"{design}.all.h5"))
            self.assertEqual((whole.summed, whole.total), (False, TOTAL))
            for name, kept in (("none", 0), ("sample", SAMPLE)):
                result = omniroll.open_result(self.path(f"{design}.{name}.h5"))
                self.assertEqual((result.summed, result.instances, result.total), (True, kept, TOTAL))
                self.assertEqual((result.by_status, result.varied), (whole.by_status, whole.varied))
                self.assertIn(f"{kept} rows kept of {TOTAL} instances", repr(result))
                found = omniroll.open(self.path(f"{design}.{name}.h5"))
                self.assertEqual((found.attrs["total_instances"], found.omniroll.total, len(found.to_dataframe())), (TOTAL, TOTAL, kept))

    def test_numbers_are_those_of_the_rows(self):
        rows = omniroll.open_result(self.path("draws.all.h5"))
        result = omniroll.open_result(self.path("draws.none.h5"))
        values = np.where(rows.ok, rows.observables["vibration_rms"], np.nan)
        found = summed.of(result, "vibration_rms")
        self.assertEqual((found.min_instance, found.max_instance), (np.nanargmin(values), np.nanargmax(values)))
        self.assertAlmostEqual(found.mean, np.nanmean(values), delta=1e-12)
        self.assertEqual(int(found.counts.sum()), int(rows.ok.sum()))
        for level, value in found.quantiles.items():
            self.assertLessEqual(abs(value - np.nanquantile(values, level)), found.errors[level] + 1e-15)

    def test_first_failures_are_those_of_the_rows(self):
        every = omniroll.failures(self.path("draws.all.h5"))
        for name in ("none", "sample"):
            found = omniroll.failures(self.path(f"draws.{name}.h5"))
            self.assertGreater(len(found.instance), 0)
            self.assertEqual(found.instance.values[:5].tolist(), every.instance.values[:5].tolist())
            self.assertEqual(set(found.status_name.values), {"invalid_parameters"})
            self.assertEqual(found.attrs["total_failed"], len(every.instance))
            self.assertLess(len(found.instance), len(every.instance))
        self.assertEqual(every.attrs["total_failed"], len(every.instance))

    def test_no_row_is_told_and_not_written(self):
        with self.assertWarnsRegex(omniroll.StudyWarning, "none of 1500 rows is here .*means are NaN; result.omniroll.statistics") as told:
            found = omniroll.open(self.path("draws.none.h5"))
        self.assertEqual(told.filename, __file__)
        for write in (found.omniroll.to_parquet, found.omniroll.to_zarr):
            with self.assertRaisesRegex(omniroll.UsageError, "none of 1500 rows is here"):
                write(self.path("rows"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            omniroll.open(self.path("draws.sample.h5"))
            omniroll.open(self.path("draws.all.h5"))

    def test_in_memory_as_in_a_file(self):
        try:
            omniroll.version()
        except omniroll.LibraryError as error:
            self.skipTest(str(error))
        for rows, kept in (("none", 0), ({"sample": SAMPLE}, SAMPLE)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = omniroll.run(self.path("draws.json"), set={"output.rows": rows}, progress=False)
            self.assertEqual((len(found.instance), found.attrs["total_instances"], found.omniroll.result.total), (kept, TOTAL, TOTAL))
            expected = omniroll.statistics(self.path("draws.none.h5"))
            np.testing.assert_array_equal(omniroll.statistics(found)["mean"], expected["mean"])

    def test_figures_of_rows_say_what_to_do(self):
        result = omniroll.open(self.path("draws.none.h5"))
        with self.assertRaisesRegex(Skipped, "none of the 1500 rows is kept .*output.rows"):
            result.omniroll.plot("vibration_rms")
        self.assertEqual(plot.main([self.path("draws.none.h5"), "-o", self.path("plots")]), 2)
        self.assertEqual(plot.main([self.path("draws.sample.h5"), "-o", self.path("plots"), "--observable", "vibration_rms"]), 0)

    def test_traced_rows_are_no_draw(self):
        traces = {"instances": list(range(30)), "interval": "1 ms"}
        for design in ("draws", "groups"):
            self.program("run", self.path(f"{design}.json"), "-q", "-o", self.path("traced.h5"), "--overwrite", "--set", "output.rows=none",
                         "--set", f"output.trajectories={json.dumps(traces)}")
            result = omniroll.open_result(self.path("traced.h5"))
            self.assertEqual(result.instances, 30)
            with self.assertRaisesRegex(Skipped, "too few rows are drawn"):
                rank_correlations(result, "vibration_rms")
        found, count = rank_correlations(omniroll.open_result(self.path("draws.sample.h5")), "vibration_rms")
        self.assertEqual(set(found), {"wheel_friction", "platform_mass"})
        self.assertTrue(20 <= count <= SAMPLE)


class SideBySide(WithoutRows):
    def test_moments_give_what_values_give(self):
        random = np.random.default_rng(1)
        one, other = random.normal(0, 1, 40), random.normal(0.3, 2, 25)
        a, b = Moments.of(one), Moments.of(other)
        self.assertAlmostEqual(mean_of(a, 0.95).low, mean(one, 0.95).low, places=12)
        self.assertEqual(apart(a, b, 0.95), unpaired(one, other, 0.95))
        met, met_ = (one > 0).astype(float), (other > 0).astype(float)
        self.assertEqual(shares_apart((int(met.sum()), 40), (int(met_.sum()), 25), 0.95), unpaired_shares(met, met_, 0.95))

    def test_no_row_is_compared_that_is_not_there(self):
        for design in ("draws", "cells"):
            beside = omniroll.side_by_side(self.path(f"{design}.all.h5"), self.path(f"{design}.none.h5"), self.path(f"{design}.sample.h5"))
            np.testing.assert_allclose(beside.value.isel(robot=1), beside.value.isel(robot=0), rtol=1e-12)
            np.testing.assert_array_equal(beside.share.isel(robot=2), beside.share.isel(robot=0))
            np.testing.assert_array_equal(beside.share_count.isel(robot=1), beside.share_count.isel(robot=0))
            self.assertFalse(bool(beside.paired.any()))
            self.assertIn("not all rows", beside.attrs["unpaired"])

    def test_variants_of_a_run(self):
        with open(self.path("draws.json"), encoding="utf-8") as file:
            content = json.load(file)
        content.update(variants={"one": {}, "other": {"parameters": {"platform": {"yaw_inertia": "0.5 kg m2"}}}}, output={"rows": "none"})
        with open(self.path("variants.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)
        said = self.program("run", self.path("variants.json"), "-o", self.path("variants.h5"))
        self.assertIn("not all rows are kept (output.rows)", " ".join(said.split()))


class Pages(WithoutRows):
    def test_numbers_are_of_all_instances(self):
        for design in DESIGNS:
            whole = omniroll.open_result(self.path(f"{design}.all.h5"))
            met = int(whole.statistics["met"][0])
            for name, said in (("none", f"No row of the {TOTAL} instances is kept"), ("sample", f"{SAMPLE} rows of the {TOTAL} instances are kept")):
                words = plain(self.page(f"{design}.{name}"))
                self.assertIn(said, words)
                self.assertIn(str(met), words)
                self.assertIn(f"of {TOTAL} (", words)  # failed
                self.assertNotRegex(words, rf"of ({SAMPLE}|0) instances|met by \d+ of {SAMPLE}\b")
                self.assertIn(f"; {TOTAL} instances, seed 3; ", words)
                self.assertEqual("sample of 40 rows" in words, name == "sample")

    def test_extremes_have_the_command_that_runs_them_again(self):
        words = self.page("draws.none")
        found = summed.of(omniroll.open_result(self.path("draws.none.h5")), "vibration_rms")
        lines = re.findall(r"omniroll run study\.json (--instance \d+ --trace &#x27;[^&]*&#x27;)", words)
        instance, interval = re.match(r"--instance (\d+) --trace &#x27;([^&]*)&#x27;", lines[0]).groups()
        self.assertEqual(int(instance), found.max_instance)
        again = self.path("again.h5")
        self.program("run", self.path("draws.json"), "--set", 'output.rows="none"', "--instance", instance, "--trace", interval, "-o", again)
        result = omniroll.open_result(again)
        self.assertEqual(float(result.observables["vibration_rms"][0]), found.max)
        self.assertTrue(result.trajectories)

    @needs_browser
    def test_a_phone_a_laptop_and_paper_show_all_of_it(self):
        with Browser() as browser:
            for name in ("draws.none", "cells.sample", "groups.none"):
                self.page(name)
                page = browser.open(self.path(f"{name}.html"))
                for width, theme in ((390, "light"), (1280, "dark"), (0, PAPER)):
                    self.assertEqual(measure_open(page, width, theme, name).wrong(), [], (name, width))
                self.assertEqual(page.errors + page.violations + page.requests, [])


class LargeNumbers(unittest.TestCase):
    """Of observables whose squares and differences overflow, or that are nearly the same: a page with what there is."""

    def test_bins_of_nearly_equal_values(self):
        values = np.full(2000, 1.0) + 1e-15 * np.arange(2000) % 7
        values[5] = 1e4
        self.assertEqual(len(_bins(values)), 80)
        few = np.random.default_rng(3).normal(size=300)
        np.testing.assert_array_equal(_bins(few), np.histogram_bin_edges(few, bins="auto"))

    def test_values_that_overflow(self):
        derived = {"big": "1e300*(friction_kinetic-0.3)", "signs": "1.7e308*sign(friction_kinetic-0.3)"}
        block = {"model": "sliding_block", "parameters": {"law": "regularized", "pull": {"type": "ramp", "force": 0, "rate": "100 N/s"}},
                 "vary": [{"path": "friction.kinetic", "uniform": [0.05, 0.6]}], "design": {"type": "monte_carlo", "instances": 200, "seed": 3},
                 "integrator": {"method": "rk4", "step": "10 ms", "duration": "20 ms", "stability": "ignore"}, "output": {"derived": derived}}
        grid = {**block, "vary": [{"path": "friction.kinetic", "values": [0.1, 0.2, 0.4]}, {"path": "mass", "values": [1, 2]}], "design": {"type": "grid"}}
        with tempfile.TemporaryDirectory() as folder:
            for study, rows in ((block, "all"), (block, "none"), (grid, "all")):
                path = os.path.join(folder, "r.h5")
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", omniroll.StudyWarning)
                    omniroll.run(study, output=path, overwrite=True, set={"output.rows": rows})
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    for names in (["big"], ["signs"], None):
                        omniroll.report(path, observables=names)


class Commands(WithoutRows):
    def test_what_needs_the_rows_refuses_with_a_remedy(self):
        said = self.program("export", self.path("draws.none.h5"), code=2)
        self.assertIn("keeps no row (output.rows)", said)
        self.assertIn(f"analyze {self.path('draws.none.h5')} --json", said)
        lines = self.program("export", self.path("draws.sample.h5")).splitlines()
        self.assertEqual(len(lines), 1 + SAMPLE)
        gains = os.path.join(ROOT, "studies", "controller_gains.json")
        said = self.program("evaluate", gains, "--set", 'output.rows="none"', "-o", self.path("gains.h5"), code=2)
        self.assertIn('leave "rows" out', said)

    def test_the_others_take_them(self):
        for name in ("none", "sample"):
            self.assertIn("0 problems", self.program("verify", self.path(f"draws.{name}.h5")))
            self.assertEqual(json.loads(self.program("analyze", self.path(f"draws.{name}.h5"), "--json"))["rows"], TOTAL)


if __name__ == "__main__":
    unittest.main()
