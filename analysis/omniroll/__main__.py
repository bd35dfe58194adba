"""The program omniroll, as a command of Python's environment: omniroll ARGUMENT..., or python3 -m omniroll ARGUMENT..."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys

from .errors import LibraryError
from .launch import MISSING
from .library import library, program


def main() -> int:
    """Becomes the program, whose reports and figures this Python draws with this package. --version says which files these are too."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and so would the program after exec
    package = pathlib.Path(__file__).resolve().parent
    os.environ.setdefault("OMNIROLL_PYTHON", sys.executable)
    os.environ.setdefault("OMNIROLL_ANALYSIS", str(package.parent))
    try:
        path = program()
        if sys.argv[1:] != ["--version"]:
            os.execv(path, [path, *sys.argv[1:]])
        code = subprocess.call([path, "--version"])
        print(f"program {path}\nlibrary {library()._name}\npackage {package}, Python {sys.version.split()[0]}")
    except LibraryError as error:
        print(f"omniroll: {error}", file=sys.stderr)
        return MISSING
    except OSError as error:
        print(f"omniroll: {path}: cannot be run: {error.strerror}", file=sys.stderr)
        return MISSING
    return code


if __name__ == "__main__":
    sys.exit(main())
