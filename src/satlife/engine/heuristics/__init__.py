"""Incomplete searches, which find solutions but refute nothing: restrictions, soups, hunters."""
