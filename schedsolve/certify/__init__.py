"""Checking what a saved file claims, without the solver that found it."""
