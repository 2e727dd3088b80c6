"""The log in PostgreSQL, in parts: so old events can be archived, and indices stay small.

Ids are given in the order of time, so a part with a span of ids is one with a span of time.  Unlike
times, ids are the log's primary key, by which everything is looked up, and tell in which part a
line is.
"""

from __future__ import annotations

from typing import Final

from satlife.campaign.ledger._store import Store

SPAN: Final = 5_000_000
"""Events in a part."""

UPGRADE: Final = (
    "ALTER TABLE events RENAME TO events_whole",
    "ALTER TABLE events_whole RENAME CONSTRAINT events_pkey TO events_whole_pkey",
    "ALTER INDEX events_of_task RENAME TO events_whole_of_task",
    """CREATE TABLE events (
        id BIGINT PRIMARY KEY,
        task BIGINT NOT NULL,
        kind TEXT NOT NULL,
        time BIGINT NOT NULL,
        body TEXT NOT NULL
    ) PARTITION BY RANGE (id)""",
    "CREATE INDEX events_of_task ON events (task)",
    # What is there becomes the first part, with all ids of the spans that it has begun.
    f"""DO $$
    DECLARE last BIGINT;
    BEGIN
        SELECT coalesce(max(id), 0) / {SPAN} INTO last FROM events_whole;
        EXECUTE 'ALTER TABLE events ATTACH PARTITION events_whole FOR VALUES FROM (MINVALUE) TO ('
            || (last + 1) * {SPAN} || ')';
        EXECUTE 'ALTER TABLE events_whole RENAME TO events_' || last;
    END $$""",
)
"""Statements that make parts of one table."""

_LAST: Final = r"""SELECT coalesce(max(substring(tablename FROM '^events_(\d+)$')::BIGINT), -1)
    FROM pg_tables WHERE schemaname = current_schema()"""


def add_parts(store: Store, event: int) -> int:
    """Add the parts that are missing up to an event; return the first id that has none."""
    ((last,),) = store.execute(_LAST)
    for number in range(last + 1, event // SPAN + 1):
        store.execute(
            f"CREATE TABLE events_{number} PARTITION OF events "
            f"FOR VALUES FROM ({number * SPAN}) TO ({(number + 1) * SPAN})"
        )
    return (max(int(last), event // SPAN) + 1) * SPAN
