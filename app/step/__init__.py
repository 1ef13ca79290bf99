"""The page Step through: a search move by move."""
