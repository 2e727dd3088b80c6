"""The encodings, one file each: from the table of transitions to clauses.

To add one, write a file with an :class:`Encoding` value, and add the value to the tuple.

>>> find_encoding("columns").summary
'counts of vertical triples; the default'
"""

from __future__ import annotations

from typing import Final

from satlife.errors import UsageError
from satlife.formula.encodings._encoding import Encoding
from satlife.formula.encodings.adder import ADDER
from satlife.formula.encodings.columns import COLUMNS
from satlife.formula.encodings.direct import DIRECT
from satlife.formula.encodings.knuth import KNUTH
from satlife.formula.encodings.triples import TRIPLES

__all__ = ["ENCODINGS", "Encoding", "find_encoding"]

ENCODINGS: Final[tuple[Encoding, ...]] = (COLUMNS, TRIPLES, KNUTH, DIRECT, ADDER)
"""The default first; for a rule that it does not support, the first that does."""


def find_encoding(name: str) -> Encoding:
    """Find an encoding by its name."""
    for encoding in ENCODINGS:
        if encoding.name == name.strip().lower():
            return encoding
    known = ", ".join(encoding.name for encoding in ENCODINGS)
    raise UsageError(f"there is no encoding {name!r}; use one of {known}")
