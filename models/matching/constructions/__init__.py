"""Constructions and heuristics for schedules of matching rounds."""
