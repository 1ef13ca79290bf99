"""The page Race: several searches on one sentence."""
