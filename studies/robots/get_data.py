#!/usr/bin/env python3
"""Makes the measured runs of studies/robots/data from the public data set that they come from.

    python3 studies/robots/get_data.py                          fetches the set's files and thins them
    python3 studies/robots/get_data.py --source optiodom        takes a copy of the set that is there
    python3 studies/robots/get_data.py --every 1 --out full     writes every row of the logs
    python3 studies/robots/get_data.py --as-summed --out raw    omni4: sums the rows of the log as they are
    python3 studies/robots/get_data.py --as-measured --out raw  leaves in the turns what sideways motion loses of the yaw

Rows of omni3 are 40 ms apart and hold counts of 12288 a turn. Rows of omni4 are 10 ms apart, and hold the turns of a message of 40 ms, divided by
four and repeated until the next message comes, which is after 3 or 4 rows: 3.6 on average in squares, 3.76 in circles. Sums of rows therefore fall
short of the turns by 10 and 6 %. Here every message counts once, by four times its rows' value.

While they go sideways and turn, both robots turn less than their wheels do: by SIDEWAYS_LOSS for each metre sideways, against the sense of turning.
Nothing in the engine does that. So the turns that studies replay are less by it, the same for all wheels, which changes the yaw alone; ROBOTS.md has
how much it explains, and book.py --loss fits it to the circles that the studies fit.

Every file is compared with its checksum in data/SHA256SUMS. Needs Python alone.
"""
import argparse
import hashlib
import math
import os
import re
import sys
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
REVISION = "8e025fd"
WEB = f"https://raw.githubusercontent.com/sousarbarb/optiodom/{REVISION}"
TITLE = "# OptiOdom data set, MIT licence: LICENSE.txt beside this file; turns are less what sideways motion loses of the yaw"
COUNTS = {"omni3": 12288.0, "omni4": 1.0}  # of a turn, in the files
KEPT = {"omni3": 5, "omni4": 40}  # every so many rows: 5 Hz and 2.5 Hz
MESSAGE_ROWS = 4  # what the log of omni4 divides a message by
MESSAGE_MEAN = 3.7  # rows until the next one
SIDEWAYS_LOSS = {"omni3": 0.0166, "omni4": 0.0238}  # rad of yaw for each metre sideways
TURNING = 0.02  # rad/s: yaw rate from which on it is a loss against the sense of turning
DIAMETER = {"omni3": 0.102, "omni4": 0.060}  # nominal, m
ARM = {"omni3": 0.195, "omni4": 0.200}  # metres that a wheel turns for a radian of yaw
LEFT = {"omni3": (-1 / 3, -1 / 3, 2 / 3), "omni4": (-1 / 4, -1 / 4, 1 / 4, 1 / 4)}  # metres to the left for those that wheels turn


def path_of(name: str) -> str:
    """Of a file of data, as omni3-circular-221220201643-01.csv, its place in the public set."""
    robot, shape, take, run = re.fullmatch(r"(omni\d)-(\w+)-(\d+)-(\d+)\.csv", name).groups()
    return f"data/{robot}/{shape}/{take}/{take}_run-{run}.csv"


def read(source: str | None, place: str) -> list[list[float]]:
    """Rows t, x, y, yaw and what each wheel turned since the row before."""
    if source:
        with open(os.path.join(source, place), encoding="utf-8-sig") as file:
            text = file.read()
    else:
        with urllib.request.urlopen(f"{WEB}/{place}", timeout=60) as answer:
            text = answer.read().decode("utf-8-sig")
    return [[float(number) for number in line.split(",")] for line in text.splitlines() if line]


def messages(rows: list[list[float]]) -> list[int]:
    """Where messages begin. A message whose wheels change in two rows running is one."""
    begins = [0]
    for i in range(1, len(rows)):
        if rows[i][4:] == rows[i - 1][4:]:
            continue
        if i - begins[-1] <= 1 and begins[-1] > 0:
            begins[-1] = i
        else:
            begins.append(i)
    return begins + [len(rows)]


