"""Adding one of a sort is one file and one line: made-up ones in a copy of satlife, run end to end.

Each section adds a new thing to a copy of the package, as CONTRIBUTING tells: a file, and its value
in the tuple that lists its sort. Then the commands must know it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
KNOWN_TYPES = ROOT / ".mypy_cache"
"""What mypy knows after ``just lint``; it looks again at whatever differs."""


@dataclass(frozen=True)
class Addition:
    """A file, and the tuple that its value goes into."""

    file: str
    source: str
    to: str
    tuple_: str
    value: str


@dataclass(frozen=True)
class House:
    """A copy of the package, to be added to."""

    folder: Path

    def add(self, new: Addition) -> None:
        """Write a file, and put its value first in a tuple of the package."""
        (self.folder / "satlife" / new.file).write_text(new.source, encoding="utf-8")
        target = self.folder / "satlife" / new.to
        text = target.read_text(encoding="utf-8")
        module = f"satlife.{new.file.removesuffix('.py').replace('/', '.')}"
        text = text.replace(
            "from __future__ import annotations\n",
            f"from __future__ import annotations\nfrom {module} import {new.value}\n",
            1,
        )
        tuple_ = rf"^({new.tuple_}\b[^=\n]*= \()"
        text, found = re.subn(tuple_, rf"\1{new.value}, ", text, flags=re.M)
        assert found == 1, f"{new.to} has {found} tuples {new.tuple_}"
        target.write_text(text, encoding="utf-8")

    def insert(self, file: str, lines: str, *, after: str = "", before: str = "") -> None:
        """Insert lines after or before some that the package's file has once."""
        target = self.folder / "satlife" / file
        text, place = target.read_text(encoding="utf-8"), after or before
        assert text.count(place) == 1, f"{file} has {place!r} {text.count(place)} times"
        target.write_text(text.replace(place, after + lines + before), encoding="utf-8")

    def lint(self, *files: str) -> None:
        """Do what ``just fix`` does, then check style and types, as ``just lint`` does."""
        paths = [str(self.folder / "satlife" / file) for file in files]
        settings = str(ROOT / "pyproject.toml")
        if KNOWN_TYPES.is_dir():
            shutil.copytree(KNOWN_TYPES, self.folder / "types")
        for words in (
            ("ruff", "check", "--config", settings, "--no-cache", "--fix", "--exit-zero"),
            ("ruff", "format", "--config", settings, "--no-cache"),
            ("ruff", "check", "--config", settings, "--no-cache"),
            ("ruff", "format", "--check", "--config", settings, "--no-cache"),
            ("mypy", "--config-file", settings, "--cache-dir", str(self.folder / "types")),
        ):
            run = subprocess.run(
                [sys.executable, "-m", *words, *paths],
                check=False,
                capture_output=True,
                encoding="utf-8",
                cwd=self.folder.parent,
                env={**os.environ, "MYPYPATH": str(self.folder)},
            )
            assert run.returncode == 0, run.stdout + run.stderr

    def run(self, *words: str, stdin: str = "", code: int = 0) -> str:
        """Run a command of this copy, which must end with this code; what it prints."""
        run = subprocess.run(
            [sys.executable, "-m", "satlife", *words],
            check=False,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(self.folder)},
        )
        assert run.returncode == code, run.stderr
        return run.stdout

    def python(self, code: str) -> str:
        """Run Python with this copy; what it prints."""
        run = subprocess.run(
            [sys.executable, "-c", code],
            check=False,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(self.folder)},
        )
        assert run.returncode == 0, run.stderr
        return run.stdout


@pytest.fixture
def house(tmp_path: Path) -> House:
    # With what Python has compiled, which it takes for files of the same time and size.
    shutil.copytree(SRC / "satlife", tmp_path / "src" / "satlife")
    return House(tmp_path / "src")


# --- a rule family ------------------------------------------------------------------------------

