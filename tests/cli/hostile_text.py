"""Do control characters of studies, file names and options reach a terminal?   hostile_text.py PROGRAM

Every command that prints texts of others is given them: titles, keys, values and file names with ESC, BEL, CR, C1, DEL, marks that turn
the direction of text, and bytes that are no UTF-8. Standard output and standard error must hold none of them; JSON must say them by its
own rules. A study that does not end is refused.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
HOSTILE = "\x1b[31mred\x07 over\r\x7f \x9b1m \u202egpj"
STUDY = {"title": HOSTILE, "model": "uk_wheel", "vary": [{"path": "drive.torque", "values": [-30, 20]}],
         "integrator": {"step": 1e-3, "duration": 0.01}, "engine": {"backend": "scalar"}}
failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAILED:", what)


def raw(output):
    """What a terminal would act on, or None."""
    try:
        text = output.decode()
    except UnicodeDecodeError:
        return output
    bad = [c for c in text if (ord(c) < 0x20 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 or c in "\u200e\u200f\u202a\u202e\u2066"]
    return bad or None


def run(code, *arguments, text=b""):
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, timeout=120, check=False)
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}: {done.stderr!r}")
    for name, output in ("standard output", done.stdout), ("standard error", done.stderr):
        check(raw(output) is None, f"{arguments}: {name} has {raw(output)!r}")
    return done


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    name = "s\x1b]0;x\x07\r.json"
    pathlib.Path(name).write_text(json.dumps(STUDY))
    check(b"\\x1b[31mred\\x07" in run(0, "validate", name).stdout, "the title is shown")
    title = json.loads(run(0, "validate", "--json", name).stdout)["title"]
    check(title == HOSTILE, f"JSON has the title {title!r}")
    check(b"\\x1b[31mred" in run(0, "run", name, "-o", "r\x1b.h5").stdout, "the summary has the title")
    run(0, "run", name, "-o", "r\x1b.h5")
    run(0, "resume", "r\x1b.h5")
    for command in "analyze", "export":
        run(0, command, "r\x1b.h5")
        run(0, command, "--json", "r\x1b.h5")
    run(0, "sample", name)
    run(5, "run", b"\xff\x1b.json")
    run(2, "\x1b[2J")
    run(3, "validate", name, "--set", "\x1b[2J=1")
    run(3, "validate", name, "--set", b"a\xffb=1")
    for change in {"\x1b[2J": 1}, {"model": "\x1b[2J"}, {"vary": [{"path": "\x1b[2J", "values": [1]}]}, {"integrator": {"step": "1 \x1b[2J", "duration": 1}}:
        pathlib.Path("bad.json").write_text(json.dumps({**STUDY, **change}))
        run(3, "validate", "bad.json")
        listed = json.loads(run(3, "validate", "--json", "bad.json").stdout)["mistakes"]
        check(len(listed) > 0, "mistakes are listed")
    # To the limit and no further.
    done = run(3, "validate", "/dev/zero")
    check(b"64 MB" in done.stderr and b"table" in done.stderr, f"limit and remedy: {done.stderr!r}")
    check(b"64 MB" in run(3, "validate", "-", text=b" " * (65 << 20)).stderr, "a pipe has the same limit")
sys.exit(failed != 0)
