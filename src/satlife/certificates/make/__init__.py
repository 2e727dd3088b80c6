"""Making certificates: solve with proofs, write the folder, seal it."""
