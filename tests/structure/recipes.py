"""Do the recipes of docs/development/recipes.md work as they stand?   recipes.py ROOT CMAKE

Applies every block of the page to one copy of the tree, counts the files of each recipe against the page's table, runs
the structure tests on the copy, builds the program with one-lane objects only, tries each addition and runs the tests of lists. In the
short form (OMNIROLL_TESTS=short) the files of the recipes and a one-lane object of friction are compiled, and nothing is run.
"""
import csv
import importlib.util
import io
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^`([\w./]+)`, (at its end|a new file|before \"(.+?)\"):\n\n```(?:c|json|python|toml) recipe\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)
LIMIT = re.compile(r"^\| (.+) \| (\d+) \|$", re.MULTILINE)
STRUCTURE = ("anchors.py", "constant.py", "letters.py", "parameters.py", "rooms.py", "style.py --check", "trees.py", "turns.py")
OMITTED = shutil.ignore_patterns("build", ".git", "results", "*.png", "__pycache__")
TIMES = {"integrator": {"step": "0.1 ms", "duration": "50 ms"}, "engine": {"backend": "scalar"}}


def count_files(page):
    """No recipe has more files than its row of the table, which has a row for each."""
    most = {name: int(number) for name, number in LIMIT.findall(page)}
    parts = dict(part.split("\n", 1) for part in page.split("\n## ")[1:])
    assert {name.lower() for name in parts} == set(most), f"recipes {sorted(parts)}, rows {sorted(most)}"
    for name, part in parts.items():
        files = {block[0] for block in BLOCK.findall(part)}
        assert 0 < len(files) <= most[name.lower()], f"{name}: {len(files)} files, {most[name.lower()]} at most: {sorted(files)}"
        print(f"{name}: {len(files)} of {most[name.lower()]} files")


def apply(tree, page):
    """Writes the blocks into the copy; returns the names of new and of changed files."""
    blocks = BLOCK.findall(page)
    assert len(blocks) == page.count("```") // 2, "a block without a line that says where it goes"
    new, changed = [], []
    for name, where, mark, text in blocks:
        path = tree / name
        if where == "a new file":
            assert not path.exists(), f"{name} is there already"
            path.write_text(text, encoding="utf-8")
            new.append(name)
            continue
        old = path.read_text(encoding="utf-8")
        if where == "at its end":
            path.write_text(old.rstrip("\n") + "\n" + text, encoding="utf-8")
        else:
            assert old.count(mark) == 1, f"{name}: {mark!r} stands there {old.count(mark)} times"
            path.write_text(old.replace(mark, text + "\n" + mark), encoding="utf-8")
        changed.append(name)
    return new, changed


def run_structure_tests(tree):
    """The structure tests that need no build, all at once."""
    running = [subprocess.Popen([sys.executable, *str(tree / "tests" / "structure" / test).split(), str(tree)], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True) for test in STRUCTURE]
    said = [one.communicate()[0] for one in running]
    for test, one, text in zip(STRUCTURE, running, said):
        if one.returncode:
            sys.exit(f"the recipes fail structure/{test}:\n{text[-4000:]}")
    print(f"structure tests on the copy: {', '.join(STRUCTURE)}")


def run_list_tests(tree, folder):
    """The tests of lists, after the generator wrote the lists of the copy; and no circle of the copy's objects."""
    program = folder / "omniroll"
    libraries = list(folder.glob("libomniroll.so*"))
    paths = {**os.environ, "OMNIROLL": str(program), "OMNIROLL_LIBRARY": str(libraries[0]), "PYTHONPATH": str(tree / "analysis")}
    step([sys.executable, str(tree / "studies" / "generate.py"), str(program)], env=paths)
    step([sys.executable, str(tree / "tests" / "analysis" / "test_lists.py")], env=paths)
    objects = [str(path) for target in ("omniroll", "omniroll_program") for path in (folder / "CMakeFiles" / f"{target}.dir").rglob("*.o")]
    step([sys.executable, str(tree / "tests" / "structure" / "circles.py"), "nm", *objects])
    print("tests of lists and of circles on the copy: passed")
    return paths


def call_functions(tree):
    """The kernels' functions as calls in place of copies in their callers: the objects compile in a sixth of the time."""
    path, inlined = tree / "kernels" / "compat.h", "#define FN static inline __attribute__((always_inline, unused))"
    text = path.read_text(encoding="utf-8")
    assert text.count(inlined) == 1, f"{path}: no line {inlined}"
    path.write_text(text.replace(inlined, "#define FN static __attribute__((unused))"), encoding="utf-8")


def step(command, **how):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if done.returncode:
        sys.exit(f"the recipes fail {command[:3]}:\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    return done.stdout


def configure(cmake, tree, folder):
    options = {"CMAKE_BUILD_TYPE": "Debug", "CMAKE_C_FLAGS_DEBUG": "-O0", "BUILD_TESTING": "OFF", "OMNIROLL_LANE_OPTIMIZE": "-O0",
               "OMNIROLL_LANE_SCALAR_ONLY": "ON", "OMNIROLL_LANE_SETS": "baseline", "OMNIROLL_WERROR": "ON"}
    step([cmake, "-S", str(tree), "-B", str(folder), "-G", "Ninja", *[f"-D{name}={value}" for name, value in options.items()]])


def compile_files(folder, names):
    """Objects of the files, and a one-lane object."""
    targets = [line.split(": ")[0] for line in step(["ninja", "-t", "targets", "all"], cwd=folder).splitlines()]
    ends = [f"/{name}.o" for name in names if name.endswith(".c")]
    chosen = [target for target in targets if any(target.endswith(end) for end in ends) or re.match(r"lanes_\w+_double_friction$", target)]
    assert len(chosen) >= len(ends), f"not every file of {names} is compiled: {chosen}"
    step(["ninja", *chosen], cwd=folder)
    print(f"compiled: {', '.join(chosen)}")


class Trial:
    """Runs the program in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        said = self.run("compare", self.study("any", vehicle("saturated_coulomb")), codes=(0, 4))
        self.has_reference = "this build has no reference" not in said

    def study(self, name, study):
        (self.folder / f"{name}.json").write_text(json.dumps(study), encoding="utf-8")
        return f"{name}.json"

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode in codes, f"omniroll {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def rows(self, name, study):
        """The rows of a study's result, with their names without units."""
        self.run("run", self.study(name, study), "-q", "-o", f"{name}.h5")
        table = list(csv.reader(io.StringIO(self.run("export", f"{name}.h5"))))
        names = [head.split(" [")[0] for head in table[0]]
        return [dict(zip(names, row)) for row in table[1:]]


def vehicle(law, **contact):
    return {"model": "omni_vehicle", "parameters": {"contact": {"law": law}, "initial": {"vx": 0.3, "yaw_rate": 1},
                                                    "wheel": {"contact": contact} if contact else {}}, **TIMES,
            "output": {"observables": ["final_yaw_rate", "dissipated_energy", "longest_stop", "max_slip", "odometry_x", "final_x"]}}


def check(trial):
    """What each addition does."""
    # The law, and its parameter: no share, no friction; more than Coulomb's where the slip is beyond slip_speed; the reference agrees.
    rows = {share: trial.rows(f"share{share}", vehicle("viscous", viscous_share=share))[0] for share in (0, 1)}
    coulomb = trial.rows("coulomb", vehicle("saturated_coulomb"))[0]
    lost = [float(row["dissipated_energy"]) for row in (rows[0], coulomb, rows[1])]
    assert lost[0] == 0 and lost[1] < lost[2], lost
    varied = {**vehicle("viscous"), "vary": [{"path": "wheel.contact.viscous_share", "values": [0, 1]}]}
    assert [float(row["dissipated_energy"]) for row in trial.rows("varied", varied)] == [lost[0], lost[2]]
    unused = {**vehicle("viscous"), "vary": [{"path": "wheel.contact.lateral_friction", "values": [0.1, 0.3]}]}
    refusal = trial.run("validate", trial.study("unused", unused), codes=(3,))
    assert "lateral_friction" in refusal, refusal
    print("law, wheel parameter: dissipated", lost, "J")
    compared = trial.run("compare", trial.study("compared", vehicle("viscous", viscous_share=0.5)), "--backend", "scalar",
                         "--precision", "double", codes=(0, 4))
    print("law, against the reference:", compared.strip().splitlines()[-1])
    # The observables: wheel angles tell a place near the true one; a vehicle that moves never stops, one at rest stops for the whole run.
    assert abs(float(rows[1]["odometry_x"]) - float(rows[1]["final_x"])) < 0.05 and float(rows[1]["odometry_x"]) > 0, rows[1]
    resting = vehicle("viscous")
    resting["parameters"]["initial"] = {}
    stops = [float(rows[1]["longest_stop"]), float(trial.rows("resting", resting)[0]["longest_stop"])]
    assert stops[0] == 0 and abs(stops[1] - 0.05) < 1e-12, stops
    # The design: points of the unit interval, each once; the mean is near the middle.
    design = {"model": "omni_vehicle", "vary": [{"path": "wheel.friction", "uniform": [0, 1]}],
              "design": {"type": "weyl", "instances": 200}, **TIMES}
    sampled = list(csv.reader(io.StringIO(trial.run("sample", trial.study("weyl", design)))))[1:]
    points = [float(row[-1]) for row in sampled]
    assert len(set(points)) == 200 and abs(sum(points) / 200 - 0.5) < 0.01, points
    expected = (0.5 * math.sqrt(2)) % 1
    assert abs(points[0] - expected) < 1e-12, points[0]
    # The command.
    assert trial.run("instances", "weyl.json").strip() == "200"
    assert "instances" in trial.run("help")
    # The small model: from rest at 0.5 rad on either side it comes back to that; so it does on the reference.
    for side, start in (("right", 0.5), ("left", -0.5)):
        pendulum = {"model": "pendulum", "parameters": {"start": start}, "integrator": {"step": "1 ms", "duration": "3 s"},
                    "engine": {"backend": "scalar"}}
        row = trial.rows(side, pendulum)[0]
        assert abs(float(row["swing"]) - 0.5) < 1e-6, row
    if trial.has_reference:
        compared = trial.run("compare", trial.study("swings", pendulum), "--backend", "scalar", "--precision", "double", codes=(0,))
        print("small model, against the reference:", compared.strip().splitlines()[-1])
    assert "length of the rod" in trial.run("describe", "pendulum", "--json")
    print("observables, design, command, small model: as they should be")


def check_key_and_rule(trial):
    """The key is read, described and refused where its value is none; the rule refuses two keys together."""
    trial.run("validate", trial.study("author", {**vehicle("viscous"), "author": "A. Euler"}))
    refusal = trial.run("validate", trial.study("nobody", {**vehicle("viscous"), "author": 3}), codes=(3,))
    assert "expected a name" in refusal, refusal
    assert "who wrote the study" in trial.run("describe", "omni_vehicle", "--json")
    both = {**vehicle("viscous"), "engine": {"backend": "opencl", "threads": 2}}
    refusal = trial.run("validate", trial.study("both", both), codes=(3,))
    assert "threads" in refusal and "are of the processor" in refusal, refusal
    print("key, rule: as they should be")


def check_joint(trial):
    """A block on a plane at 45 degrees slides down by g/2 sin^2, and across not at all."""
    block = {"mass": 2, "inertia": [1, 1, 1], "at": [0.1, 0.2, 0]}
    joint = {"type": "on_plane", "between": ["base", "block"], "normal": [1, 1, 0]}
    ends = {axis: {"take": "final", "of": f"block.{axis}"} for axis in "xy"}
    system = {"gravity": [0, -10, 0], "bodies": {"block": block}, "constraints": {"slope": joint}, "measures": ends}
    study = {"model": "multibody", "system": system, "integrator": {"tolerance": 1e-10, "duration": "1 s"}}
    trial.run("validate", trial.study("slope", study))
    if not trial.has_reference:
        print("[PART] structure/recipes: joint, small model, law on the reference: this build has none")
        return
    row = trial.rows("slope", study)[0]
    assert abs(float(row["x"]) - 2.6) < 1e-7 and abs(float(row["y"]) + 2.3) < 1e-7, row
    print("joint: as it should be")


def check_plot(trial, paths):
    """The figure is drawn where matplotlib is."""
    if not all(importlib.util.find_spec(name) for name in ("matplotlib", "h5py")):
        print("[PART] structure/recipes: the plot is not drawn: no matplotlib or h5py")
        return
    step([sys.executable, "-m", "omniroll.plot", "varied.h5", "-o", "plots", "--observable", "max_slip"], cwd=trial.folder, env=paths)
    assert (trial.folder / "plots" / "sorted_max_slip.png").stat().st_size > 1000
    print("plot: drawn")


def main():
    root, cmake = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        shutil.copytree(root, folder / "tree", ignore=OMITTED, symlinks=True)
        (folder / "tree" / "build").symlink_to(root / "build")  # headers that tests/install_packages.sh left there
        page = (root / "docs" / "development" / "recipes.md").read_text(encoding="utf-8")
        count_files(page)
        new, changed = apply(folder / "tree", page)
        print(f"new files: {', '.join(new)}\nchanged files: {', '.join(sorted(set(changed)))}")
        run_structure_tests(folder / "tree")
        call_functions(folder / "tree")
        configure(cmake, folder / "tree", folder / "build")
        if os.environ.get("OMNIROLL_TESTS") == "short":
            compile_files(folder / "build", {*new, *changed})
            print("[PART] structure/recipes: shortened by OMNIROLL_TESTS=short; tests/nightly.sh runs it whole")
            return
        step([cmake, "--build", str(folder / "build"), "--target", "omniroll_program", "omniroll_shared"])
        os.mkdir(folder / "trial")
        trial = Trial(folder / "build" / "omniroll", folder / "trial")
        check(trial)
        check_key_and_rule(trial)
        check_joint(trial)
        check_plot(trial, run_list_tests(folder / "tree", folder / "build"))


main()
