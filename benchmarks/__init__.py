"""Measurements of schedsolve, and of the integer programme that it is compared with."""
