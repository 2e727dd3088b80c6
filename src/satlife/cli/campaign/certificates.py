"""``satlife campaign certificates``: from the proofs that a campaign kept to certificates."""

from __future__ import annotations

from pathlib import Path

import click

from satlife.cli.campaign.ledgers import ledger_option, open_existing
from satlife.cli.endings import say
from satlife.errors import UsageError


@click.command(name="certificates")
@click.argument("plan", metavar="PLAN")
@click.argument("output", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path))
@ledger_option
@click.option(
    "--proofs",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where run or serve has kept them, by --keep-proofs.",
)
@click.option("--task", metavar="NAME", help="Only this task: the beginning of its name.")
def command(plan: str, output: Path, where: str | None, proofs: Path, task: str | None) -> None:
    """Write a certificate for every task that was proved impossible.

    Each has a folder of its own, named after the task, which satlife check takes. The proofs of a
    task that was split are joined into one certificate, with the tree of its cases. Certificates
    that are there already are left as they are.

    \b
    Examples:
      satlife campaign run plan.toml --keep-proofs proofs
      satlife campaign certificates plan.toml certificates --proofs proofs
      satlife check --jobs 2 certificates/…
    """
    from satlife.campaign.certificates import CertificateWriter
    from satlife.campaign.proofs import KeptProofs
    from satlife.campaign.results import box_words, describe_question

    count = 0
    with open_existing(plan, where) as ledger:
        writer = CertificateWriter(ledger, KeptProofs(proofs))
        for row in writer.tasks():
            folder = output / row.name[:16]
            if not row.name.startswith(task or "") or folder.exists():
                continue
            problem = row.task.problem
            joined = writer.write(row, folder)
            of = f" of {joined} cases" if joined > 1 else ""
            say(f"{folder}: no {describe_question(problem)} in {box_words(problem)}{of}")
            count += 1
    if not count:
        if task is not None:
            raise UsageError(f"there is no certified task {task}... without a certificate")
        say("no certified tasks without a certificate")
