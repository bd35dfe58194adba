"""Figures of omniroll bench, of a small file made here whose numbers are chosen so that what has to be drawn is known."""

import contextlib
import csv
import io
import json
import math
import os
import tempfile
import unittest

from omniroll import bench, plot

PEAKS = [{"backend": "openmp", "device": "", "isa": "avx512", "precision": "double", "threads": 2, "fma_flops": 2e11, "copy_bytes": 1e10},
         {"backend": "openmp", "device": "", "isa": "avx512", "precision": "double", "threads": 1, "fma_flops": 1e11, "copy_bytes": 8e9},
         {"backend": "openmp", "device": "", "isa": "avx512", "precision": "single", "threads": 2, "fma_flops": 4e11, "copy_bytes": None}]


def row(section, name, rate, **members):
    made = {"section": section, "name": name, "backend": "openmp", "device": None, "isa": "avx512", "precision": "double", "threads": 2,
            "wheels": 3, "rollers": 6, "exchange": "split", "instances": 4096, "steps_per_second": rate, "operations_per_step": 4000.0,
            "flops": 4000.0 * rate if rate else None, "fraction_of_peak": 0.2, "bytes_per_step": 50.0, "error": None}
    made.update(members)
    return made


def sample():
    rows = [row("backends", "openmp avx512 double", 1e7), row("backends", "scalar avx512 double", 1e6, backend="scalar"),
            row("backends", "openmp avx512 single", 2e7, precision="single"),
            row("backends", "opencl 0:0 single", 1e7, backend="opencl", precision="single", bytes_per_step=None),
            row("backends", "opencl 1:0 double", None, error="no double precision")]
    rows += [row("threads", f"{n} double", 5e6 * n ** 0.9, threads=n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 12)]
    rows += [row("instances", str(10 ** n), 1e7 * (1 - math.exp(-10.0 ** (n - 2))), instances=10 ** n) for n in range(7)]
    rows += [row("rollers", f"{n}, exchanges {e}", 1e7 / (1 + n / 640), rollers=n, exchange=e) for e in ("split", "straddle")
             for n in (4, 8, 16, 32, 64)]
    rows += [row("rollers", f"{n}, bearing friction", 9e6, rollers=n) for n in (4, 64)]
    rows += [row("wheels", str(n), 3e7 / n, wheels=n, operations_per_step=1000.0 * (n + 1)) for n in (3, 1, 4, 6, 8)]
    rows += [row("laws", "saturated_coulomb", 1e7), row("laws", "udwadia_kalaba, contact_wise", 2e6, fraction_of_peak=None)]
    rows += [row("methods", "rk4", 1e7), row("methods", "heun", 1.6e7)]
    rows += [row("numerics", "exact", 1e7), row("numerics", "fast", None, error="not built")]
    machine = {"processor": "Test $CPU$", "cores": 2, "threads": 2, "compiler": "cc 1", "os": "any"}
    return {"omniroll": "0.1.0", "date": "2026-01-02T03:04:05Z", "machine": machine, "idle": False, "peaks": PEAKS, "rows": rows}


