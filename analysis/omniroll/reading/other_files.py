"""Results as Parquet files and Zarr folders, written block after block: of a result that was opened with lazy=True no more is in memory."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np

from ..errors import FileError, UsageError
from ..needed import missing
from .result import nothing_kept

if TYPE_CHECKING:
    import xarray

ROWS = 1 << 17  # of a block: a row group of Parquet, a chunk of Zarr
VALUES = 1 << 20  # of a chunk of trajectories, about


def _plain(value: Any) -> Any:
    """The value in types of JSON."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else str(value) if isinstance(value, str) else value


def _attributes(attrs: Any) -> dict[str, Any]:
    return {str(name): _plain(value) for name, value in attrs.items() if name != "path"}  # the place of another file


@contextlib.contextmanager
def _new(path: str, folder: bool) -> Iterator[str]:
    """An empty file or folder next to the path, which takes that name when it is whole. Raises FileError."""
    unfinished = f"{path}.tmp-{secrets.token_hex(8)}"
    try:
        if folder:
            os.mkdir(unfinished)
        else:
            os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}; choose another path, or make room") from error
    finally:
        if os.path.isdir(unfinished):
            shutil.rmtree(unfinished, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                os.unlink(unfinished)


def _rows(dataset: "xarray.Dataset", columns: Sequence[str] | None) -> list[str]:
    """Names of the columns that every instance has, its number first."""
    known = [str(name) for name, variable in dataset.variables.items() if variable.dims == ("instance",)]
    known.sort(key=lambda name: (name != "instance", name not in dataset.coords))  # parameters before results
    wanted = known if columns is None else [columns] if isinstance(columns, str) else list(columns)
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no column '{name}' over instance; there are: {', '.join(known)}")
    return wanted


def _block(dataset: "xarray.Dataset", name: str, begin: int) -> Any:
    values = dataset[name].isel(instance=slice(begin, begin + ROWS)).values
    return values.astype(str).astype(object) if values.dtype.kind == "O" else values


def _check_rows(dataset: "xarray.Dataset") -> None:
    if words := nothing_kept(dataset):
        raise UsageError(words)


def to_parquet(dataset: "xarray.Dataset", path: str, columns: Sequence[str] | None) -> None:
    """A row for each instance, by pyarrow or fastparquet."""
    _check_rows(dataset)
    names = _rows(dataset, columns)
    about = {**_attributes(dataset.attrs), "columns": {name: _attributes(dataset[name].attrs) for name in names}}
    write = _writer()
    with _new(path, folder=False) as place:
        write(dataset, place, names, json.dumps(about))


def _writer() -> Any:
    for find in (_by_pyarrow, _by_fastparquet):
        try:
            return find()
        except ImportError:
            continue
    raise missing("a Parquet file", "pyarrow", "pyarrow", "or fastparquet, neither of which this Python has")


def _blocks(dataset: "xarray.Dataset", names: list[str]) -> Iterator[dict[str, Any]]:
    count = dataset.sizes["instance"]
    for begin in range(0, max(count, 1), ROWS):
        yield {name: _block(dataset, name, begin) for name in names}


def _by_pyarrow() -> Any:
    import pyarrow
    import pyarrow.parquet

    def write(dataset: "xarray.Dataset", place: str, names: list[str], about: str) -> None:
        writer = None
        try:
            for block in _blocks(dataset, names):
                fields = []
                for name in names:
                    words = {key: str(_plain(dataset[name].attrs[key])) for key in ("units", "long_name") if key in dataset[name].attrs}
                    fields.append(pyarrow.field(name, pyarrow.array(block[name]).type, metadata=words))
                schema = pyarrow.schema(fields, metadata={"omniroll": about})
                writer = writer or pyarrow.parquet.ParquetWriter(place, schema)
                writer.write_table(pyarrow.table([pyarrow.array(block[name]) for name in names], schema=schema), row_group_size=ROWS)
        finally:
            if writer is not None:
                writer.close()

    return write


def _by_fastparquet() -> Any:
    import fastparquet
    import pandas as pd

    def write(dataset: "xarray.Dataset", place: str, names: list[str], about: str) -> None:
        for at, block in enumerate(_blocks(dataset, names)):
            fastparquet.write(place, pd.DataFrame(block, columns=names), append=at > 0, write_index=False, has_nulls=False, object_encoding="utf8",
                              row_group_offsets=[0], compression="SNAPPY", **({} if at else {"custom_metadata": {"omniroll": about}}))

    return write


def to_zarr(dataset: "xarray.Dataset", path: str) -> None:
    """A group that xarray.open_zarr reads: an array with its attributes for each variable."""
    try:
        import zarr
    except ImportError:
        raise missing("a Zarr folder", "zarr", "zarr") from None
    _check_rows(dataset)
    if os.path.lexists(path):
        raise FileError(f"{path}: is there already; remove it or choose another path")
    with _new(path, folder=True) as place:
        newer = int(zarr.__version__.split(".")[0]) >= 3
        group = zarr.open_group(place, mode="w", **({"zarr_format": 2} if newer else {}))
        group.attrs.update(_attributes(dataset.attrs))
        make = group.create_array if newer else group.create_dataset
        for name, variable in dataset.variables.items():
            _write_array(make, str(name), variable)
        zarr.consolidate_metadata(place)


def _write_array(make: Any, name: str, variable: Any) -> None:
    words = variable.dtype.kind == "O"
    values = variable.values.astype(str) if words else None
    chunks = _chunks(variable)
    array = make(name, shape=variable.shape, chunks=chunks, dtype=variable.dtype if values is None else values.dtype, fill_value="" if words else None)
    array.attrs.update({"_ARRAY_DIMENSIONS": list(variable.dims), **_attributes(variable.attrs)})
    if not variable.dims:
        array[...] = variable.values if values is None else values
    for begin in range(0, variable.shape[0] if variable.dims else 0, chunks[0]):
        piece = slice(begin, begin + chunks[0])
        array[piece] = variable[piece].values if values is None else values[piece]


def _chunks(variable: Any) -> tuple[int, ...]:
    """Blocks of rows, or of trajectories as many whole ones as make a megabyte."""
    if not variable.dims:
        return ()
    each = int(np.prod(variable.shape[1:], dtype=np.int64)) or 1
    first = ROWS if len(variable.dims) == 1 else max(1, VALUES // each)
    return (max(1, min(first, variable.shape[0])), *(max(1, length) for length in variable.shape[1:]))
