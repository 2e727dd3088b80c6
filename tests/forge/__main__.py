"""Forge certificates, maps and ledgers; none may be taken: ``python -m tests.forge --help``."""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.forge.running import SHARES, SIZE, Finding, Tally, run

COLUMNS = ("refused", "undecided", "true", "unknown", "FALSE")
TITLES = ("refused", "undecided", "valid and true", "valid, truth unknown", "FALSE")


def main() -> int:
    """Run, and print what was done; 1 if something false was taken."""
    parser = argparse.ArgumentParser(prog="just forge", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="so many forgeries (2000)")
    parser.add_argument("--seed", type=int, help="the same seed makes the same forgeries")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--bases", type=int, default=SIZE, help="valid folders of each kind (14)")
    parser.add_argument("--keep", type=Path, help="where false ones are kept (a new folder)")
    parser.add_argument("--verbose", action="store_true", help="print what was forged, and how")
    words = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if words.seed is None else words.seed
    keep = words.keep or Path(tempfile.mkdtemp(prefix="satlife-forged-"))
    print(f"seed {seed}", flush=True)
    begun, tally = time.monotonic(), Tally()
    for batch in run(seed, words.count, words.jobs, keep, words.bases):
        tally.add(batch)
    report(tally, time.monotonic() - begun)
    if words.verbose:
        print(*(f"{number:6} {name}" for name, number in sorted(tally.forged.items())), sep="\n")
    print_findings(tally.findings)
    if not tally.findings and words.keep is None:
        keep.rmdir()
    return 1 if tally.findings else 0


def report(tally: Tally, seconds: float) -> None:
    """Print the table."""
    rows = [[kind, *(str(tally.answers[kind, each]) for each in COLUMNS)] for kind in SHARES]
    rows.append(["all", *(str(tally.count(each)) for each in COLUMNS)])
    for title, *cells in [["folder", *TITLES], *rows]:
        total = "forgeries" if title == "folder" else str(sum(map(int, cells)))
        print(
            f"{title:8}{total:>11}"
            + "".join(f"{c:>{len(t) + 3}}" for c, t in zip(cells, TITLES, strict=True))
        )
    number, spent = sum(tally.answers.values()), max(1e-9, tally.processor)
    times = ", ".join(f"{name} {time:.0f} s" for name, time in tally.seconds.most_common())
    print(
        f"{number} forgeries in {seconds:.0f} s, {number / spent:.0f} for each second of a "
        f"processor ({times})"
    )


def print_findings(findings: list[Finding]) -> None:
    """Print where the false ones are."""
    for each in findings:
        print(f"\nnumber {each.number}, {each.kind}, {each.name}: {each.words}\n  {each.folder}")


if __name__ == "__main__":
    sys.exit(main())