ELEMENTARY_SOURCE = '''"""Wolfram's rules: a cell becomes what the three cells below it say."""

from __future__ import annotations

import re

import numpy as np

from satlife.errors import RuleError
from satlife.life.cells import freeze
from satlife.life.neighbourhood import fold_table
from satlife.life.rules._family import RuleDefinition, RuleFamily

BELOW = np.arange(512) & 7


def _read(text: str) -> RuleDefinition | None:
    match = re.fullmatch("W([0-9]{1,3})", text)
    if match is None:
        return None
    if int(match[1]) > 255:
        raise RuleError(f"{text}: numbers go to 255")
    return RuleDefinition(freeze(int(match[1]) >> BELOW & 1))


def _write(definition: RuleDefinition) -> str | None:
    entries = fold_table(definition.table, BELOW)
    if entries is None or definition.states > 2:
        return None
    return f"W{int(entries @ (1 << np.arange(8)))}"


FAMILY = RuleFamily("elementary", "W110", "by the three cells below", _read, _write)
'''
ELEMENTARY = Addition(
    "life/rules/elementary.py",
    ELEMENTARY_SOURCE,
    "life/rules/__init__.py",
    "RULE_FAMILIES",
    "FAMILY",
)


def test_a_rule_family(house: House) -> None:
    house.add(ELEMENTARY)
    assert re.search("^elementary +W110 +by the three", house.run("list", "rules"), re.M)
    # By rule 204 a cell becomes what the one below it is: everything goes north.
    ship = house.run("ship", "c", "--box", "3x3", "--rule", "W204", "--quiet")
    assert "rule = W204" in ship
    assert "spaceship c," in house.run("identify", "-", stdin=ship)


# --- a pattern format ---------------------------------------------------------------------------

DIGITS_SOURCE = '''"""Rows of 0 and 1, after a line that says so."""

from __future__ import annotations

from satlife.life.formats._format import Format, number_lines, read_rows, write_rows
from satlife.life.raster import Raster

HEAD = "% digits"


def _detect(text: str) -> bool:
    return text.startswith(HEAD)


def _parse(text: str) -> Raster:
    lines = [line for line in number_lines(text) if not line[1].startswith("%")]
    return Raster(read_rows(lines, {"0": 0, "1": 1}, "write 0 or 1"))


def _draw(raster: Raster) -> str:
    return HEAD + "\\n" + write_rows(raster.states, {0: "0", 1: "1"})


FORMAT = Format(
    name="digits",
    title="digits",
    suffixes=(".digits",),
    keeps_position=False,
    keeps_rule=False,
    keeps_unknown=False,
    keeps_states=False,
    detect=_detect,
    parse=_parse,
    draw=_draw,
)
'''
DIGITS = Addition(
    "life/formats/digits.py", DIGITS_SOURCE, "life/formats/__init__.py", "FORMATS", "FORMAT"
)


def test_a_pattern_format(house: House) -> None:
    house.add(DIGITS)
    assert re.search("^pattern +digits +.digits$", house.run("list", "formats"), re.M)
    written = house.run("convert", "--to", "digits", stdin="bo$2bo$3o!")
    assert written == "% digits\n010\n001\n111\n"
    assert house.run("identify", "-", stdin=written).startswith("xq4_153: glider")
    assert house.run("convert", "--from", "digits", stdin=written).endswith("\nbo$2bo$3o!\n")


# --- a kind of search ---------------------------------------------------------------------------

FLIPPER_SOURCE = '''"""Flippers: patterns that are their own mirror image some generations later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from satlife.kinds._bounds import POPULATION, Bounds
from satlife.kinds._kind import BOX, RULE, SYMMETRY, TEXT, Kind, Parameter

if TYPE_CHECKING:
    from satlife.kinds._common import BoxLike
    from satlife.life import Rule, Symmetry
    from satlife.problem import Problem


def flipper(
    period: int | str,
    *,
    box: BoxLike,
    symmetry: Symmetry | str = "C1",
    rule: Rule | str = "B3/S23",
    **bounds: Unpack[Bounds],
) -> Problem:
    """Ask for a pattern that is its mirror image after a number of generations."""
    from satlife.kinds._common import bound_constraints, read_boxes
    from satlife.life import Motion
    from satlife.problem import Problem
    from satlife.problem.constraints import NotEmpty

    steps = Motion.parse(str(period)).period
    return Problem(
        kind="flipper",
        rule=str(rule),
        boxes=read_boxes(box, steps),
        motion=Motion(period=steps, transform="flip-left-right"),
        symmetry=str(symmetry),
        constraints=(NotEmpty(), *bound_constraints(bounds)),
    )


KIND = Kind(
    name="flipper",
    noun="flipper",
    function=flipper,
    parameters=(
        Parameter(name="period", reader=TEXT, argument=True, metavar="PERIOD"),
        BOX,
        SYMMETRY,
        RULE,
        POPULATION,
    ),
    summary="Find a pattern that becomes its mirror image.",
    text="Find a pattern that is its own mirror image after PERIOD generations.",
    examples=("flipper 1 --box 5x5",),
    axis="periods",
)
'''
FLIPPER = Addition("kinds/flipper.py", FLIPPER_SOURCE, "kinds/__init__.py", "KINDS", "KIND")


