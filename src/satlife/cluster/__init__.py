"""Campaigns on many machines: a recorder and workers, with a broker between them.

All modules need the extra ``cluster``.
"""

from satlife.errors import UsageError

try:
    import nats  # noqa: F401  # whether it is there
except ImportError:
    raise UsageError(
        "campaigns on many machines need nats-py: pip install 'satlife[cluster]'"
    ) from None
