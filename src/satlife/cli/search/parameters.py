"""The parameters of a kind of search as click's arguments and options.

What there is to say of them is said in :mod:`satlife.search.kinds`; here it is only translated.
"""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.own import open_source
from satlife.search.kinds import Kind, Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satlife.search import Problem


def make_parameters(kind: Kind) -> list[click.Parameter]:
    """Return the arguments and options of a kind's command."""
    return [
        _make_argument(each) if each.argument else _make_option(each) for each in kind.parameters
    ]


def build_problem(kind: Kind, options: dict[str, Any]) -> Problem:
    """Build the problem of a command's arguments and options."""
    return kind.build(options, open_source)


def _make_argument(parameter: Parameter) -> click.Argument:
    return click.Argument([parameter.name], metavar=parameter.metavar, required=parameter.required)


def _make_option(parameter: Parameter) -> click.Option:
    names = [parameter.option, parameter.name]
    if parameter.reader.name == "flag":
        return click.Option(names, is_flag=True, help=parameter.help)
    least = parameter.reader.least
    shown = parameter.default_text
    # With any default, even None, click would not ask for an option that is required.
    default: dict[str, Any] = {} if shown is None else {"default": shown, "show_default": True}
    return click.Option(
        names,
        help=parameter.help,
        metavar=parameter.metavar or None,
        type=click.IntRange(min=least) if least is not None else None,
        nargs=parameter.reader.words,
        multiple=parameter.many,
        required=parameter.required,
        **default,
    )
