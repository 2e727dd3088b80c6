"""The decisions of a campaign, pure: no clock, no file, no process, no network."""