def test_a_kind(house: House) -> None:
    house.add(FLIPPER)
    assert re.search("^  flipper +Find a pattern that becomes", house.run("--help"), re.M)
    assert "--population BOUND" in house.run("flipper", "--help")
    assert re.search("^flipper +Find a pattern that becomes", house.run("list", "kinds"), re.M)
    found = house.run("flipper", "1", "--box", "4x4", "--population", "6..9", "--quiet")
    assert "#C Found and verified by satlife flipper 1" in found
    assert "motion" in house.run("cnf", "flipper", "1", "--box", "4x4", "--problem")
    assert house.run("cnf", "flipper", "1", "--box", "4x4", "--stats").startswith("cells")
    told = house.python(
        "import satlife\n"
        "from satlife.campaign.plan import Plan\n"
        "from satlife.certificates import NoneExists, make_statement\n"
        "problem = satlife.flipper(2, box=(1, 1))\n"
        "print('flipper' in dir(satlife), type(satlife.find(problem)).__name__)\n"
        "print(make_statement(problem, NoneExists()).splitlines()[0])\n"
        'text = \'[[search]]\\nkind = "flipper"\\nperiods = "1..2"\\nboxes = "3x3..4x4"\'\n'
        "plan = Plan.from_toml(text)\n"
        "groups = list(plan.groups())\n"
        "print(plan.size(), groups[1].describe(), groups[1].problem(0).kind)\n"
    )
    assert told.splitlines() == [
        "True Impossible",
        "# There is no such flipper in 1×1",
        "8 flipper p2 flipper",
    ]


# --- an engine ----------------------------------------------------------------------------------

SOUP_SOURCE = '''"""Random fillings of generation 0."""

from __future__ import annotations

import numpy as np

from satlife.engine.engine import Engine, GaveUp, Run, Solutions
from satlife.life import Pattern
from satlife.problem import Problem


class SoupEngine(Engine):
    """Fills the box at random."""

    name, title = "soup", "random fillings, for still lifes"
    takes = ("timeout", "seed")

    def refuses(self, problem: Problem) -> str | None:
        """Refuse what changes."""
        return None if problem.steps == 1 else "it looks for still lifes"

    def solutions(self, problem: Problem, run: Run) -> Solutions:
        """Yield soups that do not change."""
        chance, box = np.random.default_rng(run.options.seed), problem.all_boxes[0]
        for _ in range(10_000):
            run.check()
            states = chance.integers(0, 2, (box.height, box.width), np.uint8)
            soup = Pattern.from_array(states, box.x, box.y, problem.rule)
            if soup[1] == soup and not soup.is_empty:
                yield (states,)
        raise GaveUp("10,000 soups")


ENGINE = SoupEngine()
'''
SOUP = Addition("engine/soup.py", SOUP_SOURCE, "engine/session.py", "ENGINES", "ENGINE")


def test_an_engine(house: House) -> None:
    house.add(SOUP)
    assert re.search("^soup +random fillings", house.run("list", "engines"), re.M)
    box = ("--box", "3x3", "--random-seed", "1", "--json")
    assert '"engine":"soup"' in house.run("still-life", "--engine", "soup", *box)
    assert '"engine":"soup"' in house.run("still-life", *box)  # the first that takes it
    assert '"engine":"sat"' in house.run("oscillator", "2", *box)
    best = house.run("still-life", "--engine", "soup", "--minimize", "population", *box, code=3)
    assert '"best":{"population":4}' in best
    assert '"found":2' in house.run("still-life", "--engine", "soup", "--limit", "2", *box)


# --- an encoding --------------------------------------------------------------------------------

