"""Checking solutions, with the simulator and nothing of the encoder."""
