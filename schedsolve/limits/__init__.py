"""Limits of what is read and of how long work takes."""
