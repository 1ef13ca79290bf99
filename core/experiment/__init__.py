"""Experiments: many inputs, victims, substitutions and searches, by a plan that can be resumed."""
