"""The command ``satlife``: a group of commands, each imported when it is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from satlife._version import __version__
from satlife.cli.endings import ending, signals_as_interrupts
from satlife.cli.search.options import HOW, OUTPUT, PROVE, SHRINK, WHICH, make_parameters
from satlife.kinds import KINDS, Kind

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
"""Common other names of commands."""


class SuggestingGroup(click.Group):
    """A group in the order of its table, which suggests similar names for a wrong one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which they were added."""
        return [*self.commands]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a wrong name is an error with a suggestion."""
        name = args[0]
        if ctx.resilient_parsing or name.startswith("-") or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        raise click.UsageError(f"No such command {name!r}.{self._suggest(ctx, name)}", ctx)

    def _suggest(self, ctx: click.Context, name: str) -> str:
        from difflib import get_close_matches  # noqa: PLC0415 - only after a wrong name

        known = self.list_commands(ctx)
        near = get_close_matches(name.lower(), known, n=2, cutoff=0.7)
        meant = SYNONYMS.get(name.lower())
        if meant in (*known, "--help"):
            near = [meant]
        return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


class LazyGroup(SuggestingGroup):
    """A group that has a table of its commands, and imports one when it is used."""

    def __init__(self, *arguments: Any, table: Mapping[str, tuple[str, str]], **options: Any):
        super().__init__(*arguments, **options)
        self.table = table
        """By name: ``module:value`` in the room ``cli``, and the first sentence of the help."""

    def outline(self) -> dict[str, click.Command]:
        """Return stub commands with only a name and a summary, by name."""
        return {
            name: click.Command(name, help=summary) for name, (_, summary) in self.table.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return [*self.outline()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in self.table:
            return None
        module, _, value = self.table[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"satlife.cli.{module}"), value)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries."""
        SuggestingGroup(commands=self.outline()).format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the names and the options with this prefix."""
        commands = [
            CompletionItem(name, help=command.get_short_help_str())
            for name, command in self.outline().items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


COMMANDS = {
    "find": ("commands.find:command", "Search for what a problem file asks."),
    "map": (
        "commands.map:command",
        "Answer one question for every rule of a set: which rules have such a pattern?",
    ),
    "check": ("commands.check:command", "Check a certificate written by --prove."),
    "campaign": (
        "campaign.group:command",
        "Run a plan of many searches; stop it, continue it, and look at the results.",
    ),
    "worker": ("campaign.worker:command", "Solve tasks for campaigns that others serve."),
    "cnf": ("commands.cnf:command", "Print the formula of a search, for a solver of your own."),
    "decode": (
        "commands.decode:command",
        "Turn a solver's output for a formula of `satlife cnf` into a pattern, and verify it.",
    ),
    "serve": ("commands.serve:command", "Open a page in your browser: draw, search, watch, share."),
    "show": (
        "commands.show:command",
        "Draw patterns: on the terminal, or as a picture, an animation or a player.",
    ),
    "identify": ("commands.identify:command", "Find out what a pattern is, or what becomes of it."),
    "rules-of": ("commands.rules_of:command", "Find all rules in which a pattern works."),
    "catalogue": ("commands.catalogue:command", "Look up known objects, or add your own."),
    "verify": ("commands.verify:command", "Check by simulation that a pattern solves a problem."),
    "list": (
        "commands.list:command",
        "List rules, symmetries, engines, encodings, solvers, formats or kinds.",
    ),
    "doctor": (
        "commands.doctor:command",
        "Show which solvers, checkers and extras are installed, and how to get the rest.",
    ),
    "completion": (
        "commands.completion:command",
        "Print a script that lets your shell complete satlife's commands.",
    ),
    "solve": ("commands.solve:command", "Solve a formula in DIMACS or in Knuth's SAT format."),
    "convert": ("commands.convert:command", "Convert a formula or a pattern to another format."),
    "knuth": ("commands.knuth:command", "Print the clauses of Knuth's sat-life programs."),
}
"""Every command but those of the kinds: its place, and what the list says of it."""


class SatlifeGroup(LazyGroup):
    """The kinds of searches, and then all other commands."""

    def outline(self) -> dict[str, click.Command]:
        """Return stub commands with only a name and a summary, by name."""
        kinds = {kind.name: click.Command(kind.name, short_help=kind.summary) for kind in KINDS}
        return kinds | super().outline()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a kind, or import another one."""
        kinds = (search_command(kind) for kind in KINDS if kind.name == cmd_name)
        return next(kinds, None) or super().get_command(ctx, cmd_name)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the arguments; help may be printed here."""
        with ending("satlife"):
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; errors end it in our way, not in click's."""
        with ending("satlife"):
            return super().invoke(ctx)


def search_command(kind: Kind) -> click.Command:
    """Build the command ``satlife KIND``."""

    def callback(**options: Any) -> None:
        from satlife.cli.search.run import run_kind  # noqa: PLC0415 - NumPy, which --help does not need

        run_kind(kind, options)

    shrink = (SHRINK,) if kind.shrinks else ()
    return click.Command(
        kind.name,
        callback=callback,
        params=[*make_parameters(kind), *shrink, *WHICH, *HOW, *PROVE, *OUTPUT],
        help=kind.help,
        short_help=kind.summary,
    )


@click.group(
    cls=SatlifeGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
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
            from satlife.cli.commands.completion import equip  # noqa: PLC0415 - only if a shell asks

            equip(cli)
        try:
            code = cli.main(prog_name="satlife", standalone_mode=False)
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except click.Abort as error:  # Ctrl-C between our own guards; click's code for it is 1
            raise KeyboardInterrupt from error
        sys.exit(code)
