"""The Python package: reading result files, and the figures. Run with: python3 tests/analysis/test_analysis.py

The sample files are made here with h5py in the layout of host/result/hdf5.c, so that the expected figures are known.
Where OMNIROLL_RESULT names a result of the program, that file is opened as well, also with xarray."""

import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
from matplotlib.figure import Figure

ANALYSIS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis")
sys.path.insert(0, ANALYSIS)

import omniroll  # noqa: E402
from omniroll import figures  # noqa: E402
from omniroll.figures import axis_scales  # noqa: E402

NAMES = "ok wheel_lifted diverged outside_model too_many_exchanges invalid_parameters budget_spent"
VEHICLE = {"x": "m", "z": "m", "yaw": "rad", "servo_torque": "N m"}
WHEEL = {"slip_i": "m s-1", "slip_k": "m s-1", "normal_load": "N", "force_i": "N", "force_k": "N"}


def add(group, name, values, unit, scales, role=None):
    data = group.create_dataset(name, data=values)
    data.attrs["long_name"] = f"meaning of {name}"
    if unit:
        data.attrs["units"] = unit
    if role:
        data.attrs["role"] = role
    if scales:
        for dimension, scale in zip(data.dims, scales):
            dimension.attach_scale(scale)
    else:
        data.make_scale(name)
    return data


def add_instances(file, parameters, observables, status):
    group = file.create_group("instances", track_order=True)
    count = len(status)
    index = add(group, "instance", np.arange(count, dtype=np.uint64), None, None)
    for name, values in parameters.items():
        add(group, name, values, "1", [index], "parameter")
    for name, values in observables.items():
        add(group, name, values, "m s-1", [index], "observable")
    data = add(group, "status", np.asarray(status, dtype=np.int8), None, [index])
    data.attrs["flag_values"] = np.arange(7, dtype=np.int8)
    data.attrs["flag_meanings"] = NAMES
    add(group, "status_time", np.full(count, 2.0), "s", [index])


def add_trajectories(file, traced, wheels):
    group = file.create_group("trajectories", track_order=True)
    instance = add(group, "instance", np.asarray(traced, dtype=np.uint64), None, None)
    time = add(group, "time", np.linspace(0, 2, 21), "s", None)
    wheel = add(group, "wheel", np.arange(wheels, dtype=np.uint64), None, None)
    shape = (len(traced), 21, wheels)
    for i, (name, unit) in enumerate(VEHICLE.items()):
        add(group, name, (i + 1) * np.linspace(0, 1, shape[0] * shape[1]).reshape(shape[:2]), unit, [instance, time])
    for i, (name, unit) in enumerate(WHEEL.items()):
        add(group, name, (i + 1) * np.linspace(1, 2, np.prod(shape)).reshape(shape), unit, [instance, time, wheel])


def write_sample(path, parameters, observables, status, traced=(), wheels=3, model="omni_vehicle"):
    with h5py.File(path, "w", libver="v108") as file:
        file.attrs.update({"title": "Costs $5 and $6", "model": model, "seed": "42"})
        add_instances(file, parameters, observables, status)
        if len(traced):
            add_trajectories(file, traced, wheels)


class Analysis(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "sample.h5")

    def tearDown(self):
        self.folder.cleanup()

    def grid(self, **options):
        """5 x 4 levels, of which the last instance failed with a value far outside."""
        mu, mass = (values.ravel() for values in np.meshgrid(np.linspace(0.1, 0.5, 5), np.linspace(1, 4, 4)))
        slip = mu / mass
        slip[-1] = 1e6
        write_sample(self.path, {"friction": mu, "mass": mass}, {"max_slip": slip, "constant": np.ones(20)}, [0] * 19 + [1],
                     **options)
        return omniroll.open_result(self.path)

    def run_plot(self, *arguments):
        environment = dict(os.environ, PYTHONPATH=ANALYSIS)
        command = [sys.executable, "-m", "omniroll.plot", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment)


