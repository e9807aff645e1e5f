"""Periodic schedules from the literature, for paths and complete trees."""
