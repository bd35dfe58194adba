"""Figures of nested and drawn designs, of Sobol' indices, of subset simulation and of the calibration of relaxed constraints. The
files are made here, so that what to expect is known: cell (a, b) of the nested design has the values 10 a + b + (0 ... 7)."""

import json
import os
import sys
import tempfile
import unittest

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.join(ROOT, "studies")]

import omniroll  # noqa: E402
from omniroll import plot  # noqa: E402
from omniroll.figures import Skipped, distributions, nested_designs, rare_events  # noqa: E402
from omniroll.reading import designs  # noqa: E402
from papers import relaxation  # noqa: E402

NAMES = "ok wheel_lifted diverged outside_model too_many_exchanges invalid_parameters"
WORDS = h5py.string_dtype()


def write(path, study, parameters, observables, status, marks=None, statistics=None, trajectories=None):
    with h5py.File(path, "w") as file:
        file.attrs.update({"title": "made", "model": "omni_vehicle", "seed": "1", "study": json.dumps(study)})
        group = file.create_group("instances")
        group["instance"] = np.arange(len(status), dtype=np.uint64)
        for role, columns in (("parameter", parameters), ("observable", observables), ("design", marks or {})):
            for name, (unit, values) in columns.items():
                data = group.create_dataset(name, data=values)
                data.attrs.update({"role": role, "units": unit, "long_name": f"what {name} is; fill value without"})
        data = group.create_dataset("status", data=np.asarray(status, dtype=np.int8))
        data.attrs["flag_values"] = np.arange(6, dtype=np.int8)
        data.attrs["flag_meanings"] = NAMES
        group["status_time"] = np.ones(len(status))
        write_statistics(file, statistics)
        write_trajectories(file, trajectories)


def write_statistics(file, statistics):
    for name, content in (statistics or {}).items():
        group = file.create_group(f"statistics{'/' if name else ''}{name}")
        for key, values in content.items():
            if key == "attrs":
                group.attrs.update(values)
            elif isinstance(values, list):
                group.create_dataset(key, data=values, dtype=WORDS)
            else:
                group[key] = values


def write_trajectories(file, samples):
    if samples is None:
        return
    group = file.create_group("trajectories")
    rows, times = next(iter(samples.values())).shape
    group["instance"] = np.arange(rows, dtype=np.uint64)
    group["time"] = np.linspace(0, 1, times)
    for scale in ("instance", "time"):
        group[scale].make_scale(scale)
    for name, values in samples.items():
        group[name] = values
        group[name].dims[0].attach_scale(group["instance"])
        group[name].dims[1].attach_scale(group["time"])


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def draw(self, name, *options):
        """The files that the program of plots writes."""
        out = self.path("plots")
        self.assertEqual(plot.main([self.path(name), "-o", out, *options]), 0)
        for file in os.listdir(out):
            self.assertGreater(os.path.getsize(os.path.join(out, file)), 5000, file)
        return set(os.listdir(out))


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


# --- criteria -----------------------------------------------------------------------------------------------------------------


class Criteria(unittest.TestCase):
    def test_comparisons_with_units(self):
        self.assertEqual(designs.comparison("max_slip > 5 cm/s"), ("max_slip", "", ">", 0.05))
        name, absolute, operator, limit = designs.comparison("abs(yaw_deviation) >= 2 deg")
        self.assertEqual((name, absolute, operator), ("yaw_deviation", "abs", ">="))
        self.assertAlmostEqual(limit, np.radians(2), 15)
        self.assertEqual(designs.comparison("min_load < 1.5e1"), ("min_load", "", "<", 15.0))

    def test_what_is_no_simple_comparison_is_left_alone(self):
        for text in ("a > b", "a > 3 furlongs", "a + b > 2", "a > 1 && b > 2", "status == wheel_lifted"):
            self.assertIsNone(designs.comparison(text), text)

    def test_wilson(self):
        # 0 of n: z^2/(n + z^2); 5 of 10: 1/2 -+ z/2 sqrt(1/(n + z^2)), z = 1.959964
        self.assertAlmostEqual(designs.wilson(0, 64)[1], 3.841459 / (64 + 3.841459), 7)
        self.assertEqual(designs.wilson(0, 64)[0], 0)
        self.assertAlmostEqual(designs.wilson(5, 10)[0], 0.5 - 0.979982 / np.sqrt(10 + 3.841459), 6)
        self.assertAlmostEqual(designs.wilson(5, 10, 0.9)[0], 0.5 - 0.8224268 / np.sqrt(10 + 2.705543), 6)
        self.assertTrue(np.isnan(designs.wilson(0, 0)[0]))


