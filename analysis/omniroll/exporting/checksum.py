"""Checksums in the files of the export, by which one that was changed since is known."""

from __future__ import annotations

import hashlib
import re

MADE_BY = "made by omniroll"  # in the head of a file
DIGITS = 16
PLACE = f"checksum {'0' * DIGITS}"  # where it goes, on the line of MADE_BY
_MARK = re.compile(MADE_BY.encode() + rb"[^\n]*?checksum ([0-9a-f]{%d})" % DIGITS)


def _sum_of(content: bytes, at: int) -> bytes:
    """Of all but the checksum itself."""
    return hashlib.sha256(content[:at] + content[at + DIGITS:]).hexdigest()[:DIGITS].encode()


def summed(text: str) -> str:
    """The text of a file with its checksum in the place for it."""
    content = text.encode("utf-8")
    found = _MARK.search(content)
    assert found, "no place for a checksum"
    at = found.start(1)
    return (content[:at] + _sum_of(content, at) + content[at + DIGITS:]).decode("utf-8")


def is_unchanged(content: bytes) -> bool:
    """Whether a file is still as it was written."""
    found = _MARK.search(content)
    return found is not None and found.group(1) == _sum_of(content, found.start(1))
