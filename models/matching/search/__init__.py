"""Searches in the covering relaxation, compiled, which decisions run."""
