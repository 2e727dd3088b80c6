"""PySAT's CaDiCaL as a program: ``python _pysat_program.py SOLVER FORMULA PROOF``.

PySAT has its CaDiCaL write the proof to a temporary file, and offers only to read that whole
into a list of texts. Here the temporary file is the proof's file itself. The answer is printed
as solvers do. This is no part of the package satlife: it is started as a script.
"""

import os
import sys
from pathlib import Path
from typing import Any


def main(name: str, formula: str, proof: str) -> int:
    """Solve, and give the exit code."""
    import pysat.solvers  # noqa: PLC0415

    class Files:
        """What PySAT takes for the module tempfile."""

        @staticmethod
        def TemporaryFile() -> Any:  # noqa: N802
            return Path(proof).open("w+b")

    pysat.solvers.tempfile = Files
    solver = pysat.solvers.Solver(name=name, with_proof=True)
    clause: list[int] = []
    with Path(formula).open("rb") as file:
        for line in file:
            if line[:1] not in (b"c", b"p"):
                for literal in map(int, line.split()):
                    if literal:
                        clause.append(literal)
                    else:
                        solver.add_clause(clause)
                        clause = []
    satisfied = solver.solve()
    model = solver.get_model() or [] if satisfied else []
    # What is left of the proof in C's buffer; deleting the solver would lose it.
    pysat.solvers.pysolvers.flushpr(solver.solver.prfp)
    lines = ["s SATISFIABLE" if satisfied else "s UNSATISFIABLE"]
    if satisfied:
        lines += [f"v {literal}" for literal in model] + ["v 0"]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return 10 if satisfied else 20


if __name__ == "__main__":
    os._exit(main(*sys.argv[1:]))
