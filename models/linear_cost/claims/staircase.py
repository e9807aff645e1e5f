"""The staircase: (j+1)/(jk) for r <= j(T-1) - 1, on any network.

It follows from what the source can send and a late node receive.

Let a broadcast take R rounds on a network where somebody is not informed after T - 1 rounds; T is any number
for which that is certain, here the greatest distance from the source, the least T with (K + 1)^T >= N, or in
a tree the least number of rounds. Let the source have p = min(K, its degree) arcs at most in a call graph,
and no node more than q = min(K, greatest degree).

For s <= T - 1, let x be the cost of the first s rounds and y that of the others. Somebody receives everything
after round s: q y >= 1. After round s a set of bits of measure at least 1 - p x is with the source only; what
is left of the broadcast broadcasts it: y >= (1 - p x) B(R - s), where B is a bound for so many rounds; fewer
than T rounds do not suffice, and then p x >= 1. The best bound over all s, from small R on, is the staircase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value
from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from

from ..rules import rounds_allowed
from .small_program import SmallRow, least_sum

Costs = tuple[int, Fraction]


def staircase(problem: Problem, _: Mapping[str, Any]) -> Value:
    """Return the bound for a problem's network, source, ports and rounds.

    R + 1, more than any broadcast in R rounds costs, where R rounds are too few.
    """
    ports, source, network = problem.parameters["ports"], problem.sources[0], problem.network
    if network.node_count == 1:
        return Fraction(0)
    least = certain_rounds(network, source, ports)
    found = steps(least, *widths(network, source, ports), rounds_allowed(problem))
    return rounds_allowed(problem) + 1 if found is None else found


def widths(network: Network, source: int, ports: int) -> tuple[int, int]:
    """Return p and q: how many arcs of a call graph the source can have, and any node."""
    degrees = [len(s) for s in network.successors]
    return min(ports, degrees[source]), min(ports, max(degrees))


@lru_cache(maxsize=64)
def certain_rounds(network: Network, source: int, ports: int) -> int:
    """Return a number of rounds that every broadcast needs, which is easily seen."""
    least = max(d or 0 for d in network.distances_from([source]))
    while (ports + 1) ** least < network.node_count:
        least += 1
    return max(least, _tree_rounds(network, source, ports)) if network.is_tree else least


def _tree_rounds(network: Network, source: int, ports: int) -> int:
    """Return the least number of rounds in a tree: a node informs first the children that need the most."""
    order, parent = order_from(network, source)
    below: list[list[int]] = [[] for _ in order]

    def needs(u: int) -> int:
        waits = sorted(below[u], reverse=True)
        return max((i // ports + 1 + wait for i, wait in enumerate(waits)), default=0)

    for u in reversed(order[1:]):
        below[parent[u]].append(needs(u))
    return needs(source)


def steps(least: int, p: int, q: int, rounds: int) -> Fraction | None:
    """B(rounds) for T = least >= 1; None for fewer than T rounds."""
    if rounds < least:
        return None
    ladder = _ladder(least, p, q)
    while len(ladder) <= rounds - least:
        now, best = least + len(ladder), max(Fraction(1, p), Fraction(1, q))
        for s in range(1, min(least, now)):
            best = max(best, least_sum(_rows(least, p, q, now, s)))
        ladder.append(best)
    return ladder[rounds - least]


@lru_cache(maxsize=64)
def _ladder(least: int, p: int, q: int) -> list[Fraction]:
    """B(T), B(T + 1) and so on, as far as they were asked for; each needs T - 1 of those before it."""
    return []


def _rows(least: int, p: int, q: int, rounds: int, s: int) -> list[SmallRow]:
    rest = steps(least, p, q, rounds - s)
    sent: SmallRow = (
        ((Fraction(p, 1), Fraction(0)), Fraction(1)) if rest is None else ((p * rest, Fraction(1)), rest)
    )
    return [sent, ((Fraction(0), Fraction(q, 1)), Fraction(1))]


def rows_of_costs(timed: Any, degrees: Sequence[int]) -> Iterator[tuple[Costs, Fraction, Fraction]]:
    """Yield the inequalities in the costs of the rounds.

    (s, the coefficient of the first s costs), that of the others, and what they add up to at least.
    """
    p, q = min(timed.ports, degrees[timed.source]), min(timed.ports, max(degrees))
    least = certain_rounds(timed.network, timed.source, timed.ports)
    steps(least, p, q, timed.rounds)
    for s in range(1, timed.rounds):
        for (before, after), right in _rows(least, p, q, timed.rounds, s)[: 2 if s < least else 1]:
            yield (s, before), after, right
