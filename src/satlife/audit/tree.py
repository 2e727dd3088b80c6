r"""The tree of a proof by cases, whose form guarantees that its leaves cover everything.

``tree.txt`` lists the nodes, each before its two cases: the name of the cell on which it is split,
which is alive in the first case and dead in the second; or ``leaf``.

>>> read_tree("x0y0t0\nleaf\nx1y0t0\nleaf\nleaf\n", {"x0y0t0": 2, "x1y0t0": 3})
((2,), (-2, 3), (-2, -3))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satlife.errors import FormatError

Case = tuple[int, ...]
"""The assumed literals, in the order of the decisions."""


def read_tree(text: str, variables: Mapping[str, int]) -> tuple[Case, ...]:
    """Return the leaves in order; raise unless each split is on one cell, both ways."""
    leaves: list[Case] = []
    awaited: list[Case] = [()]
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if not awaited:
            raise FormatError("the tree goes on after its last leaf", line=number)
        case = awaited.pop()
        if line == "leaf":
            leaves.append(case)
            continue
        cell = variables.get(line)
        if cell is None:
            raise FormatError(f"the tree is split on {line[:40]!r}, not on a cell", line=number)
        if cell in case or -cell in case:
            raise FormatError(f"the tree is split on {line} twice", line=number)
        awaited += [(*case, -cell), (*case, cell)]
    if awaited:
        raise FormatError(f"{len(awaited)} nodes of the tree are missing")
    return tuple(leaves)


def write_tree(leaves: Iterable[Case], variables: Mapping[str, int]) -> str:
    """Write the tree that has these leaves, in any order."""
    names = {variable: name for name, variable in variables.items()}
    splits = {leaf[:depth]: abs(each) for leaf in leaves for depth, each in enumerate(leaf)}
    lines: list[str] = []
    awaited: list[Case] = [()]
    while awaited:
        case = awaited.pop()
        cell = splits.get(case)
        lines.append("leaf" if cell is None else names[cell])
        if cell is not None:
            awaited += [(*case, -cell), (*case, cell)]
    return "\n".join(lines) + "\n"
