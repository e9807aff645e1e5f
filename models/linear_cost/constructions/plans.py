"""Which construction is best for k ports, dimension T and r extra rounds: the constructions, used as such or below exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from .exchange import exchange_over, greedy, recursive_exchange
from .pipelined import pipelined_trees, unequal_costs
from .protocol import Protocol


@dataclass(frozen=True)
class Plan:
    """A construction by name and its cost. exchanges: how many exchanges are put around it, each with one dimension and one round less."""

    name: str
    cost: Fraction
    exchanges: int = 0


def plans(ports: int, dimension: int, extra_rounds: int) -> Iterator[Plan]:
    """What there is without exchanges for exactly this dimension and at most so many extra rounds, with costs by formula; T >= 1."""
    k, n, r = ports, dimension, extra_rounds
    yield Plan("greedy", Fraction(n))
    depth = min(r, n)
    fewer = Fraction(1, (k + 1) ** depth)
    yield Plan("recursive-exchange", (n - depth) * fewer + Fraction(2, k) * (1 - fewer))
    if r >= n - 1 and r:
        yield Plan("pipelined-trees", Fraction(n + r, k * r + 1))
    if r >= n + 3 and n >= 2:
        yield Plan("unequal-costs", Fraction(2 * n + 3 * k + 3, k * (n + 3) + 2 * k * k + 1))


@cache
def best_plan(ports: int, dimension: int, extra_rounds: int) -> Plan:
    """The cheapest plan, with exchanges around another one where that helps; ties go to the simplest."""
    best = min(plans(ports, dimension, extra_rounds), key=lambda plan: plan.cost)
    if dimension > 1 and extra_rounds > 0:
        inner = best_plan(ports, dimension - 1, extra_rounds - 1)
        cost = (2 + inner.cost) / (ports + 1)
        if cost < best.cost:
            best = Plan(inner.name, cost, inner.exchanges + 1)
    return best


def build(plan: Plan, ports: int, dimension: int, extra_rounds: int) -> Protocol:
    """The protocol of a plan for this dimension and so many extra rounds."""
    inner, rounds = dimension - plan.exchanges, extra_rounds - plan.exchanges
    if plan.name == "greedy":
        protocol = greedy(ports, (ports + 1) ** inner)
    elif plan.name == "recursive-exchange":
        protocol = recursive_exchange(ports, inner, rounds)
    elif plan.name == "pipelined-trees":
        protocol = pipelined_trees(ports, inner, rounds)
    else:
        protocol = unequal_costs(ports, inner)
    for d in range(inner + 1, dimension + 1):
        protocol = exchange_over(ports, d, protocol)
    return protocol
