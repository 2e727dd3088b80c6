"""Shared code of the outer-totalistic families of all neighbourhoods."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from satlife.life.cells import Cells, freeze
from satlife.life.neighbourhood import CENTRE, count_alive, fold_table
from satlife.life.rules._family import (
    RuleDefinition,
    RuleFamily,
    check_digits,
    split_halves,
    squeeze,
)


def make_counting_family(
    name: str, example: str, summary: str, bits: Collection[int], suffix: str = ""
) -> RuleFamily:
    """Build the family of rules that count some cells; its notations end with the suffix."""
    neighbours = len(bits)
    counts = count_alive(bits)
    kinds = counts + (neighbours + 1) * count_alive([CENTRE])

    def read(text: str) -> RuleDefinition | None:
        notation = squeeze(text)
        halves = split_halves(notation.removesuffix(suffix.lower()))
        if halves is None or not notation.endswith(suffix.lower()):
            return None
        if not all(re.fullmatch("[0-9]*", half) for half in halves):
            return None
        for half in halves:
            check_digits(half, half, text, neighbours)
        entries = np.array([str(n) in half for half in halves for n in range(neighbours + 1)])
        return RuleDefinition(freeze(entries[kinds]))

    def write(definition: RuleDefinition) -> str | None:
        entries = fold_table(definition.table, kinds)
        if entries is None or definition.states > 2:
            return None
        births, survivals = entries.reshape(2, -1)
        return f"B{_write_counts(births)}/S{_write_counts(survivals)}{suffix}"

    return RuleFamily(name, example, summary, read, write)


def _write_counts(entries: Cells) -> str:
    return "".join(map(str, np.flatnonzero(entries)))
