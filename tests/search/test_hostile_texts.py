"""Every reader, given texts that are cut, spliced and meant badly: a value or one of our errors.

The seeds are fixed, so a failure comes again; its text is in the failure's message.
"""

from __future__ import annotations

import io
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satlife import Grid, Problem, ship, still_life
from satlife.campaign.ledger.transfer import _read, read_header
from satlife.campaign.messages import Task, decode_result, decode_task, encode
from satlife.campaign.plan import Plan
from satlife.certificates.claims import BestClaim, Core, Needed, decode_claim, encode_claim
from satlife.certificates.folder import (
    CERTIFICATE,
    Certificate,
    Part,
    encode_certificate,
    read_certificate,
)
from satlife.cli.quantities import TIME
from satlife.cluster.protocol import decode_control
from satlife.engine import Journal
from satlife.engine.journal import _sum
from satlife.errors import SatlifeError
from satlife.life import Box, Motion, Pattern, Rule, Symmetry, from_apgcode, read_pattern
from satlife.life.box import parse_placed_box, parse_window
from satlife.life.formats import FORMATS, looks_like_grid
from satlife.problem import Known, Link
from satlife.problem.bounds import Difference, parse_bound, parse_which
from satlife.problem.problem import parse_profile
from satlife.sat import read_formula
from satlife.sat.files import FORMATS as FORMULA_FORMATS

SECONDS = 3.0
"""No text of this size takes longer."""
TRIES = 100
"""Of mutations, for each reader."""

PROBLEM = Problem(
    boxes=("5x4+1-2",),
    steps=2,
    known=(Known(t=0, x=1, y=-2, rows=("o.?",)),),
    links=(Link(first=(1, 0, 0), second=(2, 0, 1), opposite=True),),
    exempt=((1, 1, 2),),
    constraints=(Difference(x=1, y=-1, rows=("oo",), most=3),),
)
CERTIFIED = Certificate(
    made="2026-11-15",
    command="satlife",
    solver="kissat",
    problem="0" * 64,
    seconds=1.5,
    parts=(
        Part(
            name="proof",
            title="none",
            formula="0" * 64,
            variables=3,
            clauses=4,
            proof="proof.lrat.xz",
            proof_bytes=12,
            solve_seconds=0.5,
            checks=(),
        ),
    ),
    files={"claim.json": "0" * 64},
)
PLAN = """title = "small"
[limits]
timeout = "10m"
memory = 1000000
[[search]]
kind = "oscillator"
periods = ["2..3", 4]
symmetries = ["C4", "D4+"]
boxes = "3x3..4x4"
population = ["<=20", "3..9@1"]
[[problem]]
boxes = ["4x4"]
motion = {period = 4, dx = -1, dy = -1}
"""
RLE = "#N glider\n#CXRLE Pos=-1,-2\n#r B3/S23\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"
FOUND = b'{"rle": "2o$2o!", "generations": [["oo.", "oo.", "..."]]}'
LISTED: dict[str, Any] = {
    "problem": json.loads(still_life(box="3x3").to_json()),
    "found": [json.loads(FOUND)],
    "complete": False,
}
JOURNAL = json.dumps(LISTED | {"sha256": _sum(LISTED)}).encode()
EVENT = b'{"time": 1, "event": {"event": "queued", "name": "%b"}}' % (b"0" * 64)


def read_journal(text: bytes, folder: Path) -> object:
    (folder / "journal").write_bytes(text)
    found = Journal(folder / "journal", still_life(box="3x3")).found
    return [[states.tolist() for states in history] for history in found]


def read_written(text: bytes, folder: Path, name: str, read: Callable[[Path], object]) -> object:
    (folder / name).write_bytes(text)
    return read(folder)


def as_text(read: Callable[[str], object]) -> Callable[[bytes, Path], object]:
    return lambda text, _: read(text.decode("utf-8", "replace"))


def as_bytes(read: Callable[[bytes], object]) -> Callable[[bytes, Path], object]:
    return lambda text, _: read(text)


