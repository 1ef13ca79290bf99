"""Victims from outside: transformers models, services, functions."""
