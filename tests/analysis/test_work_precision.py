"""The figure of omniroll converge and of section accuracy of omniroll bench: made of a small table, and of what the program writes.
OMNIROLL names the program."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "analysis"))

from omniroll import bench, work_precision  # noqa: E402
from omniroll.errors import NotAResult  # noqa: E402
from omniroll.report import throughput  # noqa: E402


def row(method, size, speed, error, **more):
    step = {"step": size, "tolerance": None} if method == "heun" else {"step": None, "tolerance": size}
    errors = {"path": {"mean": error, "median": error, "worst": 2 * error}, "fail": {"mean": 0.0, "median": None, "worst": None}}
    return {"method": method, "precision": "double", **step, "speed": speed, "failed": 0, "own": False, "errors": errors, **more}


def made_table(**more):
    """Of three ways; the second is the cheapest, the first the study's own."""
    about = {"unit": "m", "truth": 2.0, "scale": 2.0, "relative_to": "its mean size", "doubt": 1e-9}
    return {"study": "s.json", "title": "costs $5 a run", "instances": 8, "of": 80, "speed_per": "core",
            "truth": {"reference": False, "method": "dormand_prince", "tolerance": 1e-8},
            "quantities": [{"name": "path", "kind": "observable", "accepted": 0.02, **about},
                           {"name": "fail", "kind": "criterion", "accepted": None, **about, "scale": 1.0}],
            "rows": [row("heun", 0.1, 100, 0.1, own=True), row("heun", 0.05, 50, 0.005),
                     row("dormand_prince", 1e-3, 70, 1e-4)],
            "cheapest": {"double": {"row": 2, "method": "dormand_prince"}, "single": None}, "shown": ["path"], **more}


class Figures(unittest.TestCase):
    def test_a_panel_has_every_method_and_what_is_accepted(self):
        figure = work_precision.figure(made_table())
        (axes,) = figure.axes
        drawn = {line.get_label(): line for line in axes.get_lines()}
        self.assertEqual(list(drawn["heun, double"].get_xdata()), [100, 50])
        self.assertEqual(list(drawn["heun, double"].get_ydata()), [0.1, 0.005])
        self.assertEqual(list(drawn["the cheapest"].get_xdata()), [70])
        self.assertEqual(list(drawn["the study's own"].get_xdata()), [100])
        self.assertEqual(set(drawn["accepted"].get_ydata()), {0.01})
        self.assertIn("path", axes.get_ylabel())
        with tempfile.TemporaryDirectory() as folder:  # a dollar in the title is none of mathematics
            figure.savefig(os.path.join(folder, "f.png"))

    def test_names_choose_the_panels(self):
        self.assertEqual(len(work_precision.figure(made_table(), ["path", "fail"]).axes), 2)
        with self.assertRaisesRegex(work_precision.Usage, "no 'speed' in the table; there are: path, fail"):
            work_precision.figure(made_table(), ["speed"])

    def test_another_file_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "other.json")
            for text in ("{}", "no JSON", "[]"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaises(NotAResult):
                    work_precision.open_table(path)
            self.assertEqual(work_precision.main([path]), 2)

    def test_a_bench_with_the_section_has_its_figure_and_a_table_on_its_page(self):
        accuracy = made_table(error="", speeds=[{"name": "path", "error": 0.01, "of": "mean", "tolerance": 70.0, "fixed": None}])
        for quantity in ("final_x", "vibration_rms", "dissipated_energy"):
            accuracy["quantities"].append({**accuracy["quantities"][0], "name": quantity})
            for one in accuracy["rows"]:
                one["errors"][quantity] = one["errors"]["path"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bench.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"omniroll": "0", "rows": [], "accuracy": accuracy}, file)
            found = bench.open_bench(path)
            self.assertEqual(len(bench.accuracy([found]).axes), 3)
            page = throughput.html_of(path)
        self.assertIn("Accuracy per cost", page)
        self.assertIn("Vehicle-seconds per second and core", page)


@unittest.skipUnless("OMNIROLL" in os.environ, "needs the program")
class Program(unittest.TestCase):
    def test_the_table_is_that_of_the_page_that_the_program_prints(self):
        study = {"model": "wheelset", "parameters": {"plane": {"slope": 0.1}, "initial": {"vx": 0.5, "yaw_rate": 2}},
                 "integrator": {"method": "heun", "step": "20 ms", "duration": "1 s", "accept": {"drift": "0.01 %"}},
                 "engine": {"backend": "openmp"}}
        with tempfile.TemporaryDirectory() as folder:
            path, prefix = os.path.join(folder, "s.json"), os.path.join(folder, "accuracy")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(study, file)
            done = subprocess.run([os.environ["OMNIROLL"], "converge", path, "--budget", "3", "-o", prefix], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(os.path.exists(prefix + ".png"))
            table = work_precision.open_table(prefix + ".json")
        best = table["rows"][int(table["cheapest"]["double"]["row"])]
        self.assertIn(f"Cheapest for drift to 0.01 %: {best['method']}, ", done.stdout)
        self.assertEqual(len([line for line in done.stdout.split("\n") if line.endswith("<- cheapest")]), 1)
        self.assertLess(best["errors"]["drift"]["mean"] * work_precision.quantity(table, "drift")["scale"],
                        work_precision.quantity(table, "drift")["accepted"])


if __name__ == "__main__":
    unittest.main()
