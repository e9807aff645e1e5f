"""Schedules as data that move, which programs and times are made from."""
