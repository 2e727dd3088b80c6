"""What a person types, beside other ways to the same answer: ``python -m bench.front_door``.

Each question is a command, and the options that some expert would add to it.  All are run in turns
as processes of their own; the times are medians of processor seconds with all child processes, and
a time limit of the processor ends a run.  The command as it is typed should take no more than 1.5
times the best of the others and half a second.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from bench.choices import list_words
from bench.markdown import table

if sys.platform != "win32":
    import resource

RESULTS: Final = Path(__file__).resolve().parent / "results" / "front_door.json"
FACTOR, PLUS = 1.5, 0.5
"""What is allowed: so many times the best, and so many seconds."""


class Question(NamedTuple):
    """A command as it is typed, and options that may be better."""

    words: str
    others: tuple[str, ...]
    factor: float = FACTOR


GLIDER = "--input glider --turn half-turn --at 8,8 --region 0..7,0..7"
SHIPS = ("--engine rows", "--engine sat")
SOLVERS = ("--solver glucose", "--solver cadical195", "--solver cadical")
QUESTIONS: Final = (
    Question("ship c/4 --box 8x8", SHIPS),
    Question("ship c/3 --box 8x12", SHIPS),
    Question("ship c/3 --box 9x12", SHIPS),
    Question("ship c/5 --box 7x7", SHIPS),
    Question("ship c/6 --box 12x14 --symmetry D2v", SHIPS),
    Question("ship c/5 --box 15x10 --symmetry D2v", SHIPS),
    Question("ship c/3 --box 12x8", SHIPS),
    Question("ship c/3 --box 13x6", SHIPS, factor=2.0),
    Question("ship 2c/4 --box 8x8", SHIPS),
    Question("ship c/4d --box 5x5", SHIPS),
    Question("parent LIFE --generations 4", SOLVERS),
    Question(
        "parent SOUP:20:20:4:2 --generations 2 --margin 0",
        ("--encoding direct --solver glucose", *SOLVERS, "--no-restrictions"),
        factor=2.5,
    ),
    Question(f"eater {GLIDER} --within 16 --population '<=6'", SOLVERS),
    Question("still-life --box 10x10 --population '>=55'", SOLVERS),
    Question("oscillator 3 --box 8x8", SOLVERS),
    Question("oscillator 3 --box 16x16", ("--no-restrictions",)),
    Question("oscillator 6 --box 16x16", ("--no-restrictions",)),
)


class Run(NamedTuple):
    """One run: the word of its answer, and seconds of the processor; None at the limit."""

    answer: str
    seconds: float | None


ANSWERS = {0: "found", 1: "none", 3: "undecided"}


def run(words: str, limit: int) -> Run:
    """Run a command and measure it with all its child processes."""
    # The limit of the processor holds for each process, and the one by the clock for all.
    command = [sys.executable, "-m", "satlife", *list_words(words), "--timeout", str(limit), "-q"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answer = ANSWERS.get(done.returncode, f"exit code {done.returncode}")
    return Run(answer, None if answer == "undecided" else spent)


def measure(question: Question, rounds: int, limit: int) -> dict[str, Run]:
    """Return the median run for the command and for each of its variants, run in turns."""
    ways = ("", *question.others)
    runs: dict[str, list[Run]] = {way: [] for way in ways}
    for number in range(rounds):
        for way in ways:
            # What has reached the limit once is not asked again.
            if number == 0 or runs[way][0].seconds is not None:
                runs[way].append(run(f"{question.words} {way}", limit))
    medians = {}
    for way, made in runs.items():
        seconds = [each.seconds for each in made if each.seconds is not None]
        middle = statistics.median(seconds) if seconds else None
        medians[way] = Run(made[0].answer, middle)
    return medians


def is_kept(question: Question, medians: dict[str, Run]) -> bool:
    """Whether the command as it is typed is as fast as promised."""
    typed = medians[""].seconds
    others = [medians[way].seconds for way in question.others]
    best = min((each for each in others if each is not None), default=None)
    if best is None:
        return True
    return typed is not None and typed <= question.factor * best + PLUS


def write(seconds: float | None, limit: int) -> str:
    """Return seconds as they stand in the table."""
    return f"> {limit}" if seconds is None else f"{seconds:.2f}"


def main() -> int:
    """Measure all questions, or those whose words contain a text."""
    parser = argparse.ArgumentParser(prog="just front-door", description=__doc__)
    parser.add_argument("text", nargs="?", default="", help="only commands that contain it")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, 3")
    parser.add_argument("--limit", type=int, default=100, help="seconds of a run, 100")
    words = parser.parse_args()
    rows, kept = [], True
    results: dict[str, dict[str, Run]] = {}
    for question in QUESTIONS:
        if words.text not in question.words:
            continue
        medians = measure(question, words.rounds, words.limit)
        results[question.words] = medians
        kept &= (fine := is_kept(question, medians))
        others = [f"{way} {write(medians[way].seconds, words.limit)}" for way in question.others]
        typed = medians[""]
        said = f"{write(typed.seconds, words.limit)}{'' if fine else ' (slow)'}"
        rows.append((f"`{question.words}`", typed.answer, said, ", ".join(others)))
        print(f"{question.words}: {typed.answer}, {said}; {', '.join(others)}", flush=True)
    print(table(("typed", "answer", "seconds", "otherwise"), rows, numbers_from=2))
    if not words.text:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
