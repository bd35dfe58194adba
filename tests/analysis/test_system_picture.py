"""The graph of a multibody system as a picture."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
from omniroll.pictures import system_picture, vehicle_picture


def edge(name: str, first: str, second: str) -> dict[str, Any]:
    return {"name": name, "class": "constraints", "kind": "fixed_ideal", "between": [first, second]}


CHAIN: dict[str, Any] = {"model": "multibody", "title": "a < b", "bodies": [{"name": name} for name in ("base", "arm.one", "arm.two")],
                         "edges": [edge("arm.pin", "base", "arm.one"), edge("arm.hinge", "arm.one", "arm.two")]}


def boxes(text: str) -> list[tuple[float, float, float, float]]:
    root = ElementTree.fromstring(text)
    found = [one for one in root.iter("{http://www.w3.org/2000/svg}rect") if one.get("rx")]
    return [(float(one.get("x", 0)), float(one.get("y", 0)), float(one.get("width", 0)), float(one.get("height", 0))) for one in found]


class SystemPicture(unittest.TestCase):
    def test_a_chain_lies_in_a_line_with_steps_of_one(self) -> None:
        place = system_picture.layout(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
        steps = np.hypot(*np.diff(place, axis=0).T)
        np.testing.assert_allclose(steps, 1, atol=0.01)  # a hundredth of a link: less than a pixel
        self.assertAlmostEqual(float(np.hypot(*(place[4] - place[0]))), 4, delta=0.04)

    def test_bodies_and_constraints_have_two_colours_and_do_not_overlap(self) -> None:
        star = {"bodies": [{"name": "base"}] + [{"name": f"roller[{k}].body"} for k in range(12)],
                "edges": [edge(f"bearing{k}", "base", f"roller[{k}].body") for k in range(12)], "title": "star"}
        text = vehicle_picture.svg(star)
        drawn = boxes(text)
        self.assertEqual(len(drawn), 13)
        self.assertEqual(text.count('class="joint"'), 12)
        for one, (x, y, width, height) in enumerate(drawn):
            for u, v, wide, high in drawn[one + 1:]:
                self.assertFalse(x < u + wide and u < x + width and y < v + high and v < y + height, "two bodies overlap")

    def test_texts_are_escaped_and_what_all_begin_with_is_left_out(self) -> None:
        text = vehicle_picture.svg(CHAIN)
        self.assertIn("a &lt; b", text)
        self.assertIn(">one<", text)
        self.assertNotIn(">arm.one<", text)

    def test_a_scene_that_cannot_be_one_is_refused(self) -> None:
        broken = [{"bodies": 3, "edges": []}, {"bodies": [{"name": ""}], "edges": []}, {"bodies": [{}], "edges": []},
                  {"bodies": [{"name": "base"}], "edges": [edge("pin", "base", "arm")]},
                  {"bodies": [{"name": "base"}], "edges": [{"name": "pin", "between": "base"}]},
                  {"bodies": [{"name": "b"}] * 300, "edges": []}]
        for scene in broken:
            with self.assertRaises(ValueError):
                vehicle_picture.svg(scene)

    def test_parts_that_nothing_joins_are_drawn_too(self) -> None:
        alone = {"bodies": [{"name": "base"}, {"name": "stone"}], "edges": [], "title": "stone"}
        self.assertEqual(len(boxes(vehicle_picture.svg(alone))), 2)


if __name__ == "__main__":
    unittest.main()
