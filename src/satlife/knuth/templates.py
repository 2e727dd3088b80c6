"""The five groups of clauses that make up every sat-life program.

A template is a list of clauses in Knuth's own notation, with letters for the variables:
``~u d1`` means that u implies d1.  A letter for a cell that cannot live is folded away: a clause
with its negation is true and is dropped, and the plain literal is false and is dropped.

>>> print(PAIR(u="1a2", v="2a2", d="2a1D"), end="")
 ~1a2 2a1D1
 ~2a2 2a1D1
 ~1a2 ~2a2 2a1D2
 1a2 2a2 ~2a1D1
 1a2 ~2a1D2
 2a2 ~2a1D2
>>> print(PAIR(u=None, v="2a2", d="2a1D"), end="")
 ~2a2 2a1D1
 2a2 ~2a1D1
 ~2a1D2
 2a2 ~2a1D2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Template:
    """Clauses over letters; call it with a name for each letter (None: always dead)."""

    def __init__(self, clauses: Iterable[str]) -> None:
        self.clauses = tuple(tuple(clause.split()) for clause in clauses)
        self._texts: dict[str, str] = {}

    def __call__(self, **names: str | None) -> str:
        """Return the clauses as lines in which every literal is preceded by one space."""
        dead = "".join([letter for letter, name in names.items() if name is None])
        text = self._texts.get(dead)
        if text is None:
            text = self._texts[dead] = "".join(self._lines(dead))
        return text.format_map(names)

    def _lines(self, dead: str) -> Iterator[str]:
        for clause in self.clauses:
            if not any(literal[0] == "~" and literal[1] in dead for literal in clause):
                alive = [literal for literal in clause if literal[0] not in dead]
                yield "".join(map(_placeholder, alive)) + "\n"


def _placeholder(literal: str) -> str:
    sign = "~" if literal[0] == "~" else ""
    letter, index = literal[len(sign)], literal[len(sign) + 1 :]
    return f" {sign}{{{letter}}}{index}"


def _sum_of_pairs() -> Iterator[str]:
    """b = d + e, all in unary: sixteen clauses (Bailleux and Boufkhad, CP 2003)."""
    for j in range(3):
        for k in range(3):
            if j + k:
                yield f"{_literal('~d', j)} {_literal('~e', k)} b{j + k}"
                yield f"{_literal('d', 3 - j, j)} {_literal('e', 3 - k, k)} ~b{5 - j - k}"


def _sum_of_fours() -> Iterator[str]:
    """a = b + c, of which only a2, a3 and a4 matter: twenty-one clauses."""
    for j in range(5):
        for k in range(5):
            if 1 < j + k < 5:
                yield f"{_literal('~b', j)} {_literal('~c', k)} a{j + k}"
    for j in range(1, 5):
        for k in range(1, 5):
            if j + k < 6 and j + k > 2:
                yield f"b{j} c{k} ~a{j + k - 1}"


def _literal(letter: str, index: int, present: int | None = None) -> str:
    """Return the literal, or nothing where its count is 0 (at least 0 is always true)."""
    return f"{letter}{index}" if (index if present is None else present) else ""


_PAIR = ("~u d1", "~v d1", "~u ~v d2", "u v ~d1", "u ~d2", "v ~d2")

PAIR = Template(_PAIR)
"""d = u + v: at least one, both."""

PAIR_ONCE = Template(_PAIR[:-1])
"""The same where u and v are both outside, without printing ``~d2`` a second time."""

SUM = Template(_sum_of_pairs())
"""b = d + e; with other names also c = f + g."""

COPY = Template(("~g1 c1", "g1 ~c1", "~g2 c2", "g2 ~c2", "~c3", "~c4"))
"""c = g, where f is certainly zero."""

TOTAL = Template(_sum_of_fours())
"""a = b + c, the number of live neighbours."""

SUCCESSOR = Template(
    ("~a4 ~w", "a2 ~w", "a3 z ~w", "~a3 a4 w", "x ~a2 a4", "~x ~z w"),
)
"""The next state w of z, by three-literal clauses; x stands for "two or three, or more"."""
