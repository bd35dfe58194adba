#!/usr/bin/env python3
"""Other simulators drive what omniroll drives, at the same wheel rates: three vehicles, five manoeuvres, one table.

    python3 tests/bench/conformance/suite.py PROGRAM [--only mecanum_9] [--json FILE] [--figures FOLDER]
    python3 tests/bench/conformance/suite.py --table FILE      # the tables of a kept file, nothing run

What is measured is on docs/evidence/bench.md; README.md says how another simulator is put in."""
import argparse
import datetime
import json
import math
import os
import platform
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
VEHICLES = ("mecanum_9", "mecanum_12", "omni_8")
HEAD = ["vehicle", "simulator", "forward", "strafe", "turn", "circle", "square", "work", "ripple", "shakes", "steps/s"]
sys.path[:0] = [HERE, os.path.join(ROOT, "analysis")]


def run_case(name):
    """(table, reasons why simulators are left out) of a vehicle."""
    import omniroll
    from omniroll.conformance import Vehicle, compare

    from simulators import SIMULATORS, Case

    study = os.path.join(HERE, f"{name}.json")
    case = Case(study, Vehicle(study), omniroll.export_model(study))
    found, missing = {"omniroll": case.vehicle}, {}
    for label, make in SIMULATORS.items():
        try:
            found[label] = make(case)
        except ImportError as reason:
            missing[label] = str(reason)
    return compare(case.vehicle.wheels, found), missing


def number(value, digits):
    return f"{round(value, digits) + 0.0:.{digits}f}"


def summary(kept):
    """Lines of the table of the page: how far each simulator is from omniroll."""
    lines = [f"| {' | '.join(HEAD)} |", "|" + " --- |" * len(HEAD)]
    for vehicle, told in kept["vehicles"].items():
        for label in dict.fromkeys(row["simulator"] for row in told["rows"]):
            rows = [row for row in told["rows"] if row["simulator"] == label]
            off = {row["manoeuvre"]: 100 * math.hypot(row["off"]["place"], row["off"]["yaw"]) for row in rows}
            first = label == told["rows"][0]["simulator"]
            cells = ["" if first else number(off[name], 2) if name in off else "" for name in HEAD[2:7]]
            work = [row["off"]["energy"] for row in rows if row["off"]["energy"] is not None]
            cells.append("" if first else f"{100 * min(work):+.0f} to {100 * max(work):+.0f}")
            cells += [number(100 * max(row["ripple"] for row in rows), 3), number(max(row["vibration"] for row in rows), 1)]
            speeds = [row["speed"] for row in rows if row["speed"]]
            cells.append(f"{float(f'{max(speeds):.2g}'):.0f}" if speeds else "")
            lines.append(f"| {' | '.join([told['title'], label, *cells])} |")
    return lines


def text_of(kept):
    """All that a kept file says."""
    from omniroll.conformance.table import FOOT, Table

    parts = [f"{kept['machine']}, {kept['date']}: " + ", ".join(f"{name} {version}" for name, version in kept["versions"].items())]
    for told in kept["vehicles"].values():
        parts += ["", told["title"], Table.of_json(told).text(foot=False)]
        parts += [f"left out: {label}: {reason}" for label, reason in told["missing"].items()]
    return "\n".join([*parts, "", FOOT, "", *summary(kept)])


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def versions():
    import importlib.metadata

    import omniroll

    found = {"omniroll": omniroll.version()}
    for name in ("mujoco", "exudyn"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def measure(names, figures):
    kept = {"machine": f"one core of {processor()}", "date": str(datetime.date.today()), "versions": versions(), "vehicles": {}}
    for name in names:
        table, missing = run_case(name)
        with open(os.path.join(HERE, f"{name}.json"), encoding="utf-8") as file:
            title = json.load(file)["title"].split(": ")[1]
        kept["vehicles"][name] = {"title": title, **table.as_json(), "missing": missing}
        if figures:
            from omniroll.conformance import paths_picture

            paths_picture.save(table, os.path.join(figures, name), title)
            paths_picture.sheet(table, title).savefig(os.path.join(figures, f"{name}.png"))
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?", metavar="PROGRAM", help="omniroll, beside its library")
    parser.add_argument("--only", action="append", choices=VEHICLES, help="some of the vehicles")
    parser.add_argument("--json", metavar="FILE", help="keeps the measurements")
    parser.add_argument("--figures", metavar="FOLDER", help="pictures of the paths")
    parser.add_argument("--table", metavar="FILE", help="prints the tables of a kept file")
    options = parser.parse_args()
    if options.table:
        with open(options.table, encoding="utf-8") as file:
            print(text_of(json.load(file)))
        return 0
    if not options.program:
        parser.error("PROGRAM or --table FILE")
    os.environ.setdefault("OMNIROLL_LIBRARY", os.path.join(os.path.dirname(os.path.abspath(options.program)), "libomniroll.so"))
    kept = measure(options.only or VEHICLES, options.figures)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(json.dumps(kept, indent=1) + "\n")
    print(text_of(kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
