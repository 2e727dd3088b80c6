"""``satlife convert``: between formats of formulas, and between formats of patterns."""

from __future__ import annotations

import io
from pathlib import Path

import click

from satlife.cli.files import open_output, read_input
from satlife.cli.help import Command
from satlife.cli.own import is_meant_as_file, read_own, read_source, report_loss, report_unread
from satlife.errors import UsageError
from satlife.life import FORMATS as PATTERNS
from satlife.life import find_format, read_pattern
from satlife.life.catalogue import name_any
from satlife.sat import FORMATS as FORMULAS
from satlife.sat import files
from satlife.sat.files.paths import content_suffix
from satlife.show import Scene, Style
from satlife.show.formats.lifehistory import LIFEHISTORY


@click.command(name="convert", cls=Command)
@click.argument("source", metavar="[SOURCE]", default="-")
@click.argument("target", metavar="[OUTPUT]", default="-")
@click.option("-o", "--output", metavar="FILE", help="The same as OUTPUT.")
@click.option(
    "--from", "source_format", metavar="FORMAT", help="The input's format, if not to be detected."
)
@click.option(
    "--to",
    "target_format",
    metavar="FORMAT",
    help="The output's format, or its suffix; default: by OUTPUT's suffix.",
)
def command(
    source: str,
    target: str,
    output: str | None,
    source_format: str | None,
    target_format: str | None,
) -> None:
    """Convert a formula or a pattern to another format.

    SOURCE is a file or - for standard input; for a pattern also RLE text, an apgcode, or a name in
    the catalogue.  The input's format is detected from its content; `satlife list formats` names
    all of them.  Files ending in .gz or .xz are packed and unpacked.  Without --to, a formula
    becomes DIMACS (a DIMACS one Knuth's format) and a pattern RLE, unless OUTPUT has another
    suffix.  The format lifehistory (.history.rle) is RLE that also marks the cells that live
    later in the period.

    \b
    Examples:
      satlife knuth sat-life-grid 7 15 3 | satlife convert --to dimacs > grid.cnf
      satlife convert glider.cells -o glider.rle
      satlife convert pulsar --to cells
      satlife convert glider --to lifehistory
    """
    if output is not None and target != "-":
        raise UsageError(f"two outputs, {target} and -o {output}; name one of them")
    target = output or target
    if not is_meant_as_file(source):
        _convert_pattern(read_source(source), target, source_format, target_format)
        return
    data = read_input(source)
    if _is_formula(data, source_format):
        _convert_formula(data, target, source_format, target_format)
    else:
        text = data.decode("utf-8-sig", "replace")
        report_unread(text)
        report_loss(text)
        _convert_pattern(text, target, source_format, target_format)


def _is_formula(data: bytes, source_format: str | None) -> bool:
    """Return whether a text is a formula; one of Knuth's has a ``~``, or begins with a blank."""
    patterns = {each.name for each in PATTERNS}
    is_formula = source_format in {each.name for each in FORMULAS}
    if is_formula != (source_format in patterns):  # both have a format "knuth"
        return is_formula
    if data.startswith((b"#", b"!", b"x")):
        return False
    head = data[:65536]
    if any(each.recognise(head) for each in FORMULAS if each.name not in patterns):
        return True
    return head.startswith(b" ") or b"~" in head[:1000]


def _convert_formula(data: bytes, target: str, source: str | None, wanted: str | None) -> None:
    names = {suffix: each.name for each in files.FORMATS for suffix in each.suffixes}
    wanted = names.get(f".{wanted}".replace("..", "."), wanted)
    for name in (source, wanted):
        if name is not None and name not in names.values():
            known = ", ".join(dict.fromkeys(names.values()))
            raise UsageError(f"no format {name!r} for formulas; there are {known}")
    given = files.find_format(source) if source else files.detect_format(data[:65536])
    formula = given.read(io.BytesIO(data))
    by_suffix = [f.name for f in files.FORMATS if content_suffix(Path(target)) in f.suffixes]
    other = "knuth" if given.name == "dimacs" else "dimacs"
    chosen = files.find_format(wanted or (by_suffix[0] if by_suffix else other))
    with open_output(target) as file:
        chosen.write(formula, file)


def _convert_pattern(text: str, target: str, source: str | None, wanted: str | None) -> None:
    pattern = read_pattern(text, source) if source else name_any(text, read_own())
    if (wanted or target).lower().endswith((LIFEHISTORY.name, *LIFEHISTORY.suffixes)):
        written = LIFEHISTORY.draw([Scene.of(pattern)], Style())
    else:
        chosen = find_format(wanted or content_suffix(Path(target)) or "rle")
        written = f"{pattern.to_text(chosen)}\n".encode()
    with open_output(target) as file:
        file.write(written)
