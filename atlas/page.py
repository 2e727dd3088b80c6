"""The pages of the atlas, from what is recorded; and the words that its tables share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from atlas.table import ARCHIVE, RECORDS, ROOT, Answers, Record, Table
from bench.markdown import table
from satlife import Pattern
from satlife.life.identity import Identity

__all__ = ["anchor", "link", "list_certificates", "name_object", "player", "players", "table"]

INDEX, KNOWN = ROOT / "docs" / "atlas" / "index.md", ROOT / "docs" / "atlas" / "known.md"

MANY = 40
"""Rows of a table that is folded."""


def link(words: str, name: str, page: str = "") -> str:
    """Return a link to the row of a certificate, or to the first row of a question."""
    return f'<a href="{page}#{anchor(name)}">{words}</a>'


def anchor(name: str) -> str:
    """Return the name of a place on a page."""
    kept = "".join(each if each.isalnum() or each in "-_." else "-" for each in name.lower())
    return f"c-{kept}"


def list_certificates(answers: Answers, question: str) -> str:
    """Return a link to the certificates of a question: "6 certificates"; or that there are none."""
    found = answers.by_question.get(question, [])
    words = "1 certificate" if len(found) == 1 else f"{len(found)} certificates"
    return link(words, found[0].name) if found else "no certificate"


def name_object(identity: Identity) -> str:
    """Return the name of an object, and its code with a link to Catagolue."""
    names = [f"**{identity.name}**"] if identity.name else []
    if code := identity.apgcode:
        names.append(f"[{code}](https://catagolue.hatsya.com/object/{code}/b3s23)")
    return ", ".join(names)


def player(
    pattern: Pattern | str,
    command: str,
    title: str = "",
    view: str = "",
    question: str = "",
    generations: int = 0,
) -> str:
    """Return a pattern that the reader can play; the build verifies it against its command.

    If the command asks for the best, the question is the command that has the pattern's value.
    """
    text = pattern if isinstance(pattern, str) else pattern.to_rle()
    lines = ["```{player}", f":command: {command}"]
    lines += [f":title: {title}"] if title else []
    lines += [f":view: {view}"] if view else []
    lines += [f":question: {question}"] if question else []
    lines += [f":generations: {generations}"] if generations else []
    body = [line for line in text.splitlines() if not line.startswith("#")]
    return "\n".join([*lines, "", *body, "```", ""])


def players(shown: Iterable[str]) -> str:
    """Return several players, side by side; nothing if there are none."""
    drawn = list(shown)
    return "\n".join(["::::{container} players", *drawn, "::::", ""]) if drawn else ""


def write_page(described: Table, answers: Answers) -> str:
    """Return the page of a table."""
    certified = [each for each in answers.records.values() if each.answer == "certified"]
    certified.sort(key=lambda each: _order(each.name))
    parts = [f"# {described.title}", described.body(answers).strip()]
    if certified:
        parts.append(
            _CERTIFICATES.format(
                name=described.name,
                count=len(certified),
                kept=_say_kept(described, sum(each.kept for each in certified)),
                records=_download(described, RECORDS),
                least=_LEAST if any("@least" in each.statement for each in certified) else "",
                rows=_fold(table(_HEAD, map(_row, certified), numbers_from=2).strip()),
            ).strip()
        )
    return "\n\n".join(parts) + "\n"


_HEAD = ("certificate", "statement", "bytes", "check, s", "SHA-256", "kept")
_CERTIFICATES = """
## Certificates

{count} certificates, each checked by `satlife check` when it was made. {kept}
`just atlas check {name}` makes those that are not kept again, checks all, and says how
many are the same bytes; other versions may write another proof of the same statement.
{records} has the command and the whole hash of each. The bytes and the hash are without
`certificate.json`, which has times; the hash is that of what `sha256sum *` prints in the folder.
Checks are in seconds of processor time.{least}

