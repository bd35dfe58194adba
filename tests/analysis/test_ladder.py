"""The tables of docs/explanation/laws.md and docs/explanation/steps.md against the program: a part of what studies/contact_ladder.py and
studies/convergence.py compute is computed here again and held to what the pages print. OMNIROLL_LIBRARY names the library;
OMNIROLL_LONG=1 takes the rows too that need hundreds of thousands of steps."""

import os
import sys
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.join(ROOT, "studies"), os.path.join(ROOT, "docs", "explanation"), os.path.dirname(os.path.abspath(__file__))]

import contact_figures  # noqa: E402
import contact_ladder  # noqa: E402
import convergence  # noqa: E402
from short_form import SHORT, nightly  # noqa: E402

if SHORT:
    os.environ["OMNIROLL_CC"] = "/nonexistent/cc"  # operations are counted by kernels that are compiled for each rung

LONG = bool(os.environ.get("OMNIROLL_LONG"))
FLOORS = sorted(contact_ladder.SHOWN)
TRUTH_TOLERANCE = contact_ladder.TOLERANCE if LONG else 1e-5  # ten times the page's, which moves the path by less than 0.1 mm
SHORTEST = 1e-6 if LONG else 2.5e-5  # s: rows that need shorter steps are left out
MILLIMETRES, DEGREES, SHARE = 0.1, 0.02, 0.02  # beside the rounding to two digits


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def cells(text):
    """A Markdown table as {first cell: other cells}, without its head."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return {row[0]: row[1:] for row in rows[2:]}


def number(cell):
    return 0.0 if cell == "0" else float(cell.replace("< ", ""))


def rounding(value):
    """Half a unit of the last of two digits."""
    return 0.5 if abs(value) >= 99.5 else 0.05 * abs(value)


class Ladder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        page = read("docs/explanation/laws.md")
        cls.costs, cls.errors, cls.seen = (cells(contact_ladder.table_of(page, name)) for name in ("costs", "errors", "seen"))
        cls.changes = contact_ladder.table_of(page, "changes")
        cls.truth = contact_ladder.exact_motion(contact_ladder.TRUTH, FLOORS, tolerance=TRUTH_TOLERANCE)
        cls.rows = []
        for rung in contact_ladder.RUNGS:
            step = number(cls.costs[rung.name][1]) / 1e3
            if step >= SHORTEST:
                cls.rows.append(contact_ladder.at_its_tolerance(rung, step, cls.truth, FLOORS))

    def near(self, found, printed, margin, what):
        self.assertLessEqual(abs(found - printed), margin + SHARE * abs(printed) + rounding(printed), f"{what}: {found}, page {printed}")

    def test_every_law_of_the_ladder_has_its_rows(self):
        names = {rung.name for rung in (*contact_ladder.RUNGS, contact_ladder.TRUTH)}
        for table in (self.costs, self.errors, self.seen):
            self.assertEqual(set(table), names)
        self.assertEqual(self.changes, contact_ladder.change_table())
        self.assertGreater(len(self.rows), 7)

    def test_errors_are_those_of_the_page(self):
        for row in self.rows:
            printed = [number(cell) for cell in self.errors[row.rung.name]]
            for k, floor in enumerate(contact_ladder.SHOWN):
                at = row.at(floor)
                self.near(1e3 * row.away[at], printed[k], MILLIMETRES, f"{row.rung.name}, mu {floor}, path [mm]")
                self.near(row.turned[at], printed[3 + k], DEGREES, f"{row.rung.name}, mu {floor}, yaw [degrees]")

    def test_what_the_laws_tell_is_that_of_the_page(self):
        for row in self.rows:
            for (name, words, factor), cell in zip(contact_ladder.SEEN_COLUMNS, self.seen[row.rung.name]):
                found = factor * float(row.result[name].values[row.at(contact_ladder.SEEN)])
                self.near(found, number(cell), 1e-3, f"{row.rung.name}, {words}")

    @nightly("bench/count counts the operations of other studies")
    def test_operations_are_those_of_the_page(self):
        counted = [row for row in self.rows if row.operations == row.operations]
        for row in counted:
            printed = number(self.costs[row.rung.name][0])
            self.near(row.operations, printed, 0.01, row.rung.name)
        if not counted:
            self.skipTest("no compiler counts operations here")

    def test_what_the_page_says_in_words(self):
        """Statements that the reader takes away."""
        away = {row.rung.name: dict(zip(FLOORS, 1e3 * row.away)) for row in self.rows}
        for name in ("classical massless wheel", "massless rollers", "explicit rollers, ideal rolling"):
            self.assertAlmostEqual(away[name][0.2], 340, delta=5)
        friction = away["explicit rollers, Coulomb"]
        self.assertTrue(all(distance < 10 for distance in friction.values()))
        self.assertTrue(all(distance > 100 for distance in away["disc, friction angle, Exudyn's law"].values()))
        self.assertLess(away["explicit rollers, ideal rolling"][0.8], 3)

    def test_the_figures_are_there_and_small(self):
        drawn = [f"docs/explanation/{name}.png" for name in contact_figures.DRAWN]
        for path in ("studies/contact_ladder.png", "docs/explanation/convergence.png", *drawn):
            self.assertLess(os.path.getsize(os.path.join(ROOT, path)), 150_000)


class Pictures(unittest.TestCase):
    def test_the_roller_of_contact_is_that_of_my_robot(self):
        """docs/start/tutorials/my-robot.md has the wheel of the pictures: "roller 4.638 cm long, largest radius 6.89 mm"."""
        places, radii = contact_figures.profile()
        self.assertAlmostEqual(places[-1] - places[0], 46.38, places=2)
        self.assertAlmostEqual(radii.max(), 6.89, places=2)
        self.assertAlmostEqual(radii[0], contact_figures.TIP, places=6)


class Convergence(unittest.TestCase):
    def test_errors_at_long_steps_are_those_of_the_page(self):
        page = cells(contact_ladder.table_of(read("docs/explanation/steps.md"), "convergence"))
        exact = convergence.final({convergence.METHOD: "rk4"}, convergence.STEPS[-1] / 4)  # err by 4^-4 of the shortest step's error
        for row in convergence.ROWS:
            printed = [float(cell) for cell in page[row.name][1:3]]
            if row is convergence.SINGLE:
                continue
            for found, expected in zip(convergence.errors(row, exact, convergence.STEPS[:2]), printed):
                self.assertLessEqual(abs(found - expected), 0.06 * expected, f"{row.name}: {found:.3g}, page {expected:.3g}")

    def test_orders_are_those_of_the_page(self):
        page = cells(contact_ladder.table_of(read("docs/explanation/steps.md"), "convergence"))
        for row in convergence.ROWS[:5]:
            self.assertAlmostEqual(float(page[row.name][5]), float(row.order), delta=0.5)


if __name__ == "__main__":
    unittest.main()
