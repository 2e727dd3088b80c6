"""``satlife check``: is this certificate valid?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from satlife.cli import ending
from satlife.cli.ending import say
from satlife.cli.quantities import TIME


@click.command(short_help="Check a certificate that --prove has left.")
@click.argument("folder", metavar="FOLDER")
@click.option("--timeout", type=TIME, metavar="TIME", help="For each other program (10m).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("-q", "--quiet", is_flag=True, help="Print the verdict only.")
def command(folder: str, timeout: float | None, as_json: bool, quiet: bool) -> None:
    """Check a certificate that --prove has left in FOLDER, and print what it claims.

    The formula is made anew from problem.json, and so is the statement; the proof must refute
    that very formula.  Nothing else in the folder is believed.  drat-trim, lrat-check and cake_lpr
    are asked too where they are on the PATH.

    Exit codes: 0 valid, 4 not valid, 3 could not be decided.

    \b
    Examples:
      satlife oscillator 3 --box 5x5 --prove p3-5x5
      satlife check p3-5x5
    """
    import msgspec

    from satlife.search.certificates import check_certificate

    judgement = check_certificate(Path(folder), timeout)
    if as_json:
        record = {
            "answer": judgement.word,
            "complaints": judgement.complaints,
            "doubts": judgement.doubts,
            "checkers": {name: v.checker for name, v in judgement.verdicts if v},
            "statement": judgement.statement,
        }
        click.echo(msgspec.json.encode(record).decode())
    elif not quiet and judgement.statement:
        click.echo(judgement.statement)
    for name, verdict in judgement.verdicts if not (quiet or as_json) else ():
        by = f" (by {verdict.checker}; {verdict.seconds:.1f} s)" if verdict else ""
        say(f"{name}: {verdict}{by}")
    if not as_json:
        click.echo(f"{folder}: {judgement}")
    codes = {"valid": ending.FOUND, "not valid": ending.INTERNAL, "not decided": ending.UNDECIDED}
    sys.exit(codes[judgement.word])
