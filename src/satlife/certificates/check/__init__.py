"""Checking certificates: nothing in a folder is trusted but the problem and the claim."""
