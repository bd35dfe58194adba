"""Reports: what they say is held against the files they are made of, their commands are run, their pages shown in a browser."""

import base64
import contextlib
import functools
import hashlib
import html
import html.parser
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..")
sys.path[:0] = [HERE, os.path.join(SOURCE, "analysis")]
import omniroll  # noqa: E402
import page_samples  # noqa: E402
import test_bench  # noqa: E402
from browser import Browser, needs_browser  # noqa: E402
from omniroll import terminal  # noqa: E402
from omniroll.figures import room  # noqa: E402
from omniroll.reading import designs  # noqa: E402
from omniroll.reading.checksums import renew  # noqa: E402
from omniroll.errors import NotAResult, UsageError  # noqa: E402
from omniroll.report import build, failed, rerun, summary, svg, wording  # noqa: E402
from omniroll.report.command import main  # noqa: E402
from omniroll.report.data import load  # noqa: E402
from short_form import few  # noqa: E402

KINDS = ("result", "failures", "bench", "pair", "drawn", "single")
RESULT, FAILURES = os.environ["OMNIROLL_RESULT"], os.environ["OMNIROLL_FAILURES"]
PROGRAM = os.environ["OMNIROLL"]
TITLE = ("Größe & <b>Rutschen</b>: $\\mu$ \"und\" </title><script>throw 1</script> \"><img src=x onerror=\"throw 2\" style='color:red'> "
         + "ein_sehr_langes_Wort_ohne_Lücke" * 4)


def setUpModule():
    global FOLDER
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)


@functools.cache
def page_of(name):
    """A page, made once for all tests: its path."""
    source = os.path.join(FOLDER.name, {"bench": "bench.json"}.get(name, f"{name}.h5"))
    {"result": lambda: shutil.copy(RESULT, source), "failures": lambda: retitled(source), "pair": lambda: write_pair(source),
     "bench": lambda: pathlib.Path(source).write_text(json.dumps(bench_sample()), encoding="utf-8"),
     "drawn": lambda: ran({"vary": [{"path": "friction.lateral", "uniform": [0.1, 1]}], "design": {"type": "monte_carlo", "instances": 60},
                           "statistics": {"fail": {"smooth": "friction_lateral < 0.3"}}}, source),
     "single": lambda: ran({"output": {"trajectories": {"instances": [0], "interval": 2e-3}}}, source)}[name]()
    return pathlib.Path(omniroll.report(source))


def ran(study, path):
    """A rolling disc, run into a file."""
    whole = {"model": "rolling_disc", "integrator": {"step": 1e-3, "duration": 0.02}, **study}
    pathlib.Path(f"{path}.json").write_text(json.dumps(whole), encoding="utf-8")
    subprocess.run([PROGRAM, "run", f"{path}.json", "-o", path, "-q"], check=True)


def bench_sample():
    """Two sections, since each is a figure to draw."""
    sample = test_bench.sample()
    return {**sample, "rows": [row for row in sample["rows"] if row["section"] in ("backends", "threads")]}


def retitled(path):
    shutil.copy(FAILURES, path)
    with h5py.File(path, "r+") as file:
        file.attrs["title"] = TITLE
        renew(file["/"])


def read(path):
    """The page's HTML, and that as text."""
    source = pathlib.Path(path).read_text(encoding="utf-8")
    shown = re.sub(r"<(script|style).*?</\1>|<wbr>", "", source, flags=re.S)
    return source, " ".join(html.unescape(re.sub(r"<[^>]*>", " ", shown)).split())


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def at(self, name):
        return os.path.join(self.folder, name)

    def page(self, result, **options):
        return read(omniroll.report(result, self.at("page.html"), **options))

    def program(self, *arguments, code=0, **environment):
        """Both streams of the program, run in the folder."""
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env={**os.environ, **environment}, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout, done.stderr


