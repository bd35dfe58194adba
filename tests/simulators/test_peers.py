"""The parts of tests/bench/peers.py that need neither MuJoCo nor Exudyn; and, where build/peers-venv has them, one short run each."""

import contextlib
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import h5py
import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(ROOT, "tests", "bench")
RESULT = os.path.join(BENCH, "results", "peers-intel-xeon-2-cores.json")
VENV = os.path.join(ROOT, "build", "peers-venv", "bin", "python")
sys.path.insert(0, BENCH)
import peer_vehicle as pv  # noqa: E402
import peers  # noqa: E402

PROGRAM = os.environ.get("OMNIROLL", "")


def yardstick():
    with open(os.path.join(BENCH, "yardstick.json"), encoding="utf-8") as file:
        return json.load(file)


def listed():
    return json.loads(subprocess.run([PROGRAM, "describe", "omni_vehicle", "--json"], capture_output=True, text=True, check=True).stdout)


def trace(**parameters):
    """Samples of the yardstick's nominal vehicle, every millisecond of its first 40."""
    study = yardstick()
    study.pop("vary"), study.pop("design")
    study["parameters"].update(parameters)
    study["integrator"] = {"method": "rosenbrock", "step": "0.1 ms", "duration": "40 ms"}
    study["output"] = {"observables": ["final_x"], "trajectories": {"instances": [0], "interval": "1 ms"}}
    with tempfile.TemporaryDirectory() as folder:
        path, result = os.path.join(folder, "study.json"), os.path.join(folder, "result.h5")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study, file)
        subprocess.run([PROGRAM, "run", path, "-o", result, "-q"], check=True, stderr=subprocess.DEVNULL)
        with h5py.File(result) as file:
            return {name: data[()] for name, data in file["trajectories"].items()}


def plain(**members):
    """A vehicle of other numbers than the yardstick's, without the program's lists."""
    made = {"mass": 16.0, "yaw_inertia": 1.0, "height": 0.1, "half_length": 0.25, "half_width": 0.2, "radius": 0.1, "rollers": 9,
            "inclination": math.pi / 4, "tip_radius": 0.008, "friction": 0.6, "slip_speed": 0.005, "density": 1500.0, "kp": 2.0,
            "ki": 20.0, "vx": 0.5, "vz": 0.3, "ramp_time": 0.5, "disc_mass": 0.5, "disc_axial_inertia": 1e-3,
            "disc_diametral_inertia": 6e-4, "gravity": 9.81, "duration": 2.0, "controller_period": 1e-3}
    return {**made, **members}


SHAPES = [plain(), plain(rollers=6, inclination=0.0, tip_radius=0.012), plain(rollers=12, inclination=0.9, radius=0.06, tip_radius=0.004)]


def below_axle(vehicle, place, radius, q):
    """Depth below the axle of a sphere at `place` along the axis of the roller at contact angle q: its centre is R1 from the axle's,
    along the axis (cos psi cos q, cos psi sin q) in the wheel's plane (appendix/rollers.md#contact-point)."""
    center = pv.roller_center(vehicle)
    return center * np.cos(q) - place * math.cos(vehicle["inclination"]) * np.sin(q) + radius


class Geometry(unittest.TestCase):
    def test_profile_stands_on_the_floor_at_the_wheels_radius(self):
        """The turned section at q: the deepest point of the profile is R below the axle for every q."""
        for vehicle in SHAPES:
            alpha = pv.half_angle(vehicle)
            for q in np.linspace(-alpha, alpha, 21):
                sections, radii = pv.profile(vehicle, np.linspace(-alpha, alpha, 20001))
                up = math.sin(q) * math.cos(vehicle["inclination"])
                lowest = np.max(pv.roller_center(vehicle) * math.cos(q) - sections * up + radii * math.sqrt(1 - up * up))
                self.assertAlmostEqual(lowest, vehicle["radius"], delta=1e-9 * vehicle["radius"])  # sampled at 1e-4 of the angle

    def test_spheres_touch_the_profile_from_inside(self):
        for vehicle in SHAPES:
            alpha = pv.half_angle(vehicle)
            places, radii = pv.profile(vehicle, np.linspace(-alpha, alpha, 4001))
            for k, (place, radius) in enumerate(pv.sphere_chain(vehicle, 15)):
                section, height = pv.profile(vehicle, alpha * ((2 * k + 1) / 15 - 1))
                self.assertAlmostEqual(math.hypot(section - place, height), radius, delta=1e-15)
                self.assertGreater(np.min(np.hypot(places - place, radii)) - radius, -1e-15)

    def test_wheel_on_spheres_sinks_as_deep_as_stated(self):
        for vehicle in SHAPES:
            for count in (5, 15):
                q = np.linspace(-pv.half_angle(vehicle), pv.half_angle(vehicle), 20001)
                depth = np.max([below_axle(vehicle, place, radius, q) for place, radius in pv.sphere_chain(vehicle, count)], axis=0)
                self.assertLess(np.max(depth) - vehicle["radius"], 1e-15)
                stated = pv.chain_deviation(vehicle, count)
                self.assertAlmostEqual(vehicle["radius"] - np.min(depth), stated, delta=1e-3 * stated)

    def test_capsule_is_as_round_as_stated_and_no_other_is_rounder(self):
        for vehicle in SHAPES:
            half, radius = pv.capsule(vehicle)
            q = np.linspace(0, pv.half_angle(vehicle), 20001)

            def depths(half_length, radius=radius, q=q, vehicle=vehicle):
                return np.maximum(below_axle(vehicle, half_length, radius, q), below_axle(vehicle, -half_length, radius, q))

            low, high = pv.capsule_deviation(vehicle)
            self.assertAlmostEqual(np.min(depths(half)) - vehicle["radius"], low, delta=1e-9)
            self.assertAlmostEqual(np.max(depths(half)) - vehicle["radius"], high, delta=1e-9)
            self.assertAlmostEqual(np.mean(depths(half)), vehicle["radius"], delta=1e-6)
            for other in (0.9 * half, 1.1 * half):
                self.assertGreater(np.ptp(depths(other)), high - low)


