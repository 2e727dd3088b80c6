r"""Log lines with date and zone, for people or as JSON, one object per line.

>>> record = logging.LogRecord("satlife.campaign.x", 30, "", 0, "no %s", ("disk",), None)
>>> record.created, record.user = 1.5, "eve"
>>> print(JSONFormatter(UTC).format(record))  # doctest: +ELLIPSIS
{"time":"1970-01-01T00:00:01.500+00:00","level":"warning",...,"message":"no disk","user":"eve"}
>>> print(TextFormatter(UTC).format(record))
1970-01-01T00:00:01+00:00 no disk
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

LOGGER: Final = "satlife"
FORMATS: Final = ("text", "json")
FIELDS: Final = ("user", "worker", "task", "subject", "campaign")
"""Fields of a JSON line besides its message, if the log call gave them as ``extra``."""


class _Formatter(logging.Formatter):
    """Writes times with their zone: the given one, or that of this machine."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        super().__init__()
        self._zone = zone

    def _time(self, record: logging.LogRecord, timespec: str) -> str:
        return (
            datetime.fromtimestamp(record.created, UTC)
            .astimezone(self._zone)
            .isoformat(timespec=timespec)
        )


class TextFormatter(_Formatter):
    """Formats lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, followed by an exception if there is one."""
        line = f"{self._time(record, 'seconds')} {make_printable(record.getMessage())}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JSONFormatter(_Formatter):
    """Formats lines for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one object, whose values are strings."""
        words: dict[str, Any] = {
            "time": self._time(record, "milliseconds"),
            "level": record.levelname.lower(),
            "part": record.name.removeprefix(f"{LOGGER}."),
            "message": record.getMessage(),
        }
        words |= {name: str(getattr(record, name)) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            words["error"] = self.formatException(record.exc_info)
        return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


def make_printable(text: str) -> str:
    r"""Return a text that cannot steer a terminal or forge a line; parts of logs are untrusted.

    >>> print(make_printable("a\x1b[2Jb\nc"))
    a\x1b[2Jb\nc
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def make_formatter(name: str) -> logging.Formatter:
    """Return the formatter of a name in ``FORMATS``."""
    return JSONFormatter() if name == "json" else TextFormatter()
