"""Pipelined schedules cut into chunks and steps, for programs."""
