#!/usr/bin/python3
"""The power fails at any moment of a run: power_loss.py PROGRAM RECORDER [--short] [--states N] [--most N] [--seed S]

RECORDER is tests/long/power_loss_recorder.c as a shared library, which the tests build. It writes down what a small run, a resumed one, one
through a link and one in the place of a result do to files. After each of these operations the power may fail. What a file or a folder
was given before its last fsync is then on disk. Of what came after that, anything may be there:

- of the names in a folder (new files, renames, removals) any of them, whatever their order (all subsets of up to 6, else prefixes, single ones
  lost, and random ones); a rename is there or not, and may be there before the bytes of its file
- of the writes to a file none, all, the first ones, all but the first, the last one by half, or zeros in their place; of a file that has a
  temporary name alone, which nobody reads, none or all

Each different state that follows is made, and `omniroll resume` or, where that says that nothing can be gone on with, the same `omniroll
run` has to come to the bits of the run that nothing interrupted, and to leave the result alone. What was promised must not be lost: a chunk
whose line in the journal was synced is not computed again (in a folder whose study was synced), and a result of which the program said
that it was written is there. A result that stood there before stands there or has been replaced.

Of the states after one operation the likeliest 64 (--most) are looked at. All of them are tried, or N that are drawn at random from each
scenario (--states; --short: a number that takes some seconds). The exit code is 1 where a state is
not taken."""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import h5py

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "parity"))
import compare_results  # noqa: E402

STUDY = {"title": "power loss", "model": "rolling_disc", "vary": [{"path": "gravity", "uniform": [9, 11]}],
         "design": {"type": "monte_carlo", "instances": 6, "seed": "3"}, "engine": {"chunk": 2, "backend": "scalar"},
         "integrator": {"method": "rk4", "step": "1 ms", "duration": "5 ms", "step_error": "off"}}
CHUNKS = 3
RESULT, PARTS, TRASH = "r.h5", "r.h5.parts", "r.h5.parts.done"
MOST_SUBSETS = 6
DRAWN = 8  # subsets, where there are too many
SHORT = 25  # states of a scenario


class File:
    def __init__(self, data=b""):
        self.base, self.operations = data, []  # operations: (number, kind, ...)


class Folder:
    def __init__(self):
        self.base, self.operations = {}, []  # base: {name: object}; operations: (number, [(name, object or None)])


class Link:
    def __init__(self, target):
        self.target = target


def scan(path, known):
    """The tree at `path` as it is, all of it on disk; known: {inode: object}"""
    folder = known.setdefault(os.stat(path).st_ino, Folder())
    for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
        if entry.is_symlink():
            child = Link(os.readlink(entry.path))
            known[os.lstat(entry.path).st_ino] = child
        elif entry.is_dir():
            child = scan(entry.path, known)
        else:
            with open(entry.path, "rb") as file:
                child = known.setdefault(entry.inode(), File(file.read()))
        folder.base[entry.name] = child
    return folder


class Recording:
    """Objects with what happened to them; each operation has a number, from 1 on."""

    def __init__(self, root, known, record):
        self.root, self.known, self.syncs, self.count = root, known, [], 0
        with open(f"{record}.data", "rb") as file:
            data = file.read()
        at = 0
        with open(f"{record}.log", encoding="utf-8") as log:
            for line in log:
                word, *rest = line.rstrip("\n").split(" ")
                if word == "write":
                    size = int(rest[2])
                    rest.append(data[at:at + size])
                    at += size
                self.take(word, rest)

    def take(self, word, rest):
        subject = self.known.get(int(rest[0]))
        if subject is None:  # elsewhere
            return
        self.count += 1
        if word == "sync":
            self.syncs.append((self.count, subject))
        elif word == "write":
            subject.operations.append((self.count, "write", int(rest[1]), rest[3]))
        elif word == "truncate":
            subject.operations.append((self.count, "truncate", int(rest[1])))
        elif word in ("create", "mkdir"):
            new = self.known[int(rest[1])] = Folder() if word == "mkdir" else File()
            subject.operations.append((self.count, [(rest[2], new)]))
        elif word == "unlink":
            subject.operations.append((self.count, [(rest[2], None)]))
        elif word == "rename":
            moved = self.known[int(rest[1])]
            assert self.known[int(rest[3])] is subject, "renamed into another folder"
            subject.operations.append((self.count, [(rest[2], None), (rest[4], moved)]))

    def synced(self, subject, now):
        return max((number for number, which in self.syncs if which is subject and number <= now), default=0)

    def parted(self, subject, now):
        """What is on disk, and what may be."""
        safe = self.synced(subject, now)
        return ([o for o in subject.operations if o[0] <= safe], [o for o in subject.operations if safe < o[0] <= now])


