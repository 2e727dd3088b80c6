"""The verification of solutions, by the simulator and independent of the encoder."""
