"""The page of widths without ships, docs/widths.md: ``python -m atlas widths``.

For every speed and symmetry, widths are searched by rows, one after the other, until one has a
ship or takes longer than ``--minutes``.  The widest without a find is certified, its certificate
checked in a process of its own, and everything recorded in atlas/data/widths.json at once: the
same command goes on where it was stopped, and writes the page at its end.  The certificates are in
``dist/atlas/widths``, and the small ones are kept in atlas/data/widths.tar.xz.
"""

# ruff: noqa: T201 - a program that talks to the person who started it

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from atlas import archive
from atlas.table import DATA, ROOT
from bench.markdown import table
from satlife import Pattern, Problem, identify, ship
from satlife.audit.fast_widths import prepare
from satlife.audit.widths import WIDEST, RowRule, width_complaints
from satlife.certificates.check.states import STATES, read_runs
from satlife.certificates.folder import read_problem
from satlife.certificates.make.width_folder import write_states
from satlife.engine.rows.quotients import fit, make_quotient
from satlife.rows.hunt import Hunt
from satlife.rows.quotient import TABLED
from satlife.rows.quotient import WIDEST as WIDEST_SEARCHED

PAGE, RESULTS = ROOT / "docs" / "widths.md", DATA / "widths.json"
WORK, KEPT = ROOT / "dist" / "atlas" / "widths" / "certificates", DATA / "widths.tar.xz"
"""The certificates that were made here; the small ones, which are kept."""
ORTHOGONAL = (
    "c/2",
    "c/3",
    "c/4",
    "c/5",
    "2c/5",
    "c/6",
    "c/7",
    "2c/7",
    "3c/7",
    "c/8",
    "3c/8",
    "c/10",
)
DIAGONAL = ("c/4d", "c/5d", "c/6d")
OBLIQUE = ("(2,1)c/6", "(2,1)c/7", "(3,1)c/8")
SPEEDS = (*ORTHOGONAL, *DIAGONAL, *OBLIQUE)
SYMMETRIES: dict[str, Callable[[int], int]] = {
    "none": lambda cells: cells,
    "odd": lambda cells: 2 * cells - 1,
    "even": lambda cells: 2 * cells,
    "gutter": lambda cells: 2 * cells + 1,
    "glide": lambda cells: cells,
}
"""The width of rows with a number of free cells."""
_WORDS = {"none": "", "odd": "D2v", "even": "D2v", "gutter": "D2v", "glide": "C1:D2v"}
MOST_STATES = 60_000_000
"""A search of more states is given up, for want of memory."""


@dataclass(frozen=True)
class Question:
    """A speed, a symmetry and the free cells of a row."""

    speed: str
    symmetry: str
    cells: int

    @property
    def width(self) -> int:
        """The width in cells."""
        return SYMMETRIES[self.symmetry](self.cells)

    @property
    def name(self) -> str:
        """The name of its certificate, for addresses and folders."""
        return f"{self.speed.replace('/', '')}-{self.symmetry}-{self.width}"

    @property
    def motion(self) -> str:
        """The speed as it is asked for: a glide is half of a motion twice as long."""
        if self.symmetry != "glide":
            return self.speed
        step, period = self.speed.split("c/")
        return f"{2 * int(step or 1)}c/{2 * int(period)}"

    @property
    def problem(self) -> Problem:
        """What is asked."""
        how: dict[str, Any] = {"gutter": True} if self.symmetry == "gutter" else {}
        return ship(self.motion, box=f"{self.width}x*", symmetry=self.mirror or "C1", **how)

    @property
    def mirror(self) -> str:
        """The symmetry as it is asked for."""
        mirror = _WORDS[self.symmetry]
        return mirror.replace("v", "b") if self.speed in DIAGONAL else mirror

    @property
    def command(self) -> str:
        """The command that asks it."""
        motion = f"'{self.motion}'" if self.speed in OBLIQUE else self.motion
        words = [f"satlife ship {motion} --box '{self.width}x*'"]
        words += [f"--symmetry {self.mirror}"] if self.mirror else []
        return " ".join(words + ["--gutter"] * (self.symmetry == "gutter"))


@dataclass
class Answer:
    """What is known of a question."""

    answer: str
    """none, found or late."""
    states: int
    seconds: float
    rle: str = ""
    name: str = ""
    """Of the ship that was found."""
    check: dict[str, Any] = field(default_factory=dict)
    """Of the certificate: seconds, memory, bytes and hash."""


Answers = dict[Question, Answer]


