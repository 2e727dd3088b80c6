"""Apgcodes: the canonical codes of objects on Catagolue.

A code is a kind and a word: ``xs`` and the population for a still life, ``xp`` and the period for
an oscillator, ``xq`` and the period for a spaceship; then the cells in the extended Wechsler
format. Of all phases and orientations the shortest word counts, and of equally short ones the first
in the order of ASCII: so one object has one code.

>>> apgcode(Pattern.from_rle("bo$2bo$3o!"))
'xq4_153'
>>> from_apgcode("xq4_153")
Pattern.from_rle('3o$2bo$bo!')

In the extended Wechsler format, the pattern is cut into strips of five rows. A column of a strip is
a number from 0 to 31, its top cell the lowest bit, written as one of ``0…9a…v``; ``z`` ends a
strip. Runs of empty columns are short: ``w`` is two of them, ``x`` three, and ``y0 … yz`` four to
39. Empty columns at the end of a strip are left out. See https://conwaylife.com/wiki/Apgcode.

Cells of more than two states are written in layers, as in lifelib, with ``_`` between: the living
cells, the dying ones, and the bits of how many generations these have left before their last.

>>> encode_cells(np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=np.uint8))
'456'
>>> decode_word("456").tolist()
[[0, 1, 0], [0, 0, 1], [1, 1, 1]]

:func:`orientations` yields a pattern in every orientation that is equivalent under its rule.

>>> len(list(orientations(Pattern.from_rle("bo$2bo$3o!"))))
8
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from satlife.errors import FormatError, UsageError
from satlife.life.cells import Cells, check_extent
from satlife.life.identity.recurrence import (
    GENERATIONS,
    GROWTH,
    Recurrence,
    follow,
    trace_phases,
)
from satlife.life.neighbourhood import turn_hexagonally
from satlife.life.pattern import Pattern
from satlife.life.rule import LIFE, RuleLike, as_rule

STRIP: Final = 5
"""The number of rows of a strip."""

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_COLUMNS: Final = _DIGITS[: 1 << STRIP]
_RUNS: Final = {"w": 2, "x": 3}
_LONGEST_RUN: Final = 4 + 35  # yz

_LETTERS: Final = np.frombuffer(_COLUMNS.encode(), dtype=np.uint8)
_WEIGHTS: Final = (1 << np.arange(STRIP, dtype=np.uint8))[:, np.newaxis]
_ZEROS: Final = re.compile("00+")
_LENGTHS: Final = np.array([0, 1, 1, 1] + [2] * (_LONGEST_RUN - 4))  # of the words of short runs


def encode_cells(cells: Cells) -> str:
    """Write an array [y, x] as one word; dead rows and columns at its end do not count."""
    words = b"z".join(strip.tobytes().rstrip(b"0") for strip in _LETTERS[_number_columns(cells)])
    return _ZEROS.sub(_shorten, words.decode().rstrip("z")) or "0"


def _number_columns(cells: Cells) -> Cells:
    """Return the numbers [strip, x] of the columns of each strip."""
    height, width = cells.shape
    strips = -(-height // STRIP)
    padded = np.zeros((strips * STRIP, width), dtype=np.uint8)
    padded[:height] = cells
    numbers: Cells = (padded.reshape(strips, STRIP, width) * _WEIGHTS).sum(axis=1, dtype=np.uint8)
    return numbers


def _measure(cells: Cells) -> int:
    """Return the length of an array's word, in a tenth of the time that it takes to write it."""
    strips, columns = np.nonzero(_number_columns(cells))
    if not strips.size:
        return 1
    gaps = columns - 1
    gaps[1:] -= np.where(strips[1:] == strips[:-1], columns[:-1], -1)
    gaps[0] += 1
    longest, rest = np.divmod(gaps, _LONGEST_RUN)
    return int(strips.size + strips[-1] + 2 * longest.sum() + _LENGTHS[rest].sum())


def _number_states(states: int) -> NDArray[np.intp]:
    """Return the number of each state, whose bits are the layers."""
    return np.array([0, 1, *(4 * (states - state) - 2 for state in range(2, states))])


def encode_states(cells: Cells, states: int) -> str:
    """Write an array [y, x] of cells with a number of states; empty layers at the end go.

    >>> encode_states(np.array([[2, 1], [2, 1]], dtype=np.uint8), 3)
    '03_3'
    """
    numbers = _number_states(states)[cells]
    layers = range(max(int(numbers.max(initial=1)).bit_length(), 1))
    return "_".join(encode_cells((numbers >> layer & 1).astype(np.uint8)) for layer in layers)


