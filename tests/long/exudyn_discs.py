"""Exudyn's rolling discs beside omniroll's: a free disc against rolling_disc, vehicles on discs with friction angle against disc_vehicle: level, and with a platform that heaves, pitches and rolls.

    build/peers-venv/bin/python tests/long/exudyn_discs.py PROGRAM        # about a minute

needs Exudyn 1.13.6 or later in the Python that runs it (tests/bench/peers.py makes such an environment). Both programs get the same
parameters. Exudyn integrates with the trapezoidal rule, with iterations of its discontinuous variables to 1e-9, at steps that are halved
three or four times; its results are extrapolated to step 0 (Neville, in powers of the step). omniroll takes steps that it has converged at.
Printed are both, and the difference; the end is 1 where one exceeds its bound. A bouncing disc is there with each word of ground.pull;
its forces jump, and so the steps of both leave an error in proportion to them."""
import json
import math
import os
import subprocess
import sys
import tempfile
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "bench"))
try:
    import peer_exudyn as px
except ImportError as reason:
    sys.exit(f"exudyn_discs.py: {reason}; tests/bench/peers.py installs Exudyn in build/peers-venv")
import exudyn  # noqa: E402
import exudyn.itemInterface as items  # noqa: E402
import numpy as np  # noqa: E402
import peer_vehicle as pv  # noqa: E402

MASS, RADIUS, AXIAL, DIAMETRAL, GRAVITY = 2.0, 0.3, 0.09, 0.05, 9.81
STIFFNESS = 2e4
REST = MASS * GRAVITY / STIFFNESS  # depth at which the spring bears the disc


# ---- omniroll ----------------------------------------------------------------------------------------------------------------------

def run(program, study, names, words=()):
    """Columns in the last line; before them stand the instance's number and, of trajectories, the time."""
    with tempfile.TemporaryDirectory() as folder:
        path, result = os.path.join(folder, "study.json"), os.path.join(folder, "result.h5")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(study, file)
        subprocess.run([program, "run", path, "-o", result, "-q"], check=True, stderr=subprocess.DEVNULL)
        told = subprocess.run([program, "export", result, *words, "--columns", ",".join(names)], check=True, capture_output=True, text=True)
    return np.array([float(value) for value in told.stdout.split("\n")[-2].split(",")[-len(names):]])


def omniroll_disc(program, case, words):
    """(x, height, z) at the end. In omniroll's axes the normal is y."""
    friction = {name: case[name] for name in ("lateral", "longitudinal", "lateral_viscous", "longitudinal_viscous", "angle",
                                              "slip_speed", "rolling")}
    parameters = {"mass": MASS, "radius": RADIUS, "axial_inertia": AXIAL, "diametral_inertia": DIAMETRAL,
                  "ground": {"stiffness": STIFFNESS, "damping": case["damping"], **words}, "friction": {**friction, "zone": case["zone"]},
                  "initial": {"height": case["height"], "tilt": case["tilt"], "spin": case["spin"],
                              "velocity": {"x": case["vx"], "y": 0, "z": 0}}}
    study = {"model": "rolling_disc", "parameters": parameters,
             "integrator": {"method": "rk4", "step": case["step"], "duration": case["duration"]}, "output": {}}
    return run(program, study, ("final_x", "final_height", "final_z"))


def omniroll_vehicle(program, vehicle, free):
    """(x, z, yaw) at the end of a vehicle on springs; of one whose platform is free also its height, pitch and roll."""
    with open(os.path.join(ROOT, "tests", "bench", "yardstick.json"), encoding="utf-8") as file:
        study = json.load(file)
    del study["vary"], study["design"]
    study["model"] = "disc_vehicle"
    study["parameters"]["contact"] = {"normal": "compliant", "damper": "kelvin_voigt"} if free else {"normal": "penalty"}
    study["parameters"]["wheel"]["contact"] = {"stiffness": px.STIFFNESS, "damping": px.DAMPING}
    study["integrator"] = {"method": "rk4", "step": "5 us", "duration": vehicle["duration"]}
    if not free:
        return run(program, study, ("final_x", "final_z", "final_yaw"))
    tilt = px.TILT * vehicle["yaw_inertia"]
    study["parameters"]["platform"].update({"roll_inertia": tilt, "pitch_inertia": tilt})
    study["output"] = {"trajectories": {"instances": "all", "interval": vehicle["duration"]}}
    return run(program, study, ("x", "z", "yaw", "height", "pitch", "roll"), ("--trajectories",))


