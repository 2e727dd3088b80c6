"""The ledger's statements, the same for every database; parameters are question marks.

What is written for many lines at a time is a value, which each database writes in its own way.
"""

from __future__ import annotations

from satlife.campaign.ledger.store import STATE_COLUMNS, Insert, Update

_STATE = ", ".join(STATE_COLUMNS)

PLAN = "SELECT name, body FROM plan"
SET_PLAN = "INSERT INTO plan (name, body) VALUES (?, ?)"

NOTE = "SELECT body FROM notes WHERE name = ?"
SET_NOTE = """INSERT INTO notes (name, body) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET body = excluded.body"""

NOTES = "SELECT name, body FROM notes"

STATE_OF = f"SELECT {_STATE} FROM tasks WHERE name = ?"
BODY_OF = "SELECT b.body FROM tasks t JOIN bodies b ON b.task = t.id WHERE t.name = ?"
PLACES = f"SELECT id, name, time, {_STATE} FROM tasks WHERE name {{among}}"

_ROWS = f"SELECT id, name, time, {_STATE}, body FROM tasks JOIN bodies ON task = id"
ROWS_AMONG = f"{_ROWS} WHERE name {{among}}"
QUEUED = f"{_ROWS} WHERE status = 'queued' ORDER BY id LIMIT ?"
LEASED_ROWS = f"{_ROWS} WHERE status = 'leased' ORDER BY id LIMIT ?"
ROWS = f"{_ROWS} WHERE id > ? ORDER BY id LIMIT ?"
# A literal, not a parameter, so that SQLite uses its index of the status.
ROWS_WITH = f"{_ROWS} WHERE id > ? AND status = '{{status}}' ORDER BY id LIMIT ?"
SPLIT_ROWS = f"{_ROWS} WHERE id > ? AND children > 0 ORDER BY id LIMIT ?"
LAST_ROWS = f"{_ROWS} ORDER BY time DESC, id DESC LIMIT ?"
LEASED = f"SELECT id, name, time, {_STATE} FROM tasks WHERE status = 'leased' ORDER BY id"

LAST_TASK = "SELECT coalesce(max(id), 0) FROM tasks"
LAST_EVENT = "SELECT coalesce(max(id), 0) FROM events"

ADD_TASK = Insert("tasks", (*STATE_COLUMNS, "time", "id", "name"))
SET_TASK = Update("tasks", (*STATE_COLUMNS, "time"), "id")
SET_BODY = Insert(
    "bodies", ("task", "body"), "ON CONFLICT (task) DO UPDATE SET body = excluded.body"
)
ADD_EVENT = Insert("events", ("id", "task", "kind", "time", "body"))
# Of two finds of one object the earlier counts, in whatever order ledgers are merged.
ADD_FINDING = Insert(
    "findings",
    ("identity", "event", "time", "name"),
    """ON CONFLICT (identity) DO UPDATE
    SET event = excluded.event, time = excluded.time, name = excluded.name
    WHERE (excluded.time, excluded.name, (SELECT body FROM events WHERE id = excluded.event))
        < (findings.time, findings.name, (SELECT body FROM events WHERE id = findings.event))""",
)
"""The first find of an object stays; of two at one time for one task, the lesser text."""

ADD_TALLY = Insert(
    "tallies",
    ("status", "certified", "contradicted", "implied", "is_case", "count"),
    """ON CONFLICT (status, certified, contradicted, implied, is_case)
    DO UPDATE SET count = tallies.count + excluded.count""",
)

EVENTS = "SELECT id, time, body FROM events WHERE id > ? ORDER BY id LIMIT ?"
EVENTS_OF = "SELECT task, time, body FROM events WHERE task {among}"
FOUND_OF = """SELECT t.name, e.body FROM events e JOIN tasks t ON t.id = e.task
    WHERE e.kind = 'found' AND t.name {among} ORDER BY e.id"""
FINDINGS = """SELECT f.identity, f.name, e.body, b.body, f.time
    FROM findings f JOIN events e ON e.id = f.event JOIN bodies b ON b.task = e.task
    WHERE (f.time, f.identity) > (?, ?) ORDER BY f.time, f.identity LIMIT ?"""

LAST_FINDINGS = """SELECT f.identity, f.name, e.body, b.body, f.time
    FROM findings f JOIN events e ON e.id = f.event JOIN bodies b ON b.task = e.task
    ORDER BY f.time DESC, f.identity DESC LIMIT ?"""

ADD_RATE = Insert(
    "rates",
    ("time", "answers"),
    "ON CONFLICT (time) DO UPDATE SET answers = rates.answers + excluded.answers",
)
WRONG_RATES = """SELECT count(*) FROM rates
    WHERE time < 1 OR answers < 1 OR time <> time / 10000000 * 10000000"""
RATE = "SELECT coalesce(sum(answers), 0), coalesce(min(time), 0) FROM rates WHERE time >= ?"

COUNTS = "SELECT status, certified, contradicted, implied, is_case, count FROM tallies"
COUNT_FINDINGS = "SELECT count(*) FROM findings"

# Comparisons of the tables with the log and with each other.
STATES = f"SELECT id, name, time, {_STATE} FROM tasks WHERE id > ? ORDER BY id LIMIT ?"
LOG_OF = "SELECT id, task, kind, time, body FROM events WHERE task {among}"
BODIES_OF = "SELECT task, body FROM bodies WHERE task {among}"
COUNT_TASKS = "SELECT coalesce(sum(count), 0) FROM tallies"
OLD_TASKS = """SELECT id, name FROM tasks
    WHERE id > ? AND time < ? AND status IN ('found', 'impossible') AND EXISTS (
        SELECT 1 FROM events e WHERE e.task = tasks.id
        AND e.kind IN ('leased', 'released', 'died', 'failed', 'undecided'))
    ORDER BY id LIMIT ?"""
OLD_LOG = "SELECT task, time, body, id FROM events WHERE task {among}"
LINES_AMONG = "SELECT id, task, kind, time, body FROM events WHERE id {among}"
DELETE_EVENTS = "DELETE FROM events WHERE id {among}"
COUNT_EVENTS = "SELECT count(*), coalesce(max(id), 0) FROM events"
COUNT_LOST_EVENTS = """SELECT count(*) FROM events e
    WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.id = e.task)"""
_WHERE = "status, certified, contradicted, implied, is_case"
UNEQUAL_SUMS = f"""SELECT {_WHERE}, sum(number) FROM (
        SELECT status, certified, contradicted,
            CASE WHEN implied_by IS NULL THEN 0 ELSE 1 END AS implied,
            CASE WHEN parent = '' THEN 0 ELSE 1 END AS is_case, -1 AS number FROM tasks
        UNION ALL SELECT {_WHERE}, count AS number FROM tallies) AS counted
    GROUP BY {_WHERE} HAVING sum(number) <> 0"""
"""The difference between the tallies and the numbers of tasks, where they are not equal."""
LOST_FINDS = """SELECT f.identity FROM findings f
    LEFT JOIN events e ON e.id = f.event LEFT JOIN tasks t ON t.id = e.task
    WHERE t.status IS NULL OR t.status <> 'found' LIMIT 1"""
LOGGED_FINDS = "SELECT body FROM events WHERE kind = 'found'"
IDENTITIES = "SELECT identity FROM findings"
FIRST_FINDS = """SELECT f.identity, f.time, f.name, e.body FROM findings f
    LEFT JOIN events e ON e.id = f.event WHERE f.identity > ? ORDER BY f.identity LIMIT ?"""
