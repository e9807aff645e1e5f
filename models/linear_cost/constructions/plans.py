"""Which construction is the cheapest for k ports, dimension T and r extra rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .exchange import greedy, recursive_exchange
from .pipelined import pipelined_trees, unequal_costs
from .protocol import Protocol


@dataclass(frozen=True)
class Plan:
    """A construction by name, and its cost."""

    name: str
    cost: Fraction


def plans(ports: int, dimension: int, extra_rounds: int) -> Iterator[Plan]:
    """Yield the plans for T = dimension >= 1 and at most so many extra rounds.

    Their costs are by formula.
    """
    k, n, r = ports, dimension, extra_rounds
    yield Plan("greedy", Fraction(n))
    depth = min(r, n)
    fewer = Fraction(1, (k + 1) ** depth)
    yield Plan("recursive-exchange", (n - depth) * fewer + Fraction(2, k) * (1 - fewer))
    if r >= n - 1 and r:
        yield Plan("pipelined-trees", Fraction(n + r, k * r + 1))
    if r >= n + 3 and n >= 2:
        yield Plan("unequal-costs", Fraction(2 * n + 3 * k + 3, k * (n + 3) + 2 * k * k + 1))


def best_plan(ports: int, dimension: int, extra_rounds: int) -> Plan:
    """Return the cheapest plan; ties go to the simplest."""
    return min(plans(ports, dimension, extra_rounds), key=lambda plan: plan.cost)


def build(plan: Plan, ports: int, dimension: int, extra_rounds: int) -> Protocol:
    """Return the protocol of a plan for this dimension and so many extra rounds."""
    if plan.name == "greedy":
        return greedy(ports, (ports + 1) ** dimension)
    if plan.name == "recursive-exchange":
        return recursive_exchange(ports, dimension, extra_rounds)
    if plan.name == "pipelined-trees":
        return pipelined_trees(ports, dimension, extra_rounds)
    return unequal_costs(ports, dimension)
