r"""Metrics as text, in the format that Prometheus reads (version 0.0.4).

A metric is a value; who measures it makes it anew for each scrape.

>>> states = {"queued": 3, "found": 1}
>>> print(write([gauge("satlife_tasks", "Tasks by state.", states, label="state")]), end="")
# HELP satlife_tasks Tasks by state.
# TYPE satlife_tasks gauge
satlife_tasks{state="queued"} 3
satlife_tasks{state="found"} 1
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Sample:
    """A number with its labels; ``suffix`` is for the parts of a histogram."""

    value: float
    labels: Labels = ()
    suffix: str = ""


@dataclass(frozen=True)
class Metric:
    """A name, what it means, and its numbers."""

    name: str
    kind: str
    """``counter``, ``gauge`` or ``histogram``."""
    help: str
    samples: tuple[Sample, ...]


Values = float | Mapping[str, float]
"""A number, or numbers by the values of one label."""


def gauge(name: str, help_: str, values: Values, *, label: str = "") -> Metric:
    """Return a metric that goes up and down."""
    return Metric(name, "gauge", help_, _samples(values, label))


def counter(name: str, help_: str, values: Values, *, label: str = "") -> Metric:
    """Return a metric that only grows; its name ends in ``_total``."""
    return Metric(name, "counter", help_, _samples(values, label))


def _samples(values: Values, label: str) -> tuple[Sample, ...]:
    if isinstance(values, Mapping):
        return tuple(Sample(value, ((label, name),)) for name, value in values.items())
    return (Sample(values),)


@dataclass
class Histogram:
    """Counts measurements by their size."""

    bounds: tuple[float, ...]
    counts: list[int] = field(init=False)
    total: float = 0.0

    def __post_init__(self) -> None:
        self.counts = [0] * (len(self.bounds) + 1)

    def add(self, value: float) -> None:
        """Count a measurement."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def metric(self, name: str, help_: str) -> Metric:
        """Return what was counted so far."""
        samples: list[Sample] = []
        below = 0
        for bound, count in zip((*self.bounds, math.inf), self.counts, strict=True):
            below += count
            samples.append(Sample(below, (("le", _number(bound)),), "_bucket"))
        samples += Sample(self.total, (), "_sum"), Sample(below, (), "_count")
        return Metric(name, "histogram", help_, tuple(samples))


def write(metrics: Iterable[Metric]) -> str:
    """Return the metrics as text."""
    lines: list[str] = []
    for metric in metrics:
        lines.append(f"# HELP {metric.name} {_escape(metric.help)}")
        lines.append(f"# TYPE {metric.name} {metric.kind}")
        for sample in metric.samples:
            words = ",".join(f'{k}="{_escape(v, quoted=True)}"' for k, v in sample.labels)
            labels = f"{{{words}}}" if words else ""
            lines.append(f"{metric.name}{sample.suffix}{labels} {_number(sample.value)}")
    return "".join(f"{line}\n" for line in lines)


def _escape(text: str, *, quoted: bool = False) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quoted else text


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if float(value).is_integer() else repr(float(value))
