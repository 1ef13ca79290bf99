"""The page Rate: what a rater sees."""
