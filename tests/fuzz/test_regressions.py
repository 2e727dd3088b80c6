"""Problems that the fuzzing has found, made small: each was answered wrongly once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from satlife import Problem
from tests.fuzz.checks import Case
from tests.fuzz.running import try_check
from tests.fuzz.shrinking import check_again

FULL = [{"type": "full-period"}]
FOUND: list[tuple[str, dict[str, Any]]] = [
    # The listings that leave something out, list it twice, or stop at the empty pattern
    ("classes", {"boxes": ["1x2"]}),
    ("classes", {"boxes": ["1x1"], "motion": {"period": 1},
                 "links": [{"first": [-2, 1, 0], "second": [-3, 1, 1]}]}),
    ("classes", {"boxes": ["3x1"], "motion": {"period": 1}, "symmetry": "D2_+1"}),
    ("classes", {"boxes": ["3x3"], "motion": {"period": 2}, "symmetry": "C1:D2/",
                 "exempt": [[1, 2, 1]], "constraints": [{"least": 1, "type": "width"}]}),
    ("wanted", {"boxes": ["1x1"], "motion": {"period": 1}}),
    ("wanted", {"boxes": ["3x3"], "motion": {"period": 2}}),
    ("wanted", {"boxes": ["1x1", "1x2"], "motion": {"period": 2}}),
    ("raw", {"boxes": ["1x1"], "motion": {"period": 3}, "exempt": [[0, 0, 2]]}),
    ("raw", {"boxes": ["1x2"], "motion": {"period": 2}, "exempt": [[0, 1, 1]]}),
    ("raw", {"boxes": ["2x2"], "steps": 1, "exempt": [[1, 1, 1]]}),
    # Maps that take a solution to a solution, whatever they do to the motion
    ("classes", {"boxes": ["3x3"], "motion": {"period": 1, "transform": "flip-diagonal"}}),
    ("classes", {"boxes": ["3x3"], "motion": {"period": 1, "transform": "flip-left-right"},
                 "boundary": "torus", "rule": "B2/S2"}),
    ("classes", {"boxes": ["3x2"], "motion": {"period": 3, "dx": -1}, "boundary": "torus",
                 "links": [{"first": [2, 1, 3], "second": [1, 0, 3], "opposite": True}]}),
    # The full period where a cell does not follow by the rule
    ("raw", {"boxes": ["2x2"], "motion": {"period": 2}, "exempt": [[1, 1, 1]],
             "constraints": FULL}),
    # A symmetry of windows that do not lie around its centre
    ("raw", {"boundary": "free", "boxes": ["1x1", "1x1+1+1"], "steps": 1, "symmetry": "D8"}),
    ("found", {"boundary": "free", "boxes": ["4x1", "1x1+1+1", "1x1+2+2"], "steps": 2,
               "symmetry": "D2|", "constraints": [{"least": 10, "type": "area"}]}),
    ("audit", {"boundary": "free", "boxes": ["1x1", "1x1+1+1"], "steps": 1, "symmetry": "D2|"}),
    ("verifier", {"boundary": "free", "boxes": ["2x1", "1x1+0+1"], "steps": 1,
                  "symmetry": "D2|"}),
    # A set of rules: without a step, where hunters look, and where turns keep what is given
    ("found", {"boxes": ["1x1"], "rule": "B1[2]357/S1[3]57"}),
    ("classes", {"boxes": ["1x1"], "rule": "B1[2]357/S1[3]57"}),
    ("hunted", {"boxes": ["3x3"], "motion": {"period": 2}, "rule": "B3[4]/S2[3]",
                "constraints": FULL}),
]  # fmt: skip


@pytest.mark.parametrize(("check", "fields"), FOUND)
def test_found_once_and_right_since(check: str, fields: dict[str, Any]) -> None:
    problem = Problem.from_json(json.dumps(fields))
    for n in range(5):
        assert try_check(check, Case.of(problem, f"again {n}")) is None


MERGED = [
    # A chain of answers that follow from each other: share, share above, box, larger box
    ("22 548 3", 'split = true\n[limits]\ntimeout = "1h"\n[[search]]\nkind = "ship"\n'
                 'speeds = "c/2"\nrules = "B35/S02357"\nboxes = "3x*..4x*"\n'),
    # A map that one half has divided, and for which the other has one pattern
    ("22 698 0", 'split = true\n[limits]\ntimeout = "1h"\n[[search]]\nkind = "still-life"\n'
                 'rules = "B[3]/S023"\nboxes = "2x3..3x3"\n'
                 'symmetries = ["D4+", "D4x"]\nmap = true\n'),
    # A map whose second pattern works in all rules
    ("311132470 737 0", '[[search]]\nkind = "still-life"\nboxes = "2x3..3x3"\n'
                        'rules = "B[2]/S0[1]23"\nsymmetries = "D2|"\nmap = true\n'),
]  # fmt: skip


@pytest.mark.parametrize(("seed", "plan"), MERGED)
def test_merged_once_and_right_since(seed: str, plan: str) -> None:
    assert check_again("merge", plan, seed, "campaign-merge") is None


def test_rejected_once_and_right_since() -> None:
    # On hexagons, two cells that touch by their corners are two objects in another orientation
    fields = {"boxes": ["3x3"], "motion": {"period": 1}, "rule": "B3/S012H"}
    text = json.dumps({"connected": False, "problem": fields, "reject": ["xs2_14"]})
    assert check_again("rejected", text, "24 862 0", "reject-count") is None
