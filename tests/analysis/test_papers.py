"""omniroll figures (studies/papers): its list is complete, its numbers are those of motions made here whose answers are known, and
figures are drawn by the program (OMNIROLL) from any folder, with results reused, and with failures named."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.join(ROOT, "studies"), os.path.dirname(os.path.abspath(__file__))]

from omniroll import bench  # noqa: E402
from omniroll.errors import Error  # noqa: E402
from omniroll.figures import Skipped  # noqa: E402
from omniroll.library import library  # noqa: E402
from omniroll.reading import Result  # noqa: E402
from short_form import nightly  # noqa: E402
from papers import disc_contact, published, tracking_cost, wheel_geometry  # noqa: E402
from papers import command, findings, recipes, results, sources  # noqa: E402

RADIUS, ROLLERS = 0.1, 4
TIME = np.linspace(0, 2, 2001)
PROGRAM = os.environ.get("OMNIROLL")


def in_process(*arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command.main(arguments)
    return code, out.getvalue(), err.getvalue()


class List(unittest.TestCase):
    def test_every_figure_has_studies_numbers_and_a_place_in_a_paper(self):
        names = list(recipes.RECIPES)
        self.assertEqual(set(names), set(published.FIGURES))
        self.assertEqual(set(names), set(findings.FINDINGS))
        self.assertEqual(set(names), {name for figure in sources.PAPER_FIGURES for name in figure.drawn})
        for name in names:
            self.assertIn(sources.source_of(name), sources.SOURCES)
            self.assertRegex(sources.figures_of(name), r"^source \d, (fig\. \d|figs \d|section|only figure|equations|data set)")
            for run in recipes.RECIPES[name].runs:
                self.assertTrue(os.path.isfile(os.path.join(ROOT, "studies", f"{run.study}.json")), run)
                self.assertIn(run.study, recipes.caption(name))

    def test_the_number_in_a_name_is_the_figure_of_that_paper(self):
        for figure in sources.PAPER_FIGURES:
            own = f"source{figure.source}-fig{figure.figure}"
            if own in recipes.RECIPES:
                self.assertIn(own, figure.drawn)
                self.assertRegex(recipes.caption(own), rf"figs?\.? {figure.figure}\b")

    def test_every_figure_of_the_papers_is_told(self):
        """As many as the papers have captions, each drawn or with the reason why not."""
        for source, count in ((1, 10), (2, 10), (3, 6), (5, 7)):
            found = [int(figure.figure) for figure in sources.PAPER_FIGURES if figure.source == source and figure.figure.isdigit()]
            self.assertEqual(found, list(range(1, count + 1)))
        self.assertTrue(all(figure.drawn or figure.why for figure in sources.PAPER_FIGURES))

    def test_runs_of_one_name_are_the_same_run(self):
        by_name = {}
        for recipe in recipes.RECIPES.values():
            for run in recipe.runs:
                self.assertEqual(by_name.setdefault(run.name(), run), run)

    def test_it_is_printed(self):
        code, out, _ = in_process("--list")
        self.assertEqual(code, 0)
        for name in recipes.RECIPES:
            self.assertRegex(out, rf"(?m)^{name} ")
        self.assertIn("roller_heights.json on the reference", out)

    def test_an_unknown_name_is_answered_with_all_names(self):
        code, _, err = in_process("source1-fig99")
        self.assertEqual(code, 2)
        self.assertIn("there is no figure 'source1-fig99'; did you mean source1-fig9?", err)
        for name in recipes.RECIPES:
            self.assertIn(name, err)
        self.assertEqual(in_process("--format", "gif", "uk-gains")[0], 2)


def rolling(psi=0.0, rate=-3.0, shift=0.0):
    """Samples of a wheel that rolls, and its shape."""
    angle = rate * TIME + shift
    turn = 2 * np.pi / ROLLERS
    samples = {"wheel_angle": angle[:, None], "wheel_rate": np.full((len(TIME), 1), rate), "wheel_acceleration": np.zeros((len(TIME), 1)),
               "roller": ((-np.round(angle / turn)) % ROLLERS)[:, None]}
    shape = {"wheel_radius": RADIUS, "center_distance": RADIUS * np.cos(np.pi / ROLLERS), "rollers": ROLLERS, "inclination": psi}
    return samples, shape


def result(motions, parameters=None, model="omni_wheel"):
    trajectories = {name: np.array([samples[name] for samples, _ in motions]) for name in motions[0][0]}
    wheels = {name: np.array([[float(shape[name])] for _, shape in motions]) for name in motions[0][1]}
    return Result(path="made.h5", attrs={"model": model, "title": "made"}, parameters=parameters or {}, observables={}, units={},
                  long_names={}, status=np.zeros(len(motions), dtype=int), status_time=np.full(len(motions), TIME[-1]),
                  status_names={0: "ok"}, trajectories=trajectories, time=TIME, traced=np.arange(len(motions), dtype=np.uint64),
                  wheels=wheels)


class Numbers(unittest.TestCase):
    def verdicts(self, name, *found):
        return [finding.verdict for finding in findings.findings(name, list(found))]

    def test_a_divergence_beyond_the_order_of_the_paper_differs(self):
        for shift, verdict in ((1e-9, "agrees"), (1e-3, "differs")):
            compared = result([rolling(), rolling(shift=shift)], {"contact_tracking": np.array([0.0, 1.0])})
            self.assertEqual(self.verdicts("source1-fig10", compared), [verdict])

    def test_the_point_of_the_formulas_is_the_lowest_one_of_inclined_rollers(self):
        """The search knows only the surface: source 1, section 5.2 is not used in it. At a smooth minimum a search resolves places
        to the root of the rounding, some 1e-9 of 0.1 m."""
        for psi in (0.0, 0.35, -0.7):
            for q in (-0.6, 0.01, 0.5):
                roller = wheel_geometry.Roller((RADIUS, RADIUS * np.cos(np.pi / ROLLERS), ROLLERS, psi), q)
                height, away = wheel_geometry.tracking_errors(roller)
                self.assertLess(abs(height), 1e-16)
                self.assertLess(away, 1e-8)
                self.assertGreater(roller.surface()[:, 1].min(), -RADIUS - 1e-15)

    def test_a_wheel_whose_rollers_have_another_shape_differs(self):
        samples, shape = rolling()
        flat = result([(samples, {**shape, "center_distance": 0.06})])
        self.assertEqual(self.verdicts("source1-fig4", flat)[0], "differs")
        self.assertEqual(self.verdicts("source1-fig4", result([(samples, shape)])), ["agrees", "agrees"])

    def test_rollers_come_down_with_a_level_tangent(self):
        """Beyond its end a straight pointed roller is R (1 - cos) high: the square of the angle left, and so of the time left."""
        self.assertAlmostEqual(findings.landing_power(result([rolling()])), 2.0, places=2)

    def test_printed_regularisation(self):
        """At its ends, at the middle, and its slope at 0: 2 and 1 over v_mu."""
        for linear, middle, slope in ((False, 0.75, 2), (True, 0.5, 1)):
            np.testing.assert_allclose(disc_contact.published_phi(np.array([0, 0.5, 1, 7.0]), linear), [0, middle, 1, 1])
            self.assertAlmostEqual(float(disc_contact.published_phi(1e-9, linear)) / 1e-9, slope, places=6)

    def test_vectors_in_the_axes_of_a_body(self):
        """A turn by a quarter about z takes the body's x to the world's y: the world's y is the body's x."""
        half = np.sqrt(0.5) * np.ones((1, 1))
        turned = result([rolling()])
        turned.trajectories.update({"q_w": half, "q_x": 0 * half, "q_y": 0 * half, "q_z": half})
        np.testing.assert_allclose(disc_contact._in_body(turned, 0, np.array([[0.0], [1.0], [0.0]]))[:, 0], [1, 0, 0], atol=1e-15)

    def test_costs_of_tracking_are_those_of_the_rows_beside_explicit_tracking(self):
        """The reference is compared by the motion, the engine by the step; the spread is what the slowest rounds leave possible."""
        rows = [{"section": "tracking", "name": "engine, explicit", "backend": "openmp", "steps_per_second": 3e6, "seconds": 1, "spread": 1.1},
                {"section": "tracking", "name": "engine, implicit", "backend": "openmp", "steps_per_second": 2e6, "seconds": 9, "spread": 1.2},
                {"section": "tracking", "name": "reference, explicit", "backend": "reference", "steps_per_second": 9, "seconds": 2, "spread": 1},
                {"section": "tracking", "name": "reference, general", "backend": "reference", "steps_per_second": 1, "seconds": 5, "spread": 1}]
        measured = bench.Bench("made.json", rows, [], {"title": "made"})
        found = tracking_cost.costs(measured)
        self.assertEqual([(cost.by, cost.tracking) for cost in found], [("engine", "implicit"), ("reference", "general")])
        np.testing.assert_allclose([(cost.low, cost.ratio, cost.high) for cost in found], [(1.5 / 1.1, 1.5, 1.8), (2.5, 2.5, 2.5)])
        self.assertEqual(self.verdicts("source1-tracking", measured), ["agrees", "not in the paper"])
        rows[1]["steps_per_second"] = 1e6
        self.assertEqual(self.verdicts("source1-tracking", bench.Bench("made.json", rows, [], {"title": "made"}))[0], "differs")
        with self.assertRaises(Skipped):
            published.draw("source1-tracking", result([rolling()]))

    def test_numbers_are_short(self):
        for value, digits, expected in ((6.4e-8, 2, "6.4·10⁻⁸"), (434.6, 2, "435"), (-0.0381, 2, "−0.038"), (3e-17, 1, "3·10⁻¹⁷"),
                                        (0, 3, "0"), (np.nan, 3, "none"), (19.27, 3, "19.3")):
            self.assertEqual(findings.number(value, digits), expected)


@unittest.skipUnless(PROGRAM and os.environ.get("OMNIROLL_LIBRARY"), "OMNIROLL and OMNIROLL_LIBRARY name no program and library")
class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_figures(self, *arguments, **environment):
        variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "OMNIROLL", "OMNIROLL_ANALYSIS")}
        return subprocess.run([PROGRAM, "figures", *arguments], capture_output=True, text=True, cwd=self.folder.name,
                              env={**variables, "OMNIROLL_ANALYSIS": os.path.join(ROOT, "analysis"), **environment})

    def test_figures_are_drawn_and_a_study_that_fails_is_named(self):
        studies = os.path.join(self.folder.name, "studies")
        os.mkdir(studies)
        for study in ("tracking_compare", "uk_driving_20", "roller_heights"):
            shutil.copy(os.path.join(ROOT, "studies", f"{study}.json"), studies)
        with open(os.path.join(studies, "uk_driving_60.json"), "w", encoding="utf-8") as file:
            file.write('{"model": "uk_wheel", "parameters": {"mass": -1}, "integrator": {"method": "rk4", "step": 1e-3, "duration": 1}}')
        done = self.run_figures("source5-fig4", "source5-fig3", "source2-fig9", "--format", "png", OMNIROLL_STUDIES=studies)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout, os.path.join("omniroll-figures", "index.html") + "\n")
        self.assertRegex(done.stderr, r"omniroll: source5-fig4 cannot be drawn: \S*uk_driving_60.json:1: parameters.mass")
        here = os.path.join(self.folder.name, "omniroll-figures")
        self.assertEqual(sorted(os.listdir(here)), ["index.html", "results", "source2-fig9.png", "source5-fig3.png"])
        self.check_page(os.path.join(here, "index.html"))

    @nightly("cli/bench_command compares the trackings on engine and reference")
    def test_the_cost_of_tracking_is_measured(self):
        done = self.run_figures("source1-tracking", "--quick", "--format", "png", "-o", "out", OMNIROLL_STUDIES=os.path.join(ROOT, "studies"))
        self.assertEqual(done.returncode, 0, done.stderr)
        measured = bench.open_bench(os.path.join(self.folder.name, "out", "results", "tracking_compare-cost-quick.json"))
        found = tracking_cost.costs(measured)
        self.assertIn(("engine", "implicit"), [(cost.by, cost.tracking) for cost in found])
        for cost in found:
            self.assertTrue(0 < cost.low <= cost.ratio <= cost.high < np.inf, cost)
        with open(os.path.join(self.folder.name, "out", "index.html"), encoding="utf-8") as file:
            self.assertRegex(file.read(), "approximately 1.5(?s:.)*by the spread of the rounds")

    def test_what_hinders_all_figures_is_said_once(self):
        for variables, code, words in (({"OMNIROLL_LIBRARY": "/nowhere/libomniroll.so"}, 4, "cannot be loaded"),
                                       ({"OMNIROLL_STUDIES": self.folder.name}, 5, "the ready studies are not there")):
            library.cache_clear()
            with unittest.mock.patch.dict(os.environ, variables):
                found, _, err = in_process("-o", os.path.join(self.folder.name, "out"), "source5-fig3")
            library.cache_clear()
            self.assertEqual((found, err.count("omniroll: ")), (code, 1), err)
            self.assertIn(words, err)

    def check_page(self, path):
        with open(path, encoding="utf-8") as file:
            page = file.read()
        for fragment in ("Physically oriented simulation", "Journal of Transportation Technologies", 'id="source5-fig3"',
                         "parameters.mass", "its distance falls with the power 2", "0.91 of it", "no: structure of the paper"):
            self.assertIn(fragment, page)
        self.assertEqual(page.count('src="data:image/png;base64,'), 2)
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data:|https://(?:doi|exudyn)|source\d)[^"]*"', page), [])

    def test_results_that_fit_are_taken(self):
        said = []
        here = results.Results(self.folder.name, said.append, program=PROGRAM)
        run = recipes.Run("uk_driving_20", changes={"integrator.duration": "0.1 s"})
        here.get(run)
        again = results.Results(self.folder.name, said.append)
        again.get(run)
        self.assertIn("result is there", said[-1])
        with h5py.File(again.path(run), "r+") as file:
            file.attrs["study_hash"] = "0" * 32
        for make in (lambda: results.Results(self.folder.name, said.append).get(run),  # of another study
                     lambda: results.Results(self.folder.name, said.append, restart=True).get(run)):
            make()
            self.assertIn("1 instance", said[-1])

    def test_the_reference_runs_with_its_tolerance(self):
        said = []
        for tolerance, expected in ((1e-8, " s   reference"), (1e-8, "result is there"), (1e-9, " s   reference")):
            here = results.Results(self.folder.name, said.append, program=PROGRAM)
            run = recipes.Run("roller_heights", "drift", {"integrator.duration": "0.05 s"}, tolerance=tolerance)
            try:
                found = here.get(run)
            except Error as error:
                if "not in this build" in str(error) or "SUNDIALS" in str(error):
                    self.skipTest("this build has no reference")
                raise
            self.assertIn(expected, said[-1])
            self.assertEqual(found.attrs["reference_tolerance"], tolerance)


if __name__ == "__main__":
    unittest.main()
