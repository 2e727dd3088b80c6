"""Certificates of a campaign: the proofs that it kept, one folder for each impossible task.

A task that was split gets one certificate for its whole tree of cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from satlife.campaign.cases import list_cases
from satlife.campaign.core.events import CertifiedEvent, Status
from satlife.campaign.ledger import Ledger, TaskRow
from satlife.campaign.proofs import KeptProofs
from satlife.certificates.make.join import CaseProof, join
from satlife.errors import UsageError


class CertificateWriter:
    """Makes certificates from the proofs that a campaign has kept."""

    def __init__(self, ledger: Ledger, kept: KeptProofs) -> None:
        self._ledger, self._kept = ledger, kept
        events = (entry.event for entry in ledger.events())
        self._told = {each.name: each for each in events if isinstance(each, CertifiedEvent)}

    def tasks(self) -> Iterator[TaskRow]:
        """Yield the tasks of the plan that are impossible by checked proofs of their own."""
        for row in self._ledger.rows(Status.IMPOSSIBLE):
            if row.state.certified and row.state.implied_by is None and not row.task.parent:
                yield row

    def write(self, row: TaskRow, folder: Path, command: str = "") -> int:
        """Write the certificate of a task to a new folder; return the number of proofs in it.

        Raise :class:`~satlife.errors.UsageError` if a proof is missing; then nothing is written.
        """
        proofs = [self._read(each) for each in self._leaves(row)]
        join(row.task.problem, proofs, folder, command)
        return len(proofs)

    def _read(self, row: TaskRow) -> CaseProof:
        proof, told = CaseProof(row.task.cells, self._kept.path(row.name)), self._told.get(row.name)
        return replace(proof, solver=told.solver, seconds=told.seconds) if told else proof

    def _leaves(self, row: TaskRow) -> Iterator[TaskRow]:
        """Yield the tasks whose proofs together refute a task: itself, or its cases, and so on."""
        waiting = [row]
        while waiting:
            row = waiting.pop()
            if self._kept.path(row.name).is_file():
                yield row
                continue
            if not row.task.cases:
                cells = " ".join(f"{'' if a else '-'}x{x}y{y}" for x, y, a in row.task.cells)
                of = f" (its case {cells})" if cells else ""
                raise UsageError(f"the proof of {row.name} was not kept{of}")
            names = [child.name for child in list_cases(row.task)]
            rows = {each.name: each for each in self._ledger.find(names)}
            if len(rows) < len(names):
                raise UsageError(f"not all cases of {row.name} are in the ledger")
            waiting += (rows[name] for name in reversed(names))
