"""A search that is killed goes on to the same bits, and a journal of another search is refused with what differs."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.dirname(os.path.abspath(__file__))]

import omniroll  # noqa: E402
from omniroll.optimising import Goal, Problem, Variable  # noqa: E402
from omniroll.optimising.journal import Caller, plain  # noqa: E402
from short_form import few  # noqa: E402

try:
    import cmaes
except ImportError:
    cmaes = None
BUDGET = 40_000
VARIABLES = [Variable("x", "m", -1, 2), Variable("n", "", 1, 9, True), Variable("law", words=("a", "b", "c"))]
# The same search as below in a process of its own, which ends without a word in the call with the number that it is given.
KILLED = """
import os, sys
sys.path[:0] = [{analysis!r}, {here!r}]
import test_optimising_journal as ours
calls = [0]
def die(X):
    calls[0] += 1
    if calls[0] == int(sys.argv[2]):
        os._exit(9)
problem = ours.problem(goals=int(sys.argv[3]))
inner = problem.f
problem.f = lambda X: (die(X), inner(X))[1]
problem.identity = lambda: ours.problem(goals=int(sys.argv[3])).identity()
problem.minimize(budget=ours.BUDGET, journal=sys.argv[1])
"""


def model(X):
    return np.where(X[:, 0] < -0.9, np.nan, (X[:, 0] - 0.3) ** 2 + 0.1 * (X[:, 1] - 4) ** 2 + 0.5 * (X[:, 2] != 1))


def pair(X):
    return np.stack([model(X), (X[:, 0] - 1) ** 2 + 0.1 * X[:, 1]], axis=1)


def limit(X):
    return 0.1 - X[:, :1]


def problem(noise=0.1, goals=1, variables=VARIABLES):
    return Problem.from_function(model if goals == 1 else pair, variables, goals=[Goal("cost"), Goal("mass")][:goals], noise=noise, common=False,
                                 constraints=limit)


def bits(found):
    """All but the clock."""
    plain_values = found.to_dict()
    for row in [plain_values, *plain_values["history"]]:
        del row["elapsed"], row["integrating"]
    return {**plain_values, "journal": None}


@unittest.skipUnless(cmaes, "cmaes is not installed: pip install cmaes==0.13.1")
class Killed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "search.jsonl")

    def lines(self):
        with open(self.path, "rb") as file:
            return file.read()

    def test_a_search_that_was_killed_goes_on_to_the_same_bits(self):
        for goals, ends in few(self, ((1, (1, 9, 20)), (2, (12,))), ((1, (9,)), (2, (12,)))):
            whole = bits(problem(goals=goals).minimize(budget=BUDGET))
            for end in ends:
                with self.subTest(goals=goals, end=end):
                    code = KILLED.format(analysis=os.path.join(ROOT, "analysis"), here=os.path.dirname(os.path.abspath(__file__)))
                    done = subprocess.run([sys.executable, "-B", "-c", code, self.path, str(end), str(goals)], capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stderr), (9, ""))
                    self.assertEqual(self.lines().count(b"\n"), end)  # the header, and an answer for each call but the last
                    self.assertEqual(bits(problem(goals=goals).minimize(budget=BUDGET, journal=self.path)), whole)
                    os.unlink(self.path)

    def test_a_file_that_was_cut_anywhere_goes_on_to_the_same_bits(self):
        whole = bits(problem().minimize(budget=BUDGET, journal=self.path))
        content = self.lines()
        self.assertEqual(bits(problem().minimize(budget=BUDGET, journal=self.path)), whole)  # all of it is there: nothing is evaluated
        self.assertEqual(self.lines(), content)
        rng = np.random.default_rng(1)
        for size in [0, 5, 100, content.index(b"\n"), len(content) - 1, *rng.integers(len(content), size=3)]:
            with self.subTest(size=size):
                with open(self.path, "wb") as file:
                    file.write(content[:size])
                self.assertEqual(bits(problem().minimize(budget=BUDGET, journal=self.path)), whole)
                asked = [[json.loads(line).get(key) for key in ("asked", "told")] for line in self.lines().splitlines()]
                for line in asked[1:]:
                    for key in ("seconds", "integrating"):
                        (line[1] or {}).pop(key, None)
                self.assertEqual(len(asked), content.count(b"\n"))

    def test_a_larger_budget_goes_on_where_the_search_was(self):
        problem().minimize(budget=BUDGET / 2, journal=self.path)
        self.assertEqual(bits(problem().minimize(budget=BUDGET, journal=self.path)), bits(problem().minimize(budget=BUDGET)))
        with self.assertRaisesRegex(omniroll.UsageError, "the budget is smaller than before"):
            problem().minimize(budget=BUDGET / 2, journal=self.path)

    def test_what_differs_is_named(self):
        problem().minimize(budget=BUDGET, journal=self.path)
        before = self.lines()
        other = [dataclasses.replace(VARIABLES[0], high=3.0), *VARIABLES[1:]]
        for change, options, words in ((problem(), {"seed": 1}, "settings.seed was 0 and is 1"), (problem(), {"population": 32}, "settings.population was 64"),
                                       (problem(noise=0.2), {}, "problem.noise was 0.1 and is 0.2"),
                                       (problem(variables=other), {}, 'problem.variables was .."x", "m", -1, 2, .* and is .."x", "m", -1, 3.0')):
            with self.subTest(words), self.assertRaisesRegex(omniroll.UsageError, f"{self.path}: is the journal of another search: .*{words}"):
                change.minimize(budget=BUDGET, journal=self.path, **options)
        self.assertEqual(self.lines(), before)

    def test_other_files_are_left_alone(self):
        for content in (b"my notes", b'{"a": 1}\n{"b": 2}\nno end', b"\x00\xff\n"):
            with open(self.path, "wb") as file:
                file.write(content)
            with self.assertRaisesRegex(omniroll.FileError, "is no journal of a search"):
                problem().minimize(budget=BUDGET, journal=self.path)
            self.assertEqual(self.lines(), content)
        os.unlink(self.path)
        problem().minimize(budget=BUDGET, journal=self.path)
        lines = self.lines().splitlines(keepends=True)
        with open(self.path, "wb") as file:
            file.write(b"".join([*lines[:2], b'{"of": 3\n', *lines[3:]]))
        with self.assertRaisesRegex(omniroll.FileError, "or is damaged"):
            problem().minimize(budget=BUDGET, journal=self.path)
        with self.assertRaisesRegex(omniroll.FileError, "No such file or directory"):
            problem().minimize(budget=BUDGET, journal=os.path.join(self.path + "d", "x"))

    def test_one_search_writes_a_journal(self):
        first = Caller(problem(), self.path, {})
        self.addCleanup(first.close)
        with self.assertRaisesRegex(omniroll.FileError, "another search writes"):
            Caller(problem(), self.path, {})

    def test_a_stop_leaves_a_journal_that_goes_on(self):
        with self.assertRaises(omniroll.Stopped) as stopped:
            problem().minimize(budget=BUDGET, journal=self.path, progress=lambda row: row["generation"] < 4)
        self.assertEqual(stopped.exception.path, self.path)
        self.assertEqual(bits(problem().minimize(budget=BUDGET, journal=self.path)), bits(problem().minimize(budget=BUDGET)))

    def test_ctrl_c_says_how_to_go_on(self):
        def interrupt(row):
            if row["generation"] == 3:
                raise KeyboardInterrupt

        with self.assertRaisesRegex(omniroll.Interrupted, "the same call goes on") as stopped:
            problem().minimize(budget=BUDGET, journal=self.path, progress=interrupt)
        self.assertEqual(stopped.exception.path, self.path)
        self.assertEqual(bits(problem().minimize(budget=BUDGET, journal=self.path)), bits(problem().minimize(budget=BUDGET)))


class Plain(unittest.TestCase):
    def test_numbers_come_back_bit_by_bit(self):
        values = [0.1, 1 / 3, 5e-324, -1.7976931348623157e308, float("nan"), float("inf"), -float("inf"), -0.0]
        back = np.array(json.loads(json.dumps(plain(np.array(values)), allow_nan=False)), dtype=object).astype(float)
        self.assertEqual(back.tobytes(), np.array(values).tobytes())


if __name__ == "__main__":
    unittest.main()
