"""The traced vehicle with other values: what the page integrates is, bit for bit, what the library's scalar build does."""

import contextlib
import functools
import json
import os
import re
import struct
import sys
import tempfile
import time
import unittest
import unittest.mock
from fractions import Fraction

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "..", "..")
sys.path[:0] = [HERE, os.path.join(SOURCE, "analysis")]
import omniroll  # noqa: E402
from browser import Browser, needs_browser  # noqa: E402
from omniroll.errors import LibraryError  # noqa: E402
from omniroll.reading import open_result  # noqa: E402
from omniroll.report import build, trial  # noqa: E402
from omniroll.report.data import load  # noqa: E402

STEPS = {"integrator.step": "50 us", "integrator.duration": "0.3 s"}
# a study of each class of laws and steps, and what else makes columns: motors, commands, tables, floors, frames, discs
STUDIES = {
    "compare_mecanum": STEPS, "compare_motors": STEPS, "first": {"integrator.duration": "0.5 s"}, "mecanum_square": {},
    "top_speed": {}, "drain_floor": {"integrator.duration": "0.2 s"}, "replay_duty": {"integrator.duration": "0.5 s"},
    "massless_limit": {"integrator.duration": "1 s"}, "uk_weights": {"integrator.duration": "0.5 s"},
    "heave": {"integrator.duration": "0.1 s"}, "tyre_launch": {"integrator.duration": "0.5 s"}, "team_robots": {"integrator.duration": "0.5 s"},
    "ros_square": {"parameters.command.heading_hold": {"gyro_noise": "0.02 rad/s", "period": "10 ms"}},
    "contact_ladder": {"integrator.duration": "0.3 s"},
}
# motors, a table, and laws whose class of kernels another study has: tests/nightly.sh has them
LEFT_OUT = "compare_motors", "top_speed", "replay_duty", "massless_limit", "team_robots", "contact_ladder"
if os.environ.get("OMNIROLL_TESTS") == "short":
    print("[PART] analysis/trial: shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole")
    for name in LEFT_OUT:
        del STUDIES[name]
MOST = 2_000_000  # bytes of a module, and of all that a page has of it


def kernels():
    try:
        return trial._kernels("friction")
    except LibraryError:
        return None


needs_kernels = unittest.skipUnless(kernels(), "this build has no kernels for pages: apt-get install clang lld, then configure it again")


def setUpModule():
    global FOLDER
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    for name in ("drain_floor.csv", "replay_duty.csv"):
        os.symlink(os.path.join(SOURCE, "studies", name), os.path.join(FOLDER.name, name))


def run(name, output, more=None, instance=0):
    study = os.path.join(SOURCE, "studies", f"{name}.json")
    path = os.path.join(FOLDER.name, output)
    with contextlib.suppress(omniroll.FailuresError):
        omniroll.run(study, output=path, instance=instance, trace="10 ms", progress=False, overwrite=True, set={**STUDIES[name], **(more or {}),
                     "engine.backend": "scalar"})
    return path


@functools.cache
def page_of(name):
    """The page of a study's first instance."""
    return build.report(run(name, f"{name}.h5"))


def state(page):
    return page.value("omniroll.trial.state()")


def integrated(page, seconds=60.0):
    """The state once the page has integrated all."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = state(page)
        if now["done"]:
            return now
        time.sleep(0.02)
    raise AssertionError(f"not integrated after {seconds:g} s: {now}")


def shown(browser, name, **options):
    page = browser.open(page_of(name), **options)
    page.value("document.getElementById('trial').scrollIntoView()")
    return page


def said(page):
    return page.value("document.querySelector('#trial [data-part=said]').textContent")


def table(page):
    return page.value("[...document.querySelectorAll('#trial tbody tr')].map(r => [...r.cells].map(c => c.textContent))")


def rows(page):
    """Names of the table's rows that are shown."""
    return page.value("[...document.querySelectorAll('#trial tbody tr')].filter(r => r.offsetHeight).map(r => r.cells[0].textContent)")


def rounded(value):
    """A fraction as the nearest double."""
    try:
        return value.numerator / value.denominator  # Python divides whole numbers with one rounding
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def numbered(path):
    """A page without the running numbers of its figures."""
    with open(path, encoding="utf-8") as file:
        return re.sub(r"\bp\d+-", "p-", file.read())


def bits(value):
    return struct.pack(">d", value).hex()


