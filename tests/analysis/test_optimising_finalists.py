"""The choice among finalists: the budget goes where it is needed, and the intervals hold. No library is needed."""

import math
import os
import sys
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "analysis"), HERE]

from omniroll.optimising import Evaluator, Goal, Limit, Problem, Variable  # noqa: E402
from omniroll.optimising import finalists  # noqa: E402
from omniroll.optimising.evaluator import Differences  # noqa: E402
from omniroll.optimising.front import front_of, hypervolume, thinned  # noqa: E402
from omniroll.optimising.optimum import candidates  # noqa: E402
from omniroll.optimising.problem import student  # noqa: E402
from omniroll.optimising.journal import Caller  # noqa: E402
from short_form import few  # noqa: E402


def normal_cdf(x):
    return 0.5 * np.vectorize(math.erfc)(-x / math.sqrt(2))


class Allocation(unittest.TestCase):
    def test_ratios_are_those_of_the_source(self):
        """Chen et al. (2000), theorem 1: N_i / N_j = (s_i/d_i)^2 / (s_j/d_j)^2, and N_b = s_b sqrt(sum N_i^2/s_i^2)."""
        means, deviations = np.array([1.0, 2.0, 3.0, 5.0]), np.array([1.0, 2.0, 1.0, 3.0])
        found = finalists.allocate(means, deviations, 1000)
        self.assertAlmostEqual(found.sum(), 1000)
        self.assertAlmostEqual(found[1] / found[2], (2 / 1) ** 2 / (1 / 2) ** 2)
        self.assertAlmostEqual(found[3] / found[2], (3 / 4) ** 2 / (1 / 2) ** 2)
        self.assertAlmostEqual(found[0], math.sqrt(sum((found[i] / deviations[i]) ** 2 for i in (1, 2, 3))))

    def test_what_is_clearly_infeasible_gets_little(self):
        means, deviations = np.array([1.0, 1.01, 1.01]), np.ones(3)
        found = finalists.allocate(means, deviations, 1000, np.array([np.inf, np.inf, 2.0]))
        self.assertLess(found[2], 0.001 * found[1])
        hopeless = finalists.allocate(np.array([1.0, np.inf, 1.5]), deviations, 1000)
        self.assertEqual(hopeless[1], 0)

    def test_the_best_of_ten_is_found_more_often_than_by_equal_shares(self):
        """Ten candidates with normal draws of mean i and deviation 6, as in Chen et al. (2000), experiment 1. With equal shares the chance that the
        smallest sample mean is the first one's is an integral, 0.81 with 60 draws each."""
        each, deviation = 60, 6.0
        z = np.linspace(-8, 8, 4001)
        se = deviation / math.sqrt(each)
        integrand = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) * np.prod([1 - normal_cdf(z - i / se) for i in range(1, 10)], axis=0)
        equal = float(integrand.sum() * (z[1] - z[0]))
        problem = Problem.from_function(lambda X: X[:, 0], [Variable("i", "", 0, 9, True)], noise=deviation, common=False)
        rows, times = np.arange(10.0)[:, np.newaxis], few(self, 600, 200)
        spent, right = 0.0, 0
        for seed in range(times):
            caller = Caller(problem, None, {})
            right += finalists.race(caller, rows, 10 * each, [100 * seed + i for i in range(finalists.ROUNDS)]) == 0
            spent += caller.spent
        self.assertLess(spent / times, 1.02 * 10 * each)
        self.assertGreater(right / times, equal + 3 * math.sqrt(equal * (1 - equal) / times))
        print(f"the best of ten: {right / times:.3f}, with equal shares {equal:.3f}")


class Noisy(Evaluator):
    """Costs and one margin, both with normal noise of deviation 3 a draw."""

    COSTS, MARGINS, DEVIATION = np.array([0.0, 1, 4, 5, 6]), np.array([-0.3, 2, 2, 2, 2]), 3.0

    def __init__(self):
        super().__init__([Variable("i", "", 0, 4, True)], [Goal("cost")], [Limit("reach")])

    def evaluate(self, X, draws=None, seed=None):
        which = self.points(X)[:, 0].astype(int)
        se = self.DEVIATION / math.sqrt(draws)
        noise = np.array([np.random.default_rng([seed, i]).standard_normal(2) for i in which]) * se
        margins, values = self.MARGINS[which] + noise[:, 0], self.COSTS[which] + noise[:, 1]
        return self.evaluation(values[:, np.newaxis], low=(values - 1.96 * se)[:, np.newaxis], high=(values + 1.96 * se)[:, np.newaxis],
                               margins=margins[:, np.newaxis], holds=normal_cdf(margins / se), draws=np.full(len(which), draws))


class Limits(unittest.TestCase):
    def test_the_best_that_holds_the_limit_is_found_more_often_than_by_equal_shares(self):
        """The cheapest candidate misses its limit by a tenth of a deviation: with equal shares of 100 draws it seems feasible with the probability
        1 - cdf(1) = 0.16, and is then chosen but for the noise of costs, whose gap of 1 is 2.4 deviations of a difference."""
        times, right = few(self, 600, 150), 0
        equal = 0.8413 + 0.1587 * 0.0092  # cdf(1), and where it is feasible by chance, 1 - cdf(1 / (0.3 sqrt 2))
        for seed in range(times):
            rows = np.arange(5.0)[:, np.newaxis]
            right += finalists.race(Caller(Noisy(), None, {}), rows, 500, [100 * seed + i for i in range(finalists.ROUNDS)]) == 1
        print(f"the best that is feasible: {right / times:.3f}, with equal shares {equal:.3f}")
        self.assertGreater(right / times, equal + 3 * math.sqrt(equal * (1 - equal) / times))


