"""``satlife convert``: between formats of formulas, and between formats of patterns."""

from __future__ import annotations

import io
from pathlib import Path

import click

from satlife.cli.files import open_output, read_input
from satlife.errors import UsageError

FORMULA_FORMATS = ("dimacs", "knuth")
PATTERN_FORMATS = ("rle", "plaintext", "life106", "knuth")


@click.command(name="convert")
@click.argument("source", metavar="[FILE]", default="-")
@click.argument("target", metavar="[OUTPUT]", default="-")
@click.option(
    "--from", "source_format", metavar="FORMAT", help="The input's format, if not to be detected."
)
@click.option(
    "--to",
    "target_format",
    metavar="FORMAT",
    help="The output's format; default: by OUTPUT's suffix.",
)
def command(source: str, target: str, source_format: str | None, target_format: str | None) -> None:
    """Convert a formula or a pattern to another format.

    The input's format is detected from its content.  Formulas: dimacs, knuth (his SAT format).
    Patterns: rle, plaintext, life106, knuth (rows of * and .).  Formulas ending in .gz or .xz are
    packed and unpacked.  Without --to, a formula becomes DIMACS (a DIMACS one Knuth's format) and a
    pattern RLE, unless the suffix of OUTPUT says otherwise.

    \b
    Examples:
      satlife knuth sat-life-grid 7 15 3 | satlife convert --to dimacs > grid.cnf
      satlife convert glider.cells glider.rle
    """
    data = read_input(source)
    if _is_formula(data, source_format):
        _convert_formula(data, target, source_format, target_format)
    else:
        _convert_pattern(data, target, source_format, target_format)


def _is_formula(data: bytes, source_format: str | None) -> bool:
    """Only formulas have ``p cnf``, signs, or lines that open with a blank."""
    if source_format in FORMULA_FORMATS and source_format not in PATTERN_FORMATS:
        return True
    if source_format in PATTERN_FORMATS and source_format not in FORMULA_FORMATS:
        return False
    head = data[:1000]
    if head.startswith((b"#", b"!", b"x")):
        return False
    return head.startswith((b" ", b"c ", b"p cnf")) or b"~" in head or b"\np cnf" in head


def _convert_formula(data: bytes, target: str, source: str | None, wanted: str | None) -> None:
    from satlife.sat import files
    from satlife.sat.files.paths import content_suffix

    _require(source, FORMULA_FORMATS, "formulas")
    _require(wanted, FORMULA_FORMATS, "formulas")
    given = files.find_format(source) if source else files.detect_format(data[:65536])
    formula = given.read(io.BytesIO(data))
    by_suffix = [f.name for f in files.FORMATS if content_suffix(Path(target)) in f.suffixes]
    other = "knuth" if given.name == "dimacs" else "dimacs"
    chosen = files.find_format(wanted or (by_suffix[0] if by_suffix else other))
    with open_output(target) as file:
        chosen.write(formula, file)


def _convert_pattern(data: bytes, target: str, source: str | None, wanted: str | None) -> None:
    from satlife.life import find_format, read_pattern

    _require(source, PATTERN_FORMATS, "patterns")
    _require(wanted, PATTERN_FORMATS, "patterns")
    pattern = read_pattern(data.decode("utf-8", "replace"), source)
    suffix = Path(target).suffix
    chosen = find_format(wanted or suffix or "rle")
    text = chosen.write(pattern).rstrip("\n") + "\n"
    with open_output(target) as file:
        file.write(text.encode("utf-8"))


def _require(name: str | None, names: tuple[str, ...], kind: str) -> None:
    if name is not None and name not in names:
        raise UsageError(f"no format {name!r} for {kind}; there are {', '.join(names)}")
