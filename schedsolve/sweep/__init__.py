"""Solving, storing, comparing and tabulating many problems."""
