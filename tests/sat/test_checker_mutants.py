"""The checkers of proofs, broken in every small way: each time some proof is judged otherwise.

A mutant is a checker's source with one change: a condition negated, a comparison widened, a
statement left out, a number one off. It is killed if one case of the battery has another outcome
than with the checker itself. Those that live must be in ``EQUIVALENT``, with the reason.

All of ``lrat`` is broken, and of ``drat`` how it reads proofs and how it hands them on. Its search
for reasons is not: whatever that finds is checked by ``lrat``, which the last cases are about.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from satlife.errors import FormatError
from satlife.sat import Formula
from satlife.sat.proofs import Verdict, drat, lrat
from tests.mutation.changes import MUTANT, load, mutants
from tests.sat.test_proofs import CUBE, DRAT_PROOFS, FORK, NO_DRAT, RAT_PROOFS, SQUARE, WRONG

STEPS = 20_000
"""How many lines of a mutant may run for one proof: it may have a loop without end."""


# --- outcomes -----------------------------------------------------------------------------------


class TooLong(Exception):  # noqa: N818
    """A mutant runs on and on."""


def watch(run: Callable[[], object]) -> object:
    """Give what comes out, or the error; a loop without end is one."""
    left = STEPS

    def count(frame: FrameType, _: str, __: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLong
        return count if frame.f_code.co_filename == MUTANT else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return run()
    except FormatError as error:
        return str(error)
    except Exception as error:
        return type(error)
    finally:
        sys.settrace(before)


def settle(verdict: Verdict) -> object:
    """All of a verdict but the time, which must be a plausible one."""
    return 0 < verdict.seconds < 60, astuple(replace(verdict, seconds=0))


# --- the battery --------------------------------------------------------------------------------

Case = Callable[[Any], object]
"""What is done with the checker's module, or a mutant of it."""

MORE_LRAT: dict[str, tuple[Formula, str]] = {
    "the last clause is deleted": (SQUARE, "4 d 4 0\n5 -2 0 3 4 0\n"),
    "a resolvent is always true, the next one has no hints": (
        Formula.from_clauses([(-1, 2), (-1, 3), (1, 2, 3)]),
        "4 1 -2 0 -1 -2 0\n",
    ),
    "a clause was a hint before it is resolved with": (
        FORK,
        "6 -2 0 4 5 0\n7 4 0 -5 6 0\n8 2 0 2 3 0\n9 0 6 8 0\n",
    ),
    "a long line": (SQUARE, "5 2 0 " + "1234567890 " * 6 + "x 0\n"),
}
MORE_DRAT = (
    b"c words\n1 -64 0\nc more words\nd -2147483647 0\n2147483647 0\n",
    b"a\x02\x81\x01\0d\xff\xff\xff\xff\x0f\0a\xfe\xff\xff\xff\x0f\0a\0",
    b"d\x02\0",
    b"a\x82\x80\x80\x80\x80\x00\0",
    b"a\x80\x00\0",
    b"a\x02\0\x80\x01\0",
    b"1 2 0 " + b"1234567890 " * 6 + b"x 0\n",
)


def lrat_cases(folder: Path) -> Iterator[Case]:
    def case(formula: Formula, text: str, longest: int = 0) -> Case:
        path = folder / f"{len(list(folder.iterdir()))}.lrat"
        path.write_bytes(text.encode())

        def judge(module: Any) -> object:
            whole = module.LONGEST_LINE
            module.LONGEST_LINE = longest or whole
            try:
                return settle(module.check_lrat(formula, path))
            finally:
                module.LONGEST_LINE = whole

        return judge

    yield from (case(formula, text) for formula, text, _ in RAT_PROOFS.values())
    yield from (case(SQUARE, text) for text in WRONG)
    yield from (case(formula, text) for formula, text in MORE_LRAT.values())
    yield from (case(SQUARE, text, longest=12) for text in ("5 2 0 1 2 0", "5 2 0 1 2 0 \n"))


