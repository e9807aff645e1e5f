"""The clauses for "at most one of many literals holds"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from schedsolve.modelkit.formulas.cnf import Cnf

LONGEST_PAIRWISE = 4
"""The most literals for which "at most one holds" is stated for every pair."""


def at_most_one(cnf: Cnf, literals: Sequence[int]) -> None:
    """Require that at most one of the literals holds, with a ladder of new variables if there are many."""
    if len(literals) <= LONGEST_PAIRWISE:
        cnf.at_most_one(literals)
        return
    steps = [cnf.new() for _ in literals[1:]]
    for literal, step in zip(literals, steps, strict=False):
        cnf.add(-literal, step)
    for literal, step in zip(literals[1:], steps, strict=True):
        cnf.add(-literal, -step)
    for step, following in pairwise(steps):
        cnf.add(-step, following)