class Intervals(unittest.TestCase):
    def test_students_distribution(self):
        """97.5 %: 2.3060 with 8 degrees of freedom, 2.1314 with 15, 1.9842 with 99 (tables)."""
        for freedom, expected in ((8, 2.3060), (15, 2.1314), (99, 1.9842)):
            self.assertAlmostEqual(student(freedom), expected, delta=0.002)

    def test_intervals_of_finalists_hold(self):
        """Value of the winner and differences of the others from it: 95 % of the intervals hold the truth, within three deviations. Noise differs
        between candidates, part of it is common where it is asked for."""
        for common in (False, True):
            problem = Problem.from_function(lambda X: X[:, 0] ** 2, [Variable("x", "", -1, 1)], common=common, noise=lambda X: 0.5 + X[:, 0] ** 2)
            rows = np.array([[0.0], [0.1], [0.2], [-0.3], [0.6]])
            value, apart, times = 0, 0, few(self, 600, 150)
            for seed in range(times):
                seeds = [1000 * seed + i for i in range(finalists.ROUNDS + 3)]
                sorted_rows, found, between = finalists.choose(Caller(problem, None, {}), rows, 4000, seeds)
                true = sorted_rows[:, 0] ** 2
                value += found.low[0, 0] <= true[0] <= found.high[0, 0]
                apart += between.low[-1, 0] <= true[-1] - true[0] <= between.high[-1, 0]
            sigma = math.sqrt(0.95 * 0.05 / times)
            with self.subTest(common):
                self.assertAlmostEqual(value / times, 0.95, delta=3 * sigma)
                self.assertAlmostEqual(apart / times, 0.95, delta=3 * sigma)

    def test_the_same_noise_drops_out_of_differences(self):
        problem = Problem.from_function(lambda X: X[:, 0], [Variable("x")], noise=5.0)
        found = problem.compare([[0.25], [0.5]], [0.75], draws=20, seed=3)
        np.testing.assert_allclose(found.difference[:, 0], [-0.5, -0.25], atol=1e-12)
        np.testing.assert_allclose(found.high - found.low, 0, atol=1e-9)
        apart = problem.evaluate([[0.25], [0.75]], draws=20, seed=3)
        self.assertAlmostEqual(float(apart.values[1, 0] - apart.values[0, 0]), 0.5)
        self.assertGreater(float(apart.high[0, 0] - apart.low[0, 0]), 1)

    def test_without_an_interval_nothing_is_told_from_the_winner(self):
        problem = Problem.from_function(lambda X: X[:, 0], [Variable("x")])
        rows, unknown = np.array([[0.25], [0.5]]), np.full((2, 1), np.nan)
        made = candidates(problem, rows, problem.evaluate(rows, draws=8), Differences(np.array([[0.0], [0.25]]), unknown, unknown))
        self.assertEqual([one.tied for one in made], [False, True])

    def test_a_candidate_has_the_same_noise_in_any_company(self):
        problem = Problem.from_function(lambda X: X[:, 0], [Variable("x")], noise=1.0, common=False)
        together = problem.evaluate([[0.1], [0.2]], draws=9, seed=4).values
        np.testing.assert_array_equal(problem.evaluate([[0.2]], draws=9, seed=4).values[0], together[1])
        self.assertNotEqual(float(together[1, 0] - together[0, 0]), 0.1)


class Evaluations(unittest.TestCase):
    def test_limits_come_first_and_nothing_known_last(self):
        problem = Problem.from_function(lambda X: X[:, 0], [Variable("x", "", -5, 5)], constraints=lambda X: X - 1)
        found = problem.evaluation(np.array([[3.0], [1.0], [0.5], [np.nan], [np.nan], [0.1]]),
                                   margins=[[0.1], [0.0], [-0.2], [-9.0], [1.0], [np.nan]])
        self.assertEqual(found.feasible.tolist(), [True, True, False, False, False, False])
        np.testing.assert_array_equal(found.violation, [0, 0, 0.2, 9, np.inf, np.inf])
        self.assertEqual(found.order().tolist()[:4], [1, 0, 2, 3])
        larger = Problem.from_function(lambda X: X[:, 0], [Variable("x")], goals=[Goal("speed", "m/s", True)]).evaluation(np.array([[2.0], [np.nan]]))
        np.testing.assert_array_equal(larger.costs, [[-2], [np.inf]])
        np.testing.assert_array_equal(larger.holds, [1, 1])

    def test_fronts_and_their_areas(self):
        """Steps (1, 3), (2, 2), (3, 1) before (4, 4): 3 + 2 + 1 squares."""
        costs = np.array([[2.0, 2.0], [1, 3], [3, 1], [2.5, 2.5], [1, 3.5], [2, 2]])
        self.assertEqual(front_of(costs).tolist(), [1, 0, 2])
        self.assertEqual(hypervolume(costs, np.array([4.0, 4.0])), 6)
        self.assertEqual(thinned(costs[:3], 1, np.array([4.0, 4.0])).tolist(), [0])


if __name__ == "__main__":
    unittest.main()
