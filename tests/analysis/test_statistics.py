"""The group /statistics of a result of the program against numpy and scipy, and as xarray opens it. OMNIROLL names the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ANALYSIS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis")
sys.path.insert(0, ANALYSIS)

import omniroll  # noqa: E402

try:
    import xarray
except ImportError:
    xarray = None

PER_CELL = 50
STUDY = {
    "model": "uk_wheel",
    "parameters": {"brake": {"torque": 60, "time": 5}},
    "vary": [
        {"path": "gravity", "values": [5, 9.81]},
        {"path": "radius", "values": [0.2, 0.3, 0.4]},
        {"path": "mass", "uniform": [5, 20]},
        {"path": "drive.torque", "normal": [20, 10]},
    ],
    "design": {"type": "nested", "sample": "monte_carlo", "per_cell": PER_CELL, "seed": 5},
    "integrator": {"step": "2 ms", "duration": "0.6 s"},
    "ask": [{"name": "pace", "expression": "max_speed / radius", "best": "larger"}],
    "statistics": {
        "fail": {"fast": "max_speed > 12 cm/s", "heavy": "fast && mass > 12 kg", "either": "fast || status != ok"},
        "quantiles": [0.01, 0.1, 0.5, 0.77, 1],
        "histogram": 9,
        "interval": "clopper_pearson",
        "confidence": 0.9,
    },
}


@unittest.skipUnless(xarray and "OMNIROLL" in os.environ, "needs xarray and the program")
class Statistics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        study, cls.path = (os.path.join(cls.folder.name, name) for name in ("study.json", "study.h5"))
        with open(study, "w") as file:
            json.dump(STUDY, file)
        command = [os.environ["OMNIROLL"], "run", study, "-v", "-o", cls.path, "--backend", "openmp"]
        cls.printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        cls.result = omniroll.open_result(cls.path)
        cls.data = omniroll.statistics(cls.path)

    def values(self, name):
        return {**self.result.parameters, **self.result.observables}[name]

    def used(self, name, rows=slice(None)):
        values = self.values(name)[rows][self.result.status[rows] == 0]
        return values[np.isfinite(values)]

    def test_answer_has_a_row_for_each_cell_with_what_is_asked(self):
        """The study asks a mean per cell: value and star against the rows, and an observable by expression against its terms."""
        found = omniroll.answer(self.path)
        self.assertEqual([str(name) for name in found.asked.values], ["fast", "heavy", "either", "pace"])
        pace = self.values("max_speed") / self.values("radius")
        np.testing.assert_array_equal(self.values("pace"), pace)
        means = [pace[cell * PER_CELL:(cell + 1) * PER_CELL][self.result.ok[cell * PER_CELL:(cell + 1) * PER_CELL]].mean() for cell in range(6)]
        np.testing.assert_allclose(found.value.sel(asked="pace"), means, rtol=1e-12)
        self.assertEqual(list(found.mark.sel(asked="pace").values == 1), [mean == max(means) for mean in means])
        np.testing.assert_allclose(found.value.sel(asked="fast"), self.data.cell_probability.sel(criterion="fast"))
        self.assertTrue((found.low.sel(asked="pace") < means).all())

    def test_every_quantity_agrees_with_numpy(self):
        for name in self.data["quantity"].values:
            used, row = self.used(name), self.data.sel(quantity=name)
            self.assertEqual(row.used, len(used))
            self.assertEqual(row.without_value, (self.result.status == 0).sum() - len(used))
            self.assertEqual(row.unit, self.result.units[name])
            if len(used) == 0:
                self.assertTrue(np.isnan(row["mean"]) and np.all(np.isnan(row.quantiles)))
                continue
            np.testing.assert_allclose(row["mean"], used.mean(), rtol=1e-13, atol=1e-13 * np.abs(used).max())
            np.testing.assert_allclose(row.standard_deviation, used.std(ddof=1), rtol=1e-10, atol=1e-12 * np.abs(used).max())
            self.assertEqual((row["min"], row["max"]), (used.min(), used.max()))
            np.testing.assert_array_equal(row.quantiles, np.quantile(used, self.data["quantile"].values), err_msg=name)
            np.testing.assert_array_equal(row.histogram, np.histogram(used, row.histogram_edges)[0], err_msg=name)
            self.assertEqual(row.histogram.sum(), len(used))

    def test_cells_agree_with_numpy(self):
        self.assertEqual(self.data.sizes["cell"], 6)
        np.testing.assert_array_equal(self.data["gravity"], [5, 5, 5, 9.81, 9.81, 9.81])
        np.testing.assert_array_equal(self.data["radius"], [0.2, 0.3, 0.4] * 2)
        self.assertEqual(self.data["radius"].attrs["units"], "m")
        for cell in range(6):
            rows, part = slice(cell * PER_CELL, (cell + 1) * PER_CELL), self.data.isel(cell=cell)
            for name in ("max_speed", "final_x", "mass"):
                used, row = self.used(name, rows), part.sel(quantity=name)
                np.testing.assert_allclose(row.cell_mean, used.mean(), rtol=1e-13)
                np.testing.assert_array_equal(row.cell_quantiles, np.quantile(used, self.data["quantile"].values))
                np.testing.assert_array_equal(row.cell_histogram, np.histogram(used, row.histogram_edges)[0])
            fast = self.used("max_speed", rows) > 0.12
            self.assertEqual(part.sel(criterion="fast").cell_met, fast.sum())
            self.assertEqual(part.sel(criterion="fast").cell_probability, fast.mean())

    def test_criteria_are_counted(self):
        speed, mass, ok = self.values("max_speed"), self.values("mass"), self.result.status == 0
        expected = {"fast": ok & (speed > 0.12), "heavy": ok & (speed > 0.12) & (mass > 12), "either": (speed > 0.12) | ~ok}
        self.assertGreater(expected["fast"].sum(), 0)
        self.assertLess(expected["fast"].sum(), self.result.instances)
        for name, met in expected.items():
            self.assertEqual(self.data.met.sel(criterion=name), met.sum())
            self.assertIn(name, self.printed)

    def test_intervals_agree_with_scipy(self):
        try:
            from scipy import stats
        except ImportError:
            self.skipTest("no scipy")
        row = self.data.sel(criterion="heavy")
        bounds = stats.binomtest(int(row.met), int(row.met + row.not_met)).proportion_ci(0.9, "exact")
        np.testing.assert_allclose([row.probability_low, row.probability_high], bounds, rtol=1e-8)
        used, row = self.used("final_x"), self.data.sel(quantity="final_x")
        bounds = stats.t.interval(0.9, len(used) - 1, used.mean(), stats.sem(used))
        np.testing.assert_allclose([row.mean_low, row.mean_high], bounds, rtol=1e-9)

    def test_xarray_opens_the_group_by_itself(self):
        for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
            try:
                __import__(module)
            except ImportError:
                continue
            with xarray.open_dataset(self.path, engine=engine, group="statistics") as data:
                self.assertEqual(data["cell_mean"].dims, ("cell", "quantity"))
                here = {name for name in (*self.data.data_vars, *self.data.coords) if not name.startswith("step_")}  # a group of its own
                self.assertEqual(set(data.data_vars) | set(data.coords), here)
                for name in ("cell_mean", "quantiles", "met", "histogram"):
                    np.testing.assert_array_equal(data[name], self.data[name], err_msg=f"{engine} {name}")
                self.assertEqual(list(data["unit"].values), list(self.data["unit"].values))
                self.assertEqual(data.attrs["confidence"], 0.9)

    def test_what_has_no_statistics_is_refused(self):
        with self.assertRaises(omniroll.NotAResult):
            omniroll.statistics(os.path.join(self.folder.name, "study.json"))


if __name__ == "__main__":
    unittest.main()
