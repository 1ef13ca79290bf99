"""The page Organise: studies, their raters and results."""
