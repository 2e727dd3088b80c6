"""Which solutions of a listing are wanted, whatever engine found them."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from satlife.errors import UsageError
from satlife.given import check_several
from satlife.life import Pattern
from satlife.life.identity import apgcode
from satlife.life.identity.parts import parts
from satlife.life.numbers import shorten
from satlife.search.engine.rotors import check_rotors
from satlife.search.formula.classes import History
from satlife.search.problem import Problem
from satlife.search.problem.states import make_pattern

Same = Literal["object", "rotor"]
SAME: Final = get_args(Same)
"""What solutions that count as one have in common."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Which of the solutions are wanted."""

    raw: bool = False
    """Count every solution, copies and phases too."""
    same: Same = "object"
    """Which solutions count as one: copies of an object, or all with the same rotor."""
    reject: tuple[Pattern, ...] = ()
    """Objects that no solution may be, or hold as a separate part."""
    only_connected: bool = False
    """Leave out solutions made of independent parts."""
    already_found: tuple[History, ...] = ()
    """Solutions found before; the search continues after them."""

    def check(self, problem: Problem) -> None:
        """Raise if what is wanted makes no sense for the problem."""
        if self.same not in SAME:
            raise UsageError(f"{self.same!r} is not a way to be the same; use {' or '.join(SAME)}")
        if self.same == "rotor":
            if self.raw:
                raise UsageError("raw counts every solution; it does not go with the same rotor")
            check_rotors(problem)
        if (self.reject or self.only_connected) and not (
            problem.motion is not None and problem.boundary == "dead"
        ):
            what = "reject" if self.reject else "only_connected"
            where = "" if problem.boundary != "agar" else ", where the background is dead"
            raise UsageError(f"{what} goes only with still lifes, oscillators and ships{where}")


class Sieve:
    """Leaves out what is not wanted, and counts it."""

    def __init__(self, problem: Problem, wanted: Wanted, skipped: Counter[str]) -> None:
        wanted.check(problem)
        self._problem, self._wanted, self._skipped = problem, wanted, skipped
        self._rejected = {code for each in wanted.reject if (code := find_code(each))}

    def leaves_out(self, history: History) -> Pattern | bool:
        """Return whether the solution is left out; if for an object in it, that object."""
        if not (self._rejected or self._wanted.only_connected):
            return False
        pieces = parts(make_pattern(self._problem, history, 0))
        if self._wanted.only_connected and len(pieces) > 1:
            self._skipped["composites"] += 1
            return True
        for piece in pieces:
            if find_code(piece) in self._rejected:
                self._skipped["rejected"] += 1
                return piece
        return False


_CODE = re.compile(r"x[spq]\d+")
_REJECTABLE = "a pattern, a pattern file, an apgcode, a name in the catalogue, 'known', or several"


def read_rejected(
    given: Pattern | str | Iterable[Pattern | str], open_text: Callable[[str], str] | None = None
) -> tuple[Pattern, ...]:
    """Return the patterns that are to be rejected.

    Each is a pattern, an apgcode, a name in the catalogue, the name of a file with a pattern, or
    ``known``: everything in the catalogue.  ``open_text`` returns the text of a file.
    """
    return tuple(
        pattern
        for each in check_several(given, (Pattern, str), "reject", _REJECTABLE)
        for pattern in ([each] if isinstance(each, Pattern) else _read_word(each, open_text))
    )


def _read_word(word: str, open_text: Callable[[str], str] | None) -> Iterable[Pattern]:
    if word == "known":
        from satlife.life.catalogue import catalogue  # noqa: PLC0415 - few listings need it

        return [entry.pattern for entry in catalogue()]
    if _is_file(word):
        text = open_text(word) if open_text else Path(word).read_text(encoding="utf-8-sig")
        try:
            return [Pattern.from_text(text)]
        except UsageError as error:
            raise UsageError(f"{word} cannot be rejected: {error}") from None
    from satlife.life.catalogue import name_pattern  # noqa: PLC0415 - as above

    try:
        return [_check_code(word, name_pattern(word))]
    except UsageError as error:
        if Path(word).suffix and "\n" not in word:
            raise UsageError(f"there is no file {word!r} to reject") from None
        raise UsageError(
            f"{shorten(word)!r} cannot be rejected; give a pattern file, an apgcode such as xs4_33"
            f", a name in the catalogue, or known ({error})"
        ) from error


def _check_code(word: str, pattern: Pattern) -> Pattern:
    """Return the pattern, unless the word is an apgcode whose kind and period it does not have."""
    prefix, mark, _ = word.partition("_")
    code = find_code(pattern)
    if mark and _CODE.fullmatch(prefix) and not (code and code.startswith(f"{prefix}_")):
        raise UsageError(f"its cells are {code}" if code else "its cells are not an object")
    return pattern


def _is_file(word: str) -> bool:
    with contextlib.suppress(OSError, ValueError):  # too long for a name, or with a null in it
        return Path(word).is_file()
    return False


def find_code(pattern: Pattern) -> str | None:
    """Return the apgcode; None for what does not come back, which no code can name."""
    try:
        return apgcode(pattern)
    except UsageError:
        return None
