"""The balance of energy at the end of a run into a file: warning, summary, attributes, report; parts of a run add up. OMNIROLL names
the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import h5py

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "analysis"))

from omniroll.report import build  # noqa: E402
from omniroll.report.data import Choices, load  # noqa: E402

# Mecanum wheels that break loose and stick again, with steps that are long for slip below 1 mm/s; two that are not, with 10 m/s.
STUDY = {
    "model": "omni_vehicle",
    "parameters": {
        "overlap": "allow",
        "wheel": {
            "inclination": "45 deg",
            "friction": 0.5,
            "drive": {"type": "sine", "torque": 0.4, "frequency": 1.3},
        },
    },
    "vary": [{"path": "wheel.slip_speed", "values": [0.001, 10]}, {"path": "platform.mass", "values": [10, 12]}],
    "integrator": {"method": "rosenbrock", "step": "5 ms", "duration": "1 s", "step_error": "off"},
    "output": {"observables": ["final_x"]},
}


@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class Balance(unittest.TestCase):
    def test_it_is_told_of_in_summary_file_and_report_whatever_the_parts(self):
        with tempfile.TemporaryDirectory() as folder:
            source, path = os.path.join(folder, "s.json"), os.path.join(folder, "s.h5")
            with open(source, "w", encoding="utf-8") as file:
                json.dump(STUDY, file)
            found = []
            for chunk in ("4", "1"):
                command = [os.environ["OMNIROLL"], "run", source, "-v", "-o", path, "--overwrite", "--backend", "openmp", "--set", f"engine.chunk={chunk}"]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                self.assertIn("warning: energy balance: energy_error is above 0.01 in 2 instances", done.stderr)
                self.assertIn("energy balance: energy_error is above 0.01 in 2 instances", " ".join(done.stdout.split()))
                with h5py.File(path) as file:
                    self.assertEqual(file.attrs["unbalanced_instances"], 2)
                    found.append(file.attrs["largest_energy_error"])
                    self.assertGreater(found[-1], 0.01)
                    self.assertIn("energy balance: ", file.attrs["warnings"])
            self.assertEqual(found[0], found[1])
            page = build.html_of(load(path, Choices()))
            self.assertIn("Energy_error is above 0.01 in 2 instances", page)


if __name__ == "__main__":
    unittest.main()
