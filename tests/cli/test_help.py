"""The help of the commands: groups that fit a screen, and a short one beside the whole one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from satlife.cli.campaign.group import COMMANDS
from satlife.cli.campaign.group import command as campaign
from satlife.cli.group import CLUSTER, cli
from satlife.cli.help import MOST_SHORT, Command

ROWS, COLUMNS = 24, 80


def walk(
    command: click.Command = cli, parent: click.Context | None = None
) -> Iterator[click.Context]:
    """Every command, and every one below it."""
    name = "satlife" if parent is None else command.name
    context = click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=COLUMNS - 2,
        **command.context_settings,
    )
    yield context
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from walk(found, context)


EVERY = [*walk()]
LEAVES = [each for each in EVERY if not isinstance(each.command, click.Group)]


def named(contexts: list[click.Context]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("context", contexts, ids=lambda each: each.command_path)


def blocks(text: str) -> list[str]:
    """The sections of a help, each with its heading."""
    parts: list[str] = []
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            parts.append("")
        if parts:
            parts[-1] += f"{line}\n"
    return [part.rstrip("\n") for part in parts]


@named(EVERY)
def test_every_group_fits_a_screen(context: click.Context) -> None:
    for block in blocks(context.command.get_help(context)):
        assert block.count("\n") < ROWS, block
        assert max(map(len, block.splitlines())) <= COLUMNS, block


@named(LEAVES)
def test_every_option_of_a_long_help_is_in_one_group(context: click.Context) -> None:
    command = context.command
    assert isinstance(command, Command)
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    listed = "\n".join(blocks(command.get_help(context)))
    shown = [line for line in listed.splitlines() if line.startswith("  -")]
    heads = [re.split(r"[ ,/]+", line.strip().split("  ")[0]) for line in shown]
    for option in options:
        assert sum(option.opts[0] in head for head in heads) == 1, option.opts
    if command.is_long:
        grouped = [name for group in command.groups.values() for name in group]
        every_commands = {"-q", "-h", "--help"}
        ours = [each.name or "" for each in options if not every_commands & {*each.opts}]
        assert sorted(ours) == sorted(grouped)


@named([each for each in LEAVES if getattr(each.command, "is_long", False)])
def test_the_short_help_is_one_screen_of_at_most_ten_options(context: click.Context) -> None:
    command = context.command
    assert isinstance(command, Command)
    short = command.get_short(context)
    assert short.count("\n") < ROWS
    shown = [line for line in blocks(short)[-1].splitlines() if line.startswith("  -")]
    assert 1 <= len(shown) <= MOST_SHORT
    for option in command.params:
        assert not option.required or (
            option.opts[0] in short or option.make_metavar(context) in short
        )
    assert short.splitlines()[-1].startswith("--help shows all ")


def test_a_long_command_has_two_helps_and_a_short_one_has_one() -> None:
    run = CliRunner().invoke
    short, whole = (run(cli, ["ship", word]).output for word in ("-h", "--help"))
    assert "--encoding" in whole
    assert "--encoding" not in short
    assert run(cli, ["identify", "-h"]).output == run(cli, ["identify", "--help"]).output
    assert run(cli, ["-h"]).output == run(cli, ["--help"]).output


OPERATION = r"\b(brokers?|cluster|dispatch|ledger|metrics|NATS|PostgreSQL|recorder|volunteers?)\b"
"""Words of those who run campaigns on many machines, and of nobody else."""


def test_the_general_help_speaks_to_the_person_who_searches() -> None:
    """Campaigns have one group, the last one, and the other groups have none of their words."""
    text = cli.get_help(click.Context(cli, info_name="satlife"))
    before, *after = text.partition("\nCampaigns:\n")
    assert not re.findall(rf"{OPERATION}|campaign|worker", before, re.I)
    assert not re.findall(OPERATION, "".join(after), re.I)
    assert [line.split()[0] for line in after[1].splitlines() if re.match(r"  \S", line)] == [
        "campaign",
        "worker",
    ]


def test_without_the_extra_one_line_says_what_it_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satlife.cli.group.has_cluster", lambda: False)
    for group, left_out in ((cli, ["worker"]), (campaign, [*COMMANDS["On many machines"]])):
        context = click.Context(group, info_name="satlife", max_content_width=COLUMNS)
        text = group.get_help(context)
        assert text.splitlines().count(f"  {CLUSTER}") == 1
        listed = {line.split()[0] for line in text.splitlines() if re.match(r"  \w", line)}
        assert not listed & {*left_out}
        assert {*left_out} <= {*group.list_commands(context)}, "they still can be typed"
