"""Reading untrusted JSON and TOML: a value, or a :class:`FormatError`.

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
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeVar, get_args, get_origin

import msgspec

from satlife.errors import FormatError, UsageError

T = TypeVar("T")


def decode_json(text: bytes | str, kind: type[T], what: str) -> T:
    """Read JSON into a value of this type."""
    with _refusing(what, "JSON", kind):
        return msgspec.json.decode(_without_bom(text), type=kind)


def decode_toml(text: bytes | str, what: str) -> dict[str, Any]:
    """Read TOML into a table."""
    import tomllib  # noqa: PLC0415 - few problems are read so

    with _refusing(what, "TOML"):
        return tomllib.loads(_without_bom(text).decode())


def convert(fields: object, kind: type[T], what: str) -> T:
    """Turn a table, read before, into a value of this type."""
    with _refusing(what, "", kind):
        return msgspec.convert(fields, kind)


def _without_bom(text: bytes | str) -> bytes:
    """Remove the byte-order mark that some editors, mostly on Windows, put before a text."""
    data = text.encode() if isinstance(text, str) else text
    return data.removeprefix(codecs.BOM_UTF8)


@contextmanager
def _refusing(what: str, language: str, kind: object = None) -> Iterator[None]:
    try:
        yield
    except msgspec.ValidationError as error:
        raise FormatError(f"not {what}: {error}{_list_values(str(error), kind)}") from None
    except UsageError:
        raise
    except RecursionError:
        raise FormatError(f"not {what}: it is nested too deeply") from None
    except ValueError as error:  # a decoder's own, wrong UTF-8, too many digits
        if "integer string conversion" in str(error):
            raise FormatError(f"not {what}: it has a number of thousands of digits") from None
        raise FormatError(f"not {language}: {error}") from None


def _list_values(message: str, kind: object) -> str:
    """Return the values of a field that has a wrong one, if these are few and have names."""
    match = re.fullmatch(r"Invalid enum value .* - at `\$.*?(\w+)`", message)
    values = sorted(map(str, _find_values(kind, match[1], set()))) if match else []
    return f"; it is one of {', '.join(values)}" if values else ""


def _find_values(kind: object, field: str, seen: set[object]) -> set[object]:
    """Return the values of all fields of that name, in a type and in those inside it."""
    if kind in seen:
        return set()
    seen.add(kind)
    found: set[object] = set()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for each in msgspec.structs.fields(kind):
            is_meant = each.name == field and get_origin(each.type) is Literal
            found |= set(get_args(each.type)) if is_meant else set()
            found |= _find_values(each.type, field, seen)
    elif get_origin(kind) is not Literal:
        for inner in get_args(kind):
            found |= _find_values(inner, field, seen)
    return found
