"""The search in the browser: its clauses, its solver and its checks, in a real browser."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from PIL import Image

import satlife
from satlife import Found, Impossible, PartialPattern, Pattern, Problem
from satlife.errors import SatlifeError, UsageError
from satlife.life import Transform
from satlife.life.catalogue import catalogue
from satlife.life.rule import Rule
from satlife.life.rules.isotropic import SORTS
from satlife.life.symmetry import OLDER_NAMES
from satlife.problem.outcome import read_history
from satlife.problem.words import describe, describe_short
from satlife.show import Scene
from satlife.verifier.verify import complaints
from satlife.web.questions import FilledForm, read_command, read_question, write_command
from satlife.web.questions import look_at as look_at_drawing
from satlife.web.routes import read_cells
from scripts.build_try import HERE, RULES, build, pack_clauses
from tests.browser import open_browser
from tests.web.forms import REFUSED, fill_in
from tests.web.hands import HANDS, Mouse
from tests.web.looks import Watched, look_at
from tests.web.serving import serving
from tests.web.states import (
    WIDTHS,
    ask,
    begin_drawing,
    contradiction,
    impossible,
    open_page,
    until,
    wait_for,
)
from tests.web.static import static_page

HASHES = {
    "cadical.js": "be0fb76b5b78ba7e6908b3bbf429496aad0b2ddf7a23c1e4010e61c3144059d1",
    "cadical.wasm": "1d0c7ec32ed08576b10383e1b45e30cac6216a8fe2bee8d7ac5e43aef1236e3e",
    "index.js": "e91ba20a9f594fdde900243c40a2450fdc8dd0b93b8a14ca8b9dfb9ae28dae62",
    "options.generated.js": "a369b5fa907b65f62c1922ecb42d40e2d62e8d7a7a297e388deccbee49c19af3",
}
"""The files of npm's cadical-wasm 0.1.2."""
PROBLEMS = 500
SPEEDS = ["c/2", "c/3", "c/4", "c/4d", "c/3d", "c", "2c/4", "2c/4d", "c/5d", "(2,1)c/5", "2c/3"]
KINDS = ("still", "oscillator", "ship", "complete", "complete", "parent", "orphan", "forced")
BOUNDS = (
    "<=5",
    ">=4",
    "3..9",
    "=4@1",
    "<=6@every",
    "<=4@least",
    ">=7@most",
    "<=14@sum",
    ">=20@sum",
)
ORPHAN = "bob3obo$2bobobo2bo$ob3o2b2o$bob5obo$o2bo2b4o$4o2bo2bo$ob5obo$b2o2b3obo$o2bobobo$2bob3obo!"
SQUARE = ("C4", "D2\\", "D2/", "D4x", "D8")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with static_page(tmp_path_factory.mktemp("try")) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page from which the scripts can be called, without what is shown."""
    opened = browser.new_page()
    opened.goto(address + "tables.json")
    yield opened
    opened.close()


def test_the_solver_is_the_one_that_was_published() -> None:
    found = {name: hashlib.sha256((HERE / "cadical" / name).read_bytes()) for name in HASHES}
    assert {name: digest.hexdigest() for name, digest in found.items()} == HASHES


def find_steps(clauses: list[list[int]]) -> Any:
    """Return the assignments of nine cells and a successor that break no clause, in rows."""
    cells = np.array(list(product((0, 1), repeat=10)), bool)
    for clause in clauses:
        slots = np.abs(clause) - 1
        cells = cells[(cells[:, slots] == (np.array(clause) > 0)).any(axis=1)]
    return cells


def check_clauses(clauses: list[list[int]], rule: str) -> None:
    """Check that of the 1024 assignments those are left that are a step of the rule."""
    steps = find_steps(clauses)
    numbers = steps[:, :9] @ (1 << np.arange(8, -1, -1))
    assert sorted(numbers.tolist()) == list(range(512)), rule
    assert (Rule(rule).table[numbers] == steps[:, 9]).all(), rule


@pytest.mark.parametrize("rule", RULES)
def test_the_clauses_of_a_rule_are_its_table(rule: str) -> None:
    packed = [
        [
            sign * (slot + 1)
            for slot in range(10)
            for sign, at in ((1, 0), (-1, 10))
            if bits >> (slot + at) & 1
        ]
        for bits in pack_clauses(rule)
    ]
    check_clauses(packed, rule)


def draw_rules(chance: random.Random, count: int) -> list[str]:
    """Return random rules without B0, in notations that are not always the shortest."""
    rules = ["B1e/S", "B3/S23", "B2-a/S12", "B2/S013V", "B8/S0", "B/S"]
    while len(rules) < count:
        halves = []
        for born in (True, False):
            half = ""
            for number in range(int(born), 9):
                letters = "".join(letter for letter in SORTS[number] if chance.random() < 0.5)
                some = chance.choice(["", "", str(number), str(number)])
                if letters and some and chance.random() < 0.5:
                    some += chance.choice(["", "-"]) + "".join(chance.sample(letters, len(letters)))
                half += some
            halves.append(half)
        if chance.random() < 0.1:
            numbers = [
                "".join(sorted(chance.sample("01234", k=chance.randint(0, 4)))) for _ in "bs"
            ]
            rules.append(f"B{numbers[0].replace('0', '')}/S{numbers[1]}V")
        else:
            rules.append(chance.choice(["B{}/S{}", "b{}s{}"]).format(*halves))
    return rules


READ_RULES = """async (rules) => {
  const known = await (await fetch("./tables.json")).json();
  const {readRule, findTable, findEntries, makeClauses} = await import("./rules.js");
  return rules.map((text, n) => {
    const rule = readRule(text, "rule", known);
    return [rule, findTable(rule, known), n % 10 ? null : makeClauses(findEntries(rule, known))];
  });
}"""


def test_five_hundred_rules_are_read_and_written_as_satlife_does(page: Any) -> None:
    """Notations and tables are the same, and the clauses that the page makes are right."""
    rules = draw_rules(random.Random(44), 500)
    for text, (rule, table, clauses) in zip(rules, page.evaluate(READ_RULES, rules), strict=True):
        expected = Rule(text)
        assert rule == str(expected), text
        packed = np.frombuffer(base64.b64decode(table), np.uint8)
        assert np.unpackbits(packed).tolist() == expected.table.tolist(), text
        if clauses:
            check_clauses(clauses, text)


def test_clauses_of_the_page_are_about_as_few_as_satlifes(page: Any) -> None:
    rules = list(RULES)[:20:2]
    made = page.evaluate(READ_RULES.replace("n % 10", "0"), rules)
    for rule, (_, _, clauses) in zip(rules, made, strict=True):
        assert len(clauses) <= 1.3 * len(pack_clauses(rule)), rule


SHOW = """async (patterns) => {
  const {ask} = await import("./api.js");
  const shown = [];
  for (const text of patterns) shown.push((await ask("POST", "/api/scene", {text})).caption);
  return shown;
}"""


GIF = """async (patterns) => {
  const {ask} = await import("./api.js"), {drawGif} = await import("./pictures.js");
  const {readScene} = await import("./player.js");
  return Promise.all(patterns.map(async (text) => {
    const scene = await ask("POST", "/api/scene", {text});
    const counts = readScene(scene).map((each) => each.cells.reduce((a, b) => a + b, 0));
    return [[...drawGif(scene)], counts];
  }));
}"""


def test_gifs_have_the_cells_of_every_generation(page: Any) -> None:
    """Also large ones, whose codes begin anew: another program reads them."""
    chance = random.Random(3)
    soup = "$".join("".join(chance.choices("bo", k=60)) for _ in range(60))
    for gif, counts in page.evaluate(GIF, ["3o!", f"x = 60, y = 60\n{soup}!", "2o$2o!", "o!"]):
        with Image.open(io.BytesIO(bytes(gif))) as picture:
            # Frames that are alike are one to its reader.
            for number in range(0, picture.n_frames, 9):
                picture.seek(number)
                colours = {each: count for count, each in picture.convert("RGB").getcolors()}
                assert colours.get((31, 42, 68), 0) == 81 * counts[number]


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)])
def test_names_and_codes_are_those_of_the_catalogue(page: Any, every: int) -> None:
    """Of the objects that have a name, also turned and in other phases."""
    entries = [entry for entry in catalogue() if entry.name and entry.code.startswith("x")]
    entries = entries[::every]
    turn = Transform("quarter-turn-clockwise")
    given = [
        (each.pattern if n % 2 else each.pattern.transformed(turn)[3]).to_rle()
        for n, each in enumerate(entries)
    ]
    for entry, told in zip(entries, page.evaluate(SHOW, given), strict=True):
        assert (told["title"], told["code"]) == (entry.name, entry.code)


def test_captions_are_those_of_satlife(page: Any) -> None:
    """Also by other rules, and of patterns that have no name."""
    given = [
        "bo$2bo$3o!", "x = 3, y = 1, rule = B36/S23\n3o!", "x = 2, y = 2, rule = B2-a/S12\n2o$2o!",
        "x = 4, y = 2, rule = B2/S\nb2o$o2bo!", "3o10b3o!", "b2o$o2bo$bo$2b2o!",
        "x = 3, y = 3, rule = B3/S2-i34q\nbo$2bo$3o!", "2o$o$3bo$2b2o!", "3o!",
    ]  # fmt: skip
    for text, told in zip(given, page.evaluate(SHOW, given), strict=True):
        expected = Scene.of(Pattern.from_rle(text)).caption
        if expected.title.startswith(("2 ", "block and")):
            continue  # made of several objects
        assert (told["title"], tuple(told["facts"]), told["code"]) == (
            expected.title, expected.facts, expected.code,
        )  # fmt: skip


def draw(chance: random.Random, width: int, height: int, weights: list[int], rule: str) -> Any:
    rows = ("".join(chance.choices("ob?", weights, k=width)) for _ in range(height))
    return PartialPattern.from_rle(f"x = {width}, y = {height}, rule = {rule}\n{'$'.join(rows)}!")


ISOTROPIC = ("B2-a3e/S12", "B3-k4t/S2-c3", "B2cn3/S23-a4i", "B13/S012V", "B2ac3/S236i", "B36c/S23")
"""Rules whose clauses the page makes."""


def make_problem(chance: random.Random) -> Problem:
    """Return a small problem of a kind that the page knows."""
    rule = chance.choice([*RULES, *ISOTROPIC]) if chance.random() < 0.7 else "B3/S23"
    symmetry = chance.choice(list(OLDER_NAMES)) if chance.random() < 0.6 else "C1"
    width, height = chance.randint(1, 6), chance.randint(1, 6)
    if symmetry in SQUARE:
        height = width
    bounds: Any = {}
    if chance.random() < 0.3:
        bounds["population"] = chance.sample(BOUNDS, chance.randint(1, 2))
    asked: Any = {"box": f"{width}x{height}", "symmetry": symmetry, "rule": rule, **bounds}
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
                **bounds,
            )
        case "parent":
            drawn = draw(chance, min(width, 4), min(height, 4), [3, 3, 1], rule)
            back, margin = chance.randint(1, 2), chance.randint(0, 2)
            return satlife.parent(drawn, generations=back, margin=margin, **bounds)
        case kind:
            asking = satlife.orphan if kind == "orphan" else satlife.forced
            return asking(draw(chance, width, height, [3, 3, 1], rule))


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
        assert answer.get("vacuous", False) == getattr(outcome, "vacuous", False)
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


# ------------------------------------------------------------------ forms

READ = """async (forms) => {
  const known = await (await fetch("./tables.json")).json();
  const {readQuestion, writeCommand, describe, describeShort, lookAt} =
    await import("./questions.js");
  const {ask} = await import("./api.js");
  return Promise.all(forms.map(async (form) => {
    const told = {command: writeCommand(form, known)};
    const text = form.values.partial ?? form.values.pattern;
    if (text) told.read = await ask("POST", "/api/read", {text}).catch(() => null);
    try {
      const problem = readQuestion(form, known);
      const said = {sentence: describe(problem, known), short: describeShort(problem)};
      return {...told, problem, ...said, seen: lookAt(problem, known)};
    } catch (error) {
      return {...told, field: error.field};
    }
  }));
}"""


def expect(form: FilledForm) -> dict[str, Any]:
    """Return what satlife makes of a form."""
    told: dict[str, Any] = {"command": write_command(form)}
    if text := form.values.get("partial") or form.values.get("pattern"):
        try:
            told["read"] = read_cells(str(text))
        except SatlifeError:
            told["read"] = None
    try:
        problem = read_question(form)
    except SatlifeError:
        return told
    asked = msgspec.json.decode(problem.to_json())
    return {
        **told,
        "problem": asked,
        "sentence": describe(problem),
        "short": describe_short(problem),
        "seen": look_at_drawing(problem),
    }


def test_forms_are_read_as_satlife_reads_them(page: Any) -> None:
    """Problem, command, sentence, drawn cells and contradictions of 400 forms are the same."""
    chance = random.Random(107)
    forms = [fill_in(chance) for _ in range(400)]
    given = [{"kind": form.kind, "values": form.values} for form in forms]
    problems = []
    for form, told in zip(forms, page.evaluate(READ, given), strict=True):
        expected = expect(form)
        assert (told.pop("field", None) is None) == ("problem" in expected), form
        if "seen" in expected:
            # Satlife names each contradiction once, the page all cells that have it.
            few, all_ = (each["seen"].pop("wrong") for each in (expected, told))
            assert bool(few) == bool(all_)
            assert set(map(tuple, few)) <= set(map(tuple, all_))
            problems.append(Problem.from_json(msgspec.json.encode(expected["problem"])))
        assert told == expected, form
    assert 200 < len(problems) < 380
    # Drawings of several generations, and cells that need not follow, have the same answers too.
    drawn = [each for each in problems if each.exempt or (each.kind == "complete" and each.steps)]
    for problem, answer in zip(drawn, solve(page, drawn), strict=True):
        found = isinstance(satlife.find(problem), Found)
        assert answer["answer"] == ("found" if found else "none"), problem.to_json()
        if found:
            history = read_history(problem, tuple(map(tuple, answer["frames"])))
            assert not list(complaints(problem, history))


CHECK = """async (questions) => {
  const {ask} = await import("./api.js"), {Refusal} = await import("./dom.js");
  const tell = (e) => e instanceof Refusal ? [e.field, e.message, e.command] : [String(e.stack)];
  const check = (each) => ask("POST", "/api/check", each).then(() => null, tell);
  return Promise.all(questions.map(check));
}"""


def test_what_cannot_be_is_refused_in_its_field(page: Any) -> None:
    told = page.evaluate(CHECK, [question for question, *_ in REFUSED])
    for (question, field, words, command), answer in zip(REFUSED, told, strict=True):
        assert answer is not None, question
        assert answer[0] == field, (question, answer)
        assert words.lower() in answer[1].lower(), (question, answer)
        if command == "*":
            assert answer[2].startswith("satlife "), (question, answer)
        else:
            assert answer[2] == command, (question, answer)
        assert ("copy the command" in answer[1]) == bool(command), (question, answer)


TIMED = """async (question) => {
  const {ask} = await import("./api.js");
  await ask("POST", "/api/check", question);
  const begun = performance.now();
  await ask("POST", "/api/check", question);
  return performance.now() - begun;
}"""


def test_the_largest_drawing_is_looked_at_quickly(page: Any) -> None:
    rows = "$".join("".join(random.Random(n).choices("ob?", [1, 1, 8], k=50)) for n in range(50))
    values = {"partial": f"x = 50, y = 50\n{rows}!"}
    assert page.evaluate(TIMED, {"kind": "complete", "values": values}) < 300


AGAIN = """async ([problem, seeds]) => {
  const worker = new Worker("./worker.js", {type: "module"});
  const found = [];
  for (const seed of seeds)
    found.push(await new Promise((resolve) => {
      worker.onmessage = ({data}) => data.kind === "end" && resolve(data.frames[0].join());
      worker.postMessage({problem, seconds: 30, seed});
    }));
  worker.terminate();
  return found;
}"""


def test_the_questions_for_a_class_have_their_answers(page: Any) -> None:
    """Those that the page calls none have none; each is answered within seconds."""
    text = (HERE.parent / "tutorial" / "class.md").read_text("utf-8")
    asked = re.findall(r"\{ask\}`(.*?)`", text)
    assert len(asked) == 9
    questions = [read_command(command) for command in asked]
    problems = [read_question(each) for each in questions if each is not None]
    told = [each["answer"] for each in solve(page, problems, seconds=30)]
    none = [command for command, answer in zip(asked, told, strict=True) if answer == "none"]
    assert set(told) == {"found", "none"}
    assert [command.split()[1] for command in none] == ["still-life", "orphan", "oscillator"]


def test_another_seed_finds_another_pattern(page: Any) -> None:
    problem = msgspec.json.decode(satlife.still_life(box="8x8").to_json())
    found = page.evaluate(AGAIN, [problem, [1, 2, 3, 4, 5, 5]])
    assert len(set(found)) >= 4
    assert found[4] == found[5]


# ------------------------------------------------------------------ the page


@contextmanager
def opened(browser: Any, address: str, hands: str = "mouse") -> Iterator[Mouse]:
    """A page that is ready, and whose errors and requests are looked at in the end."""
    touch = hands == "touch"
    context = browser.new_context(
        viewport=WIDTHS["narrow" if touch else "wide"],
        has_touch=touch,
        is_mobile=touch,
        reduced_motion="reduce",
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page())
    open_static(watched.page, address)
    yield HANDS[hands](watched.page)
    context.close()
    assert watched.errors == []
    assert watched.foreign == []


def open_static(page: Any, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


def find_ship(hand: Mouse) -> None:
    ask(hand, speed="c/4d", box="4x4")
    wait_for(hand.page, "found")
    assert hand.page.locator(".satlife-words strong").inner_text() == "glider"
    offered = hand.page.locator("#actions button, #actions a").all_inner_texts()
    assert offered == ["Copy link", "Copy RLE", "SVG", "GIF", "Another"]


def save_pictures(hand: Mouse) -> None:
    """A GIF has the generations of a period, and its camera follows the ship; so has the SVG."""
    find_ship(hand)
    for suffix in ("SVG", "GIF"):
        with hand.page.expect_download() as download:
            hand.press(f"#actions button:text-is('{suffix}')")
        assert download.value.suggested_filename == f"glider.{suffix.lower()}"
        saved = Path(download.value.path()).read_bytes()
        if suffix == "SVG":
            root = ElementTree.fromstring(saved)
            assert len(root.findall(".//{http://www.w3.org/2000/svg}path")) == 4
            assert b"prefers-reduced-motion" in saved
            continue
        with Image.open(io.BytesIO(saved)) as picture:
            assert (picture.format, picture.n_frames, picture.info["loop"]) == ("GIF", 4, 0)
            for number in range(4):
                picture.seek(number)
                dark = [
                    count
                    for count, colour in picture.convert("RGB").getcolors()
                    if colour == (31, 42, 68)
                ]
                assert dark == [5 * 81]


def complete_drawing(hand: Mouse) -> None:
    begin_drawing(hand)
    hand.paint((2, 2), (3, 2), (4, 3))
    hand.search()
    wait_for(hand.page, "found")
    found = Pattern.from_rle(read_link(hand.page)["rle"])
    assert found[1] == found
    assert all(place in found for place in ((2, 2), (3, 2), (4, 3)))


def find_parent(hand: Mouse) -> None:
    begin_drawing(hand, "past")
    hand.paint((3, 3), (4, 3), (3, 4), (4, 4))
    hand.search()
    wait_for(hand.page, "found")
    found = Pattern.from_rle(read_link(hand.page)["rle"])
    assert found[1] == Pattern.from_rle("2o$2o!").shift(3, 3)


def ask_for_orphan(hand: Mouse) -> None:
    hand.press("[data-card=past]")
    hand.choose("#kind", "orphan")
    hand.press("#blank")
    hand.paint((3, 3))
    hand.search()
    wait_for(hand.page, "found")
    assert hand.page.locator("#title").inner_text() == "No, not an orphan: this is a parent"


def bound_population(hand: Mouse) -> None:
    """The densest still life of 5x5 has 16 cells: there is one of 16, and none of 17."""
    hand.choose("#kind", "still-life")
    hand.write("#f-box", "5x5")
    hand.press("#more summary")
    number = hand.page.get_by_label("number of live cells, or a range such as 20..36")
    number.fill("16")
    hand.search()
    wait_for(hand.page, "found")
    assert Pattern.from_rle(read_link(hand.page)["rle"]).population == 16
    number.fill("17")
    until(hand.page, "document.querySelector('#command').textContent.endsWith(\"'>=17'\")")
    hand.search()
    wait_for(hand.page, "impossible")


def ask_what_forces_itself(hand: Mouse) -> None:
    """A live cell does not; an orphan, which has no parent at all, does not either."""
    hand.press("[data-card=past]")
    hand.choose("#kind", "forced")
    hand.press("#blank")
    hand.paint((3, 3))
    hand.search()
    wait_for(hand.page, "found")
    assert hand.page.locator("#title").inner_text().startswith("No, it does not force itself")
    hand.press("#edit")
    hand.press("#drawing summary")
    hand.write("#drawing-text", ORPHAN)
    hand.press("button:text-is('Use this text')")
    hand.search()
    wait_for(hand.page, "impossible")
    assert hand.page.locator("#title").inner_text().startswith("No, an orphan")


def none(hand: Mouse) -> None:
    impossible(hand, None)
    words = hand.page.locator("#words").inner_text()
    assert "the solver's word" in words
    assert words.endswith("satlife oscillator 3 --box 3x3 --prove certificate")
    assert hand.page.locator("#actions button").count() == 0


def none_with_symmetry(hand: Mouse) -> None:
    ask(hand, "oscillator", symmetry="D8", period="3", box="4x4")
    wait_for(hand.page, "impossible")
    title = "No such pattern exists with the symmetry D8 (all rotations and reflections)"
    assert hand.page.locator("#title").inner_text() == title


def undecided(hand: Mouse) -> None:
    hand.press("#how summary")
    hand.write("#seconds", "1")
    ask(hand, speed="c/5", box="12x12")
    wait_for(hand.page, "undecided")
    assert "time limit of 1 s" in hand.page.locator("#title").inner_text()


def solving(hand: Mouse) -> None:
    ask(hand, speed="c/6", box="12x12")
    wait_for(hand.page, "solving")
    until(hand.page, "document.querySelector('#numbers').textContent.includes('memory')")
    until(hand.page, "document.querySelector('#numbers').textContent.includes('conflicts/s')")


def stopped(hand: Mouse) -> None:
    solving(hand)
    hand.stop()
    wait_for(hand.page, "stopped")


def refused(hand: Mouse) -> None:
    ask(hand, speed="c/3", box="40x40")
    hand.page.wait_for_selector("#f-box[aria-invalid]")
    assert "copy the command" in hand.page.locator("#f-box-error").inner_text()
    hand.press("#copy-command")
    copied = hand.page.evaluate("navigator.clipboard.readText()")
    assert copied == "satlife ship c/3 --box 40x40"


def remembered(hand: Mouse) -> None:
    """After a reload nothing runs, and the history has the question and the find."""
    find_ship(hand)
    hand.page.evaluate("location.hash = ''")
    hand.page.reload()
    hand.page.wait_for_selector("html[data-ready]")
    hand.press("#history summary")
    hand.page.wait_for_selector("#past button")
    assert hand.page.locator("#past button").inner_text() == "✔ Found: satlife ship c/4d --box 4x4"
    hand.press("#past button")
    until(hand.page, "document.querySelector('#f-speed').value === 'c/4d'")
    until(
        hand.page,
        "document.querySelector('.satlife-words strong')?.textContent === 'glider'",
    )
    assert hand.page.locator("#export").is_hidden()


def explained(hand: Mouse) -> None:
    """The help says what box, speed, symmetry and orphan are, with links to the documents."""
    hand.help()
    terms = hand.page.locator("#shortcuts .terms")
    assert terms.locator("dt").all_inner_texts() == ["Box", "Speed", "Symmetry", "Orphan"]
    for link in terms.locator("a").all():
        page, _, term = link.get_attribute("href").partition("#")
        assert page == "../reference/glossary.html"
        word = term.removeprefix("term-")
        glossary = (HERE.parent / "reference" / "glossary.md").read_text("utf-8")
        assert f"\n{word}\n" in glossary
        assert link.is_visible()


def edited_by_a_tap(hand: Mouse) -> None:
    """A tap on a cell of the answer to a drawing leads back to it, and sets it; no tool is cut."""
    hand.press("[data-card=complete]")
    hand.point_at((1, -1), (7, 7))
    hand.page.wait_for_selector("#board canvas")
    assert hand.page.locator("#board").evaluate("board => board === document.activeElement")
    assert "column 3, row 1, alive" in hand.page.locator("#board").get_attribute("aria-label")
    drawn = "document.querySelector('#drawing-text').value.endsWith"
    until(hand.page, drawn + r"('\n2o3?$o2?o?$5?$4?o$3?2o!')")
    hand.press("button:text-is('↶')")
    until(hand.page, drawn + r"('\n2o3?$o4?$5?$4?o$3?2o!')")
    board, search = (hand.page.locator(each).bounding_box() for each in ("#board", "#search"))
    assert board["y"] > 0
    if hand.touch:  # all of the drawing is above the bar
        assert board["y"] + board["height"] <= search["y"]
    wide = hand.page.evaluate("innerWidth")
    for tool in hand.page.locator(".toolbar :is(label, button):visible").all():
        box = tool.bounding_box()
        assert box["x"] >= 0, tool.inner_text()
        assert box["x"] + box["width"] <= wide, tool.inner_text()


FLOWS: dict[str, Callable[[Mouse], None]] = {
    "first sight": lambda _: None,
    "solving": solving,
    "ship": find_ship,
    "pictures": save_pictures,
    "complete": complete_drawing,
    "parent": find_parent,
    "orphan": ask_for_orphan,
    "population": bound_population,
    "forced": ask_what_forces_itself,
    "none": none,
    "none with a symmetry": none_with_symmetry,
    "undecided": undecided,
    "stopped": stopped,
    "refused": refused,
    "contradiction": lambda hand: contradiction(hand, None),
    "history": remembered,
    "help": explained,
}


def read_link(page: Any) -> dict[str, Any]:
    """What the address holds after the #."""
    return page.evaluate("import('./link.js').then(link => link.read(location.hash))")


