"""Forgeries that only one kind of evidence has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from schedsolve.models import model_of, read_problem
from schedsolve.problem import Problem
from schedsolve.result import value_from_json
from tests.evidence.catalogue import Entry
from tests.evidence.truths import truths
from tests.forgeries.alterations import altered
from tests.forgeries.verdicts import REFUSALS

Evidence = dict[str, Any]


def forged(entry: Entry) -> Iterator[Evidence]:
    """Evidence in the form of an entry's, for its problem, that says too much."""
    yield from ()


def existence(entry: Entry) -> Iterator[tuple[str, Callable[[], str]]]:
    """That there is a schedule faster than any."""
    evidence, data = entry.bound["evidence"], entry.data
    problem, least = read_problem(data["problem"]), value_from_json(data["value"])
    assert least is not None
    for number, changed in enumerate(altered(evidence, 40)):
        yield f"evidence {number}", partial(_too_low, problem, changed, Fraction(least))
    for other, value in truths()[entry.title]:
        for time in (value, *(Fraction(value) * x / 100 for x in (1, 50, 99))):
            claimed = {"kind": "flows", "time": str(time), "adding": str(time), "copying": str(time)}
            yield "another problem", partial(_too_low, other, claimed, Fraction(value))


def _too_low(problem: Problem, evidence: Evidence, least: Fraction) -> str:
    claims = model_of(problem).existence
    if evidence.get("kind") not in claims:
        return ""
    try:
        value = claims[evidence["kind"]](problem, evidence)
    except REFUSALS:
        return ""
    return f"a schedule of {value} exists, the least is {least}" if value < least else ""
