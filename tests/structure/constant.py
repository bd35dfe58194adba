"""Does anybody change a study that was read?   constant.py ROOT

omr_study is what the study file says. The rooms above host/study/ look at it, choose a part of it (study/part.h), or have
study/derived.h make another study of it. So no file outside host/study/ assigns to a member of an omr_study, whatever the
variable, parameter or member is called there.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NAME = re.compile(r"\bomr_study\s+\**\s*(\w+)")
MORE = r"(?:\[[^\]\n]*\])*"
TOO_FEW = 40  # files that name the type; with fewer the test has looked in the wrong place


def changes(path):
    """Lines that assign to a member of a study."""
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), path.read_text(encoding="utf-8"))
    names = set(NAME.findall(text)) | {"study"}
    word = r"\b(?:" + "|".join(map(re.escape, sorted(names))) + r")"
    place = re.compile(word + MORE + r"(?:\.|->)\w+" + MORE + r"(?:\.\w+" + MORE + r")*\s*(?:[-+*/|&^]?=(?!=)|\+\+|--)"
                       + r"|\b(?:mem\w+|snprintf|omr_observable_add)\(&?" + word + MORE + r"(?:\.|->)")
    for found in place.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[0].strip()


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong = looked = 0
    for path in sorted((root / "host").rglob("*.[ch]")):
        own = path.relative_to(root)
        if own.parts[1] == "study" or "omr_study" not in path.read_text(encoding="utf-8"):
            continue
        looked += 1
        for line, what in changes(path):
            print(f"{own}:{line}: \"{what}\" changes a study: study/derived.h makes another one, study/part.h chooses instances")
            wrong += 1
    print(f"{looked} files look at studies, {wrong} places change one")
    sys.exit(1 if wrong or looked < TOO_FEW else 0)


main()
