"""How synchronous problems are solved."""

from __future__ import annotations

import time
from collections.abc import Iterator

from schedsolve.modelkit.search import Finding, Improvement, Question
from schedsolve.result import Bound, Objective

from ..claims.hops import least_steps
from ..rules.collective import collective_of
from .search import Search

ROUNDS_PER_CHUNK = Objective("rounds per chunk")


def _improve(question: Question) -> Iterator[Finding]:
    """Work on the problem until it is settled, the time is up, or nothing is left to try."""
    problem, end = question.problem, time.monotonic() + question.seconds
    if problem.parameters["steps"] < least_steps(collective_of(problem)):
        return
    search = Search(problem, lambda: end - time.monotonic(), question.certify, question.best)
    for found in search.run():
        yield found if found is None or isinstance(found, Bound) else (problem, found)


IMPROVEMENTS = (Improvement("flows, trees and formulas", "sat", _improve),)
