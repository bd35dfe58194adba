"""Results side by side: differences of pairs and of two samples against numpy by hand, what makes a pair, what is said where names and units
differ, refusals with their remedies, and the page of two robots that ran."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from browser import Browser, needs_browser  # noqa: E402
from page_checks import PAPER, measure_open  # noqa: E402
from page_samples import DRAWN, VEHICLE  # noqa: E402
from test_ensembles import InFolder, write  # noqa: E402

import omniroll  # noqa: E402
from omniroll.report import command, several  # noqa: E402

DRAWS = 12
T11 = 2.200985  # Student's t of 11 degrees of freedom, 95 %: Abramowitz and Stegun, table 26.10
RANDOM = np.random.default_rng(1)
FLOOR, NOISE = RANDOM.uniform(0.2, 0.8, DRAWS), RANDOM.normal(0, 1, (2, DRAWS))
ONE = 100 * FLOOR + NOISE[0]
OTHER = 100 * FLOOR + NOISE[1] + 2
STUDY = {"vary": [{"path": "wheel.friction", "uniform": [0.2, 0.8]}], "design": {"type": "monte_carlo", "instances": DRAWS, "seed": 1}}
ASKING = {**STUDY, "ask": [{"name": "energy", "best": "smaller"}]}
FAIL = {"statistics": {"fail": {"thirsty": "energy > 50 J"}}}


class Robots(InFolder):
    def robot(self, name, energy, study=ASKING, seed=1, friction=FLOOR, unit="J", status=None, more=None):
        """A result file of one varied parameter."""
        path = self.path(name)
        write(path, study, {"wheel_friction": ("1", friction)}, {"energy": (unit, energy), **(more or {})},
              np.zeros(len(energy)) if status is None else status)
        with h5py.File(path, "a") as file:
            file.attrs["seed"] = seed
        return path

    def beside(self, *paths, **options):
        return omniroll.side_by_side(*paths, **options)


class Differences(Robots):
    def test_of_pairs_are_those_of_numpy(self):
        found = self.beside(self.robot("a.h5", ONE), self.robot("b.h5", OTHER)).sel(observable="energy")
        apart = OTHER - ONE
        half = T11 * apart.std(ddof=1) / np.sqrt(DRAWS)
        np.testing.assert_allclose(found.value, [ONE.mean(), OTHER.mean()])
        b = found.sel(robot="b")
        np.testing.assert_allclose([b.difference, b.difference_low, b.difference_high], [apart.mean(), apart.mean() - half, apart.mean() + half],
                                   rtol=1e-6)
        self.assertTrue(b.paired)
        self.assertEqual(found.attrs["unpaired"], "{}")
        self.assertLess(half, 0.1 * T11 * np.hypot(ONE.std(), OTHER.std()), "pairs leave out what the floor does to both")
        self.assertEqual(found.unit, "J")

    def test_of_other_draws_are_welchs(self):
        found = self.beside(self.robot("a.h5", ONE), self.robot("b.h5", OTHER, seed=2, friction=FLOOR[::-1])).sel(observable="energy", robot="b")
        one, other = ONE.var(ddof=1) / DRAWS, OTHER.var(ddof=1) / DRAWS
        self.assertFalse(found.paired)
        self.assertEqual(json.loads(found.attrs["unpaired"]), {"b": "the seeds differ"})
        self.assertAlmostEqual(float(found.difference), OTHER.mean() - ONE.mean())
        # 22 degrees of freedom or one less, rounded down: t is 2.0739 to 2.0796
        self.assertTrue(2.07 < (float(found.difference_high) - float(found.difference)) / np.sqrt(one + other) < 2.08)

    def test_a_pair_needs_seed_design_columns_and_values(self):
        first = self.robot("a.h5", ONE)
        longer = {**STUDY, "design": {**STUDY["design"], "type": "halton"}}
        for why, options in (("the seeds differ", {"seed": 2, "study": {**STUDY, "design": {**STUDY["design"], "seed": 2}}}), ("the designs differ", {"study": longer}),
                             ("the values of wheel_friction differ", {"friction": FLOOR + 1e-9}),
                             ("wheel_friction varies in a only", {"friction": np.full(DRAWS, 0.5)})):
            found = self.beside(first, self.robot("b.h5", OTHER, **options))
            self.assertEqual(json.loads(found.attrs["unpaired"]), {"b": why})
            self.assertIn(f"b and a are compared as two samples of their own, since {why}", several.html_of([first, self.path("b.h5")]))

    def test_instances_that_failed_leave_the_pairs(self):
        status = np.zeros(DRAWS)
        status[0] = 1
        paths = self.robot("a.h5", ONE), self.robot("b.h5", OTHER, status=status)
        found = self.beside(*paths).sel(observable="energy", robot="b")
        self.assertAlmostEqual(float(found.difference), (OTHER - ONE)[1:].mean())
        self.assertEqual(int(found["count"]), DRAWS - 1)
        self.assertIn("Failed and left out: 1 of 12 instances of b", several.html_of(paths))

    def test_of_shares_are_tangos(self):
        """Gained and lost pairs, of omniroll.comparing.paired_differences, whose figures test_answer.py holds."""
        study = {**STUDY, **FAIL}
        found = self.beside(self.robot("a.h5", ONE, study), self.robot("b.h5", OTHER, study)).sel(criterion="thirsty")
        met = [(values > 50).mean() for values in (ONE, OTHER)]
        np.testing.assert_allclose(found.share, met)
        self.assertAlmostEqual(float(found.share_difference[1]), met[1] - met[0])
        self.assertTrue(found.share_difference_low[1] <= met[1] - met[0] <= found.share_difference_high[1])
        self.assertTrue(found.share_paired[1])

    def test_nothing_drawn_has_no_interval(self):
        single = {"ask": ["energy"], **FAIL}
        paths = self.robot("a.h5", ONE[:1], single, friction=FLOOR[:1]), self.robot("b.h5", OTHER[:1], single, friction=FLOOR[:1])
        found = self.beside(*paths).sel(observable="energy", robot="b")
        self.assertAlmostEqual(float(found.difference), OTHER[0] - ONE[0])
        self.assertTrue(np.isnan(found.low) and np.isnan(found.difference_low))
        page = several.html_of(paths)
        self.assertIn("No intervals", page)
        self.assertNotIn("– to –", page, "an empty interval is left out")

    def test_nested_results_are_compared_design_by_design(self):
        study = {"vary": [{"path": "platform.mass", "values": [10, 20]}, *STUDY["vary"]], "ask": ["energy"],
                 "design": {"type": "nested", "sample": "monte_carlo", "per_cell": DRAWS // 2, "seed": 1}}
        mass = np.repeat([10.0, 20.0], DRAWS // 2)
        for name, energy in (("a.h5", ONE), ("b.h5", OTHER)):
            write(self.path(name), study, {"platform_mass": ("kg", mass), "wheel_friction": ("1", FLOOR)}, {"energy": ("J", energy)}, np.zeros(DRAWS))
        found = self.beside(self.path("a.h5"), self.path("b.h5")).sel(observable="energy", robot="b")
        np.testing.assert_allclose(found.difference, (OTHER - ONE).reshape(2, -1).mean(axis=1))
        np.testing.assert_array_equal(found.platform_mass, [10, 20])
        write(self.path("c.h5"), study, {"platform_mass": ("kg", mass + 1), "wheel_friction": ("1", FLOOR)}, {"energy": ("J", ONE)}, np.zeros(DRAWS))
        with self.assertRaisesRegex(omniroll.UsageError, "give both studies the same values of platform_mass"):
            self.beside(self.path("a.h5"), self.path("c.h5"))


class Names(Robots):
    def test_what_only_one_has_and_other_units_are_said(self):
        one = self.robot("a.h5", ONE, {**STUDY, "ask": ["energy", "noise", "drift"]}, more={"noise": ("m", ONE), "drift": ("m", ONE)})
        other = self.robot("b.h5", OTHER, STUDY, more={"noise": ("1", ONE)})
        found = self.beside(one, other)
        self.assertEqual(list(found.observable.values), ["energy"])
        self.assertEqual(found.attrs["notes"].splitlines(), ["noise is left out, since its unit differs: m in a, 1 in b",
                                                             "drift is left out, since only a has it"])
        self.assertIn("drift is left out, since only a has it", several.html_of([one, other]))

    def test_criteria_of_one_name_and_other_limits_are_said(self):
        limits = [{**STUDY, "statistics": {"fail": {"thirsty": f"energy > {limit} J"}}} for limit in (50, 60)]
        found = self.beside(*(self.robot(f"{name}.h5", ONE, study) for name, study in zip("ab", limits)))
        self.assertEqual(found.attrs["notes"], "The criterion thirsty differs: energy > 50 J in a; energy > 60 J in b")

    def test_robots_have_the_names_of_files_or_those_given(self):
        os.makedirs(self.path("x"))
        paths = self.robot("a.h5", ONE), self.robot("x/a.h5", OTHER)
        self.assertEqual(list(self.beside(*paths).robot.values), [path[:-3] for path in paths])
        self.assertEqual(list(self.beside(*paths, names=["old", "new"]).robot.values), ["old", "new"])

    def test_refusals_say_what_to_do(self):
        one, other = self.robot("a.h5", ONE), self.robot("b.h5", OTHER)
        bare = self.path("bare.h5")
        write(bare, STUDY, {"wheel_friction": ("1", FLOOR)}, {"speed": ("m s-1", ONE)}, np.zeros(DRAWS))
        morris = self.robot("m.h5", ONE, {**STUDY, "design": {"type": "morris"}})
        pathlib.Path(self.path("study.json")).write_text("{}", encoding="utf-8")
        pathlib.Path(self.path("bench.csv")).write_text("section,kernel\n", encoding="utf-8")
        for words, paths, options in (("named twice", (one, one), {}), ("name two results or more", (one,), {}),
                                      ("no observable and no criterion in common .*name the same observables", (one, bare), {}),
                                      ("the design morris .*monte_carlo", (one, morris), {}),
                                      ("2 results need 2 names", (one, other), {"names": ["a"]}),
                                      ("file of omniroll bench.* omniroll report .*bench.csv shows", (one, self.path("bench.csv")), {}),
                                      ("no observable speed that all results have .*energy", (one, other), {"observables": ["speed"]})):
            with self.subTest(words), self.assertRaisesRegex(omniroll.UsageError, words):
                self.beside(*paths, **options)
        with self.assertRaisesRegex(omniroll.NotAResult, "is a study .*omniroll run"):
            self.beside(one, self.path("study.json"))
        with self.assertRaisesRegex(omniroll.UsageError, "leave out --instances"):
            omniroll.report([one, other], instances=[0])

    def test_the_command_line_takes_several(self):
        paths = self.robot("a.h5", ONE), self.robot("b.h5", OTHER)
        self.assertEqual(command.main([*paths, "--observables", "energy"]), 0)
        self.assertTrue(os.path.exists(self.path("a-b.html")))
        self.robot("my robot.h5", ONE)
        with self.assertRaisesRegex(omniroll.UsageError, 'needs quotes: omniroll report "'):
            command._made(self.path("my robot.h5").split(" "), None, command.Choices())


class Variants(InFolder):
    """A study that holds three of them, of which one draws for itself."""

    STUDY = {**VEHICLE, "title": "Robots", "vary": DRAWN, "design": {"type": "monte_carlo", "instances": 24, "seed": 1}, "ask": ["energy_per_metre"],
             "statistics": {"fail": {"thirsty": "energy_per_metre > 6 J/m"}},
             "variants": {"light": {}, "heavy": {"parameters": {"wheel": {"disc": {"mass": "3 kg"}}}}, "other": {"design": {"seed": 2}}}}

    def test_the_program_prints_the_table_of_side_by_side(self):
        """Means, shares, and differences with their intervals: by C and by numpy."""
        pathlib.Path(self.path("r.json")).write_text(json.dumps(self.STUDY), encoding="utf-8")
        printed = json.loads(subprocess.run([os.environ["OMNIROLL"], "run", self.path("r.json"), "-o", self.path("r.h5"), "-q", "--json"], check=True,
                                            stdout=subprocess.PIPE).stdout)["side_by_side"]
        found = omniroll.side_by_side(*(self.path(f"r.{name}.h5") for name in self.STUDY["variants"]))
        self.assertEqual(list(found.robot.values), list(self.STUDY["variants"]), "the names of variants, not of files")
        self.assertEqual(printed["unpaired"], {"other": "the seeds differ"})
        self.assertEqual(len(printed["rows"]), 6)
        for row in printed["rows"]:
            of = found.sel(robot=row["variant"]).sel({"criterion" if row["criterion"] else "observable": row["name"]})
            prefix = "share_" if row["criterion"] else ""
            names = {"value": "share" if prefix else "value", **{name: prefix + name for name in ("low", "high", "difference", "difference_low",
                                                                                                     "difference_high")}}
            numbers = [[np.nan if row[ours] is None else row[ours], float(of[theirs])] for ours, theirs in names.items()]
            np.testing.assert_allclose(*np.transpose(numbers), rtol=1e-6, atol=1e-9, err_msg=f"{row}")
            self.assertEqual(row["paired"], bool(of[f"{prefix}paired"]))

    def test_of_python_they_are_those_of_the_program(self):
        self.assertEqual(omniroll.variants(self.STUDY), ["light", "heavy", "other"])
        self.assertEqual(omniroll.variants(self.STUDY, set={"variant": "heavy"}), [])
        found = omniroll.run_variants(self.STUDY, set={"design.instances": 8}, progress=False)
        alone = omniroll.run(self.STUDY, set={"design.instances": 8, "variant": "heavy"}, progress=False)
        np.testing.assert_array_equal(found["heavy"].energy_per_metre, alone.energy_per_metre)
        self.assertEqual(list(omniroll.side_by_side(*found.values()).robot.values), list(found))
        omniroll.run_variants(self.STUDY, output=self.path("r.h5"), set={"design.instances": 8}, progress=False)
        page = omniroll.report([self.path("r.light.h5"), self.path("r.heavy.h5")])
        self.assertEqual(page, self.path("r.variants.html"))
        self.assertIn("heavy − light", pathlib.Path(page).read_text(encoding="utf-8"))

    def test_a_grid_has_the_place_where_a_criterion_changes_for_each_robot(self):
        grid = {"design": {"type": "grid"}, "vary": [{"path": "wheel.friction", "linspace": [0.1, 0.6, 6]}],
                "statistics": {"fail": {"thirsty": "energy_per_metre > 40 J/m"}}, "variants": {"light": {}, "heavy": self.STUDY["variants"]["heavy"]}}
        omniroll.run_variants({**self.STUDY, **grid}, output=self.path("g.h5"), progress=False)
        answers = [omniroll.answer(self.path(f"g.{name}.h5")) for name in ("light", "heavy")]
        page = several.html_of([self.path("g.light.h5"), self.path("g.heavy.h5")])
        self.assertTrue(any("threshold" in found for found in answers), answers)
        for name, found in zip(("light", "heavy"), answers):
            self.assertEqual(f"<li>{name}: <code>thirsty</code>: met" in page, "threshold" in found, found)
        self.assertIn("<h1>Robots</h1>", page)

    def test_refusals_say_what_to_do(self):
        for words, call in (("In Python: .*run_variants", lambda: omniroll.run(self.STUDY)), ("omniroll.run takes it", lambda: omniroll.run_variants(VEHICLE))):
            with self.subTest(words), self.assertRaisesRegex(omniroll.UsageError, words):
                call()
        wrong = {**self.STUDY, "variants": {**self.STUDY["variants"], "heavy": {"parameters": {"wheel": {"mas": 3}}}}}
        with self.assertRaisesRegex(omniroll.StudyError, "variants.heavy.parameters.wheel.mas"):
            omniroll.run_variants(wrong, output=self.path("w.h5"))
        self.assertFalse(os.path.exists(self.path("w.light.h5")), "a mistake is found before any runs")


class Page(Robots):
    """Two vehicles that ran: four mecanum wheels and three omni wheels."""

    RING = {"layout": {"type": "ring", "wheels": 3, "radius": "25 cm", "first_angle": "30 deg"},
            "wheel": {**VEHICLE["parameters"]["wheel"], "rollers": 16, "inclination": 0, "row_distance": "20 mm", "tip_radius": "5 mm"}}

    def ran(self, name, **parameters):
        study = {**VEHICLE, "title": f"The robot {name}", "parameters": {**VEHICLE["parameters"], **parameters}, "vary": DRAWN,
                 "design": {"type": "monte_carlo", "instances": 16, "seed": 1}, "ask": [{"name": "energy_per_metre", "best": "smaller"}]}
        pathlib.Path(self.path(f"{name}.json")).write_text(json.dumps(study), encoding="utf-8")
        subprocess.run([os.environ["OMNIROLL"], "run", self.path(f"{name}.json"), "-o", self.path(f"{name}.h5"), "-q"], check=True,
                       stdout=subprocess.DEVNULL)
        return self.path(f"{name}.h5")

    def setUp(self):
        super().setUp()
        self.paths = self.ran("mecanum"), self.ran("omni", **self.RING)
        self.page = self.path("both.html")
        subprocess.run([os.environ["OMNIROLL"], "report", *self.paths, "-o", self.page], check=True, stdout=subprocess.DEVNULL)

    def test_it_has_a_table_and_a_picture_of_each_vehicle(self):
        source = pathlib.Path(self.page).read_text(encoding="utf-8")
        self.assertEqual(source.count('class="views"'), 2)
        for words in ("omni − mecanum<br><small>pairs", "omni and mecanum met the same draws", "The robot mecanum", "smaller is better"):
            self.assertIn(words, source)
        rows = source.split("<tbody>")[1].split("</tbody>")[0].count("<tr>")
        self.assertEqual(rows, 3)
        self.assertEqual(pathlib.Path(omniroll.report(list(self.paths), self.path("again.html"))).read_text(encoding="utf-8"), source)
        found = omniroll.side_by_side(*map(omniroll.open, self.paths))
        one, other = (omniroll.open(path).energy_per_metre.values for path in self.paths)
        np.testing.assert_allclose(found.difference.sel(robot="omni", observable="energy_per_metre"), (other - one).mean())
        self.assertTrue(np.isfinite(found.difference_step_low.sel(robot="omni", observable="energy_per_metre")))

    @needs_browser
    def test_a_phone_a_laptop_and_paper_show_all_of_it(self):
        with Browser() as browser:
            page = browser.open(self.page)
            for width, theme in ((390, "light"), (1280, "dark"), (0, PAPER)):
                self.assertEqual(measure_open(page, width, theme, "both").wrong(), [])
            self.assertEqual(page.errors + page.violations + page.requests, [])


if __name__ == "__main__":
    unittest.main()
