"""Do two object files of the program need each other, or does one need a higher room?   circles.py NM OBJECT...

Reads the symbols of the objects of CMake's targets that are made of host/ (TARGET.dir/host/support/text.c.o). It is given their
names, since a build folder also keeps objects of files that are gone. A file needs another one of its target where it uses what
that one defines. Files that need each other in a circle are one knot, whatever their includes say; the test names the circle and
what its files use of each other. A file of a room calls its own room and those below it (host/DESIGN.md has the order), though
it may see by a public header what a higher room defines.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys

sys.setrecursionlimit(100_000)
DESIGN = pathlib.Path(__file__).resolve().parents[2] / "host" / "DESIGN.md"


def objects_of_host(paths):
    """{target: {object: file of host/}}; a target also has objects that are made of other files."""
    targets = collections.defaultdict(dict)
    for path in paths:
        target, _, file = os.path.normpath(path).rpartition("/CMakeFiles/")[2].partition(".dir/host/")
        if file:
            targets[target][path] = file.removesuffix(".o")
    return targets


def read_symbols(nm, objects):
    """{file: [what it uses]} and {what is defined: file}."""
    uses, defines = {file: [] for file in objects.values()}, {}
    listing = subprocess.run([nm, "-A", "-P", *objects], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        path, _, rest = line.rpartition(": ")
        symbol, kind = rest.split()[:2]
        if kind == "U":
            uses[objects[path]].append(symbol)
        elif kind.isupper():
            defines[symbol] = objects[path]
    return uses, defines


def find_circles(needs):
    """Groups of files that need each other (Tarjan's strongly connected components)."""
    number, low, stack, groups = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in needs.get(file, ()):
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            at = stack.index(file)
            group = stack[at:]
            del stack[at:]
            if len(group) > 1:
                groups.append(sorted(group))

    for file in list(needs):
        if file not in number:
            visit(file)
    return groups


def upward_calls(uses, defines):
    """Symbols that a file takes of a room above its own."""
    line = re.search(r"^    (\w+(?: <\s+\w+)+)$", DESIGN.read_text(encoding="utf-8"), re.MULTILINE)
    floor = {room: at for at, room in enumerate(re.split(r" <\s+", line[1]))}
    for file, symbols in uses.items():
        for symbol in symbols:
            other = defines.get(symbol, file)
            if floor[other.split("/")[0]] > floor[file.split("/")[0]]:
                yield f"{file} uses {symbol} of {other}, which stands above it"


def main():
    nm, wrong, count = sys.argv[1], 0, 0
    targets = objects_of_host(sys.argv[2:])
    for target in ("omniroll", "omniroll_program"):
        if not targets[target]:
            sys.exit(f"there are no object files of {target}")
    for objects in targets.values():
        uses, defines = read_symbols(nm, objects)
        needs = {file: {defines[s] for s in symbols if defines.get(s, file) != file} for file, symbols in uses.items()}
        count += len(needs)
        for line in upward_calls(uses, defines):
            print(line)
            wrong += 1
        for group in find_circles(needs):
            wrong += 1
            print("a circle of files:")
            for file in group:
                for other in sorted(needs[file] & set(group)):
                    used = [s for s in uses[file] if defines.get(s) == other]
                    print(f"  {file} uses {', '.join(used)} of {other}")
    print(f"{count} object files, {wrong} circles and calls upward")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
