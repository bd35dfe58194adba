#!/usr/bin/env python3
"""omniroll beside MuJoCo and Exudyn: the same vehicle and manoeuvre, on one core, in one run, taking turns.

    /usr/bin/python3 tests/bench/peers.py PROGRAM [--vehicles 4] [--instances 2048] [--rounds 5] [--json FILE]
    /usr/bin/python3 tests/bench/peers.py --table FILE          # the table of a kept file, nothing measured

MuJoCo and Exudyn come from the Python registry into a virtual environment of their own (--venv, made at the first call; --no-install
measures what there is). What is measured, and how errors are defined, is on docs/evidence/bench.md."""
import argparse
import datetime
import json
import math
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import peer_vehicle as pv  # noqa: E402

PACKAGES = ("mujoco", "exudyn", "numpy")
FINEST = {"method": "rosenbrock", "step": 2**-7 * 1e-3}
FIXED = [{"method": "rosenbrock", "step": step * 1e-3} for step in (4, 2, 1, 0.5, 0.25, 0.125, 0.0625)]
# (name, model, settings of the integrator); runs with a tolerance have their place here, {"method": ..., "tolerance": ...}
OMNIROLL = [("omniroll, rollers", "omni_vehicle", run) for run in FIXED]
OMNIROLL += [("omniroll, tolerance", "omni_vehicle", {"method": "ros2", "tolerance": tolerance}) for tolerance in (0.1, 0.03, 0.01)]
OMNIROLL += [("omniroll, tolerance", "omni_vehicle", {"method": "ros34pw2", "tolerance": tolerance}) for tolerance in (0.01, 1e-3)]
OMNIROLL += [("omniroll, painted discs", "disc_vehicle", run) for run in FIXED[:4]]
# (name, module, shape, steps, the step of the peer's own finest run), steps in ms
PEERS = [("MuJoCo, capsules", "mujoco", "capsules", (8, 4, 2, 1), 0.25), ("MuJoCo, spheres", "mujoco", "spheres", (8, 4, 2, 1), 0.25),
         ("MuJoCo, ellipsoids", "mujoco", "ellipsoids", (8, 4, 2, 1), 0.25),
         ("Exudyn, discs", "exudyn", "discs", (8, 4, 2, 1), 0.125)]
COUNT = {"capsules": 36, "spheres": 36, "ellipsoids": 36, "discs": 4}  # bodies on the floor: rollers, discs
OBSERVABLES = ("vibration_rms", "dissipated_energy")
FOLLOWS = 0.05  # largest deviation of the steady velocity from the command, over its size
SHARED = 0.9  # a process that had less of its core than this was not alone


class Refused(Exception):
    """A row that cannot be measured, with the reason."""


# ---- omniroll ----------------------------------------------------------------------------------------------------------------------

def study_of(study, model, run, vehicles=None):
    """The study with another model and integrator; where `vehicles` are given, that many of the first instances traced."""
    made = json.loads(json.dumps(study))
    made["model"] = model
    made["integrator"] = {"duration": study["integrator"]["duration"], **run}
    made["engine"] = {"backend": "openmp", "threads": 1}
    wanted = ["final_x", "final_z", "final_yaw", "path_length", *OBSERVABLES]
    made["output"] = {"observables": wanted}
    if vehicles:
        made["output"]["trajectories"] = {"instances": list(range(vehicles)), "interval": "20 ms"}
    return made


