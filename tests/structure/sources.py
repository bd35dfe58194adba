"""Does the hash of the sources tell what decides numbers from what does not?   sources.py TOOL

Each pair of texts is one file of one tree; TOOL is cmake/sources_hash.c.
"""
import pathlib
import subprocess
import sys
import tempfile

ALIKE = [
    ("a = 9.81; /* m/s2 */\n", "a = 9.81;   // of the floor\n"),
    ("/* one\n * two */\nint a;\n", "int a;\n"),
    ("f(a,\n  b);\n", "f(a, b);\r\n"),
    ("int a;\n\n\nint b;", "int a; int b;\n"),
    ("#define F(x) \\\n  (x)\n", "#define F(x)  (x) /* itself */\n"),
    ("a = b /* less */ - c;", "a = b - c;"),
]
UNLIKE = [
    ("a = 9.81;\n", "a = 9.8;\n"),
    ('s = "/* no comment */";', 's = "";'),
    ('s = "a  b";', 's = "a b";'),
    ("c = '\"'; /* x */ d = 1;", "c = '\"'; d = 2;"),
    ("int a;", "inta;"),
    ("a = b - -c;", "a = b -- c;"),
    ("a = b + +c;", "a = b ++c;"),
    ("#define F (x)\n", "#define F(x)\n"),
    ("#define A\nB\n", "#define A B\n"),
    ("", "int a;"),
]


def hash_of(tool, folder, files, names=None):
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    (folder / "list").write_text("\n".join(names or files) + "\n", encoding="utf-8")
    subprocess.run([tool, "list", "out.h"], cwd=folder, check=True)
    return (folder / "out.h").read_text(encoding="utf-8")


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    wrong = 0
    with tempfile.TemporaryDirectory() as top:
        root = pathlib.Path(top)
        for alike, pairs in ((True, ALIKE), (False, UNLIKE)):
            for i, pair in enumerate(pairs):
                hashes = {hash_of(tool, root / f"{alike}{i}{side}", {"a.c": text}) for side, text in enumerate(pair)}
                if (len(hashes) == 1) != alike:
                    print(f"{pair[0]!r} and {pair[1]!r} {'differ' if alike else 'are alike'}")
                    wrong += 1
        tree = {"a.c": "int a;", "b.h": "int b;"}
        first = hash_of(tool, root / "there", tree)
        wrong += first != hash_of(tool, root / "elsewhere", tree, ["b.h", "a.c"])  # neither the folder nor the order counts
        wrong += first == hash_of(tool, root / "moved", {"a.c": "int b;", "b.h": "int a;"})
        wrong += subprocess.run([tool, "list", "out.h"], cwd=root, check=False, capture_output=True).returncode != 1
    print(f"{len(ALIKE) + len(UNLIKE) + 3} cases, {wrong} wrong")
    sys.exit(wrong != 0)


main()