class TestWords(unittest.TestCase):
    def test_numbers_are_rounded_and_written_to_be_read(self):
        for value, digits, expected in ((0, 4, "0"), (0.32006, 4, "0.3201"), (-7.1848, 4, "−7.185"), (4096, 4, "4096"), (100, 4, "100"),
                                        (1234567.0, 3, "1.23·10<sup>6</sup>"), (3.9e-13, 2, "3.9·10<sup>−13</sup>"), (1e-17, 4, "≈ 0"),
                                        (float("nan"), 4, "–"), (0.99996, 4, "1")):
            self.assertEqual(wording.number(value, digits), expected)
        self.assertEqual(wording.count(204800), "204\u202f800")
        self.assertEqual(wording.percent(0.9999), "99.99\u202f%")  # not 100 %
        self.assertEqual(wording.duration(7500), "2 h 5 min")

    def test_units_are_those_that_people_use(self):
        for unit, expected in (("m s-2", "m/s²"), ("kg m2", "kg m²"), ("s-1", "1/s"), ("1", ""), ("N m s rad-1", "N m s/rad")):
            self.assertEqual(wording.unit_name(unit), expected)
        self.assertEqual(wording.quantity(0.5, "rad"), "28.65° (0.5 rad)")
        self.assertEqual(wording.quantity(0.0123, "m"), "12.3 mm")
        self.assertEqual(wording.scale_of("m", [0.001, 0.05]).span(0.001, 0.05), "1 to 50 mm")
        self.assertEqual(wording.scale_of("N", [2.0]).span(2.0, 2.0000001), "2 N")

    def test_intervals_of_quantiles_are_those_of_order_statistics(self):
        """Conover, Practical Nonparametric Statistics, table of the binomial distribution: the 95 % interval of a median goes from the 2nd
        to the 9th of 10 values, the 6th to the 15th of 20, the 40th to the 61st of 100."""
        for n, low, high in ((10, 2, 9), (20, 6, 15), (100, 40, 61)):
            values = np.random.default_rng(1).permutation(np.arange(1.0, n + 1))
            self.assertEqual(summary.quantile_interval(values, 0.5, 0.95), (low, high))
        # Of the 5 % quantile of 200 values, B binomial (200, 0.05): P(B < 5) = 0.0264 > 0.025, P(B < 4) = 0.0090; P(B >= 17) = 0.0238, P(B >= 16)
        # = 0.0444: from the 4th to the 17th; of the 95 % quantile the mirror image, 201 less these.
        values = np.random.default_rng(2).permutation(np.arange(1.0, 201))
        self.assertEqual(summary.quantile_interval(values, 0.05, 0.95), (4, 17))
        self.assertEqual(summary.quantile_interval(values, 0.95, 0.95), (184, 197))
        self.assertIsNone(summary.quantile_interval(np.arange(5.0), 0.5, 0.95))  # 2 · 2^-5 > 5 %
        exact = summary._binomial_ranks(100_000, 0.05, 0.025)
        normal = (5000 - 1.959964 * np.sqrt(100_000 * 0.05 * 0.95), 5000 + 1.959964 * np.sqrt(100_000 * 0.05 * 0.95))
        np.testing.assert_allclose(exact, normal, atol=2)

    def test_every_status_has_the_words_of_the_engine_and_a_remedy(self):
        rows = pathlib.Path(SOURCE, "host", "lists", "statuses.def").read_text(encoding="utf-8")
        rows = re.sub(r'"\s*\n\s*"', "", rows)
        known = dict(re.findall(r'X\(\w+, \d, "(\w+)",\s*"([^"]+)"\)', rows))
        self.assertEqual(known, failed.MEANINGS)
        self.assertEqual(set(known) - {"ok"}, set(failed.REMEDIES))

    def test_what_varies_is_said_in_words(self):
        said = wording.values_of({"path": "a", "truncated_normal": [0, "3 cm", "-8 cm", "8 cm"]})
        self.assertEqual(said, "truncated normal: mean 0, standard deviation 3 cm, from -8 cm, to 8 cm")
        self.assertEqual(wording.values_of({"path": "a", "linspace": [0, "45 deg", 10]}), "10 values evenly from 0 to 45 deg")


