"""xarray.open_dataset(path, engine="omniroll"): the same Dataset that omniroll.open gives."""

from __future__ import annotations

from typing import Any

import xarray
from xarray.backends import BackendEntrypoint, plugins

from .dataset import open_dataset


class OmnirollBackend(BackendEntrypoint):  # type: ignore[misc]
    """Result files of omniroll. An installed package names this class to xarray (pyproject.toml); importing omniroll does so too."""

    description = "Open result files of omniroll"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "lazy")

    def open_dataset(self, filename_or_obj: Any, *, drop_variables: Any = None, lazy: bool = False) -> xarray.Dataset:
        """Raises NotAResult."""
        found = open_dataset(filename_or_obj, lazy=lazy)
        dropped = [drop_variables] if isinstance(drop_variables, str) else list(drop_variables or ())
        return found.drop_vars([name for name in dropped if name in found.variables])

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """False: a result is plain HDF5 too, and the caller's other engines keep their files."""
        return False


def register() -> None:
    """Names the engine to xarray where no installed package does: a source tree on PYTHONPATH, or a Debian package."""
    engines = plugins.list_engines()  # kept by xarray for the whole process
    if "omniroll" not in engines:
        engines["omniroll"] = OmnirollBackend()
