"""Other programs' figures on the same tasks, recorded once on another machine.

User CPU seconds on one shared core, give or take 20%.  They are compared with ours after scaling
by the calibration, a run that both machines have done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

CALIBRATION_SECONDS: Final = 3.4
"""Kissat 4.0.4, default options, on B10 in the encoding ``knuth``, on the recording machine."""


@dataclass(frozen=True)
class Recorded:
    """Logic Life Search: its Python encoder, then Kissat 4.0.4; median of 3."""

    variables: int
    clauses: int
    build: float
    solve: float
    ended: bool = True
    """False: it had not ended after ``solve`` seconds."""

    @property
    def seconds(self) -> float:
        """The whole run."""
        return self.build + self.solve


LLS: Final[dict[str, Recorded]] = {
    "B01": Recorded(1913, 35688, 0.23, 0.04),
    "B02": Recorded(3418, 62032, 0.42, 0.09),
    "B03": Recorded(5391, 88795, 0.44, 0.37),
    "B04": Recorded(5832, 105455, 0.40, 0.41),
    "B05": Recorded(6844, 127005, 0.70, 5.05),
    "B06": Recorded(2193, 39496, 0.19, 0.93),
    "B07": Recorded(3999, 72542, 0.47, 6.01),
    "B08": Recorded(2777, 51586, 0.23, 8.74),
    "B09": Recorded(2260, 33702, 0.17, 0.47),
    "B10": Recorded(2372, 33719, 0.21, 3.66),
    "B11": Recorded(3829, 53315, 0.35, 5.19),
    "B12": Recorded(4541, 67194, 0.45, 37.1),
    "B13": Recorded(1838, 29583, 0.16, 0.61),
    "B14": Recorded(2320, 36724, 0.24, 3.83),
    "B16": Recorded(1635, 26801, 0.15, 0.28),
    "B17": Recorded(16155, 309809, 1.62, 1.12),
    "B18": Recorded(9189, 174201, 0.71, 0.36),
    "B19": Recorded(22873, 434161, 2.67, 11.0),  # 11 and 44 were recorded; this is the better
    "B21": Recorded(10179, 174334, 1.03, 60.0, ended=False),
}

LIFESRC: Final = {"B03": 0.14, "B04": 0.023, "B05": 0.118, "B06": 0.056, "B07": 2.6, "B08": 0.83}
"""lifesrc 3.8, whole runs; it is no SAT program."""

QFIND: Final = {"B20": 16.6, "B21": 0.75, "B22": 0.11}
"""qfind 2.4 on the speeds and widths of these tasks; it bounds the width, not the length."""
