"""What the linear programs of rounds per chunk share: the rounds of the steps, and orbits of links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.modelkit.problem import Problem
from schedsolve.network.automorphisms import Automorphism

from ..claims.hops import routes
from ..claims.orbits import link_orbits
from ..rules.collective import collective_of
from .rounding import exact_prices


@dataclass(frozen=True)
class FlowBound:
    """What a program found: the bound with its evidence, and the rounds of each step per chunk."""

    value: Fraction
    evidence: dict[str, Any]
    step_rounds: tuple[float, ...]


class StepProgram:
    """A program that minimises the rounds per chunk, with links of an orbit loaded alike."""

    def __init__(self, problem: Problem, group: Sequence[Automorphism]) -> None:
        self.problem, self.group = problem, list(group)
        self.collective = collective_of(problem)
        self.steps: int = problem.parameters["steps"]
        self.routes = routes(problem.network)
        self.orbit = link_orbits(problem.network.arcs, self.group)
        self.orbit_size = Counter(self.orbit.values())
        self.lp = GrowingLp()
        chunks = problem.parameters.get("chunks")
        # A step lasts a round or more; of many chunks that is next to nothing.
        least = Fraction(1, chunks) if chunks else Fraction(0)
        self.rounds = [self.lp.variable(1, least) for _ in range(self.steps)]

    def exact_bound(
        self,
        weights: Sequence[float],
        value: float,
        evidence_of: Callable[[Sequence[Fraction]], dict[str, Any]],
        bound_of: Callable[[Problem, dict[str, Any]], Fraction],
    ) -> FlowBound | None:
        """Return what fractions near the weights prove (`exact_prices`), after the last solution."""
        found = exact_prices(weights, value, evidence_of, lambda data: bound_of(self.problem, data))
        values = self.lp.values()
        return None if found is None else FlowBound(*found, tuple(values[r] for r in self.rounds))


def price_to_data(price: Fraction) -> int | str:
    """Return a whole number as it is, a fraction as text."""
    return int(price) if price.denominator == 1 else str(price)
