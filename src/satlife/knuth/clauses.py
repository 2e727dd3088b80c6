"""Clauses that several programs add to the transitions: equalities, differences, dead rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satlife.knuth.parts import Clauses
from satlife.knuth.transition import Cell
from satlife.knuth.xty import time_code, xty


def dead(names: Iterable[str]) -> str:
    """Return clauses that make each of these false."""
    return "".join(f"~{name}\n" for name in names)


def some(names: Iterable[str]) -> str:
    """Return the clause that makes at least one of these true."""
    return "".join(f" {name}" for name in names) + "\n"


def equal(pairs: Iterable[tuple[str, str]]) -> str:
    """Return clauses that make the two of each pair equal."""
    return "".join(f"~{u} {v}\n{u} ~{v}\n" for u, v in pairs)


def witnesses(triples: Iterable[tuple[str, str, str]]) -> str:
    """Return clauses for triples (u, v, w): if the witness w is true, then u and v differ."""
    return "".join(f"{u} {v} ~{w}\n~{u} ~{v} ~{w}\n" for u, v, w in triples)


def no_smaller_period(cells: list[Cell], r: int) -> Iterator[Clauses]:
    """Yield clauses that make time 0 differ from time k, for every proper divisor k of r."""
    for k in range(1, r):
        if r % k == 0:
            code = time_code(k)
            triples = [(xty(x, y, 0), xty(x, y, k), f"{x}a{code}{y}") for x, y in cells]
            text = witnesses(triples) + some(w for _, _, w in triples)
            yield Clauses(f"period is not {k}", text)
