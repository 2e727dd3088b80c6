"""The selection of solutions in a listing, by any engine: classes, rejected objects, rotors.

A listing may count solutions with the same rotor as one.  The rotor of an oscillator is the set of
its changing cells, with their states in all generations.  Two rotors are the same if a shift, a
symmetry of the rule and a change of phase map one to the other.  So an oscillator and its variants,
with another stator or with a block beside it, are one.

>>> from satlife.kinds import oscillator
>>> problem = oscillator(2, box="3x3")
>>> blinker = (np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], np.uint8),
...            np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]], np.uint8))
>>> find_rotor(problem, blinker)[0].tolist()
[[2, 0, 2], [1, 2, 1], [2, 0, 2]]
>>> len(list(rotor_images(problem, find_rotor(problem, blinker))))
2
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from satlife.engine.reactions import check_reactions, name_reaction
from satlife.errors import UsageError
from satlife.formula.classes import History, shifts_freely
from satlife.formula.measures import cell_histories, changing_cells, frame
from satlife.formula.spacetime import SpaceTime
from satlife.given import check_several, shorten
from satlife.kinds import kind_of
from satlife.kinds._kind import PATTERN
from satlife.life import Pattern
from satlife.life.identity import apgcode
from satlife.life.identity.parts import parts
from satlife.plain import read_whole
from satlife.problem import Problem
from satlife.problem.constraints import Rotor
from satlife.problem.outcome import make_pattern
from satlife.problem.reaction import find_restored, follow_reaction
from satlife.sat import FormulaBuilder
from satlife.sat.formula import IntArray
from satlife.sat.logic import FALSE, fold_clauses

Film = npt.NDArray[np.uint8]
"""States by (t, y, x), in the smallest box that holds all changing cells."""

STILL: Final = 2
"""The state of a cell that does not change."""


def check_rotors(problem: Problem) -> None:
    """Raise :class:`~satlife.errors.UsageError` unless solutions have rotors to compare."""
    moved = problem.motion
    if moved is None or moved.period == 1 or moved.dx or moved.dy:
        raise UsageError("--same rotor needs an oscillator of period 2 or more")
    rule = problem.parsed.rule
    if rule.states > 2 or rule.is_strobing:
        raise UsageError(f"rotors are compared where cells are alive or dead, not in {rule}")
    if problem.has_open_height:
        raise UsageError("rotors are compared in a box with a height")
    if problem.slow_rule is not None:
        raise UsageError(f"rotors are not compared in {problem.rule}; use --same object")
    if not shifts_freely(problem):
        raise UsageError("rotors are compared in a plane without given cells; use --same object")


def find_rotor(problem: Problem, history: History) -> Film:
    """Return the states of the changing cells; the others are ``STILL``."""
    boxes = problem.all_boxes
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    width, height = max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top
    film = np.zeros((len(boxes), height, width), np.uint8)
    for t, (box, states) in enumerate(zip(boxes, history, strict=True)):
        film[t, box.y - top : box.bottom - top, box.x - left : box.right - left] = states
    changes = (film != film[0]).any(axis=0)
    film[:, ~changes] = STILL
    if not changes.any():
        return film[:, :0, :0]
    rows, columns = np.flatnonzero(changes.any(axis=1)), np.flatnonzero(changes.any(axis=0))
    return film[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def rotor_images(problem: Problem, rotor: Film) -> Iterator[Film]:
    """Yield the rotor in all phases, turned and mirrored as the rule allows, each once."""
    seen: set[tuple[tuple[int, ...], bytes]] = set()
    for phase, turn in product(range(len(rotor)), problem.parsed.rule.symmetries):
        later = np.roll(rotor, -phase, axis=0)
        image = np.stack([turn.apply_to_array(states) for states in later])
        key = image.shape, image.tobytes()
        if key not in seen:
            seen.add(key)
            yield image


def name_rotor(problem: Problem, history: History) -> tuple[tuple[int, ...], bytes]:
    """Return a key that is equal for equal rotors."""
    images = rotor_images(problem, find_rotor(problem, history))
    return min((image.shape, image.tobytes()) for image in images)


class RotorExclusion:
    """Clauses against all solutions with a given rotor."""

    def __init__(self, spacetime: SpaceTime, builder: FormulaBuilder) -> None:
        self._problem = spacetime.problem
        box = frame(spacetime)
        shape = box.height, box.width
        self._changes = changing_cells(spacetime, builder, Rotor()).reshape(shape)
        self._states = cell_histories(spacetime).reshape(*shape, -1)

    def clauses(self, history: History) -> IntArray:
        """Return a clause for each image of the rotor in each place.

        A solution has that rotor there if its cells have those states and no other cell changes.
        """
        rotor = find_rotor(self._problem, history)
        rows = [row for image in rotor_images(self._problem, rotor) for row in self._rows(image)]
        return fold_clauses(np.stack(rows))

    def _rows(self, image: Film) -> Iterator[IntArray]:
        _, height, width = image.shape
        y, x = np.nonzero(image[0] != STILL)
        states = image[:, y, x].T
        for top in range(self._changes.shape[0] - height + 1):
            for left in range(self._changes.shape[1] - width + 1):
                others = self._changes.copy()
                others[y + top, x + left] = FALSE
                own = self._states[y + top, x + left]
                differs = np.where(states == 1, -own, own)
                yield np.concatenate([differs.ravel(), others.ravel()])


Same = Literal["object", "rotor", "catalyst", "outcome"]
SAME: Final = get_args(Same)
"""The criteria by which solutions count as one."""


class Wanted(Struct, frozen=True, kw_only=True):
    """The selection of solutions in a listing."""

    raw: bool = False
    """Count every solution, copies and phases too."""
    same: Same = "object"
    """Which solutions count as one: copies of an object, or all with the same rotor; of catalysts,
    those that agree where it matters (of eaters: seen from the input), or all with the same
    outcome."""
    until: int = 0
    """A generation before which everything in the reactions of catalysts matters, though the
    problem ends earlier."""
    reject: tuple[Pattern | str, ...] = ()
    """Objects, or their apgcodes, that no solution may be, or hold as a separate part.

    A part is not made of parts itself, so an object that is made of several is rejected only where
    it is the whole solution.
    """
    only_connected: bool = False
    """Leave out solutions made of independent parts; of an eater or another catalyst, itself."""
    already_found: tuple[History, ...] = ()
    """Solutions found before; the search continues after them."""

    @property
    def by_reaction(self) -> bool:
        """Whether catalysts count as one by what they do."""
        return self.same in ("catalyst", "outcome")

    def check(self, problem: Problem) -> None:
        """Raise if the selection makes no sense for the problem."""
        if self.same not in SAME:
            raise UsageError(f"{self.same!r} is not a way to be the same; use {' or '.join(SAME)}")
        if self.same == "rotor":
            if self.raw:
                raise UsageError(
                    "raw counts every solution; it cannot be combined with the same rotor"
                )
            check_rotors(problem)
        if self.by_reaction:
            check_reactions(problem, self.same)
        if problem.motion is not None and problem.boundary == "dead":
            return
        where = "" if problem.boundary != "agar" else ", where the background is dead"
        if self.reject:
            raise UsageError(f"reject goes only with still lifes, oscillators and ships{where}")
        if self.only_connected and kind_of(problem).catalyst_generation(problem) is None:
            raise UsageError(
                "only_connected goes only with still lifes, oscillators, ships and catalysts"
                f"{where}"
            )


class Sieve:
    """Filter that drops and counts unwanted solutions."""

    def __init__(self, problem: Problem, wanted: Wanted, skipped: Counter[str]) -> None:
        wanted.check(problem)
        self._problem, self._wanted, self._skipped = problem, wanted, skipped
        self._seen = {self._key(history) for history in wanted.already_found}
        self._shown = kind_of(problem).catalyst_generation(problem) or 0
        self._rejected = {
            code
            for each in wanted.reject
            if (code := each if isinstance(each, str) else find_code(each))
        }

    def leaves_out(self, history: History) -> Pattern | bool:
        """Return whether the solution is unwanted; if because of an object in it, that object."""
        if not self.is_new(history):
            self._skipped["outcomes" if self._wanted.same == "outcome" else "reactions"] += 1
            return True
        if self._rejected or self._wanted.only_connected:
            whole = make_pattern(self._problem, history, self._shown)
            pieces = parts(whole)
            if self._wanted.only_connected and len(pieces) > 1:
                self._skipped["composites"] += 1
                return True
            # A rejected pattern that is itself made of parts can only be the whole.
            for piece in (*pieces, whole) if len(pieces) > 1 else pieces:
                if find_code(piece) in self._rejected:
                    self._skipped["rejected"] += 1
                    return piece
        self._seen.add(self._key(history))
        return False

    def is_new(self, history: History) -> bool:
        """Return whether no solution before it counts as one with it, as far as is told apart here.

        Most are not: clauses exclude all that count as one with a solution.
        """
        key = self._key(history)
        return key is None or key not in self._seen

    def _key(self, history: History) -> Hashable:
        """Return what is equal for solutions that count as one, or None."""
        if self._wanted.same == "outcome":
            return follow_reaction(self._problem, history, self._wanted.until).key
        if self._wanted.same == "catalyst" and find_restored(self._problem) is None:
            return name_reaction(self._problem, history)
        return None


_CODE = re.compile(r"x[spq]\d+")
_REJECTABLE = "a pattern, a pattern file, an apgcode, a name in the catalogue, 'known', or several"


def read_rejected(
    given: Pattern | str | Iterable[Pattern | str],
    open_text: Callable[[str], str] | None = None,
    known: Iterable[str] = (),
) -> tuple[Pattern | str, ...]:
    """Return the rejected patterns, and the apgcodes of what is known.

    Each is a pattern, an apgcode, a name in the catalogue, the name of a file with a pattern, or
    ``known``: everything in the catalogue, and the codes that are given here.  ``open_text``
    returns the text of a file.
    """
    rejected: list[Pattern | str] = []
    for each in check_several(given, (Pattern, str), "reject", _REJECTABLE):
        if each == "known":
            from satlife.life.catalogue import catalogue  # noqa: PLC0415 - few listings need it

            rejected += dict.fromkeys((*(entry.code for entry in catalogue()), *known))
        else:
            rejected.append(each if isinstance(each, Pattern) else _read_word(each, open_text))
    return tuple(rejected)


def _read_word(word: str, open_text: Callable[[str], str] | None) -> Pattern:
    if _is_file(word):
        if open_text:
            text = open_text(word)
        else:
            text = read_whole(Path(word)).decode("utf-8-sig", "replace")
        try:
            pattern: Pattern = PATTERN.read(text, lambda text: text)
            return pattern
        except UsageError as error:
            raise UsageError(f"{word} cannot be rejected: {error}") from None
    from satlife.life.catalogue import name_pattern  # noqa: PLC0415 - as above

    try:
        return _check_code(word, name_pattern(word))
    except UsageError as error:
        if Path(word).suffix and "\n" not in word:
            raise UsageError(f"there is no file '{word}' to reject") from None
        raise UsageError(
            f"{shorten(word)!r} cannot be rejected; give a pattern file, an apgcode such as xs4_33"
            f", a name in the catalogue, or known ({error})"
        ) from error


def _check_code(word: str, pattern: Pattern) -> Pattern:
    """Return the pattern; raise if the word is an apgcode of another kind or period."""
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
    """Return the apgcode; None for a pattern that does not recur, which has none."""
    try:
        return apgcode(pattern)
    except UsageError:
        return None
