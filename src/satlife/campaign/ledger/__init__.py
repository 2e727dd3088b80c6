"""The ledger: the record of every task of a campaign, in one SQLite file or in PostgreSQL.

The log of events is authoritative and append-only, but for :func:`prune`.  The states of the tasks
follow from it (see :mod:`satlife.campaign.core.state`); they are stored too, so that the log need
not be read.

>>> from satlife.campaign.messages import Task
>>> from satlife import still_life
>>> with open_ledger(":memory:") as ledger:
...     ledger.add([Task(problem=still_life(box="3x3")), Task(problem=still_life(box="4x4"))])
...     [task.problem.boxes for task in ledger.lease("anna", 1)]
...     ledger.counts().queued, ledger.counts().leased
2
[('3x3',)]
(1, 1)
"""

from satlife.campaign.ledger.comparison import Comparison, compare, looks_edited, prune
from satlife.campaign.ledger.ledger import Ledger, is_file, open_ledger, open_store
from satlife.campaign.ledger.store import FencedError, FindingRow, LedgerError, LogEntry, TaskRow
from satlife.campaign.ledger.transfer import Examiner, Merged, export, merge, read_lines

__all__ = [
    "Comparison",
    "Examiner",
    "FencedError",
    "FindingRow",
    "Ledger",
    "LedgerError",
    "LogEntry",
    "Merged",
    "TaskRow",
    "compare",
    "export",
    "is_file",
    "looks_edited",
    "merge",
    "open_ledger",
    "open_store",
    "prune",
    "read_lines",
]
