"""``satlife identify``: what is this pattern?"""

from __future__ import annotations

import sys

import click

from satlife.cli import ending
from satlife.cli.files import read_text
from satlife.errors import UsageError


@click.command(name="identify")
@click.argument("source", metavar="[FILE]", default="-")
@click.option("--rule", metavar="RULE", help="The rule, if not the file's own.")
@click.option("--generations", type=click.IntRange(min=1), default=5000, show_default=True,
              metavar="N", help="How long to wait for it to come back.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def command(source: str, rule: str | None, generations: int, as_json: bool) -> None:
    """Tell a pattern's apgcode, name, period, speed, symmetry and populations.

    Exit codes: 0 it is a still life, oscillator or spaceship; 1 it is none (it dies or settles to
    something else); 3 undecided within the limits.

    \b
    Examples:
      satlife identify glider.rle
      echo 'bo$2bo$3o!' | satlife identify --json
    """
    from satlife.life import Pattern, read_pattern
    from satlife.life.identity import identify

    pattern = read_pattern(read_text(source))
    if not isinstance(pattern, Pattern):
        raise UsageError(f"{pattern.describe_unknown()}; only a whole pattern is something")
    if rule is not None:
        pattern = pattern.with_rule(rule)
    identity = identify(pattern, generations=generations)
    if as_json:
        import msgspec

        sys.stdout.write(msgspec.json.encode(identity.to_dict()).decode() + "\n")
    else:
        sys.stdout.write(f"{identity}\n")
    if identity.apgcode is None:
        sys.exit(ending.UNDECIDED if identity.kind == "unknown" else ending.IMPOSSIBLE)