EVERY_CASE_SOURCE = '''"""A clause for each of the 512 neighbourhoods."""

from __future__ import annotations

import numpy as np

from satlife.formula.encodings._encoding import Encoding
from satlife.formula.transitions import ORIGIN, Transitions
from satlife.life.rule import Rule
from satlife.sat.formula import FormulaBuilder
from satlife.sat.logic import Circuit, Template


def _encode(transitions: Transitions, rule: Rule, builder: FormulaBuilder) -> None:
    cells = np.indices((2,) * 9).reshape(9, -1).T
    clauses = np.column_stack([1 - 2 * cells, 2 * rule.table.astype(int) - 1]).astype(np.int8)
    circuit = Circuit(builder, ORIGIN)
    rows = np.column_stack([transitions.cells, transitions.successors])
    circuit.require(Template.over((2,) * 10, clauses), rows)
    circuit.write()


ENCODING = Encoding("every-case", "one clause for each case", lambda _: True, _encode)
'''
EVERY_CASE = Addition(
    "formula/encodings/every_case.py",
    EVERY_CASE_SOURCE,
    "formula/encodings/__init__.py",
    "ENCODINGS",
    "ENCODING",
)


def test_an_encoding(house: House) -> None:
    house.add(EVERY_CASE)
    assert re.search("^every-case +one clause for each", house.run("list", "encodings"), re.M)
    words = ("ship", "c/4d", "--box", "4x4", "--encoding", "every-case")
    assert "glider" in house.run(*words, "--quiet")
    assert house.run("cnf", *words, "--stats") != house.run("cnf", *words[:-1], "direct", "--stats")


# --- a solver -----------------------------------------------------------------------------------

TRUTH_TABLE_SOURCE = '''"""Tries every assignment of up to 20 variables."""

from __future__ import annotations

import numpy as np

from satlife.sat.answer import Answer, Model, Reason, Refuted, Satisfied, Undecided
from satlife.sat.formula import Formula, IntArray
from satlife.sat.solver import (
    Abilities,
    Limits,
    OpenSolver,
    ProgressCallback,
    Solver,
    Statistics,
)


class TruthTable(Solver):
    """Tries every assignment."""

    name = "truth-table"
    title = "every assignment in turn"
    abilities = Abilities(conflict_limit=False, progress=False, statistics=False)

    def open(
        self,
        formula: Formula,
        *,
        limits: Limits | None = None,
        seed: int | None = None,
        progress: ProgressCallback | None = None,
    ) -> OpenTable:
        """Open a formula."""
        return OpenTable(self, formula, limits)


class OpenTable(OpenSolver):
    """All assignments of a formula."""

    def _solve(self, assumptions: IntArray, limits: Limits) -> Answer:
        if self.variables > 20:
            return Undecided(Reason.GAVE_UP, "too many variables")
        cases = np.arange(2**self.variables)
        holds = np.ones(len(cases), bool)
        clauses = [clause for block in self.blocks for clause in block]
        for clause in [*clauses, *((literal,) for literal in assumptions.tolist())]:
            values = [(cases >> (abs(each) - 1) & 1) == (each > 0) for each in clause]
            holds &= np.logical_or.reduce(values) if values else False
        if not holds.any():
            return Refuted(tuple(assumptions.tolist()))
        bits = int(cases[holds][0])
        literals = [v if bits >> (v - 1) & 1 else -v for v in range(1, self.variables + 1)]
        return Satisfied(Model.from_literals(literals, self.variables))

    def statistics(self) -> Statistics:
        """Return nothing: no work is counted."""
        return Statistics()


SOLVER = TruthTable()
'''
TRUTH_TABLE = Addition(
    "sat/solvers/truth_table.py", TRUTH_TABLE_SOURCE, "sat/solvers/__init__.py", "SOLVERS", "SOLVER"
)


def test_a_solver(house: House) -> None:
    house.add(TRUTH_TABLE)
    assert re.search("^truth-table +every assignment", house.run("list", "solvers"), re.M)
    assert re.search("ok +truth-table", house.run("doctor"))
    assert house.run("solve", "--solver", "truth-table", stdin="p cnf 2 2\n1 2 0\n-1 0\n") == (
        "s SATISFIABLE\nv -1 2 0\n"
    )
    words = ("still-life", "--box", "3x3", "--encoding", "direct", "--all", "--quiet", "--solver")
    listed = house.run(*words, "truth-table")
    names = sorted(re.findall("^#N (.+)", listed, re.M))
    assert names == ["block", "boat", "ship", "tub"]
    assert names == sorted(re.findall("^#N (.+)", house.run(*words, "cadical"), re.M))


