"""The row engine: ships of any length."""
