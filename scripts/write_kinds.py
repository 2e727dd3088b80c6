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

EXAMPLES = {
    "still-life": ("", "2ob2ob2o$2ob2ob2o2$2ob2ob2o$2ob2ob2o2$2ob2ob2o$2ob2ob2o!"),
    "oscillator": ("", "3b2o$2bo2bo$bo4bo$o6bo$o6bo$bo4bo$2bo2bo$3b2o!"),
    "ship": ("", "8bo$b2ob3ob3o$b2o4bo2b2ob2o$o2bob2o3bo2b2o$12bo2bo!"),
    "agar": ("", "x = 4, y = 4, rule = B3/S23:T4,4\n3bo$bo$o$2bo!"),
    "wick": ("", "x = 4, y = 5, rule = B3/S23:T4,0\n2$b3o!"),
    "eater": (":generations: 9\n", "bo$2bo$3o2$4b2o$4bobo$6bo$6b2o!"),
    "catalyst": (":generations: 37\n", "9bo$7bobo$2o4bobo$2o3bo2bo$6bobo$7bobo$9bo!"),
    "reaction": (":generations: 16\n", "9bo$7bobo$6bobo$2o3bo2bo$2o4bobo$7bobo$9bo!"),
}
"""A solution of each kind; of some, for a number of generations."""
COMMANDS = {
    "still-life": "satlife still-life --box 8x8 --population 36..",
    "oscillator": "satlife oscillator 5 --box 8x8 --symmetry C4",
    "ship": "satlife ship c/3 --box 16x6",
    "agar": "satlife agar 2 --box 4x4",
    "wick": "satlife wick 2 --box 4x3 --population 3",
    "eater": "satlife eater --input glider.rle --region 4..11,4..11 --within 8 --population ..7",
    "catalyst": "satlife catalyst bee.rle --region -7..-3,1..6 --population ..4 --contact 7",
    "reaction": "satlife reaction --before before.rle --after after.rle --within 15 "
    "--region -7..-3,1..6 --population ..4",
}
"""What finds it."""

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
        f"[the guide](../how-to/{kind.name}.md).\n\n{show(kind.name)}"
        f"| option | keyword | means | default |\n|---|---|---|---|\n{rows}\n"
    )


def show(name: str) -> str:
    """Return a solution that the reader can play, if there is one."""
    if name not in EXAMPLES:
        return ""
    options, rle = EXAMPLES[name]
    files = f":files: how-to/{name}\n" * (".rle" in COMMANDS[name])
    return f"```{{player}}\n:command: {COMMANDS[name]}\n{files}{options}\n{rle}\n```\n\n"


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