@pytest.mark.parametrize("hands", ["mouse", "touch"])
def test_a_tap_on_the_answer_leads_to_the_drawing(browser: Any, address: str, hands: str) -> None:
    with opened(browser, address, hands) as hand:
        edited_by_a_tap(hand)


def test_a_phone_shows_question_answer_and_controls_at_once(browser: Any, address: str) -> None:
    with opened(browser, address, "touch") as hand:
        find_ship(hand)
        search = hand.page.locator("#search").bounding_box()
        for part in ("[data-card=find]", "#f-rule", "#state", "#shown canvas", "[aria-label=Play]"):
            box = hand.page.locator(part).bounding_box()
            assert 0 <= box["y"] < box["y"] + box["height"] <= search["y"], part


@pytest.mark.parametrize(
    ("flow", "hands"),
    [
        # By touch and keyboard alone, every run has these two; the nightly one has all.
        pytest.param(flow, hands, marks=[] if often else [pytest.mark.long])
        for flow in FLOWS
        for hands in HANDS
        for often in [hands == "mouse" or flow in ("ship", "complete")]
    ],
)
def test_flows_by_mouse_touch_and_keyboard(
    browser: Any, address: str, flow: str, hands: str
) -> None:
    with opened(browser, address, hands) as hand:
        FLOWS[flow](hand)
        assert hand.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if hands == "mouse":
            look_at(hand.page)


