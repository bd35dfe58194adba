"""Checksums of a result file: every dataset and group that is read whole is as it was written (docs/reference/results.md, "Checksums")."""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any, Iterable, Iterator, Union

import h5py
import numpy as np

from ..errors import NotAResult, StudyWarning, callers_level
from ..needed import missing
from .virtual import elsewhere, rows

# Python looks for it once. An import that fails takes a lock each time. Where a thread has that lock while another one forks, the
# child finds it taken for ever, and its own import waits.
try:
    xxhash: Any = importlib.import_module("xxhash")
except ImportError:
    xxhash = None

NAME = "checksum"
LEFT_OUT = {NAME, "CLASS", "NAME", "REFERENCE_LIST"}  # HDF5 itself has checksums of headers
PLACE = 256  # bytes before the values: where the object is


@functools.lru_cache(maxsize=None)  # once
def tell_unchecked() -> None:
    """Warns that files are not checked against their checksums, where Python lacks xxhash."""
    if xxhash is None:
        warnings.warn("the checksums of results are not checked, since Python lacks xxhash: sudo apt-get install python3-xxhash, or "
                      "pip install xxhash; omniroll verify checks a file without it", StudyWarning, stacklevel=callers_level())


def _hash(pieces: Iterable[bytes]) -> int:
    state = xxhash.xxh3_64()
    for piece in pieces:
        state.update(piece)
    return int(state.intdigest())


def _text(value: Union[str, bytes]) -> bytes:
    """As it stands in the file, with a zero at its end."""
    return (value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value.rstrip(b"\0")) + b"\0"


def _value(value: Any) -> bytes:
    """Texts, each with a zero at its end, or numbers as they are stored."""
    if isinstance(value, (str, bytes)):
        return _text(value)
    values = np.asarray(value)
    if values.dtype.kind in "OSU":
        return b"".join(_text(one) for one in values.ravel())
    return values.astype(values.dtype.newbyteorder("<")).tobytes()


def _scales(dataset: h5py.Dataset) -> bytes:
    """Names of its dimension scales."""
    names = []
    for axis in range(dataset.ndim):
        for scale in dataset.dims[axis].values():
            names.append(h5py.h5ds.get_scale_name(scale.id) + b"\0")
    return b"".join(names)


def _attributes(item: Any) -> Iterable[bytes]:
    for name in sorted(item.attrs, key=str.encode):
        if name not in LEFT_OUT:
            yield name.encode() + b"\0"
            yield _scales(item) if name == "DIMENSION_LIST" else _value(item.attrs[name])


def _found(item: Any, values: Any) -> int:
    place = item.name.encode()[:PLACE - 1].ljust(PLACE, b"\0")
    return _hash([place, b"" if values is None else _value(values), *_attributes(item)])


def checked(item: Any, values: Any = None) -> Any:
    """The values of a dataset (None: of a group), which are held against its checksum, where the file has any. Raises NotAResult."""
    if NAME not in item.attrs:
        if NAME not in item.file.attrs:
            return values
        raise NotAResult(_refusal(item, "has lost its checksum"))
    if xxhash is not None and _found(item, values) != int(item.attrs[NAME]):
        raise NotAResult(_refusal(item, "is not what was written: the checksum of its values and attributes differs"))
    return values


def _refusal(item: Any, what: str) -> str:
    kind = "dataset" if isinstance(item, h5py.Dataset) else "group"
    return (f"{item.file.filename}: the {kind} {item.name} {what}. The file is damaged, or was changed by another program: run the study "
            "anew or take a copy; omniroll verify lists all that is damaged")


def members(group: Any) -> Iterator[tuple[str, Any]]:
    """Names and members of a group. h5py's items() gives None for one that cannot be opened, and it would be left out without a word.
    Raises NotAResult."""
    for name in group:
        try:
            yield name, group[name]
        except (KeyError, OSError, RuntimeError) as error:
            raise NotAResult(f"{group.file.filename}: {group.name}/{name} cannot be opened: {error}. The file is damaged; run the study anew "
                             "or take a copy") from error


DENSEST = 1100  # deflate makes nothing smaller than by 1032
ALWAYS = 64 << 20  # bytes of values that nobody waits for


def whole(dataset: h5py.Dataset) -> Any:
    """All values of a dataset, checked. Raises NotAResult, also where its lengths cannot be right: HDF5 would fill in the values."""
    if elsewhere(dataset):
        return checked(dataset, rows(dataset))
    if dataset.nbytes > ALWAYS + DENSEST * dataset.id.get_storage_size():
        raise NotAResult(_refusal(dataset, "claims more values than the file can have"))
    return checked(dataset, dataset[()])


def renew(item: Any) -> None:
    """Writes the checksum of a dataset or group anew, after its attributes were changed on purpose. Raises LibraryError without xxhash."""
    if NAME in item.attrs:
        if xxhash is None:
            raise missing("a new checksum", "xxhash", "xxhash")
        values = item[()] if isinstance(item, h5py.Dataset) else None
        item.attrs.create(NAME, _found(item, values), dtype="<u8")
