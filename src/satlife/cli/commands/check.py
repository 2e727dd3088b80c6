"""``satlife check``: is this certificate valid?"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from satlife.certificates import Allowance, Judgement, check_certificate
from satlife.cli import endings
from satlife.cli.endings import is_quiet, say
from satlife.cli.help import Command
from satlife.cli.printing import print_line, print_record
from satlife.cli.quantities import MEMORY, TIME, set_deadline
from satlife.cli.search.progress import reporting
from satlife.rulemaps.map_check import check_map


@click.command(name="check", short_help="Check a certificate written by --prove.", cls=Command)
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--timeout", type=TIME, metavar="TIME", help="Give up after this time (10m; default 1h)."
)
@click.option("--memory", type=MEMORY, metavar="SIZE", help="Give up beyond this (8G; default 4G).")
@click.option(
    "--proof-size",
    type=MEMORY,
    metavar="SIZE",
    help="Read no more than this, packed or unpacked (default 4 GB).",
)
@click.option(
    "--clauses",
    type=click.IntRange(min=1),
    metavar="N",
    help="Build no larger formulas (default 5000000).",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1, max=64),
    default=1,
    show_default=True,
    metavar="N",
    help="Check N proofs at a time, of a certificate that has several.",
)
@click.option(
    "--save", metavar="FILE", help="Note there which proofs are valid, and check the others only."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folder: str,
    timeout: float | None,
    memory: float | None,
    proof_size: float | None,
    clauses: int | None,
    jobs: int,
    save: str | None,
    as_json: bool,
) -> None:
    """Check a certificate that --prove has written to FOLDER, and print what it claims.

    The formula and the statement are built again from problem.json; the proof must refute
    that very formula.  Nothing else in the folder is trusted.  lrat-check and cake_lpr check it,
    too, if they are on the PATH.

    The folder may come from anybody: if the check would cost more time, memory or disk than the
    limits allow, the answer is "not decided".

    The folder of a map (satlife map) is checked too, within the same limits: its patterns are
    simulated, its proofs checked, and its rules counted, so that none is left out.

    Files that do not matter are named in the verdict, as "not looked at".

    Exit codes: 0 valid, 4 not valid, 3 not decided, 2 wrong use.

    \b
    Examples:
      satlife oscillator 3 --box 5x5 --prove p3-5x5
      satlife check p3-5x5
      satlife check map
      satlife check found-on-the-web --timeout 10m --memory 2G
    """
    given: dict[str, Any] = {
        "seconds": timeout,
        "memory_bytes": None if memory is None else int(memory),
        "most_bytes": None if proof_size is None else int(proof_size),
        "most_clauses": clauses,
        "jobs": jobs,
        "save": None if save is None else Path(save).absolute(),
    }
    allowance = Allowance(**{name: value for name, value in given.items() if value is not None})
    with reporting(as_json, set_deadline(allowance.seconds)) as report:
        judgement = _check(Path(folder), allowance, report.show)
    if as_json:
        record = {
            "answer": judgement.word,
            "complaints": [*judgement.complaints],
            "doubts": [*judgement.doubts],
            "checkers": {name: v.checker for name, v in judgement.verdicts if v},
            "statement": judgement.statement,
            "not_looked_at": [*judgement.unread, *judgement.hearsay],
        }
        print_record(record)
    elif judgement.statement and not is_quiet():
        print_line(judgement.statement)
    for name, verdict in judgement.verdicts if not as_json else ():
        by = f" (by {verdict.checker}; {verdict.seconds:.1f} s)" if verdict else ""
        say(_line(f"{name}: {verdict}{by}"))
    if judgement.hearsay and not as_json:
        say(f"never looked at: {'; '.join(judgement.hearsay)}")
    if not as_json:
        print_line(_line(f"{folder}: {judgement}"))
    codes = {
        "valid": endings.FOUND,
        "not valid": endings.INTERNAL,
        "not decided": endings.UNDECIDED,
    }
    sys.exit(codes[judgement.word])


def _check(folder: Path, allowance: Allowance, show: Callable[[str], None]) -> Judgement:
    """Check a certificate, or the map of all rules that the folder holds."""
    if (folder / "regions.jsonl").is_file():
        return check_map(folder, allowance, show)
    return check_certificate(folder, allowance, show)


def _line(text: str) -> str:
    """Return the text as one line: the name of a file may have several."""
    return text.replace("\n", "\\n")