# --- a format for formulas ----------------------------------------------------------------------

JSON_SOURCE = '''"""A formula as JSON."""

from __future__ import annotations

import json
from typing import BinaryIO

from satlife.errors import FormatError
from satlife.sat.files._format import Format
from satlife.sat.formula import Formula


def _recognise(head: bytes) -> bool:
    return head.startswith(b"{")


def _read(file: BinaryIO) -> Formula:
    try:
        content = json.load(file)
        return Formula.from_clauses(content["clauses"], variables=content["variables"])
    except (ValueError, LookupError, TypeError) as error:
        raise FormatError(f"not a formula: {error}") from None


def _write(formula: Formula, file: BinaryIO) -> None:
    content = {"variables": formula.variables, "clauses": list(formula)}
    file.write(json.dumps(content).encode() + b"\\n")


FORMAT = Format("json", (".json",), _read, _write, _recognise)
'''
JSON = Addition("sat/files/as_json.py", JSON_SOURCE, "sat/files/__init__.py", "FORMATS", "FORMAT")


def test_a_formula_format(house: House) -> None:
    house.add(JSON)
    assert re.search("^formula +json +.json$", house.run("list", "formats"), re.M)
    written = house.run("convert", "--to", "json", stdin="p cnf 2 2\n1 -2 0\n2 0\n")
    assert written == '{"variables": 2, "clauses": [[1, -2], [2]]}\n'
    assert house.run("convert", "--to", "dimacs", stdin=written) == "p cnf 2 2\n1 -2 0\n2 0\n"
    assert house.run("solve", stdin=written) == "s SATISFIABLE\nv 1 2 0\n"
    formula = house.run("cnf", "still-life", "--box", "2x2", "--format", "json")
    assert house.run("solve", stdin=formula).startswith("s SATISFIABLE")


# --- a constraint -------------------------------------------------------------------------------

BIRTHS_ASKED = '''\
class Births(Bound, frozen=True, kw_only=True, tag="births"):
    """How many cells that are dead in generation 0 live in generation 1."""

    template, noun = "{} {cells} born in the first step", "cells born in the first step"

    @property
    def generations(self) -> tuple[int, ...]:
        """The two that are compared."""
        return 0, 1


'''

BIRTHS_ENCODED = '''\
def born_cells(spacetime: SpaceTime, builder: FormulaBuilder, _: Births) -> IntArray:
    """Return which cells are born in the first step: a variable and three clauses for each."""
    dead, alive = -cell_histories(spacetime)[:, 0], cell_histories(spacetime)[:, 1]
    return all_of(builder, "births", np.stack([dead, alive], axis=1))


'''

BIRTHS_VERIFIED = '''\
def births(problem: Problem, history: History, _: Births) -> int:
    """How many dead cells of generation 0 live in generation 1."""
    film = _film(problem, history)
    return int((film[1] & ~film[0]).sum())


'''

BIRTHS_AUDITED = """\
            case ask.Births():
                self.bound(it, [[self.all(-cells[0], cells[1]) for cells in film.values()]])
"""


def add_births(house: House) -> None:
    """Bound the births of the first step: in each of four rooms a few lines and an entry."""
    house.insert("problem/bounds.py", BIRTHS_ASKED, before="AnyBound = (\n")
    house.insert("problem/bounds.py", "Births | ", before="Population | Rotor")
    house.insert("formula/measures.py", "    Births,\n", before="    Bound,\n    Changes,\n")
    house.insert("formula/measures.py", BIRTHS_ENCODED, before="TERMS: dict")
    house.insert("formula/measures.py", "    Births: born_cells,\n", before="    Rotor: changing")
    house.insert("verifier/constraints.py", "    Births,\n", before="    Bound,\n    Changes,\n")
    house.insert("verifier/constraints.py", BIRTHS_VERIFIED, before="VALUES: dict")
    house.insert("verifier/constraints.py", "    Births: births,\n", before="    Rotor: rotor,\n")
    audit = "audit/constraints.py"
    house.insert(audit, BIRTHS_AUDITED, before="            case ask.Rotor():\n")


