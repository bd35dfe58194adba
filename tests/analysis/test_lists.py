"""The package's lists are the program's, and no module has one of its own."""

import ast
import json
import os
import pathlib
import subprocess
import unittest

import omniroll
from omniroll import lists

PACKAGE = pathlib.Path(omniroll.__file__).parent
PROGRAM = os.environ["OMNIROLL"]


def described(model="omni_vehicle"):
    done = subprocess.run([PROGRAM, "describe", model, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class TestLists(unittest.TestCase):
    def test_are_those_of_the_program(self):
        found = described()
        kept = json.loads((PACKAGE / "lists.json").read_text(encoding="utf-8"))
        turns, models = kept.pop("frame_turns"), kept.pop("models")
        found["models"] = [{"name": name, "meaning": described(name)["meaning"]} for name in omniroll.describe()]
        self.assertEqual({row["name"] for row in models}, set(omniroll.describe()))
        for of, rows in (("models", models), ("laws", kept["laws"]), ("designs", kept["designs"])):
            known = {row["name"]: row["meaning"] for row in found[of]}
            for row in rows:
                self.assertIn(row.pop("meaning", "")[:12], known.get(row["name"], ""), "python3 studies/generate.py writes them")
        self.assertEqual(kept, {**found["classes"], "statuses": found["statuses"]},
                         "python3 studies/generate.py writes them")

        for model in omniroll.describe():
            told = [{key: row[key] for key in ("frame", "of", "name", "here", "sign")} for row in described(model)["frame_turns"]]
            known = [{key: value for key, value in row.items() if key != "models"} for row in turns if model in row["models"]]
            self.assertEqual(sorted(map(str, told)), sorted(map(str, known)), model)

    def test_classes(self):
        self.assertEqual(lists.designs("sample")[:4], ("monte_carlo", "latin_hypercube", "sobol", "halton"))
        self.assertEqual(lists.laws("friction")[:2], ("saturated_coulomb", "regularized_coulomb"))
        self.assertNotIn("ideal_rolling", lists.laws("friction"))
        self.assertIn("dormand_prince", lists.methods("pair", "explicit"))
        self.assertEqual(lists.exit_codes()["study"], 3)
        self.assertIn("lifts", lists.meanings()["wheel_lifted"])
        self.assertEqual(lists.meaning_of("designs", "list"), "rows of values for paths, one row per instance")
        self.assertEqual(lists.meaning_of("designs", "no such"), "")

    def test_no_module_has_a_list_of_its_own(self):
        """A tuple, list or set of three or more words of one list; dictionaries say what they say about each."""
        found = described()
        known = {name: {row["name"] for row in rows} for name, rows in {**found["classes"], "statuses": found["statuses"]}.items()}
        known["models"] = set(omniroll.describe())
        wrong = []
        for path in sorted([*PACKAGE.rglob("*.py"), *(PACKAGE.parents[1] / "studies" / "papers").glob("*.py")]):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, (ast.Tuple, ast.List, ast.Set)):
                    continue
                words = {one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)}
                for name, rows in known.items():
                    if len(words & rows) > 2 and len(words & rows) == len(node.elts):
                        wrong.append(f"{path.relative_to(PACKAGE.parents[1])}:{node.lineno}: {name}: {', '.join(sorted(words))}")
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
