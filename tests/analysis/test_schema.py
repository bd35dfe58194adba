"""The schema of study files: all that is read as a study fits it, and mistakes in names, words, units and bounds do not."""

import copy
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import omniroll

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from documented import HEAD, ROOT, blocks  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

PROGRAM = os.environ["OMNIROLL"]
CHECK = jsonschema and jsonschema.Draft202012Validator(omniroll.schema())
VEHICLE = {"model": "omni_vehicle", "integrator": {"step": "1 ms", "duration": "1 s"}}
WHEELSET = {"model": "wheelset", "integrator": {"step": "1 ms", "duration": "1 s"}}
DRAWN = {**VEHICLE, "vary": [{"path": "wheel.friction", "uniform": [0.2, 0.4]}],
         "design": {"type": "monte_carlo", "instances": 10}}
MEASURED = {"model": "omni_vehicle", "integrator": {"step": "1 ms"},
            "data": {"runs": [{"file": "run.csv"}], "measured": [{"sample": "x", "column": "x", "noise": "1 mm"}]}}
OWN = {"model": "multibody", "parameters": {"v": "18 km/h"}, "vary": [{"path": "v", "values": [1, "2 m/s"]}],
       "system": {"bodies": {"stone": {"mass": "1 kg", "inertia": [1, 1, 1], "velocity": [0, "v", 0]}},
                  "measures": {"Top": {"take": "max", "of": "stone.y"}}, "samples": {"height": "stone.y"}},
       "integrator": {"step": "1 ms", "duration": "10 ms"}}

