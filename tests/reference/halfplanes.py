"""Half-planes that become nothing in Life: which two rows can they begin with?

The theorem that four rings of dead cells decide about a finite pattern (V. Salo and I. Törmä, arXiv
1912.00692) rests on this: if two rows can be continued by four more so that the cells with all of
their neighbours in the six rows become dead, then they can be continued without end, by three rows
and then by others that repeat every three.  It is checked here as a statement about automata, that
read rows column by column: whatever the first accepts, the second accepts.
"""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import numpy.typing as npt

Truth = npt.NDArray[np.bool_]
Window = tuple[int, int, int]
"""Three rows, of which the middle one becomes dead."""


class Columns:
    """Two columns of some rows, and the columns that may follow them to the right."""

    def __init__(self, height: int, windows: list[Window]) -> None:
        self.size = 2**height
        numbers = np.arange(self.size)
        right = np.ones((self.size,) * 3, bool)
        for rows in windows:
            three = sum(numbers >> row & 1 for row in rows).astype(np.int8)
            middle = (numbers >> rows[1] & 1).astype(np.int8)[None, :, None]
            count = three[:, None, None] + three[None, :, None] + three[None, None, :] - middle
            right &= (count != 3) & ~((middle == 1) & (count == 2))
        alive = np.ones((self.size,) * 2, bool)
        while True:  # a pair of columns counts if rows go on from it without end, on both sides
            lasting = right & alive[:, :, None] & alive[None, :, :]
            fewer = lasting.any(axis=2) & lasting.any(axis=0)
            if (fewer == alive).all():
                break
            alive = fewer
        self.start = alive.T.copy()
        self._next = np.packbits(lasting.transpose(1, 0, 2), axis=2)
        self._letters = [np.packbits(numbers & 3 == letter) for letter in range(4)]

    def follow(self, pairs: Truth) -> list[Truth]:
        """Return the pairs after one more column, by the cells that it has in the first two rows.

        Pairs are [right, left].
        """
        reached = np.zeros((self.size, self._next.shape[2]), np.uint8)
        right, left = pairs.nonzero()
        if right.size:
            begins = np.r_[0, np.nonzero(np.diff(right))[0] + 1]
            columns = self._next[right, left]
            reached[right[begins]] = np.bitwise_or.reduceat(columns, begins, axis=0)
        return [
            np.unpackbits(reached & letter, axis=1)[:, : self.size].astype(bool).T
            for letter in self._letters
        ]


def _mark(one: bytes, other: bytes) -> bytes:
    return sha256(one + other).digest()


def find_word(rows: int, after: int, period: int) -> tuple[tuple[int, ...] | None, int]:
    """Return two rows that go on for some rows, but not without end; None if there are none.

    Without end means: by ``after`` rows, and others that repeat.  A letter is a column of the two
    rows.  The number is that of pairs of sets of states that were looked at.
    """
    height = 2 + after + period
    some = Columns(2 + rows, [(y - 1, y, y + 1) for y in range(1, rows + 1)])
    ends = (height - 2, height - 1, height - period), (height - 1, height - period, 3 + after)
    endless = Columns(height, [*((y - 1, y, y + 1) for y in range(1, height - 1)), *ends])
    first = np.packbits(some.start).tobytes(), np.packbits(endless.start).tobytes()
    seen, waiting = {_mark(*first)}, [(*first, ())]
    while waiting:
        *packed, word = waiting.pop()
        pairs = [
            np.unpackbits(np.frombuffer(each, np.uint8)).reshape(all_.size, -1).astype(bool)
            for each, all_ in zip(packed, (some, endless), strict=True)
        ]
        for letter, (one, other) in enumerate(
            zip(some.follow(pairs[0]), endless.follow(pairs[1]), strict=True)
        ):
            if not one.any():
                continue
            if not other.any():
                return (*word, letter), len(seen)
            both = np.packbits(one).tobytes(), np.packbits(other).tobytes()
            if (mark := _mark(*both)) not in seen:
                seen.add(mark)
                waiting.append((*both, (*word, letter)))
    return None, len(seen)
