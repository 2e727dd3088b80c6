"""The ledger: what became of every task of a campaign, in one SQLite file or in PostgreSQL.

The log of events is the truth, and only grows; the tasks' states are what
:mod:`satlife.campaign.state` makes of it, kept beside it so that nobody must read the whole log.

>>> from satlife.campaign.messages import Task
>>> from satlife.search import still_life
>>> with open_ledger(":memory:") as ledger:
...     ledger.add([Task(problem=still_life(box="3x3")), Task(problem=still_life(box="4x4"))])
...     [task.problem.boxes for task in ledger.lease("anna", 1)]
...     ledger.counts().queued, ledger.counts().leased
2
[('3x3',)]
(1, 1)
"""

from satlife.campaign.ledger._ledger import Ledger, open_ledger
from satlife.campaign.ledger.transfer import export, merge
from satlife.campaign.ledger.values import Counts, Entry, FindingRow, LedgerError, Row

__all__ = [
    "Counts",
    "Entry",
    "FindingRow",
    "Ledger",
    "LedgerError",
    "Row",
    "export",
    "merge",
    "open_ledger",
]
