"""Formulas for special schedules, in which good ones are found."""
