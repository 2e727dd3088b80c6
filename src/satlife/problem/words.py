"""A problem in words, and as a command.

>>> from satlife.kinds import ship
>>> print(describe(ship("c/3", box="16x6")))
a pattern of B3/S23 that moves by (0, -1) in 3 generations; generations 0 to 2 are in a 16x6 box, \
all outside is dead; at least one cell has the full period; generation 0 is not empty

A problem has a command if the options of its kind express all of it.

>>> from satlife.kinds import ship
>>> write_command(ship("c/3", box="16x6", symmetry="D2v", rule="HighLife"))
"satlife ship c/3 --box 16x6 --symmetry 'D2|' --rule B36/S23"
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from satlife.life.box import Box
from satlife.life.motion import Motion
from satlife.life.rule import LIFE
from satlife.problem.constraints import Constraint, FullPeriod, NotEmpty, PatternPeriod
from satlife.problem.statement import Statement


def describe(problem: Statement) -> str:
    """Return everything that the problem asks, in one sentence without a full stop."""
    rule = f"any rule of {problem.rule}" if problem.has_open_rule else problem.rule
    return "; ".join([f"a pattern of {rule}{_motion(problem)}", *_clauses(problem)])


_SHORT: Final = {
    "parent": "parent of",
    "orphan": "parent of",
    "forced": "other parent of",
    "unique": "other parent of",
    "eater": "eater in",
    "reaction": "catalyst in",
    "catalyst": "catalyst in",
    "agar": "agar of",
    "wick": "wick of",
}
"""What a search of these kinds is for, where the motion does not imply it."""


def entitle(problem: Statement) -> str:
    """Return what a solution is called; whoever asks for an orphan is shown a parent."""
    if problem.kind not in ("orphan", "forced", "unique"):
        return problem.kind
    return "parent" if problem.steps == 1 else "ancestor"


def describe_short(problem: Statement) -> str:
    """Return the question in a few words, as for a label.

    >>> from satlife.kinds import orphan, ship
    >>> describe_short(ship("c/3", box="16x6", symmetry="D2v")), describe_short(orphan("5o!"))
    ('c/3 in 16x6, D2|', 'parent of 5x1')
    """
    motion = "" if problem.motion is None else str(problem.motion)
    size = re.split("[+-]", problem.boxes[-1])[0]
    if problem.kind == "wick":
        size = re.split("[+-]", str(find_asked_box(problem)))[0]
    where = f" in {size}"
    if problem.has_open_height:
        where = f", {problem.width} {('wide', 'diagonals', 'lines')[min(problem.shear, 2)]}"
    words = f"{'still life' if motion == 'p1' else motion or 'pattern'}{where}"
    if what := _SHORT.get(problem.kind):
        words = f"{motion} {what} {size}".lstrip()
    symmetry = f", {problem.symmetry}" if problem.symmetry != "C1" else ""
    return f"{words}{symmetry}{f', {problem.rule}' if problem.rule != str(LIFE) else ''}"


def name_symmetry(problem: Statement) -> str:
    """Return the end of a title: the symmetry, which narrows what an answer of "none" means.

    >>> from satlife.kinds import oscillator
    >>> name_symmetry(oscillator(3, box="6x6", symmetry="D2v"))
    ' with the symmetry D2| (left-right mirror, vertical axis)'
    >>> name_symmetry(oscillator(3, box="6x6"))
    ''
    """
    if problem.symmetry == "C1":
        return ""
    return f" with the symmetry {problem.parsed.symmetry.explain()}"


def find_asked_box(problem: Statement) -> Box:
    """Return the first box as a person asks for it: that of a wick without the dead rows beside it.

    >>> from satlife.kinds import wick
    >>> problem = wick(2, box="6x5")
    >>> problem.boxes, str(find_asked_box(problem))
    (('6x7+0-1',), '6x5')
    """
    tile, motion = problem.all_boxes[0], problem.motion
    if problem.kind != "wick" or motion is None:
        return tile
    margin = 1 + abs(motion.dy) + abs(find_slant(problem))
    return Box(tile.x, tile.y + margin, tile.width, max(1, tile.height - 2 * margin))


def name_asked_box(problem: Statement) -> str:
    """Return that box as a text; an open height is ``12x*``."""
    return problem.boxes[0] if problem.has_open_height else str(find_asked_box(problem))


def find_slant(problem: Statement) -> int:
    """Return how many rows lower each copy of a wick lies than the one to its left."""
    height, down = problem.all_boxes[0].height, problem.wrap[0]
    return down - height * (2 * down > height)


def _motion(problem: Statement) -> str:
    motion = problem.motion
    if motion is None:
        return f" and its next {count_words(problem.steps, 'generation')}" if problem.steps else ""
    time = count_words(motion.period, "generation")
    if not motion.only_shifts:
        return (
            f" that is itself after {time}, but for a {motion.transform} "
            f"and a move by ({motion.dx}, {motion.dy})"
        )
    if motion.dx or motion.dy:
        return f" that moves by ({motion.dx}, {motion.dy}) in {time}"
    return " that does not change" if motion.period == 1 else f" of period {motion.period}"


def _clauses(problem: Statement) -> Iterator[str]:
    yield f"{_boxes(problem)}, {_boundary(problem)}"
    if problem.include_last and problem.motion is not None:
        yield f"generation {problem.steps} is in the box too"
    if problem.symmetry != "C1":
        yield f"it has the symmetry {problem.parsed.symmetry.describe()}"
    for known in problem.known:
        cells = sum(state != "?" for row in known.rows for state in row)
        verb = "is" if cells == 1 else "are"
        yield f"{count_words(cells, 'cell')} of generation {known.t} {verb} known"
    if problem.links:
        yield f"{count_words(len(problem.links), 'pair')} of cells linked"
    if problem.exempt:
        yield f"{count_words(len(problem.exempt), 'cell')} exempt from the rule"
    turned = problem.motion is not None and not problem.motion.only_shifts
    for constraint in problem.constraints:
        # Where the motion turns the pattern, no smaller period is excluded.
        period = isinstance(constraint, FullPeriod | PatternPeriod)
        yield str(NotEmpty() if turned and period else constraint)


def _boxes(problem: Statement) -> str:
    last = problem.generations - 1
    which = f"generations 0 to {last}" if last else "generation 0"
    if problem.boundary == "torus":
        return f"{'they live' if last else 'it lives'} on a torus of {problem.boxes[0]}"
    if problem.has_slanted_width:
        meet = "together meet" if last else "meets"
        lines = "diagonals along its motion" if problem.shear == 1 else _name_lines(problem)
        return f"{which} {meet} at most {problem.width} {lines}, of any length"
    if problem.has_open_height:
        return f"{which} {'are' if last else 'is'} at most {problem.width} wide, of any height"
    if len(problem.boxes) == 1:
        return f"{which} {'are' if last else 'is'} in a {problem.boxes[0]} box"
    return f"the boxes are {_runs(problem.boxes)}"


def _name_lines(problem: Statement) -> str:
    return f"neighbouring lines y - {problem.shear}x = n along its motion"


def _runs(boxes: tuple[str, ...]) -> str:
    """Return the boxes of consecutive generations, each that repeats once."""
    words, first = [], 0
    for box, same in groupby(boxes):
        last = first + len(list(same)) - 1
        which = f"generation {first}" if first == last else f"generations {first} to {last}"
        words.append(f"{box} in {which}")
        first = last + 1
    return ", ".join(words)


def _boundary(problem: Statement) -> str:
    if problem.boundary == "torus":
        down, right = problem.wrap
        return f"twisted by {down} rows and {right} columns" if any(problem.wrap) else "untwisted"
    if problem.boundary == "agar":
        tile = problem.background
        return f"all outside is a background that repeats every {len(tile[0])}x{len(tile)} cells"
    return (
        "all outside is dead" if problem.boundary == "dead" else "cells outside are unconstrained"
    )


def count_words(number: int, noun: str) -> str:
    """Return a number with its noun, as in "3 cells"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def write_command(problem: Statement) -> str | None:
    """Return the command; None if it takes a problem file (``satlife find``)."""
    motion = problem.motion
    if motion is None or not _is_plain(problem, motion):
        return None
    return join_command(["satlife", problem.kind, *_write_options(problem, motion)])


