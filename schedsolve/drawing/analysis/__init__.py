"""Analyses of schedules: time-paths, delays and collisions."""