# --- nested designs -----------------------------------------------------------------------------------------------------------

A, B = [3.0, 1.0, 2.0], [0.0, 0.5]  # the first not in order
CELLS = 6


def nested_study():
    return {"vary": [{"path": "wheel.rollers", "values": A}, {"path": "wheels[0].inclination", "linspace": [0, 0.5, 2]},
                     {"path": "wheel.friction", "uniform": [0.2, 0.8]}],
            "design": {"type": "nested", "sample": "sobol", "per_cell": 8},
            "statistics": {"fail": {"far": "max_deviation > 24", "low": "max_deviation < 12"}}}


def write_nested(path, statistics=None, failed=()):
    a, b = (np.repeat(values, 8) for values in (np.repeat(A, 2), np.tile(B, 3)))
    values = 10 * a + b + np.tile(np.arange(8.0), CELLS)
    status = np.zeros(48, dtype=int)
    status[list(failed)] = 5
    values[status != 0] = np.nan
    write(path, nested_study(), {"wheel_rollers": ("1", a), "wheel0_inclination": ("rad", b),
                                 "wheel_friction": ("1", np.tile(np.linspace(0.2, 0.8, 8), CELLS))},
          {"max_deviation": ("N", values)}, status, statistics=statistics)


class Nested(InFolder):
    def test_design_and_drawn_variables(self):
        write_nested(self.path("r.h5"))
        result = omniroll.open_result(self.path("r.h5"))
        self.assertEqual(designs.design_variables(result), ["wheel_rollers", "wheel0_inclination"])
        self.assertEqual(designs.drawn_variables(result), ["wheel_friction"])

    def test_means_stand_in_their_cells(self):
        write_nested(self.path("r.h5"), failed=range(8))  # the cell of 3 and 0
        result = omniroll.open_result(self.path("r.h5"))
        _, table, unit = nested_designs._cells(result, "max_deviation")
        mean = nested_designs._over(table, np.mean)
        expected = 10 * np.array([[1.0], [2.0], [3.0]]) + np.array([[0.0, 0.5]]) + 3.5
        expected[2, 0] = np.nan
        np.testing.assert_allclose(mean, expected, rtol=1e-15)
        figure = nested_designs.design_map(result, "max_deviation")
        self.assertIn("13.5", texts(figure))
        self.assertEqual(len(texts(figure)), 10, "five designs in two maps")

    def test_lines(self):
        write_nested(self.path("r.h5"))
        result = omniroll.open_result(self.path("r.h5"))
        lines = nested_designs.design_lines(result, "max_deviation", "wheel_rollers").axes[0].lines
        np.testing.assert_allclose(lines[0].get_ydata(), [13.5, 23.5, 33.5])
        self.assertIn("0°", lines[0].get_label())

    def test_probabilities_from_rows_and_from_statistics(self):
        write_nested(self.path("r.h5"))
        share, low, high, words = nested_designs._probabilities(omniroll.open_result(self.path("r.h5")), "far", [3, 2])
        # above 24: of 10 a + b + k with a = 2: k > 4 (3 of 8) and k > 3.5 (4 of 8); a = 3: all
        np.testing.assert_allclose(share, [[0, 0], [3 / 8, 4 / 8], [1, 1]])
        self.assertTrue(np.all((low <= share) & (share <= high)))
        self.assertIn("rows", words)
        group = {"criterion": ["low", "far"], "wheel_rollers": np.repeat(A, 2), "wheel0_inclination": np.tile(B, 3),
                 "attrs": {"confidence": 0.99, "interval": "clopper_pearson"}}
        for end, shift in (("", 0), ("_low", -0.01), ("_high", 0.01)):
            group[f"cell_probability{end}"] = np.arange(12).reshape(6, 2) / 20 + shift
        write_nested(self.path("s.h5"), statistics={"": group})
        share, low, high, words = nested_designs._probabilities(omniroll.open_result(self.path("s.h5")), "far", [3, 2])
        np.testing.assert_allclose(share * 20, [[5, 7], [9, 11], [1, 3]])  # cells in the order 3, 1, 2
        np.testing.assert_allclose(high - low, 0.02)
        self.assertEqual(words, "Clopper and Pearson's interval of 99 %")

    def test_files(self):
        write_nested(self.path("r.h5"), failed=range(8))
        files = self.draw("r.h5", "--observable", "max_deviation")
        self.assertEqual(files, {"max_deviation_designs.png", "max_deviation_over_wheel_rollers.png",
                                 "max_deviation_over_wheel0_inclination.png", "probability_far.png", "probability_low.png"})

    def test_texts_of_probabilities(self):
        shown = [nested_designs.percent(p) for p in (0, 0.0004, 0.0123, 0.5, 0.9999, 1)]
        self.assertEqual(shown, ["0", "0.04", "1.2", "50", "> 99", "100"])