READERS: dict[str, tuple[Callable[[bytes, Path], object], bytes]] = {
    "read_pattern": (as_text(read_pattern), RLE.encode()),
    "Pattern.from_text": (as_text(Pattern.from_text), b"!Name: x\n.O\n..O\nOOO\n"),
    **{f"life {each.name}": (as_text(each.read), RLE.encode()) for each in FORMATS},
    "life life106 cells": (as_text(FORMATS[0].read), b"#Life 1.06\n0 -1\n1 0\n-1 1\n"),
    **{
        f"sat {each.name}": (
            lambda text, _, each=each: each.read(io.BytesIO(text)),
            b"c name 1 a\nc clauses 1-1 x\np cnf 2 2\n1 -2 0\n2\n0\n",
        )
        for each in FORMULA_FORMATS
    },
    "read_formula": (
        lambda text, _: read_formula(io.BytesIO(text)),
        b"~ comment\n3a4 ~3b4\n ~3~4\n",
    ),
    "Grid": (as_text(Grid.from_text), b"0,a,0\n1,*,-a'\n\n0 a b\n1 * 1\n"),
    "looks_like_grid": (as_text(looks_like_grid), b"0,a,0\n1,*,-a'\n"),
    "Problem.from_json": (as_bytes(Problem.from_json), PROBLEM.to_json()),
    "Problem.from_toml": (as_text(Problem.from_toml), PROBLEM.to_toml().encode()),
    "Problem.from_text": (as_bytes(Problem.from_text), ship("c/4d", box="4x4").to_json()),
    "Plan": (as_text(Plan.from_toml), PLAN.encode()),
    "claim": (
        as_bytes(decode_claim),
        encode_claim(BestClaim(goals=("minimize population",), values=(4,), found=(("oo", "oo"),))),
    ),
    "core": (as_bytes(decode_claim), encode_claim(Core(needed=(Needed(x=1, y=2, parent=("o",)),)))),
    "certificate": (
        lambda text, folder: read_written(text, folder, CERTIFICATE, read_certificate),
        encode_certificate(CERTIFIED),
    ),
    "journal": (read_journal, JOURNAL),
    "task": (as_bytes(decode_task), encode(Task(problem=PROBLEM))),
    "result": (
        as_bytes(decode_result),
        b'{"answer": "found", "task": "a", "worker": "b", "generations": [["oo"]]}',
    ),
    "control": (as_bytes(decode_control), b'{"over": true}'),
    "exported event": (lambda text, _: _read(2, text), EVENT),
    "exported header": (
        as_bytes(read_header),
        b'{"version": 99, "plan": null}',
    ),
    "box": (as_text(parse_placed_box), b"8x13-1+2"),
    "size": (as_text(Box.parse), b"16x7"),
    "profile": (as_text(lambda text: parse_profile(text, 3)), b"10x13,8x13+1+1*2"),
    "window": (as_text(parse_window), b"4..11,-1..13"),
    "bound": (as_text(parse_bound), b">=36"),
    "range": (as_text(parse_bound), b"20..36"),
    "generation": (as_text(parse_which), b"12"),
    "motion": (as_text(Motion.parse), b"(2,1)c/6"),
    "rule": (as_text(Rule), b"B36/S23"),
    "symmetry": (as_text(Symmetry), b"D4+:D8"),
    "apgcode": (as_text(from_apgcode), b"xp2_7"),
}
"""How each is called with bytes and a folder, and a text that it reads."""

DIGITS = b"9" * 5000
HOSTILE = [
    b"",
    b"\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"{}",
    b"[]",
    b"null",
    DIGITS,
    b"-" + DIGITS,
    b"99999999999999999999",
    b"-99999999999999999999",
    b"9223372036854775808",
    b"1e999",
    b"NaN",
    b"0x" + b"F" * 5000,
    b"[" * 60_000,
    b"{" * 60_000,
    b'{"a":' * 60_000,
    b"[" * 60_000 + b"]" * 60_000,
    b"a = " + b"[" * 3000 + b"]" * 3000,
    b"a." * 3000 + b"a = 1",
    b"(" * 20_000,
    b'"\\ud800"',
    b"\xed\xa0\x80",
    b"\r",
    b"x" * 100_000,
]


def hurt(text: bytes, chance: random.Random) -> bytes:
    """Cut, double, overwrite or splice, once or several times."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text) + 1)
        stop = min(len(text), start + chance.randint(0, 12))
        word = chance.choice(HOSTILE) if chance.random() < 0.4 else chance.randbytes(3)
        text = chance.choice(
            [
                text[:start] + text[stop:],
                text[:start] + word + text[stop:],
                text[:start] + text[start:stop] * 3 + text[stop:],
                text[:start],
            ]
        )
    return text


def numbers_replaced(text: bytes) -> list[bytes]:
    """Each whole number of the text in turn replaced by those that no machine word holds."""
    import re

    return [
        text[: match.start()] + number + text[match.end() :]
        for match in re.finditer(rb"\d+", text)
        for number in (DIGITS, b"99999999999999999999", b"999999999", b"9223372036854775807")
    ]


@pytest.mark.parametrize("name", READERS)
def test_any_text_is_a_value_or_an_error_of_ours(name: str, tmp_path: Path) -> None:
    read, good = READERS[name]
    chance = random.Random(name)
    texts = [good, b"\xef\xbb\xbf" + good, *HOSTILE, *(word + good for word in HOSTILE)]
    texts += numbers_replaced(good)
    texts += [hurt(good, chance) for _ in range(TRIES)]
    for text in texts:
        begun = time.monotonic()
        shown = f"{text[:200]!r}, {len(text)} bytes"
        try:
            read(text, tmp_path)
        except SatlifeError:
            pass
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {str(error)[:200]}: {shown}") from error
        assert time.monotonic() - begun < SECONDS, shown


@pytest.mark.parametrize("name", READERS)
def test_the_texts_themselves_are_read(name: str, tmp_path: Path) -> None:
    """Otherwise the mutations would all end at the same early error."""
    read, good = READERS[name]
    if name in ("exported header", "exported event") or name.startswith(("life ", "sat ")):
        return
    read(good, tmp_path)


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "name",
    ["read_pattern", "Pattern.from_text", "read_formula", "Grid", "Problem.from_json",
     "Problem.from_toml", "Problem.from_text", "Plan", "claim", "certificate", "journal", "task"],
)  # fmt: skip
def test_a_bom_before_a_text_is_no_part_of_it(name: str, tmp_path: Path) -> None:
    read, good = READERS[name]
    assert read(BOM + good, tmp_path) == read(good, tmp_path)


def test_times_and_sizes_beyond_everything_are_refused() -> None:
    import click

    for text in ("9" * 400, "99999999999999999999", "9" * 5000 + "h"):
        with pytest.raises(click.BadParameter, match="is too much"):
            TIME.convert(text, None, None)