@needs_kernels
class TestPlayer(unittest.TestCase):
    def test_sums_are_those_of_the_scripts(self):
        values = np.array([0.0, 1.5, -2.25, 1e300])
        expected = []
        for base in trial.BASES:
            total = 0
            for word in values.view("<u4"):
                total = (total * base + int(word)) % 2**32
            expected.append(total - 2**32 if total >= 2**31 else total)
        self.assertEqual(trial.sums(values), expected)
        self.assertEqual(trial.sums(np.array([-0.0])), trial.sums(np.array([0.0])))
        self.assertNotEqual(trial.sums(values), trial.sums(np.nextafter(values, 2)))

    def test_sliders_are_for_what_the_vehicle_has(self):
        names = lambda study: [slider["name"] for slider in trial.player(load(run(study, "sliders.h5")))["sliders"]]
        self.assertEqual(names("compare_mecanum"), ["friction", "load", "rollers"])
        self.assertEqual(names("tyre_launch"), ["friction", "load"])  # discs have no rollers

    def test_pages_are_small(self):
        for name in ("compare_mecanum", "mecanum_square"):
            made = trial.player(load(page_of(name).replace(".html", ".h5")))
            self.assertLess(len(json.dumps(made)), MOST)
            self.assertLess(len(made["kernels"]), MOST)
            self.assertLess(os.path.getsize(page_of(name)), MOST)

    def test_without_kernels_the_page_is_as_before(self):
        source = run("compare_mecanum", "without.h5")
        with unittest.mock.patch.object(trial, "_kernels", lambda laws: None):
            without = numbered(build.report(source))
        with unittest.mock.patch.object(build.trial, "sections", lambda data: iter(())):
            before = numbered(build.report(source))
        self.assertEqual(without, before)
        self.assertNotIn("wasm-unsafe-eval", without)
        self.assertNotIn("trial", without)

    def test_a_run_in_single_precision_has_no_player(self):
        self.assertIsNone(trial.player(load(run("compare_mecanum", "single.h5", {"engine.precision": "single"}))))


