"""``satlife rules-of``: in which rules does this pattern work?"""

from __future__ import annotations

import sys

import click

from satlife.cli.help import Command
from satlife.cli.own import read_named
from satlife.cli.printing import print_record
from satlife.errors import UsageError
from satlife.life.rulespaces import rules_of


@click.command(name="rules-of", short_help="Find all rules in which a pattern works.", cls=Command)
@click.argument("source", metavar="[PATTERN]", default="-")
@click.option("--motion", metavar="MOTION",
              help="The motion that it must have: p3, c/4d … (default: its own).")  # fmt: skip
@click.option("--rule", metavar="RULE", help="The rule, if not the pattern's own.")
@click.option("--rules", "family", type=click.Choice(["outer-totalistic", "isotropic"]),
              help="Among these rules (default: outer-totalistic; if none of them "
              "works, isotropic).")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def command(
    source: str, motion: str | None, rule: str | None, family: str | None, as_json: bool
) -> None:
    """Find all rules in which a pattern evolves as it does in its own.

    PATTERN is a still life, oscillator or spaceship: a file, - for standard input, RLE text, an
    apgcode, or a name in the catalogue.

    Every neighbourhood that occurs in its evolution fixes an entry of the rule; the others are
    free.  So there is a least rule and a greatest one, and all rules between them do.

    \b
    Examples:
      satlife rules-of glider
      satlife rules-of lwss --rules isotropic
      satlife rules-of ship.rle --motion c/3 --json
    """
    drawn = read_named(source, rule)
    if not drawn.is_complete:
        raise UsageError(f"{drawn.describe_unknown()}; draw every cell dead or alive")
    found = rules_of(drawn.pattern(), motion, family=family)
    if as_json:
        record = {
            "least": str(found.least),
            "greatest": str(found.greatest),
            "rules": str(found),
            "family": found.family,
            "free": found.free,
            "count": found.size if found.size < 1 << 53 else str(found.size),
        }
        print_record(record)
        return
    size = f"{found.size:,}" if found.size < 1 << 30 else f"2^{len(found.free)}"
    sys.stdout.write(
        f"least     {found.least}\n"
        f"greatest  {found.greatest}\n"
        f"all       {found} ({size} {'rules' if found.is_open else 'rule'})\n"
    )
