"""The search in the browser: its clauses, its solver and its checks, in a real browser."""

from __future__ import annotations

import base64
import hashlib
import http.server
import random
import threading
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import msgspec
import numpy as np
import pytest

import satlife
from satlife import Found, Impossible, PartialPattern, Problem
from satlife.errors import UsageError
from satlife.life.rule import Rule
from satlife.life.symmetry import OLDER_NAMES
from satlife.problem.outcome import read_history
from satlife.verifier.verify import complaints
from scripts.build_try import HERE, RULES, build, make_tables, pack_clauses
from tests.browser import open_browser

HASHES = {
    "cadical.js": "be0fb76b5b78ba7e6908b3bbf429496aad0b2ddf7a23c1e4010e61c3144059d1",
    "cadical.wasm": "1d0c7ec32ed08576b10383e1b45e30cac6216a8fe2bee8d7ac5e43aef1236e3e",
    "index.js": "e91ba20a9f594fdde900243c40a2450fdc8dd0b93b8a14ca8b9dfb9ae28dae62",
    "options.generated.js": "a369b5fa907b65f62c1922ecb42d40e2d62e8d7a7a297e388deccbee49c19af3",
}
"""The files of npm's cadical-wasm 0.1.2."""
PROBLEMS = 500
SPEEDS = ["c/2", "c/3", "c/4", "c/4d", "c/3d", "c", "2c/4", "2c/4d", "c/5d", "(2,1)c/5", "2c/3"]
KINDS = ("still", "oscillator", "ship", "complete", "complete", "parent", "orphan")
SQUARE = ("C4", "D2\\", "D2/", "D4x", "D8")


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page on a server that only has files."""
    folder = tmp_path_factory.mktemp("try")
    build(folder)
    serve = partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Any]:
    with open_browser() as browser:
        opened = browser.new_page()
        opened.goto(address + "tables.json")
        yield opened


def test_the_solver_is_the_one_that_was_published() -> None:
    found = {name: hashlib.sha256((HERE / "cadical" / name).read_bytes()) for name in HASHES}
    assert {name: digest.hexdigest() for name, digest in found.items()} == HASHES


@pytest.mark.parametrize("rule", RULES)
def test_the_clauses_of_a_rule_are_its_table(rule: str) -> None:
    """Each of the 1024 assignments of nine cells and a successor breaks a clause, or is a step."""
    cells = np.array(list(product((0, 1), repeat=10)), bool)
    for clause in pack_clauses(rule):
        wanted = [(slot, clause >> slot & 1, clause >> slot + 10 & 1) for slot in range(10)]
        holds = np.zeros(len(cells), bool)
        for slot, alive, dead in wanted:
            if alive or dead:
                holds |= cells[:, slot] == bool(alive)
        cells = cells[holds]
    numbers = cells[:, :9] @ (1 << np.arange(8, -1, -1))
    assert sorted(numbers.tolist()) == list(range(512))
    assert (Rule(rule).table[numbers] == cells[:, 9]).all()
    table = base64.b64decode(make_tables()["tables"][rule])
    assert np.unpackbits(np.frombuffer(table, np.uint8)).tolist() == Rule(rule).table.tolist()


def draw(chance: random.Random, width: int, height: int, weights: list[int], rule: str) -> Any:
    rows = ("".join(chance.choices("ob?", weights, k=width)) for _ in range(height))
    return PartialPattern.from_rle(f"x = {width}, y = {height}, rule = {rule}\n{'$'.join(rows)}!")


def make_problem(chance: random.Random) -> Problem:
    """Return a small problem of a kind that the page knows."""
    rule = chance.choice(list(RULES)) if chance.random() < 0.7 else "B3/S23"
    symmetry = chance.choice(list(OLDER_NAMES)) if chance.random() < 0.6 else "C1"
    width, height = chance.randint(1, 6), chance.randint(1, 6)
    if symmetry in SQUARE:
        height = width
    asked: Any = {"box": f"{width}x{height}", "symmetry": symmetry, "rule": rule}
    match chance.choice(KINDS):
        case "still":
            return satlife.still_life(**asked)
        case "oscillator":
            return satlife.oscillator(chance.randint(2, 4), **asked)
        case "ship":
            return satlife.ship(chance.choice(SPEEDS), **asked)
        case "complete":
            return satlife.complete(
                draw(chance, width, height, [1, 2, 5], rule),
                margin=chance.randint(0, 1),
                symmetry=symmetry,
                motion=chance.choice([None, "p1", "p2", "p3", "p4", "c/2", "c/4d"]),
                full_period=chance.random() < 0.4,
            )
        case "parent":
            drawn = draw(chance, min(width, 4), min(height, 4), [3, 3, 1], rule)
            back, margin = chance.randint(1, 2), chance.randint(0, 2)
            return satlife.parent(drawn, generations=back, margin=margin)
        case _:
            return satlife.orphan(draw(chance, width, height, [3, 3, 1], rule))


def make_problems(seed: int, count: int) -> list[Problem]:
    chance, made = random.Random(seed), list[Problem]()
    while len(made) < count:
        try:
            made.append(make_problem(chance))
        except UsageError:  # the symmetry does not fit the speed
            continue
    return made


SOLVE = """async ([problems, seconds]) => {
  const worker = new Worker("./worker.js", {type: "module"});
  const answers = [];
  for (const problem of problems)
    answers.push(await new Promise((resolve, reject) => {
      worker.onerror = reject;
      worker.onmessage = ({data}) => data.kind === "end" && resolve(data);
      worker.postMessage({problem, seconds});
    }));
  worker.terminate();
  return answers;
}"""


def solve(page: Any, problems: list[Problem], seconds: float = 60) -> list[Any]:
    """Have the page's worker answer problems."""
    told = [msgspec.json.decode(problem.to_json()) for problem in problems]
    return list(page.evaluate(SOLVE, [told, seconds]))


