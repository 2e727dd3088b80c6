"""The SAT engine: search, case splitting, listing and optimisation."""
