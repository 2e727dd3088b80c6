"""A sample of the mutants of the encoder's geometry; ``just mutate`` tries them all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.mutation.geometry import MODULES, make_tasks, run, try_mutant

EVERY, FIRST = 150, 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants run in copies of this process")
def test_no_wrong_answer_of_a_mutant_is_verified_or_certified() -> None:
    total, wrong = run(EVERY, FIRST)
    assert not wrong, "\n".join(wrong)
    caught = {kind for kind in total if "caught" in kind or "admitted" in kind}
    assert len(caught) == 2, "the sample is too small to show anything"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants run in copies of this process")
def test_what_is_not_broken_makes_no_difference() -> None:
    module = MODULES[0]
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    code = compile(source, "<whole>", "exec")
    assert set(try_mutant(module.__name__, code, make_tasks())) == {"no difference"}
