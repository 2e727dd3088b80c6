"""The SAT engine, and the ways in which it divides, lists and optimises."""
