"""Run by the program: python3 .../omniroll/launch.py MODULE ARGUMENT... runs a module of this package in a Python that may lack libraries
that the package needs: then it prints the remedy. Imports nothing of the package, and neither needs nor touches PYTHONPATH."""

import os
import sys

REQUIRED = ("numpy", "h5py", "matplotlib", "xarray")
MISSING, INTERRUPTED = 4, 7  # exit codes of the program


def main() -> int:
    """Runs the module, in place of this script."""
    from importlib.util import find_spec

    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[0] = folder  # in place of this script's own folder, and not the current one
    if sys.version_info < (3, 9):
        return _refuse(f"{sys.executable} is Python {sys.version.split()[0]}, and 3.9 or later is needed; OMNIROLL_PYTHON names another")
    missing = [name for name in REQUIRED if find_spec(name) is None]
    if missing:
        return _refuse(remedy(missing))
    import runpy

    sys.argv = sys.argv[1:]
    try:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        print("omniroll: interrupted", file=sys.stderr)
        return INTERRUPTED
    return 0


def remedy(missing: "list[str]") -> str:
    """The remedy where modules are missing."""
    debian = " ".join(f"python3-{name}" for name in missing)
    return (f"{sys.executable} has no {' and no '.join(missing)}; on Debian and Ubuntu: sudo apt-get install {debian}; elsewhere: "
            f"{sys.executable} -m pip install {' '.join(missing)}; or OMNIROLL_PYTHON=PATH names a Python that has them")


def _refuse(message: str) -> int:
    print(f"omniroll: {message}", file=sys.stderr)
    return MISSING


if __name__ == "__main__":
    sys.exit(main())
