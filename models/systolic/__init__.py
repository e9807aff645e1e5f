"""The systolic models: telegraph and telephone schedules that repeat after a period.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska, The complexity of systolic dissemination of information
in interconnection networks (RAIRO 1994).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from schedsolve.modelkit.parameters import EDGE_COLOURING, PERIOD, ROOT, ROUNDS, SOURCE, TARGETS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import LEAST_ROUNDS, Bound
from schedsolve.modelkit.search import BoundSearch, Search
from schedsolve.models.matching import check as check_matching
from schedsolve.models.matching import promising_nodes
from schedsolve.models.matching.bounds.prices_between import price_between_bound
from schedsolve.runtime.errors import InputError

from .claims import EVIDENCE
from .claims.formula import horizon, refutation_formula, without_period
from .claims.lower_bounds import LOWER_BOUNDS
from .claims.path_theorem import path_theorem
from .claims.saved_periods import FORMAT, check_periods
from .rules import FORM, is_edge_colouring, replay

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def check(problem: Problem) -> None:
    """Refuse a problem that cannot be posed.

    Raises
    ------
    InputError
        If the model without a period refuses it, or if a least period is wanted for the worst source,
        with `--rounds` or with an edge colouring.
    """
    check_matching(without_period(problem))
    if problem.period == "min" and problem.choice == "max":
        raise InputError("--period min is for a given source or root, or the best one; not for the worst")
    if problem.period == "min" and (problem.rounds is not None or is_edge_colouring(problem)):
        raise InputError(
            "--period min looks for the least period of the optimum; it does not go with --rounds or"
            " --edge-colouring"
        )


def theorem_bounds(problem: Problem) -> Iterator[Bound]:
    """Yield the bounds that can be recomputed: lower bounds, and on paths the exact upper bound."""
    most = horizon(problem)
    best = 0
    for bound in LOWER_BOUNDS:
        value = bound.compute(problem) if bound.listed else None
        if value is not None:
            best = max(best, value)
            meaning = "; no number of rounds suffices" if value > most else ", exact" if bound.exact else ""
            yield Bound("lower", value, bound.reason + meaning, {"kind": bound.name})
    priced = price_between_bound(without_period(problem))
    if priced is not None and priced.value > best:
        yield replace(priced, reason=f"without a period: {priced.reason}")
    upper = path_theorem(problem)
    if upper is not None:
        yield Bound("upper", upper, "theorem: the scheme of docs/theorems.md, Theorem 1")


def _searched(problem: Problem, start: int, seconds: float) -> Bound | None:
    """Return the bound by types of complete trees if it exceeds `start`, else one without a period."""
    from schedsolve.models.matching.bounds.searched import searched_bound

    from .bounds.tree_periods import tree_period_bound

    refuted = tree_period_bound(problem)
    if refuted is not None and refuted.value > start:
        return refuted
    return searched_bound(problem, start, seconds)


def _searches() -> Iterator[Search]:
    from .constructions.algorithms import ALGORITHMS
    from .formulation import DECISIONS

    yield from ALGORITHMS
    yield BoundSearch("tree types or covering relaxation", _searched)
    yield from DECISIONS


def _formulations() -> Formulations:
    from .integer_program import FORMULATIONS

    return FORMULATIONS


_TASKS = {
    "broadcast": (SOURCE, PERIOD, ROUNDS),
    "multicast": (SOURCE, TARGETS, PERIOD, ROUNDS),
    "accumulation": (ROOT, PERIOD, ROUNDS),
    "gossip": (PERIOD, EDGE_COLOURING, ROUNDS),
}


def _record(name: str, summary: str) -> Model:
    return Model(
        name=name,
        variant="period",
        summary=summary,
        source="Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994)",
        objective=LEAST_ROUNDS,
        tasks=_TASKS,
        check=check,
        replay=replay,
        form=FORM,
        bounds=theorem_bounds,
        evidence=EVIDENCE,
        refutation=refutation_formula,
        searches=_searches,
        promising_nodes=promising_nodes,
        horizon=horizon,
        load_formulations=_formulations,
    )


MODELS = (
    _record("telegraph", "one-way rounds that repeat every P rounds"),
    _record("telephone", "two-way rounds that repeat every P rounds"),
)

CHECKS = {FORMAT: check_periods}
