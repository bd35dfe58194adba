"""Variables of a result file that are read at their first use."""

from __future__ import annotations

import os
from typing import Any, Callable

import h5py
import numpy as np
from xarray.backends import BackendArray
from xarray.core import indexing

from ..errors import FileError, NotAResult, UsageError
from .checksums import whole
from .in_memory import Memory, opened
from .own_process import apart
from .virtual import elsewhere, some


def _state(path: str) -> tuple[int, ...]:
    """Marks of a file that change where another one takes its place."""
    if isinstance(path, Memory):
        return ()
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


class Stored(BackendArray):
    """A dataset of a result file, which is opened for each read, so that it is pickled, and read in threads and forks. A whole read is
    held against its checksum, as by omniroll.open; of a part HDF5 checks the blocks that it lies in."""

    def __init__(self, path: str, data: h5py.Dataset) -> None:
        self.path, self.name, self.state = path, data.name, _state(path)
        self.shape, self.dtype = data.shape, data.dtype

    def __getitem__(self, key: Any) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER_1VECTOR, self._read)

    def _is_all(self, key: tuple[Any, ...]) -> bool:
        return all(isinstance(one, slice) and one.indices(length) == (0, length, 1) for one, length in zip(key, self.shape))

    def _read(self, key: tuple[Any, ...]) -> Any:
        try:
            if _state(self.path) != self.state:
                raise NotAResult(f"{self.path}: is another file than the one that was opened, and {self.name} was not read from that; open it anew")
        except OSError as error:
            raise self._unreadable(error) from error
        return apart(self.path, lambda: self._values(key))

    def _values(self, key: tuple[Any, ...]) -> Any:
        try:
            with opened(self.path) as file:
                data = file[self.name]
                return whole(data) if self._is_all(key) else some(data, key) if elsewhere(data) else data[key]
        except FileError:
            raise
        except (OSError, KeyError, RuntimeError, TypeError, ValueError, AttributeError) as error:  # as result.py has them
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> NotAResult:
        return NotAResult(f"{self.path}: {self.name} cannot be read any more: {error}")


def taker(path: str) -> Callable[[h5py.Dataset], Any]:
    """The object that dataset.py takes in place of the values: read once, then kept, as xarray does it; changes stay in memory."""

    def take(data: h5py.Dataset) -> Any:
        if h5py.check_string_dtype(data.dtype) or not data.size:
            return whole(data)
        return indexing.MemoryCachedArray(indexing.CopyOnWriteArray(indexing.LazilyIndexedArray(Stored(path, data))))

    return take


def numbers(data: h5py.Dataset) -> Any:
    """Numbers of instances, which ascend: where the ends fit 0, 1, 2, ... nothing between is read."""
    count = len(data)
    if count > 1 and not elsewhere(data) and int(data[0]) == 0 and int(data[count - 1]) == count - 1:
        return np.arange(count, dtype=data.dtype)
    return whole(data)


def check_dask() -> None:
    """Raises UsageError where there is no dask."""
    try:
        import dask.array  # noqa: F401
    except ImportError:
        raise UsageError("chunks are arrays of dask, which this Python does not have: install it (sudo apt-get install python3-dask, or "
                         "pip install dask), or open with lazy=True, which reads what is asked for without it") from None
