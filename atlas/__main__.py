"""``python -m atlas NAME …``: make published data; without a name, list what can be made."""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

PROGRAMS = {
    "gallery": ("atlas.gallery.make:main", "the gallery of certificates, docs/gallery.md"),
    "widths": ("atlas.widths:main", "which widths have no ships, docs/widths.md"),
    "suite": ("atlas.suite:main", "60 formulas for other solvers, written to a folder"),
    "rule-maps": ("atlas.rule_maps:main", "docs/rule-maps.md, from the maps in docs/extra/maps"),
    "catalogue": ("atlas.catalogue:main", "the catalogue of objects that satlife ships with"),
    "parents": ("atlas.parents:main", "a proof that all patterns of a height have parents"),
    "plans": ("atlas.commands:write_plans", "the plans of the tables of oscillators and ships"),
    "pages": ("atlas.commands:write_pages", "the pages of the tables, from what is recorded"),
    "check": ("atlas.commands:check_tables", "a check of the tables' certificates"),
    "archive": ("atlas.commands:write_archives", "the certificates of all of these, in a folder"),
    "check-map": ("atlas.check_map:main", "a comparison of a map of rules with searches"),
}
"""Each program's function, which takes the words after the name, and what it makes."""


def main(words: Sequence[str]) -> None:
    """Run the program that the first word names."""
    name, *others = words or ["--help"]
    if name in PROGRAMS:
        module, _, function = PROGRAMS[name][0].partition(":")
        getattr(import_module(module), function)(others)
        return
    from atlas.commands import NAMES, make_table  # noqa: PLC0415 - takes a second to import

    if name in NAMES:
        make_table(name, others)
    elif name in {"-h", "--help"}:
        print(list_names())
    else:
        sys.exit(f"python -m atlas: there is no {name!r}; the names:\n\n{list_names()}")


def list_names() -> str:
    """Return a line for each name."""
    from atlas.tables import TABLES  # noqa: PLC0415 - as above

    lines = ["tables, each a page in docs/atlas:"]
    lines += [f"  {each.name:12} {each.title}" for each in TABLES]
    lines += ["other data, and what belongs to them:"]
    lines += [f"  {name:12} {summary}" for name, (_, summary) in PROGRAMS.items()]
    return "\n".join([*lines, "NAME --help shows the options; atlas/README.md says more."])


if __name__ == "__main__":
    main(sys.argv[1:])
