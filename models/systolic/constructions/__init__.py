"""Periodic schedules from the literature, for paths, stars and complete trees."""
