"""Algorithms that build schedules."""
