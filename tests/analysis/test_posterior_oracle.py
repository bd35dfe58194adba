"""emcee as an oracle of omniroll calibrate: another sampler (Goodman and Weare's affine invariant ensemble, python3-emcee) on the same
posterior. Its likelihood shares nothing with host/calibrate: the engine runs tables of parameters, numpy compares the trajectories with the
log. The residuals of this study are smooth in the parameters, so that a cubic in each of them, fitted to one batch of runs and checked on
another, stands for the engine while emcee walks; emcee calls it with all walkers at once."""

import csv
import importlib.util
import json
import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

OMNIROLL = os.environ.get("OMNIROLL")
# mean and deviation of the prior
PRIOR = {"platform.mass": (6.0, 0.5, "kg"), "platform.yaw_inertia": (0.08, 0.01, "kg m2"), "platform.center_of_mass.x": (0.0, 0.01, "m")}
TRUE = {"platform.mass": 6.4, "platform.yaw_inertia": 0.072, "platform.center_of_mass.x": 0.006}
NOISE = {"x": 2e-3, "z": 2e-3, "yaw": 2e-2}
POINTS = 400
INTERVAL, DURATION = 0.05, 0.6


def vehicle(**sections):
    torques = [{"drive": {"type": "constant", "torque": torque}} for torque in (0.3, 0.1, -0.15)]
    return {
        "model": "omni_vehicle",
        "parameters": {"platform": {"center_of_mass": {"height": 0.06}}, "layout": {"type": "ring", "wheels": 3, "radius": 0.15},
                       "wheel": {"radius": 0.05, "rollers": 12, "row_distance": 0.02, "tip_radius": 0.005}, "wheels": torques},
        "integrator": {"method": "rosenbrock", "step": 1e-3}, "engine": {"precision": "double"}, **sections,
    }