def main(words: Sequence[str]) -> None:
    """Search, certify, record, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m atlas widths", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="for each search (60)")
    parser.add_argument("--states", type=int, default=MOST_STATES, help="of each search at most")
    parser.add_argument(
        "--certify", type=int, default=MOST_STATES, metavar="STATES", help="of each certificate"
    )
    parser.add_argument("--speeds", nargs="+", choices=SPEEDS, help="only these")
    parser.add_argument("--page", action="store_true", help="only write the page")
    given = parser.parse_args(words)
    answers = read_answers()
    for speed, symmetry in () if given.page else product(given.speeds or SPEEDS, SYMMETRIES):
        if speed in DIAGONAL and symmetry in ("even", "glide"):
            continue  # the mirror of a diagonal ship lies in cells
        if speed in OBLIQUE and symmetry != "none":
            continue
        explore(speed, symmetry, answers, given)
        within = [q for q in find_dry(answers, speed, symmetry) if q.cells <= WIDEST]
        small = [q for q in within if answers[q].check or answers[q].states <= given.certify]
        if small and not answers[widest := small[0]].check:
            answers[widest].check = certify(widest)
            record(widest, answers)
    if not given.page:
        archive.pack(KEPT, WORK, [each.name for each in gather(only_kept=True)])
    PAGE.write_text(write_page(answers), encoding="utf-8")


def read_answers() -> Answers:
    """Return what is recorded."""
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else []
    return {Question(*each[:3]): Answer(**each[3]) for each in known}


def record(question: Question, answers: Answers) -> None:
    """Write all answers, and tell of one."""
    order = {speed: number for number, speed in enumerate(SPEEDS)}
    names = sorted(
        answers, key=lambda q: (order[q.speed], list(SYMMETRIES).index(q.symmetry), q.cells)
    )
    rows = [[q.speed, q.symmetry, q.cells, asdict(answers[q])] for q in names]
    text = ",\n".join(json.dumps(row) for row in rows)
    RESULTS.write_text(f"[\n{text}\n]\n", encoding="utf-8")
    print(f"{question.command}: {answers[question]}", flush=True)


def explore(speed: str, symmetry: str, answers: Answers, given: argparse.Namespace) -> None:
    """Search wider and wider rows."""
    widest = WIDEST if symmetry == "glide" else WIDEST_SEARCHED
    widest = TABLED if speed in OBLIQUE else widest
    for cells in range(2, widest + 1):
        question = Question(speed, symmetry, cells)
        known = answers.get(question)
        if known is None or (known.answer == "found" and not known.rle):
            seconds, most = 60 * given.minutes, given.states
            answers[question] = alone(search, question, seconds, most)
            record(question, answers)
        if answers[question].answer != "none":
            return


def alone(work: Callable[..., Any], *given: Any) -> Any:
    """Do something in a process of its own, whose memory is its own."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(work, *given).result()


def search(question: Question, most_seconds: float, most_states: int) -> Answer:
    """Search a width, and keep every state; if that takes too long, look for a ship by probes."""
    next(Hunt(make_quotient(Question("c/3", "even", 6).problem)).ships())  # loads what is compiled
    hunt, ships, seconds = _hunt(question, most_seconds, most_states, limit=1 << 31)
    if not ships and hunt.head == hunt.count:
        return Answer("none", hunt.count, seconds)
    if not ships:
        late = Answer("late", hunt.count, seconds)
        hunt, ships, seconds = _hunt(question, most_seconds, most_states)
        if not ships:
            return late
    history = fit(hunt.quotient, ships[0], question.problem)
    if history is None:
        raise AssertionError("a ship fits a box of any height")
    pattern = Pattern.from_array(history[0])
    return Answer("found", hunt.count, seconds, pattern.to_rle(), identify(pattern).name or "")


def _hunt(question: Question, seconds: float, states: int, **how: int) -> tuple[Hunt, Any, float]:
    """Return a hunt at its end, at the first ship or at a limit, and the seconds that it took."""
    begun, ships = time.process_time(), list[Any]()
    hunt = Hunt(make_quotient(question.problem), **how)  # type: ignore[arg-type]
    for ships in hunt.work():
        if ships or time.process_time() - begun > seconds or hunt.count > states:
            break
    return hunt, ships, round(time.process_time() - begun, 2)


def certify(question: Question) -> dict[str, Any]:
    """Make and check a certificate; return what the check took."""
    folder, part = WORK / question.name, WORK / f"{question.name}.part"
    for each in (folder, part):
        shutil.rmtree(each, ignore_errors=True)
    part.mkdir(parents=True)
    told = {**alone(make, question, part), **alone(check, part)}
    part.rename(folder)
    return told


