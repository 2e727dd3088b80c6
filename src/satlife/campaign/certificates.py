"""Certificates of a campaign: the proofs that it kept, one folder for each impossible task.

A task that was split gets one certificate for its whole tree of cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from satlife.campaign.core.events import Status
from satlife.campaign.kept_proofs import KeptProofs
from satlife.campaign.ledger import Ledger, Row
from satlife.campaign.parts import divide
from satlife.errors import UsageError
from satlife.search.certificates.joining import CaseProof, join


def certified_tasks(ledger: Ledger) -> Iterator[Row]:
    """Yield the tasks of the plan that are impossible by checked proofs of their own."""
    for row in ledger.rows(Status.IMPOSSIBLE):
        if row.state.certified and row.state.implied_by is None and not row.task.parent:
            yield row


def write_certificate(
    ledger: Ledger, kept: KeptProofs, row: Row, folder: Path, command: str = ""
) -> int:
    """Write the certificate of a task to a new folder; return how many proofs it joins.

    Raise :class:`~satlife.errors.UsageError` if a proof is missing; then nothing is written.
    """
    proofs = [
        CaseProof(each.task.cells, kept.path(each.name)) for each in _leaves(ledger, kept, row)
    ]
    join(row.task.problem, proofs, folder, command)
    return len(proofs)


def _leaves(ledger: Ledger, kept: KeptProofs, row: Row) -> Iterator[Row]:
    """Yield the tasks whose proofs together refute a task: itself, or its cases, and so on."""
    waiting = [row]
    while waiting:
        row = waiting.pop()
        if kept.path(row.name).is_file():
            yield row
            continue
        if not row.task.cases:
            cells = " ".join(f"{'' if a else '-'}x{x}y{y}" for x, y, a in row.task.cells)
            of = f" (its case {cells})" if cells else ""
            raise UsageError(f"the proof of {row.name} was not kept{of}")
        names = [child.name for child in divide(row.task)]
        rows = {each.name: each for each in ledger.find(names)}
        if len(rows) < len(names):
            raise UsageError(f"not all cases of {row.name} are in the ledger")
        waiting += (rows[name] for name in reversed(names))
