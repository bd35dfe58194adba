"""How large is the program?   size.py [TREE] [--also DIR]... [--files [ROOM]]

Lines without blank lines and comments by room, of host/, kernels/ and analysis/ and of each DIR of the tree that something was moved to
(every kind of file there: name a folder of sources only). Docstrings of Python are comments. Neither side of a comparison counts what is
made or is data: study_types.py, study.schema.json, starters (starter*.c, .h and .def, or a folder starters/), pages, notebooks.
"""
import ast
import collections
import io
import pathlib
import re
import sys
import tokenize

TOPS = "host", "kernels", "analysis"
C = ".c", ".h", ".def", ".cl", ".cu", ".cpp", ".js", ".css"
KINDS = (*C, ".json", ".py", ".sh", ".toml", ".in")
LEFT_OUT = re.compile(r"/study_types\.py$|/study\.schema\.json$|/starters?\w*\.(?:[ch]|def)$|/starters/|/\.|/build|/node_modules/|/__pycache__/")
STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.DOTALL)


def lines_of_c(text):
    def keep(match):
        return match.group() if match.group()[0] != "/" else "\n" * match.group().count("\n")

    return sum(bool(line.strip()) for line in STRING_OR_COMMENT.sub(keep, text).split("\n"))


def lines_of_python(text):
    left_out = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            left_out.update(range(node.lineno, node.end_lineno + 1))
    lines = set()
    no_code = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in no_code:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - left_out)


def lines_of(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return lines_of_python(text)
    if path.suffix in C or path.suffix == ".json":
        return lines_of_c(text)
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in text.split("\n"))


def main(arguments):
    also, listed = [], None
    while "--also" in arguments:
        at = arguments.index("--also")
        also.append(arguments[at + 1].rstrip("/"))
        del arguments[at : at + 2]
    if "--files" in arguments:
        at = arguments.index("--files")
        listed = arguments[at + 1] if at + 1 < len(arguments) else ""
        del arguments[at : at + 2]
    root = pathlib.Path(arguments[0] if arguments else ".").resolve()
    rooms, files, paths = collections.Counter(), collections.Counter(), set()
    for top in (*TOPS, *also):
        for path in sorted((root / top).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in KINDS or not path.is_file() or LEFT_OUT.search("/" + name) or name in paths:
                continue
            paths.add(name)
            lines = lines_of(path)
            if listed is not None and name.startswith(listed):
                print(f"{lines:6} {name}")
            room = top if top in also else "/".join(name.split("/")[: 2 if top == "host" else 1])
            rooms[room] += lines
            files[room] += 1
    for room in sorted(rooms):
        print(f"{room:24} {files[room]:5} files {rooms[room]:7} lines")
    print(f"{'in all':24} {sum(files.values()):5} files {sum(rooms.values()):7} lines")


main(sys.argv[1:])
