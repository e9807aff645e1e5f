"""How synchronous problems are solved."""

from __future__ import annotations

import time
from collections.abc import Iterator

from schedsolve.modelkit.search import Finding, Improvement, Question
from schedsolve.result import Bound

from ..claims.compositions import adds_directly
from ..claims.hops import least_steps
from ..rules.collective import collective_of
from ..rules.mirror import MIRRORED, backwards, mirrored, spreading
from .reductions import ReductionSearch
from .search import Search


def _improve(question: Question) -> Iterator[Finding]:
    """Work on the problem until it is settled, the time is up, or nothing is left to try."""
    problem, end = question.problem, time.monotonic() + question.seconds
    if problem.parameters["steps"] < least_steps(collective_of(spreading(problem))):
        return
    known = lambda: end - time.monotonic(), question.certify, question.best
    directly = adds_directly(problem)
    search = ReductionSearch(problem, *known) if directly else Search(mirrored(problem), *known)
    for found in search.run():
        if found is None or isinstance(found, Bound):
            yield found
        else:
            yield problem, backwards(found) if problem.task in MIRRORED and not directly else found


IMPROVEMENTS = (Improvement("flows, trees and formulas", "sat", _improve),)
