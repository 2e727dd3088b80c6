"""The audit: an independent, plain encoding of problems, and the theory behind proofs."""
