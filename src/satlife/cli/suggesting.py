"""Groups of commands that answer a wrong name with the right one."""

from __future__ import annotations

import click

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
