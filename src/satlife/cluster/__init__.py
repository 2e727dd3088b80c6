"""Campaigns on many machines: a recorder and workers, with a broker between them.

All modules need the extra ``cluster``.
"""

from satlife.errors import UsageError
from satlife.machine import how_to_install

try:
    import nats  # noqa: F401  # whether it is there
except ImportError:
    raise UsageError(
        f"campaigns on many machines need nats-py: {how_to_install('cluster')}"
    ) from None
