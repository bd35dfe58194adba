"""The first section of a report: the statistics of pairs against published figures and identities, the choice of columns, the best design,
fronts and conflicts of exact small cases, rounding by uncertainty, the order of the page. The files are made here."""

import math
import os
import pathlib
import re
import sys
import unittest

import numpy as np
from matplotlib.figure import Figure

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from test_report_ensemble import LIFTED, Made  # noqa: E402

from omniroll.comparing import criteria, design_cells, paired_differences  # noqa: E402
from omniroll.figures import style, sweeps  # noqa: E402
from omniroll.reading import designs  # noqa: E402
from omniroll.report import answer, answer_designs, answer_samples, answer_single, build, columns, labels, pareto, verdicts, wording  # noqa: E402
from omniroll.report.data import Choices, Data  # noqa: E402

DRAWS = 40


def plain(source):
    return " ".join(re.sub(r"<wbr>|</?(?:strong|code|em)>", "", re.sub(r"<(?!/?(?:strong|code|em|wbr))[^>]*>", " ", source)).split())


# --- statistics of pairs ------------------------------------------------------------------------------------------------------


class Pairs(unittest.TestCase):
    def test_quantiles_of_students_t_are_those_of_the_tables(self):
        """Abramowitz and Stegun, table 26.10, two-sided 95 and 99 %, and the normal limit."""
        for freedom, confidence, expected in ((1, 0.95, 12.706), (2, 0.95, 4.303), (5, 0.99, 4.032), (10, 0.95, 2.228), (30, 0.99, 2.750),
                                              (120, 0.95, 1.980), (10**9, 0.95, 1.960)):
            self.assertAlmostEqual(paired_differences.student_quantile(freedom, confidence), expected, delta=6e-4)
        for freedom in (3, 8, 399, 400, 401):  # both ways are one function, rising with confidence, falling with freedom
            self.assertGreater(paired_differences.student_quantile(freedom, 0.95), paired_differences.student_quantile(freedom + 1, 0.95))
        self.assertEqual(paired_differences.student_quantile(0, 0.95), math.inf)

    def test_paired_means_leave_out_what_pairs_share(self):
        """Differences 1, 2, 3: mean 2, standard error 1/sqrt(3), t(2) = 4.30265; the common part, however large, is gone."""
        common = np.array([0.0, 1e3, -1e3])
        found = paired_differences.paired(common + np.array([1.0, 2.0, 3.0]), common, 0.95)
        np.testing.assert_allclose([found.value, found.low, found.high], [2, 2 - 4.302653 / math.sqrt(3), 2 + 4.302653 / math.sqrt(3)], rtol=1e-6)
        lacking = paired_differences.paired(np.array([1.0, 2.0, 3.0, np.nan]), np.array([0.0, 0.0, np.nan, 0.0]), 0.95)
        self.assertEqual((lacking.value, lacking.count), (1.5, 2), "a pair needs both")
        self.assertFalse(paired_differences.unpaired(common + 2, common, 0.95).told)
        self.assertTrue(math.isnan(paired_differences.paired(np.array([np.nan]), np.array([1.0]), 0.95).value))

    def test_paired_shares_are_mcnemars_and_wilsons(self):
        """Tango's score at 0 is McNemar's (b - c)/sqrt(b + c); without a pair that differs the interval is Wilson's of 0 of n."""
        for gained, lost in ((5, 0), (9, 2), (3, 3)):
            self.assertAlmostEqual(paired_differences.tango(0.0, gained, lost, 100), (gained - lost) / math.sqrt(gained + lost), 12)
        nothing = paired_differences.paired_shares(np.zeros(100), np.zeros(100), 0.95)
        bound = designs.wilson(0, 100)[1]
        np.testing.assert_allclose([nothing.value, nothing.low, nothing.high], [0, -bound, bound], atol=1e-12)
        one, other = np.r_[np.ones(5), np.zeros(95)], np.zeros(100)
        found = paired_differences.paired_shares(one, other, 0.95)  # at the ends the score is the normal quantile
        self.assertAlmostEqual(paired_differences.tango(found.low, 5, 0, 100), 1.959964, 5)
        self.assertAlmostEqual(paired_differences.tango(found.high, 5, 0, 100), -1.959964, 5)
        self.assertTrue(found.told)  # 5/sqrt(5) > 1.96
        self.assertFalse(paired_differences.paired_shares(one[2:], other[2:], 0.95).told)  # 3/sqrt(3) < 1.96

    def test_shares_of_two_samples_have_newcombes_interval(self):
        """Newcombe 1998, table II, comparison a: 56 of 70 and 48 of 80, method 10: 0.0524 to 0.3339."""
        found = paired_differences.unpaired_shares(np.r_[np.ones(56), np.zeros(14)], np.r_[np.ones(48), np.zeros(32)], 0.95)
        np.testing.assert_allclose([found.value, found.low, found.high], [0.2, 0.0524, 0.3339], atol=5e-5)


