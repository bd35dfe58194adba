"""No function of the host and of the kernels is without a caller. What the public headers declare is called by others.

Functions of the objects are judged by their relocations: a function is called where another one, or data, names it; one that is
called only by functions without a caller has none either. Calls within a file, which leave no relocation where functions are hidden, are read
from the text. Inline functions, which need not be in any object, are judged by the text:
a name that stands once in all sources is called by nobody."""

import collections
import os
import pathlib
import re
import subprocess
import unittest

# Called by tests alone, and why the host has them; whoever adds one says why here.
CALLED_BY_TESTS = {
    "omr_motion_components": "what a prescribed motion made of its bodies",
    "omr_opencl_from_cache": "tells whether the cache was used, which nothing else shows",
    "omr_semidefinite_root": "the root within the weighted inverses, tested by itself",
    "omr_weighted_inverse": "weighted inverse, against which ideal constraints are tested",
}
# The linker puts these in the place of the compiler's routines of binary128 (host/bench/counting_real.h), which not every compiler needs.
RENAMED = re.compile(r"^omr_counted_")

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "host/include/omniroll").glob("*.h"))
# The archive of the library and a file that names the objects of the program.
ARCHIVE = os.environ["OMNIROLL_ARCHIVE"]
OBJECT_LIST = pathlib.Path(os.environ["OMNIROLL_OBJECT_LIST"])

# `readelf -SsrW` prints sections, symbols and relocations of one object after the other.
SECTION = re.compile(r"^ +\[ *(\d+)\] (\S+) ")
RELOCATIONS = re.compile(r"^Relocation section '\.rela?(\S+)'")
SYMBOL = re.compile(r"^ *\d+: ([0-9a-f]+) +(\w+) FUNC +(GLOBAL|LOCAL|WEAK) +\w+ +(\w+) (\S+)")

Function = collections.namedtuple("Function", "name section begin end is_global")


def exported():
    return {name for header in HEADERS for name in re.findall(r"\b(omr_[a-z0-9_]+)\(", header.read_text(encoding="utf-8"))}


class Object:
    def __init__(self):
        self.sections = {}
        self.functions = []
        self.relocations = []  # of which section, where, name

    def read(self, line, of):
        """One line; `of` is the section whose relocations are being read."""
        if " R_" in line:
            words = line.split()
            self.relocations.append((of, int(words[0], 16), words[4]))
        elif " FUNC " in line and (found := SYMBOL.match(line)) and found[4] in self.sections:
            begin, size = int(found[1], 16), int(found[2], 0)
            self.functions.append(Function(found[5], self.sections[found[4]], begin, begin + size, found[3] != "LOCAL"))
        elif line.startswith("Relocation"):
            found = RELOCATIONS.match(line)
            return found[1] if found else of
        elif line.startswith("  [") and (found := SECTION.match(line)):
            self.sections[found[1]] = found[2]
        return of

    def calls(self, names):
        """(caller, name) for the names; caller is None for data and for static functions, whose own callers have no relocation."""
        for section, at, name in self.relocations:
            if name not in names or section.startswith((".debug", ".eh_frame")):
                continue
            inside = [f for f in self.functions if f.section == section and f.begin <= at < f.end]
            # gcc splits what is seldom run off a function f as f.cold.
            known = inside and (inside[0].is_global or "." in inside[0].name)
            yield inside[0].name.split(".")[0] if known else None, name


def read_objects():
    command = ["readelf", "-SsrW", ARCHIVE, *OBJECT_LIST.read_text(encoding="utf-8").split()]
    wanted = r"^File: |^Relocation|^  \[| FUNC | R_\S+ +[0-9a-f]+ [a-z]"  # of a million lines; most name sections and labels
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
        text = subprocess.run(["grep", "-E", wanted], stdin=reader.stdout, capture_output=True, text=True, check=True).stdout
    objects, of = [], None
    for line in text.splitlines():
        if line.startswith("File: "):
            objects.append(Object())
        elif objects:
            of = objects[-1].read(line, of)
    return objects


def defined_functions(objects):
    return {f.name for o in objects for f in o.functions if f.is_global}


# The first line of a function; what stands in it is indented.
BEGIN = re.compile(r"^(static )?[a-zA-Z_][\w *]*?(\w+)\(")


def calls_within_files(names):
    """(caller, name) for the names that a file of the host both defines and names; caller is None for static functions, as above."""
    for path, text in texts("host").items():
        if path.suffix != ".c":
            continue
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        defined = {found[2] for line in text.splitlines() if (found := BEGIN.match(line))} & names
        caller = None
        for line in text.splitlines() if defined else ():
            if found := BEGIN.match(line):
                caller = None if found[1] else found[2]
            elif line.startswith(" "):
                yield from ((caller, name) for name in re.findall(r"\w+", line) if name in defined)


def without_caller(objects):
    candidates = defined_functions(objects) - exported() - {"main"}
    called = collections.defaultdict(set)
    for o in objects:
        for caller, name in o.calls(candidates):
            called[name].add(caller)
    for caller, name in calls_within_files(candidates):
        called[name].add(caller)
    dead, more = set(), True
    while more:
        more = {name for name in candidates - dead if called[name] - dead <= {name}}
        dead |= more
    return {name for name in dead if not RENAMED.match(name)}


def texts(*folders):
    files = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".h", ".c", ".cl", ".inc", ".def"))
    return {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in files}


DEFINITION = re.compile(r"^(?!typedef|#|return|else)(?:[A-Za-z_]\w*[ *]+)+(\w+)\([^;{]*?\)\s*\{", re.MULTILINE)


def named_once(sources):
    """Functions whose name stands once in the sources, as their definition; parts of names that macros join count as named."""
    words = collections.Counter(word for text in sources.values() for word in re.findall(r"\w+", text))
    joined = "\n".join(sources.values())
    ends = tuple(set(re.findall(r"##\s*(_\w+)", joined)) | {f"_{word}" for word in re.findall(r"SMALL_CALL, (\w+)", joined)})
    begins = tuple(set(re.findall(r"(\w+_)\s*##", joined)))
    names = ((path, name) for path, text in sources.items() for name in DEFINITION.findall(text) if words[name] == 1)
    return [f"{path}: {name}" for path, name in names if not name.endswith(ends) and not name.startswith(begins)]


class Callers(unittest.TestCase):
    def test_every_function_of_the_objects_has_a_caller(self):
        objects = read_objects()
        dead = without_caller(objects)
        self.assertGreater(len(defined_functions(objects)), 500, "the objects could not be read")
        in_tests = set(re.findall(r"\w+", "\n".join(texts("tests").values())))
        self.assertEqual(sorted(dead - in_tests), [], "functions without a caller: remove them, or make those static that only their own file calls")
        self.assertEqual(sorted(dead - set(CALLED_BY_TESTS)), [], "only tests call these: remove them, or say in CALLED_BY_TESTS why they are there")
        self.assertEqual(sorted(set(CALLED_BY_TESTS) & defined_functions(objects) - dead), [], "these have callers: take them from CALLED_BY_TESTS")

    def test_every_inline_function_has_a_caller(self):
        sources = texts("host", "kernels")
        self.assertEqual(named_once(sources), [])
        # Found, were it there.
        sources["kernels/more.h"] = "static inline real nobody_calls_this(real x) {\n  return x;\n}\n"
        self.assertEqual(named_once(sources), ["kernels/more.h: nobody_calls_this"])


if __name__ == "__main__":
    unittest.main()
