"""Schedules as pictures show them, step by step."""
