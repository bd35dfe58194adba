"""Sections of sweeps and of drawn studies in the report: which of them a design gets, and that the numbers in their captions are those
that numpy computes from the file. The files are made here, so that what to expect is known."""

import os
import re
import sys
import types
import unittest

import matplotlib
import matplotlib.colors
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from test_ensembles import InFolder, write  # noqa: E402

import omniroll  # noqa: E402
from omniroll.comparing import criteria  # noqa: E402
from omniroll.figures import Skipped, morris_effects, nested_designs, path_spread, probability, sweeps  # noqa: E402
from omniroll.figures.style import unit_text  # noqa: E402
from omniroll.reading import designs  # noqa: E402
from omniroll.report import answer_samples, montecarlo, rare, sensitivity, sweep, words  # noqa: E402
from omniroll.report.data import Choices, Data  # noqa: E402

LIFTED = 1


class Made(InFolder):
    """Results in memory."""

    def made(self, study, parameters, observables, status=None, **more):
        count = len(next(iter(parameters.values()))[1])
        write(self.path("r.h5"), study, parameters, observables, np.zeros(count) if status is None else status, **more)
        return omniroll.open_result(self.path("r.h5"))

    def sections(self, module, result, *observables):
        found = list(module.sections(Data(result, Choices(observables=list(observables) or None))))
        return {section.title: section.body for section in found}


def captions(body):
    return re.findall(r"<figcaption>(.*?)</figcaption>", body, re.S)


# --- criteria -----------------------------------------------------------------------------------------------------------------


class Criteria(Made):
    def result(self, fail, statistics=None):
        study = {"vary": [{"path": "platform.mass", "uniform": [0, 5]}], "design": {"type": "monte_carlo"}, "statistics": {"fail": fail}}
        return self.made(study, {"platform_mass": ("kg", np.arange(6.0))},
                         {"slip": ("m s-1", np.array([0.01, 0.02, 0.03, 0.04, np.nan, np.nan])), "yaw": ("rad", np.radians([-3, -1, 0, 1, 3, 9]))},
                         [0, 0, 0, 0, 0, LIFTED], statistics=statistics)

    def test_truth_of_every_kind_of_term(self):
        nan = np.nan
        fail = {"a": "slip > 2.5 cm/s", "b": "abs(yaw) >= 2 deg", "either": "a || b", "both": "a && b", "no": "!a", "lift": "status == wheel_lifted",
                "arithmetic": "2 * slip + 0.01 m/s < max(slip, 0.05 m/s)", "path": "platform.mass > 2 kg && a"}
        expected = {"a": [0, 0, 1, 1, nan, nan], "b": [1, 0, 0, 0, 1, nan],
                    "either": [1, 0, 1, 1, 1, nan],  # unknown or true is true; failed instances are left out
                    "both": [0, 0, 0, 0, nan, nan], "no": [1, 1, 0, 0, nan, nan], "lift": [0, 0, 0, 0, 0, 1],
                    "arithmetic": [1, 0, 0, 0, nan, nan],  # 2 s + 0.01 < 0.05 where s < 0.02
                    "path": [0, 0, 0, 1, nan, nan]}  # instance 2 has the mass 2
        result = self.result(fail)
        for name, values in expected.items():
            np.testing.assert_array_equal(criteria.truth(result, name), values, err_msg=name)

    def test_what_is_not_understood_or_counted_otherwise_is_unknown(self):
        result = self.result({"odd": "slip > 3 furlongs", "open": "(slip > 1 m/s"})
        self.assertIsNone(criteria.truth(result, "odd"))
        self.assertIsNone(criteria.truth(result, "open"))
        counted = {"": {"criterion": ["a"], "met": np.array([3]), "not_met": np.array([1])}}  # met by 2
        self.assertIsNone(criteria.truth(self.result({"a": "slip > 2.5 cm/s"}, counted), "a"))