def test_a_solver_that_does_not_load_is_a_failure_with_words(browser: Any, tmp_path: Path) -> None:
    build(tmp_path / "page")
    for name in ("cadical.wasm", "index.js"):
        (tmp_path / "page" / "cadical" / name).unlink()
        with static_page(tmp_path, "page") as broken, opened(browser, broken) as hand:
            ask(hand, speed="c/4d", box="4x4")
            wait_for(hand.page, "failed")
            assert "could not be loaded" in hand.page.locator("#words").inner_text()
            look_at(hand.page)


def test_links_lead_from_here_to_the_server_and_back(
    browser: Any, address: str, tmp_path: Path
) -> None:
    with serving(tmp_path) as server, opened(browser, address) as hand:
        find_ship(hand)
        fragment = "#" + hand.page.url.partition("#")[2]
        open_page(hand.page, server, fragment)
        assert hand.page.locator("#f-box").input_value() == "4x4"
        assert hand.page.locator(".satlife-words strong").inner_text() == "glider"
        ask(hand, "oscillator", period="2", box="3x3")
        wait_for(hand.page, "found")
        until(hand.page, "import('/link.js').then(link => link.read(location.hash).rle)")
        back = "#" + hand.page.url.partition("#")[2]
        open_static(hand.page, address + back)
        assert hand.page.locator("#f-period").input_value() == "2"
        assert hand.page.locator(".satlife-words strong").inner_text() == "blinker"
        assert hand.page.locator("#strip li").count() == 0