CONSTRAINT_FILES = (
    "problem/bounds.py",
    "formula/measures.py",
    "verifier/constraints.py",
    "audit/constraints.py",
)


def test_a_constraint(house: House, tmp_path: Path) -> None:
    add_births(house)
    told = house.python(
        "import satlife\n"
        "from satlife.campaign.results import describe_question\n"
        "def ask(births, box='3x3'): return satlife.oscillator(2, box=box, births=births)\n"
        "found = satlife.find(ask('=2'))\n"
        "print(found.finding.identity.name, describe_question(found.finding.problem))\n"
        "print(satlife.evaluate(ask('=2'), found.finding.history, ask('=2').constraints[-1]))\n"
        "try: satlife.verify(ask('=3'), found.finding.history)\n"
        "except satlife.VerificationError as error: print(error)\n"
        "print(satlife.find_best(ask('>=1', '4x4'), maximize='births').values)\n"
        "listed = [list(satlife.find_all(ask('>=2'), engine=each)) for each in ('sat', 'brute')]\n"
        "print(*map(len, listed), satlife.Problem.from_json(ask(9).to_json()) == ask(9))\n"
        "try: satlife.still_life(box='3x3', births=1)\n"
        "except satlife.SatlifeError as error: print(error)\n"
        f"folder = {str(tmp_path / 'none')!r}\n"
        "print(type(satlife.prove(ask('>=3'), folder)).__name__, satlife.check(folder).valid)\n"
        f"folder = {str(tmp_path / 'all')!r}\n"
        "print(type(satlife.prove(ask('>=2'), folder, list_all=True)).__name__,\n"
        "      satlife.check(folder).valid)\n"
    )
    assert told.splitlines() == [
        "blinker oscillator p2, exactly 2 cells born in the first step",
        "2",
        "the solution fails its check: it is not true that exactly 3 cells born in the first step",
        "(4,)",
        "1 1 True",
        "there is no generation 1: they are 0 to 0",
        "Proved True",
        "Proved True",
    ]
    statement = (tmp_path / "none" / "statement.md").read_text(encoding="utf-8")
    assert "in 3×3 with at least 3 cells born in the first step" in statement
    assert "**Condition.** At least 3 cells born in the first step." in statement


def test_mypy_misses_the_sentence_of_the_audit(house: House) -> None:
    house.insert(
        "problem/conditions.py",
        'class Quiet(Condition, frozen=True, tag="quiet"):\n    """Nothing is born."""\n\n\n',
        before="class NotEmpty(",
    )
    constraints = "problem/constraints.py"
    house.insert(constraints, "    | conditions.Quiet\n", before="    | conditions.Gutter\n")
    with pytest.raises(AssertionError, match='has incompatible type "Quiet"'):
        house.lint("audit/constraints.py")


# --- a field of a campaign ----------------------------------------------------------------------


CAMPAIGN_FILES = ("campaign/plan/plan.py", "campaign/messages.py", "campaign/core/state.py")


def add_campaign_field(house: House) -> None:
    plan, messages, state = CAMPAIGN_FILES
    field = '    spare: int = 0\n    """Deaths and failures beyond the usual number."""\n'
    house.insert(plan, field, after="    limits: PlanLimits = PlanLimits()\n")
    house.insert(messages, field, after='    """Whether an impossibility needs a proof."""\n')
    house.insert(state, field, after='    """The number of cases into which it was split."""\n')
    house.insert(
        state,
        "    most_deaths += state.spare\n",
        after='of any worker if leases are not recorded."""\n',
    )


def test_a_campaign_field(house: House) -> None:
    add_campaign_field(house)
    told = house.python(
        "from satlife.campaign.core.events import FailedEvent, QueuedEvent\n"
        "from satlife.campaign.ledger import open_ledger\n"
        "from satlife.campaign.messages import decode_task, encode\n"
        "from satlife.campaign.plan import Plan\n"
        'text = \'spare = 1\\n[[search]]\\nkind = "still-life"\\nboxes = "3x3"\'\n'
        "plan = Plan.from_toml(text)\n"
        "task = decode_task(encode(plan.task(plan.groups()[0], 0)))\n"
        "with open_ledger(':memory:') as ledger:\n"
        "    ledger.record([QueuedEvent(task)])\n"
        "    for _ in range(4):\n"
        "        print(ledger.state(task.name).status)\n"
        "        ledger.record([FailedEvent(task.name, 'anna', 0, 'no memory')])\n"
        "    print(ledger.state(task.name).status, ledger.state(task.name).spare)\n"
    )
    assert told.split() == [*4 * ["queued"], "failed", "1"]


