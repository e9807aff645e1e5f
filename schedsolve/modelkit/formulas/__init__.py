"""Formulas as data, and how they are written to files."""
