"""Formulas, blocks and the builder."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import satlife.sat
from satlife.errors import UsageError
from satlife.sat import Block, Formula, FormulaBuilder, Model


def test_clauses_come_back_as_they_went_in() -> None:
    clauses = [(1, -2), (), (3, 3), (3, 3), (-1,)]
    formula = Formula.from_clauses(clauses)
    assert list(formula) == clauses
    assert (formula.variables, formula.clauses, len(formula)) == (3, 5, 5)
    assert formula.literals().dtype == np.int32


def test_empty_formula() -> None:
    formula = Formula()
    assert (formula.variables, formula.clauses, list(formula)) == (0, 0, [])
    assert formula.literals().size == 0
    assert formula == Formula.from_clauses([])


def test_equality_is_of_clauses_variables_and_names_not_of_blocks_and_comments() -> None:
    whole = Formula.from_clauses([(1, 2), (-1,)], origin="x", comments=["a word"])
    parts = Formula((Block.from_rows("a", [[1, 2]]), Block.from_rows("b", [[-1]])), 2)
    assert whole == parts
    assert hash(whole) == hash(parts)
    assert whole != Formula.from_clauses([(1, 2), (-1,)], variables=3)
    assert whole != Formula.from_clauses([(1, 2), (-2,)])
    assert whole != Formula.from_clauses([(1, 2), (-1,)], names=["a", "b"])
    assert whole == Formula.from_clauses([(1, 2), (-1,)], names=["", ""])
    assert whole != "a formula"


def test_names_both_ways() -> None:
    formula = Formula.from_clauses([(1, 2, 3)], names=["3a4", "", "x"])
    assert [formula.name(v) for v in (1, 2, 3)] == ["3a4", "2", "x"]
    assert [formula.variable(name) for name in ("3a4", "2", "x")] == [1, 2, 3]
    for unknown in ("3", "1", "y", "02", "é", ""):
        with pytest.raises(UsageError, match="no variable is named"):
            formula.variable(unknown)
    with pytest.raises(UsageError, match="1 to 3"):
        formula.name(4)


def test_a_formula_does_not_change() -> None:
    mine = np.array([1, 0], np.int32)
    formula = Formula.from_arrays(mine)
    with pytest.raises(ValueError, match="read-only"):
        formula.literals()[0] = 5
    mine[0] = 1  # the caller's own array stays writable


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Formula.from_clauses([(1, 0)]), "0 is not a literal"),
        (lambda: Formula.from_clauses([(1, 5)], variables=3), "variable 5, so it cannot have 3"),
        (lambda: Formula.from_clauses([(2**31,)]), "beyond"),
        (lambda: Formula.from_clauses([(-(2**31),)]), "beyond"),
        (lambda: Formula.from_arrays([1, 2]), "end with 0"),
        (lambda: Formula.from_arrays([1.5, 0]), "whole numbers"),
        (lambda: Formula.from_arrays([[1, 2]]), "from_rows"),
        (lambda: Block.from_rows("", [1, 2]), "shape"),
        (lambda: Block.from_rows("", [[1, 0]]), "several lengths"),
        (lambda: Block("", np.array([-(2**31), 0], np.int32)), "beyond"),
        (lambda: Block("two\nlines", np.zeros(0, np.int32)), "single line"),
        (lambda: Formula(variables=2, names=np.array([b"a"])), "need 2 names"),
        (lambda: Formula.from_clauses([(1,)], names=["é"]), "ASCII"),
        (lambda: Formula.from_clauses([(1,)], names=["a b"]), "visible ASCII"),
        (lambda: Formula.from_clauses([(1,)], names=["~a"]), "visible ASCII"),
        (lambda: Formula(comments=("two\nlines",)), "single line"),
    ],
)
def test_what_is_refused(wrong: object, words: str) -> None:
    assert callable(wrong)
    with pytest.raises(UsageError, match=words):
        wrong()


def test_builder() -> None:
    builder = FormulaBuilder(comments=["built"])
    cells = builder.new_variables(3, names=["a", "b", "c"])
    helpers = builder.new_variables(2)
    more = builder.new_variables(1, names=["longer"])
    builder.add("rows", np.stack([cells, -cells], axis=1))
    builder.add("flat", [1, 2, 3, 0, -4, 0])
    builder.add("flat", [[5, 6]])
    builder.add("other", Block.from_rows("flat", [[1]]))
    formula = builder.build()
    assert [(block.origin, block.clauses) for block in formula.blocks] == [
        ("rows", 3),
        ("flat", 3),
        ("other", 1),
    ]
    assert formula.variables == 6
    assert formula.names is not None
    assert formula.names.tolist() == [b"a", b"b", b"c", b"", b"", b"longer"]
    assert formula.comments == ("built",)
    assert helpers.tolist() == [4, 5]
    assert more.dtype == np.int32
    with pytest.raises(UsageError, match="variable 7"):
        builder.add("", [[7]])


def test_satisfies_agrees_with_clause_by_clause() -> None:
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(200):
        rows = rng.integers(1, 5, (4, 2)) * rng.choice([-1, 1], (4, 2))
        formula = Formula((Block.from_rows("", rows[:2]), Block.from_rows("", rows[2:])), 4)
        model = Model.from_literals(np.arange(1, 5) * rng.choice([-1, 1], 4))
        plainly = all(any(model.value(literal) for literal in clause) for clause in formula)
        assert model.satisfies(formula) == plainly
        seen.add(plainly)
    assert seen == {True, False}
    assert not model.satisfies(Formula.from_clauses([(1, -1), ()]))


def test_ten_million_clauses_are_one_array() -> None:
    rows = np.ones((10_000_000, 2), np.int32)
    formula = Formula((Block.from_rows("many", rows),), 1)
    assert formula.clauses == 10_000_000
    assert formula.literals().nbytes == 120_000_000


def test_import_is_light() -> None:
    code = "import sys, satlife.sat; print([m for m in ('pysat', 'pysolvers') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_all_is_complete() -> None:
    assert sorted(satlife.sat.__all__) == sorted(set(satlife.sat.__all__))
    for name in satlife.sat.__all__:
        assert hasattr(satlife.sat, name)
