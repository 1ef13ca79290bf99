"""The page Lattice: a visitor's own attack, by hand."""
