"""The options that bound numbers: population, rotor, width …"""

from __future__ import annotations

from typing import Any

import click

from satlife.cli.files import read_text


def bound_options(*names: str) -> tuple[click.Option, ...]:
    """The options that bound numbers; each may be given several times."""
    return tuple(_BOUNDS[name] for name in names)


def _bound(name: str, help: str) -> click.Option:  # noqa: A002 - click's word
    return click.Option([f"--{name}"], multiple=True, metavar="BOUND", help=help)


_BOUNDS = {
    "population": _bound(
        "population",
        "Live cells in generation 0: '>=36', '<=20', =9, 20..36; in others: '<=20@3', @every, "
        "@least (the least populated one), @most.",
    ),
    "rotor": _bound("rotor", "Cells that change: '<=12' …"),
    "stator": _bound("stator", "Cells that live in all generations."),
    "width": _bound("width", "Width of the least box that holds all generations."),
    "height": _bound("height", "Height of that box."),
    "area": _bound("area", "Area of that box."),
    "difference": click.Option(
        ["--difference"],
        multiple=True,
        nargs=2,
        metavar="FILE BOUND",
        help="Cells of generation 0 that are not as in FILE (? there is not counted).",
    ),
}
EXTENT = ("width", "height", "area")
ALL_BOUNDS = tuple(_BOUNDS)


def read_bounds(options: dict[str, Any]) -> dict[str, Any]:
    """Read the files that bounds speak of."""
    from satlife.life import detect_format
    from satlife.search.problem.constraints import Difference

    def read_partial(source: str) -> Any:
        text = read_text(source)
        return detect_format(text).read_partial(text)

    if "difference" in options:
        options["difference"] = [
            Difference.of(read_partial(source), bound) for source, bound in options["difference"]
        ]
    return options
