"""Which construction is the cheapest for k ports, dimension T and r extra rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from .exchange import greedy, recursive_exchange
from .pipelined import pipelined_trees, unequal_costs
from .protocol import Protocol


@dataclass(frozen=True)
class Plan:
    """A construction by name, its cost, and what builds its protocol."""

    name: str
    cost: Fraction
    build: Callable[[], Protocol]


def plans(ports: int, dimension: int, extra_rounds: int) -> Iterator[Plan]:
    """Yield the plans for T = dimension >= 1 and at most so many extra rounds.

    Their costs are by formula.
    """
    k, n, r = ports, dimension, extra_rounds
    yield Plan("greedy", Fraction(n), lambda: greedy(k, (k + 1) ** n))
    depth = min(r, n)
    fewer = Fraction(1, (k + 1) ** depth)
    exchanged = (n - depth) * fewer + Fraction(2, k) * (1 - fewer)
    yield Plan("recursive-exchange", exchanged, lambda: recursive_exchange(k, n, r))
    if r >= n - 1 and r:
        yield Plan("pipelined-trees", Fraction(n + r, k * r + 1), lambda: pipelined_trees(k, n, r))
    if r >= n + 3 and n >= 2:
        unequal = Fraction(2 * n + 3 * k + 3, k * (n + 3) + 2 * k * k + 1)
        yield Plan("unequal-costs", unequal, lambda: unequal_costs(k, n))


def best_plan(ports: int, dimension: int, extra_rounds: int) -> Plan:
    """Return the cheapest plan; ties go to the simplest."""
    return min(plans(ports, dimension, extra_rounds), key=lambda plan: plan.cost)
