"""``satlife campaign``: run many searches, on this machine or on many, and lose nothing."""

from __future__ import annotations

import click

from satlife.cli.group import LazyGroup, Table

COMMANDS: Table = {
    "On this machine": {
        "plan": "Check a plan, count its tasks and estimate their cost.",
        "run": "Run a plan on this machine, from where it was stopped.",
        "status": "Show the progress: done, found, impossible, rate, time left, last finds.",
        "results": "Show the finds and the state of each question, at any time.",
        "retry": "Queue undecided or failed tasks, or claims, again, with other limits.",
    },
    "The ledger": {
        "export": "Write the ledger as JSON Lines: every event, to be merged elsewhere.",
        "merge": "Merge exported ledgers into this one; merging a file twice changes nothing.",
        "backup": "Copy the ledger to a new file, while the campaign runs.",
        "prune": "Remove from the log the events that old answers do not need.",
        "check": "Compare the ledger with its log of events, and simulate every find again.",
        "certificates": "Write a certificate for every task that was proved impossible.",
    },
    "On many machines": {
        "serve": "Serve a plan to workers on many machines, and record their answers.",
        "dispatch": "Lease tasks to volunteers, and pass their answers on to the recorders.",
        "volunteers": "List, add or remove the volunteers of a dispatcher.",
        "revoke": "Withdraw the unchecked answers of one user, and queue their tasks again.",
    },
}
"""Every command by its purpose, in the order in which they are used."""


def _place(name: str) -> str:
    has_file = name in ("serve", "dispatch", "volunteers")
    return f"campaign.{name if has_file else 'commands'}"


@click.group(
    name="campaign",
    cls=LazyGroup,
    table=COMMANDS,
    place=_place,
    cluster=COMMANDS["On many machines"],
)
def command() -> None:
    """Run a plan of many searches; stop it, continue it, and look at the results.

    A plan (plan.toml) lists what to search for: kinds, rules, periods, speeds, symmetries, boxes.
    Its progress is in a ledger beside it (plan.db), so that nothing is lost when a process ends.

    \b
    Examples:
      satlife campaign plan plan.toml --dry-run
      satlife campaign run plan.toml --jobs 4
      satlife campaign status plan.toml --watch
      satlife campaign results plan.toml --html results.html
    """
