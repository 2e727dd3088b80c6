"""The command ``satlife``: a group of commands, each imported when it is asked for."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click

from satlife._version import __version__
from satlife.cli.endings import ending
from satlife.cli.signals import signals_as_interrupts

# Groups of commands that answer a wrong name with the right one.


SYNONYMS = {
    "spaceship": "ship",
    "predecessor": "parent",
    "ancestor": "parent",
    "garden-of-eden": "orphan",
    "goe": "orphan",
    "catalyst": "reaction",
    "cylinder": "wick",
    "torus": "agar",
    "search": "find",
    "draw": "show",
    "play": "show",
    "view": "show",
    "census": "identify",
    "names": "catalogue",
    "web": "serve",
    "help": "--help",
}
"""What people call some commands, and what we do."""


class SuggestingGroup(click.Group):
    """A group that answers a wrong name with those that are near it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a wrong name is an error with a suggestion."""
        name = args[0]
        if ctx.resilient_parsing or name.startswith("-") or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        raise click.UsageError(f"No such command {name!r}.{self._suggest(ctx, name)}", ctx)

    def _suggest(self, ctx: click.Context, name: str) -> str:
        from difflib import get_close_matches

        known = self.list_commands(ctx)
        near = get_close_matches(name.lower(), known, n=2, cutoff=0.7)
        meant = SYNONYMS.get(name.lower())
        if meant in (*known, "--help"):
            near = [meant]
        return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


COMMANDS = {
    "find": "commands.find",
    "map": "commands.map",
    "check": "commands.check",
    "campaign": "campaign.group",
    "worker": "campaign.worker",
    "cnf": "commands.cnf",
    "decode": "commands.decode",
    "serve": "commands.serve",
    "show": "commands.show",
    "identify": "commands.identify",
    "rules-of": "commands.rules_of",
    "catalogue": "commands.catalogue",
    "verify": "commands.verify",
    "list": "commands.list",
    "doctor": "commands.doctor",
    "completion": "commands.completion",
    "solve": "commands.solve",
    "convert": "commands.convert",
    "knuth": "commands.knuth",
}
"""Every command but those of the kinds, with the module whose ``command`` it is."""


class LazyGroup(SuggestingGroup):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the kinds, and then the others in the order of the table."""
        from satlife.kinds import KINDS

        return [*(kind.name for kind in KINDS), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name in COMMANDS:
            command: click.Command = import_module(f"satlife.cli.{COMMANDS[cmd_name]}").command
            return command
        from satlife.kinds import KINDS

        for kind in KINDS:
            if kind.name == cmd_name:
                from satlife.cli.search.run import search_command

                return search_command(kind)
        return None

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
    """Find patterns in Conway's Game of Life with SAT solvers.

    Exit codes: 0 done, found or satisfiable; 1 impossible or unsatisfiable; 2 bad use or bad
    input; 3 undecided; 4 internal error; 130 interrupted; 129 or 143 ended by SIGHUP or SIGTERM.
    """


def run() -> None:
    """Run the command of the command line."""
    with signals_as_interrupts(), ending("satlife"):
        if "_SATLIFE_COMPLETE" in os.environ:
            from satlife.cli.completions import equip

            equip(cli)
        try:
            code = cli.main(prog_name="satlife", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort as error:  # Ctrl-C between our own guards; click's code for it is 1
            raise KeyboardInterrupt from error
        sys.exit(code)
