"""Quantiles and points that tests/study/ compares with, by scipy:   /usr/bin/python3 tests/data/sampling.py > tests/data/sampling.json"""
import json

import numpy as np
import scipy
from scipy import stats
from scipy.stats import qmc

UNITS = [2.0**-53, 1e-12, 1e-6, 1e-3, 0.01, 0.025, 0.1, 0.25, 0.4, 0.5, 0.51, 0.6, 0.75, 0.9, 0.975, 0.99, 0.999, 1 - 2.0**-20,
         1 - 2.0**-52]


def truncated(mean, deviation, low, high):
    return stats.truncnorm((low - mean) / deviation, (high - mean) / deviation, mean, deviation)


CASES = [
    ("uniform", [-2, 5], stats.uniform(-2, 7)),
    ("log_uniform", [1e-3, 20], stats.loguniform(1e-3, 20)),
    ("normal", [3, 0.5], stats.norm(3, 0.5)),
    ("normal", [0, 1], stats.norm(0, 1)),
    ("log_normal", [0.3, 0.4], stats.lognorm(0.4, scale=0.3)),
    ("truncated_normal", [1, 2, -1, 4], truncated(1, 2, -1, 4)),
    ("truncated_normal", [0, 1, 3, 5], truncated(0, 1, 3, 5)),
    ("truncated_normal", [0, 1, -9, -6], truncated(0, 1, -9, -6)),
    ("truncated_normal", [0, 1, -8, 2], truncated(0, 1, -8, 2)),
    ("triangular", [1, 2, 5], stats.triang(0.25, 1, 4)),
    ("triangular", [1, 1, 5], stats.triang(0, 1, 4)),
    ("triangular", [1, 5, 5], stats.triang(1, 1, 4)),
    ("beta", [2, 3, 0, 1], stats.beta(2, 3)),
    ("beta", [0.5, 0.5, -1, 1], stats.beta(0.5, 0.5, -1, 2)),
    ("beta", [0.2, 4, 0, 1], stats.beta(0.2, 4)),
    ("beta", [1, 1, 0, 2], stats.beta(1, 1, 0, 2)),
    ("beta", [900, 40, 0, 1], stats.beta(900, 40)),
    ("weibull", [2, 1.5], stats.weibull_min(1.5, scale=2)),
    ("weibull", [1, 0.5], stats.weibull_min(0.5)),
]


def main():
    quantiles = [{"draw": name, "arguments": arguments, "mean": law.mean(), "variance": law.var(),
                  "values": [float(law.ppf(u)) for u in UNITS]} for name, arguments, law in CASES]
    sobol = qmc.Sobol(1111, scramble=False, bits=30).random(64)
    halton = qmc.Halton(12, scramble=False).random(64)
    dimensions = [0, 1, 2, 3, 4, 5, 6, 7, 20, 100, 500, 1109, 1110]
    print(json.dumps({
        "source": f"scipy {scipy.__version__}, numpy {np.__version__}, tests/data/sampling.py",
        "units": UNITS,
        "quantiles": quantiles,
        "sobol_dimensions": dimensions,
        "sobol": sobol[:, dimensions].tolist(),
        "halton": halton.tolist(),
    }, indent=None).replace("], ", "],\n"))


main()
