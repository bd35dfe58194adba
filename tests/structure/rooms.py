"""Does every include of host/ and kernels/ run downward?   rooms.py ROOT

host/DESIGN.md names the floors from the ground up, in one line of code ("support < lists < ..."). A file may include files of
its own room and of the rooms below. Files of rows (*.def) include nothing. No header includes itself, through others or not.
A room may have folders, which its row of host/DESIGN.md names (those of kernels/ stand in kernels/DESIGN.md). No folder has more
than 70 source files.
Files that CMake makes of the lists (cmake/lists.cmake) hold rows and includes of the floors that they are named in.

The program stands outside: a file of cli/ includes files of its own room, rows of lists/ and <omniroll/...>, nothing else of the project.
A public function has a comment of its own, and OMR_API.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
GENERATED = {"lists/small_parameters.def", "lists/small_tables.h", "lists/small_layouts.h", "lists/small_kernels.h", "lists/law_kernels.h",
             "lists/reference_systems.def", "lists/words.h", "lane_objects.h", "wasm_modules.h", "sources_hash.h"}
CROWD = 70
CROWDED = ("host", "kernels", "analysis", "tests", "cmake")  # where no folder has more source files
SOURCES = (".c", ".h", ".def", ".cl", ".inc", ".py", ".sh", ".cmake")


def floors(design):
    """The rooms from the ground up, as host/DESIGN.md has them."""
    line = re.search(r"^    (\w+(?: <\s+\w+)+)$", design, re.MULTILINE)
    if not line:
        sys.exit("host/DESIGN.md: the line with the floors (    support < lists < ...) is missing")
    return re.split(r" <\s+", line[1])


def room_of(path):
    return "kernels" if path.parts[0] == "kernels" else path.parts[1]


def find(root, folder, name):
    """The included file, from the root; None where CMake makes it."""
    for base in (folder, pathlib.Path(), pathlib.Path("host"), pathlib.Path("host/include")):
        path = pathlib.Path(*[p for p in (base / name).parts])
        resolved = (root / path).resolve()
        if resolved.is_file():
            return resolved.relative_to(root)
    return None


def read_includes(root):
    """{file: [(line, included file)]}, and what is wrong with single lines."""
    includes, wrong = {}, []
    for part in ("host", "kernels"):
        for path in sorted((root / part).rglob("*")):
            if path.suffix not in (".c", ".h", ".def", ".cl"):
                continue
            own = path.relative_to(root)
            text = path.read_text(encoding="utf-8")
            includes[own] = []
            for match in INCLUDE.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                if path.suffix == ".def":
                    wrong.append(f"{own}:{line}: a file of rows includes nothing")
                found = find(root, own.parent, match[1])
                if found:
                    includes[own].append((line, found))
                elif match[1] not in GENERATED:
                    wrong.append(f"{own}:{line}: \"{match[1]}\" is nowhere")
    return includes, wrong


def upward(includes, order):
    """Includes of a higher room."""
    wrong = []
    for path, lines in includes.items():
        if room_of(path) not in order:
            wrong.append(f"{path}: the room {room_of(path)} has no floor in host/DESIGN.md")
            continue
        for line, found in lines:
            if room_of(found) in order and order.index(room_of(found)) > order.index(room_of(path)):
                wrong.append(f"{path}:{line}: {room_of(path)} includes {found}, which stands above it")
    return wrong


def door(includes):
    """Files of the program that do not come in by the public headers."""
    wrong = []
    for path, lines in includes.items():
        for line, found in lines:
            if room_of(path) == "cli" and room_of(found) != "cli" and not (room_of(found) == "lists" and found.suffix == ".def"):
                wrong.append(f"{path}:{line}: the program includes {found}: what it needs belongs into host/include/omniroll/, or into cli/")
    return wrong


def unsaid(root):
    """Public functions without a comment right before them, or without OMR_API."""
    wrong = []
    for path in sorted((root / "host" / "include" / "omniroll").glob("*.h")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            declares = re.match(r"[a-z].*\bomr_\w+\(", line) and not line.startswith("typedef")
            if declares or (line.startswith("OMR_API ") and not lines[number - 2].endswith("*/")):
                wrong.append(f"{path.relative_to(root)}:{number}: {'no OMR_API' if declares else 'no comment says what it does'}")
    return wrong


def crowds(root):
    """Folders with more source files than one looks through."""
    wrong = []
    for part in CROWDED:
        for folder in [root / part, *(path for path in sorted((root / part).rglob("*")) if path.is_dir())]:
            count = sum(path.suffix in SOURCES for path in folder.iterdir())
            if count > CROWD:
                wrong.append(f"{folder.relative_to(root)}: {count} source files, more than {CROWD}: a folder for each subject")
    return wrong


def unnamed(root, order, design):
    """Folders of rooms that their row does not name, and folders that a row names and that there are not."""
    wrong = []
    for room in order:
        folder = root / ("kernels" if room == "kernels" else f"host/{room}")
        text = re.search(rf"^\| `{room}/` \|.*", design, re.MULTILINE)
        said = (folder / "DESIGN.md").read_text(encoding="utf-8") if room == "kernels" else text[0] if text else ""
        there = {path.name for path in folder.iterdir() if path.is_dir()} - {"omniroll"}
        wrong += [f"{folder.relative_to(root)}/{name}: the page does not name this folder of {room}" for name in sorted(there) if f"`{name}/" not in said]
        if room != "kernels":
            wrong += [f"host/DESIGN.md: {room} has no folder {name}/" for name in sorted(set(re.findall(r"`([a-z]+)/`", said)) - there - {room})]
    return wrong


def circles(includes):
    """Files that include themselves through others."""
    wrong, done = [], set()

    def visit(path, way):
        if path in way:
            wrong.append("a circle of files: " + " -> ".join(map(str, way[way.index(path):] + [path])))
            return
        if path in done:
            return
        for _, found in includes.get(path, []):
            visit(found, way + [path])
        done.add(path)

    for path in includes:
        visit(path, [])
    return wrong


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    design = (root / "host" / "DESIGN.md").read_text(encoding="utf-8")
    order = floors(design)
    includes, wrong = read_includes(root)
    wrong += upward(includes, order) + door(includes) + unsaid(root) + circles(includes) + crowds(root) + unnamed(root, order, design)
    print("\n".join(wrong))
    count = sum(map(len, includes.values()))
    print(f"{len(includes)} files, {count} includes, {len(wrong)} wrong; floors: {' < '.join(order)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