class Reading(Analysis):
    def test_arrays_units_and_meanings_come_back(self):
        result = self.grid(traced=[0, 19])
        self.assertEqual(list(result.parameters), ["friction", "mass"])
        self.assertEqual(list(result.observables), ["max_slip", "constant"])
        self.assertEqual(result.observables["max_slip"][0], 0.1)
        self.assertEqual(result.units["max_slip"], "m s-1")
        self.assertEqual(result.long_names["max_slip"], "meaning of max_slip")
        self.assertEqual(result.attrs["seed"], "42")
        self.assertEqual(result.trajectories["normal_load"].shape, (2, 21, 3))
        self.assertEqual(result.time[-1], 2.0)
        self.assertEqual(list(result.traced), [0, 19])

    def test_failed_instances_are_named_and_masked(self):
        result = self.grid()
        self.assertEqual(result.ok.sum(), 19)
        self.assertEqual(result.status_names[result.status[-1]], "wheel_lifted")
        self.assertEqual(result.trajectories, {})

    def test_a_grid_is_told_from_random_draws(self):
        self.assertTrue(self.grid().is_grid)
        random = np.random.default_rng(1)
        for count in (1, 2):
            drawn = {f"p{i}": random.uniform(size=30) for i in range(count)}
            write_sample(self.path, drawn, {"max_slip": random.uniform(size=30)}, [0] * 30)
            self.assertFalse(omniroll.open_result(self.path).is_grid)

    def test_what_is_no_result_is_refused_in_one_line(self):
        other = os.path.join(self.folder.name, "other.h5")
        with h5py.File(other, "w") as file:
            file["numbers"] = [1, 2]
        text = os.path.join(self.folder.name, "text.h5")
        with open(text, "w") as file:
            file.write("no HDF5")
        for path in (other, text, self.folder.name, self.path):
            with self.assertRaises(omniroll.NotAResult) as caught:
                omniroll.open_result(path)
            self.assertIn(path, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))


