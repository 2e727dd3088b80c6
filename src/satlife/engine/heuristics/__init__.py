"""Searches that find and never refute: restrictions, soups, hunters."""
