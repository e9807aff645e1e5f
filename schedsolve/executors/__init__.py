"""Executors: pure functions on picklable values, worked off by other processes of this machine or by a
cluster.

A job is a function of some module with its arguments; its results come as they complete. What a worker that
dies was doing is done again by another. Executors know nothing of problems, and workers nothing of what
becomes of their results.
"""