class Figures(Analysis):
    def test_a_histogram_counts_the_ok_instances_and_says_how_many_failed(self):
        figure = figures.histogram(self.grid(), "max_slip")
        bars = [patch.get_height() for patch in figure.axes[0].patches if patch.get_facecolor()[3] == 1]
        self.assertEqual(sum(bars), 19)
        self.assertIn("19 ok instances; 1 failed", figure._suptitle.get_text())
        self.assertEqual(figure.axes[0].get_xlabel(), "max_slip [m s$^{-1}$]")

    def test_levels_give_median_and_range_without_the_failed(self):
        result = self.grid()
        figure = figures.dependence(result, "max_slip", "friction")
        median = next(line for line in figure.axes[0].lines if line.get_label() == "median")
        masses = np.array([1.0, 2.0, 3.0, 4.0])
        expected = [np.median(mu / masses) for mu in result.levels("friction")[:4]] + [np.median(0.5 / masses[:3])]
        np.testing.assert_allclose(median.get_ydata(), expected)
        self.assertLess(figure.axes[0].get_ylim()[1], 1.0)

    def test_a_map_leaves_the_failed_cell_empty(self):
        figure = figures.heat_map(self.grid(), "max_slip")
        cells = figure.axes[0].collections[0].get_array().reshape(4, 5)
        self.assertEqual(np.ma.count_masked(cells), 1)
        self.assertTrue(cells.mask[3, 4])
        self.assertAlmostEqual(cells[1, 2], 0.3 / 2)

    def test_colours_of_a_map_are_logarithmic_beyond_a_decade(self):
        norm = figures.heat_map(self.grid(), "max_slip").axes[0].collections[0].norm
        self.assertEqual((type(norm).__name__, norm.vmin, norm.vmax), ("LogNorm", 0.1 / 4, 0.5))
        self.assertFalse(axis_scales.spans_decade(np.array([1.0, 9.9])))
        self.assertFalse(axis_scales.spans_decade(np.array([0.0, 5.0])))

    def test_a_value_far_out_does_not_swallow_the_colours_of_a_map(self):
        """Of 200 values from 1 to 2 and one of 1000 the scale ends at the 99th percentile, and the bar says so; -1000 cuts the other end."""
        inner = np.linspace(1, 2, 200)
        for far, ends, extend, said in ((1000, (1, inner[198]), "max", "scale ends at the 99th percentile;\nlargest is 1e+03"),
                                        (-1000, (inner[1], 2), "min", "scale ends at the 1st percentile;\nsmallest is −1e+03")):
            numbers = np.append(inner, far)
            norm = axis_scales.colors_of(numbers)
            self.assertEqual(type(norm).__name__, "Normalize")
            np.testing.assert_allclose((norm.vmin, norm.vmax), ends)
            figure = Figure()
            axes = figure.add_subplot()
            image = axes.imshow(numbers.reshape(3, 67), norm=norm)
            self.assertEqual(axis_scales.color_bar(figure, image, axes, "slip", numbers), [])
            bar = image.colorbar
            self.assertEqual((bar.extend, bar.ax.get_ylabel()), (extend, f"slip\n{said}"))
        below = axis_scales.colors_of(np.append(np.geomspace(1, 100, 200), -1e6))  # has a colour, though no logarithm
        self.assertEqual((type(below).__name__, below.vmax), ("Normalize", 100))
        whole = axis_scales.colors_of(np.geomspace(1, 1000, 200))  # decades are no values far out
        self.assertEqual((type(whole).__name__, whole.vmin, whole.vmax), ("LogNorm", 1, 1000))

    def test_two_values_have_a_legend_and_no_colour_bar(self):
        figure = Figure()
        axes = figure.add_subplot()
        numbers = np.array([[1.0, 2.0], [2.0, np.nan]])
        image = axes.imshow(numbers, norm=axis_scales.colors_of(numbers))
        self.assertEqual([one.get_label() for one in axis_scales.color_bar(figure, image, axes, "slip", numbers)], ["slip 1", "slip 2"])
        self.assertEqual(len(figure.axes), 1)
        paths = figures.paths(self.grid(traced=[0, 19]))
        self.assertEqual(len(paths.axes), 1)
        self.assertEqual([text.get_text() for text in paths.axes[0].get_legend().get_texts()][:2], ["friction 0.1", "friction 0.5"])

    def test_paths_show_x_upwards_and_z_to_the_right(self):
        result = self.grid(traced=[0, 19])
        axes = figures.paths(result).axes[0]
        np.testing.assert_array_equal(axes.lines[0].get_xdata(), result.trajectories["z"][0])
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), result.trajectories["x"][0])
        self.assertEqual(axes.get_ylabel(), "x, forward [m]")

    def test_slip_is_the_length_of_its_two_parts(self):
        result = self.grid(traced=[0, 19])
        axes = figures.slip_and_loads(result, 19).axes
        expected = np.hypot(result.trajectories["slip_i"][1, :, 2], result.trajectories["slip_k"][1, :, 2])
        np.testing.assert_array_equal(axes[0].lines[2].get_ydata(), expected)
        self.assertEqual(len(axes), 3)

    def test_only_the_single_wheel_has_a_servo_torque(self):
        result = self.grid(traced=[0], wheels=1, model="omni_wheel")
        self.assertEqual(len(figures.slip_and_loads(result).axes), 4)

    def test_what_makes_no_sense_is_skipped_with_a_reason(self):
        result = self.grid()
        for figure in (lambda: figures.paths(result), lambda: figures.slip_and_loads(result),
                       lambda: figures.histogram(result, "constant")):
            with self.assertRaises(figures.Skipped):
                figure()

    def test_a_model_of_its_own_has_a_panel_for_each_unit(self):
        write_sample(self.path, {}, {"max_slip": np.array([0.3])}, [0], traced=[0], wheels=0, model="uk_wheel")
        result = omniroll.open_result(self.path)
        for name in WHEEL:
            del result.trajectories[name]
        self.assertFalse(figures.has_wheels(result))
        axes = figures.over_time(result).axes
        self.assertEqual(len(axes), len({result.units[name] for name in result.trajectories}))
        lines = {line.get_label().split(":")[0]: line for panel in axes for line in panel.lines}
        self.assertEqual(sorted(lines), sorted(result.trajectories))
        self.assertEqual(lines["x"].get_label(), f"x: {result.long_names['x']}")
        lines = {name: line.get_ydata() for name, line in lines.items()}
        np.testing.assert_array_equal(lines["x"], result.trajectories["x"][0])
        result.trajectories["x"][:] = 0
        axes = figures.over_time(result).axes
        self.assertNotIn("x", [line.get_label().split(":")[0] for panel in axes for line in panel.lines])
        self.assertIn("zero all the time: x", axes[0].get_title(loc="left"))
        self.assertTrue(figures.has_path(result))
        result.trajectories["heading"] = result.trajectories.pop("yaw")
        self.assertTrue(figures.has_path(result))
        path = figures.paths(result).axes[0].lines[0]
        np.testing.assert_array_equal(path.get_xdata(), result.trajectories["z"][0])
        del result.trajectories["heading"]
        self.assertFalse(figures.has_path(result))


