"""The vehicle of a study before it runs: `omniroll show`, omniroll.show. What is doubted of it has tests of its own (tests/study/test_doubts.c)."""

import glob
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import omniroll

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, needs_browser  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ["OMNIROLL"]
READY = sorted(glob.glob(f"{ROOT}/studies/*.json") + glob.glob(f"{ROOT}/studies/tutorials/*.json"))
# Ready studies that ask on purpose for what is doubted: a stop as hard as the floor allows; rings of three that drive along no axis, as two
# of them drive forward and sideways in turn.
DOUBTED = {"contact_ladder": ["effort"], "rare_lift_off": ["effort"], "roller_design_sweep": ["askew"], "uk_weights": ["askew"], "uk_weight_calibration": ["askew"]}
MECANUM = {"model": "omni_vehicle", "title": "X", "integrator": {"step": 1e-3, "duration": 1},
           "parameters": {"layout": {"type": "rectangle", "mecanum": True, "half_length": 0.3, "half_width": 0.2},
                          "wheel": {"radius": 0.1, "rollers": 9, "inclination": "45 deg", "tip_radius": "8 mm", "drive": {"type": "body"}},
                          "command": {"type": "constant", "vx": 0.5, "vz": 0.5}}}
OVERLAPS = """[...document.querySelectorAll('svg')].flatMap(svg => {
  const whole = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
  const outside = texts.filter(([, box]) => box.left < whole.left || box.right > whole.right || box.top < whole.top || box.bottom > whole.bottom);
  const pairs = texts.flatMap(([a, p], i) => texts.slice(i + 1).filter(([, q]) =>
    Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4).map(([b]) => a + ' | ' + b));
  return [...outside.map(([words]) => 'outside: ' + words), ...pairs].map(found => svg.querySelector('title').textContent + ': ' + found);
})"""


