"""`result.omniroll` of a Dataset: figures and what else a result says."""

import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np
import xarray

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "analysis"))

import omniroll  # noqa: E402
from omniroll.figures import Skipped  # noqa: E402

STUDY = os.path.join(ROOT, "tests", "analysis", "result.json")
GRID = {"integrator.step": 1e-4, "integrator.duration": 0.05, "output.trajectories.instances": [0, 3], "design": {"type": "grid"},
        "vary": [{"path": "wheel.friction", "values": [0.2, 0.3, 0.4]}, {"path": "platform.mass", "values": [9, 12]}]}


class Accessor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cls.grid = omniroll.run(STUDY, set=GRID, backend="openmp", progress=False)
            cls.draws = omniroll.run(STUDY, backend="openmp", progress=False)
            cls.one = omniroll.run(STUDY, set={**GRID, "vary": GRID["vary"][:1], "output": {}}, backend="openmp", progress=False)
            cls.failing = omniroll.run(os.path.join(ROOT, "tests", "analysis", "failures.json"), backend="openmp", progress=False)

    def axes(self, figure):
        """Every panel with data has a unit or a name on both axes."""
        figure.savefig(os.devnull, format="png")
        panels = [axes for axes in figure.axes if axes.lines or axes.patches or axes.collections or axes.images]
        self.assertTrue(panels)
        for axes in panels:
            self.assertTrue(axes.get_ylabel() or axes.get_xlabel(), axes)
        return panels

    def title(self, figure):
        return " ".join(filter(None, [figure._suptitle.get_text() if figure._suptitle else "", *(axes.get_title(loc) for axes in figure.axes
                                                                                                 for loc in ("left", "center", "right"))]))

    def test_plot_chooses_by_the_design(self):
        spread = self.axes(self.draws.omniroll.plot("path_length"))[0]
        self.assertRegex(spread.get_xlabel(), r"\bm\b")
        line = self.axes(self.one.omniroll.plot("path_length"))[0]
        self.assertIn("friction", line.get_xlabel())
        chosen = self.axes(self.grid.omniroll.plot("path_length", over="platform_mass"))[0]
        self.assertIn("mass", chosen.get_xlabel())
        self.assertIn("kg", chosen.get_xlabel())
        figure = self.grid.omniroll.plot("path_length")
        self.axes(figure)
        self.assertIn("path_length over wheel_friction and platform_mass", self.title(figure))

    def test_paths_and_time(self):
        for figure in (self.grid.omniroll.plot_path(), self.grid.omniroll.plot_path("platform_mass"), self.grid.omniroll.plot_time(),
                       self.grid.omniroll.plot_wheels(3)):
            self.axes(figure)
        with self.assertRaises(Skipped):
            self.one.omniroll.plot_path()

    def test_a_selection_shows_what_it_has(self):
        part = self.grid.isel(instance=slice(2, 5))
        result = part.omniroll.result
        np.testing.assert_array_equal(result.numbers, [2, 3, 4])
        np.testing.assert_array_equal(result.observables["path_length"], self.grid.path_length[2:5])
        np.testing.assert_array_equal(result.traced, [3])
        self.assertEqual(result.trajectories["x"].shape[0], 1)
        self.axes(part.omniroll.plot_path())
        self.axes(part.omniroll.plot_time(3))
        np.testing.assert_array_equal(self.grid.where(self.grid.platform_mass > 10, drop=True).omniroll.result.parameters["platform_mass"], 12)
        np.testing.assert_array_equal(self.grid.sel(instance=3).omniroll.result.numbers, [3])
        np.testing.assert_array_equal(self.grid.sel(traced=[0]).omniroll.result.traced, [0])

    def test_what_else_it_says(self):
        self.assertTrue(self.draws.omniroll.statistics().identical(omniroll.statistics(self.draws)))
        self.assertTrue(self.draws.omniroll.step_error().identical(omniroll.step_error(self.draws)))
        self.assertTrue(self.draws.omniroll.sensitivity().identical(omniroll.sensitivity(self.draws)))
        failed = self.failing.omniroll.failures()
        self.assertTrue(failed.identical(omniroll.failures(self.failing)))
        self.assertEqual(self.failing.sel(instance=failed.instance[:1]).omniroll.failures().sizes["instance"], 1)
        self.assertEqual(self.draws.omniroll.study["title"], "small study for the analysis tests")

    def test_report_and_save(self):
        with tempfile.TemporaryDirectory() as folder:
            path, page = os.path.join(folder, "r.h5"), os.path.join(folder, "page.html")
            self.grid.omniroll.save(path)
            self.assertTrue(omniroll.open(path).equals(self.grid))
            self.assertEqual(omniroll.verify(path)["problems"], [])
            omniroll.open(path).omniroll.save(os.path.join(folder, "copy.h5"))
            self.assertTrue(omniroll.open(os.path.join(folder, "copy.h5")).equals(self.grid))
            self.assertEqual(sorted(os.listdir(folder)), ["copy.h5", "r.h5"])
            self.assertEqual(self.one.omniroll.report(page), page)
            with self.assertRaisesRegex(omniroll.FileError, "cannot be written"):
                self.grid.omniroll.save(os.path.join(folder, "none", "r.h5"))

    def test_refusals(self):
        with self.assertRaisesRegex(omniroll.UsageError, "no observable 'path_lenght'; did you mean path_length"):
            self.grid.omniroll.plot("path_lenght")
        with self.assertRaisesRegex(omniroll.UsageError, "no varied parameter 'mass'; it has: wheel_friction, platform_mass"):
            self.grid.omniroll.plot("path_length", over="mass")
        with self.assertRaisesRegex(omniroll.UsageError, "not one of omniroll.run or omniroll.open"):
            xarray.Dataset({"a": 1}).omniroll.plot("a")

    def test_importing_the_package_loads_no_xarray(self):
        done = subprocess.run([sys.executable, "-B", "-c", "import omniroll, sys; print('xarray' in sys.modules, 'matplotlib' in sys.modules)"],
                              capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "analysis")})
        self.assertEqual(done.stdout.strip(), "False False", done.stderr)

    def test_pickled(self):
        self.axes(pickle.loads(pickle.dumps(self.draws)).omniroll.plot("path_length"))


if __name__ == "__main__":
    unittest.main()
