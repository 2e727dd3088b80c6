"""A solver of PySAT and nothing around it: ``python bare.py cadical300 formula.cnf``.

The yardstick for what satlife adds: it reads DIMACS and solves in one call.  Exit codes 10 and 20.
"""

import sys

from pysat.formula import CNF
from pysat.solvers import Solver


def main(name: str, path: str) -> int:
    """Solve the file; return the exit code."""
    with Solver(name=name, bootstrap_with=CNF(from_file=path)) as solver:
        return 10 if solver.solve() else 20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
