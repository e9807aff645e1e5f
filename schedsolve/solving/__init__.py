"""Solving: bounds, constructions and searches until both sides meet."""