# A study, what is changed in it (a path, a value) and is refused, and what is not refused in its place.
PLANTED = [
    (VEHICLE, "paramters", {}, "parameters", {}),
    (VEHICLE, "model", "omnivehicle", "model", "omni_vehicle"),
    (VEHICLE, "parameters.platform.mas", 10, "parameters.platform.mass", 10),
    (VEHICLE, "parameters.platform.mass", -1, "parameters.platform.mass", 0),
    (VEHICLE, "parameters.platform.mass", "10 m", "parameters.platform.mass", "10 kg"),
    (VEHICLE, "parameters.platform.mass", "10", "parameters.platform.mass", "10000 g"),
    (VEHICLE, "parameters.wheel.radius", 0, "parameters.wheel.radius", "50mm"),
    (VEHICLE, "parameters.wheel.radius", [0.1], "parameters.wheel.radius", 0.1),
    (VEHICLE, "parameters.wheel.motor", {"stall_torque": 1}, "parameters.wheel.motor", {"stall_torque": 1, "no_load_speed": 20}),
    (VEHICLE, "parameters.wheel.roller", {"mass": 0.1}, "parameters.wheel.roller", {"density": 1200, "bore": 0.001}),
    (VEHICLE, "parameters.contact", {"spring": "hertz"}, "parameters.contact", {"normal": "compliant", "spring": "hertz"}),
    (VEHICLE, "parameters.wheel.rollers", 6.5, "parameters.wheel.rollers", 6),
    (VEHICLE, "parameters.wheel.rollers", 2, "parameters.wheel.rollers", 3),
    (VEHICLE, "parameters.wheel.inclination", 45, "parameters.wheel.inclination", "45 deg"),
    (VEHICLE, "parameters.wheel.friction", "0,3", "parameters.wheel.friction", "30 %"),
    (VEHICLE, "parameters.wheel.drive", {"type": "constant", "speed": 1}, "parameters.wheel.drive", {"type": "constant", "torque": 1}),
    (VEHICLE, "parameters.wheel.drive", {"type": "sinus"}, "parameters.wheel.drive", {"type": "sine"}),
    (VEHICLE, "parameters.wheel.disc.stiffness", 1, "parameters.wheel.disc.mass", 1),
    (VEHICLE, "parameters.layout", {"type": "rectangle", "radius": 1}, "parameters.layout", {"type": "ring", "radius": 1}),
    (VEHICLE, "parameters.layout", {"wheels": 9}, "parameters.layout", {"wheels": 4}),
    (VEHICLE, "parameters.layout.half_length", 1, "parameters.layout", {"type": "rectangle", "half_length": 1}),
    (VEHICLE, "parameters.wheel.x", 1, "parameters.wheel.radius", 1),
    (VEHICLE, "parameters.command", {"type": "constant", "ramp_time": 1}, "parameters.command", {"type": "tanh", "ramp_time": 1}),
    (VEHICLE, "parameters.command", {"vx": 1}, "parameters.command", {"type": "constant", "vx": 1}),
    (VEHICLE, "parameters.contact", {"law": "coulomb"}, "parameters.contact", {"law": "ideal_rolling"}),
    (VEHICLE, "parameters.contact", {"zone": "linear"}, "parameters.contact", {"law": "regularized_coulomb", "zone": "linear"}),
    (VEHICLE, "parameters.contact.spring", "hertz", "parameters.contact", {"normal": "compliant", "spring": "hertz"}),
    (VEHICLE, "parameters.wheel.suspension.stiffness", 1, "parameters",
     {"contact": {"normal": "compliant"}, "wheel": {"suspension": {"stiffness": 1}}}),
    (VEHICLE, "parameters.wheels", [{}, {}, {"contact": {"stiffness": 1}}], "parameters",
     {"contact": {"normal": "compliant"}, "wheels": [{}, {}, {"contact": {"stiffness": 1}}]}),
    (VEHICLE, "parameters.initial.pitch", 0.1, "parameters", {"contact": {"normal": "compliant"}, "initial": {"pitch": 0.1}}),
    ({**VEHICLE, "model": "disc_vehicle"}, "parameters", {"contact": {"normal": "penalty"}, "floor": {"slope": 0.1}}, "parameters",
     {"contact": {"normal": "compliant"}, "floor": {"slope": 0.1}}),
    (VEHICLE, "parameters.contact.normal", "penalty", "parameters.contact.tracking", "implicit"),
    (VEHICLE, "parameters.ground", {"type": "dip", "patch0": {}}, "parameters.ground", {"type": "patches", "patch0": {}}),
    (VEHICLE, "parameters.ground", {"type": "patches", "patch2": {"shape": "half_plane", "length": 1}},
     "parameters.ground", {"type": "patches", "patch2": {"shape": "half_plane", "yaw": 1}}),
    (VEHICLE, "parameters.plane.slope", 0.1, "parameters.gravity", 1.6),
    (WHEELSET, "parameters.platform.mass", 1, "parameters.plane.slope", 0.1),
    (WHEELSET, "parameters.joints", "stiff", "parameters.joints", "compliant"),
    (WHEELSET, "parameters.joint", {"stiffness": 1}, "parameters", {"joints": "compliant", "joint": {"stiffness": 1}}),
    (WHEELSET, "integrator.exchange", "split", "integrator.method", "heun"),
    (WHEELSET, "integrator.method", "rosenbrock", "integrator.method", "midpoint"),
    (WHEELSET, "output.observables", ["max_slip"], "output.observables", ["final_x"]),
    (VEHICLE, "integrator.steps", 1, "integrator.budget", 4),
    (VEHICLE, "integrator.duration", 0, "integrator.duration", "2 min"),
    (VEHICLE, "integrator.tolerance", 1e-3, "integrator", {"duration": 1, "tolerance": 1e-3}),
    (VEHICLE, "integrator", {"duration": 1, "tolerance": 2}, "integrator", {"duration": 1, "tolerance": 0.01, "method": "ros2"}),
    (VEHICLE, "integrator.method", "ros2", "integrator.method", "rk4"),
    (VEHICLE, "integrator.retries", 2, "integrator", {"step": 1, "duration": 1, "on_failure": "retry_half_step", "retries": 2}),
    (VEHICLE, "integrator.accept", {"vibrations": "1 %"}, "integrator.accept", {"vibration_rms": "1 %"}),
    (VEHICLE, "output.observables", ["slip"], "output.observables", ["max_slip"]),
    (VEHICLE, "output.trajectories", {"instances": "some", "interval": 0.1}, "output.trajectories", {"instances": "all", "interval": 0.1}),
    (VEHICLE, "output.trajectories", {"instances": [0, "last"], "interval": 0.1},
     "output.trajectories", {"instances": [0, "nominal", "extremes of max_slip"], "interval": 0.1}),
    (VEHICLE, "output.trajectories", {"instances": [0]}, "output.trajectories", {"instances": [0], "interval": "10 ms"}),
    (VEHICLE, "engine.backend", "cuda", "engine.backend", "openmp"),
    (VEHICLE, "engine.lanes", 3, "engine.lanes", 4),
    (VEHICLE, "engine.threads", 0, "engine.threads", 2),
    (VEHICLE, "statistics.confidence", 95, "statistics.confidence", "95 %"),
    (VEHICLE, "statistics.fail", {"max": "max_slip > 1 m/s"}, "statistics.fail", {"slides": "max_slip > 1 m/s"}),
    (VEHICLE, "description", [1], "description", ["one", "two"]),
    (MEASURED, "data", None, "data.interval", "0.2 s"),
    (MEASURED, "data.run", -1, "data.run", 0),
    (MEASURED, "data.runs", [], "data.runs[0].start", "1 s"),
    (MEASURED, "data.runs[0].use", "test", "data.runs[0].use", "predict"),
    (MEASURED, "data.measured[0].sample", "X", "data.measured[0].sample", "yaw"),
    (MEASURED, "data.measured[0].noise", 0, "data.measured[0].noise", "1 cm"),
    (MEASURED, "data.measured[0].correlation_time", -1, "data.measured[0].correlation_time", 0),
    (MEASURED, "data.measured[0].outliers", 0.6, "data.measured[0].outliers", "5 %"),
    (MEASURED, "data.measured[0].compare", "ends", "data.measured[0].compare", "end"),
    (MEASURED, "data.measured[0].start_error", 0.1, "data.measured[0].start_error", {"normal": [0, "5 mm"]}),
    (MEASURED, "data.measured[0].start_error", 1, "data.measured[0].start_error", 0),
    (MEASURED, "data.measured[0].bias", 0.1, "data.measured[0].bias", {"normal": [0, "5 mm"], "per": "run"}),
    (MEASURED, "data.measured[0].gain", {"normal": [1, "1 s"]}, "data.measured[0].gain", {"normal": [1, "5 %"]}),
    (MEASURED, "data.time_offset", {"values": [0, 1]}, "data.time_offset", {"uniform": ["-50 ms", 0.05]}),
    (MEASURED, "data.clock_scale", {"normal": [1, 0.01], "per": "sample"}, "data.clock_scale", {"normal": [1, 0.01], "per": "all"}),
    (MEASURED, "data.measured[0].column", {"unit": "m"}, "data.measured[0].column", {"column": "x", "unit": "mm", "factor": -1}),
    (MEASURED, "data.origin", "end", "data.origin", "world"),
    (MEASURED, "calibrate.members", 5, "calibrate.members", 50),
    (MEASURED, "calibrate.noise", "fitted", "calibrate", {"noise": "unknown", "points": 100}),
    (MEASURED, "calibrate", {"per_run": ["wheel.friction"], "shared": 1}, "calibrate.seed", 3),
    (MEASURED, "model", "wheelset", "model", "disc_vehicle"),
    (DRAWN, "vary[0].gauss", [1, 2], "vary[0]", {"path": "wheel.friction", "normal": [1, 2]}),
    (DRAWN, "vary[0].path", "wheel.frction", "vary[0].path", "wheels[2].friction"),
    (DRAWN, "vary[0].path", "friction", "vary[0].path", "wheel.axle_bearing"),
    (DRAWN, "vary[0].uniform", [-0.1, 0.1], "vary[0].uniform", ["10 %", 0.3]),
    (DRAWN, "vary[0].uniform", [0.1, 0.2, 0.3], "vary[0].uniform", [0.1, 0.2]),
    (DRAWN, "vary[0].normal", [0.3, 0.01], "vary[0]", {"path": "wheel.friction", "truncated_normal": [0.3, 0.01, 0.2, 0.4]}),
    (DRAWN, "vary[0]", {"path": "wheel.rollers", "uniform": [6, 9]}, "vary[0]", {"path": "wheel.rollers", "integer": [6, 9]}),
    (DRAWN, "design.type", "montecarlo", "design.type", "sobol"),
    (DRAWN, "design.groups", 8, "design.seed", "12345678901234567890"),
    (DRAWN, "design", {"type": "saltelli", "instances": 8}, "design", {"type": "saltelli", "groups": 8}),
    (OWN, "frame", "ros", "frame", "y_up"),
    (OWN, "engine.backend", "openmp", "engine.backend", "reference"),
    (OWN, "parameters.9v", 1, "parameters.v9", {"value": "3 W", "meaning": "power"}),
    (OWN, "parameters.sin", 1, "parameters.sine", "2 kg m2/s3"),
    (OWN, "parameters.w", [1], "parameters.w", -1),
    (OWN, "parameters.w", {"value": 1, "unit": "m"}, "parameters.w", {"value": "1 m"}),
    (OWN, "vary[0].path", "v.x", "vary[0].path", "v"),
    (OWN, "output.observables", ["top of it"], "output.observables", ["Top"]),
    (OWN, "output.trajectories", {"instances": ["extremes of 1"], "interval": "1 ms"},
     "output.trajectories", {"instances": ["extremes of Top"], "interval": "1 ms"}),
    (WHEELSET, "system", {}, "title", "no system"),
    (VEHICLE, "variants", {"a": {}}, "variants", {"a": {}, "b": {"title": "b"}}),
    (VEHICLE, "variants", {"a": {}, "b c": {}}, "variants", {"a": {}, "b-c": {"parameters": {"gravity": None}}}),
    (VEHICLE, "variants", {"a": {}, "b": {"paramters": {}}}, "variants", {"a": {}, "b": {"parameters": {"gravity": 5}}}),
    (VEHICLE, "variants", {"path": "title", "values": [1, 2]}, "variants", {"path": "title", "values": ["a", "b"]}),
    (DRAWN, "design", {"type": "monte_carlo"}, "design", {"type": "morris", "trajectories": 8, "levels": 6}),
]


