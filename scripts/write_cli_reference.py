"""Write docs/reference/cli.md from the help of the commands themselves.

``python scripts/write_cli_reference.py``; a test fails when the page is not what this writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from satlife.cli.group import cli
from satlife.knuth import PROGRAMS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"
WIDTH = 78
"""What click uses on a terminal of 80 columns."""

INTRODUCTION = """\
# Command line

The help of every command, as `--help` prints it. This page is written by
`scripts/write_cli_reference.py`.

Results go to standard output, everything else to standard error. A file called `-` is standard
input or output. Exit codes, of all commands of `satlife`:

| code | meaning |
|---|---|
| 0 | done; found; satisfiable |
| 1 | impossible; unsatisfiable |
| 2 | bad use, bad input, or output that cannot be written |
| 3 | undecided: a limit was reached, or the solver died |
| 4 | an internal error |
| 130 | interrupted |
| 129, 143 | ended by SIGHUP or SIGTERM |
"""

SCRIPTS = """\
## The drop-in scripts

Each program of Knuth's sat-life family is also a command of its own, with the original's arguments,
words and exit codes. They take no options; called without arguments they print their usage and exit
with 255. [](../knuth/index.md) says where they differ from `satlife knuth`.
"""

FILTER = "a drawing of time 0 for each solution on standard input"


def walk(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the words and the help of a command and of all commands below it."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                inner = click.Context(
                    below,
                    info_name=name,
                    parent=context,
                    terminal_width=WIDTH,
                    **below.context_settings,
                )
                yield from walk(below, inner)


def render() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    context = click.Context(cli, info_name="satlife", terminal_width=WIDTH, **cli.context_settings)
    for words, text in walk(cli, context):
        level = "#" * min(2 + words.count(" "), 4)
        clean = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
        parts.append(f"{level} `{words}`\n\n```text\n{clean}\n```\n")
    parts.append(SCRIPTS)
    parts.append("| script | arguments | prints |\n|---|---|---|")
    for program in PROGRAMS:
        page = f"[`{program.name}`](../knuth/{program.name}.md)"
        parts[-1] += f"\n| {page} | `{program.usage}` | {program.summary} |"
    page = "[`sat-life-filter`](../knuth/sat-life-filter.md)"
    parts[-1] += f"\n| {page} | none | {FILTER} |\n"
    return "\n".join(parts)


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
