#!/usr/bin/env python3
"""Makes the measured runs of studies/robots/data from the public data set that they come from.

    python3 studies/robots/get_data.py                          fetches the set's files and thins them
    python3 studies/robots/get_data.py --source optiodom        takes a copy of the set that is there
    python3 studies/robots/get_data.py --every 1 --out full     writes every row of the logs
    python3 studies/robots/get_data.py --as-summed --out raw    omni4: sums the rows of the log as they are

Rows of omni3 are 40 ms apart and hold counts of 12288 a turn. Rows of omni4 are 10 ms apart, and hold the turns of a message of 40 ms, divided by
four and repeated until the next message comes, which is after 3 or 4 rows: 3.6 on average in squares, 3.76 in circles. Sums of rows therefore fall
short of the turns by 10 and 6 %. Here every message counts once, by four times its rows' value.

Every file is compared with its checksum in data/SHA256SUMS. Needs Python alone.
"""
import argparse
import hashlib
import os
import re
import sys
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
REVISION = "8e025fd"
WEB = f"https://raw.githubusercontent.com/sousarbarb/optiodom/{REVISION}"
TITLE = "# OptiOdom data set, MIT licence: LICENSE.txt beside this file"
COUNTS = {"omni3": 12288.0, "omni4": 1.0}  # of a turn, in the files
KEPT = {"omni3": 5, "omni4": 40}  # every so many rows: 5 Hz and 2.5 Hz
MESSAGE_ROWS = 4  # what the log of omni4 divides a message by
MESSAGE_MEAN = 3.7  # rows until the next one


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


def run_of(name: str, source: str | None, every: int | None, as_summed: bool) -> str:
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
    return written(kept)


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
    arguments = parser.parse_args()
    with open(os.path.join(HERE, "data", "SHA256SUMS"), encoding="utf-8") as file:
        wanted = dict(reversed(line.split()) for line in file if line.strip())
    os.makedirs(arguments.out, exist_ok=True)
    thinned = arguments.every is None and not arguments.as_summed
    wrong = 0
    for name, known in wanted.items():
        text = run_of(name, arguments.source, arguments.every, arguments.as_summed)
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
