"""Counts a JUnit report of ctest for tests/run.sh: count.py REPORT LABEL SKIPPED

Prints "PASSED FAILED" and appends to the file SKIPPED a line for every test that was skipped and for every part that a test left
out, each with its reason. A skipped test is neither passed nor failed. A test that ctest could not start is failed: its program was
not built, or what it needs had failed."""

import re
import sys
import xml.etree.ElementTree as ElementTree

# "[SKIP] NAME: REASON" is a whole test function; "[PART] NAME: REASON" a part of one (tests/skip.h).
LINE = re.compile(r"^\[(SKIP|PART)\] (\S+): (.*)$", re.MULTILINE)


def told(output):
    """What the test itself says that it skipped: (function, reason), each once; of a function that was skipped its parts are not told."""
    lines = LINE.findall(output)
    whole = {name for kind, name, _ in lines if kind == "SKIP"}
    return list(dict.fromkeys((name, reason) for kind, name, reason in lines if kind == "SKIP" or name not in whole))


def last_line(output):
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no reason given"


def judge(case):
    """passed, failed or skipped."""
    skipped = case.find("skipped")
    if case.get("status") == "run":
        return "passed"
    # ctest has the same status for tests that skip themselves and for those that it could not run.
    if case.get("status") == "notrun" and skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return "skipped"
    return "failed"


def count(report, label):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    lines = []
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        verdict = judge(case)
        counts[verdict] += 1
        output = case.findtext("system-out") or ""
        parts = told(output)
        lines += [f"{label}: {case.get('name')}: {name}: {reason}" for name, reason in parts]
        if verdict == "skipped" and not parts:
            lines.append(f"{label}: {case.get('name')}: {last_line(output)}")
    return counts, lines


def main():
    report, label, skipped = sys.argv[1:]
    counts, lines = count(report, label)
    with open(skipped, "a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    print(counts["passed"], counts["failed"])


if __name__ == "__main__":
    main()
