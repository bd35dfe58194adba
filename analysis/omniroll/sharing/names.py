"""Names in the folder R.h5.shards of a shared run:

    run.h5.parts/manifest.json       the run: a shard of another study is refused
    3-of-8.h5.parts/                 a finished shard, which omniroll merge takes
    3-of-8.1a2b3c4d.h5.parts/        an attempt at one; one that was killed is gone on with
    all.h5.parts/, moved.json        the chunks of all shards while the result is made of them, and where they belong
    wanted-1a2b3c4d                  as long as the caller waits for the shards
    lock                             held by the caller"""

from __future__ import annotations

import os
import re

MANIFEST = "manifest.json"
RUN, ALL, MOVED = "run.h5", "all.h5", "moved.json"
LOCK = "lock"
BESIDE = re.compile(r"manifest\.json|lock.*|assemble\.lock|chunks-\d+-of-\d+\.txt|.*\.tmp-.*")  # files of a shard that are no results
FINISHED = re.compile(r"(\d+)-of-(\d+)\.h5\.parts")
ATTEMPT = re.compile(r"\d+-of-(\d+)\.[0-9a-f]{8}\.h5\.parts")


def folder_of(result: str) -> str:
    return f"{result}.shards"


def shard(place: str, number: int, count: int) -> str:
    return os.path.join(place, f"{number}-of-{count}.h5.parts")


def attempt(place: str, number: int, count: int, token: str) -> str:
    """The result's name, whose folder has .parts behind it."""
    return os.path.join(place, f"{number}-of-{count}.{token}.h5")


def journal(number: int, count: int) -> str:
    return f"chunks-{number}-of-{count}.txt"


def left(place: str, number: int, count: int) -> list[str]:
    """Attempts at a shard that did not come to its end, or have not yet."""
    begin = f"{number}-of-{count}."
    return [os.path.join(place, name[:-len(".parts")]) for name in sorted(os.listdir(place)) if name.startswith(begin) and ATTEMPT.fullmatch(name)]


def finished(place: str, count: int) -> list[int]:
    """Numbers of the finished shards of so many."""
    found = [FINISHED.fullmatch(name) for name in os.listdir(place)]
    return sorted(int(match[1]) for match in found if match and int(match[2]) == count and 1 <= int(match[1]) <= count)


def counts(place: str) -> list[int]:
    """Of how many shards some are there, finished or begun."""
    found = [FINISHED.fullmatch(name) for name in os.listdir(place)] + [ATTEMPT.fullmatch(name) for name in os.listdir(place)]
    return sorted({int(match[match.re.groups]) for match in found if match})


def products(parts: str) -> list[str]:
    """Files of a shard that hold its results."""
    return sorted(name for name in os.listdir(parts) if not BESIDE.fullmatch(name))
