"""Virtual results (omniroll merge --virtual): their rows stay in the files of chunks, below the folder of the result. HDF5 follows links, looks
in other folders for a file that is missing, and gives fill values without a word where it finds none; so these files are found and read
here."""

from __future__ import annotations

import errno
import functools
import os
import resource
import stat
from dataclasses import dataclass
from typing import Any, Iterator

import h5py
import numpy as np

from ..errors import FileError, NotAResult

GROUP, LIST = "virtual", "files"
OPEN = max(1, min(512, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 8))  # files at a time: the others are the process's own
NAMED = 3  # folders that a message names
TRACES = "/trajectories/"


@dataclass(frozen=True)
class Chunk:
    """A file that holds rows."""

    rows: int
    traced: int
    size: int
    name: str


def elsewhere(dataset: h5py.Dataset) -> bool:
    """Whether HDF5 would look for the values in other files."""
    return bool(dataset.is_virtual or dataset.id.get_create_plist().get_external_count())


def _refused(path: str, chunks: list[Chunk], name: str, why: str) -> NotAResult:
    every = list(dict.fromkeys(os.path.dirname(chunk.name) or "." for chunk in chunks))
    folders = " ".join(every[:NAMED]) + (f" and {len(every) - NAMED} more" if len(every) > NAMED else "")
    several = "" if len(chunks) == 1 else "s"
    return NotAResult(f"{path}: is virtual, over {len(chunks)} file{several} below its folder, and {name} {why}. Put the folders and the result "
                      f"beside each other again, or make a result with rows of its own where they are: omniroll merge -o FILE {folders}")


def _too_many(path: str, name: str, error: OSError) -> FileError:
    return FileError(f"{path}: {name}, which holds rows of it, cannot be opened: {error.strerror}. Close other files of this process, or let it have "
                     "more: ulimit -n 4096 before it starts")


def _chunk(path: str, line: str) -> Chunk:
    words = line.split(" ", 4)
    try:
        chunk = Chunk(int(words[0]), int(words[1]), int(words[2]), words[4])
        parts = chunk.name.split("/")
        good = 0 <= chunk.traced <= chunk.rows <= chunk.size and not any(part in ("", ".", "..") for part in parts)
    except (IndexError, ValueError):
        good = False
    if not good:
        raise NotAResult(f"{path}: its list of files cannot be right at {line[:100]!r}: it names only files below the result's own folder. "
                         "It is damaged; write it anew")
    return chunk


@functools.lru_cache(maxsize=8)
def _listed(path: str, text: str) -> list[Chunk]:
    """The files of a result, each there with its length."""
    chunks = [_chunk(path, line) for line in text.splitlines()]
    for chunk in chunks:
        os.close(_descriptor(path, chunks, chunk))
    return chunks


def chunks_of(file: h5py.File) -> list[Chunk]:
    """The files that hold the rows of a result; none where it holds them itself. Raises NotAResult where one is missing."""
    if GROUP not in file:
        return []
    return _listed(file.filename, str(file[GROUP].attrs[LIST]))


def _descriptor(path: str, chunks: list[Chunk], chunk: Chunk) -> int:
    """The open file: a plain one, found step by step from the result's folder on, through no link."""
    *folders, name = chunk.name.split("/")
    at = -1
    try:
        at = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY | os.O_DIRECTORY)
        for folder in folders:
            below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=at)
            os.close(at)
            at = below
        if not stat.S_ISREG(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
            raise _refused(path, chunks, chunk.name, "is a link or no plain file, which is not read")
        found = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=at)
    except FileNotFoundError:
        raise _refused(path, chunks, chunk.name, "is missing") from None
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise _too_many(path, chunk.name, error) from None
        raise _refused(path, chunks, chunk.name, f"cannot be opened, or leads through a link ({error.strerror})") from None
    finally:
        if at >= 0:
            os.close(at)
    if os.fstat(found).st_size == chunk.size:
        return found
    os.close(found)
    raise _refused(path, chunks, chunk.name, "has another length than the one that was joined")


@functools.lru_cache(maxsize=OPEN)
def _opened(path: str, text: str, number: int) -> h5py.File:
    chunks = _listed(path, text)
    descriptor = _descriptor(path, chunks, chunks[number])
    try:
        return h5py.File(f"/proc/self/fd/{descriptor}", "r")  # which is the file that was looked at
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise _too_many(path, chunks[number].name, error) from None
        raise
    finally:
        os.close(descriptor)


def _pieces(dataset: h5py.Dataset, first: int, last: int) -> Iterator[tuple[int, int, int, int]]:
    """Number of a file, its rows from and to, and where they go, of the rows first to last - 1."""
    chunks = chunks_of(dataset.file)
    traces = dataset.name.startswith(TRACES)
    if not (traces or dataset.name.startswith("/instances/")) or sum(c.traced if traces else c.rows for c in chunks) != len(dataset):
        raise NotAResult(f"{dataset.file.filename}: the dataset {dataset.name} names other files, which no result of omniroll does there. "
                         "It is damaged, or was changed by another program; write it anew")
    begin = 0
    for number, chunk in enumerate(chunks):
        count = chunk.traced if traces else chunk.rows
        low, high = max(first, begin), min(last, begin + count)
        if low < high:
            yield number, low - begin, high - begin, low - first
        begin += count


def rows(dataset: h5py.Dataset, first: int = 0, last: int | None = None) -> Any:
    """Values of a virtual dataset, of all rows or some. Raises NotAResult."""
    last = len(dataset) if last is None else last
    values = np.empty((last - first, *dataset.shape[1:]), dataset.dtype)
    text = str(dataset.file[GROUP].attrs[LIST]) if GROUP in dataset.file else ""
    for number, low, high, to in _pieces(dataset, first, last):
        try:
            file = _opened(dataset.file.filename, text, number)
        except FileError:  # no more may be open: those that are kept are in the way
            _opened.cache_clear()
            file = _opened(dataset.file.filename, text, number)
        if dataset.name in file:
            values[to:to + high - low] = file[dataset.name][low:high]
        elif dataset.name.startswith(TRACES):  # a sample that not every chunk has
            values[to:to + high - low] = np.nan
        else:
            raise NotAResult(f"{dataset.file.filename}: one of the files that hold its rows has no {dataset.name}")
    return values


def some(dataset: h5py.Dataset, key: tuple[Any, ...]) -> Any:
    """Values by a key of xarray's: integers and slices, and at most one list, for each axis."""
    along = key[0]
    if isinstance(along, slice):
        taken = range(*along.indices(len(dataset)))
    else:
        taken = np.atleast_1d(along)
    if len(taken) == 0:
        return np.empty(dataset.shape, dataset.dtype)[key] if 0 in dataset.shape else rows(dataset, 0, 1)[(slice(0, 0), *key[1:])]
    first, last = int(min(taken)), int(max(taken)) + 1
    within: Any = slice(taken[0] - first, None, taken.step) if isinstance(taken, range) else along - first
    if isinstance(taken, range) and taken.step < 0:
        within = np.asarray(taken) - first
    return rows(dataset, first, last)[(within, *key[1:])]