def drat_cases(folder: Path) -> Iterator[Case]:
    def case(content: bytes, formula: Formula | None = None, **options: Any) -> Case:
        path = folder / f"{len(list(folder.iterdir()))}.drat"
        path.write_bytes(content)
        if formula is None:
            return lambda module: [astuple(step) for step in module.read_drat(path)]
        return lambda module: settle(module.check_drat(formula, path, **options))

    contents = [*NO_DRAT, *(content for _, content in DRAT_PROOFS.values()), *MORE_DRAT]
    yield from map(case, contents)
    yield from (case(content, formula) for formula, content in DRAT_PROOFS.values())
    yield case(b"1 0\n", CUBE, seconds=0)
    proof = folder / "lie.drat"
    proof.write_bytes(b"0\n")

    def lie(module: Any) -> object:
        """The search for reasons says that all is well, and it is not."""
        honest = module.elaborate

        def pretend(_: Formula, __: Path, out: Path, *, seconds: float | None) -> Verdict:
            out.write_text("9 0 1 2 0\n")
            return Verdict(True, steps=1)

        module.elaborate = pretend
        try:
            return settle(module.check_drat(CUBE, proof))
        finally:
            module.elaborate = honest

    yield lie


READERS = ("is_binary", "read_drat", "_read_text", "_read_binary", "_check_range", "check_drat")
CHECKERS = {
    "lrat": (lrat, (), lrat_cases),
    "drat": (drat, READERS, drat_cases),
}

EQUIVALENT: dict[str, dict[str, tuple[str, ...]]] = {
    "lrat": {
        "any limit far beyond real lines will do": (
            "module: LONGEST_LINE = 1 << 25 | 1 becomes 2",
            "module: LONGEST_LINE = 1 << 25 | 25 becomes 24",
            "module: LONGEST_LINE = 1 << 25 | 25 becomes 26",
        ),
        "only the kernel may be done before this checker begins": (
            'check: reason = "" if self.done els | self.done is False',
        ),
        "a byte to spare, and any byte but 0 is true": (
            "__init__: self.gone = bytearray(formul | 1 becomes 2",
            "_delete: self.gone[name] = 1 | 1 becomes 2",
        ),
        "no hint is 0: _add refuses it": (
            "_implied: if hint < 0: | hint < 0: LtE",
            "_implied: if hint < 0: | 0 becomes 1",
            "_check_resolvents: starts = [place for place, h | hint < 0: LtE",
            "_check_resolvents: starts = [place for place, h | 0 becomes 1",
        ),
        "hints before the first negative one belong to no resolvent, and are passed over": (
            "_implied: for hint in hints: | used += 1 is left out",
            "_implied: used += 1 | 1 becomes 0",
        ),
        "a shortcut: _find looks there, too": (
            "_implied: rest = (clauses.get(hint) or | without clauses.get(hint)",
        ),
        "None is as false as False, or as 0": (
            "_implied: def _implied(self, false: se | return False is left out",
            "_check_resolvents: odd = next(a or b for a, b i | zip_longest without fillvalue",
        ),
        "no clause has the id 0, nor -1": ("_find_holders: last = 0 | 0 becomes -1",),
        "the index is made anew, and is the same": (
            "_find_holders: if self._holders is None: | self._holders is None is True",
        ),
        "asked twice, in _add and in _index": (
            "_add: if self._holders is not None | self._holders is not None is True",
            "_index: if self._holders is not None | self._holders is not None is True",
        ),
    },
    "drat": {
        "the last number, 0 in texts, is not looked at; it is only no literal": (
            "_read_binary: _check_range([*literals, 0], | 0 becomes -1",
            "_read_binary: _check_range([*literals, 0], | 0 becomes 1",
        ),
        "it grows by sevens": ("_read_binary: if shift > 35: | 35 becomes 36",),
        "only the name of a folder that is deleted": (
            "check_drat: with tempfile.TemporaryDirec | tempfile.TemporaryDirectory without prefix",
        ),
    },
}
"""Mutants that are no worse than the checker, and why."""


@pytest.mark.parametrize("name", CHECKERS)
def test_every_mutant_is_killed(name: str, tmp_path: Path) -> None:
    checker, functions, make = CHECKERS[name]
    cases = list(make(tmp_path))
    expected = [watch(partial(case, checker)) for case in cases]
    source = compile(Path(str(checker.__file__)).read_text(), MUTANT, "exec")
    assert find_killer(source, cases, expected) is None, "the battery kills the checker itself"
    living = [
        mutant
        for mutant, code in mutants(checker, functions)
        if find_killer(code, cases, expected) is None
    ]
    assert len(set(living)) == len(living)
    assert set(living) == {each for group in EQUIVALENT[name].values() for each in group}


def find_killer(code: CodeType, cases: list[Case], expected: list[object]) -> object:
    """Give the case that has another outcome, or the error by which the source does not load."""
    try:
        module = load(code)
    except Exception as error:
        return error
    for case, outcome in zip(cases, expected, strict=True):
        if watch(partial(case, module)) != outcome:
            return case
    return None
