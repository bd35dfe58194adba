#!/usr/bin/env python3
"""Mutation testing of kernels/ and host/statistics/: what of a sample of small changes no test notices.

    tests/long/mutate.py prepare [--count 400] [--seed 18]    draws the mutants, builds them and the tests
    tests/long/mutate.py run [--jobs 2] [--again] [NUMBER...]  judges those that have no verdict yet; --again: the survivors too
    tests/long/mutate.py report                                counts by operator and by file, and the survivors
    tests/long/mutate.py show NUMBER

Operators and how one build holds all mutants: tests/long/mutants.py. Lines that hold a place for an operator are drawn at random, each
with the same chance, then a place in the line. Of kernels/ the text is drawn that scalar objects compile, without the lists of
columns (*layout.h, lists.h), which have no code. Works in build/mutants, on a copy of the tree in which inline functions are
ordinary ones and the openmp backend takes the scalar objects. Tests of statistics run with the leak checker. A mutant is killed by the first test that fails, or that takes ten times its time; what the compiler
refuses is no mutant. Verdicts go to build/mutants/results.jsonl, so that a run may be stopped and goes on. Reasons of survivors stand in
tests/long/mutants.json."""

import argparse
import collections
import concurrent.futures
import filecmp
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time

import mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(ROOT, "build", "mutants")
TREE, CHECK = os.path.join(WORK, "tree"), os.path.join(WORK, "check")
PLAN, RESULTS, REASONS = os.path.join(WORK, "plan.json"), os.path.join(WORK, "results.jsonl"), os.path.join(
    ROOT, "tests", "long", "mutants.json")
LEAKS = subprocess.run(["gcc", "-print-file-name=liblsan.so"], capture_output=True, text=True, check=True).stdout.strip()
LEAKS = LEAKS if os.path.isabs(LEAKS) else None
HEADER = """static int omr_mutant;
int atoi(const char *); char *getenv(const char *);
__attribute__((constructor)) static void omr_choose_mutant(void) {
  const char *e = getenv("OMNIROLL_MUTANT");
  omr_mutant = e ? atoi(e) : 0;
}
#define OMR_MUTANT(k) (omr_mutant == (k))
"""
TESTS = {  # which tests judge a file
    "kernels": r"physics/(?!dense_vehicle$|impact_lanes$)|golden/|unit/(compat|math|peak|single|lanes_double)|faults/(engine_faults|small_poison)",
    "statistics": r"statistics/|unit/(summary|hdf5|access)|campaign/(adaptive|step_error)|cli/(json_output|file_commands|hash)",
}
SLOW = {"physics/stiff": r"rosenbrock|pairs|pace|methods|stiff|dense|slope",  # only for files that they are about
        "physics/pairs": r"pairs|pace|controlled|methods|looks|tracking"}


