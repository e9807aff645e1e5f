"""Refutations for certificates.

The usual decisions are asked about a value that is known not to suffice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound, Value
from schedsolve.modelkit.search import Decision, Found, GivenUpError, Question
from schedsolve.models import model_of
from schedsolve.runtime.limits.timeout import timeout
from schedsolve.solving.searches import DecisionRun, Slice
from schedsolve.solving.tasks import SLICE_SECONDS


def seek_refutation(
    model: Model, question: Question, report: Callable[[], None] = lambda: None
) -> tuple[Decision, tuple[Found, ...]] | None:
    """Ask the model's usual decisions that refute, one after the other, until one has an answer.

    Parameters
    ----------
    model
        The model of the question's problem.
    question
        What is to be refuted, and the seconds for all decisions together.
    report
        Called before every slice.

    Returns
    -------
    tuple[Decision, tuple[Found, ...]] or None
        The decision that answered, and what it found; None if none did in time.
    """
    end = time.process_time() + question.seconds
    for decision in model.decisions:
        search = decision.start(question) if decision.refutes else None
        if search is None:
            continue
        run, step = DecisionRun(model, decision, question, search), Slice()
        with suppress(GivenUpError):
            while not step.ended and time.process_time() < end:
                report()
                step = run.advance(SLICE_SECONDS)
        run.close()
        if step.found:
            return decision, step.found
    return None


def refuted(problem: Problem, value: Value, seconds: float) -> Bound | None:
    """Return a lower bound whose evidence is a refutation: that `value` does not suffice.

    None if none is found within `seconds` of CPU, or if the model knows no refutations.
    """
    found = None
    with timeout(seconds, of_processor=True):
        found = seek_refutation(model_of(problem), Question(problem, value, True, seconds))
    bounds = [one for one in found[1] if isinstance(one, Bound) and one.evidence] if found else []
    return bounds[0] if bounds else None