@unittest.skipUnless(importlib.util.find_spec("emcee"), "no emcee (python3-emcee)")
@unittest.skipUnless(OMNIROLL, "OMNIROLL names no program")
class Oracle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        truth = np.array([[TRUE[path] for path in PRIOR]])
        rng = np.random.default_rng(20261126)
        cls.log = cls.trajectories(truth)[0]
        for s, noise in enumerate(NOISE.values()):
            cls.log[s, 1:] += noise * rng.standard_normal(cls.log.shape[1] - 1)
        cls.calibrate()
        cls.fit_cubic(rng)
        cls.walk()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.work.name, name)

    @classmethod
    def program(cls, *words):
        done = subprocess.run([OMNIROLL, *words, "-q"], capture_output=True, text=True, cwd=cls.work.name)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @classmethod
    def write(cls, name, study):
        with open(cls.path(name), "w", encoding="utf-8") as file:
            json.dump(study, file)

    @classmethod
    def trajectories(cls, values):
        """[values][x, z, yaw][instants] of the engine, whose instances are the rows of values."""
        with open(cls.path("table.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([f"{path} [{unit}]" for path, (_, _, unit) in PRIOR.items()])
            writer.writerows([[repr(float(value)) for value in row] for row in values])
        study = vehicle(design={"type": "table", "file": "table.csv"},
                        output={"observables": ["final_x"], "trajectories": {"instances": "all", "interval": INTERVAL}})
        study["integrator"]["duration"] = DURATION
        cls.write("table.json", study)
        cls.program("run", "table.json", "-o", "table.h5", "--overwrite")
        with h5py.File(cls.path("table.h5")) as file:
            return np.stack([file[f"trajectories/{name}"][()] for name in NOISE], axis=1)

    @classmethod
    def calibrate(cls):
        with open(cls.path("log.csv"), "w", encoding="utf-8") as file:
            file.write("time,x,z,yaw\n")
            for i, row in enumerate(cls.log.T):
                file.write(",".join(repr(float(value)) for value in (i * INTERVAL, *row)) + "\n")
        cls.write("fit.json", vehicle(
            vary=[{"path": path, "normal": [mean, deviation]} for path, (mean, deviation, _) in PRIOR.items()],
            design={"type": "monte_carlo", "instances": 10},
            data={"runs": [{"file": "log.csv"}], "interval": INTERVAL,
                  "measured": [{"sample": name, "column": name, "noise": noise, "start_error": 0} for name, noise in NOISE.items()]},
            calibrate={"members": 60, "points": POINTS, "seed": 5}))
        cls.said = json.loads(cls.program("calibrate", "fit.json", "--json", "-o", "points.csv"))
        cls.points = np.loadtxt(cls.path("points.csv"), delimiter=",", skiprows=1)

    # ---- the likelihood

    @classmethod
    def residuals(cls, coordinates):
        """Of points in deviations of the prior, by the engine."""
        mean, deviation = (np.array([PRIOR[path][k] for path in PRIOR]) for k in (0, 1))
        runs = cls.trajectories(mean + deviation * coordinates)
        scaled = (cls.log - runs)[:, :, 1:] / np.array(list(NOISE.values()))[:, None]
        return scaled.reshape(len(coordinates), -1)

    @staticmethod
    def terms(coordinates):
        """All products of the coordinates up to the third degree."""
        a = np.column_stack([np.ones(len(coordinates)), coordinates])
        three = a[:, :, None, None] * a[:, None, :, None] * a[:, None, None, :]
        i, j, k = np.array([(i, j, k) for i in range(4) for j in range(i, 4) for k in range(j, 4)]).T
        return three[:, i, j, k]

    @classmethod
    def log_likelihood(cls, coordinates):
        squares = np.sum((cls.terms(coordinates) @ cls.cubic) ** 2, axis=1)
        return -0.5 * squares - np.sum(np.log(np.sqrt(2 * np.pi) * np.repeat(list(NOISE.values()), cls.log.shape[1] - 1)))

    @classmethod
    def fit_cubic(cls, rng):
        middle, spread = cls.standardised(cls.points).mean(0), cls.standardised(cls.points).std(0)
        nodes = middle + 4 * spread * rng.uniform(-1, 1, (240, 3))
        cls.cubic = np.linalg.lstsq(cls.terms(nodes), cls.residuals(nodes), rcond=None)[0]
        cls.middle, cls.spread = middle, spread

    @staticmethod
    def standardised(values):
        return np.column_stack([(values[:, k] - mean) / deviation for k, (mean, deviation, _) in enumerate(PRIOR.values())])

    @classmethod
    def log_posterior(cls, coordinates):
        outside = np.any(np.abs(coordinates - cls.middle) > 5 * cls.spread, axis=1)
        return np.where(outside, -np.inf, cls.log_likelihood(coordinates) - 0.5 * np.sum(coordinates**2, axis=1))

    # ---- emcee

    @classmethod
    def walk(cls):
        import emcee

        np.random.seed(7)
        start = cls.middle + cls.spread * np.random.standard_normal((40, 3))
        sampler = emcee.EnsembleSampler(40, 3, cls.log_posterior, vectorize=True)
        sampler.run_mcmc(start, 2500)
        cls.chain = sampler.get_chain(discard=200, flat=True)
        cls.worth = len(cls.chain) / np.max(sampler.get_autocorr_time(discard=200, tol=0))

    # ---- what has to hold

    def test_the_cubic_stands_for_the_engine(self):
        """At draws of the posterior that it was not fitted to: log likelihoods differ by a constant, and by less than 0.1 besides."""
        drawn = self.chain[:: len(self.chain) // 60]
        exact = -0.5 * np.sum(self.residuals(drawn) ** 2, axis=1)
        stands = -0.5 * np.sum((self.terms(drawn) @ self.cubic) ** 2, axis=1)
        self.assertLess(np.std(exact - stands), 0.1)

    def test_means_and_covariances_are_those_of_emcee(self):
        """Within four standard errors. Points of the calibration count half: they remember where they came from by up to a tenth, and of
        equal ones, drawn anew, not all have moved."""
        mine = self.standardised(self.points)
        self.assertEqual(len(mine), POINTS)
        self.assertGreater(self.worth, 1000)
        share = 1 / (0.5 * POINTS) + 1 / self.worth
        covariance = np.cov(self.chain.T)
        error = np.sqrt(np.diag(covariance) * share)
        np.testing.assert_array_less(np.abs(mine.mean(0) - self.chain.mean(0)), 4 * error)
        # of a normal distribution
        error = np.sqrt((covariance**2 + np.outer(np.diag(covariance), np.diag(covariance))) * share)
        np.testing.assert_array_less(np.abs(np.cov(mine.T) - covariance), 4 * error)

    def test_the_evidence_is_that_of_the_likelihood(self):
        """By importance sampling from a normal distribution about emcee's draws. Weights of a temperature leave half of the points, which is
        an error of 1/sqrt(points) of its mean; ten temperatures at most."""
        rng = np.random.default_rng(3)
        factor = np.linalg.cholesky(1.5 * np.cov(self.chain.T))
        normal = rng.standard_normal((20000, 3))
        drawn = self.chain.mean(0) + normal @ factor.T
        log_weight = self.log_posterior(drawn) + 0.5 * np.sum(normal**2, axis=1) + np.sum(np.log(np.diag(factor)))
        evidence = np.max(log_weight) + np.log(np.mean(np.exp(log_weight - np.max(log_weight))))
        self.assertLess(abs(self.said["log_evidence"] - evidence), 4 * np.sqrt(10 / POINTS))


if __name__ == "__main__":
    unittest.main()
