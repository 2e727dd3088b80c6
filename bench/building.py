"""One large formula, built in a process of its own: ``python -m bench.building columns``.

Prints JSON: seconds of user CPU, variables, clauses, bytes of literals, peak memory.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from satlife import Problem, build

if sys.platform != "win32":
    import resource

BOX = "100x100"
STEPS = 20


def build_large(encoding: str, box: str = BOX, steps: int = STEPS) -> dict[str, Any]:
    """Build the formula of a free box over so many steps, and tell what it took."""
    resting = resource.getrusage(resource.RUSAGE_SELF)
    formula = build(Problem(boxes=(box,), steps=steps), encoding).formula
    done = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "encoding": encoding,
        "seconds": done.ru_utime + done.ru_stime - resting.ru_utime - resting.ru_stime,
        "variables": formula.variables,
        "clauses": formula.clauses,
        "literal_bytes": sum(block.literals.nbytes for block in formula.blocks),
        "peak_bytes": done.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(build_large(sys.argv[1])))