# --- drawn designs ------------------------------------------------------------------------------------------------------------


def write_drawn(path, **more):
    x, noise = np.linspace(-1, 1, 200), np.random.default_rng(1).normal(size=200)
    study = {"vary": [{"path": "wheel.error.radius", "normal": [0, 1]}, {"path": "wheel.friction", "normal": [0, 1]}],
             "design": {"type": "monte_carlo", "instances": 200}, "statistics": {"fail": "abs(yaw_deviation) > 30 deg"}}
    write(path, study, {"wheel_error_radius": ("m", x), "wheel_friction": ("1", noise)}, {"yaw_deviation": ("rad", -(x**3))},
          np.zeros(200), **more)


class Drawn(InFolder):
    def test_ranks_of_ties(self):
        np.testing.assert_array_equal(distributions._ranks(np.array([5.0, 1.0, 5.0, 7.0])), [2.5, 1, 2.5, 4])

    def test_rank_correlation_of_a_monotone_dependence(self):
        write_drawn(self.path("r.h5"))
        found, count = distributions.rank_correlations(omniroll.open_result(self.path("r.h5")), "yaw_deviation")
        self.assertEqual(count, 200)
        self.assertAlmostEqual(found["wheel_error_radius"], -1, 12)
        self.assertLess(abs(found["wheel_friction"]), 0.2)

    def test_limits_on_both_sides(self):
        write_drawn(self.path("r.h5"))
        result = omniroll.open_result(self.path("r.h5"))
        self.assertEqual([name for name, _ in designs.thresholds(result, "yaw_deviation")], ["fail", "fail"])
        np.testing.assert_allclose([limit for _, limit in designs.thresholds(result, "yaw_deviation")], np.radians([30, -30]))
        legend = [text.get_text() for text in distributions.distribution(result, "yaw_deviation").axes[0].get_legend().get_texts()]
        share = np.mean(np.linspace(0, 1, 200) > 2) + np.mean(np.abs(np.linspace(-1, 1, 200)) ** 3 > np.radians(30))
        self.assertTrue(legend[0].startswith(f"fail: {100 * share:.3g} % ("), legend)
        self.assertIn("limit 30°", legend)

    def test_files(self):
        write_drawn(self.path("r.h5"))
        files = {"histogram_yaw_deviation.png", "yaw_deviation_correlations.png", "yaw_deviation_strongest.png", "fail_convergence.png",
                 "fail_where.png"}
        self.assertEqual(self.draw("r.h5"), files)

    def test_sobol_indices_largest_total_first(self):
        table = {"quantity": ["yaw_deviation"], "parameter": ["wheel_error_radius", "wheel_friction"], "used": np.array([64]),
                 "attrs": {"count": 64, "confidence": 0.95}}
        for key, values in (("first_order", [0.2, 0.5]), ("total", [0.3, 0.7])):
            for end, shift in (("", 0), ("_low", -0.1), ("_high", 0.1)):
                table[key + end] = np.array([values]) + shift
        write_drawn(self.path("r.h5"), statistics={"": {"attrs": {"confidence": 0.95}}, "sobol": table})
        axes = distributions.sobol_indices(omniroll.open_result(self.path("r.h5")), "yaw_deviation").axes[0]
        self.assertEqual([text.get_text() for text in axes.get_yticklabels()], ["wheel_friction", "wheel_error_radius"])
        self.assertEqual([bar.get_width() for bar in axes.patches], [0.5, 0.2, 0.7, 0.3])
        self.assertIn("yaw_deviation_sobol.png", self.draw("r.h5"))

    def test_subset_levels(self):
        level, taken = np.repeat([0, 1], 100), np.tile([1, 1, 0, 1], 50)
        subset = {"threshold": np.array([-2.0, 0.0]), "conditional_probability": np.array([0.1, 0.25]),
                  "attrs": {"criterion": "abs(yaw_deviation) > 30 deg", "probability": 0.025, "probability_low": 0.01,
                            "probability_high": 0.05, "confidence": 0.95, "instances": 200}}
        write_drawn(self.path("r.h5"), marks={"level": ("1", level.astype(np.int8)), "accepted": ("1", taken.astype(np.int8))},
                    statistics={"": {"attrs": {"confidence": 0.95}}, "subset": subset})
        result = omniroll.open_result(self.path("r.h5"))
        np.testing.assert_allclose(rare_events.levels(result)[1], [0.1, 0.025])
        name, by = rare_events.moved(result)[0]
        x = np.linspace(-1, 1, 200)
        first, last = x[(level == 0) & (taken == 1)], x[(level == 1) & (taken == 1)]
        self.assertEqual(name, "wheel_error_radius")
        self.assertAlmostEqual(by, (last.mean() - first.mean()) / first.std(), 12)
        self.assertEqual(self.draw("r.h5"), {"subset_levels.png"})


