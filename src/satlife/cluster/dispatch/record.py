"""The dispatcher's record: all leases and the standings of all users, in an SQLite file.

A restarted dispatcher finds the leases that are still held in it, and honours them.  It also finds
the answers that wait for a quorum: their users cannot give them again.

>>> with Record(":memory:") as record:
...     record.judge("eve", Standing(good=1, lies=2))
...     record.standings()
{'eve': Standing(good=1.0, bad=0.0, lies=2)}
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from satlife.campaign.messages import AnyResult, Terms, decode_result, encode
from satlife.closable import Closing
from satlife.cluster.dispatch.desk import MOST_REMEMBERED, Desk, Lease, Offer, Standing
from satlife.errors import FormatError, UsageError

KEPT = 90 * 86_400.0
"""Seconds for which leases that have ended are kept."""

_TABLES = """
CREATE TABLE IF NOT EXISTS leases (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, worker TEXT NOT NULL,
  campaign TEXT NOT NULL, task TEXT NOT NULL, round INTEGER NOT NULL, quorum INTEGER NOT NULL,
  reply TEXT NOT NULL, silence REAL NOT NULL,
  granted REAL NOT NULL, ended REAL, how TEXT
);
CREATE INDEX IF NOT EXISTS held ON leases (id) WHERE ended IS NULL;
CREATE INDEX IF NOT EXISTS by_time ON leases (granted);
CREATE TABLE IF NOT EXISTS words (
  lease TEXT PRIMARY KEY, user TEXT NOT NULL, campaign TEXT NOT NULL, task TEXT NOT NULL,
  round INTEGER NOT NULL, result BLOB NOT NULL, said REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS words_by_task ON words (campaign, task);
CREATE TABLE IF NOT EXISTS users (
  name TEXT PRIMARY KEY, good REAL NOT NULL, bad REAL NOT NULL, lies INTEGER NOT NULL
);
"""


class Record(Closing):
    """Leases and users, in a file that only its owner can read."""

    def __init__(self, where: str) -> None:
        if where != ":memory:" and not Path(where).exists():
            os.close(os.open(where, os.O_CREAT | os.O_RDWR, 0o600))
        try:
            self._db = sqlite3.connect(where, isolation_level=None, timeout=10.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.executescript(_TABLES)
        except sqlite3.Error as error:
            raise UsageError(f"{where}: not a record of leases: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def restore(self, desk: Desk, now: float) -> None:
        """Restore leases, standings and waiting answers of the last dispatcher to a new desk."""
        self.clean()
        for name, standing in self.standings().items():
            desk.user(name).standing = standing
        for name, offer in self.had(MOST_REMEMBERED):
            desk.remember(name, offer)
        for name, offer, said_for, result in self.words(MOST_REMEMBERED):
            desk.repeat(name, offer, said_for, result)
        for lease, user, worker, offer, age in self.held():
            desk.restore(user, worker, offer, now, lease, age)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write everything in one transaction, or nothing."""
        self._db.execute("BEGIN")
        with self._db:
            yield

    def grant(self, leases: Iterable[Lease]) -> None:
        """Write new leases."""
        now = time.time()
        rows = [
            (
                *(lease.id, lease.user, lease.worker),
                *(offer.campaign, offer.name, offer.round, offer.terms.quorum),
                *(offer.reply, offer.silence, now),
            )
            for lease in leases
            for offer in [lease.offer]
        ]
        with self.together():
            self._db.executemany(
                "INSERT INTO leases (id, user, worker, campaign, task, round, quorum, reply, "
                "silence, granted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def end(self, lease: Lease, how: str) -> None:
        """Write how a lease ended."""
        self._db.execute(
            "UPDATE leases SET ended = ?, how = ? WHERE id = ?", (time.time(), how, lease.id)
        )

    def keep(self, lease: Lease, result: AnyResult) -> None:
        """Write an answer that waits for a quorum."""
        offer = lease.offer
        self._db.execute(
            "INSERT OR REPLACE INTO words VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *(lease.id, lease.user, offer.campaign, offer.name, offer.round),
                *(encode(result), time.time()),
            ),
        )

    def drop(self, offer: Offer) -> None:
        """Forget the waiting answers to a task: they were passed on."""
        self._db.execute(
            "DELETE FROM words WHERE campaign = ? AND task = ?", (offer.campaign, offer.name)
        )

    def words(self, most: int) -> Iterator[tuple[str, Offer, str, AnyResult]]:
        """Yield waiting answers, oldest first: user, task, name of the lease, result."""
        rows = self._db.execute(
            "SELECT user, campaign, task, round, lease, result FROM words "
            "ORDER BY said DESC LIMIT ?",
            (most,),
        ).fetchall()
        for user, campaign, task, turn, lease, text in reversed(rows):
            # Answers that another version wrote, and we cannot read, are lost.
            with suppress(FormatError):
                yield user, Offer(campaign, task, turn, b"", "", 0.0), lease, decode_result(text)

    def judge(self, user: str, standing: Standing) -> None:
        """Write the standing of a user."""
        self._db.execute(
            "INSERT OR REPLACE INTO users VALUES (?, ?, ?, ?)",
            (user, standing.good, standing.bad, standing.lies),
        )

    def standings(self) -> dict[str, Standing]:
        """Return the standings of the users."""
        rows = self._db.execute("SELECT name, good, bad, lies FROM users ORDER BY name")
        return {name: Standing(*rest) for name, *rest in rows}

    def held(self) -> Iterator[tuple[str, str, str, Offer, float]]:
        """Yield the leases that had not ended: name, user, worker, task, and their age."""
        now = time.time()
        for lease, user, worker, campaign, task, turn, quorum, reply, silence, granted in list(
            self._db.execute(
                "SELECT id, user, worker, campaign, task, round, quorum, reply, silence, granted "
                "FROM leases WHERE ended IS NULL"
            )
        ):
            offer = Offer(campaign, task, turn, b"", reply, silence, Terms(quorum=quorum))
            yield lease, user, worker, offer, max(0.0, now - granted)

    def had(self, most: int) -> Iterator[tuple[str, Offer]]:
        """Yield the users who have or have answered a task lately, with the task, oldest first."""
        rows = self._db.execute(
            "SELECT user, campaign, task, round FROM leases "
            "WHERE how IS NULL OR how NOT IN ('expired', 'returned', 'withdrawn') "
            "ORDER BY granted DESC LIMIT ?",
            (most,),
        ).fetchall()
        for user, campaign, task, turn in reversed(rows):
            yield user, Offer(campaign, task, turn, b"", "", 0.0)

    def tally(self) -> dict[str, dict[str, int]]:
        """Return each user's number of leases by how they ended; ``held`` have not ended."""
        tally: dict[str, dict[str, int]] = {}
        for user, how, count in self._db.execute(
            "SELECT user, coalesce(how, 'held'), count(*) FROM leases GROUP BY 1, 2"
        ):
            tally.setdefault(user, {})[how] = count
        return tally

    def clean(self) -> None:
        """Forget leases that ended long ago, and waiting answers of that age."""
        long_ago = time.time() - KEPT
        self._db.execute("DELETE FROM leases WHERE ended < ?", (long_ago,))
        self._db.execute("DELETE FROM words WHERE said < ?", (long_ago,))