class Rounding(unittest.TestCase):
    def test_an_uncertainty_keeps_one_or_two_digits(self):
        """The rule of the Particle Data Group: 0.827 ± 0.119 is 0.83 ± 0.12, 0.827 ± 0.367 is 0.8 ± 0.4."""
        for half, decimals in ((0.119, 2), (0.354, 2), (0.367, 1), (0.949, 1), (0.96, 1), (1.0, 1), (24.0, 0), (120.0, -1)):
            self.assertEqual(wording.decimals_of(half), decimals, half)
        self.assertEqual(wording.measured(0.827, 0.827 - 0.119, 0.827 + 0.119), ("0.83", "0.71", "0.95"))
        self.assertEqual(wording.measured(0.827, 0.827 - 0.367, 0.827 + 0.367), ("0.8", "0.5", "1.2"))
        self.assertEqual(wording.measured(1234.5, 1100, 1400), ("1230", "1100", "1400"))
        self.assertEqual(wording.measured(0.123456789, 0.123456788, 0.12345679), ("0.1235", "0.1235", "0.1235"))  # nobody reads more
        self.assertEqual(wording.measured(3.14159, math.nan, math.nan)[0], "3.14")
        self.assertEqual(wording.measured(90.0, 90.0, 90.0)[0], "90")

    def test_intervals_have_the_notation_of_the_screen(self):
        self.assertEqual(style.within("6.7 mm", "6", "8"), "6.7 mm (6 to 8)")
        self.assertEqual(style.within("3 %", "1", "8", "\n"), "3 %\n(1 to 8)")
        self.assertEqual(style.within("0", "0", "0"), "0")
        self.assertEqual(wording.stacked("6.7", "6", "8"), "6.7<br><small>(6 to 8)</small>")

    def test_no_other_function_writes_intervals(self):
        """Neither with brackets, signs and dashes, nor without the helper."""
        package = pathlib.Path(style.__file__).parents[1]
        others = re.compile(r"±|\} – \{|\[\{[^}]*\}, \{[^}]*\}\]\"|\(\{[^{}]*\} to \{|<(?:small|br)>\{[^{}]*\} to \{")
        found = {path.name: others.findall(path.read_text(encoding="utf-8")) for path in package.rglob("*.py")}
        self.assertEqual({name: parts for name, parts in found.items() if parts}, {"style.py": ["({low} to {"]})

    def test_a_probability_of_0_has_its_upper_bound(self):
        low, high = designs.wilson(0, 128)
        self.assertEqual(wording.share(0, low, high), ("0", "0", "2.9"))  # 3.8415 / (128 + 3.8415)
        self.assertEqual(wording.share(1, 1 - high, 1), ("100", "97.1", "100"))


# --- what criteria are about ----------------------------------------------------------------------------------------------------


