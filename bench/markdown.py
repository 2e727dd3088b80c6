"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int = 1) -> str:
    """Return a Markdown table; the columns from that one on are numbers, to the right.

    >>> print(table(("task", "s"), [("B01", "0.5")]), end="")
    | task | s |
    |---|--:|
    | B01 | 0.5 |
    """
    marks = ["---" if i < numbers_from else "--:" for i in range(len(head))]
    # A pipe would end the cell: D2| is the name of a symmetry.
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", f"|{'|'.join(marks)}|", *lines, ""])
