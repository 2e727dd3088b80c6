"""Write docs/reference/kinds.md from the kinds themselves.

``python scripts/write_kinds.py``; a test fails when the page is not what this writes.
"""

from __future__ import annotations

from pathlib import Path

from satlife.kinds import KINDS, Kind, Parameter

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "kinds.md"

INTRODUCTION = """\
# Kinds of searches

Each kind is a command and a function of the same name, with the same parameters. This page is
written by `scripts/write_kinds.py` from the kinds themselves (`satlife.KINDS`).

| kind | what it does | yes means | in plans |
|---|---|---|---|
"""
AXES = {None: "no", "none": "yes", "periods": "with `periods`", "speeds": "with `speeds`"}

MEANING = """
**Yes** is the answer with which a command exits with 0. Mostly it is *found*. `satlife orphan` asks
whether a pattern is an orphan, so there it is *impossible*: no parent exists. In Python,
`satlife.answers_yes(outcome)` returns True, False, or None if the search is undecided.
"""


def describe(kind: Kind) -> str:
    """Return the section of a kind."""
    rows = "\n".join(row(parameter) for parameter in kind.parameters)
    text = kind.text.replace("  ", " ")
    return (
        f"\n## {kind.name}\n\n{text} A solution is {kind.a_noun}. See "
        f"[`satlife {kind.name}`](cli/{kind.name}.md) and "
        f"[the guide](../how-to/{kind.name}.md).\n\n"
        f"| option | keyword | means | default |\n|---|---|---|---|\n{rows}\n"
    )


def row(parameter: Parameter) -> str:
    """Return the row of a parameter."""
    option = parameter.metavar if parameter.argument else parameter.option
    means = parameter.help.replace("  ", " ").replace("|", r"\|") or "the first word"
    default = "required" if parameter.required else ""
    default = f"`{parameter.default_text}`" if parameter.default_text is not None else default
    several = " May be given several times." if parameter.many else ""
    return f"| `{option}` | `{parameter.name}` | {means}{several} | {default} |"


def render() -> str:
    """Return the page."""
    table = "".join(
        f"| [`{kind.name}`](#{kind.name}) | {kind.summary} | {kind.yes} | {AXES[kind.axis]} |\n"
        for kind in KINDS
    )
    return INTRODUCTION + table + MEANING + "".join(map(describe, KINDS))


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
