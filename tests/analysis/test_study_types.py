"""Typed study dictionaries: the generator on a small schema, the file that it writes, and what a type checker makes of it."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import typing
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))

PROGRAM = os.environ.get("OMNIROLL", "omniroll")
WRITTEN = pathlib.Path(PROGRAM).parent / "python" / "omniroll" / "study_types.pyi"
SCRIPT = ROOT / "analysis" / "typed_studies.py"
specification = importlib.util.spec_from_file_location("typed_studies", SCRIPT)
typed_studies = importlib.util.module_from_spec(specification)
specification.loader.exec_module(typed_studies)

SMALL = {
    "type": "object", "required": ["model"], "additionalProperties": False,
    "properties": {
        "model": {"enum": ["ball", "box"], "description": "what it is"},
        "$schema": {"type": "string"},
        "parameters": {"type": "object"},
        "name": {"anyOf": [{"enum": ["a", "b"]}, {"pattern": "^c"}]},
        "sizes": {"type": "array", "prefixItems": [{"type": "integer"}, {"$ref": "#/$defs/length"}]},
        "vary": {"type": "array", "items": {"type": "object"}},
        "fail": {"type": ["string", "object"], "additionalProperties": {"type": "string"}},
    },
    "allOf": [{"if": {"properties": {"model": {"const": "ball"}}, "required": ["model"]},
               "then": {"properties": {"parameters": {"$ref": "#/$defs/ball"}, "vary": {"items": {"$ref": "#/$defs/entry"}}}}},
              {"if": {"properties": {"model": {"const": "box"}}, "required": ["model"]}, "then": {"properties": {"sizes": False}}}],
    "$defs": {
        "length": {"type": ["number", "string"], "pattern": "m$"},
        "ball": {"type": "object", "properties": {"radius": {"$ref": "#/$defs/length", "description": "of it (m)"}, "hollow": {"type": "boolean"}}},
        "entry": {"type": "object", "properties": {"path": {"type": "string"}, "values": {"type": "array"}}, "required": ["path"],
                  "oneOf": [{"required": ["values"]}]},
    },
}


def of_small():
    module = sys.modules.setdefault("small", types.ModuleType("small"))  # where the types look for each other
    exec(compile(typed_studies.types_of(SMALL), "small", "exec", dont_inherit=True), module.__dict__)
    return module.__dict__


class Generator(unittest.TestCase):
    def hints(self, name):
        space = of_small()
        return typing.get_type_hints(space[name], space)

    def test_one_class_for_each_case(self):
        space = of_small()
        self.assertEqual(space["StudyDict"], typing.Union[space["BallStudy"], space["BoxStudy"]])
        self.assertEqual(self.hints("BoxStudy")["model"], typing.Literal["box"])
        self.assertEqual(space["BallStudy"].__required_keys__, {"model"})
        self.assertIn("sizes", space["BallStudy"].__optional_keys__)
        self.assertNotIn("sizes", self.hints("BoxStudy"))

    def test_types(self):
        space, hints = of_small(), {key: repr(value) for key, value in self.hints("BallStudy").items()}
        self.assertNotIn("$schema", hints)
        self.assertEqual(hints["name"], repr(str))
        self.assertEqual(hints["sizes"], "typing.Sequence[typing.Union[float, str]]")
        self.assertEqual(hints["fail"], "typing.Union[str, typing.Dict[str, str]]")
        self.assertEqual(hints["vary"], "typing.Sequence[small.Entry]")
        self.assertEqual(self.hints("Ball"), {"radius": typing.Union[float, str], "hollow": bool})
        self.assertEqual((space["Entry"].__required_keys__, space["Entry"].__optional_keys__), ({"path"}, {"values"}))
        self.assertIn("    # of it (m)\n    radius: Union[float, str]", typed_studies.types_of(SMALL))


class Written(unittest.TestCase):
    def test_it_is_what_the_schema_gives(self):
        printed = subprocess.run([PROGRAM, "schema"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(WRITTEN.read_text(encoding="utf-8"), typed_studies.types_of(json.loads(printed)), f"{WRITTEN}: the target manual writes it")

    def test_without_a_build_the_remedy_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "analysis" / "omniroll", os.path.join(folder, "omniroll"), ignore=shutil.ignore_patterns("__pycache__"))
            clean = {name: value for name, value in os.environ.items() if not name.startswith("OMNIROLL")}
            done = subprocess.run([sys.executable, "-B", "-c", "import omniroll.study_types"], capture_output=True, text=True, cwd=folder,
                                  env={**clean, "PYTHONPATH": folder})
        self.assertIn("ImportError: the types of studies are written by the build", done.stderr)
        self.assertIn("bash studies/first.sh", done.stderr)

    def test_members_of_ready_studies_have_types(self):
        import omniroll
        from omniroll import study_types

        classes = {next(iter(typing.get_args(typing.get_type_hints(each)["model"]))): each for each in typing.get_args(study_types.StudyDict)}

        def check(value, kind, place):
            for each in typing.get_args(kind) if typing.get_origin(kind) is typing.Union else [kind]:
                if isinstance(value, dict) and hasattr(each, "__required_keys__"):
                    hints = typing.get_type_hints(each)
                    self.assertLessEqual(set(value), set(hints), place)
                    self.assertLessEqual(each.__required_keys__, set(value), place)
                    for name, one in value.items():
                        check(one, hints[name], f"{place}.{name}")
                elif isinstance(value, list) and typing.get_args(each):
                    for one in value:
                        check(one, typing.get_args(each)[0], f"{place}[]")

        for path in sorted((ROOT / "studies").glob("*.json")):
            study = omniroll.load(path)
            study.pop("$schema", None)
            check(study, classes[study["model"]], path.name)

    def test_a_type_checker_finds_what_is_wrong(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("there is no mypy in this Python")
        good = ('{"model": "omni_vehicle", "integrator": {"step": "1 ms", "duration": 1}, "parameters": {"platform": {"mass": "12 kg"}}, '
                '"vary": [{"path": "wheel.friction", "values": [0.1, 0.2]}], "engine": {"backend": "openmp"}}')
        wrong = {good.replace("platform", "plattform"): "plattform", good.replace("openmp", "opemp"): "backend",
                 good.replace('"duration": 1', '"steps": 1'): "steps"}
        code = f"from study_types import OmniVehicleStudy\na: OmniVehicleStudy = {good}\n"
        code += "".join(f"b{i}: OmniVehicleStudy = {text}\n" for i, text in enumerate(wrong))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tried.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(code)
            shutil.copy(WRITTEN, folder)
            done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", os.devnull, path], capture_output=True, text=True, cwd=folder)
        lines = [line for line in done.stdout.splitlines() if "error" in line and line.startswith("tried.py")]
        self.assertEqual([int(line.split(":")[1]) for line in lines], [3, 4, 5], done.stdout + done.stderr)
        for line, word in zip(lines, wrong.values()):
            self.assertIn(word, line)


if __name__ == "__main__":
    unittest.main()
