"""The page Booth: one box, one key, before and after."""
