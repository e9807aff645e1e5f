"""How synchronous problems are solved."""

from __future__ import annotations

import time
from collections.abc import Iterator

from schedsolve.modelkit.search import Finding, Improvement, Question

from ..rules.steps import StepSchedule
from .reductions import findings


def _improve(question: Question) -> Iterator[Finding]:
    """Work on the problem until it is settled, the time is up, or nothing is left to try."""
    problem, end = question.problem, time.process_time() + question.seconds
    for found in findings(problem, lambda: end - time.process_time(), question.certify, question.best):
        yield (problem, found) if isinstance(found, StepSchedule) else found


IMPROVEMENTS = (Improvement("flows, trees and formulas", "sat", _improve),)
