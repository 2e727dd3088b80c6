"""A copy of a ledger in PostgreSQL, by the server's own program ``pg_dump``."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from satlife.errors import UsageError


def dump(psycopg: Any, arguments: Mapping[str, str], schema: str, path: Path) -> None:
    """Write one schema to a file in pg_dump's own format, which ``pg_restore`` reads."""
    program = shutil.which("pg_dump")
    if program is None:
        raise UsageError("a backup of PostgreSQL needs pg_dump, from the package of its client")
    where = {key: word for key, word in arguments.items() if key not in ("password", "options")}
    with tempfile.TemporaryDirectory(prefix="satlife-backup-") as folder:
        if "password" in arguments:
            # Others can see the words of a command; this file only its owner.
            word = Path(folder) / "password"
            word.touch(0o600)
            word.write_text(f"*:*:*:*:{_escape(arguments['password'])}\n", encoding="utf-8")
            where["passfile"] = str(word)
        words = ["--format=custom", "--no-owner", "--no-privileges", "--no-password"]
        words += [f"--schema={_quote(schema)}", f"--file={path}"]
        address = psycopg.conninfo.make_conninfo(**where)
        done = subprocess.run(
            [
                program,
                *words,
                f"--schema={_quote(schema)}",
                f"--file={path}",
                f"--dbname={address}",
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"]
        raise UsageError(f"pg_dump could not copy the ledger: {lines[-1]}")


def _escape(word: str) -> str:
    r"""Return a password as it is written in a password file.

    >>> print(_escape(r"a:b\c"))
    a\:b\\c
    """
    return word.replace("\\", "\\\\").replace(":", "\\:")


def _quote(name: str) -> str:
    """Return a name that pg_dump does not take for a pattern."""
    return '"' + name.replace('"', '""') + '"'