@needs_kernels
@needs_browser
class TestTrialPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser()) if hasattr(cls, "enterClassContext") else Browser().__enter__()
        if not hasattr(cls, "enterClassContext"):
            cls.addClassCleanup(cls.browser.__exit__, None, None, None)

    def test_the_page_has_the_bits_of_the_scalar_build(self):
        for name in STUDIES:
            with self.subTest(name):
                page = shown(self.browser, name)
                now = integrated(page)
                self.assertEqual(now["differing"], [], name)
                self.assertIn("to the last bit", said(page))
                self.assertEqual(page.errors + page.violations, [])
                page.close()

    def test_a_vehicle_that_lifts_a_wheel_ends_where_the_run_did(self):
        page = self.browser.open(build.report(run("mecanum_square", "lifted.h5", {"parameters.platform.center_of_mass.height": "60 cm",
                                                                                  "statistics": {"failed_limit": 1}}, 248)))
        page.value("document.getElementById('trial').scrollIntoView()")
        now = integrated(page)
        self.assertEqual((now["differing"], now["end"]["status"]), ([], 1))
        self.assertIn("It ended: wheel lifted.", said(page))
        self.assertEqual(rows(page)[-2:], ["largest slip at the samples, mm/s", "time, s"])
        page.close()

    def test_other_values_give_the_bits_of_a_run_with_them(self):
        """All sliders at once: the columns of their groups, put together, are the library's."""
        data = trial.player(load(page_of("compare_mecanum").replace(".html", ".h5")))
        page = shown(self.browser, "compare_mecanum")
        integrated(page)
        stops = {"friction": 3, "load": 5, "rollers": data["sliders"][2]["start"] + 1}
        values = {slider["name"]: slider["stops"][stops[slider["name"]]] for slider in data["sliders"]}
        for at, slider in enumerate(data["sliders"]):
            page.value(f"omniroll.trial.choose({at}, {stops[slider['name']]})")
        end = integrated(page)["end"]
        other = run("compare_mecanum", "other.h5", {"parameters.wheel.friction": values["friction"],
                    "parameters.platform.mass": 20 + values["load"], "parameters.wheel.rollers": values["rollers"]})
        samples = {name: rows[0] for name, rows in open_result(other).trajectories.items()}
        self.assertEqual((end["x"], end["z"]), (samples["x"][-1], samples["z"][-1]))
        self.assertAlmostEqual(end["slip"], 1000 * float(np.max(np.hypot(samples["slip_i"], samples["slip_k"]))), delta=1e-9)
        self.assertNotIn("to the last bit", said(page))
        page.value("document.querySelector('#trial [data-part=back]').click()")
        self.assertEqual(integrated(page)["differing"], [])
        page.close()

    def test_another_number_of_the_run_is_told(self):
        path = page_of("compare_mecanum")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        data = trial.player(load(path.replace(".html", ".h5")))
        sum_of_x = json.dumps(data["sums"]["x"], separators=(",", ":"))
        changed = path.replace(".html", "-changed.html")
        with open(changed, "w", encoding="utf-8") as file:
            file.write(text.replace(f'"x":{sum_of_x}', '"x":[1,2]'))
        page = self.browser.open(changed)
        page.value("document.getElementById('trial').scrollIntoView()")
        self.assertEqual(integrated(page)["differing"], ["x"])
        self.assertIn("Not the numbers of the run: x differ", said(page))
        page.close()

    def test_the_multiplication_and_addition_are_exact(self):
        page = shown(self.browser, "compare_mecanum")
        integrated(page)
        rng = np.random.default_rng(5)
        cases = []
        for spread in (0, 2, 40, 300, 500):
            a, b, c = (rng.choice([-1, 1], 200) * np.ldexp(rng.uniform(1, 2, 200), rng.integers(-spread, spread + 1, 200)) for _ in range(3))
            cases += list(zip(a, b, c)) + list(zip(a, b, -(a * b))) + list(zip(a, b, a * b * np.ldexp(1.0, rng.integers(-60, 60, 200))))
        cases += [(5e-324, 0.5, 5e-324), (2.0**-537, 2.0**-537, -5e-324), (1.5, 1e-308, -5e-324), (2.0**600, 2.0**600, -1.0), (3.0, 0.0, -0.0)]
        given = json.dumps([[bits(float(value)) for value in case] for case in cases])
        found = page.value("(() => { const fma = new WebAssembly.Instance(omniroll.trial.module()).exports.fma, v = new DataView(new ArrayBuffer(8));"
                           "const read = (t) => { v.setBigUint64(0, BigInt('0x' + t)); return v.getFloat64(0); };"
                           "const said = (x) => { v.setFloat64(0, x); return v.getBigUint64(0).toString(16).padStart(16, '0'); };"
                           f"return {given}.map((c) => said(fma(...c.map(read)))); }})()")
        for (a, b, c), one in zip(cases, found):
            exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
            self.assertEqual(one, bits(rounded(exact)), (a, b, c))
        page.close()

    def test_it_plays_on_a_phone_and_at_a_desk(self):
        for width, dark in ((390, True), (1280, False)):
            with self.subTest(width):
                page = shown(self.browser, "first", width=width, dark=dark)
                self.assertEqual(integrated(page)["differing"], [])
                before = table(page)
                self.assertEqual(rows(page)[-1], "largest slip at the samples, mm/s", "nothing stopped early")
                self.assertEqual([row[1] for row in before], [row[2] for row in before])
                self.assertLessEqual(page.value("document.documentElement.scrollWidth"), width)
                self.keys(page)
                after = table(page)
                self.assertNotEqual(before[0][2], after[0][2])
                self.assertEqual(before[0][1], after[0][1])
                self.assertEqual(page.errors + page.violations + page.requests, [])
                page.close()

    def keys(self, page):
        """The first slider by the keyboard."""
        at = state(page)["stops"][0]
        page.value("document.querySelector('#trial [data-part=slider-0]').focus()")
        page.press("ArrowRight", 39)
        self.assertEqual(state(page)["stops"][0], at + 1)
        self.assertEqual(integrated(page)["stops"][0], at + 1)

    def test_it_is_drawn_thirty_times_a_second_while_it_integrates(self):
        page = shown(self.browser, "first")
        first = integrated(page)["stops"][0]
        rates = []
        for more in (1, 2, 3, 4, 1, 2, 3, 4):  # a machine that has other work too may be slow once
            start, before = time.monotonic(), state(page)["frames"]
            page.value(f"omniroll.trial.choose(0, {first + more})")
            frames = integrated(page)["frames"] - before
            rates.append(frames / (time.monotonic() - start))
            if frames >= 10 and rates[-1] >= 30:
                break
        self.assertGreaterEqual(max(rates), 30)
        page.close()

    def test_a_count_of_rollers_that_does_not_fit_is_refused(self):
        data = trial.player(load(page_of("first").replace(".html", ".h5")))  # two rows of rollers: an even number
        page = shown(self.browser, "first")
        integrated(page)
        page.value(f"omniroll.trial.choose(2, {data['sliders'][2]['start'] + 1})")
        self.assertIn("two rows need an even number of rollers", said(page))
        page.value(f"omniroll.trial.choose(2, {data['sliders'][2]['start']})")
        self.assertIn("to the last bit", said(page))
        page.close()

    def test_it_plays_in_real_time(self):
        page = shown(self.browser, "compare_mecanum")
        integrated(page)
        page.value("omniroll.trial.play()")
        self.assertTrue(state(page)["playing"])
        end = time.monotonic() + 20
        while state(page)["playing"] and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual((state(page)["playing"], state(page)["at"]), (False, 30))
        page.close()


if __name__ == "__main__":
    unittest.main()
