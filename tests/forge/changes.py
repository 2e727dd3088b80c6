"""Other numbers, words, lines and bytes than there were, one at a time."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from satlife.audit.formula import TURNS
from tests.fuzz.drawing import STATIC, TIMED, TRANSFORMS, draw_rule
from tests.fuzz.mutants import mutants

Fields = dict[str, Any]

WORDS: dict[str, tuple[str, ...]] = {
    "symmetry": ("C1", *STATIC, *TIMED),
    "transform": ("identity", *TRANSFORMS),
    "turn": tuple(TURNS),
    "boundary": ("dead", "torus", "free"),
    "answer": ("found", "impossible"),
    "status": ("found", "impossible"),
    "event": (
        "found",
        "claimed",
        "certified",
        "implied",
        "queued",
        "dropped",
        "undecided",
        "split",
    ),
    "type": (
        *("none", "best", "all", "core", "forced", "not-empty", "rotor", "stator", "population"),
        "width",
    ),
    "goals": (
        *("minimize population@0", "maximize population@0", "maximize rotor", "minimize rotor"),
        *("minimize area", "maximize stator"),
    ),
}
"""Plausible words, by the field that they are in."""


def change_problem(chance: random.Random, text: bytes) -> bytes:
    """Return a problem that differs from this one in one place, or in two."""
    fields = json.loads(text)
    for _ in range(chance.choice((1, 1, 2))):
        fields = chance.choice([*_mutants(chance, fields), change_json(chance, fields)])
    return json.dumps(fields).encode()


def _mutants(chance: random.Random, fields: Fields) -> list[Fields]:
    try:
        found = list(mutants(fields))
    except (AssertionError, LookupError, TypeError, ValueError):  # a width, or nonsense by now
        found = [*_open_mutants(fields)]
    return [*found, *(fields | {"rule": draw_rule(chance)} for _ in range(10))]


def _open_mutants(fields: Fields) -> Iterator[Fields]:
    """Yield widths that differ from this one in one place."""
    yield from (fields | {"boxes": [box]} for box in ("2x*", "3x*", "4x*", "5x*", "3x4", "4x3"))
    motion = fields.get("motion", {"period": 2})
    yield from (
        fields | {"motion": motion | {"period": p, "dy": -k}}
        for p, k in ((1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2))
    )
    yield from (fields | {"symmetry": name} for name in ("C1", "D2|", "C1:D2|", "D2-", "C2"))
    for kinds in (["not-empty"], ["full-period"], [], ["not-empty", "gutter"]):
        yield fields | {"constraints": [{"type": kind} for kind in kinds]}


def change_json(chance: random.Random, value: Any) -> Any:
    """Return a value that differs in one place."""
    places = list(_places(value, ()))
    return _replace(value, chance.choice(places), chance) if places else value


def change_text(chance: random.Random, text: bytes) -> bytes:
    """Return JSON that differs in one place; what is not JSON stays."""
    try:
        return json.dumps(change_json(chance, json.loads(text))).encode()
    except ValueError:
        return text


def _places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            yield from _places(each, (*path, key))


def _replace(value: Any, path: tuple[Any, ...], chance: random.Random) -> Any:
    """Change what is at a path, or leave it out, or have it twice."""
    key, *rest = path
    changed = dict(value) if isinstance(value, dict) else list(value)
    if rest:
        changed[key] = _replace(value[key], tuple(rest), chance)
        return changed
    fate = chance.random()
    if fate < 0.15:
        del changed[key]
    elif fate < 0.3 and isinstance(changed, list):
        changed.insert(chance.randrange(len(changed) + 1), value[key])
    elif fate < 0.4 and isinstance(changed, list):
        chance.shuffle(changed)
    else:
        changed[key] = change_value(chance, key, value[key])
    return changed


def change_value(chance: random.Random, key: Any, value: Any) -> Any:  # noqa: PLR0911 - a list
    """Return another value for a field."""
    match value:
        case bool():
            return not value
        case int() | float():
            return chance.choice((value + 1, value - 1, -value, 0, 1, 2))
        case str() if key == "rule":
            return draw_rule(chance)
        case str() if key in WORDS:
            return chance.choice(WORDS[key])
        case str():
            return change_word(chance, value)
        case list() | dict() if value:
            return change_json(chance, value)
        case None:
            return 0
    return value


def change_word(chance: random.Random, word: str) -> str:
    """Return a word with another character, often another state of a cell."""
    if word in WORDS["goals"]:
        return chance.choice(WORDS["goals"])
    if not word:
        return "o"
    place = chance.randrange(len(word))
    state = word[place]
    if state in "o.?":
        other = chance.choice([each for each in "o.?" if each != state])
    elif state.isdigit():
        other = str((int(state) + chance.choice((1, 9))) % 10)
    else:
        other = chance.choice(("", "o", "0", state + state))
    return word[:place] + other + word[place + 1 :]


def cut(chance: random.Random, content: bytes) -> bytes:
    """Return the beginning of a file, or it without a part of it."""
    first, last = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return content[:last] if chance.random() < 0.6 else content[:first] + content[last:]


def change_lines(chance: random.Random, text: bytes) -> bytes:
    """Return lines of which one is missing, repeated, in another place, or the last are missing."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return b"\n"
    here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[here]
        case 1:
            lines.insert(there, lines[here])
        case 2:
            lines.insert(there, lines.pop(here))
        case 3:
            lines = lines[:here]
        case 4:
            lines += lines
    return b"".join(lines)


