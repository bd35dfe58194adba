"""studies/robots: the measured runs and their checksums, turns out of repeated messages, what runs depart by and the bands, the book and its page, and a
run that is predicted anew."""

import hashlib
import json
import os
import re
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HERE = os.path.join(ROOT, "studies", "robots")
sys.path.insert(0, HERE)

import book  # noqa: E402
import departures  # noqa: E402
import get_data  # noqa: E402

PROGRAM = os.environ.get("OMNIROLL")


class Data(unittest.TestCase):
    def test_files_are_those_of_the_checksums_and_name_their_licence(self):
        total = 0
        with open(os.path.join(HERE, "data", "SHA256SUMS"), encoding="utf-8") as file:
            for line in file:
                known, name = line.split()
                with open(os.path.join(HERE, "data", name), "rb") as run:
                    content = run.read()
                self.assertEqual(hashlib.sha256(content).hexdigest(), known, name)
                self.assertIn(b"MIT licence", content.split(b"\n")[0])
                total += len(content)
        self.assertLess(total, 2.2e6)

    def test_a_message_counts_once_however_many_rows_repeat_it(self):
        random = np.random.default_rng(1)
        for mean in (0.4, 0.77):  # share of messages of four rows, the others have three
            turns = random.uniform(0.01, 0.02, (500, 4))
            rows = [[0.0, 0.0, 0.0, 0.0, *(turn / 4)] for turn in turns for _ in range(3 + int(random.random() < mean))]
            found = np.sum([row[4:] for row in get_data.repaired(rows)], axis=0)
            np.testing.assert_allclose(found, turns.sum(axis=0), rtol=1e-9)

    def test_two_messages_that_are_alike_count_twice(self):
        rows = [[0.0] * 4 + [turn] * 4 for turn, count in ((0.001, 4), (0.002, 7), (0.003, 4)) for _ in range(count)]
        self.assertAlmostEqual(float(np.sum([row[4] for row in get_data.repaired(rows)])), 4 * (0.001 + 2 * 0.002 + 0.003), places=12)


class Loss(unittest.TestCase):
    def test_a_planted_loss_is_found(self):
        robot, runs = "omni4", []
        plain = np.array([0.06, 0.06, 0.06, 0.06, 0.4, 1.0, 0.0, 0.0, 0.03])
        for pattern in ([1, -1, 1, -1], [-1, -1, 1, 1]):
            for turn in (-0.3, 0.3):
                rows = np.column_stack([0.4 * np.arange(150), np.zeros((150, 3)), np.outer(np.arange(150), 0.1 * (np.array(pattern) + turn))])
                for _ in range(3):  # poses that this model makes of these turns
                    rows[1:, 1:4] += book.loss_errors(robot, rows, plain)
                runs.append(rows)
        self.assertAlmostEqual(float(book.loss(robot, runs)[-1]), 0.03, delta=1e-4)


class Others(unittest.TestCase):
    def test_a_file_of_measured_turns_becomes_the_one_that_studies_replay(self):
        name = "omni3-circular-221220201730-04.csv"
        path = os.path.join(HERE, "data", name)
        with tempfile.TemporaryDirectory() as folder:
            made, rows, deviation = book.prepared("omni3", path, folder)
            np.testing.assert_allclose(book.rows_of(made), book.rows_of(path), atol=1e-5)
        np.testing.assert_allclose(rows, book.rows_of(path), atol=1e-5)
        self.assertEqual(deviation, 0)

    def test_summed_rows_of_circles_and_of_squares_get_their_factors(self):
        for name, factor in (("omni4-circular-080920201015-01.csv", 1.062), ("omni4-square-080920201205-01.csv", 1.109)):
            rows = book.rows_of(os.path.join(HERE, "data", name))
            at = np.arange(0, rows[-1, 0], 0.04)
            fine = np.column_stack([at] + [np.interp(at, rows[:, 0], column) for column in rows[:, 1:].T])
            found, deviation = book.whole_turns("omni4", fine)
            ratio = np.abs(np.diff(found[:, 4:], axis=0)).sum() / np.abs(np.diff(fine[:, 4:], axis=0)).sum()
            self.assertAlmostEqual(ratio, factor, delta=0.006)  # messages over sums, of the logs
            self.assertLess(deviation, 0.01)

    def test_manoeuvres_are_told_by_the_turns(self):
        for name, expected in (("omni3-circular-221220201643-01", "circle forward right"), ("omni3-square-221220201934-10", "square sideways left"),
                               ("omni3-joystick-221220202235-01", "mixed left"), ("omni4-circular-080920201911-03", "circle sideways right"),
                               ("omni4-square-231220200521-06", "square forward left")):
            rows = book.rows_of(os.path.join(HERE, "data", name + ".csv"))
            self.assertEqual(f"{book.manoeuvre_of(name[:5], rows)} {book.sense_of(rows)}", expected, name)


