"""Does each letter mean one thing in the functions of kernels/?   letters.py ROOT

kernels/DESIGN.md says what. Looked at is how variables and parameters of these names are declared. Members of structs are read
with their struct and may have any name.
"""
import pathlib
import re
import sys

MEANING = {
    "c": r"GLOBAL const int \*",
    "k": r"(const )?contact \*?",
    "o": r"(const )?outputs \*?",
    "p": r"(const )?parameters \*?|const real \*",
    "r": r"(const )?contact_pairs \*?",
    "s": r"(const )?constraints \*?",
    "v": r"(const )?real \*?",
    "w": r"const real \*",
}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HEAD = re.compile(r"^(?:FN|FN_COLD|FN_CALL|__kernel|static|void)\b[^;{}]*?\b(\w+)\(([^;{}]*)\)\s*\{(.*?)^\}", re.MULTILINE | re.DOTALL)
DECLARED = re.compile(r"((?:GLOBAL )?(?:const )?[a-z_]\w*) ((?:const )?\*?(?:\w+(?:\[[^\]]*\])*(?: = [^,;(){}]*)?, \*?)*)([ckoprsvw])\b(?=\s*(?:\[[^\]]*\])*\s*[,;=)])")
NO_TYPES = ("return", "else", "goto", "case")


def declarations(text):
    """Type and letter of each declaration in the text of a function."""
    flat = re.sub(r"\s+", " ", text)
    for found in DECLARED.finditer(flat):
        if found[1] in NO_TYPES or flat[: found.start()].endswith((".", ">", "*")):
            continue
        yield f"{found[1]} {'*' if found[2].endswith('*') else ''}", found[3]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong = seen = 0
    for path in sorted((root / "kernels").rglob("*.h")):
        text = COMMENT.sub(lambda m: "\n" * m[0].count("\n") + " ", path.read_text(encoding="utf-8"))
        for function in HEAD.finditer(text):
            for kind, letter in declarations(function[2] + ") " + function[3]):
                seen += 1
                if not re.fullmatch(MEANING[letter], kind):
                    print(f"{path.relative_to(root)}: {function[1]}() declares `{kind}{letter}`; see kernels/DESIGN.md")
                    wrong += 1
    print(f"{seen} declarations, {wrong} wrong")
    sys.exit(1 if wrong or seen < 400 else 0)


main()
