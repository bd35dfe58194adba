"""omniroll optimize from the command line: its screen, its files, how it goes on, what it refuses; and the page of what it found. The search needs the
library cmaes; without it those tests are skipped, and the one that hides the library stays. OMNIROLL names the program."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(ROOT, "analysis"), HERE]

from omniroll.errors import NotAResult  # noqa: E402
from omniroll.optimising import Candidate, Found, Optimum, Variable, open_optimum  # noqa: E402
from omniroll.optimising.near_winner import near_winner  # noqa: E402
from omniroll.report import report  # noqa: E402
from browser import Browser, needs_browser  # noqa: E402
from page_checks import measure_open  # noqa: E402
from page_samples import VEHICLE  # noqa: E402

try:
    import cmaes
except ImportError:
    cmaes = None
NEEDED = unittest.skipUnless(cmaes, "cmaes is not installed: pip install cmaes==0.13.1")
OMNIROLL = os.environ["OMNIROLL"]
STUDY = {
    **{name: VEHICLE[name] for name in ("model", "parameters")},
    "title": "Rollers & <inclination>",
    "vary": [{"path": "wheel.friction", "uniform": [0.2, 0.8]}],
    "design": {"type": "candidates", "sample": "sobol", "per_cell": 4, "seed": 1, "variables": [
        {"path": "wheel.rollers", "integer": [5, 14]}, {"path": "wheel.inclination", "between": ["30 deg", "60 deg"]},
        {"path": "contact.law", "values": ["saturated_coulomb", "regularized_coulomb"]}]},
    "integrator": {"tolerance": 1e-3, "duration": "0.1 s"},
    "objectives": {"shaking": {"minimize": "mean(vibration_rms)"}},
    "constraints": {"few": "quantile(vibration_rms, 90 %) < 5 m/s2"},
}
SMALL = ("--budget", "900", "--population", "16", "-q")


def ran(*words, **options):
    return subprocess.run([OMNIROLL, "optimize", *map(str, words)], capture_output=True, text=True, **options)


def without_clock(text):
    """What a file holds, but for times, the journal's place and the command."""
    made = json.loads(text)
    for row in [made, *made["history"]]:
        row.pop("elapsed"), row.pop("integrating")
    return {**made, "journal": None, "command": None, "studies": None}


class Folder(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name)
        self.study = self.work / "wheel.json"
        self.study.write_text(json.dumps(STUDY))


class Refused(Folder):
    def refused(self, code, words, *arguments, **options):
        done = ran(*arguments, cwd=self.work, **options)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(words, done.stderr)

    def test_a_missing_library_is_named_with_the_command_that_installs_it(self):
        (self.work / "cmaes.py").write_text("raise ImportError\n")
        self.refused(4, "-m pip install cmaes==", "wheel.json", env={**os.environ, "PYTHONPATH": str(self.work)})
        self.assertEqual(sorted(path.name for path in self.work.iterdir() if path.name != "__pycache__"), ["cmaes.py", "wheel.json"])

    def test_options_and_places(self):
        self.refused(2, "--budget x: expected instances", "wheel.json", "--budget", "x")
        self.refused(2, "--seed 1.5: expected a whole number", "wheel.json", "--seed", "1.5")
        self.refused(2, "wheel.json: is there already, and omniroll optimize did not write it", "wheel.json", "-o", "wheel.json")
        self.refused(3, "has a design of type grid", os.path.join(ROOT, "studies", "first.json"))
        self.refused(5, "make it first", "wheel.json", "-o", "none/found.json")
        (self.work / "found.2.json").write_text("{}")
        self.refused(2, "found.2.json: is there already", "wheel.json", "-o", "found.json")
        (self.work / "new.json.journal").write_text("{}")
        self.refused(5, "is not removed", "wheel.json", "-o", "new.json", "--restart")

    @NEEDED
    def test_a_small_budget_is_refused_with_options_of_the_command(self):
        self.refused(2, "--population or --set design.per_cell=N", "wheel.json", "--budget", "10")


