"""Does every call of HDF5 wait for its turn, does every parallel section ask for its threads, and has
every run its own locks?   turns.py ROOT

HDF5 is included through host/support/hdf5.h alone, which has a macro for each function that host/ calls. A section says how many
threads it has (num_threads), of those that support/team.h has tried: the runtime ends the process where it cannot make one.
A critical section is one for the whole process: a fork leaves it occupied for ever in the child where a thread of the parent was in it.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
CALL = re.compile(r"\b(H5[A-Z]*[a-z]\w*)\s*\(")
LISTED = re.compile(r"^#define (H5\w+)\(\.\.\.\) OMR_HDF5\(\1\(__VA_ARGS__\)\)$", re.MULTILINE)
SECTION = re.compile(r"^#pragma omp parallel(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
TOO_FEW = 50, 15  # calls and sections; with fewer the test has looked in the wrong place


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    own = root / "host" / "support" / "hdf5.h"
    listed = set(LISTED.findall(own.read_text(encoding="utf-8")))
    called, sections, wrong = set(), 0, []
    for path in sorted((root / "host").rglob("*.[ch]")):
        if path == own:
            continue
        text = COMMENT.sub("", path.read_text(encoding="utf-8"))
        name = path.relative_to(root)
        if re.search(r"#\s*include\s*<hdf5", text):
            wrong.append(f"{name}: includes HDF5 itself; include support/hdf5.h")
        found = set(CALL.findall(text))
        called |= found
        wrong += [f"{name}: {function} has no line in host/support/hdf5.h" for function in sorted(found - listed)]
        if "#pragma omp critical" in text:
            wrong.append(f"{name}: a critical section; give the run a lock (omp_lock_t), or take a turn (support/turn.h)")
        for section in SECTION.findall(text):
            sections += 1
            if "num_threads(" not in section:
                wrong.append(f"{name}: a section without num_threads: {section}")
    print("\n".join([*wrong, f"{len(called)} functions of HDF5 and {sections} parallel sections, {len(wrong)} wrong"]))
    sys.exit(1 if wrong or len(called) < TOO_FEW[0] or sections < TOO_FEW[1] else 0)


main()
