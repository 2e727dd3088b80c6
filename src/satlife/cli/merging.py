"""``satlife campaign merge``: take exported ledgers in, and say what was refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from satlife.cli.ending import one_line, say
from satlife.errors import UsageError

if TYPE_CHECKING:
    from satlife.campaign.ledger import Ledger, Merged

MOST_REFUSED = 10
"""Refused events that are named, of each file."""


def merge_files(path: str | None, place: str, names: tuple[str, ...], *, trust: bool) -> bool:
    """Merge exported ledgers; return whether everything was taken in without a contradiction.

    A ledger that was created for a file that is refused as a whole is removed.
    """
    from satlife.campaign.ledger import open_ledger
    from satlife.campaign.plan import Plan

    plan = None if path is None else Plan.read(path)
    is_new = "://" not in place and not Path(place).exists()
    is_clean = True
    try:
        with open_ledger(place) as ledger:
            if plan is not None:
                ledger.begin(plan.name, plan.to_toml())
            for name in names:
                try:
                    merged = _merge_file(ledger, name, trust)
                except UsageError as error:
                    raise UsageError(f"{name}: {_shorten(str(error))}") from None
                finally:
                    is_new = is_new and ledger.counts().total == 0
                is_clean &= _tell(name, merged)
    except BaseException:
        if is_new:
            Path(place).unlink(missing_ok=True)
        raise
    return is_clean


def _merge_file(ledger: Ledger, name: str, trust: bool) -> Merged:
    from satlife.cli.files import open_input

    with open_input(name) as file:
        if trust:
            from satlife.campaign.ledger import merge

            return merge(ledger, file)
        from satlife.campaign.merging import merge_strictly

        return merge_strictly(ledger, file)


def _tell(name: str, merged: Merged) -> bool:
    """Print the result of merging a file; return whether all of it was accepted."""
    left_out = f", {merged.left_out:,} left out" if merged.left_out else ""
    refused = f", {len(merged.refused):,} refused" if merged.refused else ""
    say(f"{name}: {merged.new:,} new event{'' if merged.new == 1 else 's'}{left_out}{refused}")
    for words in merged.refused[:MOST_REFUSED]:
        say(f"{name}: refused: {one_line(_shorten(words))}")
    if len(merged.refused) > MOST_REFUSED:
        say(f"{name}: refused: {len(merged.refused) - MOST_REFUSED:,} more")
    for alarm in merged.alarms:
        say(f"{name}: CONTRADICTION: {alarm.name[:12]}: {one_line(alarm.words)}")
    return not (merged.refused or merged.alarms)


def _shorten(words: str) -> str:
    """Return a message with short names of tasks and plans."""
    return re.sub(r"\b([0-9a-f]{12})[0-9a-f]{52}\b", r"\1", words)
