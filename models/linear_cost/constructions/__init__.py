"""Algorithms of the linear cost model."""
