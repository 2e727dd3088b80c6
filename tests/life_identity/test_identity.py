"""identify: one value with everything, its line and its JSON, and the package's face."""

from __future__ import annotations

import dataclasses
import inspect
import json

import pytest

import satlife.life.identity
from satlife.life import Box, Pattern
from satlife.life.identity import KINDS, identify


@pytest.mark.parametrize(
    ("rle", "line"),
    [
        ("!", "xs0_0: still life, 0 cells, 0x0, D8_4"),
        ("2o$2o!", "xs4_33: block, still life, 4 cells, 2x2, D8_4"),
        ("3o!", "xp2_7: blinker, oscillator p2, 3 cells, 1x3 to 3x1, D4_+1"),
        ("bo$2bo$3o!", "xq4_153: glider, spaceship c/4d, 5 cells, 3x3, C1"),
        ("bo2bo$o$o3bo$4o!", "xq4_6frc: LWSS, spaceship 2c/4, 9 to 12 cells, 5x4, C1"),
        (  # a pentadecathlon and a blinker
            "2bo4bo$2ob4ob2o$2bo4bo7b3o!",
            "xp30_4r4z4r4zz7: pentadecathlon and blinker, oscillator p30, 15 to 43 cells, "
            "17x3 to 18x9, C1, no cell has the full period",
        ),
        ("o!", "no apgcode: dies in generation 1"),
        ("2o$o!", "no apgcode: becomes a block (xs4_33, a still life) in generation 1"),
    ],
)
def test_one_line(rle: str, line: str):
    assert str(identify(Pattern.from_rle(rle))) == line


def test_a_long_code_is_whole_in_the_line():
    code = str(identify(Pattern.from_rle("2o$2o!") | Pattern.from_rle("2o$2o!").shift(1000, 150)))
    assert code.startswith("ov_s8: 2 blocks, still life, 8 cells, 1002x152, ")
    sixty = Pattern.from_cells(
        [(9 * i + x, 9 * i + y) for i in range(9) for x in (0, 1) for y in (0, 1)]
    )
    assert len(identify(sixty).apgcode) > 60
    assert str(identify(sixty)).split(": ")[0] == identify(sixty).apgcode


def test_json():
    pulsar = Pattern.from_rle(
        "2b3o3b3o2$o4bobo4bo$o4bobo4bo$o4bobo4bo$2b3o3b3o2$2b3o3b3o$o4bobo4bo$o4bobo4bo$o4bobo4bo2$"
        "2b3o3b3o!"
    )
    found = identify(pulsar).to_dict()
    assert json.loads(json.dumps(found)) == found
    heat = found.pop("heat")
    assert heat == pytest.approx(128 / 3)
    assert found == {
        "kind": "oscillator",
        "reason": "recurs in generation 3",
        "rule": "B3/S23",
        "apgcode": "xp3_co9nas0san9oczgoldlo0oldlogz1047210127401",
        "name": "pulsar",
        "parts": [],
        "period": 3,
        "displacement": [0, 0],
        "speed": None,
        "lifespan": None,
        "settlement": None,
        "growth": None,
        "mod": 3,
        "symmetry": "D8_1",
        "populations": [48, 56, 72],
        "smallest_box": "13x13",
        "largest_box": "15x15",
        "envelope": "15x15",
        "stator": 24,
        "rotor": 64,
        "full_period_cells": 64,
    }


def test_a_pattern_that_does_not_recur_gets_an_honest_answer():
    found = identify(Pattern.from_rle("b2o$2o$bo!"), generations=30)
    assert found.kind == "unknown"
    assert found.reason == (
        "neither recurs, settles nor grows linearly within 30 generations; "
        "27 cells in 16x7 at the end"
    )
    assert (found.apgcode, found.period, found.speed, found.populations) == (None, None, None, ())
    assert json.dumps(found.to_dict())
    assert identify(Pattern.from_rle("o!")).kind == "dies"
    assert identify(Pattern.from_rle("2o$o!")).kind == "settles"


def test_the_envelope_is_at_its_place():
    glider = Pattern.from_rle("bo$2bo$3o!").shift(10, 20)
    assert identify(glider).envelope == Box(10, 20, 4, 4)


def test_an_identity_is_frozen_and_its_kind_is_known():
    found = identify(Pattern.from_rle("3o!"))
    assert found.kind in KINDS
    assert hash(found) == hash(identify(Pattern.from_rle("3o!")))
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.period = 3


def test_public_names_are_all_listed_and_documented():
    module = satlife.life.identity
    assert len(set(module.__all__)) == len(module.__all__)
    ours = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not inspect.ismodule(value)
        and getattr(value, "__module__", "").startswith("satlife.life.identity")
    }
    assert ours <= set(module.__all__)
    assert all(getattr(module, name).__doc__ for name in module.__all__)