class Named(Made):
    def result(self, fail):
        return self.made({"vary": [], "statistics": {"fail": fail}}, {"a": ("1", np.arange(2.0))},
                         {"slip": ("m s-1", np.array([0.1, 0.2])), "yaw": ("rad", np.array([-1.0, 1.0])), "load": ("N", np.array([5.0, 6.0]))})

    def test_every_observable_of_every_kind_of_criterion_is_found(self):
        result = self.result({"one": "slip > 3 cm/s", "sum": "slip * 2 + abs(yaw) > 1 && status == ok", "both": "one || load < 3 N"})
        self.assertEqual(criteria.named(result, "sum"), ["slip", "yaw"])
        self.assertEqual(criteria.named(result, "both"), ["slip", "load"])
        self.assertEqual(criteria.observables(result), ["slip", "yaw", "load"])
        self.assertEqual(Data(result, Choices()).observables, ["slip", "yaw", "load"])
        self.assertFalse(criteria.is_made_of_others(result, "both"))

    def test_sides_of_limits(self):
        result = self.result({"slips": "slip > 3 cm/s", "turns": "(abs(yaw) >= 2 deg) || load < 3 N", "not": "!(load > 9 N)"})
        judged = criteria.judged(result)
        self.assertEqual({name: (limit.more, limit.absolute) for name, limit in judged.items()},
                         {"slip": (True, False), "yaw": (True, True), "load": (False, False)})
        self.assertAlmostEqual(judged["yaw"].value, math.radians(2), 14)
        self.assertNotIn("load", criteria.judged(self.result({"low": "load < 3 N", "high": "load > 9 N"})), "bounded from both sides")


# --- designs --------------------------------------------------------------------------------------------------------------------


