"""What several pages share: the question, widgets, background work, who may do what."""
