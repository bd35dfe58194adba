"""A look at a result by a process of its own: HDF5 crashes on many a damaged file, and would take this Python along."""

from __future__ import annotations

import os
import signal
import subprocess

from ..errors import LibraryError, NotAResult
from ..library import program

MOST = 64  # files that are remembered

_good: dict[tuple[int, ...], None] = {}


def require_sound(path: str) -> None:
    """Raises NotAResult where HDF5 crashes on the file, or goes round in circles. A file that was looked at is not looked at again while it
    stays what it is; without the program nothing is known, and that is no error."""
    about = os.stat(path)
    identity = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    if identity in _good:
        return
    try:
        done = subprocess.run([program(), "read-result", os.path.abspath(path)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except (LibraryError, OSError):
        return
    if done.returncode < 0:  # a signal
        how = "did not come to an end" if done.returncode == -signal.SIGXCPU else "crashed"
        raise NotAResult(f"{path}: HDF5 {how} while a process of its own read this file: it is damaged; write it anew")
    while len(_good) >= MOST:
        _good.pop(next(iter(_good)), None)
    _good[identity] = None
