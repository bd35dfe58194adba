"""Is the interface of libomniroll.so the recorded one?   interface.py [--record] --nm NM --compiler CC --soversion N LIBRARY

tests/install/interface.txt has a line for each exported function, each public struct with its size and the places of its members, each
enumerator with its number, and the SOVERSION they belong to. A program that was linked with a library of that SOVERSION relies on all of
them. So lines may be added; a line that changes or goes needs a new SOVERSION. --record writes the file, and refuses what the rule refuses.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = pathlib.Path(__file__).with_name("interface.txt")
INCLUDE = ROOT / "host" / "include"


def header_text():
    texts = [path.read_text(encoding="utf-8") for path in sorted((INCLUDE / "omniroll").glob("*.h"))]
    return re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)


def structs(text):
    """{struct: [member]}"""
    found = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", text, re.DOTALL):
        parts = [part for statement in body.split(";") for part in statement.split(",") if part.strip()]
        found[name] = [re.search(r"(\w+)\s*(?:\[\w+\])*\s*$", part)[1] for part in parts]
    return found


def enumerators(text):
    bodies = re.findall(r"typedef enum \w+ \{(.*?)\} \w+;", text, re.DOTALL)
    return [name for body in bodies for name in re.findall(r"\bOMR_\w+", body)]


def layout(compiler, text):
    """Lines on structs and enumerators, as the compiler lays them out."""
    print_lines = []
    for name, members in structs(text).items():
        print_lines.append(f'printf("struct {name} %zu:", sizeof({name}));')
        print_lines += [f'printf(" {m}@%zu+%zu", offsetof({name}, {m}), sizeof((({name} *)0)->{m}));' for m in members]
        print_lines.append('puts("");')
    print_lines += [f'printf("number {name} %d\\n", (int){name});' for name in enumerators(text)]
    program = "#include <omniroll/omniroll.h>\nint main(void) {\n" + "\n".join(print_lines) + "\nreturn 0;\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "layout.c")
        source.write_text(program, encoding="utf-8")
        subprocess.run([compiler, "-I", str(INCLUDE), str(source), "-o", f"{folder}/layout"], check=True)
        return subprocess.run([f"{folder}/layout"], capture_output=True, text=True, check=True).stdout.splitlines()


def exported(nm, library):
    table = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return [f"function {line.split()[-1]}" for line in table.splitlines()]


def compare(recorded, present, soversion):
    """What is wrong, a line each."""
    if f"soversion {soversion}" not in recorded:
        return [f"the recorded interface is of another SOVERSION than {soversion}: record this one"], []
    gone = sorted(recorded - present)
    return [f"changed or gone: {line}" for line in gone], [f"new: {line}" for line in sorted(present - recorded)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true")
    for name in ("nm", "compiler", "soversion"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("library")
    given = parser.parse_args()
    text = header_text()
    lines = [f"soversion {given.soversion}", *sorted(exported(given.nm, given.library)), *layout(given.compiler, text)]
    recorded = set(RECORD.read_text(encoding="utf-8").splitlines()) if RECORD.exists() else set()
    gone, new = compare(recorded, set(lines), given.soversion) if recorded else ([], [])
    broken = gone if f"soversion {given.soversion}" in recorded else []
    if given.record and not broken:
        RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{len(lines)} lines recorded in {RECORD}")
        return 0
    print("\n".join(gone + new) or f"{len(lines)} lines, as recorded")
    if broken:
        print("Programs that are linked with this SOVERSION would break: undo it, or raise OMNIROLL_SOVERSION (cmake/library.cmake) and record "
              "the interface with interface.py --record.")
    elif gone or new:
        print("Nothing that is there breaks: add these lines with interface.py --record.")
    return 1 if gone or new else 0


if __name__ == "__main__":
    sys.exit(main())
