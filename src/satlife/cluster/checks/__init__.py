"""Proof checks as tasks: a recorder asks, checkers that the operator trusts answer."""
