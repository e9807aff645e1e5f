"""Constructions for the line model: full protocols, every call with its path."""
