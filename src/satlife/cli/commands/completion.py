"""``satlife completion``: let a shell complete commands, options, their values and files."""

from __future__ import annotations

import sys
from functools import partial

import click
from click.shell_completion import CompletionItem, get_completion_class

from satlife.cli.help import Command

VARIABLE = "_SATLIFE_COMPLETE"
"""The environment variable of a shell's requests; click's name for a program ``satlife``."""
SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a script that lets your shell complete satlife's commands.

    It completes commands, options, the values of options (symmetries, solvers, rules ...), files,
    and names in the catalogue.

    \b
    Examples:
      satlife completion bash > ~/.local/share/bash-completion/completions/satlife
      satlife completion zsh > "${fpath[1]}/_satlife"
      satlife completion fish > ~/.config/fish/completions/satlife.fish
    """
    script = get_completion_class(shell)
    if script is None:  # pragma: no cover - click has had all three since 8.0
        raise click.UsageError(f"this click has no completion for {shell}")
    whole = click.get_current_context().find_root().command
    sys.stdout.write(script(whole, {}, "satlife", VARIABLE).source())


def equip(command: click.Command) -> click.Command:
    """Let the parameters of a command, and of those in a group, complete their values.

    A group that is equipped already is not changed.
    """
    for parameter in command.params:
        if not isinstance(parameter.type, click.Choice):
            vars(parameter)["shell_complete"] = partial(_complete, parameter)
    if isinstance(command, click.Group) and "get_command" not in vars(command):
        find = command.get_command

        def get_command(ctx: click.Context, name: str) -> click.Command | None:
            found = find(ctx, name)
            return equip(found) if found else None

        vars(command)["get_command"] = get_command
    return command


def _complete(
    parameter: click.Parameter, ctx: click.Context, incomplete: str
) -> list[CompletionItem]:
    from satlife.cli.choices import complete_value  # noqa: PLC0415 - only values need it

    return complete_value(parameter, incomplete)