@pytest.mark.parametrize("field", ["", "width"])
def test_links_that_have_no_field_here_are_refused_with_their_command(
    browser: Any, address: str, field: str
) -> None:
    question, command = next(
        (question, command)
        for question, name, _, command in REFUSED
        if name == field and command.startswith("satlife")
    )
    with opened(browser, address) as hand:
        open_static(hand.page, address + write_link(hand.page, {"question": question}))
        until(hand.page, "!document.querySelector('#wrong').hidden")
        assert "copy the command" in hand.page.locator("#wrong").inner_text()
        assert hand.page.locator("#command").inner_text() == command


def test_a_question_for_satlife_alone_keeps_its_form(browser: Any, address: str) -> None:
    values = {"incoming": "bo$2bo$3o!", "region": "6..11,6..11", "within": "16"}
    question = {"kind": "eater", "values": values}
    with opened(browser, address) as hand:
        page = hand.page
        open_static(page, address + write_link(page, {"question": question, "rle": "3o!"}))
        page.wait_for_selector("#shown canvas")
        assert page.locator("#kind").input_value() == "eater"
        command = "satlife eater --input incoming.rle --region 6..11,6..11 --within 16"
        assert page.locator("#command").inner_text() == command
        # The file that the command reads can be had, too.
        with page.expect_download() as download:
            page.get_by_role("link", name="Save incoming.rle").click()
        saved = Pattern.from_rle(Path(download.value.path()).read_text())
        assert saved == Pattern.from_rle("bo$2bo$3o!")
        hand.choose("#kind", "ship")
        until(page, "document.querySelector('#command').textContent.includes('ship c/3')")
        assert "eater" not in page.locator("#kind option").all_inner_texts()


