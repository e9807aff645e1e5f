"""Schedules in periodic rounds of calls as data that move."""

from schedsolve.machines.movement.movement import movement_of_calls as movement

__all__ = ["movement"]