def join_command(words: Iterable[str]) -> str:
    r"""Return a command on one line, as a shell reads it.

    >>> print(join_command(["satlife", "parent", "x = 3, y = 1\n3o!"]))
    satlife parent $'x = 3, y = 1\n3o!'
    """
    return " ".join(map(_quote, words))


def _quote(word: str) -> str:
    """Quote a word for a shell; one with line breaks or control characters as POSIX 2024 has it."""
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_escape, word))}'"


def _escape(character: str) -> str:
    if character.isprintable():
        return f"\\{character}" if character in "\\'" else character
    # An argument's byte that is not UTF-8 is one of these surrogates.
    errors = "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
    octal = "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", errors))
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(character, octal)


def _is_plain(problem: Statement, motion: Motion) -> bool:
    """Whether the problem asks what its kind asks, with one box and without bounds."""
    moves = bool(motion.dx or motion.dy)
    fits = {
        "still-life": not moves and motion.period == 1,
        "oscillator": not moves,
        "ship": moves and motion == _northward(motion),
        "agar": not moves or motion == _northward(motion),
    }
    return (
        fits.get(problem.kind, False)
        and motion.only_shifts
        and problem.boundary == ("torus" if problem.kind == "agar" else "dead")
        and len(problem.boxes) == 1
        and problem.boxes[0].replace("x", "", 1).isdecimal()
        and not (problem.known or problem.links or problem.exempt)
        and not (problem.include_last and problem.kind != "ship")
        and problem.constraints in _usual_constraints(problem.kind, motion.period)
    )


def _northward(motion: Motion) -> Motion:
    """Return the motion that the speed's notation means: to the north or north-west."""
    read = Motion.parse(str(motion))
    return msgspec.structs.replace(motion, period=read.period, dx=read.dx, dy=read.dy)


def _usual_constraints(kind: str, period: int) -> list[tuple[Constraint, ...]]:
    """Return what the kind asks, without and with ``--composite``."""
    if kind == "ship":
        return [(FullPeriod(), NotEmpty()), (PatternPeriod(), NotEmpty())]
    return [(NotEmpty(),)] if period == 1 else [(FullPeriod(),), (PatternPeriod(),)]


def _write_options(problem: Statement, motion: Motion) -> Iterator[str]:
    if problem.kind != "still-life":
        moves = motion.dx or motion.dy
        yield str(motion) if moves else str(motion.period)
    yield from ("--box", problem.boxes[0])
    if any(problem.wrap):
        yield from ("--wrap", ",".join(map(str, problem.wrap)))
    if problem.symmetry != "C1":
        yield from ("--symmetry", problem.symmetry)
    if problem.rule != str(LIFE):
        yield from ("--rule", problem.rule)
    if problem.include_last:
        yield "--include-last"
    if any(isinstance(each, PatternPeriod) for each in problem.constraints):
        yield "--composite"
