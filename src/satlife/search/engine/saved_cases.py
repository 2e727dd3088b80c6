"""A search by cases in a file: what is still open, so that it can go on after any stop.

A case is a list of cells of generation 0, by their names, dead ones with a minus.  The cases that
are not there have been refuted.  The file is small, and written anew beside the old one whenever a
case is settled.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from satlife.errors import FormatError, UsageError
from satlife.sat.dividing import Decisions
from satlife.search.formula.spacetime import SpaceTime

FORMAT: Final = "satlife cases"
VERSION: Final = 1


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    problem: str
    """The name of the problem."""
    breaks_symmetry: bool
    """Cases that only a broken symmetry excludes may be missing."""
    open: tuple[tuple[str, ...], ...]
    format: str = FORMAT
    version: int = VERSION


class SavedCases:
    """The open cases of a problem, in a file."""

    def __init__(self, path: Path, spacetime: SpaceTime, *, breaks_symmetry: bool) -> None:
        self.path = path
        self._problem = spacetime.problem.name
        self._breaks_symmetry = breaks_symmetry
        self._names = [name.decode() for name in spacetime.names().tolist()]
        self.open: tuple[Decisions, ...] = self._read() if path.exists() else ((),)
        """The cases that were open when the file was written; the whole if there was none."""

    def keep(self, cases: tuple[Decisions, ...]) -> None:
        """Write the cases that are open now."""
        texts = tuple(tuple(map(self._name, case)) for case in cases)
        record = _Record(self._problem, self._breaks_symmetry, texts)
        beside = self.path.with_name(f"{self.path.name}.new")
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=1))
        beside.replace(self.path)

    def _read(self) -> tuple[Decisions, ...]:
        try:
            record = msgspec.json.decode(self.path.read_bytes(), type=_Record)
        except (msgspec.MsgspecError, RecursionError):
            raise FormatError(f"{self.path} is not a search that was saved by cases") from None
        if (record.format, record.version) != (FORMAT, VERSION):
            raise FormatError(f"{self.path} was saved by another version; give another file")
        if record.problem != self._problem:
            raise UsageError(f"{self.path} belongs to another problem; give another file")
        if record.breaks_symmetry != self._breaks_symmetry:
            asked = "with" if record.breaks_symmetry else "without"
            raise UsageError(f"{self.path} was begun {asked} symmetry breaking; go on so")
        numbers = {name: number for number, name in enumerate(self._names, 1)}
        try:
            return tuple(
                tuple(
                    -numbers[name[1:]] if name.startswith("-") else numbers[name] for name in case
                )
                for case in record.open
            )
        except KeyError as name:
            raise FormatError(f"{self.path} names {name}, which is no free cell") from None

    def _name(self, literal: int) -> str:
        name = self._names[abs(literal) - 1]
        return name if literal > 0 else f"-{name}"