# --- calibration --------------------------------------------------------------------------------------------------------------


class Calibration(InFolder):
    def make(self):
        gains = np.array([(s, f) for s in (1.0, 2.0) for f in (0.0, 1.0)])
        parameters = {relaxation.STICTION: ("1", gains[:, 0]), relaxation.FRICTION: ("1", gains[:, 1]),
                      relaxation.SPEED: ("m s-1", np.full(4, 0.01))}
        still = np.zeros((1, 5))
        away = np.array([[4.0], [3.0], [1.0], [2.0]]) * np.ones((4, 5))
        observables = {"max_force_ratio": ("1", np.array([1.2, 1.3, 1.0, 1.0]))}
        write(self.path("u.h5"), {"vary": [{}]}, parameters, observables, np.zeros(4),
              trajectories={"x": 3 * away, "z": 4 * away, "yaw": 0.1 * away, "vx": away, "vz": away})
        write(self.path("c.h5"), {}, {}, {"max_force_ratio": ("1", np.ones(1))}, np.zeros(1),
              trajectories={name: still for name in ("x", "z", "yaw", "vx", "vz")})
        return omniroll.open_result(self.path("u.h5")), omniroll.open_result(self.path("c.h5"))

    def test_distances(self):
        away, turned = relaxation.distances(*self.make())
        np.testing.assert_allclose(away, [20, 15, 5, 10])
        np.testing.assert_allclose(turned, [0.4, 0.3, 0.1, 0.2])

    def test_closest_and_figure(self):
        relaxed, yardstick = self.make()
        row, best, away, _ = relaxation.closest(relaxed, yardstick)
        self.assertEqual((row, best[relaxation.STICTION], best[relaxation.FRICTION], away), (2, 2.0, 0.0, 5.0))
        plot.main([self.path("u.h5"), self.path("c.h5"), "--figure", "uk-calibration", "-o", self.folder])
        self.assertGreater(os.path.getsize(self.path("uk-calibration.png")), 5000)

    def test_other_studies_are_refused(self):
        _, yardstick = self.make()
        with self.assertRaises(Skipped):
            relaxation.closest(yardstick, yardstick)


if __name__ == "__main__":
    unittest.main()