def gather(*, only_kept: bool) -> Iterator[archive.Entry]:
    """Yield the certificates; what is missing is made again."""
    archive.unpack(KEPT, WORK)
    for question, answer in list_certified(read_answers()):
        if only_kept and answer.check["bytes"] > archive.SMALL:
            continue
        if not (WORK / question.name).exists():
            told = certify(question)
            if told["hash"] != answer.check["hash"]:
                raise SystemExit(f"{question.command}: other states than those that are recorded")
        yield archive.Entry(question.name, question.command)


def make(question: Question, folder: Path) -> dict[str, Any]:
    """Write the files of a certificate."""
    hunt = Hunt(make_quotient(question.problem), limit=1 << 31)
    if next(hunt.ships(), None) is not None:
        raise AssertionError(f"{question.command} found a ship")
    begun = time.process_time()
    write_states(folder, question.problem, hunt)
    return {"packing": round(time.process_time() - begun, 2)}


def check(folder: Path) -> dict[str, Any]:
    """Check a certificate; return its seconds, its peak memory, and what it read."""
    import resource  # noqa: PLC0415 - Windows has none

    digest, begun = hashlib.sha256(), time.process_time()
    rule = RowRule(read_problem(folder))
    judge = prepare(rule)
    nothing = np.zeros((1, 2 * rule.p), np.uint16)
    judge(nothing, nothing)  # loads what is compiled
    tables = time.process_time() - begun
    with (folder / STATES).open("rb") as file:
        runs = read_runs(file, rule.n, rule.p, 1 << 40)
        if wrong := list(width_complaints(rule, runs, judge)):
            raise AssertionError(f"{folder} is not valid: {wrong[0]}")
        seconds = time.process_time() - begun - tables
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for row in range(rule.n):
            for states in runs(row):
                digest.update(states.astype("<u2").tobytes())
    return {
        "seconds": round(seconds, 2),
        "tables": round(tables, 2),
        "megabytes": memory // 1024,
        "bytes": (folder / STATES).stat().st_size,
        "hash": digest.hexdigest()[:16],
    }


def find_dry(answers: Answers, speed: str, symmetry: str) -> list[Question]:
    """Return the exhausted widths of a speed and a symmetry, the widest first."""
    asked = (Question(speed, symmetry, cells) for cells in range(WIDEST_SEARCHED, 0, -1))
    return [each for each in asked if each in answers and answers[each].answer == "none"]


def list_certified(answers: Answers) -> Iterator[tuple[Question, Answer]]:
    """Yield the widest certified question of each speed and symmetry, which has the others."""
    for speed, symmetry in product(SPEEDS, SYMMETRIES):
        for question in _find_sure(find_dry(answers, speed, symmetry), answers):
            yield question, answers[question]


# The page


def write_page(answers: Answers) -> str:
    """Return the page."""
    certified = [question for question, _ in list_certified(answers)]
    checks = [(answers[q].states, answers[q].check) for q in certified]
    large = [(states, each) for states, each in checks if states >= 1_000_000]
    most, most_check = max(checks, key=lambda each: each[0])
    rates = [1e6 * each["seconds"] / states for states, each in large]
    return _PAGE.format(
        summary=table(("speed", *SYMMETRIES), _summarise(answers), numbers_from=9),
        players="\n".join(_draw(q, answers[q]) for q in answers if answers[q].rle),
        rows=len(certified),
        cells=WIDEST,
        details=table(
            ("speed", "symmetry", "width", "states", "search, s", "check, s", "bytes", "SHA-256"),
            (_detail(q, answers[q]) for q in certified),
            numbers_from=2,
        ),
        most=f"{most:,}",
        most_seconds=round(most_check["seconds"]),
        most_bytes=f"{most_check['bytes']:,}",
        memory=max(each["megabytes"] for _, each in checks),
        low=round(min(rates)),
        high=round(max(rates)),
        minutes=round(sum(rates) / len(rates) * 100 / 60),
        size=round(100 * most_check["bytes"] / most),
        example=certified[-1].command,
    )


def _summarise(answers: Answers) -> Iterator[list[str]]:
    for speed in SPEEDS:
        dry = (find_dry(answers, speed, symmetry) for symmetry in SYMMETRIES)
        yield [speed, *(_sum_up(each, answers) for each in dry)]


def _find_sure(dry: list[Question], answers: Answers) -> list[Question]:
    """Return the widest question that is certified, if one is."""
    return [each for each in dry if answers[each].check][:1]


