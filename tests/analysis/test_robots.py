"""studies/robots: the measured runs and their checksums, turns out of repeated messages, departures of runs, the book and its page, and a run
that is predicted anew."""

import hashlib
import json
import os
import sys
import unittest

import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
HERE = os.path.join(ROOT, "studies", "robots")
sys.path.insert(0, HERE)

import book  # noqa: E402
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
        self.assertLess(total, 1.5e6)

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


class Departures(unittest.TestCase):
    def test_a_planted_departure_is_found(self):
        yaw = np.linspace(0, 6, 1000)
        for turned, way, turn in ((0.01, 0, 0), (0, 0.02, 0), (0, 0, 0.03), (-0.01, 0.02, -0.01)):
            model, real = [], []
            for out, by, factor in ((model, yaw, 1), (real, (1 + turned) * yaw, (1 + way) * np.exp(1j * turn))):
                path = np.concatenate([[0], np.cumsum(0.01 * factor * np.exp(1j * (by[1:] + by[:-1]) / 2))])
                out.append(np.column_stack([path.real, path.imag, by]))
            np.testing.assert_allclose(book.departures(model[0], real[0]), (turned, way, turn), atol=5e-4)

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
        with open(os.path.join(ROOT, "studies", "ROBOTS.md"), encoding="utf-8") as file:
            page = file.read()
        for line in book.tables(self.book).splitlines():
            self.assertIn(line, page)

    def test_its_runs_are_those_of_the_studies(self):
        for robot in self.book:
            uses = {os.path.basename(run["file"]): run.get("use") != "predict" for run in book.study_of(robot)["data"]["runs"]}
            for run in self.book[robot]["runs"]:
                self.assertEqual(run["fitted"], uses[run["file"]], run["file"])

    def test_predicted_circles_beat_odometry(self):
        for robot in self.book:
            apart = [run for run in self.book[robot]["runs"] if not run["fitted"] and "circular" in run["file"]]
            stick, engine = (np.median([run[who]["mm"] for run in apart]) for who in ("yardstick", "engine"))
            self.assertLess(engine, 0.7 * stick, robot)  # found: 0.61 and 0.37
            self.assertGreater(np.mean([run["inside"] for run in apart]), 0.8, robot)  # found: 0.94 and 0.90

    @unittest.skipUnless(PROGRAM, "no program")
    def test_a_run_ends_where_the_book_says(self):
        robot = "omni3"
        names, points = book.posterior(robot)
        number, run = next((k, run) for k, run in enumerate(book.study_of(robot)["data"]["runs"]) if "1730-01" in run["file"])
        path = book.engine_runs(robot, PROGRAM, [], number, names, points.mean(axis=0, keepdims=True))[0]
        found = book.end_error(path[-1] - book.measured_path(run["file"], len(path))[-1])
        self.assertAlmostEqual(found["mm"], next(one for one in self.book[robot]["runs"] if "1730-01" in one["file"])["engine"]["mm"], delta=2)  # single precision there


if __name__ == "__main__":
    unittest.main()
