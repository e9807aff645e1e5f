"""The parts of a program that verifies one result and needs nothing else: each a definition
that a reader can hold against the literature, in the standard library of Python 3.9.

A part imports no other room of the package, and of the parts only those whose definitions it
builds on. `schedsolve.export.bundle` puts the parts that a result needs together, by their
text.
"""
