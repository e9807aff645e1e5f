"""Executors: run pure functions of picklable values in processes or on a cluster.

A job is a function of a module with its arguments; its results are yielded as they complete. The job of
a worker that dies is given to another worker. Executors know nothing of problems, and workers know
nothing of what is done with their results.
"""
