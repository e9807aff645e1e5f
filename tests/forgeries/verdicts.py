"""Whether a forgery gets through: what a claim, a referee or the whole check makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pysat.solvers import Solver

from schedsolve.certify.check import check_data
from schedsolve.modelkit.form import ForeignError
from schedsolve.modelkit.problem import Problem, problem_id, problem_to_json
from schedsolve.modelkit.result import Value, value_to_json
from schedsolve.models import model_of
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.runtime.limits.budget import OverBudgetError

MOST_CONFLICTS = 100
"""How hard the forger looks for a proof."""
REFUSALS = (ClaimError, InputError, OverBudgetError)


def next_value(problem: Problem, value: Value) -> Value:
    """The least value above the given one that could be claimed."""
    above = model_of(problem).next_value(problem, value)  # type: ignore[arg-type]
    return above if above > value else value + Fraction(1, 1000)


def accepted(data: Any) -> bool:
    """Whether `check --strict` accepts a file."""
    try:
        return check_data(data).complete
    except REFUSALS:
        return False


def bound_file(problem: Problem, evidence: Mapping[str, Any], value: Value) -> dict[str, Any]:
    """A file that claims a lower bound, and nothing else."""
    said = {"side": "lower", "value": value_to_json(value), "reason": "forged", "by": "theorem"}
    return {
        "format": "schedsolve-result/1",
        "problem": problem_to_json(problem),
        "status": "bounded",
        "objective": model_of(problem).objective.name,
        "value": None,
        "lower_bound": value_to_json(value),
        "bounds": [said],
        "schedule": None,
        "certificate": {
            "problem_id": problem_id(problem),
            "lower": [{**said, "evidence": dict(evidence)}],
        },
    }


def proven(problem: Problem, evidence: Mapping[str, Any]) -> Value | None:
    """The bound that `check` takes evidence for that is no refutation; None where it refuses it."""
    claim = model_of(problem).claims.get(evidence["kind"])
    try:
        return None if claim is None else claim(problem, evidence)
    except REFUSALS:
        return None


def has_model(problem: Problem, evidence: Mapping[str, Any]) -> bool:
    """Whether what a refutation would have to refute has a model, found soon."""
    try:
        _, formula = model_of(problem).refutation(problem, evidence)
    except REFUSALS:
        return False
    with Solver("glucose4", bootstrap_with=formula.clauses) as solver:
        solver.conf_budget(MOST_CONFLICTS)
        return bool(solver.solve_limited())


def refutable(problem: Problem, evidence: Mapping[str, Any]) -> Value | None:
    """The bound that `check` would take from the strongest proof that there is for a refutation: None where
    it refuses the evidence, or the formula has a model.
    """
    try:
        value, formula = model_of(problem).refutation(problem, evidence)
    except REFUSALS:
        return None
    with Solver("glucose4", bootstrap_with=formula.clauses) as solver:
        solver.conf_budget(MOST_CONFLICTS)
        return value if solver.solve_limited() is False else None


def replayed(problem: Problem, schedule: Any) -> Value | None:
    """The value of a schedule that the referee accepts; None when it does not."""
    model = model_of(problem)
    try:
        seen = model.replay(problem, model.form.read(schedule, problem.network))
    except (*REFUSALS, ForeignError):
        return None
    return None if seen.violation else seen.value
