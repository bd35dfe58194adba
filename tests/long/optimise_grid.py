"""Does the search find with a twentieth of a grid's work what the grid finds?   optimise_grid.py [--quick]

The problem of studies/mecanum_design.json with inclination and tip radius to choose: 64 x 64 candidates of 64 vehicles each, against a search with
at most a twentieth of the vehicles. Both winners run again on the same fresh draws, and the front of two objectives is compared by its
hypervolume, on fresh draws too. The winner's failure probability is held against its interval on new seeds. --quick: a 16 x 16 grid and
fewer draws, which shows that the script works and no more."""
import json
import os
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis"))
import omniroll  # noqa: E402
from omniroll.optimising import Problem  # noqa: E402
from omniroll.optimising.front import hypervolume  # noqa: E402

QUICK = "--quick" in sys.argv
SIDE, DRAWS, FRESH, SEEDS = (16, 16, 2048, 20) if QUICK else (64, 64, 100000, 100)
STUDY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "studies", "mecanum_design.json")


def study(objectives):
    source = omniroll.Study(STUDY).source
    del source["output"]
    source["vary"] = [one for one in source["vary"] if one["path"] not in ("wheel.rollers", "wheel.inclination")]
    source["design"] = {"type": "candidates", "sample": "sobol", "per_cell": DRAWS, "seed": 1, "correlation": source["design"]["correlation"],
                        "variables": [{"path": "wheel.inclination", "between": ["25 deg", "65 deg"]},
                                      {"path": "wheel.tip_radius", "between": ["4 mm", "9 mm"]}]}
    source["objectives"] = objectives
    source["constraints"] = {"fit": "probability(unfit) <= 30 %"}
    source["integrator"]["step_error"] = "off"
    return source


SHAKING = {"shaking": {"minimize": "mean(vibration_rms)"}}
BOTH = {**SHAKING, "way": {"maximize": "mean(path_length)"}}


def grid(problem):
    low, high = (np.array([getattr(v, end) for v in problem.variables]) for end in ("low", "high"))
    sides = [np.linspace(a, b, SIDE) for a, b in zip(low, high)]
    points = np.array([[x, y] for x in sides[0] for y in sides[1]])
    parts = [problem.evaluate(points[i:i + 64], draws=DRAWS) for i in range(0, len(points), 64)]
    return points, problem.evaluation(np.concatenate([p.values for p in parts]), margins=np.concatenate([p.margins for p in parts]),
                                      failed=np.concatenate([p.failed for p in parts]), draws=np.concatenate([p.draws for p in parts]))


def front_of(costs, feasible):
    rows = np.flatnonzero(feasible)
    return [i for i in rows if not any((costs[j] <= costs[i]).all() and (costs[j] < costs[i]).any() for j in rows)]


def main():
    two, one = Problem(study(BOTH)), Problem(study(SHAKING))
    begun = time.perf_counter()
    points, found = grid(two)
    work = len(points) * DRAWS
    print(f"grid: {len(points)} candidates of {DRAWS}, {work} vehicles, {time.perf_counter() - begun:.0f} s, {found.feasible.sum()} feasible", flush=True)
    theirs = points[found.order()[0]]

    # One goal: both winners on the same fresh draws.
    budget = work // 20
    begun = time.perf_counter()
    optimum = one.minimize(budget=budget, seed=3, population=16, draws=8 if not QUICK else 4, progress=False)
    ours = np.array([list(optimum.best.variables.values())])
    print(f"search: {optimum.spent:.0f} of {budget} vehicles, {time.perf_counter() - begun:.0f} s\n{optimum}", flush=True)
    apart = one.compare(ours, theirs, draws=FRESH, seed=777)
    print(f"shaking, ours {ours[0]} less the grid's {theirs} on {FRESH} fresh draws: {apart.difference[0, 0]:+.6f} "
          f"({apart.low[0, 0]:+.6f} to {apart.high[0, 0]:+.6f}) m/s2", flush=True)

    # The share of unfit vehicles: the truth of many draws against intervals on new seeds.
    source = study(SHAKING)
    source["objectives"]["unfit"] = {"minimize": "probability(unfit)"}
    share = Problem(source)
    truth = share.evaluate(ours, draws=FRESH, seed=778).values[0, 1]
    hits = 0
    for seed in range(1000, 1000 + SEEDS):
        told = share.evaluate(ours, draws=256, seed=seed)
        hits += bool(told.low[0, 1] <= truth <= told.high[0, 1])
    print(f"probability of unfit: {truth:.5f} by {FRESH} draws; inside the interval of 256 draws on {hits} of {SEEDS} new seeds", flush=True)

    # Two goals: both fronts on fresh draws.
    grids = front_of(found.costs, found.feasible)
    optimum = two.minimize(budget=budget, seed=3, population=16, draws=8 if not QUICK else 4, progress=False)
    rows = np.array([list(each.variables.values()) for each in optimum.front])
    fresh = 1024 if not QUICK else 64
    fronts = [two.evaluate(np.array(at), draws=fresh, seed=779) for at in (points[grids], rows)]
    worst = np.max(np.concatenate([each.costs for each in fronts]), axis=0)
    areas = []
    for each in fronts:
        kept = front_of(each.costs, np.ones(len(each.costs), dtype=bool))
        areas.append(hypervolume(each.costs[kept], worst))
    print(f"front: {len(grids)} of the grid, {len(rows)} of the search with {optimum.spent:.0f} vehicles; hypervolume {areas[1]:.6g} against "
          f"{areas[0]:.6g}: {100 * areas[1] / areas[0]:.2f} %")
    print(json.dumps({"difference": apart.difference[0, 0], "low": apart.low[0, 0], "high": apart.high[0, 0], "hits": hits, "areas": areas}))
    kept = one.evaluate(np.concatenate([ours, [theirs]]), draws=fresh, seed=780).feasible
    print(f"constraints on fresh draws: ours {'kept' if kept[0] else 'broken'}, the grid's {'kept' if kept[1] else 'broken'}")
    return 0 if kept[0] and apart.low[0, 0] <= 0 and hits >= 0.9 * SEEDS and areas[1] >= 0.98 * areas[0] else 1


if __name__ == "__main__":
    sys.exit(main())
