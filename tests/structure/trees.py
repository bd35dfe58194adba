"""Is what is added to a JSON tree checked?   trees.py ROOT

cJSON gives NULL or false where memory runs out, and a tree without what could not be added would be printed as if it were whole. So a call
of cJSON_Add..., cJSON_Insert... or cJSON_Replace... whose value is thrown away is found here; omr_tree_... (host/support/tree.h) and cli_add
mark the tree instead.
"""
import pathlib
import re
import sys

CALL = re.compile(r"(?:^|[;{}):]|\belse\b)\s*(?:\(void\)\s*)?(cJSON_(?:Add|Insert|Replace)\w*)\(")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def unchecked(text):
    """Lines with a call whose value is thrown away."""
    text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in CALL.finditer(text):
        before = text[:match.start(1)]
        # "if (x && cJSON_Add..." has a bracket open, and a ":" may be of "a ? b : c".
        statement = re.split(r"[;{}]", before)[-1]
        if statement.count("(") > statement.count(")") or "?" in statement or re.search(r"\breturn\b|=", statement) or re.search(r"=\s*\{\s*$", before):
            continue
        yield before.count("\n") + 1, match[1]


def main(root):
    assert list(unchecked("int f(void) {\n  cJSON_AddNullToObject(a, b);\n  if (a) cJSON_AddItemToArray(l, x);\n}")) == [
        (2, "cJSON_AddNullToObject"), (3, "cJSON_AddItemToArray")]
    assert not list(unchecked("{ if (!cJSON_AddItemToArray(l, x)) return; cJSON *a = cJSON_AddArrayToObject(o, n); return cJSON_AddNullToObject(o, n); }"))
    found = []
    for path in sorted((root / "host").rglob("*.c")):
        name = path.relative_to(root).as_posix()
        found += [f"{name}:{line}: {call}: its value says whether there was memory" for line, call in unchecked(path.read_text(encoding="utf-8"))]
    print("\n".join(found))
    return found != []


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
