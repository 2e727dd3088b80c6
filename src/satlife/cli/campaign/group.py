"""``satlife campaign``: run many searches, on this machine or on many, and lose nothing."""

from __future__ import annotations

import click

from satlife.cli.group import LazyGroup

COMMANDS = {
    "plan": (
        "campaign.commands:plan_command",
        "Check a plan, count its tasks and estimate their cost.",
    ),
    "run": (
        "campaign.commands:run_command",
        "Run a plan on this machine, from where it was stopped.",
    ),
    "status": (
        "campaign.commands:status_command",
        "Show the progress of a campaign: done, found, impossible, rate, time left, last finds.",
    ),
    "results": (
        "campaign.commands:results_command",
        "Show the finds and the state of each question, at any time.",
    ),
    "retry": (
        "campaign.commands:retry_command",
        "Queue undecided or failed tasks, or claims, again for the next run, with other limits.",
    ),
    "revoke": (
        "campaign.commands:revoke_command",
        "Take back what rests on the word of one user, and queue it again.",
    ),
    "export": (
        "campaign.commands:export_command",
        "Write the ledger as JSON Lines: every event, to be merged elsewhere.",
    ),
    "merge": (
        "campaign.commands:merge_command",
        "Merge exported ledgers into this one; merging a file twice changes nothing.",
    ),
    "certificates": (
        "campaign.commands:certificates_command",
        "Write a certificate for every task that was proved impossible.",
    ),
    "check": (
        "campaign.commands:check_command",
        "Compare the tables of the ledger with its log of events, and simulate every find again.",
    ),
    "backup": (
        "campaign.commands:backup_command",
        "Copy the ledger to a new file, while the campaign runs.",
    ),
    "serve": (
        "campaign.serve:command",
        "Serve a plan to workers on many machines, and record their answers.",
    ),
    "dispatch": (
        "campaign.dispatch:command",
        "Lease tasks to volunteers, and pass their answers on to the recorders.",
    ),
    "volunteers": (
        "campaign.volunteers:command",
        "List, add or remove the volunteers of a broker.",
    ),
}
"""Every command, in the order in which they are used: its place, and what the list says of it."""


@click.group(name="campaign", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Run a plan of many searches; stop it, continue it, and look at the results.

    A plan (plan.toml) says what to search for: kinds, rules, periods, speeds, symmetries, boxes.
    Its progress is in a ledger beside it (plan.db), so that nothing is lost when a process ends.

    \b
    Examples:
      satlife campaign plan plan.toml --dry-run
      satlife campaign run plan.toml --jobs 4
      satlife campaign status plan.toml --watch
      satlife campaign results plan.toml --html results.html
    """
