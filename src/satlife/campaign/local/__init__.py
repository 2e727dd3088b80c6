"""Campaigns on one machine: child processes solve, one file is the ledger."""
