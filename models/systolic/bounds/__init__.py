"""Bounds and answers that take a search to find, with evidence that the claims check."""
