"""The least communication time over all numbers of rounds.

Alpha for every round, tau for every unit of the message.

In R rounds a broadcast takes alpha R + tau L B(R) at least, B(R) a bound on the cost with so many rounds.
Rows give a bound for one number of rounds after the other, from the least that is certain on; one above the
number of rounds says that they are too few, as no round costs more than 1. Beyond the last row a bound for
every number of rounds takes over, that of the steady state, or 1 over what a node can receive in a round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value
from schedsolve.runtime.errors import ClaimError, InputError, shown
from schedsolve.runtime.files.number_reader import exact_number

from .staircase import certain_rounds, widths

MOST_ROWS = 2000
Claims = Mapping[str, Callable[[Problem, Mapping[str, Any]], Value]]


def with_rounds(problem: Problem, rounds: int) -> Problem:
    """Return the problem of least cost in so many rounds."""
    return problem.with_parameters(alpha=None, tau=None, length=None, total_rounds=rounds)


def prices(problem: Problem) -> tuple[Fraction, Fraction]:
    """alpha, and tau times the length."""
    alpha, tau, length = (_price(problem, name) for name in ("alpha", "tau", "length"))
    return alpha, tau * length


def _price(problem: Problem, name: str) -> Fraction:
    price = exact_number(problem.parameters.get(name, 1))
    if price is None:
        raise InputError(f'"{name}" is a whole number or a fraction as text')
    return price


def first_rounds(problem: Problem) -> int:
    """Return the number of rounds of the first row."""
    return certain_rounds(problem.network, problem.sources[0], problem.parameters["ports"])


def best_rounds(claims: Claims) -> Callable[[Problem, Mapping[str, Any]], Value]:
    """Return the claim, given the claims about the cost in a number of rounds.

    The evidence: "rows", for every number of rounds from the first on the evidence of a bound on the cost;
    "rest", the evidence of the steady state's bound, or null.
    """

    def claim(problem: Problem, evidence: Mapping[str, Any]) -> Value:
        rows = evidence.get("rows")
        if not isinstance(rows, list) or len(rows) > MOST_ROWS:
            raise ClaimError('"rows" should be a list of evidence')
        alpha, tau = prices(problem)
        first = first_rounds(problem)
        received = widths(problem.network, problem.sources[0], problem.parameters["ports"])[1]
        least: Value = Fraction(1, received) if problem.network.node_count > 1 else Fraction(0)
        if evidence.get("rest") is not None:
            least = max(
                least, _cost(claims, with_rounds(problem, first), evidence["rest"], ("steady state",))
            )
        times = [alpha * (first + len(rows)) + tau * least]
        for rounds, row in enumerate(rows, first):
            cost = _cost(claims, with_rounds(problem, rounds), row, tuple(claims))
            # No round costs more than 1, the whole message, so a greater bound says that these are too few.
            if cost <= rounds:
                times.append(alpha * rounds + tau * max(least, cost))
        return min(times)

    return claim


def _cost(claims: Claims, problem: Problem, evidence: Any, kinds: tuple[str, ...]) -> Value:
    kind = evidence.get("kind") if isinstance(evidence, Mapping) else None
    if kind not in kinds:
        raise ClaimError(f"there is no evidence of the kind {shown(kind)}")
    return claims[kind](problem, evidence)
