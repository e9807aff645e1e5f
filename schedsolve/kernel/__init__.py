"""The parts of a program that verifies one result and needs nothing else.

Each part is a definition that a reader can check against the literature, in the standard
library of Python 3.9. A part imports nothing else of the package, and only those parts whose
definitions it builds on. `schedsolve.export.bundles.bundle` assembles the text of the parts that a
result needs.
"""
