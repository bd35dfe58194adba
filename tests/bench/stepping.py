#!/usr/bin/env python3
"""A batch that is stepped beside `omniroll.run` of the same vehicles: processor time of both, by turns, in one process.

    PYTHONPATH=analysis python3 tests/bench/stepping.py [STUDY] [--vehicles 65536] [--control 0.01] [--step 1e-3]
        [--method rk4] [--seconds 0.2] [--rounds 3]

Inputs are set and pose, velocities and wheel rates are read before every step of the batch; the run has the same inputs. Both use an object that was
compiled for the study. A share above 1 is a batch that takes less time than the run."""
import argparse
import os
import resource
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "analysis"))
import omniroll  # noqa: E402

STUDY = os.path.join(ROOT, "studies", "how-to", "step_vehicles.json")
COMMAND = {"vx": 0.4, "yaw_rate": 0.5}
READ = ("x", "z", "yaw", "vx", "vz", "yaw_rate", "wheel_rate")


def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("study", nargs="?", default=STUDY)
    parser.add_argument("--vehicles", type=int, default=65536)
    parser.add_argument("--control", type=float, default=0.01)
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--method", default="rk4")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    settings = {"design.instances": options.vehicles, "parameters.command": {"type": "constant", **COMMAND},
                "integrator": {"method": options.method, "step": options.step, "duration": options.seconds, "step_error": "off", "stability": "ignore"}, "engine": {"backend": "openmp", "compile": "always"}, "output": {"observables": ["final_x", "final_yaw"]}}
    with omniroll.Batch(options.study, set=settings) as batch:
        batch.observe(*READ)
        seen = np.empty((batch.count, len(batch.columns)))
        print(f"{batch.count} vehicles of {batch.wheels} wheels on {batch.device}; steps of {1e3 * options.step:g} ms, control every {1e3 * options.control:g} ms")
        inputs = {f"command.{name}": np.full(batch.count, value) for name, value in COMMAND.items()}
        for _ in range(options.rounds):
            before = spent()
            run = omniroll.run(options.study, set=settings)
            between = spent()
            batch.reset()
            started = spent()
            for _ in range(round(options.seconds / options.control)):
                batch.set(inputs)
                batch.step(options.control)
                batch.read(seen)
            end = spent()
            same = np.array_equal(seen[:, 0], run.final_x.values)
            print(f"run {between - before:.2f} s, batch {end - started:.2f} s (reset {started - between:.2f} s): share {(between - before) / (end - started):.3f}; "
                  f"final x {'has the same bits' if same else 'DIFFERS'}")


if __name__ == "__main__":
    main()