@NEEDED
class Searched(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(work.cleanup)
        cls.work = pathlib.Path(work.name)
        (cls.work / "wheel.json").write_text(json.dumps(STUDY))
        cls.done = ran("wheel.json", *SMALL, cwd=cls.work)
        assert cls.done.returncode == 0, cls.done.stderr
        cls.path = cls.work / "wheel.optimum.json"
        cls.text = cls.path.read_text()
        cls.journal = (cls.work / "wheel.optimum.json.journal").read_bytes()

    def test_the_screen_names_the_files_and_what_comes_next(self):
        lines = self.done.stdout.splitlines()
        self.assertLessEqual(len(lines), 30)
        self.assertLessEqual(max(map(len, lines)), 80)
        for words in (STUDY["title"], "written  wheel.optimum.json\n", "studies  wheel.optimum.1.json to wheel.optimum.5.json", "omniroll report wheel.optimum.json",
                      "journal  wheel.optimum.json.journal"):
            self.assertIn(words, self.done.stdout)

    def test_studies_of_finalists_have_their_values_to_the_bit_and_run(self):
        found = json.loads(self.text)
        ranked = [one for one in found["finalists"] if one["feasible"]]
        self.assertEqual(found["best"], ranked[0])
        for name, one in list(zip(found["studies"], ranked))[:2]:
            said = json.loads(subprocess.run([OMNIROLL, "evaluate", self.work / name, "--json"], capture_output=True, text=True, check=True).stdout)
            self.assertEqual([said["values"], said["low"], said["high"], said["draws"], said["holds"]],
                             [[[one[key]["shaking"]]] for key in ("values", "low", "high")] + [[one["draws"]], [one["holds"]]])
            study = json.loads((self.work / name).read_text())
            self.assertEqual(study["parameters"]["wheel"]["rollers"], one["variables"]["wheel.rollers"])
            self.assertEqual(study["parameters"]["contact"]["law"], one["variables"]["contact.law"])
        done = subprocess.run([OMNIROLL, "run", self.work / found["studies"][0], "-o", self.work / "best.h5", "-q"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_candidates_are_those_of_the_journal(self):
        found, told = open_optimum(self.path), {}
        for line in self.journal.splitlines()[1:]:
            record = json.loads(line)
            if record["asked"]["call"] == "evaluate" and record["asked"]["phase"] == "search":
                for row, value, draws in zip(record["asked"]["X"], record["told"]["values"], record["told"]["draws"]):
                    if draws >= told.get(tuple(row), (0,))[0]:
                        told[tuple(row)] = draws, value
        self.assertEqual(len(told), found.evaluated)
        self.assertEqual({tuple(row): (draws, value) for row, draws, value in zip(found.rows.tolist(), found.draws, found.values.tolist())}, told)

    def test_a_second_call_replays_and_prints_the_file(self):
        again = ran("wheel.json", *SMALL, "--json", cwd=self.work)
        self.assertEqual((again.returncode, again.stderr, again.stdout), (0, "", self.text))
        self.assertEqual(self.path.read_text(), self.text)
        self.assertEqual((self.work / "wheel.optimum.json.journal").read_bytes(), self.journal)

    def test_a_journal_that_a_kill_left_goes_on_to_the_same_and_a_larger_budget_further(self):
        for name, options in (("cut", SMALL), ("further", ("--budget", "1100", *SMALL[2:]))):
            journal = self.work / f"{name}.json.journal"
            journal.write_bytes(self.journal[:len(self.journal) // 2] if name == "cut" else self.journal)
            done = ran("wheel.json", "-o", f"{name}.json", *options, cwd=self.work)
            self.assertEqual(done.returncode, 0, done.stderr)
            made = (self.work / f"{name}.json").read_text()
            if name == "cut":
                self.assertEqual(without_clock(made), without_clock(self.text))
            else:
                lines = self.journal.splitlines()
                searched = [line for line in lines if b'"phase": "finalists"' not in line]
                self.assertEqual(journal.read_bytes().splitlines()[:len(searched)], searched)
                self.assertGreater(json.loads(made)["evaluated"], json.loads(self.text)["evaluated"])

    def test_another_search_is_refused_until_restart(self):
        words = ("wheel.json", "-o", "other.json", *SMALL[:2], "--population", "17", "-q")
        (self.work / "other.json.journal").write_bytes(self.journal)
        done = ran(*words, cwd=self.work)
        self.assertEqual(done.returncode, 2)
        self.assertIn("settings.population was 16 and is 17. --restart forgets it", done.stderr)
        self.assertEqual(ran(*words, "--restart", cwd=self.work).returncode, 0)

    def test_files_that_a_study_names_are_found_from_the_folder_of_its_finalists(self):
        (self.work / "deep").mkdir()
        (self.work / "deep" / "rate.csv").write_text("t [s],rate [rad/s]\n0,0\n0.05,2\n1,3\n")
        drive = {"type": "replay_rate", "replay": {"file": "rate.csv", "columns": {"time": "t", "rate": "rate"}}}
        parameters = {name: value for name, value in STUDY["parameters"].items() if name != "command"}
        study = {**STUDY, "parameters": {**parameters, "wheel": {**parameters["wheel"], "drive": drive}}}
        study["design"] = {**STUDY["design"], "variables": STUDY["design"]["variables"][:1]}
        (self.work / "deep" / "driven.json").write_text(json.dumps(study))
        done = ran("deep/driven.json", *SMALL, cwd=self.work)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"deep/rate.csv"', (self.work / "driven.optimum.1.json").read_text())
        said = subprocess.run([OMNIROLL, "evaluate", "driven.optimum.1.json", "--json"], capture_output=True, text=True, cwd=self.work)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(json.loads(said.stdout)["values"][0][0], json.loads((self.work / "driven.optimum.json").read_text())["best"]["values"]["shaking"])

    def test_a_page_begins_with_the_winner_and_has_every_part(self):
        page = pathlib.Path(report(str(self.path))).read_text(encoding="utf-8")
        found = open_optimum(self.path)
        parts = [page.index(words) for words in ("All hold", "The nominal vehicle", "at most 5 m/s²", "Finalists</h2>", "Variables</h2>", "How the search went</h2>", "How to repeat it</h2>")]
        self.assertEqual(parts, sorted(parts))
        self.assertIn("Rollers &amp; &lt;inclination&gt;", page)
        self.assertNotIn("<inclination>", page)
        self.assertIn(f"{found.evaluated} candidates of 3 variables", page)
        self.assertIn("omniroll optimize wheel.json --budget 900 --population 16", page)
        self.assertEqual(page.count("worse</td>") + page.count("cannot be told from the winner</td>"), len(found.optimum.finalists) - 1)

    def test_where_no_candidate_has_a_value_the_page_says_so(self):
        done = ran("wheel.json", "--budget", "400", "--population", "6", "-q", "-o", "none.json", "--set", "parameters.wheel.tip_radius=1", cwd=self.work)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("NO CANDIDATE HAS A VALUE", done.stdout)
        self.assertNotIn("nan", done.stdout)
        self.assertIn("No candidate holds them", pathlib.Path(report(str(self.work / "none.json"))).read_text(encoding="utf-8"))

    def test_damaged_files_are_refused(self):
        made = json.loads(self.text)
        made["candidates"]["values"].pop()
        for name, text in (("torn", self.text[:len(self.text) // 2]), ("short", json.dumps(made)), ("later", self.text.replace("omniroll optimum 1", "omniroll optimum 2"))):
            path = self.work / f"{name}.json"
            path.write_text(text)
            with self.assertRaisesRegex(NotAResult, f"{name}.json: "):
                report(str(path))

    @needs_browser
    def test_pages_of_one_goal_and_of_two_are_laid_out_well(self):
        goals = json.dumps({**STUDY["objectives"], "way": {"maximize": "mean(path_length)"}})
        done = ran("wheel.json", "-o", "two.json", *SMALL, "--set", f"objectives={goals}", "--set", "constraints=null", cwd=self.work)
        self.assertEqual(done.returncode, 0, done.stderr)
        two = report(str(self.work / "two.json"))
        self.assertIn("Front</h2>", pathlib.Path(two).read_text(encoding="utf-8"))
        with Browser() as browser:
            for place in (report(str(self.path)), two):
                opened = browser.open(place)
                wrong = [words for width in (390, 1280) for words in measure_open(opened, width, "light", os.path.basename(place)).wrong()]
                self.assertEqual((wrong, opened.errors, opened.violations), ([], [], []))
                opened.close()


class NearTheWinner(unittest.TestCase):
    """The fit gives back a parabola that is known, with levels that draws have, and its intervals hold what they say."""

    def found(self, noise, rng, winner=(0.4, 14)):
        variables = (Variable("x", "m", 0.0, 1.0), Variable("n", "", 5, 14, True), Variable("law", words=("a", "b")))
        rows = np.column_stack([np.clip(winner[0] + rng.normal(0, 0.05, 120), 0, 1), rng.integers(11, 15, 120), np.zeros(120)])
        draws = np.repeat([16.0, 64.0], 60)
        dx, dn = rows[:, 0] - winner[0], rows[:, 1] - winner[1]
        values = 3.0 + 2.0 * dx + 40.0 * dx**2 - 0.5 * dn + 0.1 * dn**2 + np.where(draws > 16, 7.0, 0.0) + noise * rng.normal(size=120) / np.sqrt(draws)
        one = Candidate({"x": winner[0], "n": winner[1], "law": "a"}, {"cost": 3.0}, {"cost": 2.9}, {"cost": 3.1}, {}, True, 1.0, 0.0, 64)
        problem = {"variables": {}, "goals": {"cost": {"unit": "m", "maximize": False}}, "limits": {}}
        optimum = Optimum(problem, one, [], [one], [], None, None, 0.0, 0.0, 0.0, "budget", 0, None)
        column = values[:, np.newaxis]
        return Found("f.json", "0", optimum, variables, {}, "", [], None, 120, rows, column, column, column, np.ones(120, dtype=bool), np.ones(120), draws, np.ones(120))

    def test_without_noise_the_parabola_itself(self):
        near = near_winner(self.found(0.0, np.random.default_rng(1)), 0)
        x, n = near.effects
        self.assertEqual([one.name for one in near.effects], ["x", "n"])
        self.assertAlmostEqual(x.less.value, -2.0 * x.way + 40.0 * x.way**2, delta=1e-9)
        self.assertAlmostEqual(x.more.value, 2.0 * x.way + 40.0 * x.way**2, delta=1e-9)
        self.assertAlmostEqual(n.less.value, 0.6, delta=1e-9)
        self.assertIsNone(n.more)  # the end of the range
        self.assertAlmostEqual(near.explained, 1.0, delta=1e-9)

    def test_intervals_hold_the_truth_as_often_as_they_say(self):
        rng, held, count = np.random.default_rng(2), 0, 300
        for _ in range(count):
            x = near_winner(self.found(0.5, rng), 0).effects[0]
            held += x.more.low <= 2.0 * x.way + 40.0 * x.way**2 <= x.more.high
        self.assertLess(abs(held / count - 0.95), 4 * np.sqrt(0.95 * 0.05 / count))


if __name__ == "__main__":
    unittest.main()
