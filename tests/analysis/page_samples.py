"""A page of every kind, each made of a small run of its own or of a file of this project: page_samples.page("nested", folder).

    python3 tests/analysis/page_samples.py FOLDER [NAME...]     makes them all, or some, to be looked at

The program is that of OMNIROLL; the package is found by PYTHONPATH. Vehicles run for half a second, so that all of them take seconds."""

import functools
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
from types import ModuleType

HERE = pathlib.Path(__file__).resolve().parent
STUDIES = HERE.parents[1] / "studies"
BENCH = HERE.parent / "bench" / "results" / "amd-epyc-zen5-2-cores.csv"
VEHICLE = {
    "model": "omni_vehicle",
    "parameters": {
        "platform": {"mass": "20 kg", "yaw_inertia": "0.8 kg m2", "center_of_mass": {"x": "2 cm", "height": "15 cm"}},
        "layout": {"type": "rectangle", "mecanum": True, "half_length": "25 cm", "half_width": "20 cm"},
        "wheel": {"radius": "10 cm", "rollers": 9, "inclination": "45 deg", "tip_radius": "8 mm", "friction": 0.4, "slip_speed": "1 cm/s",
                  "roller": {"density": "1500 kg/m3"}, "drive": {"type": "body", "kp": "2 N m s", "ki": "20 N m"}},
        "command": {"type": "tanh", "vz": "0.5 m/s", "ramp_time": "0.2 s"},
    },
    "statistics": {"fail": {"off_course": "max_cross_track > 2 mm", "shakes": "vibration_rms > 0.5 m/s2"}},
    "integrator": {"tolerance": 1e-3, "duration": "0.5 s"},
}
ROLLERS = {"path": "wheel.rollers", "values": [6, 8, 9, 12]}
INCLINATION = {"path": "wheel.inclination", "values": ["30 deg", "45 deg", "60 deg"]}
DRAWN = [{"path": "wheel.friction", "uniform": [0.2, 0.8]}, {"path": "platform.mass", "truncated_normal": ["20 kg", "4 kg", "12 kg", "30 kg"]},
         {"path": "platform.center_of_mass.x", "normal": [0, "2 cm"]}]
STUDY = {
    "line": {"title": "How many rollers keep a mecanum vehicle from shaking?", "vary": [ROLLERS]},
    "grid": {"title": "Rollers and their inclination: a grid of designs", "vary": [ROLLERS, INCLINATION],
             "output": {"trajectories": {"instances": [0, 5], "interval": "5 ms"}}},
    "nested": {"title": "Which wheel, when loads and floors are uncertain?",
               "vary": [ROLLERS, INCLINATION, *DRAWN], "design": {"type": "nested", "sample": "sobol", "per_cell": 8, "seed": 1}},
    "monte_carlo": {"title": "How far does a vehicle stray under uncertain loads and floors?", "vary": DRAWN,
                    "design": {"type": "monte_carlo", "instances": 64, "seed": 1},
                    "output": {"trajectories": {"instances": "all", "interval": "10 ms"}}},
    "saltelli": {"title": "What does the vibration depend on? Indices of Sobol'", "vary": DRAWN,
                 "design": {"type": "saltelli", "groups": 32, "seed": 1}},
    "morris": {"title": "What does the vibration depend on? Elementary effects", "vary": DRAWN,
               "design": {"type": "morris", "trajectories": 8, "seed": 1}},
    "one_at_a_time": {"title": "One parameter at a time", "design": {"type": "one_at_a_time"},
                      "vary": [ROLLERS, INCLINATION, {"path": "wheel.friction", "values": [0.2, 0.4, 0.6]}]},
    "single": {"title": "One vehicle, driven sideways", "output": {"trajectories": {"instances": [0], "interval": "2 ms"}}},
}


def _ran(study, target):
    """Runs a study, a dictionary, into a file."""
    source = target.with_suffix(".json")
    source.write_text(json.dumps(study), encoding="utf-8")
    _program("run", source, "-o", target, "-q")


def _program(*arguments):
    subprocess.run([os.environ["OMNIROLL"], *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def _ready(name, target, *options):
    """Runs a ready study, shortened by options."""
    _program("run", STUDIES / f"{name}.json", "-o", target, "-q", *options)


def _set(*pairs):
    return [word for pair in pairs for word in ("--set", pair)]


def _failures(target):
    """Instances that fail: some lift a wheel, some make no vehicle, some spend their budget."""
    _program("run", HERE / "failures.json", "-o", target, "-q")


def _rare(target):
    """Subset simulation of a tall vehicle that lifts a wheel."""
    _ready("rare_lift_off", target, *_set("design.instances=100"))


def _small(target):
    """A small model over two parameters, with paths."""
    _ready("rolling_disc", target, *_set("integrator.tolerance=1e-4", "integrator.duration=2"))


def _compare(target):
    """The engine against the reference; where the build has none, made by hand."""
    try:
        _program("compare", STUDIES / "compare_mecanum.json", "-o", target, "-q", "--backend", "openmp",
                 *_set("integrator.duration=0.1", "integrator.step=2e-5"))
    except subprocess.CalledProcessError:
        import test_report
        test_report.write_pair(target)


OTHER = {"failures": _failures, "rare": _rare, "small": _small, "compare": _compare}
NAMES = (*STUDY, *OTHER, "bench", "figures")


@functools.cache
def page(name, folder):
    """The page of a kind, made once: its path."""
    import omniroll

    target = pathlib.Path(folder) / f"{name}.h5"
    if name == "figures":
        _program("figures", "--quick", "-o", pathlib.Path(folder) / "figures", "source4-geometry")
        return pathlib.Path(folder) / "figures" / "index.html"
    if name == "bench":
        target = pathlib.Path(shutil.copy(BENCH, folder))
    elif name in STUDY:
        _ran({**VEHICLE, **STUDY[name]}, target)
    else:
        OTHER[name](target)
    return pathlib.Path(omniroll.report(str(target), str(target.with_suffix(".html"))))


@functools.cache
def _screens() -> ModuleType:
    """tests/cli/screens.py, which shortens starters and ready studies."""
    spec = importlib.util.spec_from_file_location("screens", HERE.parent / "cli" / "screens.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def studies(folder: str) -> dict[str, pathlib.Path]:
    """The files of every ready study and, written to the folder, of every starter, which is called starter_KIND."""
    return _screens().studies(pathlib.Path(folder))


def ready_page(name: str, folder: str) -> pathlib.Path:
    """The page of a starter or ready study, shortened: its path."""
    import omniroll

    target = pathlib.Path(folder).resolve() / name
    done = _screens().ran(studies(folder)[name], str(target))
    if done.returncode not in (0, 10, 11):
        raise AssertionError(f"{name}: {done.stderr.strip()}")
    return pathlib.Path(omniroll.report(f"{target}.h5", f"{target}.html"))


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    for each in sys.argv[2:] or NAMES:
        print(page(each, sys.argv[1]))
