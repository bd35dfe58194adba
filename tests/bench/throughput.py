"""Instance-steps per second of the backends on studies/first.json, the cost of the number of rollers, of implicit contact
tracking, of the methods of integration and of the laws of contact, measured in one run.

    /usr/bin/python3 tests/bench/throughput.py build/release/omniroll [--rounds N]

Every round runs all rows one after another; the table shows the best round of each and its ratio to the scalar build of the same
instruction set. Timings of a busy machine are worth little: look at the spread."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import h5py

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(program, study, folder, overrides):
    """Kernel seconds, instance-steps and device of one run."""
    path = os.path.join(folder, "result.h5")
    command = [program, "run", study, "-o", path, "--quiet"]
    for override in overrides:
        command += ["--set", override]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    with h5py.File(path) as f:
        return (float(f.attrs["kernel_seconds"]), float(f.attrs["instance_steps"]), f.attrs["device"]), ""


def backends(program, folder, rounds, duration):
    rows = []
    for isa in ("avx512", "avx2", "baseline"):
        rows += [(f"{kind} {isa}", [f"engine.backend={kind}", f"engine.device={isa}"]) for kind in ("scalar", "openmp")]
    rows += [("opencl vector", ["engine.backend=opencl"]), ("opencl scalar", ["engine.backend=opencl", "engine.lanes=1"])]
    study = os.path.join(ROOT, "studies", "first.json")
    speeds = {name: [] for name, _ in rows}
    for _ in range(rounds):
        for name, overrides in rows:
            shorter = 0.05 if "baseline" in name else 1.0
            measured, why = run(program, study, folder, overrides + [f"integrator.duration={duration * shorter}"])
            if measured is None:
                print(f"{name}: {why}", file=sys.stderr)
                continue
            speeds[name].append(measured[1] / measured[0])
    print(f"first.json, double, {duration} s simulated, best of {rounds} rounds")
    print(f"  {'backend':<18}{'instance-steps/s':>18}{'worst/best':>12}{'ratio to scalar of its set':>28}")
    for name, values in speeds.items():
        if not values:
            continue
        isa = name.split()[1] if name.split()[1] in ("avx512", "avx2", "baseline") else "avx512"
        base = speeds.get(f"scalar {isa}") or speeds.get("scalar avx2") or values
        print(f"  {name:<18}{max(values):>18.3e}{min(values) / max(values):>12.2f}{max(values) / max(base):>28.2f}")


def roller_cost(program, folder, rounds):
    """Three wheels at 10 rad/s, steps of 0.1 ms; every wheel starts at an angle of its own."""
    study = {
        "model": "omni_vehicle",
        "parameters": {
            "platform": {"mass": 10, "yaw_inertia": 0.7}, "overlap": "allow",
            "layout": {"type": "ring", "wheels": 3, "radius": 0.3},
            "wheel": {"radius": 0.1, "tip_radius": 0.005, "friction": 0.3, "slip_speed": 0.5, "initial": {"rate": -10},
                      "roller": {"mass": 0.11, "axial_inertia": 3e-5, "diametral_inertia": 7e-5}},
            "initial": {"yaw_rate": 10 / 3}},
        "vary": [{"path": "wheel.initial.angle", "uniform": [-3, 3], "each": True}],
        "design": {"type": "monte_carlo", "instances": 2048},
        "integrator": {"step": 1e-4, "duration": 1}, "engine": {"backend": "openmp"}}
    path = os.path.join(folder, "rollers.json")
    with open(path, "w") as f:
        json.dump(study, f)
    counts = (4, 8, 16, 32, 64)
    print(f"cost of the number of rollers, 10 rad/s, three wheels, 0.1 ms, best of {rounds} rounds, relative to 4 rollers")
    for exchange in ("split", "straddle"):
        best = {n: float("inf") for n in counts}
        for _ in range(rounds):
            for n in counts:
                measured, why = run(program, path, folder, [f"parameters.wheel.rollers={n}", f"integrator.exchange={exchange}"])
                if measured is None:
                    sys.exit(why)
                best[n] = min(best[n], measured[0])
        print(f"  {exchange:<10}" + "".join(f"{n:>4} rollers {best[n] / best[4]:.3f}" for n in counts))


def tracking_cost(program, folder, rounds, duration):
    """Time of a step with implicit contact tracking over that with explicit tracking; source 1 measured 1.5 for its whole
    testbench. Explicit and implicit runs alternate. "both": instances of one study differ in it, and each pack computes both."""
    trackings = {"explicit": ["explicit"] * 2, "implicit": ["implicit"] * 2, "both": ["explicit", "implicit"]}
    print(f"cost of contact tracking, double, {duration} s simulated, best of {rounds} rounds, relative to explicit")
    for study in ("first.json", "testbench.json"):
        for backend in ("scalar", "openmp"):
            best = {name: float("inf") for name in trackings}
            for _ in range(rounds):
                for name, values in trackings.items():
                    vary = [{"path": "wheel.friction", "linspace": [0.1, 0.6, 1024]},
                            {"path": "contact.tracking", "values": values}]
                    overrides = [f"vary={json.dumps(vary)}", "output={}", f"engine.backend={backend}",
                                 f"integrator.duration={duration}"]
                    measured, why = run(program, os.path.join(ROOT, "studies", study), folder, overrides)
                    if measured is None:
                        sys.exit(why)
                    best[name] = min(best[name], measured[0] / measured[1])
            ratios = "".join(f"{name:>10} {best[name] / best['explicit']:.3f}" for name in trackings)
            print(f"  {study:<16}{backend:<8}{ratios}")


def relative_costs(program, folder, rounds, duration, variants):
    """Time of a step of first.json under each variant (name -> overrides) relative to the first one, OpenMP, scalar and OpenCL; the
    variants alternate."""
    study = os.path.join(ROOT, "studies", "first.json")
    first = next(iter(variants))
    for backend in ("openmp", "scalar", "opencl"):
        best = {name: float("inf") for name in variants}
        for _ in range(rounds):
            for name, sets in variants.items():
                overrides = ["output={}", f"engine.backend={backend}", f"integrator.duration={duration}", *sets]
                measured, why = run(program, study, folder, overrides)
                if measured is None:
                    print(f"{backend} {name}: {why}", file=sys.stderr)
                    continue
                best[name] = min(best[name], measured[0] / measured[1])
        print(f"  {backend:<8}" + "".join(f"  {name} {best[name] / best[first]:.3f}" for name in variants))


def methods(program, folder, rounds, duration):
    """Cost of a step of each method relative to RK4."""
    names = ("rk4", "midpoint", "heun", "semi_implicit_euler", "rosenbrock")
    print(f"cost of a step of the methods, first.json, double, best of {rounds} rounds, relative to rk4")
    relative_costs(program, folder, rounds, duration, {name: [f"integrator.method={name}"] for name in names})


def laws(program, folder, rounds, duration):
    """Cost of a step under each law relative to saturated Coulomb; cut rollers, since pointed tips are no rolling constraint."""
    cut = ["parameters.overlap=allow", "parameters.wheel.tip_radius=8 mm"]
    words = {"saturated_coulomb": "", "regularized_coulomb": "", "ideal_rolling": "", "udwadia_kalaba": "",
             "udwadia_kalaba, tanh": ', "weights": "tanh"', "udwadia_kalaba, contact-wise": ', "relaxation": "contact_wise"',
             "massless_rollers": "", "classical_rollers": ""}
    variants = {name: cut + [f'parameters.contact={{"law": "{name.split(",")[0]}"{more}}}'] for name, more in words.items()}
    print(f"cost of a step of the laws, first.json with cut rollers, double, best of {rounds} rounds, relative to saturated_coulomb")
    relative_costs(program, folder, rounds, duration, variants)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--duration", type=float, default=1.0, help="simulated seconds of first.json")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        backends(arguments.program, folder, arguments.rounds, arguments.duration)
        roller_cost(arguments.program, folder, arguments.rounds)
        tracking_cost(arguments.program, folder, arguments.rounds, arguments.duration)
        methods(arguments.program, folder, arguments.rounds, arguments.duration)
        laws(arguments.program, folder, arguments.rounds, arguments.duration)


if __name__ == "__main__":
    main()
