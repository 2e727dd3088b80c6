"""Cardinality constraints: unary counters of true literals, and bounds on their number.

The counter is a totalizer (Bailleux and Boufkhad, CP 2003), generalised to weights (Joshi, Martins
and Manquinho, CP 2015): a binary tree whose leaves are the literals, and in which every node holds
the sum below it, in unary.  Equal literals are one leaf of larger weight, so cells that a symmetry
makes equal are counted once each.

:func:`count_true` and :func:`add_bounded` also accept constants, repetitions and negations among
the literals, and fold them.

>>> from satlife.sat import FormulaBuilder, solve
>>> builder = FormulaBuilder(variables=3)
>>> outputs = add_counter(builder, [1, 2, 3])
>>> builder.add("exactly two", [[outputs[1]], [-outputs[2]]])
>>> formula = builder.build()
>>> solve(formula).model.values([1, 2, 3]).sum().item()
2
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from satlife.errors import UsageError
from satlife.sat.formula import FormulaBuilder, IntArray, as_literals, expect_memory
from satlife.sat.logic.constants import TRUE

LARGEST_TREE = 250_000
"""Limit on literals times bound, about the number of clauses; beyond it, PySAT encodes a bound."""

Sums = tuple[int, ...]
"""The sums that a node can have, except 0, in ascending order; it has a literal for each."""

_Node = tuple[Sums, IntArray]
_Indices = npt.NDArray[np.intp]


def add_counter(
    builder: FormulaBuilder,
    literals: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    cap: int | None = None,
    origin: str = "cardinality",
) -> IntArray:
    """Return unary outputs: output k is true if and only if the true weight is at least k + 1.

    The number of outputs is the total weight, or ``cap`` if that is less; with weights, one literal
    may be several outputs.  For n literals of weight 1, it takes about n log n variables and n²
    clauses; with a cap c, about 2nc clauses.
    """
    merged, heavy = merge_literals(literals, weights)
    return _add_tree(builder, merged, heavy, cap, origin, up=True, down=True)


def add_bound(
    builder: FormulaBuilder,
    literals: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    least: int = 0,
    most: int | None = None,
    origin: str = "cardinality",
) -> None:
    """Require the weight of the true literals to be at least ``least`` and at most ``most``.

    Repeated literals count repeatedly.  "At least" becomes "at most" for the negations.  Each bound
    is a counter that ends just above it, with only the clauses that make its outputs true; beyond
    ``LARGEST_TREE`` it is PySAT's kmtotalizer, which is smaller.

    The choice of encoding hardly matters, measured on still lifes: 9x9 with 43 cells or more (some
    exist) and 44 (none), 10x10 with 55 (none), mirror images excluded.  CPU seconds of CaDiCaL
    3.0.0 on a busy machine, median of 3 runs with permuted clauses (10x10: mean of 2)::

        this 0.8, 2.6, 5.7    both directions 1.5, 2.9, 4.8    PySAT: totalizer 0.8, 2.8, 4.9
        kmtotalizer 0.8, 2.4, 4.8    mtotalizer 0.7, 1.8, 4.9    seqcounter 0.1, 1.8, 5.4
        cardnetwork 2.2, 5.1, not run

    8x8 with 36 and 37 took at most 0.3 with all of them.  Only ours merges equal literals.
    """
    merged, heavy = merge_literals(literals, weights)
    total = int(heavy.sum())
    if least > 0:
        # At least k are true: at most n - k are false.
        _add_at_most(builder, -merged, heavy, total - least, origin)
    if most is not None and most < total:
        _add_at_most(builder, merged, heavy, most, origin)


def merge_literals(
    literals: npt.ArrayLike, weights: npt.ArrayLike | None = None
) -> tuple[IntArray, npt.NDArray[np.int64]]:
    """Return the distinct literals, in the order of occurrence, with their weights.

    >>> merge_literals([3, 1, 3])
    (array([3, 1], dtype=int32), array([2, 1]))
    """
    array = as_literals(literals).reshape(-1)
    heavy = np.ones(len(array), np.int64) if weights is None else np.asarray(weights, np.int64)
    if array.shape != heavy.shape or (heavy < 1).any():
        raise UsageError("every literal needs a weight of at least 1")
    if not array.all():
        raise UsageError("0 is not a literal, so it cannot be counted")
    unique, first, number = np.unique(array, return_index=True, return_inverse=True)
    total = np.bincount(number, weights=heavy, minlength=len(unique)).astype(np.int64)
    order = np.argsort(first)
    return unique[order], total[order]


def _add_at_most(
    builder: FormulaBuilder,
    literals: IntArray,
    weights: npt.NDArray[np.int64],
    bound: int,
    origin: str,
) -> None:
    if bound < 0:
        builder.add(origin, np.zeros(1, np.int32))  # the empty clause
        return
    heavy = weights > bound
    if heavy.any():
        builder.add(origin, -literals[heavy][:, None])
    literals, weights = literals[~heavy], weights[~heavy]
    if int(weights.sum()) <= bound:
        return
    if len(literals) * (bound + 1) <= LARGEST_TREE:
        outputs = _add_tree(builder, literals, weights, bound + 1, origin, up=True, down=False)
        builder.add(origin, [[-outputs[bound]]])
        return
    from pysat.card import CardEnc, EncType  # noqa: PLC0415 - 40 ms, and only here

    count = int(weights.sum())
    expect_memory(int(_LITERAL * 6.5 * count * bound**0.5))
    encoded = CardEnc.atmost(
        np.repeat(literals, weights).tolist(),
        bound,
        top_id=builder.variables,
        encoding=EncType.kmtotalizer,
    )
    flat = [literal for clause in encoded.clauses for literal in (*clause, 0)]
    builder.new_variables(max(0, encoded.nv - builder.variables))
    builder.add(origin, as_literals(flat))


def _add_tree(
    builder: FormulaBuilder,
    literals: IntArray,
    weights: npt.NDArray[np.int64],
    cap: int | None,
    origin: str,
    *,
    up: bool,
    down: bool,
) -> IntArray:
    """Add a counter's tree; ``up`` adds clauses that make outputs true, ``down`` false."""
    total = int(weights.sum())
    cap = total if cap is None else min(cap, total)
    if cap <= 0:
        return np.zeros(0, np.int32)
    # Equal weights side by side have the fewest different sums.
    order = np.argsort(weights, kind="stable")
    nodes: list[_Node] = [
        ((min(weight, cap),), literal)
        for weight, literal in zip(weights[order].tolist(), literals[order, None], strict=True)
    ]
    while len(nodes) > 1:
        # All pairs of one shape are joined at once.
        shapes: dict[tuple[Sums, Sums], list[int]] = defaultdict(list)
        for i in range(0, len(nodes) - 1, 2):
            shapes[nodes[i][0], nodes[i + 1][0]].append(i)
        joined: list[_Node] = nodes[0::2]
        for (left, right), places in shapes.items():
            pairs = (len(left) + 1) * (len(right) + 1) * (up + down)
            if pairs > _MANY:
                expect_memory(pairs * (_JOINED + _COPIED * len(places)))
            sums, clauses = _join(left, right, cap, up, down)
            below = [np.concatenate([nodes[i][1], nodes[i + 1][1]]) for i in places]
            above = builder.new_variables(len(places) * len(sums)).reshape(len(places), -1)
            signed = np.concatenate([np.stack(below), above], axis=1)
            signed = np.concatenate([signed, -signed], axis=1)
            for rows in clauses:
                builder.add(origin, signed[:, rows].reshape(-1, rows.shape[1]))
            for i, literal in zip(places, above, strict=True):
                joined[i // 2] = sums, literal
        nodes = joined
    sums, root = nodes[0]
    outputs: IntArray = root[np.searchsorted(sums, np.arange(1, cap + 1))]
    return outputs


_LITERAL = 40
"""Bytes of a literal in PySAT's lists; there are about 6.5 n √b of them, for n and a bound of b."""
_MANY = 100_000
_JOINED, _COPIED = 120, 28
"""Bytes that a pair of sums takes at most while its clause is made once, and for each node."""


@lru_cache(maxsize=256)
def _join(
    left: Sums, right: Sums, cap: int, up: bool, down: bool
) -> tuple[Sums, tuple[_Indices, ...]]:
    """Return the sums of a node, and its clauses by their length.

    A clause holds indices into: the literals of left, right and the node, then their negations.
    """
    a, b = np.array((0, *left)), np.array((0, *right))
    total = np.minimum(a[:, None] + b, cap)
    sums = np.unique(total)[1:]
    level = np.searchsorted(sums, total)  # of the least sum that is not smaller
    i, j = np.indices(total.shape)
    size = len(left) + len(right) + len(sums)
    here, there, out = 0, len(left), len(left) + len(right)
    clauses: list[tuple[_Indices, _Indices, _Indices]] = []
    none = 2 * size
    if up:
        # At least a[i] and at least b[j] are at least their sum.  Beyond the cap, the clause of a
        # smaller pair is enough.
        new = total > 0
        new[1:] &= total[1:] != total[:-1]
        new[:, 1:] &= total[:, 1:] != total[:, :-1]
        x = np.where(i > 0, size + here + i - 1, none)[new]
        y = np.where(j > 0, size + there + j - 1, none)[new]
        clauses.append((x, y, (out + level)[new]))
    if down:
        # At most a[i] and at most b[j] are less than the next sum after theirs.
        new = total < cap
        above = np.where(total > 0, level + 1, 0)
        x = np.where(i < len(left), here + i, none)[new]
        y = np.where(j < len(right), there + j, none)[new]
        clauses.append((x, y, (size + out + above)[new]))
    if len(sums) > 1 and not (_is_plain(left) and _is_plain(right)):
        # With gaps between the sums below, no other clause says that at least 4 is at least 3.
        k = np.arange(len(sums) - 1)
        clauses.append((out + k, size + out + k + 1, np.full_like(k, none)))
    rows = np.sort(np.concatenate([np.stack(each, axis=1) for each in clauses]), axis=1)
    lengths = (rows != none).sum(axis=1)
    by_length = tuple(rows[lengths == n][:, :n] for n in (1, 2, 3) if (lengths == n).any())
    return tuple(sums.tolist()), by_length


def _is_plain(sums: Sums) -> bool:
    return sums == tuple(range(1, len(sums) + 1))


def count_true(
    builder: FormulaBuilder, origin: str, literals: IntArray, cap: int | None = None
) -> IntArray:
    """Return unary outputs: output k is true if and only if at least k + 1 literals are."""
    fixed, open_, weights = _fold(literals)
    known = np.full(fixed if cap is None else min(fixed, cap), TRUE, np.int32)
    left = None if cap is None else cap - len(known)
    return np.concatenate([known, add_counter(builder, open_, weights, cap=left, origin=origin)])


def add_bounded(
    builder: FormulaBuilder, origin: str, literals: IntArray, least: int, most: int | None
) -> None:
    """Require at least ``least`` and at most ``most`` of the literals to be true."""
    fixed, open_, weights = _fold(literals)
    if most is not None and most < fixed:
        builder.add(origin, np.zeros(1, np.int32))  # the empty clause
        return
    at_most = None if most is None else most - fixed
    add_bound(builder, open_, weights, least=least - fixed, most=at_most, origin=origin)


def _fold(literals: IntArray) -> tuple[int, IntArray, NDArray[np.int64]]:
    """Return the number of literals that always count, and the others with their weights."""
    literals = literals.ravel()
    fixed = int((literals == TRUE).sum())
    open_, weights = merge_literals(literals[np.abs(literals) != TRUE])
    # One of a literal and its negation is true, so the smaller of their weights always counts.
    _, at, opposite = np.intersect1d(open_, -open_, return_indices=True)
    always = np.zeros_like(weights)
    always[at] = np.minimum(weights[at], weights[opposite])
    fixed += int(always.sum()) // 2
    weights = weights - always
    return fixed, open_[weights > 0], weights[weights > 0]
