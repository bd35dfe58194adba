"""The seconds of each test of a JUnit report of ctest, the slowest first:  seconds.py REPORT LABEL REASONS

The whole table goes beside the report: seconds.txt for tests.xml, NAME-seconds.txt for NAME.xml. Printed are the folders, and the tests above
LEAST s. A test above LIMIT s needs a reason in the file REASONS, a line "NAME: REASON" each, or is named as one without. A busy machine takes
longer: such a test is named, not failed.
"""

import collections
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

LIMIT, LEAST = 20.0, 10.0  # s


def reasons_of(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def seconds_of(report):
    """{name: seconds}, the slowest first."""
    found = {case.get("name"): float(case.get("time") or 0) for case in ElementTree.parse(report).getroot().iter("testcase")}
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def table(seconds, reasons, least=0.0):
    lines = []
    for name, took in seconds.items():
        if took < least:
            continue
        why = reasons.get(name, "NO REASON in tests/slow.txt" if took > LIMIT else "")
        lines.append(f"{took:8.1f} s  {name:34} {why}".rstrip())
    return lines


def main():
    report, label, reasons = sys.argv[1:]
    seconds, reasons = seconds_of(report), reasons_of(reasons)
    head = f"== {label}: {len(seconds)} tests took {sum(seconds.values()):.0f} s"
    folders = collections.Counter()
    for name, took in seconds.items():
        folders[name.split("/")[0]] += took
    path = pathlib.Path(report)
    path = path.with_name("seconds.txt" if path.stem == "tests" else f"{path.stem}-seconds.txt")
    path.write_text("\n".join([head, *table(seconds, reasons)]) + "\n", encoding="utf-8")
    print(head + ", two or more at a time; by folder: " + ", ".join(f"{name} {took:.0f}" for name, took in folders.most_common()))
    print("\n".join(table(seconds, reasons, LEAST)))


if __name__ == "__main__":
    main()
