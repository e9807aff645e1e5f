"""Algorithms that build pipelined schedules."""