# ---- Exudyn ------------------------------------------------------------------------------------------------------------------------

def solve(system, duration, step):
    made = exudyn.SimulationSettings()
    made.solution.file.write = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.timeIntegration.endTime = duration
        made.timeIntegration.numberOfSteps = round(duration / step)
        made.timeIntegration.verboseMode = 0
        made.timeIntegration.newton.relativeTolerance = 1e-10
        made.timeIntegration.newton.absoluteTolerance = 1e-13
        made.timeIntegration.discontinuous.iterationTolerance = 1e-9
        made.timeIntegration.discontinuous.maxIterations = 50
        made.timeIntegration.discontinuous.ignoreMaxIterations = True
    system.SolveDynamic(made, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)


def exudyn_disc(case, step):
    """(x, height, z) at the end, in omniroll's axes. Exudyn's are (x, -z, y) of these: at heading 0 w_lat is its y, w1 = sin(tilt) y
    + cos(tilt) z, and a positive spin rolls along x."""
    axis = np.array([0, math.sin(case["tilt"]), math.cos(case["tilt"])])
    across = np.array([-1.0, 0, 0])
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddMarker(items.MarkerBodyRigid(bodyNumber=system.AddObject(items.ObjectGround()), localPosition=[0, 0, 0]))
    inertia = exudyn.rigidBodyUtilities.RigidBodyInertia(mass=MASS, inertiaTensor=np.diag([AXIAL, DIAMETRAL, DIAMETRAL]))
    body = system.CreateRigidBody(
        inertia=inertia, referencePosition=[0, 0, case["height"]],
        referenceRotationMatrix=np.column_stack([axis, across, np.cross(axis, across)]), initialVelocity=[case["vx"], 0, 0],
        initialAngularVelocity=list(case["spin"] * axis), gravity=[0, 0, -GRAVITY])
    data = system.AddNode(items.NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))
    system.AddObject(items.ObjectConnectorRollingDiscPenalty(
        markerNumbers=[ground, system.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, 0]))], nodeNumber=data,
        discRadius=RADIUS, discAxis=[1, 0, 0], planeNormal=[0, 0, 1], dryFrictionAngle=case["angle"], contactStiffness=STIFFNESS,
        contactDamping=case["damping"], dryFriction=[case["lateral"], case["longitudinal"]],
        viscousFriction=[case["lateral_viscous"], case["longitudinal_viscous"]], dryFrictionProportionalZone=case["slip_speed"],
        rollingViscousFriction=case["rolling"], useLinearProportionalZone=case["zone"] == "linear"))
    system.Assemble()
    solve(system, case["duration"], step)
    x, y, z = system.GetObjectOutputBody(body, exudyn.OutputVariableType.Position, [0, 0, 0])
    return np.array([x, z, -y])


def exudyn_vehicle(vehicle, step, free):
    platform = px.FREE if free else px.LEVEL
    system = exudyn.SystemContainer().AddSystem()
    tree = px.add_tree(system, vehicle, platform)
    px.add_discs(system, vehicle, tree, platform)
    system.Assemble()
    system.SetPreStepUserFunction(px.Driver(system, vehicle, tree, step, platform))
    solve(system, vehicle["duration"], step)
    end = system.systemData.GetODE2Coordinates()
    level = [end[0], -end[1], end[3]]
    return np.array(level + [end[2], -end[4], end[5]] if free else level)


