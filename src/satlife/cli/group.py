"""The command ``satlife``: a group of commands, each imported when it is used."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click
from click.shell_completion import CompletionItem

from satlife._version import __version__
from satlife.cli.endings import complain, ending, signals_as_interrupts
from satlife.cli.search.options import (
    COMPLETE,
    PROVE,
    SHRINK,
    WITHOUT_BOX,
    choose_groups,
    make_command,
    make_growing_options,
)
from satlife.kinds import KINDS, Kind

SYNONYMS = {
    "spaceship": "ship",
    "predecessor": "parent",
    "ancestor": "parent",
    "garden-of-eden": "orphan",
    "goe": "orphan",
    "perturbation": "catalyst",
    "barrister": "catalyst",
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
        known = self.list_commands(ctx)
        near = get_close_matches(name.lower(), known, n=2, cutoff=0.7)
        near = near or [each for each in known if each.startswith(name.lower())]
        meant = SYNONYMS.get(name.lower())
        if meant in (*known, "--help"):
            near = [meant]
        return f" Did you mean {' or '.join(map(repr, near))}?" if near else ""


Table = Mapping[str, Mapping[str, str]]
"""The first sentence of each command's help, by heading and name."""


CLUSTER = "The extra `cluster` adds campaigns on many machines: see `satlife doctor`."
"""Replaces the commands for many machines in the help where the extra is missing."""


def has_cluster() -> bool:
    """Whether the extra ``cluster`` is installed."""
    return find_spec("nats") is not None


class LazyGroup(SuggestingGroup):
    """A group that has a table of its commands by purpose, and imports one when it is used."""

    def __init__(
        self,
        *arguments: Any,
        table: Table,
        place: Callable[[str], str],
        cluster: Collection[str] = (),
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        self.table, self.place, self.cluster = table, place, cluster
        """``place`` returns the module of a command, in the package ``cli``; the commands of
        ``cluster`` are for many machines, and the help lists them where the extra is installed."""

    def outline(self) -> Table:
        """Return the summaries of the commands, by heading and name."""
        return self.table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return [name for commands in self.outline().values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if not any(cmd_name in commands for commands in self.table.values()):
            return None
        named = vars(import_module(f"satlife.cli.{self.place(cmd_name)}"))
        found: click.Command = named.get(f"{cmd_name}_command") or named["command"]
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and summaries, group by group."""
        width = max(map(len, self.list_commands(ctx)))
        left_out = () if has_cluster() else self.cluster
        for heading, commands in self.outline().items():
            shown = {name: text for name, text in commands.items() if name not in left_out}
            with formatter.section(heading):
                if shown:
                    formatter.write_dl([(f"{name:<{width}}", text) for name, text in shown.items()])
                if len(shown) < len(commands):
                    formatter.write_text(CLUSTER)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the names and the options with this prefix."""
        commands = [
            CompletionItem(name, help=summary)
            for commands in self.outline().values()
            for name, summary in commands.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]


COMMANDS: Table = {
    "Search": {
        "find": "Search for what a problem file asks.",
        "map": "Answer one question for every rule of a set: which rules have such a pattern?",
    },
    "Prove and check": {
        "check": "Check a certificate written by --prove.",
        "verify": "Check by simulation that a pattern solves a problem.",
    },
    "Look and share": {
        "show": "Draw patterns: on the terminal, or as a picture, an animation or a player.",
        "identify": "Find out what a pattern is, or what becomes of it.",
        "catalogue": "Look up known objects, or add your own.",
        "rules-of": "Find all rules in which a pattern works.",
        "serve": "Open a page in your browser: draw, search, watch, share.",
    },
    "Formulas": {
        "cnf": "Print the formula of a search, for a solver of your own.",
        "decode": "Turn a solver's output for `satlife cnf` into a pattern, and verify it.",
        "solve": "Solve a formula in DIMACS or in Knuth's SAT format.",
        "convert": "Convert a formula or a pattern to another format.",
    },
    "Knuth": {
        "knuth": "Print the clauses of Knuth's sat-life programs.",
    },
    "Setup": {
        "list": "List rules, symmetries, engines, encodings, solvers, formats or kinds.",
        "doctor": "Show which solvers, checkers and extras are installed, and how to get the rest.",
        "completion": "Print a script that lets your shell complete satlife's commands.",
    },
    "Campaigns": {
        "campaign": "Run a plan of many searches; stop it, continue it, and look at the results.",
        "worker": "Solve tasks for campaigns that others serve.",
    },
}
"""Every command by its purpose, except those of the kinds."""


class SatlifeGroup(LazyGroup):
    """The kinds of searches, and then all other commands."""

    def outline(self) -> Table:
        """Return the summaries of the commands, by heading and name."""
        kinds = {kind.name: kind.summary for kind in KINDS}
        return {**self.table, "Search": {**kinds, **self.table["Search"]}}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a kind, or import another one."""
        kinds = (search_command(kind) for kind in KINDS if kind.name == cmd_name)
        return next(kinds, None) or super().get_command(ctx, cmd_name)

    def _suggest(self, ctx: click.Context, name: str) -> str:
        from satlife.cli.own import is_named  # noqa: PLC0415 - only after a wrong name

        shown = f" To see a pattern: satlife show {name}"
        return super()._suggest(ctx, name) or (shown if is_named(name) else "")

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the arguments; help may be printed here."""
        with ending("satlife"):
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; errors end it as everywhere in satlife, not as in click."""
        with ending("satlife"):
            return super().invoke(ctx)


def search_command(kind: Kind) -> click.Command:
    """Build the command ``satlife KIND``."""

    def run(kind: Kind, options: dict[str, Any]) -> None:
        from satlife.cli.search.run import run_kind  # noqa: PLC0415 - NumPy, which --help does not need

        run_kind(kind, options)

    proof = {"Proof": (*PROVE, SHRINK)} if kind.shrinks else {}
    after = {"Still lifes": COMPLETE} if kind.completes else {}
    boxless = {"Without --box": WITHOUT_BOX} if kind.embeds else {}
    groups = {**after, **boxless, **choose_groups(kind), **proof}
    return make_command(kind, run, groups, others=make_growing_options(kind))


def _place(name: str) -> str:
    others = {"campaign": "campaign.group", "worker": "campaign.worker"}
    return others.get(name, f"commands.{name.replace('-', '_')}")


@click.group(
    cls=SatlifeGroup,
    table=COMMANDS,
    place=_place,
    cluster=("worker",),
    context_settings={"help_option_names": ["-h", "--help"]},
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
            message = io.StringIO()
            error.show(message)
            complain(message.getvalue().rstrip("\n"))
            code = error.exit_code
        except click.Abort as error:  # Ctrl-C between our own guards; click's code for it is 1
            raise KeyboardInterrupt from error
        sys.exit(code)