class Words(unittest.TestCase):
    def test_units_and_numbers(self):
        self.assertEqual([unit_text(u) for u in ("1", "m s-2", "kg m2", "s-1", "N m")], ["", "m/s²", "kg m²", "1/s", "N m"])
        self.assertEqual([words.number(v) for v in (0, 0.30000001, 184928, -12.345, 1.2e-9)], ["0", "0.3", "185000", "−12.3", "1.2e−9"])
        self.assertEqual(words.together([1.0, 2.26, 13.44]), ["1.0", "2.3", "13.4"])
        self.assertEqual(words.together([2.1001, 2.1002]), ["2.1001", "2.1002"], "different numbers look different")

    def test_probabilities(self):
        self.assertEqual(words.probability(0.031, 0.024, 0.0401, 0.95), "3.10 % (2.40 to 4.01), 95 % interval")
        self.assertEqual(words.percents([0, 0, 0.011]), ["0", "0", "1.1"])
        self.assertEqual(words.percents([0.695, 0.654, 0.734]), ["69.5", "65.4", "73.4"])


# --- sweeps -----------------------------------------------------------------------------------------------------------------------

A, B, C = np.array([1.0, 2.0, 4.0]), np.radians([0.0, 10.0, 20.0, 30.0]), np.array([5.0, 7.0])


def grid(*levels):
    return [each.ravel() for each in np.meshgrid(*levels, indexing="ij")]


class Cells(unittest.TestCase):
    def test_numbers_in_cells_stand_out_on_every_colour(self):
        """Contrast by WCAG 2: lighter over darker relative luminance, 0.05 added to both."""
        self.assertAlmostEqual(nested_designs.luminance((1, 1, 1)), 1)
        self.assertAlmostEqual(nested_designs.luminance((0.5, 0.5, 0.5)), 0.2140, 4)  # sRGB's middle grey
        for value in np.linspace(0, 1, 257):
            mesh = types.SimpleNamespace(cmap=matplotlib.colormaps["viridis"], norm=float)
            both = [nested_designs.luminance(matplotlib.colors.to_rgb(nested_designs._text_color(mesh, value))), nested_designs.luminance(mesh.cmap(value))]
            self.assertGreater((max(both) + 0.05) / (min(both) + 0.05), 4.4)


