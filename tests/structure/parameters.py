"""Does a function take more than eight parameters?   parameters.py ROOT

Counts those of every function that kernels/ and host/ define or declare. More than eight in a row are confused by whoever calls:
values that travel together are one struct.
"""
import pathlib
import re
import sys

MOST = 8
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
HEAD = re.compile(r"^(?!typedef\b|return\b|else\b|#)[A-Za-z_][\w \t*]*?[ *](\w+)\(", re.MULTILINE)


def blank(match):
    return "\n" * match[0].count("\n") + " "


def count(text, start):
    """Parameters between the parenthesis before `start` and its partner, and where that stands; None where there is no partner."""
    depth, commas, some = 1, 0, False
    for at in range(start, len(text)):
        letter = text[at]
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            words = text[start:at].strip()
            return (commas + 1 if words and words != "void" else 0), at
        commas += letter == "," and depth == 1
    return None


def functions(path):
    text = STRING.sub('""', COMMENT.sub(blank, path.read_text(encoding="utf-8")))
    for found in HEAD.finditer(text):
        counted = count(text, found.end())
        if counted and re.match(r"\s*(?:__attribute__\s*\(\(.*?\)\)\s*)?[{;]", text[counted[1] + 1 :]):
            yield found[1], counted[0], text.count("\n", 0, found.start()) + 1


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    counted = [(path.relative_to(root), *row) for folder in ("kernels", "host") for path in sorted((root / folder).rglob("*.[ch]"))
               for row in functions(path)]
    wrong = 0
    for path, name, number, line in counted:
        if number > MOST:
            print(f"{path}:{line}: {name}() takes {number} parameters, more than {MOST}")
            wrong += 1
    print(f"{len(counted)} functions, {wrong} with more than {MOST} parameters")
    sys.exit(1 if wrong or len(counted) < 1000 else 0)


main()
