"""Shared parts of the commands that search: options, ways to search, progress and answers."""
