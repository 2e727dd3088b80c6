"""What all tests share: nothing but the settings of Hypothesis."""

import os

from hypothesis import HealthCheck, settings

# A slow machine is not a bug: no deadline, and no complaint about slow draws. In CI the same
# examples are tried in every run.
settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="CI" in os.environ,
)
settings.load_profile("house")
