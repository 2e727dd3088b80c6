"""The benchmark: fixed tasks, measured runs, and the page that is written from them.

``just bench`` measures everything, ``just bench-quick`` a little of it; both write
``bench/results`` and, from that, docs/benchmarks.md and its picture.
"""
