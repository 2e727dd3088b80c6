"""The picture of the benchmark: seconds by task, satlife and Logic Life Search."""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bench.series import number
from bench.summary import Comparison, Summary

OURS, THEIRS, GAIN, LOSS, WORDS = "#1b6ca8", "#d9822b", "#c9dcea", "#f2d9bd", "#333333"
XLABEL = "user CPU seconds of the whole command; tasks in italics are impossible"
TICKS = (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)


def draw(summary: Summary, path: Path) -> None:
    """Draw one line for each task: a dot for each program, joined, on a logarithmic scale."""
    rows = [row for row in summary.comparisons() if row.ours.seconds]
    with plt.rc_context({"font.family": "DejaVu Sans", "font.size": 9, "text.color": WORDS}):
        figure, axes = plt.subplots(figsize=(9, 1.6 + 0.27 * max(len(rows), 1)), dpi=150)
        axes.set_xscale("log")
        for y, row in enumerate(rows):
            _draw_row(axes, y, row)
        labels = [f"{row.task.words}   {row.task.name}" for row in rows]
        axes.set_yticks(range(len(rows)), labels)
        for label, row in zip(axes.get_yticklabels(), rows, strict=True):
            label.set_fontstyle("italic" if row.task.answer == "impossible" else "normal")
        axes.set_ylim(len(rows) - 0.3, -0.7)
        axes.set_xlim(0.15, 200)
        axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
        axes.minorticks_off()
        axes.set_xlabel(XLABEL, color=WORDS)
        axes.grid(axis="x", color="#e6e6e6", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.tick_params(length=0, colors=WORDS)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color("#bbbbbb")
        axes.plot([], [], "o", color=OURS, label="satlife, its defaults")
        axes.plot([], [], "o", color=THEIRS, label="Logic Life Search + Kissat 4.0.4 (scaled)")
        axes.plot([], [], ">", color="#888888", label="not ended by then")
        axes.legend(
            loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, handletextpad=0.2
        )
        axes.text(1.0, -0.75, "times faster", transform=axes.get_yaxis_transform(), ha="center")
        figure.savefig(path, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)


def _draw_row(axes: Axes, y: int, row: Comparison) -> None:
    ours_ended = math.isfinite(row.ours.median)
    if not math.isnan(row.theirs):
        colour = GAIN if row.theirs >= row.ours.bound else LOSS
        if ours_ended or row.theirs_ended:
            axes.plot([row.ours.bound, row.theirs], [y, y], color=colour, linewidth=5, zorder=1)
        axes.plot(row.theirs, y, "o" if row.theirs_ended else ">", color=THEIRS, markersize=7)
    axes.plot(row.ours.bound, y, "o" if ours_ended else ">", color=OURS, markersize=7)
    if row.is_counted:
        mark = "" if row.theirs_ended else ">"
        axes.text(
            1.0,
            y,
            f"{mark}{number(row.ratio)}",
            transform=axes.get_yaxis_transform(),
            ha="center",
            va="center",
            color=OURS if row.ratio >= 1 else THEIRS,
            weight="bold" if row.ratio >= 2 else "normal",
        )