@unittest.skipUnless(PROGRAM, "OMNIROLL names no program")
class AgainstOmniroll(unittest.TestCase):
    def test_controller_asks_for_the_torques_of_omniroll(self):
        vehicle = pv.vehicle_of(yardstick(), listed())
        samples = trace()
        controller = pv.Controller(vehicle, 1e-3)
        held = samples["torque"][0][1:]  # a sample has the torque that was held up to it
        for k, (rates, torques) in enumerate(zip(samples["wheel_rate"][0], held)):
            for mine, given in zip(controller.torques(1e-3 * k, rates), torques):
                self.assertAlmostEqual(mine, given, delta=1e-13)
        self.assertGreater(np.max(np.abs(samples["torque"])), 0.1)

    def test_mass_is_that_of_the_loads_and_yaw_inertia_that_of_the_accelerations(self):
        """N adds up to the weight. A vehicle that turns on the spot with wheels and rollers locked has, at its start, forces under
        every wheel and no gyroscopic moment: J yaw'' is the moment of the forces at the contact points (section 5)."""
        vehicle = pv.vehicle_of(yardstick(), listed())
        samples = trace(initial={"yaw_rate": 1.0})
        weight = pv.total_mass(vehicle) * vehicle["gravity"]
        self.assertAlmostEqual(np.sum(samples["normal_load"][0][0]), weight, delta=1e-9 * weight)
        moment = 0.0
        for i, (a, b, _) in enumerate(pv.places(vehicle)):
            moment += samples["force_i"][0][0][i] * b - samples["force_k"][0][0][i] * a
            self.assertEqual(samples["contact_angle"][0][0][i], 0)  # so that the contact points are below the wheels' centres
        self.assertAlmostEqual(moment / samples["yaw_acceleration"][0][0], pv.yaw_inertia(vehicle), delta=1e-9)


class Table(unittest.TestCase):
    def test_prints_every_row_of_a_kept_file(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), unittest.mock.patch.object(sys, "argv", ["peers.py", "--table", RESULT]):
            self.assertEqual(peers.main(), 0)
        with open(RESULT, encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        printed = [line for line in out.getvalue().split("\n") if line.startswith("|")][2:]
        self.assertEqual(len(printed), len(rows))
        for line, row in zip(printed, rows):
            self.assertIn(f"| {row['name']} | {row['at']} | {row.get('error') or format(row['speed'], '.3g')} |", line)

    def test_a_refused_row_tells_why_and_is_never_the_fastest(self):
        good = {"name": "A", "at": "2 ms", "speed": 10.0, "spread": 1.0, "busy": 1.0, "own": {"position": [1e-3, 2e-3]}}
        told = {"rows": [{"name": "A", "at": "4 ms", "error": "unstable at this step"}, good], "path_error": 5e-3}
        self.assertIn("unstable at this step", peers.line_of(told["rows"][0]))
        self.assertEqual(peers.fastest(told)[1], "  A: 10 at 2 ms")
        told["path_error"] = 1e-3  # the worst vehicle counts
        self.assertEqual(peers.fastest(told)[1], "  A: none of these steps")

    def test_page_shows_the_kept_table(self):
        with open(RESULT, encoding="utf-8") as file:
            lines = peers.table(json.load(file))
        with open(os.path.join(ROOT, "docs", "evidence", "bench.md"), encoding="utf-8") as file:
            page = file.read().split("\n")
        for line in lines:
            if line.startswith("| ") and not line.startswith("| ---"):
                self.assertIn(line, page)


class Models(unittest.TestCase):
    """What needs the peers themselves; they are no part of CI."""

    def measure(self, module, shape):
        worker = peers.Worker(VENV if os.path.exists(VENV) else sys.executable, module)
        self.addCleanup(worker.process.stdout.close)
        self.addCleanup(worker.close)
        if "error" in worker.told:
            self.skipTest(f"{module}: {worker.told['error']}")
        vehicle = plain(duration=1.0)
        run = worker.ask(vehicles=[vehicle], shape=shape, step=2e-3)["runs"][0]
        peers.check_masses(vehicle, shape, run["masses"])
        self.assertLess(peers.deviation_of(vehicle, run["steady"]), 0.1)  # 1 s: the command still grows, wheels lag
        self.assertLess(abs(run["pose"][2]), 5e-3)
        with self.assertRaises(peers.Refused):
            peers.check_masses(plain(mass=17.0), shape, run["masses"])

    def test_mujoco_capsules(self):
        self.measure("mujoco", "capsules")

    def test_mujoco_spheres(self):
        self.measure("mujoco", "spheres")

    def test_exudyn_discs(self):
        self.measure("exudyn", "discs")


if __name__ == "__main__":
    unittest.main()
