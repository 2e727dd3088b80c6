"""Compare satlife with the brute force on random problems: ``python -m tests.fuzz --help``."""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from tests.fuzz.running import Failure, Tally, run, run_number
from tests.fuzz.shrinking import as_test, shrink
from tests.fuzz.sorts import SORTS, find_sorts

ENOUGH = 8
"""Failures that end a run."""
PAUSE = 30
"""Seconds between lines that show how far a run is."""
MOST_OF_A_CHECK = 3
"""Failures of one check that are made small and printed."""


def main() -> int:
    """Run, and print what was done; 1 if something failed."""
    parser = argparse.ArgumentParser(prog="just fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, help="for so long (5 if nothing else is said)")
    parser.add_argument("--problems", type=int, help="so many problems")
    parser.add_argument("--seed", type=int, help="the same seed draws the same problems")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", type=int, metavar="N", help="only the problem with this number")
    parser.add_argument(
        "--sort", action="append", choices=[sort.name for sort in SORTS], metavar="NAME",
        help=f"only this sort; may be given several times: {', '.join(s.name for s in SORTS)}",
    )  # fmt: skip
    parser.add_argument("--keep-going", action="store_true", help="do not stop at failures")
    words = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if words.seed is None else words.seed
    minutes = 5.0 if words.minutes is None and words.problems is None else words.minutes
    print(f"seed {seed}", flush=True)
    begun, tally, names = time.monotonic(), Tally(), tuple(words.sort or ())
    shown = begun
    if words.only is not None:
        tally = run_number(seed, words.only, find_sorts(names))
    else:
        for batch in run(seed, words.problems, minutes, words.jobs, names):
            tally.add(batch)
            if time.monotonic() > shown + PAUSE:
                shown = time.monotonic()
                done = f"{tally.problems} problems, {len(tally.failures)} failures"
                print("; ".join(filter(None, [done, tell(tally.notes)])), flush=True)
            if len(tally.failures) >= ENOUGH and not words.keep_going:
                break
    report(tally, time.monotonic() - begun)
    print_failures(tally.failures)
    return 1 if tally.failures else 0


def report(tally: Tally, seconds: float) -> None:
    """Print the numbers."""
    share, spent = tally.satisfiable / max(1, tally.problems), max(1e-9, tally.processor)
    print(
        f"{tally.problems} problems in {seconds:.0f} s, {tally.problems / spent:.1f} for each "
        f"second of a processor; {share:.0%} satisfiable"
    )
    print("sort              draws  satisfiable  seconds of a processor each")
    for name, number in tally.sorts.most_common():
        share, spent = tally.satisfied[name] / number, tally.spent[name] / number
        print(f"{name:16} {number:6} {share:12.0%} {spent:10.2f}")
    tables = ("details", "rules", "checks", "notes")
    for title in tables:
        print(f"{title}: {tell(getattr(tally, title))}")
    times = ", ".join(f"{name} {number:.1f}" for name, number in tally.seconds.most_common())
    print(f"seconds: {times}")
    print("not drawn:")
    for name, number in tally.not_drawn.most_common(25):
        print(f"  {number} {name}")
    failed = Counter(failure.check for failure in tally.failures)
    print(f"failures: {dict(failed) or 'none'}")


def tell(numbers: Counter[str]) -> str:
    """Return the numbers with their names."""
    return ", ".join(f"{name} {number}" for name, number in sorted(numbers.items()))


def print_failures(failures: list[Failure]) -> None:
    """Print the first failures of each check, made small, as tests."""
    seen: dict[str, int] = {}
    for failure in failures:
        seen[failure.check] = seen.get(failure.check, 0) + 1
        if seen[failure.check] <= MOST_OF_A_CHECK:
            title = f"# number {failure.number}, {failure.sort}: {failure.problem}"
            print(f"\n{title}\n{as_test(shrink(failure))}")


if __name__ == "__main__":
    sys.exit(main())
