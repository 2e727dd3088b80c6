"""A base class for resources that a ``with`` statement closes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """A resource with a ``close()`` that a ``with`` statement calls at its end."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; calling it again is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
