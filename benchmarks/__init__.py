"""Measurements of schedsolve, and of the integer program that it is compared with."""