def decode_states(word: str, states: int, *, first_column: int = 1) -> Cells:
    """Read a word of cells with a number of states.

    >>> decode_states("03_3", 3).tolist()
    [[2, 1], [2, 1]]
    """
    known = {int(number): state for state, number in enumerate(_number_states(states))}
    layers, column = [], first_column
    for part in word.split("_", max(known).bit_length() - 1):
        layers.append(decode_word(part, first_column=column))
        column += len(part) + 1
    height, width = (max(layer.shape[axis] for layer in layers) for axis in (0, 1))
    check_extent(0, 0, width, height)
    numbers = np.zeros((height, width), dtype=np.intp)
    for bit, layer in enumerate(layers):
        numbers[: layer.shape[0], : layer.shape[1]] |= layer.astype(np.intp) << bit
    if not np.isin(numbers, list(known)).all():
        raise FormatError(f"the layers do not fit {states} states", column=first_column)
    cells: Cells = np.vectorize(known.get, otypes=[np.uint8])(numbers)
    return cells


def _shorten(zeros: re.Match[str]) -> str:
    longest, rest = divmod(len(zeros[0]), _LONGEST_RUN)
    end = ("", "0", "w", "x")[rest] if rest < 4 else f"y{_DIGITS[rest - 4]}"
    return "yz" * longest + end


def decode_word(word: str, *, first_column: int = 1) -> Cells:
    """Read a word; return the array [y, x] of its cells, from its first column and row on.

    ``first_column`` is where the word begins in the whole text, for the columns of errors.

    >>> decode_word("3w3").tolist()
    [[1, 0, 0, 1], [1, 0, 0, 1]]
    """
    columns: list[tuple[int, int, int]] = []  # x, strip, number
    x = strip = 0
    letters = iter(enumerate(word, start=first_column))
    for place, letter in letters:
        if letter in _COLUMNS:
            if letter != "0":
                columns.append((x, strip, _COLUMNS.index(letter)))
            x += 1
        elif letter in _RUNS:
            x += _RUNS[letter]
        elif letter == "y":
            place, length = next(letters, (place, ""))  # noqa: PLW2901 - two letters at once
            if not length or length not in _DIGITS:
                raise FormatError("y needs a digit 0-9 or a-z after it", column=place)
            x += 4 + _DIGITS.index(length)
        elif letter == "z":
            x, strip = 0, strip + 1
        else:
            raise FormatError(
                f"{letter!r} has no meaning in an apgcode; expected 0-9 or a-z", column=place
            )
    return _place_columns(columns)


def _place_columns(columns: list[tuple[int, int, int]]) -> Cells:
    if not columns:
        return np.zeros((0, 0), dtype=np.uint8)
    xs, strips, numbers = np.array(columns, dtype=np.int64).T
    width = int(xs.max()) + 1
    rows = STRIP * (int(strips.max()) + 1)
    check_extent(0, 0, width, rows)  # a short word may name a very large box
    cells = np.zeros((rows, width), dtype=np.uint8)
    for bit in range(STRIP):
        cells[STRIP * strips + bit, xs] = (numbers >> bit) & 1
    last = int(np.flatnonzero(cells.any(axis=1))[-1])
    return cells[: last + 1]


def orientations(pattern: Pattern) -> Iterator[Cells]:
    """Yield the cells as the rule's symmetries turn and mirror them: eight, or twelve for hexagons.

    The first is the pattern itself.
    """
    if pattern.rule.hexagonal_symmetries:
        for matrix in pattern.rule.hexagonal_symmetries:
            yield turn_hexagonally(matrix, pattern.cells)
    else:
        for transform in pattern.rule.symmetries:
            yield transform.apply_to_array(pattern.cells)


# As in lifelib, which Catagolue's searchers run: a phase whose box, with a margin of one cell, is
# larger has no word, and a longer word does not count.
LARGEST_BOX: Final = 40_000
LONGEST_WORD: Final = 1280

_MANY: Final = 100
"""If there are more phases and orientations, they are measured before the shortest are written."""
_KINDS: Final = {"still life": "s", "oscillator": "p", "spaceship": "q"}
# Nine digits: int() raises ValueError on thousands of them.
_CODE: Final = re.compile(r"x([spq])(0|[1-9][0-9]{0,8})_(.+)")
# Codes of Catagolue that describe a pattern without its cells.
_WITHOUT_CELLS: Final = re.compile(r"(ov_|yl|zz_|mess|methuselah|megasized|PATHOLOGICAL).*")