def lines(figure):
    """Label -> (x, y) of the labelled lines of a figure."""
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for axes in figure.axes for line in axes.get_lines()}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = self.write("before.json", sample())

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    def write_csv(self):
        content = sample()
        peaks = [{"section": "peak", "name": "peak", **peak} for peak in content["peaks"]]
        path = os.path.join(self.folder, "machine.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.DictWriter(file, list(content["rows"][0]) + ["fma_flops", "copy_bytes"], restval="")
            out.writeheader()
            for made in content["rows"] + peaks:
                out.writerow({key: "" if value is None else value for key, value in made.items()})
        return path

    def plot(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = plot.main(list(arguments))
        return code, out.getvalue().split(), err.getvalue()


class Reading(Case):
    def test_json_and_csv_are_told_from_results(self):
        self.assertTrue(bench.is_bench(self.path))
        self.assertTrue(bench.is_bench(self.write_csv()))
        self.assertFalse(bench.is_bench(self.write("study.json", {"model": "omni_wheel"})))
        self.assertFalse(bench.is_bench(os.path.join(self.folder, "missing.json")))

    def test_csv_has_the_same_rows_and_peaks(self):
        one, other = bench.open_bench(self.path), bench.open_bench(self.write_csv())
        self.assertEqual(len(one.peaks), len(other.peaks))
        for a, b in zip(one.rows, other.rows):
            for key in ("section", "name", "exchange"):
                self.assertEqual(a[key], b[key])
            for key in ("steps_per_second", "threads", "flops"):
                self.assertTrue(a[key] == b[key] or (math.isnan(a[key]) and math.isnan(b[key])), key)

    def test_rows_that_could_not_be_measured_are_left_out(self):
        names = [row["name"] for row in bench.open_bench(self.path).section("backends")]
        self.assertEqual(len(names), 4)
        self.assertNotIn("opencl 1:0 double", names)


class Figures(Case):
    def setUp(self):
        super().setUp()
        self.benches = [bench.open_bench(self.path)]

    def test_roofline_is_the_lower_of_memory_and_arithmetic(self):
        figure = bench.roofline(self.benches)
        double, single = figure.axes
        roofs = [line for line in double.get_lines() if line.get_label().startswith("openmp")]
        self.assertEqual(len(roofs), 1, "of each device the peak of most threads")
        for x, y in zip(*roofs[0].get_data()):
            self.assertAlmostEqual(y / min(2e11, 1e10 * x), 1.0)
        points = [line for line in double.get_lines() if len(line.get_xdata()) == 1]
        self.assertEqual([(line.get_xdata()[0], line.get_ydata()[0]) for line in points], [(80.0, 4e10), (80.0, 4e9)])
        flat = [line for line in single.get_lines() if line.get_label().startswith("openmp")]
        self.assertEqual(set(flat[0].get_ydata()), {4e11}, "no measured copy: a flat roof")
        self.assertIn("1 row of unknown", single.get_title(loc="left"))

    def test_costs_are_relative_to_the_smallest(self):
        rollers = lines(bench.over_rollers(self.benches))
        x, y = rollers["exchanges split"]
        self.assertEqual(x, [4, 8, 16, 32, 64])
        self.assertAlmostEqual(y[0], 1.0)
        self.assertAlmostEqual(y[-1], 1.1 / 1.00625)
        self.assertEqual(len(rollers["bearing friction"][0]), 2)
        heights = [line.get_ydata()[0] for line in bench.over_rollers(self.benches).axes[0].get_lines()]
        self.assertTrue({1.1, 1.05} <= set(heights), "the aims")
        wheels = lines(bench.over_wheels(self.benches))
        time = next(data for name, data in wheels.items() if name.startswith("time"))
        self.assertEqual(time[0], [1, 3, 4, 6, 8])
        self.assertAlmostEqual(time[1][-1], 8 / 3)
        operations = next(data for name, data in wheels.items() if name.startswith("counted"))
        self.assertAlmostEqual(operations[1][-1], 9 / 4)

    def test_threads_and_instances(self):
        threads = lines(bench.over_threads(self.benches))
        gain = next(data for name, data in threads.items() if name.startswith("double"))
        self.assertAlmostEqual(gain[1][-1], 12 ** 0.9)
        x, y = lines(bench.over_instances(self.benches))["openmp avx512, double"]
        self.assertEqual(x, [10 ** n for n in range(7)])
        self.assertAlmostEqual(y[-1], 1e7)

    def test_bars_say_rate_cost_and_part_of_the_peak(self):
        texts = [text.get_text() for text in bench.laws(self.benches).axes[0].texts]
        self.assertEqual(texts, ["10 M/s, 1.00 ×, 20 % of peak", "2 M/s, 5.00 ×"])

    def test_several_files_compare(self):
        faster = sample()
        for made in faster["rows"]:
            if made["steps_per_second"]:
                made["steps_per_second"] *= 2
        benches = self.benches + [bench.open_bench(self.write("after.json", faster))]
        texts = [text.get_text() for text in bench.methods(benches).axes[0].texts]
        self.assertEqual(sum("2.00 times as fast" in text for text in texts), 2)
        names = lines(bench.over_instances(benches))
        self.assertIn("before: openmp avx512, double", names)
        self.assertIn("after: openmp avx512, double", names)
        for _, make in bench.plan(benches):
            make().savefig(io.BytesIO(), format="png", dpi=30)


class Command(Case):
    def test_a_figure_for_every_section(self):
        code, written, err = self.plot(self.path)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([os.path.basename(path) for path in written], [f"{name}.png" for name in bench.FIGURES if name != "accuracy"])
        self.assertEqual(os.path.dirname(written[0]), os.path.join(self.folder, "before-plots"))

    def test_missing_sections_are_said(self):
        content = sample()
        content["rows"] = [made for made in content["rows"] if made["section"] == "laws"]
        code, written, err = self.plot(self.write("laws.json", content))
        self.assertEqual((code, len(written)), (0, 1))
        self.assertIn("roofline.png skipped: no row of section backends could be measured", err)

    def test_what_is_no_bench_is_an_error(self):
        broken = os.path.join(self.folder, "broken.json")
        with open(broken, "w", encoding="utf-8") as file:
            file.write('{"omniroll": "0.1.0", "rows": [')
        code, _, err = self.plot(broken)
        self.assertEqual(code, 2)
        self.assertIn("is no result of omniroll bench", err)
        code, _, err = self.plot(self.path, os.path.join(self.folder, "missing.h5"))
        self.assertEqual(code, 2)


if __name__ == "__main__":
    unittest.main()
