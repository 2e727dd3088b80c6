"""From a problem to its formula: folding, encodings, measures, symmetry breaking."""