class CommandLine(Analysis):
    def test_the_files_named_are_the_files_written(self):
        self.grid(traced=[0, 19])
        done = self.run_plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = done.stdout.split("\n")[:-1]
        folder = os.path.join(self.folder.name, "sample-plots")
        self.assertEqual(sorted(os.path.basename(file) for file in files), sorted(os.listdir(folder)))
        self.assertEqual(sorted(os.listdir(folder)), [
            "failed_where.png", "histogram_max_slip.png",
            "max_slip_map.png", "max_slip_vs_friction.png", "max_slip_vs_mass.png", "paths.png",
            "slip_and_loads.png"])
        for file in files:
            with open(file, "rb") as image:
                self.assertEqual(image.read(8), b"\x89PNG\r\n\x1a\n")

    def test_options_choose_observables_parameter_and_folder(self):
        self.grid()
        folder = os.path.join(self.folder.name, "chosen")
        done = self.run_plot(self.path, "-o", folder, "--observable", "max_slip", "constant", "--parameter", "mass")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("max_slip_vs_mass.png", os.listdir(folder))
        self.assertNotIn("max_slip_vs_friction.png", os.listdir(folder))
        self.assertIn("histogram_constant.png skipped: constant is 1 in every ok instance", done.stderr)

    def test_one_instance_gives_its_path_and_says_what_is_missing(self):
        write_sample(self.path, {}, {"max_slip": np.array([0.3])}, [1], traced=[0])
        done = self.run_plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder.name, "sample-plots"))), ["paths.png", "slip_and_loads.png"])
        self.assertIn("histograms", done.stderr)

    def test_a_study_of_failures_is_plotted_without_a_crash(self):
        count = 6
        write_sample(self.path, {"friction": np.linspace(0, 1, count)}, {"max_slip": np.full(count, np.nan)}, [2] * count,
                     traced=[0, 5])
        done = self.run_plot(self.path, "--observable", "max_slip")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no ok instance has a value of max_slip", done.stderr)

    def test_many_random_draws_are_plotted(self):
        random = np.random.default_rng(1)
        drawn = {f"p{i}": random.uniform(size=6000) for i in range(5)}
        write_sample(self.path, drawn, {"max_slip": drawn["p0"] + drawn["p1"]}, [0] * 6000)
        done = self.run_plot(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("plots over p3, p4 skipped", done.stderr)

    def test_errors_are_one_line_and_exit_code_2(self):
        self.grid()
        folder = os.path.join(self.path, "below-a-file")
        for arguments in (["missing.h5"], [__file__], [self.path, "--observable", "nonsense"],
                          [self.path, "--parameter", "nonsense"], [self.path, "-o", folder]):
            done = self.run_plot(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(len(done.stderr.strip().split("\n")), 1, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


def xarray_is_missing():
    try:
        import xarray  # noqa: F401
    except ImportError:
        return True
    return False


@unittest.skipIf(xarray_is_missing(), "xarray is not installed")
class Failures(Analysis):
    def test_a_result_without_failures_has_none(self):
        write_sample(self.path, {"friction": np.ones(3)}, {"max_slip": np.ones(3)}, [0, 0, 0])
        self.assertEqual(omniroll.failures(self.path).sizes["instance"], 0)

    def test_what_is_no_result_is_refused(self):
        with self.assertRaises(omniroll.NotAResult):
            omniroll.failures(self.path)

    @unittest.skipUnless(os.environ.get("OMNIROLL_FAILURES"), "OMNIROLL_FAILURES names no result of the program")
    def test_states_stand_beside_the_values_that_failed(self):
        path = os.environ["OMNIROLL_FAILURES"]  # of tests/analysis/failures.json
        result, failures = omniroll.open_result(path), omniroll.failures(path)
        rows = np.flatnonzero(~result.ok)
        self.assertEqual(set(result.status_names[s] for s in result.status),
                         {"ok", "wheel_lifted", "invalid_parameters", "budget_spent"})
        np.testing.assert_array_equal(failures.instance, rows)
        np.testing.assert_array_equal(failures.status, result.status[rows])
        np.testing.assert_array_equal(failures.status_time, result.status_time[rows])
        np.testing.assert_array_equal(failures.wheel_tip_radius, result.parameters["wheel_tip_radius"][rows])
        np.testing.assert_array_equal(failures.x, result.observables["final_x"][rows])  # NaN equals NaN here
        self.assertEqual(failures.wheel_rate.dims, ("instance", "wheel"))
        self.assertEqual(failures.wheel_rate.attrs["units"], "rad s-1")
        spent = failures.where(failures.status_name == "budget_spent", drop=True)
        self.assertEqual(set(spent.passes.values), {3 * 40.0})
        self.assertEqual(set(spent.wheel_initial_rate.values), {-3000.0})
        invalid = rows[result.status[rows] == 5]
        self.assertEqual(sorted(failures.attrs["invalid_reasons"]), list(invalid))
        self.assertIn("tip", failures.attrs["invalid_reasons"][invalid[0]])


@unittest.skipUnless(os.environ.get("OMNIROLL_RESULT"), "OMNIROLL_RESULT names no result of the program")
class WrittenByTheProgram(unittest.TestCase):
    def setUp(self):
        self.path = os.environ["OMNIROLL_RESULT"]
        self.result = omniroll.open_result(self.path)

    def test_the_package_reads_it(self):
        self.assertGreater(self.result.instances, 0)
        self.assertGreater(len(self.result.observables), 0)
        self.assertEqual(self.result.status_names[0], "ok")
        self.assertTrue(set(np.unique(self.result.status)) <= set(self.result.status_names))

    def expect_group(self, engine, group, arrays):
        import xarray
        with xarray.open_dataset(self.path, engine=engine, group=group) as data:
            for name, values in arrays.items():
                np.testing.assert_array_equal(data[name].values, values, err_msg=f"{engine} {group}/{name}")
                self.assertEqual(data[name].attrs["units"], self.result.units[name])
                self.assertEqual(data[name].dims[0], "instance")
                self.assertIn("instance", data[name].coords)

    def test_xarray_opens_it_with_its_defaults(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("xarray is not installed")
        for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
            try:
                __import__(module)
            except ImportError:
                continue
            self.expect_group(engine, "instances", {**self.result.parameters, **self.result.observables})
            if self.result.trajectories:
                self.expect_group(engine, "trajectories", self.result.trajectories)


if __name__ == "__main__":
    unittest.main()
