"""Reading JSON and TOML that anybody may have written: a value, or a :class:`FormatError`.

Beside what is wrong in the text itself, Python's readers stop at deep nesting (RecursionError) and
at whole numbers of thousands of digits (ValueError); both are mistakes in the text for us.

>>> decode_json(b'{"a": 1}', dict[str, int], "a table")
{'a': 1}
>>> decode_json("[" * 100_000, list, "a list")
Traceback (most recent call last):
satlife.errors.FormatError: not a list: it is nested too deeply
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from satlife.errors import FormatError, UsageError

T = TypeVar("T")


def decode_json(text: bytes | str, kind: type[T], what: str) -> T:
    """Read JSON into a value of this type."""
    with _refusing(what, "JSON"):
        return msgspec.json.decode(_without_bom(text), type=kind)


def decode_toml(text: bytes | str, what: str) -> dict[str, Any]:
    """Read TOML into a table."""
    import tomllib  # noqa: PLC0415 - few problems are read so

    with _refusing(what, "TOML"):
        return tomllib.loads(_without_bom(text).decode())


def convert(fields: object, kind: type[T], what: str) -> T:
    """Turn a table, read before, into a value of this type."""
    with _refusing(what, ""):
        return msgspec.convert(fields, kind)


def _without_bom(text: bytes | str) -> bytes:
    """Take away what some editors, mostly on Windows, put before a text."""
    data = text.encode() if isinstance(text, str) else text
    return data.removeprefix(codecs.BOM_UTF8)


@contextmanager
def _refusing(what: str, language: str) -> Iterator[None]:
    try:
        yield
    except msgspec.ValidationError as error:
        raise FormatError(f"not {what}: {error}") from None
    except UsageError:
        raise
    except RecursionError:
        raise FormatError(f"not {what}: it is nested too deeply") from None
    except ValueError as error:  # a decoder's own, wrong UTF-8, too many digits
        if "integer string conversion" in str(error):
            raise FormatError(f"not {what}: it has a number of thousands of digits") from None
        raise FormatError(f"not {language}: {error}") from None