def changed(study, path, value):
    """A copy with the member at "a.b[0].c" replaced or added, with the objects on the way."""
    copied = copy.deepcopy(study)
    at, keys = copied, re.findall(r"[^.\[\]]+", path)
    for key in keys[:-1]:
        at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
    at[int(keys[-1]) if isinstance(at, list) else keys[-1]] = value
    return copied


def without_comments(text):
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda found: found[1] or " ", text, flags=re.DOTALL)


def fits(study):
    return next((f"{'/'.join(map(str, wrong.absolute_path))}: {wrong.message[:300]}" for wrong in CHECK.iter_errors(study)), None)


def is_read(text):
    """The codes of the mistakes that the program finds; none: it reads the study."""
    done = subprocess.run([PROGRAM, "validate", "-", "--json"], input=text, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    return [mistake["code"] for mistake in found.get("mistakes", [])], done.returncode


def units():
    """Rows of host/lists/units.def: the SI unit and its spellings."""
    with open(os.path.join(ROOT, "host/lists/units.def"), encoding="utf-8") as file:
        rows = re.findall(r'^X\("([^"]+)", .*?, (?:true|false), (.*)\)$', file.read(), re.MULTILINE)
    return {unit: re.findall(r'"([^"]+)"', words) for unit, words in rows}


def mistakes():
    """Of tests/cli/mistakes.txt what `validate m.json` is asked: name and text of the study."""
    with open(os.path.join(ROOT, "tests/cli/mistakes.txt"), encoding="utf-8") as file:
        text = file.read()
    base = text[text.index("study\n{") + 6:text.index("\nsection")] + "\n"
    for block in text.split("\n= ")[1:]:
        name, *lines = block.split("\n")
        study = base
        for line in lines:
            words = line.replace("\\n", "\n").replace("\\\\", "\\")
            if line.startswith("with "):
                before, after = words[5:].split(" => ")
                study = study.replace(before, after, 1)
            elif line.startswith("text "):
                study = words[5:]
        if "run validate m.json" in lines:
            yield name, study


@unittest.skipUnless(jsonschema, "no jsonschema (python3-jsonschema)")
class TestSchema(unittest.TestCase):
    def test_is_one_of_draft_2020_12(self):
        schema = omniroll.schema()
        CHECK.check_schema(schema)
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        for name in set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema))):
            self.assertIn(name, schema["$defs"])

    def test_it_is_what_the_program_prints(self):
        printed = subprocess.run([PROGRAM, "schema"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(omniroll.library.text_of("omr_study_schema_json"), printed)
        self.assertEqual(json.loads(printed), omniroll.schema())

    def test_no_object_has_a_member_twice(self):
        """Readers keep the last one alone, so that the first would be no rule."""
        def once(pairs):
            names = [name for name, _ in pairs]
            self.assertEqual(len(names), len(set(names)), str(pairs)[:300])
            return dict(pairs)

        json.loads(subprocess.run([PROGRAM, "schema"], capture_output=True, text=True, check=True).stdout, object_pairs_hook=once)

    def test_a_caller_may_change_its_own(self):
        omniroll.schema()["properties"].clear()
        self.assertIn("model", omniroll.schema()["properties"])

    def test_every_member_says_what_it_means(self):
        silent = []

        def look(part, place):
            for name, below in part.get("properties", {}).items():
                if isinstance(below, dict) and "properties" in below:
                    look(below, f"{place}.{name}")
                elif isinstance(below, dict) and "description" not in below and "enumDescriptions" not in below and "$ref" not in below:
                    silent.append(f"{place}.{name}")
        look(omniroll.schema(), "")
        for name, part in omniroll.schema()["$defs"].items():
            if name.startswith(("parameters_", "wheel_")):
                look(part, name)
        self.assertEqual(silent, [])

    def test_every_study_of_the_tree_fits(self):
        count = 0
        for path in sorted(glob.glob(f"{ROOT}/studies/**/*.json", recursive=True) + glob.glob(f"{ROOT}/tests/**/*.json", recursive=True)):
            with open(path, encoding="utf-8") as file:
                study = json.loads(without_comments(file.read()))
            if isinstance(study, dict) and "model" in study and "integrator" in study:
                count += 1
                self.assertIsNone(fits(study), path)
        self.assertGreaterEqual(count, 70)

    def test_every_study_of_the_pages_fits(self):
        count = 0
        pages = [page for top in ("docs", "studies") for page in glob.glob(f"{top}/**/*.md", root_dir=ROOT, recursive=True)]
        for page in [*sorted(pages), "README.md"]:
            for block in blocks(page):
                if block.kind not in ("json study", "json parameters"):
                    continue
                text = block.text if block.kind == "json study" else f'{HEAD}"parameters": {{{block.text}}}}}'
                count += 1
                self.assertIsNone(fits(json.loads(without_comments(text))), block.place)
        self.assertGreater(count, 8)

    def test_every_starter_fits(self):
        listed = json.loads(subprocess.run([PROGRAM, "new", "--list", "--json"], capture_output=True, text=True, check=True).stdout)
        kinds, models = ([row["name"] for row in listed[key]] for key in ("kinds", "models"))
        written = 0
        for kind, model in itertools.product(kinds, models):
            done = subprocess.run([PROGRAM, "new", kind, "--model", model, "-o", "-"], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                written += 1
                self.assertIsNone(fits(json.loads(without_comments(done.stdout))), f"{kind} {model}")
        self.assertGreater(written, 20)

    def test_what_omniroll_makes_of_a_study_fits(self):
        """Of the nominal vehicle, of instances: the study that the result keeps."""
        import h5py
        with tempfile.TemporaryDirectory() as folder:
            for options in (["--nominal"], ["--instance", "1,3", "--trace"]):
                subprocess.run([PROGRAM, "run", f"{ROOT}/studies/load_cases.json", *options, "-q", "-o", f"{folder}/a.h5", "--overwrite", "--set",
                                "integrator.duration=0.01"], check=True, capture_output=True)
                with h5py.File(f"{folder}/a.h5") as file:
                    self.assertIsNone(fits(json.loads(file.attrs["study"])), options)

    def test_seeds_of_the_fuzzer_that_are_read_fit(self):
        count = 0
        for path in sorted(glob.glob(f"{ROOT}/tests/fuzz/seeds/study/*")):
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            if is_read(text)[1] == 0:
                count += 1
                self.assertIsNone(fits(json.loads(without_comments(text))), path)
        self.assertGreater(count, 0)

    def test_planted_mistakes_do_not_fit_and_what_is_right_does(self):
        self.assertGreater(len(PLANTED), 50)
        for study, path, value, right_path, right in PLANTED:
            wrong, good = changed(study, path, value), changed(study, right_path, right)
            self.assertIsNotNone(fits(wrong), f"{path}: {value}")
            self.assertIsNone(fits(good), f"{right_path}: {right}")
            self.assertNotEqual(is_read(json.dumps(wrong))[1], 0, f"the program reads it: {path}: {value}")

    def test_the_list_of_mistakes(self):
        """What is wrong whatever the rest of the study says does not fit; what fits all the same follows from several members, or is no JSON."""
        counts = {}
        for name, text in mistakes():
            codes, _ = is_read(text)
            try:
                study = json.loads(without_comments(text))
            except ValueError:
                continue
            counts[codes[0]] = counts.get(codes[0], 0) + 1
            # a table may be that of all wheels, its columns go by the type of the drive, names are those of the whole study,
            # how far a distribution reaches follows from its numbers together, and changes of a variant from the study that they change
            follows = name in ("low and high exchanged", "no replay", "a torque where a rate is due", "a unit that is the name of a parameter too",
                               "a clock that may stand still", "a mistake in the second variant", "a word of a variant mistyped")
            if codes[0] in ("unknown_key", "unknown_word", "wrong_type", "out_of_range", "missing") and not follows:
                self.assertIsNotNone(fits(study), name)
        for code, least in (("unknown_key", 20), ("unknown_word", 8), ("out_of_range", 8)):
            self.assertGreaterEqual(counts[code], least, counts)

    def test_the_schema_member_is_read_over(self):
        study = {"$schema": "./study.schema.json", **VEHICLE}
        self.assertIsNone(fits(study))
        self.assertEqual(is_read(json.dumps(study)), ([], 0))
        self.assertEqual(is_read(json.dumps({**VEHICLE, "$schema": 5}))[0], ["wrong_type"])

    def test_units_are_those_of_the_program(self):
        """Each spelling of the list for each quantity: the schema says what the program says."""
        of = {"1": "wheel.friction", "rad": "wheel.inclination", "rad s-1": "initial.yaw_rate", "Hz": "wheel.drive.frequency", "m": "wheel.radius",
              "s": "ground.time", "kg": "platform.mass", "m s-1": "initial.vx", "m s-2": "gravity", "kg m-3": "wheel.roller.density",
              "N m": "wheel.drive.torque", "N m s": "wheel.axle_bearing", "kg m2": "platform.yaw_inertia"}
        parameters = {"ground": {"type": "dip"}, "wheel": {"drive": {"type": "sine"}}}
        words = sorted({word for listed in units().values() for word in listed})
        for unit, listed in units().items():
            if unit not in of:
                continue  # no parameter has it
            name = "pure" if unit == "1" else re.sub("[^a-zA-Z0-9]", "_", unit)
            pattern = omniroll.schema()["$defs"][f"quantity_{name}"]["pattern"]
            for word in words:
                for text in (f"1 {word}", f"2.5e-1{word}"):
                    self.assertEqual(bool(re.search(pattern, text)), word in listed, f"{unit}: {text}")
                message = ""
                try:
                    omniroll.validate({**VEHICLE, "parameters": parameters, "vary": [{"path": of[unit], "values": [f"1 {word}"]}]})
                except omniroll.StudyError as error:
                    message = str(error)
                self.assertEqual(f'"1 {word}": ' in message, word not in listed, f"{unit}: {word}: {message}")


if __name__ == "__main__":
    unittest.main()