def write_link(page: Any, shared: dict[str, Any]) -> str:
    return page.evaluate("shared => import('./link.js').then(link => link.write(shared))", shared)


def test_whatever_stands_in_a_link_the_page_works(browser: Any, address: str) -> None:
    with opened(browser, address) as hand:
        links = [write_link(hand.page, {"question": question}) for question, *_ in REFUSED[::4]]
        links += [write_link(hand.page, {"rle": rle}) for rle in ("x", "o!", "3?!", "999999999o!")]
        for each in (*links, "#x", "#%00", "#" + "A" * 5000):
            open_static(hand.page, address + each)
            assert hand.page.locator("#search").is_visible()
            assert hand.page.locator("#strip li").count() == 0


def test_a_newcomer_completes_three_cells_and_shares_them_in_six_clicks(
    browser: Any, address: str
) -> None:
    begun = time.monotonic()
    with opened(browser, address) as hand:
        page = hand.page
        page.evaluate("addEventListener('click', () => (window.clicks = (window.clicks ?? 0) + 1))")
        begin_drawing(hand)
        board = page.locator("#board canvas").bounding_box()
        cell, left = board["height"] / 8, board["x"] + (board["width"] - board["height"]) / 2
        places = [(left + (x + 0.5) * cell, board["y"] + 3.5 * cell) for x in (3, 4, 5)]
        page.mouse.move(*places[0])
        page.mouse.down()
        for place in places:
            page.mouse.move(*place)
        page.mouse.up()
        hand.press("#search")
        wait_for(page, "found")
        hand.press("#actions button:text-is('Copy link')")
        until(page, "document.querySelector('#actions').textContent.includes('Copied')")
        assert page.evaluate("window.clicks") <= 6
        copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(address + "#")
    with opened(browser, copied) as hand:
        assert hand.page.locator(".satlife-words strong").inner_text() == "still life"
        assert "3o" in hand.page.locator("#drawing-text").input_value()
    assert time.monotonic() - begun < 60


def test_the_scripts_are_small(tmp_path: Path) -> None:
    build(tmp_path)
    scripts = [*tmp_path.glob("*.js"), tmp_path / "tables.json", tmp_path / "start.json"]
    assert sum(len(gzip.compress(each.read_bytes())) for each in scripts) <= 120_000
    # It leads back to the documents.
    assert '<a class="button" href="../index.html">Documents</a>' in (
        tmp_path / "index.html"
    ).read_text("utf-8")
    assert len(gzip.compress((tmp_path / "names.json").read_bytes())) <= 40_000
    whole = [
        each
        for each in tmp_path.rglob("*")
        if each.suffix in (".html", ".css", ".js", ".json", ".wasm")
    ]
    assert sum(len(gzip.compress(each.read_bytes())) for each in whole) <= 500_000
    # Nothing is named from the root, so the page works in any folder.
    assert not re.findall(r"""(?:href|src)="/""", (tmp_path / "index.html").read_text("utf-8"))