class Grids(Made):
    def two(self, failed=()):
        a, b = grid(A, B)
        status = np.zeros(12)
        status[list(failed)] = LIFTED
        values = np.where(status == 0, 1e-3 * (10 * a + np.degrees(b)), np.nan)
        study = {"vary": [{"path": "a", "values": [1]}, {"path": "b", "values": [1]}], "design": {"type": "grid"},
                 "statistics": {"fail": "error > 45 mm"}}
        return self.made(study, {"a": ("1", a), "b": ("rad", b)}, {"error": ("m", values), "flat": ("1", np.ones(12)),
                                                                   "missing": ("1", np.full(12, np.nan))}, status)

    def test_sections_pictures_and_captions(self):
        found = self.sections(sweep, self.two(failed=[0, 5]), "error")
        self.assertEqual(list(found), ["Design variables", "Extremes", "Where instances failed", "Criteria"])
        # above 45 mm: 10 a + degrees of b with a = 2 at 30°, with a = 4 at 10°, 20° and 30°
        self.assertIn("4 of 10</td><td class=\"number\">2</td><td>7, 9, 10, 11</td>", found["Criteria"])
        shown = captions(found["Design variables"])
        self.assertEqual(len(shown), 3, "a map and two pictures of lines")
        # 10 a + degrees of b without (1, 0°) and (2, 10°): from (1, 10°) 20 to (4, 30°) 70
        self.assertIn("Smallest 20 mm (at b 10°, a 1), largest 70 mm (at b 30°, a 4).", shown[0])
        self.assertIn("all instances of the cell failed (2 cells)", shown[0])
        self.assertIn("All failed in 2 cells, none in 10.", captions(found["Where instances failed"])[0])
        self.assertIn("<td>smallest</td><td class=\"number\">20 mm</td><td class=\"number\">1</td>", found["Extremes"])
        self.assertNotIn("flat", "".join(found.values()))

    def test_cells_and_failed_shares(self):
        result = self.two(failed=[0, 5])
        median, counted, failed = sweeps.cells(result, "error", "b", "a")
        expected = 1e-3 * (10 * A[:, None] + np.degrees(B))
        expected[0, 0] = expected[1, 1] = np.nan
        np.testing.assert_allclose(median, expected, rtol=1e-14)
        np.testing.assert_array_equal(failed, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
        np.testing.assert_array_equal(sweeps.failed_shares(result, "b", "a"), failed)
        self.assertEqual(counted.sum(), 10)

    def test_the_limit_runs_between_cells(self):
        beyond = np.array([[0.0, 1.0], [0.0, np.nan]])
        self.assertEqual(sweeps.limit_edges(beyond), [[(0.5, -0.5), (0.5, 0.5)]])

    def test_three_variables_are_ordered_and_aggregated(self):
        a, b, c = grid(A, B, C)
        values = a * 100 + c * 10 + np.degrees(b) * 0.01
        study = {"vary": [{}, {}, {}], "design": {"type": "grid"}}
        result = self.made(study, {"a": ("1", a), "b": ("rad", b), "c": ("1", c)}, {"error": ("J", values)})
        self.assertEqual(sweeps.telling(result, "error"), ["a", "c", "b"])
        median, _, _ = sweeps.cells(result, "error", "c", "a")
        np.testing.assert_allclose(median, A[:, None] * 100 + C * 10 + 0.15, rtol=1e-14)  # the median of 0, 10, 20, 30 degrees
        makes = list(sweep.observable_pictures(result, "error"))
        self.assertEqual(len(makes), 5, "a map, small maps at levels of the third, three pictures of lines")
        self.assertIn("median of each cell over b (up to 4 instances)", makes[0][1])
        self.assertIn("at every level of b", makes[1][1])
        titles = [axes.get_title(loc="left") for axes in makes[1][0]().axes]
        self.assertEqual(titles[:4], ["b 0°", "b 10°", "b 20°", "b 30°"])
        low, middle, high = sweeps.band(result, "error", "a")[1]
        np.testing.assert_allclose([low, middle, high], np.percentile(values[a == 2], [5, 50, 95]), rtol=1e-14)

    def test_nothing_to_show_is_said(self):
        found = self.sections(sweep, self.two(failed=range(12)))
        self.assertIn("All 12 instances failed", found["Design variables"])
        self.assertIn("12 wheel_lifted", found["Where instances failed"])

    def test_one_parameter_at_a_time(self):
        a, b = np.array([2.0, 1.0, 2.0, 4.0, 2.0, 2.0]), np.array([7.0, 7.0, 7.0, 7.0, 5.0, 9.0])
        result = self.made({"design": {"type": "one_at_a_time"}, "vary": [{}, {}]}, {"a": ("1", a), "b": ("kg", b)},
                           {"error": ("J", 100 * a + b)})
        self.assertEqual(sweeps.ranges(result, "error"), [("a", 107.0, 1.0, 407.0, 4.0), ("b", 205.0, 5.0, 209.0, 9.0)])
        np.testing.assert_array_equal(sweeps.band(result, "error", "b")[:, 1], [205, 207, 209])
        shown = captions(self.sections(sweep, result, "error")["Design variables"])
        self.assertEqual(len(shown), 3, "ranges and two lines")
        self.assertIn("Widest: a, from 107 J (at 1) to 407 J (at 4)", shown[0])

    def test_few_instances_without_a_grid_are_listed(self):
        study = {"design": {"type": "list"}, "vary": [{}, {}]}
        result = self.made(study, {"a": ("kg", np.array([1.0, 2.0, 5.0])), "b": ("1", np.array([3.0, 1.0, 2.0]))},
                           {"error": ("J", np.array([1.0, np.nan, 7.25]))}, [0, LIFTED, 0])
        found = self.sections(sweep, result, "error")
        self.assertEqual(len(captions(found["Design variables"])), 1)
        self.assertIn("<td class=\"number\">2</td><td class=\"number\">5</td><td class=\"number\">2</td><td>ok</td><td class=\"number\">7.25</td>",
                      found["Design variables"])
        self.assertIn("<td>wheel_lifted</td><td class=\"number\">–</td>", found["Design variables"])


class NestedDesign(Made):
    def test_medians_probabilities_and_extremes(self):
        a, k = np.repeat(A, 20), np.tile(np.arange(20.0), 3)
        study = {"vary": [{"path": "a", "values": [1, 2, 4]}, {"path": "x", "uniform": [0, 19]}],
                 "design": {"type": "nested", "sample": "sobol", "per_cell": 20}, "statistics": {"fail": {"far": "error > 36 J"}}}
        result = self.made(study, {"a": ("1", a), "x": ("1", k)}, {"error": ("J", 10 * a + k)})
        found = self.sections(sweep, result, "error")
        self.assertEqual(list(found), ["Design variables", "Extremes", "Probability of each design"])
        self.assertIn("3 designs, all combinations of <code>a</code> (1, 2 and 4). Each design met 20 draws of <code>x</code>.",
                      found["Design variables"])
        low, middle, high = sweeps.band(result, "error", "a")[0]
        np.testing.assert_allclose([low, middle, high], [10.95, 19.5, 28.05], rtol=1e-14)  # 10 + quantiles of 0 ... 19
        self.assertIn("The median goes from 19.5 J at 1 to 49.5 J at 4.", captions(found["Design variables"])[0])
        self.assertIn("smallest median</td><td class=\"number\">19.5 J", found["Extremes"])
        # above 36: with a = 2 the draws 17, 18, 19; with a = 4 all: Wilson's intervals of 3 and 20 of 20
        low, high = designs.wilson(3, 20)
        self.assertIn(f"15.0 %<br><small>({100 * low:.1f} to {100 * high:.1f})</small>", found["Probability of each design"])
        self.assertIn("Most often with a 4: 100 % (84 to 100)", found["Probability of each design"])


# --- drawn designs --------------------------------------------------------------------------------------------------------------


def drawn_study(fail, kind="monte_carlo"):
    return {"vary": [{"path": "x", "uniform": [0, 1]}, {"path": "y", "uniform": [0, 1]}], "design": {"type": kind},
            "statistics": {"fail": fail}}


def moving(across, along, times=11):
    """Instances that go forward at 1 m/s, beside and ahead of each other by given lengths."""
    time = np.linspace(0, 1, times)
    x, z = time + np.asarray(along)[:, None] * time, np.asarray(across)[:, None] * time
    return {"x": x, "z": z, "yaw": np.zeros_like(x), "vx": np.ones_like(x)}


class Drawn(Made):
    def result(self, count=400, kind="monte_carlo", **more):
        random = np.random.default_rng(7)
        x, y = random.uniform(size=(2, count))
        self.slip = np.where(x > 0.8, 0.1, 0.01) * (1 + 0.1 * random.uniform(size=count)) * np.exp(3 * y**8)
        return self.made(drawn_study({"slips": "slip > 0.05 m/s", "never": "slip > 9 m/s"}, kind), {"x": ("1", x), "y": ("1", y)},
                         {"slip": ("m s-1", self.slip), "flat": ("1", np.ones(count))}, **more)

    def test_sections_and_the_numbers_in_them(self):
        result = self.result()
        found = self.sections(montecarlo, result, "slip")
        self.assertEqual(list(found), ["Probability", "Distributions"])
        met, n = int(np.sum(self.slip > 0.05)), 400
        low, high = designs.wilson(met, n)
        self.assertIn(f"P(slips) = {words.probability(met / n, low, high, 0.95)}</strong>: met by {met} of 400", found["Probability"])
        self.assertIn("Wilson&#x27;s score interval", found["Probability"])
        self.assertEqual(len(captions(found["Probability"])), 3, "how both estimates settle, and where one is met")
        self.assertIn(f"reaches {words.percents([(high - low) / 2, (high - low) / 4])[0]} percentage points", captions(found["Probability"])[0])
        self.assertIn("None met it, which says that it is rarer than", found["Probability"])
        caption = captions(found["Distributions"])[0]
        q = np.percentile(self.slip, [5, 50, 95])
        shown = words.together(q)
        self.assertIn(f"Median {shown[1]} m/s; the middle 90 % lie between {shown[0]} and {shown[2]} m/s", caption)
        self.assertIn(f"Beyond the limit of slips: {met} of 400", caption)
        self.assertEqual(len(captions(found["Distributions"])), 2, "values lie far out, so how often they are exceeded")

    def test_the_estimate_settles_within_wilsons_interval(self):
        result = self.result()
        found = probability.running(result, "slips")
        self.assertEqual((found.count[0], found.count[-1]), (10, 400))
        for n, share, low, high in zip(found.count, found.share, found.low, found.high):
            met = int(np.sum(self.slip[:n] > 0.05))
            self.assertEqual(share, met / n)
            self.assertEqual((low, high), designs.wilson(met, int(n)))

    def test_the_files_interval_and_confidence_are_used(self):
        try:
            from scipy import stats
        except ImportError:
            self.skipTest("no scipy")
        result = self.result(statistics={"": {"attrs": {"interval": "clopper_pearson", "confidence": 0.9}}})
        found = probability.running(result, "slips")
        bounds = stats.binomtest(int(np.sum(self.slip > 0.05)), 400).proportion_ci(0.9, "exact")
        np.testing.assert_allclose([found.low[-1], found.high[-1]], bounds, rtol=1e-9)
        self.assertIn("Clopper and Pearson", montecarlo.convergence_caption(result, "slips"))

    def test_cells_of_the_map_count_every_instance_once(self):
        result = self.result()
        x, y = result.parameters["x"], result.parameters["y"]
        truth = criteria.truth(result, "slips")
        edges = probability.cell_edges(x, 4), probability.cell_edges(y, 4)
        total, met = probability.counts(x, y, truth, edges)
        np.testing.assert_array_equal(total, np.histogram2d(y, x, edges[::-1])[0])
        np.testing.assert_array_equal(met, np.histogram2d(y[truth == 1], x[truth == 1], edges[::-1])[0])
        np.testing.assert_array_equal(total.sum(axis=0), [100, 100, 100, 100])

    def test_which_parameters_tell(self):
        result = self.result()
        pair = probability.telling_pair(result, (result.parameters["x"] > 0.8).astype(float))
        self.assertEqual(pair[0][0], "x")
        x = np.linspace(0, 1, 101)[:-1]
        self.assertEqual(probability.told_by(x, (x >= 0.8).astype(float)), 1.0, "the last fifth: all between the fifths")
        turns = np.abs(x - 0.495)  # rises and falls: no correlation, but the fifths differ
        self.assertLess(abs(np.corrcoef(x, turns)[0, 1]), 1e-9)
        self.assertGreater(probability.told_by(x, turns), 0.8)
        self.assertEqual(probability.told_by(x, np.ones(100)), 0.0)

    def test_rank_correlations_name_what_turns_round(self):
        x = np.linspace(-1, 1, 300)
        result = self.made(drawn_study("slip > 9 m/s"), {"x": ("1", x), "y": ("1", np.random.default_rng(1).uniform(size=300))},
                           {"slip": ("m s-1", x**2)})
        body = self.sections(sensitivity, result, "slip")["What matters"]
        self.assertIn("Effects that the rank correlation misses, since they turn round: x (", body)

    def test_failed_instances_are_shown_where_they_are(self):
        random = np.random.default_rng(3)
        x, y = random.uniform(size=(2, 120))
        status = np.where(x > 0.75, LIFTED, 0)
        values = np.where(status == 0, 1e-3 * (1 + y), np.nan)
        result = self.made(drawn_study({"lift": "status == wheel_lifted"}), {"x": ("1", x), "y": ("1", y)}, {"off": ("m", values)}, status)
        found = self.sections(montecarlo, result, "off")
        failed = int(np.sum(x > 0.75))
        self.assertIn(f"{failed} of 120 instances did not reach the end: {failed} wheel_lifted", found["Where instances failed"])
        self.assertIn("x and y tell most", captions(found["Where instances failed"])[0])
        self.assertIn(f"met by {failed} of 120 instances", found["Probability"])
        self.assertIn(f"{120 - failed} ok instances; {failed} failed, left out", captions(found["Distributions"])[0])

    def test_all_failed(self):
        result = self.made(drawn_study("slip > 9 m/s"), {"x": ("1", np.arange(4.0)), "y": ("1", np.arange(4.0))},
                           {"slip": ("m s-1", np.full(4, np.nan))}, [LIFTED] * 4)
        found = self.sections(montecarlo, result)
        self.assertIn("All 4 instances failed", found["Distributions"])
        self.assertIn("No instance says whether", found["Probability"])
        self.assertEqual(self.sections(sensitivity, result), {})


class Tube(Made):
    ACROSS, ALONG = np.linspace(-0.2, 0.2, 41), np.linspace(-0.04, 0.04, 41)

    def result(self, samples):
        count = len(samples["x"])
        return self.made(drawn_study("off > 1 m", "halton"), {"x": ("1", np.arange(count)), "y": ("1", np.arange(count))},
                         {"off": ("m", np.arange(count) * 1e-3)}, trajectories=samples)

    def test_quantiles_of_an_exact_ensemble(self):
        found = path_spread.tube(self.result(moving(self.ACROSS, self.ALONG)))
        self.assertEqual(found.count, 41)
        np.testing.assert_allclose(found.forward, np.tile([1.0, 0.0], (11, 1)), atol=1e-12)
        np.testing.assert_allclose(found.x, np.linspace(0, 1, 11), atol=1e-15)
        # linear between -0.2 and 0.2: 5 % and 95 % at -0.18 and 0.18 of the end, growing with time
        np.testing.assert_allclose(found.across, np.linspace(0, 1, 11)[:, None] * [-0.18, 0, 0.18], atol=1e-15)
        np.testing.assert_allclose(found.along, np.linspace(0, 1, 11)[:, None] * [-0.036, 0, 0.036], atol=1e-15)

    def test_right_stays_right_on_a_path_to_the_left(self):
        lopsided = np.concatenate([np.linspace(-0.2, 0, 21), np.linspace(0.005, 0.1, 20)])  # the median 0
        ahead = moving(lopsided, np.zeros(41))
        turned = {**ahead, "x": ahead["z"], "z": -ahead["x"]}  # forward becomes left (-z), right (z) becomes forward (x)
        found = path_spread.tube(self.result(turned))
        np.testing.assert_allclose(found.forward, np.tile([0.0, -1.0], (11, 1)), atol=1e-12)
        np.testing.assert_allclose(found.across[-1], np.percentile(lopsided, [5, 50, 95]), atol=1e-12)

    def test_a_rest_keeps_its_direction(self):
        x, z = np.array([0, 0, 1, 2, 2, 2.0]), np.array([0, 0, 0, 0, 0, 1e-9])
        np.testing.assert_allclose(path_spread.directions(x, z), np.tile([1.0, 0.0], (6, 1)), atol=1e-8)

    def test_page_says_how_wide_and_when_too_few(self):
        result = self.result(moving(self.ACROSS / 100, self.ALONG))
        body = self.sections(montecarlo, result, "off")["Paths"]
        # 3.6 mm across of 1 m: 20 times is 72 mm, 50 times would be 180
        self.assertIn("the tube is drawn 20 times as wide", body)
        self.assertIn("between −1.8 and 1.8 mm across and −36.0 and 36.0 mm along", body)
        few = self.result(moving(self.ACROSS[:5], self.ALONG[:5]))
        body = self.sections(montecarlo, few, "off")["Paths"]
        self.assertIn("5 of the traced instances reached the end", body)
        self.assertIn("--set output.trajectories.instances=all", body)
        with self.assertRaises(Skipped):
            path_spread.tube(few)


# --- sensitivities and rare failures ----------------------------------------------------------------------------------------------


class Effects(Made):
    def result(self, kind, statistics, marks=None):
        random = np.random.default_rng(2)
        x, y = random.uniform(size=(2, 60))
        return self.made(drawn_study({"slips": "slip > 0.5 m/s"}, kind), {"x": ("1", x), "y": ("1", y)}, {"slip": ("m s-1", x)},
                         statistics=statistics, marks=marks)

    def test_sobol_bars_warn_of_wide_intervals(self):
        group = {"quantity": ["slip", "fail.slips"], "parameter": ["x", "y"], "used": np.array([64, 64]),
                 "attrs": {"count": 64, "ok": 64, "group_rows": 4, "confidence": 0.95, "bootstrap": 500}}
        for key, values in (("first_order", [0.6, 0.1]), ("total", [0.8, 0.3])):
            for end, half in (("", 0), ("_low", -0.05), ("_high", 0.05)):
                group[key + end] = np.array([values, values]) + half * np.array([[1], [6]])
        found = self.sections(sensitivity, self.result("saltelli", {"": {"attrs": {"confidence": 0.95}}, "sobol": group}), "slip")["What matters"]
        self.assertIn("Largest totals: x (80 %) and y (30 %). First orders add up to 70 %; the rest are interactions.", captions(found)[0])
        self.assertEqual(found.count("The intervals are wide"), 1, "of the criterion alone")
        self.assertIn("totals may add up to more than 1.", found)
        body = answer_samples.sensitive(Data(self.result("saltelli", {"": {"attrs": {"confidence": 0.95}}, "sobol": group})))
        self.assertIn("totals may add up to more than 100 %.", body)
        self.assertIn("up to 0.3 either way): the order of the parameters is not settled. Run it again with <code>--set design.groups=256</code>", found)
        self.assertIn("Whether slips is met (slip &gt; 0.5 m/s)", captions(found)[1])

    def test_morris_plot(self):
        group = {"quantity": ["slip"], "parameter": ["x", "y"], "used": np.array([10]), "attrs": {"count": 10, "ok": 9, "confidence": 0.95},
                 "mu_star": np.array([[0.1, 0.4]]), "mu_star_low": np.array([[0.05, 0.3]]), "mu_star_high": np.array([[0.15, 0.5]]),
                 "mu": np.array([[0.1, -0.4]]), "sigma": np.array([[0.02, 0.6]])}
        result = self.result("morris", {"": {"attrs": {"confidence": 0.95}}, "morris": group})
        points = [line for line in morris_effects.morris_effects(result, "slip").axes[0].lines if line.get_marker() == "o"]
        self.assertEqual([(p.get_xdata()[0], p.get_ydata()[0]) for p in points], [(0.4, 0.6), (0.1, 0.02)])
        body = self.sections(sensitivity, result, "slip")["What matters"]
        self.assertIn("Largest effects: y and x. From 9 of 10 trajectories", captions(body)[0])
        self.assertIn("<td><code>y</code></td><td class=\"number\">0.400<br><small>(0.300 to 0.500)</small></td>", body)
        self.assertEqual(morris_effects.clusters([0, 0.01, 1], [0, 0, 1], 1), [([0, 1], 0, 0), ([2], 1, 1)])

    def test_subset_levels(self):
        level, taken = np.repeat([0, 1], 30), np.ones(60)
        subset = {"threshold": np.array([-2.0, 0.0]), "conditional_probability": np.array([0.1, 0.25]), "acceptance": np.array([np.nan, 0.4]),
                  "instances": np.array([30, 30]),
                  "attrs": {"criterion": "slip > 0.5 m/s", "probability": 0.025, "probability_low": 0.0125, "probability_high": 0.05,
                            "confidence": 0.95, "instances": 60, "reached": 1, "coefficient_of_variation": 0.3}}
        marks = {"level": ("1", level.astype(np.int8)), "accepted": ("1", taken.astype(np.int8))}
        result = self.result("subset_simulation", {"": {"attrs": {"confidence": 0.95}}, "subset": subset}, marks)
        found = self.sections(rare, result)["Probability of a rare failure"]
        self.assertIn("P(slips) = 0.025</strong> (0.0125 to 0.05), 95 % interval, about 1 in 40, from 1 in 20 to 1 in 80", found)
        self.assertIn("plain Monte Carlo would need about 4000 for an error of 10 %", found)  # 100 / p
        self.assertEqual(len(captions(found)), 2)
        self.assertEqual(self.sections(montecarlo, result), {}, "rows of a subset simulation are no sample")


if __name__ == "__main__":
    unittest.main()