def planted(random: np.random.Generator, h: np.ndarray, prior: np.ndarray, radii: list[int]) -> tuple[list[departures.Run], list[departures.Run]]:
    """Runs of 4 manoeuvres in 8 recordings whose ends depart as the model of departures says, drawn without its formulas; the last half of the
    recordings is apart."""
    common = prior * random.standard_normal(len(prior))
    own = {key: [np.exp(log) * random.standard_normal(len(radii)) for _ in range(8)] for key, log in (("manoeuvre", h[3]), ("recording", h[4]))}
    runs = []
    for k in range(48):
        angle = np.linspace(0, random.uniform(4, 20) * random.choice([-1, 1]), 400)
        radius = random.uniform(0.3, 0.8)
        rows = np.column_stack([0.1 * np.arange(400), radius * np.sin(angle), radius * (1 - np.cos(angle)), angle])
        run = departures.shape_of(rows) | {"manoeuvre": k % 4, "recording": k // 6, "slope": (random.standard_normal((3, len(prior))) * 150).tolist()}
        moved = common.copy()
        moved[radii] += own["manoeuvre"][k % 4] + own["recording"][k // 6]
        # the walk, step by step: a small yaw turns the rest of the way
        walk = np.concatenate([[0], np.cumsum(np.exp(h[2]) * np.sqrt(np.abs(np.diff(angle))) * random.standard_normal(399))])
        steps = np.diff(rows[:, 1] + 1j * rows[:, 2])
        off = np.sum(steps * (np.exp(1j * walk[1:]) - 1))
        start, end = np.exp(h[[0, 0, 1]]) * random.standard_normal((2, 3))
        place = (run["place"][0] + 1j * run["place"][1]) * (np.exp(1j * start[2]) - 1)
        off += place + start[0] + 1j * start[1] + end[0] + 1j * end[1]
        run["off"] = (np.array(run["slope"]) @ moved + [off.real, off.imag, walk[-1] + start[2] + end[2]]).tolist()
        runs.append(run)
    return runs[:24], runs[24:]


class Departures(unittest.TestCase):
    def test_bands_hold_what_is_planted_and_what_is_planted_is_found(self):
        random, prior, radii = np.random.default_rng(5), np.array([1e-3, 1e-3, 1e-3, 5e-3]), [0, 1, 2]
        h = np.log([0.006, 0.008, 0.006, 2e-4, 1e-4])  # departures that a run tells well
        held, found = [], []
        for _ in range(12):
            runs, apart = planted(random, h, prior, radii)
            found.append(departures.deviations(runs, prior, radii))
            fit = departures.Fit(runs, prior, radii, found[-1])
            for run in apart:
                expected = np.array(run["slope"]) @ fit.change(run)
                held += (np.abs(run["off"] - expected) <= book.WIDE * fit.end_deviation(run)).tolist()
        # 12 worlds with 4 new recordings each: the share has a deviation of about 0.02
        self.assertAlmostEqual(np.mean(held), 0.9, delta=0.05)
        np.testing.assert_allclose(np.mean(found, axis=0), h, atol=0.35)

    def test_a_known_recording_is_known_better(self):
        random, prior, radii = np.random.default_rng(6), np.array([1e-3, 1e-3, 1e-3, 5e-3]), [0, 1, 2]
        h = np.log([0.006, 0.008, 0.006, 2e-4, 1e-4])
        runs, apart = planted(random, h, prior, radii)
        fit = departures.Fit(runs, prior, radii, h)
        for run in apart:
            here = fit.end_deviation(run | {"recording": 1})
            self.assertTrue(np.all(here < fit.end_deviation(run)))
            self.assertTrue(np.all(fit.end_deviation(run) < fit.end_deviation(run | {"manoeuvre": "new"})))

    def test_odometry_of_its_own_turns_is_exact(self):
        jacobian = book.jacobian("omni3", np.array([0.1, 0.1, 0.1, 0.2]))
        turns = np.outer(np.linspace(0, 1, 50), [0.5, 1.0, -0.3])
        steps = turns @ jacobian.T  # one direction in the body: an arc of a circle, whose chord is exact
        angle = steps[:, 2]
        way = (steps[:, 0] + 1j * steps[:, 1]) * np.sinc(angle / 2 / np.pi) * np.exp(1j * angle / 2)
        rows = np.column_stack([np.arange(50), way.real, way.imag, angle, turns])
        self.assertLess(np.abs(book.odometry_errors(rows, jacobian)).max(), 1e-12)


class Book(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(HERE, "book.json"), encoding="utf-8") as file:
            cls.book = json.load(file)

    def test_the_page_has_the_tables_of_the_book(self):
        with open(os.path.join(ROOT, "docs", "evidence", "robots.md"), encoding="utf-8") as file:
            page = file.read()
        for line in book.tables(self.book).splitlines():
            if not re.match(r"\| \d{12}, ", line):  # by recording: book.py --table alone
                self.assertIn(line, page)

    def test_its_runs_are_those_of_the_studies(self):
        for robot in self.book:
            uses = {os.path.basename(run["file"]): run.get("use") != "predict" for run in book.study_of(robot)["data"]["runs"]}
            for run in self.book[robot]["runs"]:
                self.assertEqual(run["fitted"], uses[run["file"]], run["file"])

    def test_bands_hold_and_are_no_wider_than_they_have_to(self):
        for robot in self.book:
            apart = [run for run in self.book[robot]["runs"] if not run["fitted"]]
            share = np.mean([run["inside"] for run in apart])
            self.assertTrue(0.85 <= share <= 0.95, f"{robot}: {share}")
            self.assertLess(book.width(apart), 1.2, robot)
            for kind, runs in book.grouped(apart, "manoeuvre", "sense").items():
                self.assertGreater(book.chance(runs), 0.0099, (robot, kind))  # none of two is 0.01

    def test_both_sides_have_every_sense_of_turning(self):
        for robot in self.book:
            runs = self.book[robot]["runs"]
            for run in runs:
                kind = (run["manoeuvre"], run["sense"])
                self.assertTrue(any((one["manoeuvre"], one["sense"]) == kind and one["fitted"] for one in runs), (robot, kind))

    def test_predictions_beat_odometry(self):
        for robot in self.book:
            apart = [run for run in self.book[robot]["runs"] if not run["fitted"]]
            stick, engine = (np.median([run[who]["mm"] for run in apart]) for who in ("yardstick", "engine"))
            self.assertLess(engine, 0.6 * stick, robot)

    @unittest.skipUnless(PROGRAM, "no program")
    def test_a_run_ends_where_the_book_says(self):
        robot, known = "omni3", self.book["omni3"]
        run = next(run for run in book.study_of(robot)["data"]["runs"] if "1730-01" in run["file"])
        look, found = book.one_run(robot, PROGRAM, [], known, run["file"])
        there = next(one for one in known["runs"] if "1730-01" in one["file"])
        self.assertAlmostEqual(found["engine"]["mm"], there["engine"]["mm"], delta=0.1)
        np.testing.assert_allclose(found["low"] + found["high"], there["low"] + there["high"], atol=1e-3)
        self.assertEqual(look["recording"], "221220201730")


if __name__ == "__main__":
    unittest.main()
