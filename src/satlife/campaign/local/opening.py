"""What a run on this machine needs around it: an open ledger, a lock, a folder for proofs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from satlife.campaign.ledger import Ledger, open_ledger
from satlife.campaign.local.lock import only_runner
from satlife.campaign.plan import Plan


@contextmanager
def open_for_one(plan: Plan, place: str) -> Iterator[tuple[Ledger, Path | None]]:
    """Open a plan's ledger for one runner at a time; yield it and the folder for proofs.

    A ledger in a database has no folder beside it: then the folder is None.
    """
    with ExitStack() as stack:
        proofs: Path | None = None
        if "://" not in place:
            if Path(place).exists():  # a wrong plan is an error even while another run is at work
                with open_ledger(place) as ledger:
                    ledger.check_plan(plan.name)
            stack.enter_context(only_runner(Path(f"{place}.lock")))
            proofs = Path(f"{place}.proofs")
            stack.callback(_remove_proofs, proofs)
        ledger = stack.enter_context(open_ledger(place))
        ledger.check_plan(plan.name)
        yield ledger, proofs


def _remove_proofs(folder: Path) -> None:
    """Remove proofs that nobody has checked, of this run or of one that was killed."""
    if folder.is_dir():
        for proof in folder.glob("*.proof"):
            proof.unlink(missing_ok=True)
        folder.rmdir()