class Compared(Made):
    """Three designs a = 1, 2, 4 met the same 40 draws x."""

    def result(self, observables, fail, common=True, **more):
        a, x = np.repeat([1.0, 2.0, 4.0], DRAWS), np.tile(np.linspace(0, 1, DRAWS), 3)
        if not common:
            x = x + 0.001 * a
        study = {"title": "made", "description": "What is told of it.",
                 "vary": [{"path": "wheel.rollers", "values": [1, 2, 4]}, {"path": "x", "uniform": [0, 1]}],
                 "design": {"type": "nested", "sample": "monte_carlo", "per_cell": DRAWS}, "statistics": {"fail": fail}}
        columns_ = {name: ("J", make(a, x)) for name, make in observables.items()}
        return self.made(study, {"wheel_rollers": ("1", a), "x": ("1", x)}, columns_, **more)

    def columns(self, result):
        return columns.columns_of(Data(result, Choices()), design_cells.cells_of(result))

    def test_pairs_tell_what_samples_do_not(self):
        """The draws spread by 1, the designs differ by 0.01: paired it is told, of draws of their own it is not."""
        made = {"error": lambda a, x: 10 * x + 0.01 * a + 0.001 * np.sin(99 * x * a)}
        paired, unpaired = (design_cells.cells_of(self.result(made, {}, common)) for common in (True, False))
        self.assertTrue(paired.common)
        self.assertFalse(unpaired.common)
        quantity = design_cells.Quantity("error")
        self.assertTrue(paired.difference(2, 0, quantity).told)
        self.assertFalse(unpaired.difference(2, 0, quantity).told)
        values = [paired.values(k, quantity) for k in (2, 0)]
        self.assertAlmostEqual(paired.difference(2, 0, quantity).value, float(np.mean(values[0] - values[1])), 12)

    def test_columns_are_criteria_then_what_they_name_then_what_differs_most(self):
        made = {"weak": lambda a, x: np.sin(40 * x) + 0.3 * a, "strong": lambda a, x: np.sin(40 * x) + 9 * a, "twice": lambda a, x: 2 * np.sin(40 * x) + 18 * a,
                "flat": lambda a, x: x, "limited": lambda a, x: x}
        found = self.columns(self.result(made, {"far": "limited > 0.5 J"}))
        self.assertEqual([column.quantity.name for column in found], ["far", "limited", "strong", "weak"])  # twice goes with strong
        self.assertEqual([column.sign for column in found], [-1, -1, 0, 0])
        many = {"far": "limited > 0.5 J && flat > 2 J || weak > 99 J || strong > 99 J || twice > 200 J || more > 1 J || yet > 1 J || last > 1 J"}
        made |= {"more": lambda a, x: x, "yet": lambda a, x: x, "last": lambda a, x: x}
        self.assertEqual({column.quantity.name for column in self.columns(self.result(made, many))} - {"far"}, set(made), "none is hidden")

    def test_the_best_is_marked_where_a_criterion_gives_the_side_and_designs_are_told_apart(self):
        made = {"error": lambda a, x: x + a, "load": lambda a, x: x + a, "same": lambda a, x: x}
        result = self.result(made, {"far": "error > 4.5 J", "light": "load < 0.5 J", "never": "same > 9 J"})
        found = {column.quantity.name: column for column in self.columns(result)}
        self.assertEqual(found["error"].best, [0], "less is better above a limit")
        self.assertEqual(found["load"].best, [2], "more is better below one")
        self.assertEqual(found["far"].best, [0, 1])
        self.assertEqual(found["same"].best, [])
        body = answer_designs.answer(Data(result, Choices()))
        self.assertEqual(body.count('class="best"'), 2 + 1 + 1)  # far, error, load; no design is light
        self.assertIn(f"never: 0 of {DRAWS} with every design (0 to 9 %)", plain(body))  # Wilson: 3.8415 / 43.8415 = 8.8 %, half of it one digit

    def test_the_sentence_names_designs_and_claims_no_more(self):
        """Far: a = 4 alone, in the draws with x > 0.5, 20 of 40."""
        made = {"error": lambda a, x: x + a}
        result = self.result(made, {"far": "error > 4.5 J"})
        said = plain(verdicts.headline(design_cells.cells_of(result), self.columns(result)))
        low, high = (f"{100 * end:.0f}" for end in designs.wilson(20, 40))
        self.assertTrue(said.startswith(f"far: 0 of 40 (0 to 9 %) with 1 and 2 rollers; 50 % ({low} to {high}) with 4 rollers."), said)
        result = self.result(made, {"far": "error > 99 J", "low": "error < 0 J"})
        self.assertIn("The criteria do not tell 1, 2 and 4 rollers apart.", plain(answer_designs.answer(Data(result, Choices()))))
        result = self.result(made, {"far": "error > 4.5 J", "near": "error < 1.9 J"})
        self.assertIn("Best by all criteria: 2 rollers.", plain(answer_designs.answer(Data(result, Choices()))))
        result = self.result({"error": lambda a, x: x + a, "load": lambda a, x: x - a}, {"far": "error > 1.5 J", "near": "load > -1.5 J"})
        self.assertIn("The criteria conflict", plain(answer_designs.answer(Data(result, Choices()))))

    def test_the_step_withdraws_what_chance_alone_would_tell(self):
        """Half the step adds 5 J to design 0 and nothing to the others: the error is -5 to -17 J, the difference -0.1 J."""
        made = {"error": lambda a, x: 0.1 * a + 0.001 * np.sin(99 * x * a)}
        rerun = np.arange(0, 3 * DRAWS, DRAWS // 4)
        values = np.zeros((2, len(rerun), 1))
        values[0, :, 0] = 9.0
        values[1, :, 0] = np.where(rerun < DRAWS, 14.0, 9.0)
        step = {"quantity": ["error"], "instance": rerun, "substeps": np.array([1, 2]), "value": values, "used": np.array([len(rerun)]),
                "error": np.array([1.0]), "error_low": np.array([0.5]), "error_high": np.array([6.0]), "attrs": {"left_out": 0}}
        limit = {"far": "error > 99 J"}
        plainly = {column.quantity.name: column for column in self.columns(self.result(made, limit))}["error"]
        self.assertTrue(plainly.apart(0, 1) and plainly.tells)
        result = self.result(made, limit, statistics={"": {"attrs": {"confidence": 0.95}}, "step_error": step})
        column = {column.quantity.name: column for column in self.columns(result)}["error"]
        by_step = column.step(0, 1)
        self.assertAlmostEqual(by_step.high, -5.0)  # 9 - 14, where the order is so large that nothing is left
        self.assertAlmostEqual(by_step.low, -5 * (1 + 1 / (math.sqrt(2) - 1)))  # order 1/2
        self.assertAlmostEqual(by_step.value, -5 * math.sqrt(1 + 1 / (math.sqrt(2) - 1)))  # their geometric middle
        self.assertTrue(column.difference(0, 1).told, "by chance alone design 0 has the smaller error")
        self.assertFalse(column.apart(0, 1), "with shorter steps it has the larger one")
        self.assertNotIn("from 0.1", plain(answer_designs.answer(Data(result, Choices()))))
        self.assertTrue(column.apart(1, 2), "the step adds nothing to this one")

    def test_failed_instances_are_counted_and_left_out(self):
        status = np.zeros(3 * DRAWS)
        status[:3] = LIFTED
        result = self.result({"error": lambda a, x: np.where(np.arange(len(a)) < 3, 1e9, x + a)}, {"far": "error > 4.5 J"}, status=status)
        self.assertLess(design_cells.cells_of(result).mean(0, design_cells.Quantity("error")).value, 2)
        body = plain(next(answer.sections(Data(result, Choices()))).body)
        self.assertIn("3 instances of 120 failed and are left out", body)

    def test_the_page_begins_with_question_and_answer_and_ends_with_what_was_run(self):
        result = self.result({"error": lambda a, x: x + a}, {"far": "error > 4.5 J"})
        page = build.html_of(Data(result, Choices()))
        titles = re.findall(r"<h2>(.*?)</h2>", page)
        self.assertEqual(titles[:2], ["Answer", "Differences"])
        self.assertEqual(titles[-2:], ["About this study", "How to reproduce it"])
        order = [page.index(part) for part in ("<h1>made</h1>", "What is told of it.", 'class="answer"', "<h2>Differences", "<dt>Model</dt>")]
        self.assertEqual(order, sorted(order))


class Fronts(Made):
    def test_fronts_of_points(self):
        """Larger is better in both: (1, 5), (3, 4) and (4, 1) are beaten by none; (3, 3) by (3, 4), (1, 1) by all; NaN is no point."""
        one, other = np.array([1.0, 3.0, 3.0, 4.0, 1.0, np.nan]), np.array([5.0, 4.0, 3.0, 1.0, 1.0, 9.0])
        self.assertEqual(pareto.front(one, other), [0, 1, 3])
        self.assertEqual(pareto.front(np.array([2.0, 2.0]), np.array([7.0, 7.0])), [0, 1], "equal points beat none of each other")

    def case(self, fast, far):
        study = {"vary": [{"path": "a", "values": [1, 2, 4]}], "design": {"type": "grid"}, "statistics": {"fail": {"slow": "fast < 1 J", "off": "far > 9 J"}}}
        result = self.made(study, {"a": ("1", np.array([1.0, 2.0, 4.0]))}, {"fast": ("J", np.array(fast)), "far": ("J", np.array(far))})
        return Data(result, Choices())

    def asked(self, ask, **statistics):
        study = {"vary": [{"path": "a", "values": [1, 2, 4]}], "design": {"type": "grid"}, "ask": ask, **statistics}
        result = self.made(study, {"a": ("1", np.array([1.0, 2.0, 4.0]))},
                           {name: ("J", np.array(values)) for name, values in (("vibration_rms", [1.0, 2.0, 3.0]), ("fast", [1.0, 2.0, 3.0]), ("far", [4.0, 5.0, 6.0]))})
        data = Data(result, Choices())
        return data, columns.columns_of(data, design_cells.cells_of(result))

    def test_what_a_study_asks_is_answered_first_with_its_best(self):
        """Not vibration_rms, which people ask for first; the trade-off is between what is asked, by its directions."""
        data, found = self.asked([{"name": "fast", "best": "larger"}, {"name": "far", "best": "smaller"}])
        self.assertEqual([(column.quantity.name, column.best) for column in found], [("fast", [2]), ("far", [0])])
        self.assertEqual([column.quantity.name for column in pareto.conflict(found)], ["fast", "far"])
        self.assertIn("fast: largest with a 4, 3 J; 1 J with a 1", plain(answer_designs.answer(data)))
        self.assertEqual(data.observables, ["fast", "far"])
        _, found = self.asked([{"name": "fast", "best": "smaller"}, {"name": "far", "best": "smaller"}])
        self.assertIsNone(pareto.conflict(found))

    def test_a_target_is_best_where_it_is_nearest(self):
        _, found = self.asked([{"name": "far", "best": 5.2}])
        self.assertEqual(found[0].best, [], "only the file knows the target in SI")
        data, _ = self.asked([{"name": "far", "best": 5.2}])
        data.result.statistics["answer"] = {"asked": ["far"], "target": np.array([5.2]), "attrs": {}}
        self.assertEqual(columns.columns_of(data, design_cells.cells_of(data.result))[0].best, [1])

    def test_a_criterion_that_is_good_is_best_where_it_is_met(self):
        data, found = self.asked(["far"], statistics={"fail": {"arrives": {"when": "far > 4.5 J", "met": "good"}, "weak": "fast < 1.5 J"}})
        self.assertEqual(designs.criteria(data.result), {"arrives": "far > 4.5 J", "weak": "fast < 1.5 J"})
        self.assertEqual([(column.criterion, column.best) for column in found[:2]], [("arrives", [1, 2]), ("weak", [1, 2])])
        shown = answer_designs.answer(data)
        self.assertIn("2 of 3 instances pass (no criterion of failure is met and all good ones are)", plain(shown))
        self.assertIn('<span class="good">good when met</span>', shown)

    def test_a_picture_where_two_conflict_and_none_where_not(self):
        conflicting, agreeing = self.case([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]), self.case([1.0, 2.0, 3.0], [6.0, 5.0, 4.0])
        pair = pareto.conflict(columns.columns_of(conflicting, design_cells.cells_of(conflicting.result)))
        self.assertEqual([column.quantity.name for column in pair], ["fast", "far"])
        self.assertIsNone(pareto.conflict(columns.columns_of(agreeing, design_cells.cells_of(agreeing.result))))
        self.assertEqual([section.title for section in answer_designs.sections(conflicting)], ["Trade-off"])
        self.assertEqual(list(answer_designs.sections(agreeing)), [])

    def test_yes_or_no_is_no_scale_of_a_trade_off(self):
        """The criterion of one conflicts with the other observable, but each of its designs has one instance."""
        data, found = self.asked([{"name": "fast", "best": "larger"}, {"name": "far", "best": "smaller"}],
                                 statistics={"fail": {"weak": "fast < 1.5 J"}})
        self.assertEqual([column.criterion or column.quantity.name for column in pareto.conflict(found)], ["fast", "far"])

    def test_a_long_front_has_numbers_along_all_of_it(self):
        one = np.append(np.linspace(0, 0.1, 90), np.linspace(0.2, 1, 10))
        places = pareto._spread(one, 1 - one, list(range(100)))
        self.assertEqual((places[0], places[-1]), (0, 99))
        self.assertLess(np.diff(one[places]).max(), 1 / 6 + 0.09, "a sixth of the way, and a step between two points")

    def test_numbers_that_would_lie_on_each_other_stand_together(self):
        axes = Figure(figsize=(5, 4)).add_subplot()
        x, y = np.array([0.0, 10.0, 5.0, 5.01, np.nan]), np.array([0.0, 10.0, 5.0, 5.01, 1.0])
        axes.plot(x, y)
        axes.autoscale_view()
        self.assertEqual(pareto._numbered(axes, x, y), [((0.0, 0.0), [1]), ((10.0, 10.0), [2]), ((5.01, 5.01), [3, 4])])


class Others(Made):
    def test_a_base_that_comes_again_is_one_design(self):
        """One at a time: a is 1 (base), 1, 2; then b is 5, 7."""
        a, b = np.array([1.0, 1.0, 2.0, 1.0, 1.0]), np.array([5.0, 5.0, 5.0, 5.0, 7.0])
        study = {"vary": [{"path": "a", "values": [1, 2]}, {"path": "b", "values": [5, 7]}], "design": {"type": "one_at_a_time"}}
        result = self.made(study, {"a": ("1", a), "b": ("1", b)}, {"error": ("J", a + b)})
        self.assertEqual(design_cells.cells_of(result).repeats, {1, 3})
        self.assertEqual(answer_designs.answer(Data(result, Choices())).count("<tr>"), 1 + 3)

    def test_medians_of_cells_are_those_of_numpy(self):
        """Of cells with some instances each, failed ones left out."""
        draw = np.random.default_rng(2)
        x, y, value, status = draw.integers(0, 4, 90) * 1.0, draw.integers(0, 3, 90) * 1.0, draw.normal(size=90), (draw.uniform(size=90) < 0.2) * LIFTED
        study = {"vary": [{"path": "x", "values": [0]}, {"path": "y", "values": [0]}], "design": {"type": "grid"}}
        median, counted, failed = sweeps.cells(self.made(study, {"x": ("1", x), "y": ("1", y)}, {"v": ("J", value)}, status), "v", "x", "y")
        for k, j in np.ndindex(3, 4):
            inside = (y == k) & (x == j)
            self.assertEqual(median[k, j], np.median(value[inside & (status == 0)]))
            self.assertEqual((counted[k, j], failed[k, j]), (np.sum(inside & (status == 0)), np.sum(inside & (status != 0))))

    def test_many_designs_are_the_best_and_the_worst_and_a_note(self):
        a = np.arange(200.0)
        study = {"vary": [{"path": "a", "values": [1]}], "design": {"type": "grid"}, "statistics": {"fail": {"far": "error > 150 J"}}}
        body = answer_designs.answer(Data(self.made(study, {"a": ("kg", a)}, {"error": ("J", a)}), Choices()))
        self.assertEqual(body.count("<tr>"), 1 + answer_designs.BEST + answer_designs.WORST)
        self.assertIn("The best 6 and the worst 3 of 200 instances", plain(body))
        self.assertIn("far: met by 49 of 200 instances", plain(body))
        self.assertIn("199 kg", plain(body))

    def test_designs_are_called_by_the_last_parts_of_their_paths(self):
        study = {"vary": [{"path": "wheel.rollers", "values": [6]}, {"path": "wheel.drive.kp", "values": [1]}, {"path": "steer.kp", "values": [1]}],
                 "design": {"type": "grid"}}
        result = self.made(study, {"wheel_rollers": ("1", np.array([6.0, 9.0])), "wheel_drive_kp": ("1", np.array([1.0, 2.5])),
                                   "steer_kp": ("1", np.array([1.0, 2.0]))}, {"error": ("J", np.array([1.0, 2.0]))})
        found = design_cells.cells_of(result)
        self.assertEqual(set(labels.of(found, 1).split(", ")), {"9 rollers", "drive.kp 2.5", "steer.kp 2"})

    def test_a_sample_says_probability_and_what_matters(self):
        x = (np.arange(100) + 0.5) / 100
        y = np.random.default_rng(1).permutation(x)
        study = {"vary": [{"path": "x", "uniform": [0, 1]}, {"path": "y", "uniform": [0, 1]}], "design": {"type": "monte_carlo"},
                 "statistics": {"fail": {"slips": "slip > 0.9 m/s", "never": "slip > 9 m/s"}}}
        result = self.made(study, {"x": ("1", x), "y": ("1", y)}, {"slip": ("m s-1", x), "other": ("1", y)})
        body = plain(answer_samples.answer(Data(result, Choices())))
        low, high = designs.wilson(10, 100)
        self.assertTrue(body.startswith(f"slips: 10 % ({100 * low:.0f} to {100 * high:.0f}). never: 0 of 100 (0 to 3.7 %)."), body)
        self.assertIn("slip goes with x (1", body)

    def test_a_single_run_says_which_criteria_it_meets_and_by_how_much(self):
        study = {"statistics": {"fail": {"slips": "slip > 0.2 m/s", "light": "load < 8 N"}}}
        result = self.made(study, {"a": ("1", np.array([1.0]))}, {"slip": ("m s-1", np.array([0.05])), "load": ("N", np.array([6.0]))})
        body = plain(answer_single.answer(Data(result, Choices())))
        self.assertIn("Meets light, does not meet slips.", body)
        self.assertIn("slip 0.15 m/s below the limit (75 % of it)", body.replace("\u202f", " "))
        self.assertIn("load 2 N below the limit (25 % of it)", body.replace("\u202f", " "))


if __name__ == "__main__":
    unittest.main()