class TestContent(Folder):
    def test_says_what_the_file_says(self):
        source, words = read(page_of("result"))
        with h5py.File(RESULT) as file:
            study = json.loads(file.attrs["study"])
            self.assertIn(str(file.attrs["study_hash"]), words)
            self.assertIn(f"omniroll {file.attrs['omniroll_version']}", words)
            instances = len(file["instances/status"])
        self.assertIn(study["title"], words)
        self.assertIn(f"{instances} instances", words)
        for entry in study["vary"]:
            self.assertIn(entry["path"], words)
        self.assertEqual(balanced(source), [])

    def test_failed_instances_are_counted_and_explained(self):
        _, words = read(page_of("failures"))
        failures = omniroll.failures(FAILURES)
        for name in np.unique(failures.status_name):
            count = int((failures.status_name == name).sum())
            self.assertRegex(words, rf"{name} {count} of {len(omniroll.open(FAILURES).status)} ")
            self.assertIn(failed.REMEDIES[name].split(":")[0], words)
        self.assertIn(next(iter(failures.attrs["invalid_reasons"].values())), words)

    def test_one_of_them_runs_again_alone_as_before(self):
        """The command of the page, run by a shell, for every instance that ran: same status, at the same time, and traced."""
        data = load(FAILURES)
        pathlib.Path(self.at("study.json")).write_text(data.result.attrs["study"], encoding="utf-8")
        for instance in [int(k) for k, status in enumerate(data.result.status) if status not in (0, 5)]:
            line = rerun.command_of(data, instance).split("\nomniroll report")[0]
            self.shell(line)
            again = omniroll.open_result(self.at(f"failures_{instance}.h5"))
            self.assertEqual((again.status[0], again.status_time[0]), (data.result.status[instance], data.result.status_time[instance]))
            self.assertEqual(list(again.traced), [0])

    def shell(self, line):
        """With the program as `omniroll` and this Python as `python3`."""
        os.makedirs(self.at("bin"), exist_ok=True)
        for name, target in (("omniroll", PROGRAM), ("python3", sys.executable)):
            link = self.at(f"bin/{name}")
            if not os.path.exists(link):
                pathlib.Path(link).write_text(f'#!/bin/sh\nexec "{target}" "$@"\n', encoding="utf-8")
                os.chmod(link, 0o755)
        done = subprocess.run(line, shell=True, cwd=self.folder, env={**os.environ, "PATH": f"{self.at('bin')}:{os.environ['PATH']}"},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_commands_to_reproduce_it_do(self):
        shutil.copy(FAILURES, self.at("a result.h5"))
        source, _ = self.page(self.at("a result.h5"))
        section = source[source.index("How to reproduce it</h2>"):]
        lines = html.unescape(re.search(r"<pre[^>]*><code>(.*?)</code>", section, re.S)[1]).split("\n")
        for line in lines[:2] + (lines[2:] if shutil.which("h5diff") else []):
            self.shell(line)
        with h5py.File(FAILURES) as first, h5py.File(self.at("a result_again.h5")) as second:
            for name, values in first["instances"].items():
                np.testing.assert_array_equal(values[()], second["instances"][name][()])
        saved = pathlib.Path(self.at("study.json")).read_text(encoding="utf-8")
        self.assertIn(html.escape(saved), source)  # the study in full

    def test_numbers_of_drawn_instances_have_their_intervals(self):
        study = {"model": "rolling_disc", "integrator": {"step": 1e-3, "duration": 0.05},
                 "vary": [{"path": "friction.lateral", "uniform": [0.1, 1]}],
                 "design": {"type": "monte_carlo", "instances": 100}, "statistics": {"fail": {"smooth": "friction_lateral < 0.3"}}}
        self.run_study(study)
        _, words = self.page(self.at("made.h5"))
        with h5py.File(self.at("made.h5")) as file:
            table = file["statistics"]
            shown, low, high = wording.share(*(float(table[f"probability{end}"][0]) for end in ("", "_low", "_high")))
            self.assertIn(f"Answer smooth : {shown} % ({low} to {high}).", words)

    def test_cells_of_a_nested_design_have_their_rows(self):
        """The criterion is met by the draws themselves: rows are counted here from the instances."""
        study = {"model": "rolling_disc", "integrator": {"step": 1e-3, "duration": 0.01},
                 "vary": [{"path": "mass", "values": [1, 2, 3]}, {"path": "friction.lateral", "uniform": [0, 1]}],
                 "design": {"type": "nested", "sample": "monte_carlo", "per_cell": 20, "common_random_numbers": False, "seed": 2},
                 "statistics": {"fail": {"smooth": "friction_lateral < 0.3"}}}
        self.run_study(study)
        _, words = self.page(self.at("made.h5"))
        result = omniroll.open_result(self.at("made.h5"))
        for mass in (1, 2, 3):
            share = np.mean(result.parameters["friction_lateral"][result.parameters["mass"] == mass] < 0.3)
            shown, low, high = wording.share(share, *designs.wilson(20 * share, 20))
            self.assertIn(f"{mass} kg 20 of 20 {shown} % ({low} to {high})", words)

    def run_study(self, study, name="made"):
        pathlib.Path(self.at(f"{name}.json")).write_text(json.dumps(study), encoding="utf-8")
        self.program("run", f"{name}.json", "-q")

    def test_small_models_have_their_pages(self):
        models = (("snakeboard", {}), ("disc_vehicle", {}), ("wheelset", {}), ("rolling_disc", {}), ("uk_wheel", {}))
        for model, integrator in few(self, models, models[:2]):
            with self.subTest(model):
                self.run_study({"model": model, "integrator": {"step": 1e-3, "duration": 0.02, **integrator},
                                "output": {"trajectories": {"instances": [0], "interval": 2e-3}}}, model)
                source, words = self.page(self.at(f"{model}.h5"))
                self.assertIn(model, words)
                self.assertEqual(balanced(source), [])

    def test_what_the_run_warned_of_is_told_with_its_remedy(self):
        study = {"model": "omni_vehicle", "integrator": {"step": 1e-3, "duration": 0.02}}
        for stability, expected in (("warn", True), ("ignore", False)):
            self.run_study({**study, "integrator": {**study["integrator"], "stability": stability}}, f"step_{stability}")
            source, words = self.page(self.at(f"step_{stability}.h5"))
            told = omniroll.open(self.at(f"step_{stability}.h5")).attrs.get("warnings", "")
            self.assertEqual("a step of 1 ms is too long for the friction law of instance 0" in told, expected)
            self.assertEqual("warned: a step of 1 ms is too long" in words, expected)
            self.assertEqual('shorten integrator.step, use "method": "rosenbrock"' in words, expected)
            self.assertEqual(balanced(source), [])

    def test_titles_are_text_whatever_they_hold(self):
        source, words = read(page_of("failures"))
        self.assertIn(" ".join(TITLE.split()), words)
        self.assertNotIn("<script>throw", source)
        self.assertNotIn("<img src=x", source)

    def test_nothing_is_fetched(self):
        source, _ = read(page_of("result"))
        self.assertEqual(re.findall(r"""(?:src|href)="(?!#|data:)[^"]*|url\((?!#|data:)[^)]*|@import|eval\(|new Function""", source), [])

    def test_pages_allow_nothing_but_their_own_scripts_and_sheets(self):
        for name in KINDS:
            with self.subTest(name):
                source, _ = read(page_of(name))
                allowed = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', source)[1]
                self.assertLess(source.index(allowed), source.index("<title>"))  # before anything that it could concern
                rules = dict(rule.strip().split(" ", 1) for rule in allowed.split(";"))
                self.assertEqual({**rules, "script-src": "", "style-src": ""},
                                 {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "img-src": "data:",
                                  "script-src": "", "style-src": ""})
                for tag in ("script", "style"):
                    texts = re.findall(rf"<{tag}>(.*?)</{tag}>", source, re.S)
                    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
                    kernels = ["'wasm-unsafe-eval'"] if tag == "script" and 'id="trial"' in source else []
                    self.assertEqual(rules[f"{tag}-src"].split(), [f"'sha256-{value}'" for value in hashes] + kernels)
                self.assertEqual(attributes(source, lambda key: key == "style" or key.startswith("on")), [])

    def test_a_bench_and_a_comparison_have_pages_of_their_own(self):
        source, words = read(page_of("bench"))
        for part in ("Roofline", "10 million steps/s", "Test $CPU$", "not measured: no double precision"):
            self.assertIn(part, words)
        self.assertEqual(balanced(source), [])
        source, words = read(page_of("pair"))
        self.assertIn("Agree within 1e-06", words)
        # range 2, h/2 differs by 0.5, steps by 0.25, the reference from itself by 0.11
        self.assertRegex(words, r"vx m/s 2 0\.5 0\.25 0\.25 0\.13 0\.11 0\.055")
        self.assertRegex(words, r"1·10 ?−11 and, for its own error, 1·10 ?−12")
        self.assertEqual(balanced(source), [])


def attributes(source, wanted):
    """Attributes of a page's elements whose names are wanted."""
    found = []

    class Parser(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            found.extend(f"<{tag} {key}={value!r}>" for key, value in attrs if wanted(key))

    Parser().feed(source)
    return found


def balanced(source):
    """What is wrong with the nesting of a page's elements."""
    wrong = []

    class Parser(html.parser.HTMLParser):
        empty = {"meta", "br", "wbr", "img", "link", "input", "hr"}
        open = []

        def handle_starttag(self, tag, attrs):
            if tag not in self.empty:
                self.open.append(tag)

        def handle_endtag(self, tag):
            if not self.open or self.open.pop() != tag:
                wrong.append(f"</{tag}> at {self.getpos()}")

    Parser.open = []
    Parser().feed(source)
    return wrong + Parser.open


def write_pair(path):
    """A file of omniroll compare: vx goes from 0 to 2 m/s in the reference, half the step has 0.5 m/s more, the step another 0.25;
    the reference once more has 0.11 m/s more."""
    with h5py.File(path, "w") as file:
        file.attrs.update({"title": "made", "model": "omni_wheel", "step": 1e-3, "duration": 1.0,
                           "verdict": "agree within 1e-06 beyond the step error; x"})
        for name, more in (("reference", 0.0), ("reference_again", 0.11), ("fast/openmp_double", 0.75), ("fast/openmp_double_half", 0.5)):
            group = file.create_group(name)
            steps = {"tolerance": 1e-11 if name == "reference" else 1e-12} if name.startswith("reference") else {"step": 1e-3}
            group.attrs.update({"backend": "openmp", "device": "any", "precision": "double", **steps})
            group["time"], group["instance"] = np.linspace(0, 1, 11), np.array([0])
            group["vx"] = np.linspace(0, 2, 11)[None, :] + more
            group["vx"].attrs["units"] = "m s-1"
            for scale in ("time", "instance"):
                group[scale].make_scale(scale)
            group["vx"].dims[0].attach_scale(group["instance"])
            group["vx"].dims[1].attach_scale(group["time"])


class TestPictures(unittest.TestCase):
    def made(self, ticks):
        figure = Figure(figsize=(5.4, 3), layout="constrained")
        axes = figure.add_subplot(xlim=(0, 12), ylabel="height")
        axes.plot([0, 12], [0, 1000])
        axes.set_xticks(ticks, [f"{10000 + tick}" for tick in ticks])
        return figure

    def test_layout_measures_the_labels_of_axes_once(self):
        """To do it twice, as matplotlib does, takes a sixth of the time of a page."""
        with unittest.mock.patch.object(Axes, "get_tightbbox", autospec=True, side_effect=Axes.get_tightbbox) as measured:
            picture = svg.picture(lambda: self.made([0, 6, 12]))
        self.assertEqual(measured.call_count, 1)
        self.assertIn("height", picture)

    def test_chosen_ticks_that_have_no_room_are_left_out(self):
        figure = self.made([0, 0.5, 3, 6, 9, 9.5, 12])
        room.make_room(figure)
        self.assertEqual(list(figure.axes[0].get_xticks()), [0, 3, 6, 9, 12])


class TestErrors(Folder):
    def refused(self, arguments, code, *parts):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main(arguments), code)
        for part in ("omniroll: ", *parts):
            self.assertIn(part, said.getvalue())

    def test_what_is_no_result_is_said(self):
        os.makedirs(self.at("run.h5.parts"))
        with h5py.File(self.at("other.h5"), "w") as file:
            file["numbers"] = [1, 2]
        self.refused([self.at("none.h5")], 5, "there is no such file")
        self.refused([self.at("run.h5")], 5, "the run is not finished; omniroll resume")
        self.refused([self.at("run.h5.parts")], 5, "the run is not finished; omniroll resume")
        self.refused([self.at("other.h5")], 5, "no result of omniroll")
        self.refused([__file__], 5, "is not an HDF5 file")
        os.mkfifo(self.at("pipe.h5"))  # whoever opens it waits for ever
        self.refused([self.at("pipe.h5")], 5, "is a pipe, a socket or a device")
        self.refused([RESULT, "-o", self.at("no/page.html")], 5, "page.html: cannot be written")

    def test_what_a_result_does_not_have_is_named(self):
        self.refused([RESULT, "--observables", "max_slip,nonsense"], 2, "there is no observable nonsense", "max_slip")
        self.refused([RESULT, "--instances", "0-2,99999"], 2, "there is no instance 99999", "it has: 0 to ")
        self.refused([RESULT, "--instances", "1-x"], 2, "such as 0,3,7-9")

    def test_control_characters_of_others_are_shown_not_obeyed(self):
        hostile = "\x1b[31mred\x07\r \x9b1m \u202egpj \udcff"
        shown = "\\x1b[31mred\\x07\\x0d \\u009b1m \\u202egpj \\xff"
        self.assertEqual(terminal.shown(hostile + "\ttab\nline"), shown + "\ttab\nline")
        self.refused([RESULT, "--observables", hostile], 2, f"there is no observable {shown}")
        self.refused([self.at("\x1b]0;title\x07.h5")], 5, "\\x1b]0;title\\x07.h5: there is no such file")

    def test_an_old_file_without_statistics_still_has_a_page(self):
        shutil.copy(FAILURES, self.at("old.h5"))
        with h5py.File(self.at("old.h5"), "r+") as file:
            del file["statistics"]
        _, words = self.page(self.at("old.h5"))
        self.assertIn("no statistics of its own", words)

    def test_a_fault_in_a_part_leaves_the_others_and_is_told(self):
        def broken(data):
            yield build.Section("First half", "")
            raise ZeroDivisionError("by nothing")

        makers = build._makers
        self.addCleanup(setattr, build, "_makers", makers)
        build._makers = lambda: [broken, *makers()]
        with self.assertRaisesRegex(omniroll.Error, r"is written, but lacks a part .*ZeroDivisionError: by nothing"):
            omniroll.report(FAILURES, self.at("page.html"))
        _, words = read(self.at("page.html"))
        for part in ("First half", "A part is missing", "ZeroDivisionError: by nothing", "How to reproduce it"):
            self.assertIn(part, words)

    def test_in_python_the_errors_are_exceptions(self):
        self.assertRaises(NotAResult, omniroll.report, self.at("none.h5"))
        self.assertRaises(UsageError, omniroll.report, RESULT, self.at("x.html"), observables=["nonsense"])
        self.assertTrue(callable(omniroll.report))

    def test_the_program_finds_python_and_package_from_any_folder(self):
        shutil.copy(FAILURES, self.at("-r.h5"))
        out, _ = self.program("report", "--", "-r.h5")
        self.assertEqual(out, "-r.html\n")
        self.assertTrue(os.path.getsize(self.at("-r.html")))
        _, said = self.program("report", "x", code=4, OMNIROLL_ANALYSIS=self.folder)
        self.assertIn(f"OMNIROLL_ANALYSIS names {self.folder}", said)
        _, said = self.program("report", "x", code=4, OMNIROLL_PYTHON=self.at("none"))
        self.assertIn("OMNIROLL_PYTHON names", said)
        shutil.copy(PROGRAM, self.at("omniroll"))
        done = subprocess.run([self.at("omniroll"), "report", "x"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("package that makes reports, figures and imports is missing", done.stderr)

    def test_matplotlib_is_loaded_for_figures_alone(self):
        """Importing the report loads none of it, nor does a report that draws nothing: that of a design of experiments."""
        page_samples.ready_page("excite", self.folder)
        loaded = "print([name for name in sys.modules if name.startswith('matplotlib')])"
        lines = ("import sys, omniroll.report.build, omniroll.bench, omniroll.calibration, omniroll.plot", loaded,
                 f"from omniroll.report import report; report({self.at('excite.h5')!r})", loaded)
        done = subprocess.run([sys.executable, "-B", "-c", "\n".join(lines)], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.path.join(SOURCE, "analysis")})
        self.assertEqual(done.stdout, "[]\n[]\n", done.stderr)
        self.assertNotIn("<figure", pathlib.Path(self.at("excite.html")).read_text(encoding="utf-8").replace('<figure class="views"', ""))

    def test_the_program_names_what_python_lacks(self):
        bare = pathlib.Path(self.at("python"))  # without the distribution's modules
        bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n', encoding="utf-8")
        bare.chmod(0o755)
        _, said = self.program("report", "x", code=4, OMNIROLL_PYTHON=str(bare))
        for part in ("has no numpy and no h5py", "sudo apt-get install python3-numpy", "python3-matplotlib python3-xarray"):
            self.assertIn(part, said)


CONTRAST = """(() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number), linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = c => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
  const behind = e => {
    for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; }
    return [255, 255, 255];
  };
  let worst = [99, ""];
  for (const e of document.querySelectorAll("body *")) {
    const written = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!written || e.closest("script, style") || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    if (e instanceof SVGElement && /^rgb\\((254, 254, 254|1, 1, 1)\\)$/.test(style.fill)) continue; // in a cell, by its colour
    const a = light(parse(e instanceof SVGElement ? style.fill : style.color)), b = light(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 120)];
  }
  return worst;
})()"""


@needs_browser
class TestInBrowser(unittest.TestCase):
    """One start of the browser for all pages."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()
        cls.pages = [page_of(name) for name in KINDS]

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def test_pages_show_without_errors_without_a_network_and_fit_a_phone(self):
        for path in self.pages:
            with self.subTest(os.path.basename(path)):
                page = self.browser.open(path)
                self.assertGreater(page.value("document.querySelectorAll('h2').length"), 1)
                self.assertEqual(page.value("document.querySelectorAll('h1').length"), 1)
                silent = "[...document.querySelectorAll('svg')].filter(s => !(s.getAttribute('aria-label') || '').trim()).length"
                self.assertEqual(page.value(silent), 0)
                for dark in (False, True):
                    page.theme(dark)
                    ratio, where = page.value(CONTRAST)
                    self.assertGreaterEqual(ratio, 4.5, f"{'dark' if dark else 'light'}: {where}")
                page.resize(390, 844)
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)
                self.assertEqual(page.errors, [])
                self.assertEqual(page.violations, [])
                self.assertEqual(page.requests, [])
                page.close()

    def test_what_a_stranger_adds_to_a_page_does_not_run(self):
        """Were a title ever taken for HTML: the browser refuses what the page did not come with, and says so."""
        hostile = ('<script>window.ran = 1</script><img src="data:," onerror="window.ran = 2"><p id="added" style="color: rgb(1, 2, 3)">x</p>'
                   '<style>h1 { display: none }</style><base href="https://example.org/"><img src="https://example.org/seen.png">')
        source = self.pages[0].read_text(encoding="utf-8")
        path = pathlib.Path(FOLDER.name, "added.html")
        path.write_text(source.replace("<main>", f"<main>{hostile}", 1), encoding="utf-8")
        page = self.browser.open(path)
        self.assertIsNone(page.value("window.ran"))
        self.assertNotEqual(page.value("getComputedStyle(document.getElementById('added')).color"), "rgb(1, 2, 3)")
        self.assertNotEqual(page.value("getComputedStyle(document.querySelector('h1')).display"), "none")
        self.assertTrue(page.value("document.baseURI").startswith("file:"))
        self.assertEqual({name.removesuffix("-elem").removesuffix("-attr") for name in page.violations},
                         {"script-src", "style-src", "base-uri", "img-src"})
        page.close()

    def test_the_theme_changes_by_keyboard_and_stays_what_the_system_says_without(self):
        page = self.browser.open(self.pages[1], dark=True)
        color = "getComputedStyle(document.body).backgroundColor"
        dark = page.value(color)
        for _ in range(20):
            page.press("Tab", 9)
            if page.value("document.activeElement.id") == "theme":
                break
        page.press(" ", 32)
        self.assertNotEqual(page.value(color), dark)
        page.theme(False)
        light = page.value(color)
        page.close()
        page = self.browser.open(self.pages[1], dark=True, javascript=False)  # readable without, too
        page.call("Emulation.setScriptExecutionDisabled", value=False)
        self.assertEqual(page.value(color), dark)
        self.assertNotEqual(light, dark)
        page.close()

    def test_on_paper_all_is_there_and_light(self):
        page = self.browser.open(self.pages[1], dark=True)
        page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.value("getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"), "#ffffff")
        self.assertEqual(page.value("getComputedStyle(document.querySelector('nav')).display"), "none")
        page.value("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(page.value("[...document.querySelectorAll('details')].filter(d => !d.open).length"), 0)
        page.close()


if __name__ == "__main__":
    unittest.main()
