"""Files that take their places whole or not at all."""
from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from typing import IO, Any

from .errors import FileError


@contextlib.contextmanager
def replacing(path: str, mode: str = "w") -> Iterator[IO[Any]]:
    """A new file, text in UTF-8 or with mode "wb" bytes, that becomes `path` where the block ends without an error. Its name until then cannot be
    guessed, and nothing that has it is opened: a link that somebody put there would have another file written. Raises OSError."""
    unfinished = f"{path}.tmp-{secrets.token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


@contextlib.contextmanager
def writing(path: str, mode: str = "w", advice: str = "") -> Iterator[IO[Any]]:
    """The same. Raises FileError, which ends with the advice."""
    try:
        with replacing(path, mode) as file:
            yield file
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {error.strerror or error}{advice}") from error