def applied(data, operations):
    data = bytearray(data)
    for operation in operations:
        if operation[1] == "truncate":
            length = operation[2]
            del data[length:]
            data.extend(bytes(length - len(data)))
        else:
            _, _, offset, part = operation
            data.extend(bytes(max(0, offset + len(part) - len(data))))
            data[offset:offset + len(part)] = part
    return bytes(data)


def versions(recording, file, now, read, rng):
    """Bytes that the file may have, the likeliest first."""
    safe, open_ = recording.parted(file, now)
    base = applied(file.base, safe)
    whole = applied(base, open_)
    found = [whole, base]
    if read and open_:
        found += [applied(base, open_[:k]) for k in sorted(rng.sample(range(len(open_)), min(len(open_), 3)))]
        found.append(applied(base, open_[1:]))
        if open_[-1][1] == "write":
            number, word, offset, part = open_[-1]
            found.append(applied(base, [*open_[:-1], (number, word, offset, part[:len(part) // 2])]))
        found.append(base[:len(whole)] + bytes(max(0, len(whole) - len(base))))
    return list(dict.fromkeys(found))


def subsets(operations, rng):
    """Which of the operations of a folder are on disk: all, none, and others."""
    count = len(operations)
    if count <= MOST_SUBSETS:
        chosen = sorted(itertools.product((True, False), repeat=count), key=lambda kept: -sum(kept))
    else:
        chosen = [[True] * count, [False] * count]
        chosen += [[i < k for i in range(count)] for k in range(1, count)] + [[i != k for i in range(count)] for k in range(count)]
        chosen += [[rng.random() < 0.5 for _ in range(count)] for _ in range(DRAWN)]
    return [[o for o, keep in zip(operations, kept) if keep] for kept in chosen]


def entries(base, operations):
    names = dict(base)
    for _, changes in operations:
        for name, child in changes:
            if child is None:
                names.pop(name, None)
            else:
                names[name] = child
    return names


def trees(recording, folder, now, rng):
    """Names that the folder may have with those of the folders in it: {name: File, Link or such a dictionary}."""
    safe, open_ = recording.parted(folder, now)
    for kept in subsets(open_, rng):
        names = entries(folder.base, [*safe, *kept])
        inner = [name for name, child in names.items() if isinstance(child, Folder)]
        for chosen in itertools.product(*(list(trees(recording, names[name], now, rng)) for name in inner)):
            yield {**names, **dict(zip(inner, chosen))}


def files_of(tree, path=""):
    for name, child in sorted(tree.items()):
        if isinstance(child, dict):
            yield from files_of(child, f"{path}{name}/")
        elif isinstance(child, File):
            yield f"{path}{name}", child


def is_read(path):
    return ".tmp-" not in path and "lock" not in os.path.basename(path)


def states(recording, now, rng):
    """States after the operation `now`: (tree, {path: bytes})"""
    for tree in trees(recording, recording.root, now, rng):
        files = list(files_of(tree))
        choices = [versions(recording, file, now, is_read(path), rng) for path, file in files]
        for chosen in itertools.product(*choices):
            yield tree, dict(zip((path for path, _ in files), chosen))


def digest(tree, data):
    whole = hashlib.sha256()

    def add(inner, path):
        for name, child in sorted(inner.items()):
            whole.update(f"{path}{name}\0{type(child).__name__}\0".encode())
            if isinstance(child, dict):
                add(child, f"{path}{name}/")
            elif isinstance(child, File):
                whole.update(hashlib.sha256(data[f"{path}{name}"]).digest())

    add(tree, "")
    return whole.digest()


def make(path, tree, data, inner=""):
    os.mkdir(path)
    for name, child in tree.items():
        if isinstance(child, dict):
            make(os.path.join(path, name), child, data, f"{inner}{name}/")
        elif isinstance(child, Link):
            os.symlink(child.target, os.path.join(path, name))
        else:
            with open(os.path.join(path, name), "wb") as file:
                file.write(data[f"{inner}{name}"])


LINE = re.compile(rb"^chunk (\d+) rows [^\n]* [0-9a-f]{32}\n", re.MULTILINE)


def promised(recording, now):
    """Chunks that a resume must not compute again: their lines are synced, and the folder is not done with."""
    chunks = set()
    for subject in recording.known.values():
        if isinstance(subject, File):
            safe, _ = recording.parted(subject, now)
            text = applied(subject.base, safe)
            if text.startswith(b"session "):
                chunks |= {int(match[1]) for match in LINE.finditer(text)}
    return chunks


class Trial:
    def __init__(self, program, reference, work):
        self.program, self.work = program, work
        self.reference = reference
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMNIROLL_CACHE": "0"}

    def call(self, folder, *arguments):
        return subprocess.run([self.program, *arguments], cwd=folder, env=self.environment, capture_output=True, text=True, timeout=120)

    def same(self, path):
        try:
            with h5py.File(self.reference, "r") as a, h5py.File(path, "r") as b:
                return not compare_results.differences(a, b)[0]
        except (OSError, KeyError, RuntimeError):
            return False

    def judge(self, number, state):
        """What is wrong with the state after it was gone on with; None: nothing."""
        tree, data, chunks, there = state
        folder = os.path.join(self.work, str(number))
        make(folder, tree, data)
        wrong = self.go_on(folder, chunks, there)
        shutil.rmtree(folder)
        return wrong

    def go_on(self, folder, chunks, there):
        result = os.path.join(folder, RESULT)
        if there and not self.same(result):
            return "the result that was there is lost"
        done = os.path.exists(result) and self.same(result)
        first = self.call(folder, "resume", RESULT)
        if first.returncode != 0:
            if first.returncode != 5 or "omniroll: " not in first.stderr:
                return f"resume: exit code {first.returncode}: {first.stderr}"
            if chunks and not done:
                return f"resume is refused, though the chunks {sorted(chunks)} are finished: {first.stderr}"
            second = self.call(folder, "run", "study.json", "-o", RESULT)
            if second.returncode != 0:
                return f"run: exit code {second.returncode}: {second.stderr}"
        elif not done:
            found = re.search(r"goes on after (\d+) of", first.stderr)
            if len(chunks) > int(found[1] if found else 0):
                return f"chunks {sorted(chunks)} were finished: {first.stderr}"
        if not self.same(result):
            return "the result differs"
        left = sorted(set(os.listdir(folder)) - {"study.json", "scratch", RESULT})
        if os.path.islink(os.path.join(folder, PARTS)):
            left = [name for name in left if name != PARTS] + os.listdir(os.path.join(folder, "scratch"))
        return f"left behind: {left}" if left else None


def record(trial, recorder, folder, arguments):
    """Runs the program in `folder`."""
    known = {}
    root = scan(folder, known)
    for ending in ("log", "data"):
        open(f"{folder}.{ending}", "wb").close()
    environment = {**trial.environment, "LD_PRELOAD": recorder, "OMNIROLL_RECORD": folder}
    run = subprocess.run([trial.program, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {run.stderr}")
    return Recording(root, known, folder)


def prepare(folder, reference=None, finished=0, link=False, trial=None):
    """A folder in which a run begins: with a result there already, with so many finished chunks, with a link in the place of the folder."""
    os.mkdir(folder)
    with open(os.path.join(folder, "study.json"), "w", encoding="utf-8") as file:
        json.dump(STUDY, file)
    if reference:
        shutil.copy(reference, os.path.join(folder, RESULT))
    if link:
        os.mkdir(os.path.join(folder, "scratch"))
        os.symlink("scratch", os.path.join(folder, PARTS))
    if finished:
        for shard in range(1, finished + 1):
            trial.call(folder, "run", "study.json", "-o", RESULT, "--shard", f"{shard}/{CHUNKS}")
        with open(os.path.join(folder, PARTS, f"chunks-1-of-{CHUNKS}.txt"), "ab") as file:
            file.write(b"chunk 2 rows 4 6 by")  # torn


SCENARIOS = {
    "run": (["run", "study.json", "-o", RESULT, "-q"], {}),
    "resume": (["resume", RESULT, "-q"], {"finished": 2}),
    "through a link": (["run", "study.json", "-o", RESULT, "-q"], {"link": True}),
    "in the place of a result": (["run", "study.json", "-o", RESULT, "-q"], {"there": True}),
}


def distinct(recording, rng, most):
    """Different states: (tree, bytes, chunks that are promised, whether a result is), at most `most` for one operation."""
    seen, there = set(), RESULT in recording.root.base
    for now in range(recording.count + 1):
        chunks = promised(recording, now)
        after = now == recording.count  # the program has said that the result is there
        for tree, data in itertools.islice(states(recording, now, rng), most):
            key = digest(tree, data)
            if key not in seen or after:
                seen.add(key)
                yield tree, data, chunks, there or after


def try_all(trial, name, recorder, folder, given, rng):
    arguments, options = SCENARIOS[name]
    options = dict(options)
    prepare(folder, trial.reference if options.pop("there", False) else None, trial=trial, **options)
    recording = record(trial, recorder, folder, arguments)
    found = list(distinct(recording, rng, given.most))
    count = len(found)
    wanted = SHORT if given.short else given.states
    if wanted and wanted < count:
        found = rng.sample(found, wanted)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [(state, what) for state, what in zip(found, pool.map(trial.judge, range(len(found)), found)) if what]
    print(f"{name}: {recording.count} operations, {len(recording.syncs)} syncs, {count} states, {len(found)} tried, "
          f"{len(wrong)} not taken", flush=True)
    for state, what in wrong[:5]:
        print(f"  {what.strip()}\n    in {sorted(path for path, _ in files_of(state[0]))}")
    return len(found), len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("recorder")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--states", type=int, default=0, help="of each scenario; 0: all")
    parser.add_argument("--most", type=int, default=64, help="states after one operation")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    shared = "/dev/shm" if os.access("/dev/shm", os.W_OK | os.X_OK) else None  # syncs are not to wait for a disk
    work = tempfile.mkdtemp(prefix="omniroll-power-", dir=shared)
    try:
        prepare(os.path.join(work, "whole"))
        trial = Trial(os.path.abspath(given.program), os.path.join(work, "whole", RESULT), work)
        first = trial.call(os.path.join(work, "whole"), "run", "study.json", "-o", RESULT, "-q")
        if first.returncode != 0:
            sys.exit(first.stderr)
        totals = [try_all(trial, name, os.path.abspath(given.recorder), os.path.join(work, f"s{i}"), given, rng)
                  for i, name in enumerate(SCENARIOS)]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{sum(tried for tried, _ in totals)} states tried, {sum(wrong for _, wrong in totals)} not taken")
    return 1 if any(wrong for _, wrong in totals) else 0


if __name__ == "__main__":
    sys.exit(main())
