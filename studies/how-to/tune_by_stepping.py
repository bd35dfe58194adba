"""A linear law of tracking is learned on hundreds of vehicles at once: docs/how-to/step-vehicles.md.

tune_by_stepping.py [--generations 30] [--seed 1] [--output tune_by_stepping.png]"""
import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from omniroll.figures.style import COLORS, STYLE
from omniroll.stepping import Tracking

STUDY, LIMITS = "studies/how-to/step_vehicles.json", (0.8, 0.8, 2.0)  # m/s, m/s, rad/s
LAWS, VEHICLES, ELITE = 24, 16, 6  # of a generation; for each law; laws that the next generation comes from


def make_task(count, seconds, groups=1):
    return Tracking(STUDY, count, actions={"command": LIMITS}, seconds=seconds, groups=groups)


def features(seen):
    """Error, velocities, reference's velocities now and soon: the wheels' rates tell nothing new."""
    return np.delete(seen, slice(6, 10), axis=1)


def by_hand():
    """The reference's velocities, and twice the error in a second: a row for each command."""
    law = np.zeros((3, 15))
    law[:, 0:3], law[:, 6:9] = 2 * np.eye(3), np.eye(3)
    return law


def drive(task, laws, seed):
    """An episode in which every law (l, 3, 15) has its share of the vehicles: their mean rewards and position errors over time."""
    share = task.count // len(laws)
    seen, info = task.reset(seed)
    rewards, errors = np.zeros(task.count), []
    for _ in range(round(task.seconds / task.period)):
        inputs = features(seen).reshape(len(laws), share, -1)
        seen, reward, _, _, info = task.step(np.einsum("lvf,lcf->lvc", inputs, laws).reshape(task.count, 3) / LIMITS)
        rewards += reward
        errors.append(info["position_error"])
    return rewards.reshape(len(laws), share), np.array(errors).reshape(-1, len(laws), share)


def learn(generations, seconds, rng):
    """Cross-entropy method: laws are drawn around a mean, meet the same vehicles and figures, and the best make the next mean and spread."""
    mean, spread = by_hand(), np.full((3, 15), 0.2)
    spread[:, 0:3] = 1.0
    task = make_task(LAWS * VEHICLES, seconds, groups=LAWS)
    for generation in range(generations):
        laws = mean + spread * rng.normal(size=(LAWS, *mean.shape))
        rewards, _ = drive(task, laws, int(rng.integers(2**31)))
        best = laws[np.argsort(rewards.mean(axis=1))[-ELITE:]]
        mean, spread = best.mean(axis=0), 0.7 * spread + 0.3 * best.std(axis=0)
        print(f"generation {generation + 1:3} of {generations}: spread {spread.mean():.3f}", flush=True)
    task.close()
    return mean


def interval(values):
    """Mean and 95 % interval, in mm."""
    mean, wide = 1e3 * values.mean(), 1.96e3 * values.std(ddof=1) / np.sqrt(len(values))
    return f"{mean:6.2f} mm ({mean - wide:.2f} to {mean + wide:.2f})"


def trace(law, seed):
    """Ways of reference and vehicle of one episode of an eight."""
    task = Tracking(STUDY, 1, actions={"command": LIMITS}, seconds=8.0, figures=["eight"], size=(0.5, 0.5), speed=(0.6, 0.6))
    seen, _ = task.reset(seed)
    ways = []
    for _ in range(round(task.seconds / task.period) - 1):
        seen, *_ = task.step(features(seen) @ law.T / LIMITS)
        ways.append([*task.reference.at(task.batch.times())[0][0, :2], *task.batch.read()[0, :2]])
    task.close()
    return np.array(ways).T


def draw(path, errors, laws):
    """Errors of all fresh vehicles, and one way."""
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
        for (name, each), color in zip(errors.items(), COLORS):
            left.step(np.sort(1e3 * each), np.arange(1, len(each) + 1) / len(each), where="post", label=name, color=color)
        left.set(xscale="log", xlabel="RMS distance from the reference in mm", ylabel="share of vehicles", ylim=(0, 1))
        left.legend()
        for (name, law), color in zip(laws.items(), COLORS):
            x, z, own_x, own_z = trace(law, 5)
            right.plot(own_z, own_x, color=color, label=name)
        right.plot(z, x, "k--", linewidth=1, label="reference")
        right.set(xlabel="z in m, to the right", ylabel="x in m", aspect="equal")
        right.legend()
        figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=4.0, help="of an episode")
    parser.add_argument("--vehicles", type=int, default=512, help="fresh ones, for the verdict")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", default="tune_by_stepping.png")
    given = parser.parse_args()
    laws = {"by hand": by_hand(), "learned": learn(given.generations, given.seconds, np.random.default_rng(given.seed))}

    # Both laws meet the same vehicles and figures, which the search has not seen.
    task = make_task(given.vehicles * 2, given.seconds, groups=2)
    _, distances = drive(task, np.stack(list(laws.values())), seed=given.seed + 2**31)
    task.close()
    errors = dict(zip(laws, np.sqrt((distances**2).mean(axis=0))))
    for name, each in errors.items():
        print(f"{name:8}{interval(each)}")
    print(f"less    {interval(errors['by hand'] - errors['learned'])}")
    draw(given.output, errors, laws)


if __name__ == "__main__":
    main()