def apgcode(
    pattern: Pattern,
    *,
    unlimited: bool = False,
    generations: int = GENERATIONS,
    growth: int = GROWTH,
) -> str:
    """Return the apgcode of a still life, an oscillator or a spaceship.

    An object that is too large for Catagolue gets a code without cells, such as ``ov_p30``, unless
    ``unlimited`` is true. A pattern that does not recur within the limits of
    :func:`~satlife.life.identity.follow` has no code: that is a
    :class:`~satlife.errors.UsageError`; :func:`~satlife.life.identity.identify` answers instead.
    """
    fate = follow(pattern, generations=generations, growth=growth)
    if fate.outcome != "recurs" or fate.recurrence is None:
        raise UsageError(f"the pattern has no apgcode: it {fate.reason}")
    phases = trace_phases(pattern, fate.recurrence.period)
    return encode_phases(phases, fate.recurrence, unlimited=unlimited)


def encode_phases(
    phases: Sequence[Pattern], recurrence: Recurrence, *, unlimited: bool = False
) -> str:
    """Return the apgcode of an object whose phases and recurrence are known."""
    kind = encode_kind(recurrence, phases[0].population)
    word = _choose_word(
        phase for phase in phases if unlimited or phase.box.grow(1).area <= LARGEST_BOX
    )
    if unlimited:
        return f"x{kind}_{word}"
    return f"x{kind}_{word}" if word and len(word) <= LONGEST_WORD else f"ov_{kind}"


def encode_kind(recurrence: Recurrence, population: int) -> str:
    """Return the part of a code before its word: ``s`` and the population, ``p`` and the period …

    >>> encode_kind(Recurrence(4, (1, 1)), 5)
    'q4'
    """
    number = population if recurrence.kind == "still life" else recurrence.period
    return f"{_KINDS[recurrence.kind]}{number}"


def _choose_word(phases: Iterable[Pattern]) -> str | None:
    """Return the canonical word of all phases, in all orientations equivalent under the rule.

    If there are many, only the shortest are written.
    """
    # A word has no place for a living background.
    shown = [phase for phase in phases if phase.phase == 0]
    turned = [cells for phase in shown for cells in orientations(phase)]
    states = shown[0].rule.states if shown else 2
    if states == 2 and len(turned) > _MANY:
        lengths = [*map(_measure, turned)]
        least = min(lengths)
        turned = [cells for cells, length in zip(turned, lengths, strict=True) if length == least]
    words = (encode_states(cells, states) for cells in turned)
    return min(words, key=lambda word: (len(word), word), default=None)


def split_code(code: str) -> tuple[str, int, str]:
    """Return the kind that an apgcode names, its population or period, and its word.

    >>> split_code("xq4_153")
    ('spaceship', 4, '153')
    """
    if _WITHOUT_CELLS.fullmatch(code):
        raise FormatError(f"{_short(code)}: a code of this kind does not hold the cells")
    match = _CODE.fullmatch(code)
    if not match:
        raise FormatError(
            f"{_short(code)} is not an apgcode; "
            "expected xs, xp or xq, a number of up to 9 digits, _ and a word, for example xq4_153"
        )
    kind = next(kind for kind, letter in _KINDS.items() if letter == match[1])
    return kind, int(match[2]), match[3]


def from_apgcode(code: str, rule: RuleLike = LIFE) -> Pattern:
    """Read an apgcode, or only the word after its underscore; the box is put at (0, 0).

    A still life's population is checked; a period is not, since that needs the simulator.

    >>> from_apgcode("xs4_33") == from_apgcode("33")
    True
    >>> from_apgcode("xs5_33")
    Traceback (most recent call last):
    satlife.errors.FormatError: 'xs5_33': the code says 5 cells, but its word has 4
    """
    text = code.strip()
    is_word = text and "_" not in text and not _WITHOUT_CELLS.fullmatch(text)
    kind, number, word = ("", 0, text) if is_word else split_code(text)
    rule = as_rule(rule)
    cells = decode_states(word, rule.states, first_column=len(text) - len(word) + 1)
    pattern = Pattern(cells, rule=rule).normalized
    if kind == "still life" and number != pattern.population:
        raise FormatError(
            f"{_short(text)}: the code says {number} cells, but its word has {pattern.population}"
        )
    return pattern


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
