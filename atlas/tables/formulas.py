"""The formulas of ``just atlas suite``, and what was measured of them."""

from __future__ import annotations

from atlas.page import player, table
from atlas.suite import FAMILIES, LARGEST_PROOF, LIMIT, SOLVERS, Entry, count, read_record
from atlas.table import Answers, Table

BODY = """\
{count} formulas about patterns of Life and its relatives, in {families} families of three sizes,
for people who write SAT solvers: {sat} are satisfiable, {unsat} are not{open}. One command writes
them, with models, patterns and proofs, in the form that SAT competitions ask for:

```sh
just atlas suite FOLDER
```

Every formula is what a command of satlife prints, so that you can make others of any size; the same
version writes the same bytes. The folder has {megabytes:.0f} MB:

- `formulas/*.cnf.xz`: the formulas, in DIMACS; every variable occurs, and no clause has one twice;
- `manifest.csv` and `manifest.json`: the name, family, status, counts and SHA-256 of each, the hash
  of the Global Benchmark Database, seconds, and the hash of the proof;
- `description.tex`: the families, in the style of the IEEE's proceedings;
- `models/*.txt` and `models/*.rle`: models, and the patterns that they draw;
- `proofs/*.lrat.xz`: proofs in LRAT, those of at most {largest:.0f} MB before packing.

**How the status is known.** A model is checked against the clauses, and the pattern that it draws
by simulation (but not that of Knuth's programs, whose formulas do not name a problem). A proof is
checked by satlife and by `lrat-check`. Of a proof that is too large to keep, the manifest has the
hash, and the command makes it again.

**Seconds** are those of one processor ({processor}),
for handing over the clauses and solving them. A solver is stopped after {limit:.0f} s.
MiniSat was given {measured} formulas so far, and {interesting} of them take it longer than that;
competitions ask that half of the formulas that one sends take it longer than a minute. A dash: not
measured yet.

{tables}
"""
HEAD = ("size", "is there …", "status", "variables", "clauses", *SOLVERS, "proof")


def write_body(answers: Answers) -> str:
    """Return the page: what the set is, and a table for each family."""
    record = read_record()
    entries: dict[str, Entry] = record["formulas"]
    left = sum("status" not in each for each in entries.values())
    tables = []
    for family in FAMILIES:
        some = [each for each in entries.values() if each["family"] == family.name]
        tables += [f"## {family.name}", "", table(HEAD, map(write_row, some), numbers_from=3)]
        tables += [f"The last one: `{some[-1]['command']}`", "", *filter(None, map(show, some))]
    return BODY.format(
        count=len(entries),
        families=len(FAMILIES),
        sat=count(entries, "SAT"),
        unsat=count(entries, "UNSAT"),
        open=f", and {left} are not decided yet" if left else "",
        megabytes=record["bytes"] / 1e6,
        largest=LARGEST_PROOF / 1e6,
        processor=record["machine"]["processor"],
        limit=record["limit"],
        measured=sum("minisat" in each["seconds"] for each in entries.values()),
        interesting=sum(each["seconds"].get("minisat", 0) is None for each in entries.values()),
        tables="\n".join(tables),
    )


def show(entry: Entry) -> str:
    """Return the pattern of a satisfiable formula, if it can be played in an empty plane."""
    kind = entry["command"].split()[2]
    if "pattern" not in entry or kind not in {"oscillator", "ship"}:
        return ""
    command = entry["command"].replace(" cnf ", " ", 1)
    return player(entry["pattern"], command, f"{entry['size']}: {entry['asks']}")


def write_row(entry: Entry) -> tuple[str, ...]:
    """Return the row of a formula; what is not known yet has a dash."""
    told = {None: f"> {LIMIT:.0f}", -1: "–"}
    seconds = [entry["seconds"].get(each, -1) for each in SOLVERS]
    proof = entry.get("proof")
    return (
        entry["size"],
        entry["asks"],
        entry.get("status", "–"),
        f"{entry['variables']:,}",
        f"{entry['clauses']:,}",
        *(told.get(each, f"{each or 0:.2f}") for each in seconds),
        f"{proof['bytes'] / 1e6:.1f} MB" if proof else "",
    )


KNOWN = """\
The formulas are new, but for those of Knuth's programs, which belong to section 7.2.2.2 of *The Art
of Computer Programming*. The answers are those of other tables, or small. Two families repeat
theorems: a still life in a box is no denser than A055397 says, and one on a torus has at most half
of the cells (Noam Elkies, *The still-Life density problem and its generalizations*, 1998,
arXiv:math/9905194).
"""

TABLE = Table(
    name="formulas",
    title="Formulas for other solvers",
    summary="60 formulas of known status, with models, proofs and the seconds of three solvers",
    body=write_body,
    known=KNOWN,
)
