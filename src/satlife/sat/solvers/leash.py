"""A pipe that nobody writes to: its end tells a child process that its parent has ended.

The parent's side; the child's is ``Lifeline`` in ``_pysat_child.py``.  (The pipe of the child's
standard input would not do: the kernel may announce a write after the child has read it all.)
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any


class Leash:
    """The end of the pipe that this process holds; on Windows there is none."""

    def __init__(self) -> None:
        self.fd: int | None = None
        """The child's end, by its number in the child."""
        self._held: int | None = None
        if sys.platform != "win32":
            self.fd, self._held = os.pipe()

    @property
    def options(self) -> dict[str, Any]:
        """What ``Popen`` must be told."""
        return {} if self.fd is None else {"pass_fds": (self.fd,)}

    def hand_over(self) -> None:
        """Close the child's end here: the child has it now, or never will."""
        if self.fd is not None:
            os.close(self.fd)

    def close(self) -> None:
        """Let go."""
        held, self._held = self._held, None
        if held is not None:
            with contextlib.suppress(OSError):
                os.close(held)