def repaired(rows: list[list[float]]) -> list[list[float]]:
    """The rows with each message counted once; messages that are alike are told by the time they take."""
    begins = messages(rows)
    whole = [row[:4] for row in rows]
    for first, last in zip(begins[:-1], begins[1:]):
        count = max(1, round((last - first) / MESSAGE_MEAN))
        share = MESSAGE_ROWS * count / (last - first)
        for i in range(first, last):
            whole[i] += [share * turn for turn in rows[last - 1][4:]]
    return whole


def lost(robot: str, duration: float, steps: list[float]) -> float:
    """Turns of every wheel that a step loses by going sideways, of the turns of its wheels in `duration`."""
    circumference = math.pi * DIAMETER[robot]
    left = circumference * sum(part * step for part, step in zip(LEFT[robot], steps))
    yaw = -circumference * sum(steps) / (len(steps) * ARM[robot])
    return math.tanh(yaw / duration / TURNING) * SIDEWAYS_LOSS[robot] * abs(left) * ARM[robot] / circumference


def without_loss(robot: str, rows: list[list[float]]) -> list[list[float]]:
    """Rows t, x, y, yaw, turns whose turns are less by what they lose."""
    whole, out = 0.0, rows[:1]
    for before, row in zip(rows[:-1], rows[1:]):
        if row[0] > before[0]:
            whole += lost(robot, row[0] - before[0], [b - a for a, b in zip(before[4:], row[4:])])
        out.append(row[:4] + [turn + whole for turn in row[4:]])
    return out


def run_of(name: str, source: str | None, every: int | None, as_summed: bool, as_measured: bool) -> str:
    """The text of a file of data."""
    robot = name.split("-")[0]
    rows = read(source, path_of(name))
    if robot == "omni4" and not as_summed:
        rows = repaired(rows)
    turns = [0.0] * (len(rows[0]) - 4)
    step = every or KEPT[robot]
    kept = []
    for i, row in enumerate(rows):
        turns = [turn + count / COUNTS[robot] for turn, count in zip(turns, row[4:])]
        if i % step == 0 or i + 1 == len(rows):
            kept.append([round(row[0], 2)] + [round(v, 4) for v in row[1:4]] + [round(v, 5) for v in turns])
    return written(kept if as_measured else without_loss(robot, kept))


def written(rows: list[list[float]]) -> str:
    """The text of rows t, x, y, yaw, turns."""
    lines = [TITLE, ",".join(["t_s", "x_m", "y_m", "yaw_rad"] + [f"turn{k - 3}" for k in range(4, len(rows[0]))])]
    lines += [",".join([f"{row[0]:.2f}"] + [f"{v:.4f}" for v in row[1:4]] + [f"{v + 0:.5f}" for v in row[4:]]) for row in rows]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", help="folder of the public set, with its folder data; left out: fetched")
    parser.add_argument("--out", default=os.path.join(HERE, "data"), help="folder to write to")
    parser.add_argument("--every", type=int, help="keep every so many rows; left out: 5 of omni3, 40 of omni4")
    parser.add_argument("--as-summed", action="store_true", help="omni4: rows of a message are summed as they are")
    parser.add_argument("--as-measured", action="store_true", help="turns as they were measured, with what sideways motion loses")
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "data", "SHA256SUMS"), encoding="utf-8") as file:
        wanted = dict(reversed(line.split()) for line in file if line.strip())
    os.makedirs(arguments.out, exist_ok=True)
    thinned = arguments.every is None and not arguments.as_summed and not arguments.as_measured
    wrong = 0
    for name, known in wanted.items():
        text = run_of(name, arguments.source, arguments.every, arguments.as_summed, arguments.as_measured)
        found = hashlib.sha256(text.encode()).hexdigest()
        if thinned and found != known:
            print(f"{name}: its checksum is {found}, and {known} is expected", file=sys.stderr)
            wrong += 1
            continue
        with open(os.path.join(arguments.out, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    print(f"{len(wanted) - wrong} runs written to {arguments.out}" + (f", {wrong} are not what is expected" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
