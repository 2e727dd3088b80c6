"""Certificates of a campaign: the proofs that it kept, a folder for each impossibility.

A task that was split gets one certificate for its whole tree of cases.  The exact boxes of a range,
or those into which a task was split, share one: there is none in the largest box.  An exact box
whose smaller boxes are not all refuted has a certificate of its own: there is none of this size.
That of a width without ships is its file of states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from satlife.campaign.cases import list_cases
from satlife.campaign.core.events import CertifiedEvent, Status
from satlife.campaign.ledger import Ledger, TaskRow
from satlife.campaign.proofs import KeptProofs
from satlife.certificates.make.join import CaseProof, join
from satlife.certificates.make.width_folder import write_width
from satlife.errors import UsageError
from satlife.life.box import Box
from satlife.problem import Problem
from satlife.problem.exact import ExactBox, cover, fits, has_exact_boxes


class Refutation(NamedTuple):
    """A problem without a solution, and the tasks that refute it."""

    row: TaskRow
    """The task after which its certificate is named."""
    problem: Problem
    parts: tuple[tuple[ExactBox | None, TaskRow], ...]
    """The tasks with the parts of the problem that they refute; None is all of it."""


class CertificateWriter:
    """Makes certificates from the proofs that a campaign has kept."""

    def __init__(self, ledger: Ledger, kept: KeptProofs) -> None:
        self._ledger, self._kept = ledger, kept
        events = (entry.event for entry in ledger.events())
        self._certified = {each.name: each for each in events if isinstance(each, CertifiedEvent)}

    def refutations(self) -> Iterator[Refutation]:
        """Yield what the plan's tasks refute by checked proofs of their own."""
        questions: dict[object, dict[Box, TaskRow]] = defaultdict(dict)
        for row in self._ledger.rows(Status.IMPOSSIBLE):
            if not row.state.certified or row.state.implied_by is not None or row.task.parent:
                continue
            problem = row.task.problem
            rows = questions[problem.rule, problem.motion, problem.symmetry, problem.constraints]
            may_join = row.task.selection.is_everything and has_exact_boxes(problem)
            # Another search may ask for other sides of the same box.
            if may_join and problem.all_boxes[0] not in rows:
                rows[problem.all_boxes[0]] = row
            else:
                yield Refutation(row, row.task.asked, ((None, row),))
        for rows in questions.values():
            yield from _find_ranges(rows)

    def write(self, refuted: Refutation, folder: Path, command: str = "") -> int:
        """Write a certificate to a new folder; return the number of proofs in it.

        Raise :class:`~satlife.errors.UsageError` if a proof is missing; then nothing is written.
        """
        if refuted.problem.has_open_height:
            one = next(self._leaves(refuted.row))
            write_width(refuted.problem, self._kept.path(one.name), folder)
            return 1
        proofs = [
            self._read_proof(each, part or (None if row.task.exact else each.task.exact))
            for part, row in refuted.parts
            for each in self._leaves(row)
        ]
        join(refuted.problem, proofs, folder, command)
        return len(proofs)

    def _read_proof(self, row: TaskRow, part: ExactBox | None) -> CaseProof:
        proof = CaseProof(row.task.cells, self._kept.path(row.name), part=part)
        event = self._certified.get(row.name)
        return replace(proof, solver=event.solver, seconds=event.seconds) if event else proof

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


def _find_ranges(rows: Mapping[Box, TaskRow]) -> Iterator[Refutation]:
    """Yield what the boxes of a question refute, large boxes first; each box counts once."""
    left = set(rows)
    for box in sorted(rows, key=lambda box: (box.area, box.width), reverse=True):
        row = rows[box]
        if box in left and row.task.exact is None:
            yield Refutation(row, row.task.problem, ((None, row),))
        elif box in left and (parts := _find_parts(row.task.problem, rows)):
            left -= {Box.parse(part.box) for part in parts}
            yield Refutation(row, row.task.problem, tuple(parts.items()))
        elif box in left:
            yield Refutation(row, row.task.asked, ((None, row),))


def _find_parts(problem: Problem, rows: Mapping[Box, TaskRow]) -> dict[ExactBox, TaskRow]:
    """Return the parts of a problem and their tasks, from some box on; empty if some are missing.

    A part that was itself split into exact boxes has no proof of its own.
    """
    symmetry, high = problem.parsed.symmetry, problem.all_boxes[0]
    for low in sorted(rows, key=lambda box: box.area, reverse=True):
        if rows[low].task.exact is not None or not fits(symmetry, low, high):
            continue
        found = {part: rows.get(Box.parse(part.box)) for part in cover(problem, str(low))}
        parts = {
            part: row
            for part, row in found.items()
            if row is not None
            and row.task.exact == (part if part.sides else None)
            and not any(isinstance(case, ExactBox) for case in row.task.cases)
        }
        if len(parts) == len(found):
            return parts
    return {}