# --- a format of pictures -----------------------------------------------------------------------

BITMAP_SOURCE = '''"""Portable bitmaps: 1 for a live cell, as text."""

from __future__ import annotations

from collections.abc import Sequence

from satlife.show.formats._format import PictureFormat
from satlife.show.scene import Scene
from satlife.show.style import Style


def _draw(scenes: Sequence[Scene], _: Style) -> bytes:
    first = scenes[0].frames[0]
    rows = (first.see(first.box) == 1).astype(int).tolist()
    lines = (" ".join(map(str, row)) for row in rows)
    return f"P1\\n{first.box.width} {first.box.height}\\n{chr(10).join(lines)}\\n".encode()


BITMAP = PictureFormat("pbm", "generation 0, a pixel for each cell", (".pbm",), _draw)
'''
BITMAP = Addition(
    "show/formats/bitmap.py",
    BITMAP_SOURCE,
    "show/formats/__init__.py",
    "PICTURE_FORMATS",
    "BITMAP",
)


def test_a_picture_format(house: House, tmp_path: Path) -> None:
    house.add(BITMAP)
    assert re.search("^picture +pbm +.pbm", house.run("list", "formats"), re.M)
    file = tmp_path / "glider.pbm"
    house.run("show", "bo$2bo$3o!", "-o", str(file))
    assert file.read_text() == "P1\n3 3\n0 1 0\n0 0 1\n1 1 1\n"


# --- an option ----------------------------------------------------------------------------------

OPTION_FILES = ("cli/search/options.py", "engine/engine.py", "engine/brute.py")


def add_option(house: House) -> None:
    command, engine, use = OPTION_FILES
    house.insert(
        command,
        """    click.Option(
        ["--most-cells"],
        type=click.IntRange(min=1),
        metavar="N",
        help="Engine brute: give up if more than N cells are free.",
    ),
""",
        after="HOW: tuple[click.Option, ...] = (\n",
    )
    house.insert(
        engine,
        '''    most_cells: int | None = field(default=None, metadata=_accept(int, _NUMBER))
    """Free cells above which the engine brute gives up."""
''',
        before="    jobs: int = field(",
    )
    house.insert(engine, "    most_cells: int | None\n", after="    partials: int\n")
    house.insert(use, "GaveUp, ", after="from satlife.engine.engine import Engine, ")
    house.insert(use, '"most_cells"', after='takes = ("timeout",')
    house.insert(
        use,
        """        if len(leaders) > (run.options.most_cells or MOST_CELLS):
            raise GaveUp("free cells")
""",
        after="        run.built(self.name, cells=len(leaders))\n",
    )


def test_an_option(house: House) -> None:
    add_option(house)
    words = ("still-life", "--box", "4x4", "--engine", "brute", "--most-cells")
    assert "--most-cells N" in house.run("still-life", "--help")
    assert "rule = B3/S23" in house.run(*words, "16")
    house.run(*words, "15", code=3)
    told = house.python(
        "import satlife\n"
        "problem = satlife.still_life(box='4x4')\n"
        "print(satlife.find(problem, engine='brute', most_cells=15).reason)\n"
    )
    assert told == "free cells\n"


# --- all of them --------------------------------------------------------------------------------

ADDITIONS = (ELEMENTARY, DIGITS, FLIPPER, SOUP, EVERY_CASE, TRUTH_TABLE, JSON, BITMAP)


def test_what_is_added_passes_lint_and_types(house: House) -> None:
    for each in ADDITIONS:
        house.add(each)
    add_births(house)
    add_campaign_field(house)
    add_option(house)
    files = [file for each in ADDITIONS for file in (each.file, each.to)]
    house.lint(*files, *CONSTRAINT_FILES, *CAMPAIGN_FILES, *OPTION_FILES)