def _sum_up(dry: list[Question], answers: Answers) -> str:
    """Return how wide rows of a speed and a symmetry are known to have no ship."""
    if not dry:
        return ""
    sure, widest = _find_sure(dry, answers), dry[0]
    words = [f"**{each.width}**" for each in sure]
    words += [f"{widest.width} exhausted"] if [widest] != sure else []
    following = Question(widest.speed, widest.symmetry, widest.cells + 1)
    known = answers.get(following)
    words += [f"{following.width} has one"] if known and known.answer == "found" else []
    return "; ".join(words)


def _draw(question: Question, known: Answer) -> str:
    title = known.name or f"{question.speed}, {question.symmetry}, width {question.width}"
    lines = [
        "```{player}",
        f":command: {question.command}",
        f":title: {title}",
        "",
        known.rle.strip(),
    ]
    return "\n".join([*lines, "```", ""])


def _detail(question: Question, known: Answer) -> list[str]:
    check = known.check
    return [
        question.speed,
        question.symmetry,
        str(question.width),
        f"{known.states:,}",
        f"{known.seconds:.2f}",
        f"{check['seconds']:.2f}",
        f"{check['bytes']:,}",
        f"`{check['hash']}`",
    ]


_PAGE = """\
# Which widths have no ships

A ship of fixed width, however long, can be read as a sequence of rows. Where the search by rows
finds nothing, Conway's Game of Life has no such ship: not of that width, and not of a narrower one
with the same symmetry. The table says how far that goes. **Bold** widths are certified: there is a
closed set of states that anyone can check. *Exhausted* means that the search found nothing, which
is not confirmed independently: rows have more than the {cells} free cells that a certificate can
have, or the set was too large for the time that was given to it. Where the next width has a ship,
it is drawn below; where nothing more is said, the next width was not exhausted within its time.

{summary}
*None* stands for all ships of the width. *Odd* and *even* ships are their own mirror images, with
the axis through cells or between cells; with a *gutter*, the axis is a dead column. A *glide* is
a ship that half of its motion mirrors: c/3 stands for 2c/6 there. Widths are in cells, and hold
every phase; those of diagonal ships (c/4d and so on) are in diagonals parallel to the motion, and
their mirror is one of these. The width of an oblique ship, such as the knightship (2,1)c/6, which
moves two cells up for each one to the left, is in lines along its motion, y - 2x = n; for (3,1)c/8
they are y - 3x = n. It has no symmetry. Sir Robin, the first knightship found in Life, meets 54
such lines. Speeds are those below and at c/2, for no ship is faster (one that moves a cells to the
side and b up takes at least 2(a + b) generations), with steps that have no divisor in common with
the period: of the others (2c/4 and so on) a search can only say that they are exhausted.

## What others have searched

Searches by other programs that found no ship go further than the table in places. They have no
certificates, and we have not repeated them:

- c/7, odd, width 13, with gfind, and 3c/8, gutter, width 23, with knight2: [Matthias
  Merzenich](https://conwaylife.com/forums/viewtopic.php?p=26189). The first took about an hour, and
  its longest partial had some 41 rows.
- c/6 diagonal, width 9 as a modified gfind counts it: Matthias Merzenich, in the same place.

We know of no published search for oblique ships that says which widths have none. [Sir
Robin](http://www.conwaylife.com/forums/viewtopic.php?f=2&t=3303) was found by ikpx, from a long
partial of Tomas Rokicki's.

## The ships at the next width

::::{{container}} players
{players}
::::

## The {rows} certificates

`satlife check` recomputes every successor of every state and refutes each one that is not in the
set. One file of NumPy, with the theorem at its top, says how; it shares nothing with the search.
A compiled twin does the same for large sets. Seconds are those of one processor; those of the
check are without the tables of the rule. Bytes are those of `states.runs`; the hash is the start
of the SHA-256 of the states.

{details}
The largest has {most} states, {most_bytes} bytes, and takes {most_seconds} seconds to check. Of
sets of more than a million states, one takes {low} to {high} microseconds. No check took more
than {memory} MB of memory, whatever the size: the set is sorted, and read twice, side by side. At
that rate 100 million states would take {minutes} minutes, and {size} MB of disk.

To make a certificate yourself, and to check it:

```sh
{example} --prove FOLDER
satlife check FOLDER
```

`just atlas widths` makes this page, and goes on where it was stopped. The same searches are a plan
for many machines: `examples/widths`. [](how-to/hunt.md) shows how to search on for the ships.
"""