def test_random_problems_have_the_answers_of_satlife(page: Any) -> None:
    problems = make_problems(27, PROBLEMS)
    found = 0
    for problem, answer in zip(problems, solve(page, problems), strict=True):
        outcome = satlife.find(problem)
        assert isinstance(outcome, Found | Impossible)
        expected = "found" if isinstance(outcome, Found) else "none"
        assert answer["answer"] == expected, problem.to_json()
        if expected == "found":
            found += 1
            history = read_history(problem, tuple(map(tuple, answer["frames"])))
            assert not list(complaints(problem, history))
    assert PROBLEMS // 5 < found < PROBLEMS * 4 // 5  # so that both answers are tested


SPOIL = """async ([problem, frames]) => {
  const {complain} = await import("./checker.js");
  const known = await (await fetch("./tables.json")).json();
  const wrong = [];
  for (let t = 0; t < frames.length; t++)
    for (let y = 0; y < frames[t].length; y++)
      for (let x = 0; x < frames[t][y].length; x++) {
        const other = structuredClone(frames), row = other[t][y];
        other[t][y] = row.slice(0, x) + (row[x] === "o" ? "." : "o") + row.slice(x + 1);
        if (!complain(problem, other, known)) wrong.push([x, y, t]);
      }
  return [complain(problem, frames, known), wrong];
}"""


@pytest.mark.parametrize(
    "problem",
    [
        satlife.ship("c/4d", box="4x4"),
        satlife.oscillator(3, box="13x13", symmetry="D8"),
        satlife.still_life(box="5x5", symmetry="D4x", rule="B36/S23"),
        satlife.complete(PartialPattern.from_rle("3o!"), motion="p2", margin=1),
    ],
    ids=lambda problem: problem.kind,
)
def test_a_changed_cell_fails_the_check_of_the_page(page: Any, problem: Problem) -> None:
    (answer,) = solve(page, [problem])
    told = msgspec.json.decode(problem.to_json())
    assert page.evaluate(SPOIL, [told, answer["frames"]]) == ["", []]


def test_a_search_ends_at_its_time_limit(page: Any) -> None:
    (answer,) = solve(page, [satlife.oscillator(3, box="12x12", symmetry="C1")], seconds=0.5)
    assert answer["answer"] in ("undecided", "found")
    (answer,) = solve(page, [satlife.ship("c/5", box="12x12")], seconds=1)
    assert (answer["answer"], answer["reason"]) == ("undecided", "time limit of 1 s")
