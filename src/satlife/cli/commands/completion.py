"""``satlife completion``: let a shell complete commands, options, their values and files."""

from __future__ import annotations

import sys

import click

SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion")
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
    from click.shell_completion import get_completion_class

    from satlife.cli.completions import VARIABLE

    script = get_completion_class(shell)
    if script is None:  # pragma: no cover - click has had all three since 8.0
        raise click.UsageError(f"this click has no completion for {shell}")
    whole = click.get_current_context().find_root().command
    sys.stdout.write(script(whole, {}, "satlife", VARIABLE).source())
