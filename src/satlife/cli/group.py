"""The command ``satlife``: a group of commands, each imported when it is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click

from satlife._version import __version__
from satlife.cli.ending import ending
from satlife.cli.signals import signals_as_interrupts

KINDS = (
    "still-life",
    "oscillator",
    "ship",
    "parent",
    "orphan",
    "complete",
    "agar",
    "eater",
    "reaction",
)
"""Search kinds: their commands are made from the table in ``satlife.cli.kinds``."""

COMMANDS = (
    *KINDS,
    "find",
    "check",
    "campaign",
    "worker",
    "cnf",
    "decode",
    "identify",
    "catalogue",
    "verify",
    "list",
    "doctor",
    "solve",
    "convert",
    "knuth",
)
"""Every command; one that is not a kind is ``command`` in the module of its name."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in KINDS:
            from satlife.cli.kinds import find_kind
            from satlife.cli.searching import search_command

            return search_command(find_kind(cmd_name))
        # "list" is not a name for a module of ours.
        module = {"list": "listing"}.get(cmd_name, cmd_name)
        command: click.Command = import_module(f"satlife.cli.{module}").command
        return command

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the arguments; help may be printed here."""
        with ending("satlife"):
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; whatever goes wrong ends as we want it, not as click does."""
        with ending("satlife"):
            return super().invoke(ctx)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="satlife")
def cli() -> None:
    """Find patterns of Conway's Game of Life with SAT solvers.

    Exit codes: 0 done, found or satisfiable; 1 impossible or unsatisfiable; 2 bad use or bad
    input; 3 undecided; 4 internal error; 130 interrupted; 129 or 143 ended by SIGHUP or SIGTERM.
    """


def run() -> None:
    """Run the command of the command line."""
    with signals_as_interrupts(), ending("satlife"):
        try:
            code = cli.main(prog_name="satlife", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort as error:  # Ctrl-C between our own guards; click's code for it is 1
            raise KeyboardInterrupt from error
        sys.exit(code)
