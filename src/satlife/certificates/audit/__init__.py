"""The audit: a second, plain way from a problem to clauses, and the theory that proofs rest on."""