def change_proof(chance: random.Random, proof: bytes) -> bytes:
    """Return a proof that differs a little, or much."""
    lines = proof.splitlines(keepends=True)
    steps = [number for number, line in enumerate(lines) if line.strip()]
    if not steps or chance.random() < 0.35:
        return change_lines(chance, proof)
    number = chance.choice(steps)
    lines[number] = chance.choice(_STEPS)(chance, lines[number].decode()).encode()
    return b"".join(lines)


def _flip_literal(chance: random.Random, line: str) -> str:
    words = line.split()
    place = chance.randrange(len(words))
    words[place] = words[place][1:] if words[place].startswith("-") else f"-{words[place]}"
    return " ".join(words) + "\n"


def _drop_word(chance: random.Random, line: str) -> str:
    words = line.split()
    del words[chance.randrange(len(words))]
    return " ".join(words) + "\n"


def _other_number(chance: random.Random, line: str) -> str:
    words = line.split()
    words[chance.randrange(len(words))] = str(chance.choice((0, 1, -1, chance.randint(1, 400))))
    return " ".join(words) + "\n"


def _swap_words(chance: random.Random, line: str) -> str:
    words = line.split()
    i, j = (chance.randrange(len(words)) for _ in range(2))
    words[i], words[j] = words[j], words[i]
    return " ".join(words) + "\n"


def _empty_clause(chance: random.Random, line: str) -> str:
    """Derive nothing from what the step has derived its clause from."""
    words = line.split()
    if words[1:2] == ["d"] or "0" not in words:
        return f"{words[0]} 0 1 0\n"
    return " ".join([words[0], *words[words.index("0") :]]) + "\n"


_STEPS: tuple[Callable[[random.Random, str], str], ...] = (
    _flip_literal,
    _drop_word,
    _other_number,
    _swap_words,
    _empty_clause,
)


def trivial_proofs(clauses: int) -> list[bytes]:
    """Return proofs that prove nothing, or that a careless checker believes."""
    new, last = clauses + 1, clauses
    hints = " ".join(map(str, range(1, min(clauses, 60) + 1)))
    return [
        b"",
        b"0\n",
        f"{new} 0 0\n".encode(),
        f"{new} 0 {hints} 0\n".encode(),
        f"{new} 0 {new} 0\n".encode(),
        f"{last} 0 {last} 0\n".encode(),
        f"{new} 1 -1 0 0\n{new + 1} 0 {new} 0\n".encode(),
        f"{new} 1 0 -1 0\n{new + 1} -1 0 -1 0\n{new + 2} 0 {new} {new + 1} 0\n".encode(),
        f"{new} d {hints} 0\n{new} 1 0 0\n{new + 1} -1 0 0\n".encode(),
    ]
