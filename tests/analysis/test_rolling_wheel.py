"""Figures of source 5 (studies/papers), and the program's rolling wheel against an independent solution of the published
equations: general matrices of source 5, sections 2 and 3, with an adaptive Runge-Kutta pair, none of the program's code."""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path[:0] = [os.path.join(ROOT, "analysis"), os.path.join(ROOT, "studies")]

import omniroll  # noqa: E402
from omniroll import figures  # noqa: E402
from papers import published, rolling_wheel  # noqa: E402

M, R, I, G = 25.0, 0.3, 1.125, 9.81  # as in the studies; G is the default of the parameter gravity
MU_U, MU_L, T_S, S_D = 0.9, 0.3, 10.0, 1.0


def accelerations(velocity, drive, mu, gains=(1.0, 1.0), relax=True):
    """q'' of (x, z, theta) by (2a), (4) and (5) of source 5. X is the weighted minimum-norm inverse of A, times N."""
    speed, _, rate = velocity
    mass = np.diag([M, M, I])
    inverse = np.linalg.inv(mass)
    applied = np.array([-1.7 * speed * abs(speed), -M * G, drive - 0.34 * rate])
    rows = np.array([[0, 1.0, 0], [1.0, 0, -R]])
    limit = mu * M * G
    h = drive / (3 * limit * R)
    s = 1 - np.tanh(gains[0] * h)**2 if relax else 1.0
    friction = np.array([limit * np.tanh(gains[1] * h) * np.tanh(R * rate - speed) if relax else 0.0, 0, 0])
    x = inverse @ rows.T @ np.linalg.inv(rows @ inverse @ rows.T) @ np.diag([1, s**2])
    ideal = mass @ x @ (-rows @ inverse @ applied)
    nonideal = (np.eye(3) - mass @ x @ rows @ inverse) @ friction
    return inverse @ (applied + ideal + nonideal), s, ideal[0]


def driven(torque, mu):
    """Right-hand side of the driving mode, eqs. (23) and (24)."""
    def rates(t, y):
        return accelerations((y[0], 0.0, y[1]), torque * np.tanh(0.5 * t), mu(t))[0][[0, 2]]

    return rates


def dip(t):
    return MU_L + (MU_U - MU_L) * np.tanh((t - T_S) / S_D)**4


# Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19: 5th order with an embedded solution of 4th
NODES = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
STAGES = [[], [1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9],
          [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
          [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
          [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
ERROR = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


def solve(rates, times, tolerance=1e-10):
    """Solution at the given times from rest."""
    y, t, step, found = np.zeros(2), times[0], 1e-3, [np.zeros(2)]
    for end in times[1:]:
        while end - t > 1e-12:
            h = min(step, end - t)
            k = []
            for node, row in zip(NODES, STAGES):
                k.append(rates(t + node * h, y + h * sum((a * b for a, b in zip(row, k)), np.zeros(2))))
            error = np.abs(h * ERROR @ np.array(k)).max() / (tolerance * (1 + np.abs(y).max()))
            if error <= 1:
                t, y = t + h, y + h * np.array(STAGES[6]) @ np.array(k[:6])
            step = h * min(4.0, max(0.2, 0.9 * max(error, 1e-12)**-0.2))
        found.append(y)
    return np.array(found)


class Independent(unittest.TestCase):
    def test_the_solver_has_the_order_it_needs(self):
        times = np.linspace(0, 3, 7)
        found = solve(lambda t, y: np.array([y[1], 1 - y[0]]), times)  # x = 1 - cos t
        np.testing.assert_allclose(found[:, 0], 1 - np.cos(times), atol=1e-8)

    def test_the_constraint_holds_accelerations_only_where_it_is_not_relaxed(self):
        for relax, held in ((False, True), (True, False)):
            acceleration, _, _ = accelerations((1.0, 0.0, 1 / R), 20.0, 0.9, relax=relax)
            residual = R * acceleration[2] - acceleration[0]
            self.assertEqual(abs(residual) < 1e-12, held)

    def test_slip_drifts_by_the_share_that_the_weight_gives_up(self):
        """(R theta'' - x'') = (1 - s^2) times what it is without the constraint: the residual of the relaxed constraint."""
        for velocity, drive, mu in (((3.0, 0, 12.0), 20.0, 0.9), ((5.0, 0, 30.0), 60.0, 0.3), ((1.0, 0, 2.0), 220.0, 0.9)):
            acceleration, s, _ = accelerations(velocity, drive, mu)
            friction = mu * M * G * np.tanh(drive / (3 * mu * M * G * R)) * np.tanh(R * velocity[2] - velocity[0])
            free = R * (drive - 0.34 * velocity[2]) / I - (friction - 1.7 * velocity[0] * abs(velocity[0])) / M
            self.assertAlmostEqual(R * acceleration[2] - acceleration[0], (1 - s**2) * free, places=10)

    def test_slip_drifts_on_dry_ground_too(self):
        times = np.linspace(0, 10, 11)
        speed, rate = solve(driven(20.0, lambda t: MU_U), times).T
        slip = R * rate - speed
        self.assertTrue((np.diff(slip) > 0).all())
        self.assertGreater(slip[-1], 0.3)


@unittest.skipUnless(os.environ.get("OMNIROLL"), "OMNIROLL names no program")
class Program(unittest.TestCase):
    def run_study(self, folder, name, *settings):
        path = os.path.join(folder, f"{name}.h5")
        subprocess.run([os.environ["OMNIROLL"], "run", os.path.join(ROOT, "studies", f"{name}.json"), "-o", path, "--quiet",
                        "--set", "engine.backend=openmp", *settings], check=True, capture_output=True)
        return path

    def test_trajectories_are_those_of_the_published_equations(self):
        """RK4 with 1 ms and the pair with 1e-10 a step: the errors add up over 20 s at speeds up to 640 rad/s (found: 2e-8)."""
        with tempfile.TemporaryDirectory() as folder:
            for torque in (20, 60, 220):
                result = omniroll.open_result(self.run_study(folder, f"uk_driving_{torque}"))
                rows = slice(None, None, 25)
                found = solve(driven(float(torque), dip), result.time[rows])
                for name, values in (("velocity", found[:, 0]), ("wheel_rate", found[:, 1])):
                    mine = result.trajectories[name][0, rows]
                    np.testing.assert_allclose(mine, values, rtol=1e-7, atol=1e-7, err_msg=f"{name} at {torque} N m")

    def test_each_figure_is_drawn_from_its_study_and_says_what_the_source_says(self):
        with tempfile.TemporaryDirectory() as folder:
            results = {}
            for name, (_, caption) in rolling_wheel.FIGURES.items():
                study = caption.split("Study: ")[1].removesuffix(".json")
                grid = ",".join(f'{{"path":"{gain}","linspace":[0,4,4]}}' for gain in ("stiction_gain", "friction_gain"))
                small = ["--set", f"vary=[{grid}]", "--set", "output.trajectories.instances=[0]"] if name == "uk-gains" else []
                results[name] = omniroll.open_result(self.run_study(folder, study, *small))
                figure = published.draw(name, results[name])
                self.assertIn("J. Transp. Technol.", figure._supxlabel.get_text())
                figure.savefig(os.path.join(folder, f"{name}.png"))
            self.driving(results)
            self.braking(results)
            for wrong in ("source5-fig6", "source5-fig4", "uk-gains"):
                with self.assertRaises(figures.Skipped):
                    published.draw(wrong, results["source5-fig3"])

    def driving(self, results):
        """Source 5, section 3.1.1."""
        sample = {torque: {name: values[0] for name, values in results[f"source5-fig{figure}"].trajectories.items()}
                  for torque, figure in ((20, 3), (60, 4), (220, 5))}
        self.assertTrue((sample[20]["applied_traction"] < sample[20]["saturation"]).all())
        self.assertGreater(sample[20]["stiction"].min(), 0.9)
        time, speed = results["source5-fig4"].time, sample[60]["velocity"]
        lowest = np.argmin(np.where((time > 8) & (time < 13), speed, np.inf))
        self.assertLess(speed[lowest], 0.8 * speed[time < 8].max())  # slows down
        self.assertGreater(speed[lowest:].max(), speed[lowest] + 0.5)  # accelerates again
        self.assertLess(sample[220]["constraint_force"].min(where=time > 5, initial=np.inf), 0.01 * 73.6)  # relaxed

    def braking(self, results):
        """Source 5, section 3.1.2: about the same time with 0.3, clearly longer with 0.1, and a wheel that is nearly locked."""
        reference, slippery = results["source5-fig6"].observables["stop_time"]
        self.assertLess(abs(slippery - reference), 0.1 * (reference - 15))
        self.assertGreater(results["source5-fig7"].observables["stop_time"][1] - reference, 2)
        motion = {name: values[1] for name, values in results["source5-fig7"].trajectories.items()}
        sliding = (results["source5-fig7"].time > 17.2) & (motion["velocity"] > 1)
        self.assertTrue(sliding.any())
        self.assertLess(np.abs(motion["rim_speed"][sliding]).max(), 0.01)
        way = published.draw("source5-fig7", results["source5-fig7"]).axes[3].lines
        for line, distance in zip(way, results["source5-fig7"].observables["braking_distance"]):
            self.assertLess(abs(np.nanmax(line.get_ydata()) - distance), 1.0)  # to the stop; the wheel still creeps after it
        without = results["source5-fig7"].trajectories["rim_speed"][0]
        self.assertGreater(motion["rim_speed"].max(), 1.1 * without.max())  # spins before it brakes


if __name__ == "__main__":
    unittest.main()
