"""Limits on the input and on running time."""
