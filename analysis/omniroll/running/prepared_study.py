"""omniroll.Study: a study that is read and checked once, and run many times."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Mapping

from ..library import library
from ..pictures import showing
from . import runs, studies
from .study_input import Loaded, Read, Source, assignments

if TYPE_CHECKING:
    import xarray


class Study(Read):
    """A study that is read and checked once. All that takes a study takes it; its methods are those functions.

    >>> study = omniroll.Study("studies/first.json", set={"integrator.duration": 1})
    >>> study.instances
    4096
    >>> result = study.run()
    >>> slower = study.with_(set={"integrator.step": 1e-5})

    It does not change, several threads may use it, and it needs no closing. Pickled, it is read again from its source, a file or a
    dict, where it arrives."""

    def __init__(self, source: Source, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> None:  # noqa: A002
        """source, set and overrides as of run. Raises StudyError, FileError."""
        self.loaded = Loaded(source, assignments(set, overrides))

    @classmethod
    def _of(cls, source: Source, changes: list[str]) -> "Study":
        new = cls.__new__(cls)
        new.loaded = Loaded(source, changes)
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        return Study._of, (self.loaded.source, self.loaded.changes)

    def __repr__(self) -> str:
        source = "a dict" if isinstance(self.loaded.source, Mapping) else str(self.loaded.source)
        count = f"{self.instances} instance{'' if self.instances == 1 else 's'}"
        return f"<omniroll.Study {self.title or 'without a title'!r}: {self.model}, {count}, from {source}>"

    @property
    def title(self) -> str:
        """Its title, or an empty text."""
        return (library().omr_study_title(self.loaded.handle) or b"").decode()

    @property
    def model(self) -> str:
        """The name of its model, as describe takes it."""
        return str(library().omr_study_model(self.loaded.handle).decode())

    @property
    def instances(self) -> int:
        """How many instances a run has at most."""
        return int(library().omr_study_instances(self.loaded.handle))

    @property
    def source(self) -> dict[str, Any]:
        """Its members with all changes in them, as a dict of the caller's."""
        return json.loads(library().omr_study_text(self.loaded.handle))

    def with_(self, *, set: Mapping[str, Any] | None = None, **overrides: Any) -> "Study":  # noqa: A002
        """Another study with further changes, read from the same source."""
        return Study._of(self.loaded.source, [*self.loaded.changes, *assignments(set, overrides)])

    def run(self, **options: Any) -> "xarray.Dataset":
        """omniroll.run of this study."""
        return runs.run(self, **options)

    def validate(self, **options: Any) -> dict[str, Any]:
        """omniroll.validate of this study."""
        return runs.validate(self, **options)

    def operations(self, **options: Any) -> dict[str, float]:
        """omniroll.operations of this study."""
        return runs.operations(self, **options)

    def show(self, **options: Any) -> showing.Shown:
        """omniroll.show of this study."""
        return showing.show(self, **options)

    def sample(self, **options: Any) -> "xarray.Dataset":
        """omniroll.sample of this study."""
        return studies.sample(self, **options)

    def plan(self, **options: Any) -> dict[str, Any]:
        """omniroll.plan of this study."""
        return studies.plan(self, **options)

    def compare(self, **options: Any) -> "xarray.Dataset":
        """omniroll.compare of this study."""
        return studies.compare(self, **options)