def extrapolated(results):
    """Limit of results at steps h, h/2, h/4, ...: their polynomial in h at 0."""
    row = list(results)
    for order in range(1, len(row)):
        row = [(2**order * fine - coarse) / (2**order - 1) for coarse, fine in zip(row, row[1:])]
    return row[0]


# ---- what is compared --------------------------------------------------------------------------------------------------------------

LAW = {"lateral": 0.3, "longitudinal": 0.5, "lateral_viscous": 0.05, "longitudinal_viscous": 0.02, "angle": 0.4, "slip_speed": 0.05,
       "rolling": 0.02, "damping": 300.0, "zone": "quadratic", "duration": 0.5, "step": 2e-6}
TILTED = {**LAW, "tilt": 1.2, "spin": 6.0, "vx": 1.8, "height": RADIUS * math.sin(1.2) - REST}
UPRIGHT = {**LAW, "tilt": math.pi / 2, "rolling": 0.0}
DISCS = [("tilted disc, within the quadratic zone", TILTED, 1e-8), ("tilted disc, within the linear zone", {**TILTED, "zone": "linear"}, 1e-8),
         ("upright disc, sliding into rolling", {**UPRIGHT, "spin": 14.0, "vx": 0.5, "height": RADIUS - REST}, 1e-7)]
BOUNCING = {**UPRIGHT, "spin": 20.0, "vx": 0.0, "height": 0.35, "longitudinal": 0.2, "duration": 1.0, "angle": 0.0, "damping": 40.0}


def show(what, here, there, bound):
    apart = float(np.max(np.abs(here - there)))
    verdict = "" if bound is None else f"  (at most {bound:g}: {'ok' if apart <= bound else 'TOO LARGE'})"
    print(f"{what:<52} omniroll {np.array2string(here, precision=9)} apart {apart:.1e}{verdict}", flush=True)
    return bound is None or apart <= bound


def compare_discs(program):
    good = True
    for what, case, bound in DISCS:
        there = extrapolated([exudyn_disc(case, 5e-4 / 2**k) for k in range(5)])
        good &= show(what, omniroll_disc(program, case, {}), there, bound)
    return good


def compare_bounces(program):
    """The word `exudyn` must be within the error of Exudyn's own steps, the others outside of it."""
    fine, finer = (exudyn_disc(BOUNCING, step) for step in (2e-5, 1e-5))
    print(f"bouncing disc: Exudyn {np.array2string(finer, precision=6)} at 10 us, {np.max(np.abs(finer - fine)):.1e} from that at 20 us")
    apart = {}
    for word in ("exudyn", "allowed", "none"):
        here = omniroll_disc(program, BOUNCING, {"pull": word})
        show(f"bouncing disc, ground.pull = {word}", here, finer, None)
        apart[word] = float(np.max(np.abs(here - finer)))
    good = apart["exudyn"] < 2e-5 and min(apart["allowed"], apart["none"]) > 5e-3
    print(f"  the word exudyn {'agrees' if good else 'DOES NOT AGREE'}, and it alone")
    return good


def compare_vehicles(program):
    """Level for 1 s; with a free platform for 0.3 s of driving off, while it leans."""
    listed = json.loads(subprocess.run([program, "describe", "omni_vehicle", "--json"], check=True, capture_output=True).stdout)
    with open(os.path.join(ROOT, "tests", "bench", "yardstick.json"), encoding="utf-8") as file:
        vehicle = pv.vehicle_of(json.load(file), listed)
    good = True
    for free, duration, what in ((False, 1.0, "controlled, 1 s"), (True, 0.3, "free platform, 0.3 s")):
        case = {**vehicle, "duration": duration}
        there = extrapolated([exudyn_vehicle(case, 1e-3 / 2**k, free) for k in range(2, 6)])
        good &= show(f"mecanum vehicle on painted discs, {what}", omniroll_vehicle(program, case, free), there, 1e-7)
    return good


def main():
    program = os.path.abspath(sys.argv[1])
    print(f"Exudyn {exudyn.__version__}; final positions in m, angles in rad")
    good = [compare_discs(program), compare_bounces(program), compare_vehicles(program)]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
