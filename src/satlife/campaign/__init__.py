"""Campaigns: many searches, on one machine or on many, with nothing lost."""
