"""The figures of the source papers, which stand with the ready studies, in studies/papers: omniroll figures, or python3 -m omniroll.papers."""

from __future__ import annotations

import importlib
import os
import pathlib
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, Iterator

from .errors import Error, FileError, LibraryError
from .library import program
from .terminal import say


def _folders() -> Iterator[pathlib.Path]:
    """Where ready studies may lie: as named, next to the folder analysis, in the package of pip, and in the installation of the program."""
    if os.environ.get("OMNIROLL_STUDIES"):
        yield pathlib.Path(os.environ["OMNIROLL_STUDIES"])
    for place in (pathlib.Path(__file__).absolute(), pathlib.Path(__file__).resolve()):  # Debian's package is a link from share/omniroll
        yield place.parents[2] / "studies"
        yield place.parent / "native" / "share" / "omniroll" / "studies"
    try:
        yield pathlib.Path(program()).parent.parent / "share" / "omniroll" / "studies"
    except LibraryError:
        return


def module(name: str) -> Any:
    """A module of studies/papers: "published" has FIGURES and draw. Raises FileError where the ready studies are not there."""
    if "papers" not in sys.modules:
        found = next((folder / "papers" for folder in _folders() if (folder / "papers" / "__init__.py").is_file()), None)
        if found is None:
            raise FileError("the figures of the source papers lie in the folder papers of the ready studies (studies in the source tree, "
                            "share/omniroll/studies in an installation), which is not there; install omniroll whole, with cmake --install, or "
                            "name the folder of the studies in the environment variable OMNIROLL_STUDIES")
        specification = spec_from_file_location("papers", found / "__init__.py", submodule_search_locations=[str(found)])
        assert specification and specification.loader
        sys.modules["papers"] = module_from_spec(specification)
        specification.loader.exec_module(sys.modules["papers"])
    return importlib.import_module(f"papers.{name}")


def main() -> int:
    """The command omniroll figures."""
    try:
        return int(module("command").main())
    except Error as error:
        say(f"omniroll: {error}")
        return 5


if __name__ == "__main__":
    sys.exit(main())
