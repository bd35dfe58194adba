"""studies/team_robots.json, the 38 robots that teams have measured, against studies/team_robots_measured.csv: medians and the signs of
rank correlations with mass."""

import os
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "analysis"))
sys.path.insert(0, os.path.join(ROOT, "studies"))

import omniroll  # noqa: E402
import team_robots  # noqa: E402


class TeamRobots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        study = os.path.join(ROOT, "studies", "team_robots.json")
        cls.real = team_robots.measured()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "team_robots.h5")
            omniroll.run(study, output=path, progress=False, **{"integrator.step_error": "off"})
            cls.model = team_robots.found(omniroll.open_result(path))

    def test_medians_are_within_a_tenth_of_the_measured_ones(self):
        real, model = team_robots.ratios(self.real), team_robots.ratios(self.model)
        name = "forward_deceleration_m_s2"
        for what, measured, here in [*((key, real[key], model[key]) for key in real), (name, self.real[name], self.model[name])]:
            self.assertAlmostEqual(float(np.median(here) / np.median(measured)), 1, delta=0.1, msg=what)

    def test_ratios_go_with_mass_as_measured(self):
        known = ~np.isnan(self.real["mass_kg"])
        mass = self.real["mass_kg"][known]
        for what, sign in (("strafe over forward speed", -1), ("sideways over forward deceleration", 1)):
            for ratios in (team_robots.ratios(self.real), team_robots.ratios(self.model)):
                self.assertGreater(sign * team_robots.rank_correlation(ratios[what][known], mass), 0.1, what)


if __name__ == "__main__":
    unittest.main()
