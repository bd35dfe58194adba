"""Names in the folder R.h5.shards of a shared run:

    run.h5.parts/manifest.json       what is run: a shard of another study is refused
    3-of-8.h5.parts/                 a finished shard, which omniroll merge takes
    3-of-8.1a2b3c4d.h5.parts/        an attempt at one; one that was killed is gone on with
    wanted-1a2b3c4d                  as long as the caller waits for the shards
    lock                             held by the caller"""

from __future__ import annotations

import os
import re

MANIFEST = "manifest.json"
RUN = "run.h5"
LOCK = "lock"
BESIDE = re.compile(r"manifest\.json|lock.*|assemble\.lock|chunks-\d+-of-\d+\.txt")  # in a shard, but not of its values
FINISHED = re.compile(r"(\d+)-of-(\d+)\.h5\.parts")
ATTEMPT = re.compile(r"\d+-of-\d+\.[0-9a-f]{8}\.h5\.parts")


def folder_of(result: str) -> str:
    return f"{result}.shards"


def shard(place: str, number: int, count: int) -> str:
    return os.path.join(place, f"{number}-of-{count}.h5.parts")


def attempt(place: str, number: int, count: int, token: str) -> str:
    """The result's name, whose folder has .parts behind it."""
    return os.path.join(place, f"{number}-of-{count}.{token}.h5")


def left(place: str, number: int, count: int) -> list[str]:
    """Attempts at a shard that did not come to its end, or have not yet."""
    begin = f"{number}-of-{count}."
    return [os.path.join(place, name[:-len(".parts")]) for name in sorted(os.listdir(place)) if name.startswith(begin) and ATTEMPT.fullmatch(name)]


def finished(place: str) -> dict[int, list[int]]:
    """Numbers of the finished shards, by how many there are to be."""
    found: dict[int, list[int]] = {}
    for name in sorted(os.listdir(place)):
        if match := FINISHED.fullmatch(name):
            found.setdefault(int(match[2]), []).append(int(match[1]))
    return found


def products(parts: str) -> list[str]:
    """Files of a shard that hold what it has computed."""
    return sorted(name for name in os.listdir(parts) if not BESIDE.fullmatch(name))
