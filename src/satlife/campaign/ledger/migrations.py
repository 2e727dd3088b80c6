"""The ledger's tables, version by version; an old ledger is upgraded only when somebody asks.

A version never changes; a new one is added at the end.  In a statement, ``{key}`` is the database's
type for a column that numbers the rows.
"""

from __future__ import annotations

from satlife.campaign.ledger._store import Store
from satlife.errors import UsageError

VERSION_TABLE = "ledger_version"

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # Version 1: the log is the truth; the states in tasks follow from it.
        "CREATE TABLE plan (name TEXT PRIMARY KEY, body TEXT NOT NULL)",
        """CREATE TABLE tasks (
            id {key},
            name TEXT NOT NULL UNIQUE,
            status TEXT NOT NULL,
            certified INTEGER NOT NULL,
            round BIGINT NOT NULL,
            deaths BIGINT NOT NULL,
            worker TEXT NOT NULL,
            implied_by TEXT,
            contradicted INTEGER NOT NULL,
            time BIGINT NOT NULL
        )""",
        # The tasks themselves stand apart, so that counting reads little.
        "CREATE TABLE bodies (task {key}, body TEXT NOT NULL)",
        """CREATE TABLE events (
            id {key},
            task BIGINT NOT NULL,
            kind TEXT NOT NULL,
            time BIGINT NOT NULL,
            body TEXT NOT NULL
        )""",
        """CREATE TABLE findings (
            identity TEXT PRIMARY KEY,
            event BIGINT NOT NULL,
            time BIGINT NOT NULL,
            name TEXT NOT NULL
        )""",
        "CREATE INDEX events_of_task ON events (task)",
        "CREATE INDEX tasks_queued ON tasks (id) WHERE status = 'queued'",
    ),
    (
        # Version 2: counts, the rate, and what is leased, without reading everything.
        """CREATE TABLE tallies (
            status TEXT NOT NULL,
            certified INTEGER NOT NULL,
            contradicted INTEGER NOT NULL,
            implied INTEGER NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (status, certified, contradicted, implied)
        )""",
        """INSERT INTO tallies (status, certified, contradicted, implied, count)
            SELECT status, certified, contradicted,
                CASE WHEN implied_by IS NULL THEN 0 ELSE 1 END AS implied, count(*)
            FROM tasks GROUP BY status, certified, contradicted, implied""",
        "CREATE INDEX events_by_time ON events (time)",
        "CREATE INDEX tasks_leased ON tasks (id) WHERE status = 'leased'",
    ),
    (
        # Version 3: the status "dropped"; a checkpoint, so that a restart costs what is open; the
        # rate and the last finds without reading the log.
        "CREATE TABLE notes (name TEXT PRIMARY KEY, body TEXT NOT NULL)",
        "CREATE TABLE rates (time BIGINT PRIMARY KEY, answers BIGINT NOT NULL)",
        "CREATE INDEX findings_by_time ON findings (time, identity)",
        "DROP INDEX events_by_time",
    ),
    (
        # Version 4: what users say counts only when enough of them do.
        "ALTER TABLE tasks ADD COLUMN votes TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE tasks ADD COLUMN quorum BIGINT NOT NULL DEFAULT 1",
        "ALTER TABLE tasks ADD COLUMN prove INTEGER NOT NULL DEFAULT 0",
    ),
    (
        # Version 5: tasks with cases, which are counted apart.
        "ALTER TABLE tasks ADD COLUMN children BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE tasks ADD COLUMN parent TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE tallies_by_case (
            status TEXT NOT NULL,
            certified INTEGER NOT NULL,
            contradicted INTEGER NOT NULL,
            implied INTEGER NOT NULL,
            is_case INTEGER NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (status, certified, contradicted, implied, is_case)
        )""",
        """INSERT INTO tallies_by_case (status, certified, contradicted, implied, is_case, count)
            SELECT status, certified, contradicted, implied, 0, count FROM tallies""",
        "DROP TABLE tallies",
        "ALTER TABLE tallies_by_case RENAME TO tallies",
        "CREATE INDEX tasks_split ON tasks (id) WHERE status = 'split'",
    ),
    # Version 6: in PostgreSQL the log is in parts.
    (),
)

LATEST = len(MIGRATIONS)


def migrate(store: Store, *, create: bool = True, upgrade: bool = False) -> int:
    """Create the tables, or upgrade them if ``upgrade`` is true; return the version found.

    Raise an error if they are newer than ours, or if they are older and ``upgrade`` is false.
    """
    version = read_version(store, create)
    if version == LATEST:
        return version
    _check_upgrade(store, version, upgrade)
    with store.write():
        # Another process may have done it since.
        version = read_version(store, create)
        _check_upgrade(store, version, upgrade)
        if version == 0:
            store.execute(f"CREATE TABLE {VERSION_TABLE} (version INTEGER NOT NULL)")
            store.execute(f"INSERT INTO {VERSION_TABLE} VALUES (0)")
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            for statement in (*statements, *store.upgrades.get(number, ())):
                store.execute(statement.format(key=store.key))
        store.execute(f"UPDATE {VERSION_TABLE} SET version = ?", (LATEST,))
    return version


def _check_upgrade(store: Store, version: int, upgrade: bool) -> None:
    if 0 < version < LATEST and not upgrade:
        raise UsageError(
            f"the ledger {store} has version {version}, and this satlife needs version {LATEST}: "
            "copy it with satlife campaign backup, then upgrade it with satlife campaign migrate"
        )


def read_version(store: Store, create: bool) -> int:
    """Return the version of the tables; 0 if there are none."""
    tables = store.tables()
    if VERSION_TABLE not in tables:
        if tables:
            known = ", ".join(sorted(tables)[:3])
            raise UsageError(f"{store} is a database, but not a ledger: it has the tables {known}")
        if not create:
            raise UsageError(f"{store} has no ledger; satlife campaign run creates one")
        return 0
    ((version,),) = store.execute(f"SELECT version FROM {VERSION_TABLE}")
    if version > LATEST:
        raise UsageError(
            f"the ledger {store} has version {version}; this satlife reads versions up to "
            f"{LATEST}: a newer one is needed"
        )
    return int(version)
