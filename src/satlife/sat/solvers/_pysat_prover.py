"""PySAT's CaDiCaL as a program: ``python _pysat_prover.py SOLVER FORMULA PROOF``.

PySAT asks its CaDiCaL for DRAT, in a temporary file that it reads back as a list of strings.  The
library underneath can do better: with its option ``lrat``, which must be set before the proof is
opened, it writes LRAT as text to any file.  (For the ids, see ``proofs/trim.py``.)  The answer
is printed in the solvers' usual form.  This file is run as a script.
"""

import os
import sys
from pathlib import Path


def main(name: str, formula: str, proof: str) -> int:
    """Solve, and return the exit code."""
    import pysat.solvers  # noqa: PLC0415

    solver = pysat.solvers.Solver(name=name)
    solver.configure({"lrat": 1, "binary": 0})
    trace = getattr(pysat.solvers.pysolvers, f"{name}_tracepr")
    file = Path(proof).open("w+b")  # noqa: SIM115
    writing = trace(solver.solver.cadical, file)
    with Path(formula).open("rb") as source:
        text = b"".join(line for line in source if line[:1] not in (b"c", b"p"))
    numbers, start = [*map(int, text.split())], 0
    while start < len(numbers):
        end = numbers.index(0, start)
        solver.add_clause(numbers[start:end])
        start = end + 1
    satisfied = solver.solve()
    model = solver.get_model() or [] if satisfied else []
    # The rest of the proof is still in C's buffer; deleting the solver would lose it.
    pysat.solvers.pysolvers.flushpr(writing)
    lines = ["s SATISFIABLE" if satisfied else "s UNSATISFIABLE"]
    if satisfied:
        lines += [f"v {literal}" for literal in model] + ["v 0"]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return 10 if satisfied else 20


if __name__ == "__main__":
    os._exit(main(*sys.argv[1:]))
