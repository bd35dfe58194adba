#!/usr/bin/python3
"""38 measured robots beside those of studies/team_robots.json: table of medians and correlations with mass, and the picture.

    omniroll run studies/team_robots.json
    python3 studies/team_robots.py team_robots.h5 -o studies/team_robots.png

With --gears it finds the gear ratios that give each robot its measured speed forward, and writes studies/team_robots.csv. With --by-mass it lets friction go
with a robot's mass, or scatter, and prints the correlations.
"""
import argparse
import os
import sys
import tempfile

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "analysis"))
import omniroll  # noqa: E402

BLUE, ORANGE, INK = "#0072b2", "#d55e00", "#22262b"
SPEED, RUN_UP, RADIUS = 0.76, 1.2, 0.048  # m/s, m, m
WHEELS = 4 * (0.25 + 10 * 0.015)  # kg
FORWARD, SIDEWAYS = np.array([-1, -1, -1, -1]), np.array([-1, 1, 1, -1])  # signs of the wheels' rates
AXLE, PINS = 0.082, 0.255  # of the study: torque at a wheel, N m; friction of a roller's pins
MOTOR = 0.064  # N m at a wheel: what the motor takes without load, k_t I_0 through the gear
RUNS = ((FORWARD, True), (SIDEWAYS, True), (FORWARD, False), (SIDEWAYS, False))  # and whether driven


def measured() -> dict[str, np.ndarray]:
    with open(os.path.join(HERE, "team_robots_measured.csv"), encoding="utf-8") as file:
        lines = [line.strip().split(",") for line in file if not line.startswith("#")]
    columns = np.array([[float(cell) if cell else np.nan for cell in line] for line in lines[1:]])
    return dict(zip(lines[0], columns.T))


def masses(robots: dict[str, np.ndarray]) -> np.ndarray:
    mass = robots["mass_kg"]
    return np.where(np.isnan(mass), np.nanmedian(mass), mass)


def row(mass: float, gear: float, signs: np.ndarray, driven: bool) -> list[float]:
    """Platform's mass, gear ratio, duties, vx, vz, wheel rates."""
    ahead = signs is FORWARD
    start = 0.0 if driven else SPEED
    return [mass - WHEELS, gear, *(signs if driven else 0 * signs), start if ahead else 0.0, 0.0 if ahead else start, *(signs * start / RADIUS)]


