"""Clauses that several programs add to the transitions: equalities, differences, dead rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satlife.knuth.program import Clauses
from satlife.knuth.transition import Cell
from satlife.knuth.xty import time_code, xty


def dead(names: Iterable[str]) -> str:
    """Each of these is false."""
    return "".join(f"~{name}\n" for name in names)


def some(names: Iterable[str]) -> str:
    """At least one of these is true."""
    return "".join(f" {name}" for name in names) + "\n"


def equal(pairs: Iterable[tuple[str, str]]) -> str:
    """The two of each pair are equal."""
    return "".join(f"~{u} {v}\n{u} ~{v}\n" for u, v in pairs)


def witnesses(triples: Iterable[tuple[str, str, str]]) -> str:
    """(u, v, w): if the witness w is true, then u and v differ."""
    return "".join(f"{u} {v} ~{w}\n~{u} ~{v} ~{w}\n" for u, v, w in triples)


def no_smaller_period(cells: list[Cell], r: int) -> Iterator[Clauses]:
    """Time 0 differs from time k in some cell, for every proper divisor k of r."""
    for k in range(1, r):
        if r % k == 0:
            code = time_code(k)
            triples = [(xty(x, y, 0), xty(x, y, k), f"{x}a{code}{y}") for x, y in cells]
            text = witnesses(triples) + some(w for _, _, w in triples)
            yield Clauses(f"period is not {k}", text)
