"""The clauses of one step of a rule, or of a set of rules, for the audit formula.

Literals 1 to 9 are the cells in reading order, 10 is the successor, and 11, 12, ... are the free
entries of a set of rules, in their order; or, in a rule with dying cells, the centre in the
previous generations, the latest first.
"""

from __future__ import annotations

from collections.abc import Iterator

from satlife.life import Rule
from satlife.life.rulespaces import RuleSpace


def free_entries(rule: Rule | RuleSpace) -> tuple[str, ...]:
    """Return the names of the free entries; a single rule has none."""
    return rule.free if isinstance(rule, RuleSpace) else ()


def count_ages(rule: Rule | RuleSpace) -> int:
    """Return the number of generations in which a cell is dying and cannot be born."""
    return rule.states - 2 if isinstance(rule, Rule) else 0


def rule_clauses(rule: Rule | RuleSpace) -> Iterator[tuple[int, ...]]:
    """Yield the clauses: each of the 512 neighbourhoods implies its fate.

    Cells that do not affect the fate are left out of a clause.  Life has 190 clauses.  If the fate
    is a free entry, the successor equals the entry.
    """
    earlier = range(11, 11 + count_ages(rule))
    for clause in _table_clauses(rule):
        lives = earlier and clause[0] > 0  # then a cell that lived before must live now, too
        yield (*clause, -5) if lives else clause
        if lives:
            yield (*clause, 5, *earlier)
    for age in earlier:
        yield (-10, 5, -age)


def _table_clauses(rule: Rule | RuleSpace) -> Iterator[tuple[int, ...]]:
    fates, covered = list_fates(rule), set[int]()
    for index, fate in enumerate(fates):
        if index in covered:
            continue
        clause, cases = list[int](), {index}
        for cell in (5, 1, 2, 3, 4, 6, 7, 8, 9):
            bit = 1 << (9 - cell)
            others = {case ^ bit for case in cases}  # those in which this cell is changed
            if all(fates[other] == fate for other in others):
                cases |= others
            else:
                clause.append(-cell if index & bit else cell)
        for head in {0: [(-10,)], 1: [(10,)]}.get(fate, [(10, -fate), (-10, fate)]):
            yield (*head, *clause)
        covered |= cases


def list_fates(rule: Rule | RuleSpace) -> list[int]:
    """Return the fate of each neighbourhood: 0, 1, or the literal of a free entry."""
    fates: list[int] = rule.table.tolist()
    if isinstance(rule, RuleSpace):
        for literal, place in enumerate(rule.places.tolist(), 11):
            for index in (rule.classes.kinds == place).nonzero()[0].tolist():
                fates[index] = literal
    return fates
