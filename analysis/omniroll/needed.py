"""Optional libraries: the message where one is missing."""

from __future__ import annotations

import os
import sys
import sysconfig

from .errors import LibraryError


def missing(purpose: str, name: str, requirement: str, found: str = "") -> LibraryError:
    """`purpose` needs the library `name`; the requirement as pip takes it. found: why the one that is there will not do."""
    return to_install(f"{purpose} needs the library {name}, {found or f'which {sys.executable} does not have'}", requirement)


def to_install(said: str, requirement: str) -> LibraryError:
    """What is said, and how to install what pip takes as the requirement."""
    python = sys.executable
    own = sys.prefix == sys.base_prefix and os.path.exists(os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED"))
    venv = f"{python} -m venv --system-site-packages env && " if own else ""  # Debian's Python takes nothing from pip
    after = ", and take env/bin/python (for the program: OMNIROLL_PYTHON=env/bin/python)" if own else ""
    return LibraryError(f"{said}: {venv}{'env/bin/python' if own else python} -m pip install {requirement}{after}")