def sources():
    out = subprocess.run(["git", "ls-files", "kernels/*.h", "host/statistics/*.[ch]"], cwd=ROOT, capture_output=True, text=True,
                         check=True).stdout.split()
    return [p for p in out if not re.search(r"layout\.h$|kernels/lists\.h$|files_none\.c$", p)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    if not os.path.exists(path) or read(path) != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


# What makes the copy quick to build, and its tests take the scalar objects.
PATCHES = {"kernels/compat.h": ("#define FN static inline __attribute__((always_inline, unused))", "#define FN static __attribute__((unused))"),
           "host/engine/openmp.c": ('? "fast" : "lanes";', '? "fast" : "scalar";')}


def original(path):
    """The text of a file as the copies have it."""
    text = read(os.path.join(ROOT, path))
    if path in PATCHES:
        if text.count(PATCHES[path][0]) != 1:
            sys.exit(f"{path}: {text.count(PATCHES[path][0])} places read {PATCHES[path][0]}, not one")
        text = text.replace(*PATCHES[path])
    return text


def copy_tree(to, texts):
    """The files that git knows and new ones, with other texts for some; what is as it should be keeps its time."""
    names = subprocess.run(["git", "ls-files", "-c", "-o", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split("\n")
    for name in filter(None, names):
        source, target = os.path.join(ROOT, name), os.path.join(to, name)
        if not os.path.isfile(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if name in texts or name in PATCHES:
            write(target, texts.get(name) or original(name))
        elif not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
            shutil.copy2(source, target)
            os.utime(target)
    write(os.path.join(to, "mutant.h"), HEADER)


def lane_command(tree, constrained, controlled, single=0):
    return ["gcc", "-w", "-std=gnu17", "-march=x86-64-v3", "-DOMR_ISA=avx2", "-DOMR_KIND=scalar", "-DOMR_LANES=1", "-DOMR_LAW_NAME=x",
            f"-DOMR_CONSTRAINED={constrained}", f"-DOMR_SINGLE={single}",
            *([f"-DOMR_CONTROLLED={controlled}"] if controlled else []), "-include", os.path.join(tree, "mutant.h"),
            f"-I{tree}", f"-I{tree}/host", f"-I{tree}/host/include", f"-I{WORK}/check_build/generated", f"{tree}/host/lanes/lanes.c"]


def compiles(path, tree=CHECK):
    """Whether a file of the tree compiles, with what includes it."""
    if path.startswith("kernels/"):
        commands = [lane_command(tree, 0, 0), lane_command(tree, 1, 1)]
    else:
        flags = subprocess.run(["pkg-config", "--cflags", "hdf5", "libcjson"], capture_output=True, text=True).stdout.split()
        commands = [["gcc", "-w", "-std=gnu17", "-x", "c", "-fopenmp", "-include", f"{tree}/mutant.h", f"-I{tree}", f"-I{tree}/host", f"-I{tree}/host/include",
                     f"-I{WORK}/check_build/generated", "-I/usr/include/hdf5/serial", *flags, f"{tree}/{path}"]]
    return all(subprocess.run([c[0], "-fsyntax-only", *c[1:]], capture_output=True).returncode == 0 for c in commands)


def dead_places(paths):
    """Of each file the places that scalar objects leave out: a line after each #if says to the preprocessor's output that it is taken."""
    groups, number = {}, 0
    for path in paths:
        text, out, at, open_ = read(os.path.join(CHECK, path)), [], 0, []
        groups[path] = []
        for word, start, end in mutants.directives(text):
            out.append(text[at:end])
            at = end
            if word in ("if", "ifdef", "ifndef"):
                open_.append((number, end))
            elif word in ("elif", "else"):
                groups[path].append(open_[-1] + (start,))
                open_[-1] = (number, end)
            elif word == "endif":
                groups[path].append(open_.pop() + (start,))
            if word in ("if", "ifdef", "ifndef", "elif", "else"):
                out.append(f"\n#pragma omr_group {number}\n")
                number += 1
        write(os.path.join(CHECK, path), "".join(out) + text[at:])
    taken = set()
    for constrained, controlled, single in [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]:
        command = lane_command(CHECK, constrained, controlled, single)
        text = subprocess.run([command[0], "-E", *command[1:]], capture_output=True, text=True, check=True).stdout
        taken |= {int(n) for n in re.findall(r"#pragma omr_group (\d+)", text)}
    for path in paths:
        write(os.path.join(CHECK, path), original(path))
    return groups, taken


def is_dead(place, groups, taken):
    around = [g for g in groups if g[1] <= place < g[2]]
    return bool(around) and max(around, key=lambda g: g[1])[0] not in taken


def draw(count, seed):
    """The sample: mutants that compile, those that one build cannot hold marked single; and how many did not compile."""
    paths = sources()
    groups, taken = dead_places([p for p in paths if p.startswith("kernels/")])
    texts = {p: original(p) for p in paths}
    lines = {}
    for path in paths:
        for m in mutants.mutants_of(path, texts[path]):
            if not is_dead(m.changes[0][0], groups.get(path, []), taken):
                lines.setdefault((path, m.line), []).append(m)
    chance = random.Random(seed)
    order = sorted(lines)
    chance.shuffle(order)
    drawn = [(place, chance.choice(lines[place])) for place in order]
    chosen, refused = [], []
    wanted = count
    while wanted:
        more, drawn = drawn[:wanted], drawn[wanted:]
        for path in sorted({place[0] for place, _ in more}):
            check_file(path, [m for place, m in more if place[0] == path], texts[path], chosen, refused)
        wanted = count - len(chosen)
    print(f"{len(lines)} lines hold {sum(map(len, lines.values()))} places; {len(chosen)} drawn, of which "
          f"{sum(m.single for m in chosen)} have a build of their own; {len(refused)} more did not compile")
    return chosen, refused, texts


def check_file(path, drawn, text, chosen, refused):
    """Sorts mutants of a file into chosen and refused."""
    target = os.path.join(CHECK, path)
    for m in drawn:
        m.single = any(mutants.crossing(m.span, o.span) for o in drawn) or "#" in text[m.span[0]:m.span[1]]
    write(target, mutants.with_all(text, [(i + 1, m) for i, m in enumerate(drawn) if not m.single]))
    whole = compiles(path)
    for m in drawn:
        if not whole and not m.single:
            write(target, mutants.with_all(text, [(1, m)]))
            m.single = not compiles(path)
        if m.single:
            write(target, m.changed(text, 0, len(text)))
            if not compiles(path):
                refused.append(m)
                continue
        chosen.append(m)
    write(target, text)


def environment(number):
    return {**os.environ, "OMNIROLL_MUTANT": str(number), "OMNIROLL_CACHE": "0", "OMP_WAIT_POLICY": "PASSIVE", "OMP_NUM_THREADS": "2",
            "CRITERION_VERBOSITY_LEVEL": "1", "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
            "LSAN_OPTIONS": f"suppressions={TREE}/tests/lsan.supp:print_suppressions=0:use_tls=0",
            "POCL_CACHE_DIR": os.path.join(ROOT, "build", "cache", "pocl"), "XDG_CACHE_HOME": os.path.join(WORK, "cache")}


def configure(build, tree=TREE):
    flags = " ".join(["-w", "-include", os.path.join(TREE, "mutant.h")])
    subprocess.run(["cmake", "-S", tree, "-B", os.path.join(WORK, build if tree == TREE else "check_build"), "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc", f"-DCMAKE_C_FLAGS={flags}",
                    "-DOMNIROLL_LANE_SCALAR_ONLY=ON", "-DOMNIROLL_LANE_OPTIMIZE=-O1",
                    "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1"], check=True, stdout=subprocess.DEVNULL)


def tests_of(build):
    """The C tests that judge in a build."""
    golden, wanted = sorted(golden_rows()), "|".join(TESTS.values())
    out = subprocess.run(["ctest", "--test-dir", os.path.join(WORK, build), "-N"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"Test +#\d+: (\S+)", out)
    return golden + [n for n in names if re.match(wanted, n) and os.path.exists(
        os.path.join(TREE, "tests", n.split("/")[0], "test_" + n.split("/")[1] + ".c"))]


def golden_rows():
    """The table of tests/parity/test_golden.c, of which each row is a test: {"golden/STUDY/PRECISION/LAW/WITH": (hash, settings)}."""
    text = read(os.path.join(ROOT, "tests/parity/test_golden.c"))
    texts = {name: value.encode().decode("unicode_escape") for name, value in re.findall(
        r'#define (\w+)\s+(?:\\\n\s*)?"((?:\\.|[^"\\])*)"', text)}
    texts.update({name: texts[name] + more.encode().decode("unicode_escape") for name, more in re.findall(
        r'#define (\w+)\s+(?:\\\n\s*)?"(?:\\.|[^"\\])*"\s*\\\n\s*"((?:\\.|[^"\\])*)"', text)})
    rows = {}
    for study, precision, hash_, law, with_ in re.findall(
            r'{"(\w+)",\s+"(double|single)",\s+"([0-9a-f]{32})",\s+("\w+"|NULL),\s+(\w+)}', text):
        settings = ["engine.backend=scalar", "engine.precision=" + precision]
        settings += ["parameters.contact.law=" + law.strip('"')] if law != "NULL" else []
        settings += ([texts[with_]] if with_ != "NULL" else []) + ["integrator.step_error=off"]
        rows["/".join(["golden", study, precision, law.strip('"'), with_]).replace("/NULL", "")] = (hash_, settings)
    return rows


def make(build):
    configure(build)
    names = tests_of(build)
    targets = ["test_" + n.replace("/", "_") for n in names if not n.startswith("golden/")] + ["omniroll_program", "omniroll_failpoints"]
    subprocess.run(["ninja", "-C", os.path.join(WORK, build), "-j3", *targets], check=True, stdout=subprocess.DEVNULL)
    return names


def prepare(options):
    os.makedirs(WORK, exist_ok=True)
    copy_tree(CHECK, {})
    copy_tree(TREE, {})  # its mutant.h is in the flags of both builds
    configure("kernels", CHECK)
    chosen, refused, texts = draw(options.count, options.seed)
    chosen.sort(key=lambda m: (m.path, m.changes))
    plan = {"seed": options.seed, "refused": [[m.path, m.line, m.operator] for m in refused], "mutants": []}
    for number, m in enumerate(chosen, 1):
        m.number = number
        before, after = m.describe(texts[m.path])
        plan["mutants"].append({"number": number, "file": m.path, "line": m.line, "operator": m.operator, "single": bool(m.single),
                                "before": before, "after": after, "changes": m.changes})
    plan["texts"] = {path: mutants.with_all(text, [(m.number, m) for m in chosen if m.path == path and not m.single])
                     for path, text in texts.items()}
    copy_tree(TREE, plan["texts"])
    write(PLAN, json.dumps(plan, indent=1))
    build_all(plan)


def build_all(plan):
    """Builds, and runs every test without a mutant: what fails then judges nothing."""
    for build in ["plain"]:
        begin = time.time()
        names = make(build)
        known, plan.setdefault("tests", {})[build] = plan.get("tests", {}).get(build, {}), {}
        for name in names:
            if name in known and known[name][1] == built(build, name):
                plan["tests"][build][name] = known[name]
                continue
            passed, seconds = run_test(build, name, 0, 600)
            if passed:
                plan["tests"][build][name] = [seconds, built(build, name)]
            print(f"{build:10} {name:32} {seconds:6.2f} s{'' if passed else '  fails without a mutant, so it judges nothing'}", flush=True)
        print(f"{build}: built and run in {time.time() - begin:.0f} s", flush=True)
    write(PLAN, json.dumps(plan, indent=1))


def built(build, name):
    program = "omniroll" if name.startswith("golden/") else "tests/test_" + name.replace("/", "_")
    return os.path.getmtime(os.path.join(WORK, build, program))


def command_of(build, name):
    """What runs a test, and what it has to print."""
    if not name.startswith("golden/"):
        return [os.path.join(WORK, build, "tests", "test_" + name.replace("/", "_")), "--fail-fast", "-j1"], ""
    wanted, settings = golden_rows()[name]
    return [os.path.join(WORK, build, "omniroll"), "run", f"tests/parity/{name.split('/')[1]}.json", "--hash", "-q",
            *(word for s in settings for word in ("--set", s))], wanted


def run_test(build, name, number, limit):
    """Whether a test passes under a mutant, and the seconds it took. Its processor time has a limit too, which ends endless loops."""
    command, wanted = command_of(build, name)
    env = {**environment(number), "OMNIROLL": os.path.join(WORK, build, "omniroll"),
           "OMNIROLL_FAILPOINTS": os.path.join(WORK, build, "tests", "omniroll_failpoints")}
    if LEAKS and re.match(r"statistics/|unit/(summary|access)", name):
        env["LD_PRELOAD"] = LEAKS
    begin = time.time()
    process = subprocess.Popen(["sh", "-c", f'ulimit -t {max(2, int(limit))}; ulimit -c 0; exec nice -n 19 "$@"', "sh", *command], cwd=TREE,
                               env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
    try:
        printed, said = process.communicate(timeout=20 * limit + 60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.communicate()
        return False, time.time() - begin
    passed = process.returncode == 0 and wanted in printed and "LeakSanitizer: detected" not in printed + said
    return passed, time.time() - begin


def kin(path, name):
    """How likely a test is about a file, by their names: words of the file in that of the test."""
    words = [w[:6] for w in re.split(r"[/_.]", os.path.basename(path)[:-2])]
    return sum(any(w and part.startswith(w) for w in words) for part in re.split(r"[/_]", name.split("/")[1]))


FAMILIES = {"snakeboard": r"snakeboard", "uk_wheel": r"uk_wheel|uk_braking", "wheelset": r"wheelset", "rolling_disc": r"rolling_disc|disc_"}
SHARED = r"compat|mathfn|angle|config|scalar_math|small|matrix"


def family(path):
    """The small model that a kernel file or a test is about; None: vehicles."""
    name = path.split("/")[1]
    return next((f for f, words in FAMILIES.items() if re.match(words, name)), None)


def concerns(name, path):
    """Whether a test can notice a change of a file: small models have kernel files and tests of their own."""
    kind = "kernels" if path.startswith("kernels/") else "statistics"
    if not re.match(TESTS[kind], name) or name in SLOW and not re.search(SLOW[name], path):
        return False
    return kind == "statistics" or name.startswith("unit/") or bool(re.match(SHARED, path.split("/")[1])) or family(name) == family(path)


class Judge:
    def __init__(self, plan, build):
        self.plan, self.build, self.lock = plan, build, threading.Lock()
        self.kills = collections.Counter()

    def order(self, m, build):
        times = self.plan["tests"][build]
        names = [n for n in times if concerns(n, m["file"])]

        def worth(name):
            first = 0.3 * kin(m["file"], name) + (0.1 if name.startswith("golden/") else 0)
            with self.lock:
                return (self.kills[m["file"], name] + 0.2 * self.kills[name] + first + 0.01) / (times[name][0] + 0.1)
        return sorted(names, key=worth, reverse=True)

    def judge(self, m, ran, budget):
        """Runs tests that have not judged the mutant as they are now, until one fails or the usual times of all sum up to the budget."""
        build = self.build
        times = self.plan["tests"][build]
        begin, verdict = time.time(), {"number": m["number"], "state": "survived", "ran": dict(ran)}
        for name in self.order(m, build):
            usual, when = times[name]
            if ran.get(name) == when or budget < 0:
                continue
            budget -= usual
            passed, seconds = run_test(build, name, m["number"], 10 * usual + 5)
            verdict["ran"][name] = when
            if not passed:
                with self.lock:
                    self.kills[m["file"], name] += 1
                    self.kills[name] += 1
                verdict.update(state="timeout" if seconds > 10 * usual + 5 else "killed", by=name)
                break
        verdict.update(seconds=round(time.time() - begin, 1), whole=budget >= 0)
        if verdict["state"] != "survived":
            del verdict["ran"]
        with self.lock, open(RESULTS, "a", encoding="utf-8") as file:
            file.write(json.dumps(verdict) + "\n")
        return verdict


def verdicts():
    """The last verdict of each mutant, and the first."""
    last, first = {}, {}
    if os.path.exists(RESULTS):
        for line in read(RESULTS).splitlines():
            v = json.loads(line)
            last[v["number"]] = v
            first.setdefault(v["number"], v)
    return last, first


def run(options):
    plan = json.loads(read(PLAN))
    last, _ = verdicts()
    judge = Judge(plan, "plain")
    by_number = {m["number"]: m for m in plan["mutants"]}
    for v in last.values():
        if "by" in v:
            judge.kills[by_number[v["number"]]["file"], v["by"]] += 1
            judge.kills[v["by"]] += 1
    if options.again:
        copy_tree(TREE, plan["texts"])
        build_all(plan)
    wanted = [m for m in plan["mutants"] if not m["single"] and (
        m["number"] in options.numbers if options.numbers else
        m["number"] not in last or options.again and last[m["number"]]["state"] == "survived")]
    random.Random(plan["seed"]).shuffle(wanted)  # so that a run that is stopped has judged a sample too
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(judge.judge, m, last.get(m["number"], {}).get("ran", {}), options.budget)
                 for m in wanted]
        for done, task in enumerate(concurrent.futures.as_completed(tasks), 1):
            v = task.result()
            m = by_number[v["number"]]
            print(f"{done}/{len(wanted)} {v['number']} {m['file']}:{m['line']} {m['operator']}: {v['state']} {v.get('by', '')} {v['seconds']} s",
                  flush=True)


def report(_options):
    plan = json.loads(read(PLAN))
    last, first = verdicts()
    reasons = json.loads(read(REASONS)) if os.path.exists(REASONS) else {}
    told = {(r["file"], r["before"], r["after"]): r for r in reasons.get("survivors", [])}
    counts = {"operator": collections.defaultdict(collections.Counter), "file": collections.defaultdict(collections.Counter)}
    total, begin, survivors = collections.Counter(), collections.Counter(), []
    for m in plan["mutants"]:
        v = last.get(m["number"])
        state = "not run" if v is None else v["state"]
        if state == "survived":
            survivors.append(m)
        total[state] += 1
        begin[first[m["number"]]["state"] if v else "not run"] += 1
        counts["operator"][m["operator"]][state] += 1
        counts["file"][m["file"]][state] += 1
    for kind, rows in counts.items():
        print(f"{kind:34} killed timeout survived not run")
        for name, c in sorted(rows.items()):
            print(f"{name:34} {c['killed']:6} {c['timeout']:7} {c['survived']:8} {c['not run']:7}")
    for m in survivors:
        why = told.get((m["file"], m["before"], m["after"]), {"reason": "NO REASON YET"})
        print(f"{m['number']} {m['file']}:{m['line']} {m['operator']}\n    {m['before']}\n    {m['after']}\n    {why['reason']}")
    for name, c in (("with the tests as they were", begin), ("now", total)):
        judged = sum(c.values()) - c["not run"]
        dead = c["killed"] + c["timeout"]
        print(f"{name}: {dead} of {judged} mutants killed ({100 * dead / max(1, judged):.1f} %, {c['timeout']} of them by time), "
              f"{c['not run']} not run; {len(plan['refused'])} more did not compile")


def show(options):
    plan = json.loads(read(PLAN))
    for m in plan["mutants"]:
        if m["number"] in options.numbers:
            text = read(os.path.join(ROOT, m["file"]))
            print(m["file"], m["line"], m["operator"], m["before"], "=>", m["after"], sep="\n  ")
            for a, b, new in m["changes"]:
                print("   ", repr(text[a:b]), "->", repr(new))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["prepare", "run", "report", "show"])
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_intermixed_args()  # numbers behind options
    {"prepare": prepare, "run": run, "report": report, "show": show}[options.what](options)


if __name__ == "__main__":
    main()
