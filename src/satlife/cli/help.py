"""Help that fits a screen: options by question, and a short ``-h`` beside the whole ``--help``.

Every command is a :class:`Command`.  It also has ``-q``, which means the same for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import cleandoc
from typing import Any

import click

from satlife.cli.endings import be_quiet
from satlife.cli.printing import print_line
from satlife.kinds import KINDS

MOST_SHORT = 10
"""Options that ``-h`` shows; a command with no more than these has one help."""

COMMON = (
    *("box", "motion", "symmetry", "rule", "everything", "timeout", "jobs", "output", "folder"),
    *("prove", "population", "minimize", "form", "stats", "problem", "save"),
    *("map_", "generations", "play", "animate", "cell", "where", "servers", "user"),
    *("password_file", "keep", "until_idle", "metrics"),
)
"""The options that ``-h`` shows after those that are required, the most common first."""

LEFT = 20
"""The widest name of an option beside which its help begins on the same line."""


def _take_quiet(_: click.Context, __: click.Parameter, value: bool) -> None:
    be_quiet(value)


def _show_short(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing and isinstance(ctx.command, Command):
        print_line(ctx.command.get_short(ctx))
        ctx.exit()


def _make_flag(names: list[str], callback: Callable[..., None], text: str) -> click.Option:
    """Return a flag that is handled by its callback alone, before all other options."""
    settings = {"is_flag": True, "is_eager": True, "expose_value": False}
    return click.Option(names, callback=callback, help=text, **settings)


class Command(click.Command):
    """A command with ``-q``, whose options are in groups if there are many."""

    def __init__(
        self,
        name: str | None,
        *,
        params: Iterable[click.Parameter] | None = None,
        groups: Mapping[str, Iterable[str]] | None = None,
        **settings: Any,
    ) -> None:
        text = "Print the result, and only errors on standard error."
        given = [*(params or ()), _make_flag(["-q", "--quiet"], _take_quiet, text)]
        self.is_long = sum(isinstance(each, click.Option) for each in given) > MOST_SHORT
        if self.is_long:  # then --help alone is click's own
            text = "Show the most common options, and exit."
            given.append(_make_flag(["-h", "short"], _show_short, text))
        super().__init__(name, params=given, **settings)
        self.groups = {heading: tuple(names) for heading, names in (groups or {}).items()}
        """The headings of the help, and the names of the options below each; all other options,
        such as -q and --help, are below the last."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; errors of common mistakes have a hint."""
        given = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if hint := self._hint(ctx, error, given):
                message = error.message or error.format_message()
                raise click.UsageError(f"{message.rstrip('.')}. {hint}", ctx) from None
            raise

    def _hint(self, ctx: click.Context, error: click.UsageError, args: list[str]) -> str:
        known = [name for each in self._options(ctx) for name in each.opts]
        if isinstance(error, click.NoSuchOption):
            name = error.option_name
            whole = next((f"-{word}" for word in args if word.startswith(name)), "")
            kinds = [kind.name for kind in KINDS if name in (p.option for p in kind.parameters)]
            if whole in known:
                return f"Write {whole}, with two hyphens."
            if self.name in kinds:  # one of its arguments
                return f"Write the {name.strip('-')} without it, as in: {self._find_example(ctx)}"
            kinds = kinds or self._list_takers(ctx, name)
            return f"It is an option of {', '.join(kinds)}, not of {self.name}." if kinds else ""
        boxes = [word for word in args if re.fullmatch(r"\d+[xX×](\d+|\*)", word)]
        is_other = isinstance(error, click.BadParameter | click.BadOptionUsage)
        is_missing = isinstance(error, click.MissingParameter)
        if boxes and "--box" in known and "--box" not in args and (is_missing or not is_other):
            return f"Write --box {boxes[0]}."
        example = self._find_example(ctx)
        return f"For example: {example}" if is_missing and example else ""

    def _list_takers(self, ctx: click.Context, name: str) -> list[str]:
        """Return the kinds whose commands, in the same group, take an option."""
        group = ctx.parent.command if ctx.parent else None
        if not isinstance(group, click.Group) or ctx.parent is None:
            return []
        beside = {kind.name: group.get_command(ctx.parent, kind.name) for kind in KINDS}
        return [
            kind
            for kind, command in beside.items()
            if command is not None and any(name in each.opts for each in command.params)
        ]

    def _find_example(self, ctx: click.Context) -> str:
        """Return the first example of the help that is of this command."""
        lines = (line.strip() for line in (self.help or "").splitlines())
        return next((line for line in lines if line.startswith(f"{ctx.command_path} ")), "")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        options = {each.name: each for each in self._options(ctx)}
        *others, last = self.groups or ("Options",)
        headed = {name for heading in others for name in self.groups[heading]}
        for heading in others:
            _write(ctx, formatter, heading, (options[name] for name in self.groups[heading]))
        _write(ctx, formatter, last, (options[name] for name in options if name not in headed))

    def get_short(self, ctx: click.Context) -> str:
        """Return what ``-h`` prints: one screen, with the first clause about each option."""
        options = self._options(ctx)
        known = {each.name: each for each in options}
        wanted = [each for each in options if each.required]
        wanted += [known[name] for name in COMMON if name in known and known[name] not in wanted]
        shown = wanted[:MOST_SHORT]
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        text = cleandoc(self.help or "").partition("\b\nExamples:\n")[0]
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text.strip().partition("\n\n")[0])
            if example := self._find_example(ctx):
                formatter.write_paragraph()
                formatter.write_text(f"Example: {example}")
        _write(ctx, formatter, "Options", (each for each in options if each in shown), _CLAUSE)
        formatter.write_paragraph()
        formatter.write_text(f"--help shows all {len(options)} options.")
        return formatter.getvalue().rstrip("\n")

    def _options(self, ctx: click.Context) -> list[click.Option]:
        return [each for each in self.get_params(ctx) if isinstance(each, click.Option)]


_CLAUSE = re.compile(r"(?<!\.)(?:; |\.  | \[|\.$).*")
"""The rest of an option's help, after its first clause."""


def _write(
    ctx: click.Context,
    formatter: click.HelpFormatter,
    heading: str,
    options: Iterable[click.Option],
    left_out: re.Pattern[str] = re.compile("$^"),
) -> None:
    records = [record for each in options if (record := each.get_help_record(ctx))]
    with formatter.section(heading):
        formatter.write_dl([(name, left_out.sub("", text)) for name, text in records], LEFT)


def names(options: Iterable[click.Parameter]) -> tuple[str, ...]:
    """Return the names of options, for the groups of a command."""
    return tuple(each.name for each in options if each.name)
