r"""Metrics as text, in the format that Prometheus reads, by its own library (extra ``cluster``).

A metric is made anew for each scrape.

>>> states = {"queued": 3, "found": 1}
>>> print(write([gauge("satlife_tasks", "Tasks by state.", states, label="state")]), end="")
# HELP satlife_tasks Tasks by state.
# TYPE satlife_tasks gauge
satlife_tasks{state="queued"} 3.0
satlife_tasks{state="found"} 1.0
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from satlife.errors import UsageError
from satlife.machine import how_to_install

if TYPE_CHECKING:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

    Family = CounterMetricFamily | GaugeMetricFamily

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

Values = float | Mapping[str, float]
"""A number, or numbers by the values of one label."""


def gauge(name: str, help_: str, values: Values, *, label: str = "") -> Metric:
    """Return a metric that goes up and down."""
    return _fill(import_prometheus().core.GaugeMetricFamily, name, help_, values, label)


def counter(name: str, help_: str, values: Values, *, label: str = "") -> Metric:
    """Return a metric that only grows; its name ends in ``_total``."""
    return _fill(import_prometheus().core.CounterMetricFamily, name, help_, values, label)


def _fill(family: type[Family], name: str, help_: str, values: Values, label: str) -> Metric:
    metric = family(name, help_, labels=[label] if label else [])
    for word, value in (values if isinstance(values, Mapping) else {"": values}).items():
        metric.add_metric([word], value)
    return metric


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
        bounds = (*(repr(bound).removesuffix(".0") for bound in self.bounds), "+Inf")
        buckets = tuple(zip(bounds, accumulate(self.counts), strict=True))
        family = import_prometheus().core.HistogramMetricFamily
        metric: Metric = family(name, help_, buckets, self.total)
        return metric


def write(metrics: Iterable[Metric]) -> str:
    """Return the metrics as text."""
    text: bytes = import_prometheus().generate_latest(SimpleNamespace(collect=lambda: metrics))
    return text.decode()


def import_prometheus() -> Any:
    """Import prometheus-client; raise an error that says how to install it."""
    try:
        import prometheus_client.core  # noqa: PLC0415  # an extra, and slow to import
    except ImportError:
        raise UsageError(
            f"--metrics needs prometheus-client: {how_to_install('cluster')}"
        ) from None
    return prometheus_client
