"""Write docs/reference/cli/, a page for each command, from the help of the commands themselves.

docs/conf.py calls this when the documents are built, so the pages are not kept in the repository.
``python scripts/write_cli_reference.py`` writes them without building, to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from satlife.cli.group import cli
from satlife.cli.help import Command
from satlife.knuth import PROGRAMS

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "reference" / "cli"
WIDTH = 78
"""What click uses on a terminal of 80 columns."""

INTRODUCTION = """\
# Command line

Every command with all its options, exactly as `--help` prints them. A command with more
than ten options also has a short help: `-h` shows those that most people use.

| command | what it does |
|---|---|
{commands}

Results go to standard output, messages and progress to standard error. A file named `-` is standard
input or standard output. With `-q`, every command prints its result as always, and only errors to
standard error; the exit code says the rest.

## Exit codes

{codes}

Of every command, 2 means wrong usage, bad input, or output that cannot be written; 4 also an internal
error; 130 that Ctrl-C interrupted it; 129 and 143 that SIGHUP or SIGTERM ended it. *Exhausted*, by the
engine `rows`, counts as *there is none*. `find` ends as the command of its problem's kind, so 0 means
that a pattern of the kind `orphan` is an orphan. `solve --dimacs-exit` has the codes of the SAT
competitions.

## `satlife`

```text
{help}
```

## Knuth's programs as scripts

Each of Knuth's sat-life programs is also installed under its own name, with the arguments, messages
and exit codes of the original. The scripts take no options. Without arguments they print their
usage and exit with 255. [](../../knuth/index.md#two-faces) lists where they differ from
`satlife knuth`.

| script | arguments | prints |
|---|---|---|
{scripts}

```{{toctree}}
:hidden:

{pages}
```
"""

EXIT_CODES = """\
| command | 0 | 1 | 3 | 4 |
|---|---|---|---|---|
| `still-life`, `oscillator`, `ship`, `parent`, `complete`, `agar`, `wick`, `eater`, `catalyst`, `reaction`, `find` | found; all are listed; the best, proved | there is none | undecided | |
| `orphan`, `forced`, `parent --unique` | yes | no | undecided | |
| `check` | valid | | not decided | not valid |
| `verify` | yes | no | | |
| `identify` | answered | | undecided | |
| `catalogue` | there are some | there are none | | |
| `catalogue import` | something was read | nothing was read | | |
| `map` | every rule has an answer | | some have none yet | |
| `map look-up` | found | there is none | no answer yet | |
| `campaign run`, `campaign serve` | every task has an answer | | some have none | |
| `campaign merge` | all was taken in | | some was refused, or lacks its proof | |
| `campaign check` | log and tables agree | | | they differ |
| `campaign certificates` | all are there | | a proof is missing or damaged | |
| `decode` | a pattern | there is none | no solution in ANSWER | the pattern is wrong |
| `solve` | satisfiable | unsatisfiable | undecided | |
| every other command | done | | | |
"""
"""What the exit codes of the commands mean; the README has the same table, without campaigns."""

FILTER = "a drawing of time 0 for each solution on standard input"

GUIDES = {
    "find": "how-to/problem-files",
    "check": "how-to/prove",
    "campaign": "how-to/campaigns",
    "worker": "how-to/cluster",
    "cnf": "how-to/solve-elsewhere",
    "decode": "how-to/solve-elsewhere",
    "identify": "reference/identity",
    "verify": "how-to/problem-files",
    "doctor": "install",
    "completion": "install",
    "solve": "how-to/solve-elsewhere",
    "convert": "reference/life",
    "knuth": "knuth/index",
}
"""The page to read first; without an entry it is the how-to of the command's name, if any."""


def find_guide(name: str) -> str:
    """Return a line that points to the command's guide, or nothing."""
    guide = GUIDES.get(name, f"how-to/{name}")
    return f"Guide: [](../../{guide}.md)\n\n" if (DOCS / f"{guide}.md").exists() else ""


def enter(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    """Return the context in which a command prints its help."""
    return click.Context(
        command, info_name=name, parent=parent, terminal_width=WIDTH, **command.context_settings
    )


def below(context: click.Context) -> Iterator[tuple[str, click.Context]]:
    """Yield the names and contexts of the commands of a group, in its order."""
    group = context.command
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if command is not None and not command.hidden:
                yield name, enter(command, name, context)


def get_help(context: click.Context) -> str:
    """Return what ``--help`` prints."""
    text = context.command.get_help(context).strip("\n")
    return "\n".join(line.rstrip() for line in text.splitlines())


def get_screens(context: click.Context) -> str:
    """Return what ``-h`` and ``--help`` print, as blocks; the short one only if it differs."""
    whole, command = f"```text\n{get_help(context)}\n```\n", context.command
    if not isinstance(command, Command) or not command.is_long:
        return whole
    short = command.get_short(context)
    most = f"`-h` shows the most common options:\n\n```text\n{short}\n```\n\n"
    return f"{most}`--help` shows all:\n\n{whole}"


def render_command(name: str, context: click.Context) -> str:
    """Return the page of a command, with a section for each command below it."""
    page = f"# `{context.command_path}`\n\n{find_guide(name)}{get_screens(context)}"
    for _, inner in below(context):
        page += f"\n## `{inner.command_path}`\n\n{get_screens(inner)}"
    return page


def render_index(context: click.Context) -> str:
    """Return the page that lists the commands and the drop-in scripts."""
    commands = dict(below(context))
    scripts = [
        f"| [`{each.name}`](../../knuth/{each.name}.md) | `{each.usage}` | {each.summary} |"
        for each in PROGRAMS
    ]
    page = "[`sat-life-filter`](../../knuth/sat-life-filter.md)"
    return INTRODUCTION.format(
        commands="\n".join(
            f"| [`satlife {name}`]({name}.md) | {inner.command.get_short_help_str(200)} |"
            for name, inner in commands.items()
        ),
        codes=EXIT_CODES.rstrip(),
        help=get_help(context),
        scripts="\n".join([*scripts, f"| {page} | none | {FILTER} |"]),
        pages="\n".join(commands),
    )


def render() -> dict[str, str]:
    """Return all pages by their file names."""
    context = enter(cli, "satlife")
    pages = {f"{name}.md": render_command(name, inner) for name, inner in below(context)}
    return {"index.md": render_index(context), **pages}


def write(folder: Path = FOLDER) -> None:
    """Write the pages that have changed, and remove those of commands that are gone."""
    folder.mkdir(exist_ok=True)
    pages = render()
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        page = folder / name
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write()