def run_omniroll(program, study):
    """Columns, attributes and steady velocities (where traced) of a run, seconds that its process computed, and the share of the core
    that it had."""
    with tempfile.TemporaryDirectory() as folder:
        path, result = os.path.join(folder, "study.json"), os.path.join(folder, "result.h5")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study, file)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run([program, "run", path, "-o", result, "-q"], capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise Refused(done.stderr.strip().split("\n")[-1])
        with h5py.File(result) as file:
            columns = {name: data[()] for name, data in file["instances"].items() if data.ndim == 1}
            attributes = {name: value.item() if hasattr(value, "item") else value for name, value in file.attrs.items()}
            traced = {name: file["trajectories"][name][()] for name in ("time", "vx", "vz")} if "trajectories" in file else None
    if np.any(columns["status"] != 0):
        raise Refused(f"{np.sum(columns['status'] != 0)} instances failed")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return columns, attributes, steady_of(traced), seconds, seconds / wall


def steady_of(traced):
    if traced is None:
        return None
    late = traced["time"] >= 0.8 * traced["time"][-1]
    return np.stack([traced["vx"][:, late].mean(axis=1), traced["vz"][:, late].mean(axis=1)], axis=1)


def poses(columns):
    return np.stack([columns["final_x"], columns["final_z"], columns["final_yaw"]], axis=1)


def distance(found, truth, path):
    """Distances of the final positions over the path's length."""
    return np.hypot(found[:, 0] - truth[:, 0], found[:, 1] - truth[:, 1]) / path


def middle_and_worst(values):
    return [float(np.median(values)), float(np.max(values))]


def omniroll_errors(columns, truth):
    found = {"position": middle_and_worst(distance(poses(columns), poses(truth), truth["path_length"]))}
    for name in ("path_length", *OBSERVABLES):
        found[name] = middle_and_worst(np.abs(columns[name] / truth[name] - 1))
    return found


class Omniroll:
    """One row: a model of omniroll under one setting of its integrator. Its whole process counts, from start to written file."""

    def __init__(self, bench, name, model, run):
        self.bench, self.study = bench, study_of(bench.study, model, run)
        at = f"{1e3 * run['step']:g} ms" if "step" in run else f"{run['method']}, tolerance {run['tolerance']:g}"
        self.row = {"name": name, "at": at, "integrator": run, "turns": []}
        self.truth = bench.truth[model]

    def turn(self):
        columns, _, _, seconds, busy = run_omniroll(self.bench.program, self.study)
        self.row["turns"].append((len(columns["status"]) * self.bench.duration / seconds, busy))
        if "own" not in self.row:
            self.row["own"] = omniroll_errors(columns, self.truth)
            if self.truth is not self.bench.truth["omni_vehicle"]:
                rollers = self.bench.truth["omni_vehicle"]
                self.row["model"] = middle_and_worst(distance(poses(columns), poses(rollers), rollers["path_length"]))


# ---- MuJoCo and Exudyn -------------------------------------------------------------------------------------------------------------

class Worker:
    """A process with one of the peers, spoken to by lines of JSON."""

    def __init__(self, python, module):
        lone = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self.folder = tempfile.TemporaryDirectory()  # MuJoCo writes its log of warnings where it runs
        self.process = subprocess.Popen([os.path.abspath(python), "-B", os.path.join(HERE, "peer_worker.py"), module],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        cwd=self.folder.name, env={**os.environ, **lone})
        self.told = self.read()

    def read(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the peer's process ended"}

    def ask(self, **request):
        if "error" in self.told:
            raise Refused(self.told["error"])
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = self.read()
        if "error" in reply:
            raise Refused(reply["error"])
        return reply

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


def check_masses(vehicle, shape, found):
    """Refuses a model whose mass, yaw inertia or number of bodies on the floor are not omniroll's."""
    mass, yaw, count = found
    if abs(mass / pv.total_mass(vehicle) - 1) > 1e-9 or abs(yaw / pv.yaw_inertia(vehicle) - 1) > 1e-9 or count != COUNT[shape]:
        raise Refused(f"other masses than omniroll's: {mass:.9g} kg, {yaw:.9g} kg m2, {count} {shape}; omniroll has "
                      f"{pv.total_mass(vehicle):.9g} kg, {pv.yaw_inertia(vehicle):.9g} kg m2, {COUNT[shape]}")


def deviation_of(vehicle, steady):
    """Deviation of the mean velocity of the last fifth from what is commanded then, over its size."""
    late = [pv.command_at(vehicle, vehicle["duration"] * (0.8 + 0.002 * k)) for k in range(101)]
    wanted = [sum(pair[i] for pair in late) / len(late) for i in (0, 1)]
    return math.hypot(steady[0] - wanted[0], steady[1] - wanted[1]) / math.hypot(*wanted)


class Peer:
    """One row: a peer's model at one step."""

    def __init__(self, bench, name, module, shape, step):
        self.bench, self.shape, self.worker = bench, shape, bench.workers[module]
        self.row = {"name": name, "at": f"{step:g} ms", "turns": []}
        self.finest, self.seconds = bench.finest.get(name), step * 1e-3

    def turn(self):
        if isinstance(self.finest, str):
            raise Refused(self.finest)
        reply = self.worker.ask(vehicles=self.bench.vehicles, shape=self.shape, step=self.seconds)
        runs = reply["runs"]
        self.row["turns"].append((self.bench.duration * len(runs) / sum(run["seconds"] for run in runs), reply["busy"]))
        self.row["settings"] = self.worker.told["settings"]
        if "own" not in self.row:
            self.judge(runs)

    def judge(self, runs):
        for vehicle, run in zip(self.bench.vehicles, runs):
            check_masses(vehicle, self.shape, run["masses"])
        found = np.array([run["pose"] for run in runs])
        steady = [deviation_of(vehicle, run["steady"]) for vehicle, run in zip(self.bench.vehicles, runs)]
        if not max(steady) <= 1:
            raise Refused("unstable at this step")
        if max(steady) > FOLLOWS:
            raise Refused(f"does not follow the command: off by {100 * max(steady):.3g} % of it")
        rollers = {name: values[:len(runs)] for name, values in self.bench.truth["omni_vehicle"].items()}
        discs = {name: values[:len(runs)] for name, values in self.bench.truth["disc_vehicle"].items()}
        self.row["steady"] = max(steady)
        self.row["own"] = {"position": middle_and_worst(distance(found, self.finest, rollers["path_length"]))}
        self.row["model"] = middle_and_worst(distance(found, poses(rollers), rollers["path_length"]))
        self.row["model_yaw"] = float(np.max(np.abs(found[:, 2] - poses(rollers)[:, 2])))
        if self.shape == "discs":
            self.row["discs"] = middle_and_worst(distance(found, poses(discs), discs["path_length"]))


# ---- the run -----------------------------------------------------------------------------------------------------------------------

class Bench:
    def __init__(self, options):
        self.program, self.options = os.path.abspath(options.program), options
        with open(options.study, encoding="utf-8") as file:
            self.study = json.load(file)
        self.study["design"]["instances"] = options.instances
        listed = json.loads(subprocess.run([self.program, "describe", "omni_vehicle", "--json"], capture_output=True, text=True,
                                           check=True).stdout)
        self.nominal = pv.vehicle_of(self.study, listed)
        self.duration = self.nominal["duration"]
        self.find_truth()
        python = peers_python(options)
        self.workers = {module: Worker(python, module) for module in dict.fromkeys(peer[1] for peer in PEERS)}
        self.find_finest()

    def find_truth(self):
        """The finest runs of omniroll's two models, and the vehicles that the peers get: the first instances."""
        self.truth, count = {}, self.options.vehicles
        for model in ("omni_vehicle", "disc_vehicle"):
            finest = study_of(self.study, model, FINEST, count)
            self.truth[model], told, steady, _, _ = run_omniroll(self.program, finest)
            if model == "omni_vehicle":
                self.told, self.steady = told, steady
        columns = self.truth["omni_vehicle"]
        self.vehicles = [{**self.nominal, "friction": float(columns["wheel_friction"][i]),
                          "inclination": float(columns["wheel_inclination"][i])} for i in range(count)]

    def find_finest(self):
        """Final poses of the peers at their own finest step, or why there are none."""
        self.finest = {}
        for name, module, shape, _, step in PEERS:
            try:
                runs = self.workers[module].ask(vehicles=self.vehicles, shape=shape, step=step * 1e-3)["runs"]
                self.finest[name] = np.array([run["pose"] for run in runs])
            except Refused as reason:
                self.finest[name] = str(reason)

    def measure(self):
        """All rows, by turns; the first turn warms up and judges, its time does not count."""
        entries = [Omniroll(self, *entry) for entry in OMNIROLL]
        entries += [Peer(self, name, module, shape, step) for name, module, shape, steps, _ in PEERS for step in steps]
        for round_ in range(self.options.rounds + 1):
            for entry in entries:
                if "error" in entry.row:
                    continue
                try:
                    entry.turn()
                except Refused as reason:
                    entry.row["error"] = str(reason)
            if round_ == 0:
                for entry in entries:
                    entry.row["turns"] = []
            print(f"round {round_} of {self.options.rounds}", file=sys.stderr, flush=True)
        for worker in self.workers.values():
            worker.close()
        return [finished(entry.row) for entry in entries]


def finished(row):
    """The row with the speed of its best turn, the spread of all, and the share of the core that the best one had."""
    turns = row.pop("turns")
    if "error" not in row:
        speed, busy = max(turns)
        row.update(speed=speed, spread=speed / min(turns)[0], busy=busy)
    return row


def peers_python(options):
    """The Python of the peers' environment, made if need be; this one where there is none."""
    python = os.path.join(options.venv, "bin", "python")
    if not os.path.exists(python) and not options.no_install:
        made = [[sys.executable, "-m", "venv", options.venv], [python, "-m", "pip", "install", "-q", "--only-binary", ":all:", *PACKAGES]]
        for command in made:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                print(f"peers.py: {' '.join(command)}: {done.stderr.strip()[-300:]}", file=sys.stderr)
                break
    return python if os.path.exists(python) else sys.executable


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        name = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
    return {"processor": name, "cores": os.cpu_count(), "os": platform.platform()}


def gather(bench, rows):
    first = bench.vehicles[0]
    low, high = pv.capsule_deviation(first)
    return {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), "machine": machine(),
            "versions": {"omniroll": f"{bench.told['omniroll_version']}, {bench.told['device']}",
                         **{name: worker.told.get("version", worker.told.get("error")) for name, worker in bench.workers.items()},
                         "python": platform.python_version()},
            "study": os.path.relpath(bench.options.study, ROOT), "instances": bench.options.instances, "rounds": bench.options.rounds, "path_error": bench.options.path_error,
            "vehicles": [{name: vehicle[name] for name in ("friction", "inclination")} for vehicle in bench.vehicles],
            "mass": pv.total_mass(first), "yaw_inertia": pv.yaw_inertia(first), "finest_step": FINEST["step"],
            "steady": np.asarray(bench.steady).tolist(), "spheres": pv.SPHERES, "sphere_deviation": pv.chain_deviation(first, pv.SPHERES),
            "capsule_deviation": [low, high], "rows": rows}


# ---- the table ---------------------------------------------------------------------------------------------------------------------

HEAD = ("model", "step", "vehicle-s/s", "spread", "position, own finest", "position, omniroll", "vibration_rms", "dissipated_energy")
NOTES = """\
Speeds are vehicle-seconds per second of processor time on one core, the best of {rounds} rounds; spread is the slowest round's time over \
the best's. omniroll: the whole process, from start to written file; MuJoCo and Exudyn: calls that step alone.
Errors are median (worst) of the vehicles: {instances} of omniroll, the first {count} of them of the others.
position, own finest: distance of the final position to that of the same model's finest run (omniroll {finest:.4g} ms, MuJoCo 0.25 ms, \
Exudyn 0.125 ms), over the path's length; vibration_rms and dissipated_energy likewise.
position, omniroll: distance to omniroll's converged run with rollers: what the model leaves out, and the step.
All: {mass:.6g} kg, {yaw:.6g} kg m2 about the vertical, 4 wheels of 9 rollers, the same PI controller (1 ms, or the step where that is \
longer); the mean velocity of the last fifth is the commanded one within {follows} (omniroll's rollers, converged: {steady:.1%}).
MuJoCo, capsules: the rolling radius goes from {low:+.2f} to {high:+.2f} mm of the wheel's; soft contact, friction cone without a slip \
speed. {capsules}.
MuJoCo, spheres: {spheres} spheres a roller, of which the true profile is the envelope; the wheel sinks at most {deep:.0f} um between \
them; contact and friction as above.
MuJoCo, ellipsoids: one a roller, as long as makes it touch the wheel's circle with the same curvature in the middle; contact and friction as above.
Exudyn, discs: painted discs, no rollers, no exchanges; friction of source 4. {exudyn}. Distance to omniroll's painted discs, converged: \
{discs}."""


def percent(value):
    return f"{100 * value:.3g} %"


def cell(values, form="{:.1e}".format):
    return "" if values is None else f"{form(values[0])} ({form(values[1])})"


def line_of(row):
    own = row.get("own", {})
    if "error" in row:
        return [row["name"], row["at"], row["error"]] + [""] * (len(HEAD) - 3)
    return [row["name"], row["at"], f"{row['speed']:.3g}", f"{row['spread']:.2f}",
            cell(own.get("position")), cell(row.get("model")), cell(own.get("vibration_rms"), percent),
            cell(own.get("dissipated_energy"), percent)]


def table(told):
    """Lines of the table, as a page shows it, and its notes."""
    lines = [HEAD, ["---"] * len(HEAD)] + [line_of(row) for row in told["rows"]]
    return ["| " + " | ".join(line) + " |" for line in lines] + [""] + notes(told)


def first_of(rows, name, key, missing="not measured"):
    return next((row[key] for row in rows if row["name"] == name and key in row), missing)


def notes(told):
    rows, versions = told["rows"], told["versions"]
    follows = max((row["steady"] for row in rows if "steady" in row), default=None)
    nominal = {"vx": 0.5, "vz": 0.3, "ramp_time": 0.5, "duration": 2.0}
    discs = [f"{cell(row['discs'])} at {row['at']}" for row in rows if "discs" in row]
    text = NOTES.format(
        rounds=told["rounds"], instances=told["instances"], count=len(told["vehicles"]), finest=1e3 * told["finest_step"],
        mass=told["mass"], yaw=told["yaw_inertia"],
        follows="(none measured)" if follows is None else f"{follows:.1%}",
        steady=max(deviation_of(nominal, pair) for pair in told["steady"]), low=1e3 * told["capsule_deviation"][0],
        high=1e3 * told["capsule_deviation"][1], spheres=told["spheres"], deep=1e6 * told["sphere_deviation"],
        capsules=first_of(rows, "MuJoCo, capsules", "settings"), exudyn=first_of(rows, "Exudyn, discs", "settings"),
        discs=", ".join(discs) or "not measured")
    about = [f"{told['machine']['processor']}, one core; {told['date'][:10]}; "
             + "; ".join(f"{name} {version}" for name, version in versions.items())]
    shared = [row["name"] for row in rows if row.get("busy", 1) < SHARED]
    if shared:
        about.append(f"The machine was not idle: {len(shared)} of {len(rows)} rows had less than {SHARED:.0%} of their core. Time that others "
                     "had is not counted, but they slow caches and memory.")
    return about + text.split("\n") + fastest(told)


def fastest(told):
    """For each model the largest step that keeps the position of every vehicle within `path_error` of the path."""
    lines = [f"Fastest with every vehicle's final position within {told['path_error']:g} of the path from the model's own finest run:"]
    for name in dict.fromkeys(row["name"] for row in told["rows"]):
        good = [row for row in told["rows"] if row["name"] == name and "own" in row and row["own"]["position"][1] <= told["path_error"]]
        best = max(good, key=lambda row: row["speed"], default=None)
        lines.append(f"  {name}: " + (f"{best['speed']:.3g} at {best['at']}" if best else "none of these steps"))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", help="the omniroll program")
    parser.add_argument("--table", metavar="FILE", help="print the table of a kept file")
    parser.add_argument("--json", metavar="FILE", help="keep what was measured")
    parser.add_argument("--study", default=os.path.join(HERE, "yardstick.json"))
    parser.add_argument("--vehicles", type=int, default=4, help="instances that the peers run")
    parser.add_argument("--instances", type=int, default=2048, help="instances that omniroll runs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--path-error", type=float, default=5e-3, help="error of the final position, over the path's length")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--venv", default=os.path.join(ROOT, "build", "peers-venv"))
    parser.add_argument("--no-install", action="store_true", help="fetch nothing")
    options = parser.parse_args()
    if options.table:
        with open(options.table, encoding="utf-8") as file:
            print("\n".join(table(json.load(file))))
        return 0
    if not options.program:
        parser.error("PROGRAM is missing")
    os.sched_setaffinity(0, {options.core})
    bench = Bench(options)
    told = gather(bench, bench.measure())
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)
            file.write("\n")
    print("\n".join(table(told)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
