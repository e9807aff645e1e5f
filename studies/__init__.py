"""Measurements for the figures and tables of the documentation, each a program of its own."""
