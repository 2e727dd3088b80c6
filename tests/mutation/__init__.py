"""Programs broken on purpose, to see that it is noticed."""