{rows}
"""
_LEAST = """ `population@least` is the population of the
generation that has the fewest cells."""


def _say_kept(described: Table, count: int) -> str:
    if not count:
        return "They are too large to be kept."
    return (
        f"The {count} small ones are kept in {_download(described, ARCHIVE)}, and CI checks them."
    )


def _download(described: Table, file: str) -> str:
    return f"{{download}}`{file} <../../atlas/data/{described.name}/{file}>`"


def _order(name: str) -> list[tuple[int, str]]:
    """Return a key by which 9x9 comes before 10x10."""
    return [(int(each), "") if each.isdigit() else (0, each) for each in re.split(r"(\d+)", name)]


def _fold(rows: str) -> str:
    """Return a table, to be unfolded by the reader if it is long; links to its rows unfold it."""
    if rows.count("\n") < MANY:
        return rows
    return f"<details>\n<summary>Show all certificates</summary>\n\n{rows}\n\n</details>"


def _row(record: Record) -> Sequence[str]:
    name = f'<span id="{anchor(record.name)}">{record.name}</span>'
    size, check = f"{record.bytes:,}", f"{record.check:.2f}"
    kept = "yes" if record.kept else ""
    return name, record.statement, size, check, f"`{record.sha256[:16]}`", kept


def write_index(tables: Sequence[Table], all_answers: Sequence[Answers]) -> str:
    """Return the first page of the atlas."""
    rows = []
    for each, answers in zip(tables, all_answers, strict=True):
        certified = [one for one in answers.records.values() if one.answer == "certified"]
        kept = sum(one.kept for one in certified)
        about = f"[{each.title}]({each.name}.md)", each.summary
        rows.append((*about, str(len(certified) or "–"), str(kept or "–")))
    head = ("table", "what it says", "certificates", "kept")
    toctree = "\n".join(each.name for each in tables)
    return _INDEX.format(rows=table(head, rows, numbers_from=2).strip(), toctree=toctree)


def write_known(tables: Sequence[Table]) -> str:
    """Return the page that says what was known."""
    texts = (f"## [{each.title}]({each.name}.md)\n\n{each.known.strip()}" for each in tables)
    return "\n\n".join((_KNOWN.strip(), *texts)) + "\n"


_INDEX = """\
# An atlas of Life, with proofs

Tables of the smallest, fastest and densest things in Conway's Game of Life. The patterns were
verified, and run on these pages; every "none" has a proof, which anyone can check.

{rows}

The maps of rules, and the formulas, have proofs of another form; their pages say how to check them.
[](known.md) says which entries were known before, and which we believe to be new;
[](../results.md) has the main statements of all tables, and how to check them.

## What an entry means

- A **pattern** was found by a search and verified by the simulator. It is verified again whenever
  these pages are built: one that does not solve the command beside it stops the build.
- **None** was proved: a *certificate* says so, with every assumption in words, and
  [`satlife check`](../how-to/prove.md) has accepted it. Each page ends with a list of its
  certificates, with the size and the hash of each.
- **Undecided** is neither. The entry says how far the search came, and which limit ended it.

A box holds all generations of a pattern. What is impossible in a box is impossible in every box
that fits into it, so a certificate for a long thin box speaks for many small ones.

## Check it

The small certificates of a table are in `atlas/data/NAME/certificates.tar.xz`, without the
formulas, which follow from the problems. In a clone of the repository:

```sh
just atlas check --quick   # those that are kept, in less than a minute; CI does this
just atlas check           # all of them; those not kept are made again, for hours
```

## Run more of it

A table is made from `atlas/data/NAME/plan.toml`, a plan for
[`satlife campaign`](../how-to/campaigns.md), and from commands that its page lists. `just atlas
NAME` does what is left, for as long as you like; Ctrl-C stops it, and the same command goes on.
Undecided entries are given more time, and then tried again, by

```sh
satlife campaign retry atlas/data/NAME/plan.toml \\
    --ledger dist/atlas/NAME/plan.db --undecided --timeout 1h
just atlas NAME
```

```{{toctree}}
:hidden:

known
{toctree}
```
"""

_KNOWN = """
# What was known

For each table: which of its entries others have found or proved, with the source, and which we
believe to be new, and why.
"""
