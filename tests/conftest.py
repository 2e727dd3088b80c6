"""What all tests share: nothing but the settings of Hypothesis."""

from hypothesis import settings

# A slow machine is not a bug, so no deadline. Where the variable CI is set, Hypothesis has already
# loaded its own profile "ci", which has none either and tries the same examples in every run.
settings.register_profile("house", deadline=None)
if settings.get_current_profile_name() == "default":
    settings.load_profile("house")