def write_table(path: str, mass: np.ndarray, gears: np.ndarray, runs: tuple[tuple[np.ndarray, bool], ...] = RUNS) -> None:
    wheels = range(4)
    names = ["platform.mass [kg]", "wheel.motor.gear_ratio", *(f"wheels[{i}].drive.duty" for i in wheels), "initial.vx [m/s]", "initial.vz [m/s]",
             *(f"wheels[{i}].initial.rate [rad/s]" for i in wheels)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("# The robots of team_robots_measured.csv, in its order, four runs each: full duty forward and to the right, floating forward and to the right.\n"
                   "# Written by team_robots.py --gears.\n" + ",".join(names) + "\n")
        for m, g in zip(mass, gears):
            for signs, driven in runs:
                file.write(",".join(f"{value:.6g}" for value in row(m, g, signs, driven)) + "\n")


def speeds_at_run_up(result: omniroll.Result, rows: np.ndarray) -> np.ndarray:
    t = result.trajectories
    return np.array([np.interp(RUN_UP, np.hypot(t["x"][k], t["z"][k]), np.hypot(t["vx"][k], t["vz"][k])) for k in rows])


def found(result: omniroll.Result) -> dict[str, np.ndarray]:
    """As measured, of the study's result."""
    rows = np.arange(0, result.instances, len(RUNS))
    decelerations = SPEED**2 / 2 / result.observables["path_length"]
    return {"forward_speed_m_s": speeds_at_run_up(result, rows), "strafe_speed_m_s": speeds_at_run_up(result, rows + 1),
            "forward_deceleration_m_s2": decelerations[rows + 2], "sideways_deceleration_m_s2": decelerations[rows + 3]}


def fit_gears(rounds: int = 5) -> None:
    """Secants on the logarithms; a robot whose speed no gear gives keeps the best one."""
    robots = measured()
    mass, wanted = masses(robots), np.log(robots["forward_speed_m_s"])
    study = omniroll.load(os.path.join(HERE, "team_robots.json"))
    gears, speeds = [np.full(len(mass), 13.73)], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            table = os.path.join(folder, "gears.csv")
            write_table(table, mass, gears[-1], RUNS[:1])
            study["design"]["file"] = table
            omniroll.run(study, output=os.path.join(folder, "gears.h5"), overwrite=True)
            result = omniroll.open_result(os.path.join(folder, "gears.h5"))
            speeds.append(np.log(speeds_at_run_up(result, np.arange(result.instances))))
            slope = np.full(len(mass), -1.0)
            if len(gears) > 1:
                moved = np.log(gears[-1] / gears[-2])
                slope = np.where(np.abs(moved) > 1e-9, (speeds[-1] - speeds[-2]) / np.where(moved == 0, 1, moved), -1.0)
                slope = np.where(slope < -0.2, slope, -1.0)
            gears.append(np.clip(gears[-1] * np.exp((wanted - speeds[-1]) / slope), 5, 40))
    best = np.argmin(np.abs(np.array(speeds) - wanted), axis=0)
    chosen = np.array(gears)[best, np.arange(len(mass))]
    off = np.exp(np.array(speeds)[best, np.arange(len(mass))] - wanted) - 1
    write_table(os.path.join(HERE, "team_robots.csv"), mass, chosen)
    print(f"gear ratios {chosen.min():.1f} to {chosen.max():.1f}, median {np.median(chosen):.1f}; {np.sum(np.abs(off) < 5e-3)} of {len(off)} robots within 0.5 % "
          f"of their speed, the farthest {100 * off[np.argmax(np.abs(off))]:+.0f} %")


def rank_correlation(a: np.ndarray, b: np.ndarray) -> float:
    ranks = [np.array([np.mean(np.flatnonzero(np.sort(x) == value)) for value in x]) for x in (a, b)]
    return float(np.corrcoef(*ranks)[0, 1])


def by_mass() -> None:
    """Rank correlations with mass where the friction of gears and axles goes with the mass, that of the pins with its root, and where that of the pins scatters."""
    robots = measured()
    mass = masses(robots)
    over, same = mass / np.median(mass), np.ones(len(mass))
    gears = np.maximum((AXLE + MOTOR) * over - MOTOR, 0.001)
    cases = {"the study": (AXLE * same, PINS * same), "gears by mass": (gears, PINS * same), "pins by its root too": (gears, PINS * np.sqrt(over))}
    for seed in range(1, 5):
        cases[f"and pins +-20 %, seed {seed}"] = (gears, PINS * np.sqrt(over) * np.exp(0.2 * np.random.default_rng(seed).standard_normal(len(mass))))
    print(f"{'':28}" + "".join(f"{name:>38}" for name in figures(robots)))
    print(f"{'measured':28}" + told(robots, robots))
    with open(os.path.join(HERE, "team_robots.csv"), encoding="utf-8") as file:
        head, *lines = [line.strip() for line in file if not line.startswith("#")]
    study = omniroll.load(os.path.join(HERE, "team_robots.json"))
    with tempfile.TemporaryDirectory() as folder:
        study["design"]["file"], output = os.path.join(folder, "robots.csv"), os.path.join(folder, "robots.h5")
        for name, (torque, pins) in cases.items():
            with open(study["design"]["file"], "w", encoding="utf-8") as file:
                file.write(f"{head},wheel.axle_dry.torque [N m],wheel.roller.dry.friction\n")
                file.writelines(f"{line},{torque[k // len(RUNS)]:.6g},{pins[k // len(RUNS)]:.6g}\n" for k, line in enumerate(lines))
            omniroll.run(study, output=output, overwrite=True, progress=False, **{"integrator.step_error": "off"})
            print(f"{name:28}" + told(found(omniroll.open_result(output)), robots), flush=True)


def figures(robots: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the page compares: both ratios and both decelerations."""
    return {**ratios(robots), "forward deceleration [m/s2]": robots["forward_deceleration_m_s2"], "sideways deceleration [m/s2]": robots["sideways_deceleration_m_s2"]}


def told(robots: dict[str, np.ndarray], real: dict[str, np.ndarray]) -> str:
    """Medians, what the middle two thirds of the robots have of them, and rank correlations with mass, over the robots whose mass is known."""
    known = ~np.isnan(real["mass_kg"])
    text = ""
    for values in figures(robots).values():
        low, high = np.quantile(values, (0.16, 0.84)) / np.median(values)
        text += f"{np.median(values):17.3f} ({low:.2f} to {high:.2f}){rank_correlation(values[known], real['mass_kg'][known]):+7.2f}"
    return text


def ratios(robots: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {"strafe over forward speed": robots["strafe_speed_m_s"] / robots["forward_speed_m_s"],
            "sideways over forward deceleration": robots["sideways_deceleration_m_s2"] / robots["forward_deceleration_m_s2"]}


def print_table(real: dict[str, np.ndarray], model: dict[str, np.ndarray]) -> None:
    known = ~np.isnan(real["mass_kg"])
    mass = real["mass_kg"][known]
    print(f"{'median of 38 robots':38}{'measured':>10}{'here':>10}{'off':>8}     {'rank correlation with mass':28}{'measured':>10}{'here':>8}")
    others = figures(model)
    for name, values in figures(real).items():
        a, b = np.median(values), np.median(others[name])
        print(f"{name:38}{a:10.3f}{b:10.3f}{100 * (b / a - 1):+7.1f}%     {'':28}{rank_correlation(values[known], mass):+10.2f}{rank_correlation(others[name][known], mass):+8.2f}")


def draw(axes: Axes, name: str, mass: np.ndarray, real: np.ndarray, model: np.ndarray) -> None:
    axes.plot(mass, real, "o", color=ORANGE, markersize=5, alpha=0.8, label="measured")
    axes.plot(mass, model, "s", color=BLUE, markersize=4, alpha=0.8, label="model")
    for values, color in ((real, ORANGE), (model, BLUE)):
        axes.axhline(float(np.median(values)), color=color, linewidth=1, linestyle="--")
    axes.set(xlabel="mass [kg]", ylim=(0, None))
    axes.set_title(name, loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#e6e8eb", linewidth=0.6)
    axes.set_axisbelow(True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result", nargs="?", default="team_robots.h5")
    parser.add_argument("-o", "--output", default="team_robots.png")
    parser.add_argument("--gears", action="store_true", help="find the gear ratios and write team_robots.csv; takes a minute")
    parser.add_argument("--by-mass", action="store_true", help="print correlations where friction goes with the mass; takes some minutes")
    arguments = parser.parse_args()
    if arguments.gears or arguments.by_mass:
        (fit_gears if arguments.gears else by_mass)()
        return
    real, model = measured(), found(omniroll.open_result(arguments.result))
    print_table(real, model)
    figure = Figure(figsize=(9.0, 3.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    for axes, (name, values) in zip(figure.subplots(1, 2), ratios(real).items()):
        draw(axes, name, masses(real), values, ratios(model)[name])
    figure.axes[0].legend(frameon=False, fontsize=8, loc="lower left")
    figure.savefig(arguments.output, facecolor="white")


if __name__ == "__main__":
    main()
