"""Checking certificates: nothing in a folder is believed but the problem and the claim."""