def sketch(study, *options, locale="C.UTF-8"):
    done = subprocess.run([PROGRAM, "show", study, *options], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": locale})
    return done.stdout


class TestShow(unittest.TestCase):
    def test_no_ready_study_is_doubted_that_does_not_ask_for_it(self):
        for path in READY:
            kinds = [words.split(":")[0] for words in omniroll.show(path).warnings]
            self.assertEqual(kinds, DOUBTED.get(os.path.basename(path)[:-5], []), path)

    def test_the_picture_is_to_scale(self):
        """Centres of the wheels as their rectangles have them, against the layout, by the length of the scale's bar."""
        found = omniroll.show(MECANUM)
        above = re.search(r'from above(.*?)from the side', found.svg, re.DOTALL)[1]
        centres = []
        for wheel in re.findall(r'<g data-wheel="\d">(.*?)</g>', above, re.DOTALL):
            corners = re.search(r'class="wheel"[^>]* points="([^"]+)"|points="([^"]+)"', wheel)
            places = [tuple(map(float, place.split(","))) for place in (corners[1] or corners[2]).split()][:4]
            centres.append((sum(x for x, _ in places) / 4, sum(y for _, y in places) / 4))
            sides = sorted(math.dist(places[i], places[(i + 1) % 4]) for i in range(4))
            self.assertAlmostEqual(sides[3] / sides[0], 0.2 / (2 * found.scene["wheels"][0]["half_width"]), delta=0.05)
        length, width = math.dist(centres[0], centres[2]), math.dist(centres[0], centres[1])
        self.assertAlmostEqual(length / width, 0.6 / 0.4, delta=0.01)
        self.assertLess(centres[0][1], centres[2][1], "forward is up")
        self.assertLess(centres[0][0], centres[1][0], "wheel 0 stands on the left")

    def test_rollers_stand_within_the_wheel_and_reach_its_rim_from_the_side(self):
        """All of them are seen of a wheel whose axis points at the reader; ends and middle of each lie on the circle of the radius."""
        found = omniroll.show(MECANUM)
        side = re.search(r'from the side(.*?)one of 9 rollers', found.svg, re.DOTALL)[1]
        wheels = re.findall(r'<g data-wheel="\d">(.*?)</g>', side, re.DOTALL)
        self.assertEqual(len(wheels), 4)
        for wheel in wheels:
            rollers = [[tuple(map(float, place.split(","))) for place in points.split()] for points in re.findall(r'points="([^"]+)"', wheel)]
            self.assertEqual(len(rollers), 9)
            top, bottom = (extreme(y for roller in rollers for _, y in roller) for extreme in (min, max))
            x = sum(place[0] for roller in rollers for place in roller) / sum(map(len, rollers))
            outline = re.search(r"A([\d.]+),", wheel)
            radius = float(outline[1])
            hub = (x, bottom - radius)
            self.assertLess(abs(bottom - top - 2 * radius), 0.05 * radius)
            for roller in rollers:
                self.assertAlmostEqual(max(math.dist(hub, place) for place in roller) / radius, 1.0, delta=0.02)

    def test_the_picture_has_all_parts(self):
        found = omniroll.show(MECANUM)
        root = ElementTree.fromstring(found.svg)
        words = " ".join(node.text or "" for node in root.iter() if node.tag.endswith("text"))
        for part in ("from above", "from the side", "one of 9 rollers", "forward", "length", "largest radius", "inclination 45°", "high"):
            self.assertIn(part, words)
        for part in ('data-part="command"', 'data-part="center-of-mass"', 'class="dashed"', 'class="roller"'):
            self.assertIn(part, found.svg)
        self.assertIn('data-part="turning"', omniroll.show(MECANUM, set={"parameters.command.yaw_rate": -1}).svg)
        self.assertIn("mass-out", omniroll.show(MECANUM, set={"parameters.platform": {"mass": 100, "yaw_inertia": 4,
                                                                                     "center_of_mass": {"x": 0.35}}}).svg)

    def test_rollers_lean_as_an_x_from_above(self):
        """Mecanum rollers on top of the wheels point to the middle: on the left they fall to the right in front and rise behind."""
        text = sketch(f"{ROOT}/studies/mecanum_design.json")
        lines = text.split("\n")
        front, rear = next(line for line in lines if "0" in line and "1" in line and "╲" in line), next(line for line in lines if "2" in line and "3" in line and "╱" in line)
        self.assertLess(front.index("╲"), front.index("╱"))
        self.assertLess(rear.index("╱"), rear.index("╲"))

    def test_the_sketch_is_to_scale_in_both_views(self):
        text = sketch(f"{ROOT}/studies/mecanum_design.json", locale="C")
        self.assertTrue(text.isascii())
        cell = float(re.search(r"one character is ([0-9.]+) cm wide", text)[1]) / 100
        above, side = text.split("x forward")[1].split("From above, and")[0].rsplit("\n\n", 2)[:2]
        wheels = next(line for line in above.split("\n") if "0" in line and "1" in line)
        self.assertAlmostEqual((wheels.index("1") - wheels.index("0")) * cell, 0.4, delta=1.5 * cell)
        numbers = next(line for line in side.split("\n") if "1" in line and "3" in line)
        self.assertAlmostEqual((numbers.index("1") - numbers.index("3")) * cell, 0.5, delta=1.5 * cell)
        widest = max(line.index(")") - line.index("(") + 1 for line in side.split("\n") if ")" in line)
        self.assertAlmostEqual(widest * cell, 0.2, delta=2 * cell)
        self.assertAlmostEqual(sum(")" in line for line in side.split("\n")) * 2 * cell, 0.2, delta=2.5 * cell)
        self.assertIn("---> x", text)

    def test_numbers_of_the_sketch(self):
        text = sketch(f"{ROOT}/studies/mecanum_design.json")
        for words in ("inclined by 45 deg", "its centre at x 0 mm", "inside the support polygon", "0.5 m/s 90 deg to the right of forward"):
            self.assertIn(words, text)

    def test_a_disc_that_leans_is_an_ellipse_in_both(self):
        path = f"{ROOT}/studies/euler_disc.json"
        self.assertIn("<ellipse", omniroll.show(path).svg)
        rows = [line.count("│") for line in sketch(path).split("x forward")[1].split("\n") if "│" in line]
        self.assertLess(rows[0], 0.7 * max(rows))

    def test_a_block_stands_on_its_plane(self):
        """Its corners make a square, one side of which lies in the plane that rises by the slope; spring, belt and pull where the study has them."""
        slope = {"plane": {"slope": "20 deg"}, "spring": {"stiffness": "100 N/m"}, "pull": {"type": "ramp", "rate": "3 N/s"}}
        found = omniroll.show(f"{ROOT}/studies/stick_slip.json", set={f"parameters.{name}": value for name, value in slope.items()})
        self.assertNotIn("data-wheel", found.svg)
        for part in ('data-part="block"', 'data-part="spring"', 'data-part="pull"', "command-head", "20°"):
            self.assertIn(part, found.svg)
        points = re.search(r'data-part="block"><polygon[^>]* points="([^"]+)"', found.svg)[1]
        corners = [tuple(map(float, place.split(","))) for place in points.split()]
        sides = [math.dist(corners[k], corners[(k + 1) % 4]) for k in range(4)]
        self.assertLess(max(sides) - min(sides), 0.05)
        (x0, y0), (x1, y1) = corners[:2]
        self.assertAlmostEqual(math.degrees(math.atan2(y0 - y1, x1 - x0)), 20, delta=0.02)
        plain = omniroll.show(f"{ROOT}/studies/sliding_block.json").svg
        self.assertNotIn('data-part="spring"', plain)
        self.assertEqual(found.warnings, [])

    def test_a_block_in_characters(self):
        text = sketch(f"{ROOT}/studies/stick_slip.json", "--set", "parameters.plane.slope=0.1", locale="C")
        self.assertTrue(text.isascii())
        for words in ("/\\/\\", "|       |", "> x, up the slope", "spring       100 N/m", "belt         the ground moves at 0.", "slope        5.73 deg",
                      "starts at x -10 cm"):
            self.assertIn(words, text)
        self.assertNotIn("radius", text)

    @needs_browser
    def test_words_of_the_pictures_stand_apart_and_inside(self):
        shown = [omniroll.show(path).svg for path in READY]
        shown += [omniroll.show(f"{ROOT}/studies/stick_slip.json", set={"parameters.plane.slope": slope}).svg for slope in (0.2, 0.7, 1.4)]
        shown += [omniroll.show(MECANUM, set={"parameters.platform": {"mass": 100, "yaw_inertia": 4, "center_of_mass": {"x": x}}}).svg for x in (-0.6, 0.6)]
        with tempfile.TemporaryDirectory() as folder:
            page = f"{folder}/all.html"
            with open(page, "w", encoding="utf-8") as file:
                file.write('<!doctype html><meta charset="utf-8">' + "".join(f"<div>{svg}</div>" for svg in shown))
            with Browser() as browser:
                found = browser.open(page, width=1400).value(OVERLAPS)
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
