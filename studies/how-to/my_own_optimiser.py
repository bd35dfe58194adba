"""scipy searches, omniroll evaluates: docs/how-to/my-own-optimiser.md."""
import numpy as np
import omniroll
from scipy.optimize import differential_evolution

problem = omniroll.Problem("studies/how-to/my_own_optimiser.json")
bounds = [(variable.low, variable.high) for variable in problem.variables]  # SI units


def cost(x):  # one column for each candidate
    return problem.evaluate(x.T).costs[:, 0]  # smaller is better; inf: no vehicle


best = differential_evolution(cost, bounds, vectorized=True, updating="deferred", polish=False,
                              popsize=8, maxiter=6, seed=1)
angle, tip = np.degrees(best.x[0]), 1e3 * best.x[1]
print(f"{angle:.0f} deg and {tip:.1f} mm")
fresh = problem.evaluate([best.x], draws=256, seed=2)  # which the search has not seen
print(f"{fresh.values[0, 0]:.5f} ({fresh.low[0, 0]:.5f} to {fresh.high[0, 0]:.5f}) m/s/J")
print("30 deg and 18 mm:", problem.evaluate([[np.radians(30), 0.018]]).status[0].partition(";")[0])
