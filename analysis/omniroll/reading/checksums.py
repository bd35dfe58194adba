"""Checksums of a result file: every dataset and group that is read whole is as it was written (docs/reference/results.md, "Checksums")."""

from __future__ import annotations

import importlib
from typing import Any, Iterable, Iterator, Union

import h5py
import numpy as np
import numpy.typing as npt

from ..errors import NotAResult
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
STRIPES, STRIPE = 16, 64  # of a block, and bytes of one
BLOCKS = 4096  # taken at a time
MASK = (1 << 64) - 1
PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
PRIME64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
Words = npt.NDArray[np.uint64]


def _words(text: bytes) -> Words:
    return np.frombuffer(text, "<u8").astype(np.uint64)


SECRETS = np.stack([_words(SECRET[8 * i:8 * i + STRIPE]) for i in range(STRIPES)])
LAST = _words(SECRET[-STRIPE:])


def _sums(stripes: Words, secret: Words) -> Words:
    """The sums that stripes add to the eight accumulators; [..., stripe, word] of both."""
    keyed = stripes ^ secret
    products = (keyed & np.uint64(0xFFFFFFFF)) * (keyed >> np.uint64(32))
    swapped = stripes.reshape(*stripes.shape[:-1], 4, 2)[..., ::-1].reshape(stripes.shape)
    return (products + swapped).sum(axis=-2, dtype=np.uint64)


def _scrambled(accumulators: Words, secret: Words) -> Words:
    return (accumulators ^ (accumulators >> np.uint64(47)) ^ secret) * np.uint64(PRIME32[0])


def _fold(a: int, b: int) -> int:
    product = a * b
    return (product & MASK) ^ (product >> 64)


def xxh3(data: bytes) -> int:
    """XXH3 with 64 bits, seed 0, of more than 240 bytes: only its long form, in numpy. (python3-xxhash does it faster, and is taken where
    it is there.)"""
    length = len(data)
    p32, p64 = PRIME32, PRIME64
    sums = np.array([p32[2], p64[0], p64[1], p64[2], p64[3], p32[1], p64[4], p32[0]], np.uint64)
    block = STRIPES * STRIPE
    blocks = (length - 1) // block
    for first in range(0, blocks, BLOCKS):
        count = min(BLOCKS, blocks - first)
        stripes = np.frombuffer(data, "<u8", count * block // 8, first * block).reshape(count, STRIPES, 8)
        for added in _sums(stripes, SECRETS):
            sums = _scrambled(sums + added, LAST)
    rest = (length - 1 - blocks * block) // STRIPE
    stripes = np.frombuffer(data, "<u8", rest * 8, blocks * block).reshape(rest, 8)
    sums = sums + _sums(stripes, SECRETS[:rest])
    sums = sums + _sums(_words(data[-STRIPE:])[None], _words(SECRET[-STRIPE - 7:-7])[None])
    found = length * p64[0]
    keys = _words(SECRET[11:11 + STRIPE])
    for i in range(0, 8, 2):
        found += _fold(int(sums[i] ^ keys[i]), int(sums[i + 1] ^ keys[i + 1]))
    found &= MASK
    found ^= found >> 37
    found = found * 0x165667919E3779F9 & MASK
    return found ^ found >> 32


def _hash(pieces: Iterable[bytes]) -> int:
    if xxhash is None:
        return xxh3(b"".join(pieces))
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
    if _found(item, values) != int(item.attrs[NAME]):
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
    """Writes the checksum of a dataset or group anew, after its attributes were changed on purpose."""
    if NAME in item.attrs:
        values = item[()] if isinstance(item, h5py.Dataset) else None
        item.attrs.create(NAME, _found(item, values), dtype="<u8")
