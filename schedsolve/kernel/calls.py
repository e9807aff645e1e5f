"""The calls of rounds as variables of a formula, and how its symmetry is broken."""

from __future__ import annotations

from typing import Any

from .clauses import Formula
from .network import Network
from .wrong import require


class Calls:
    """The first variables of a formula: calls(a, t) says that link a is called in round t >= 1.

    Rounds that are a period apart have the same calls, so they share their variables.
    """

    def __init__(self, links: list[tuple[int, int]], rounds: int, period: Any = None) -> None:
        self.links = links
        self.slots = rounds if period is None else min(period, rounds)
        self.count = self.slots * len(links)

    def __call__(self, a: int, t: int) -> int:
        return (t - 1) % self.slots * len(self.links) + a + 1


def share_no_node(formula: Formula, calls: Calls, n: int) -> None:
    """Require that in every round every node takes part in at most one call."""
    for t in range(1, calls.slots + 1):
        for v in range(n):
            formula.at_most_one([calls(a, t) for a, link in enumerate(calls.links) if v in link])


def callers_of(calls: Calls, n: int, two_way: bool) -> list[list[tuple[int, int]]]:
    """Return for each node the links by which it can be called, each with the caller."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for a, (u, v) in enumerate(calls.links):
        found[v].append((a, u))
        if two_way:
            found[u].append((a, v))
    return found


def is_automorphism(network: Network, image: list[int]) -> bool:
    """Return whether v -> image[v] permutes the nodes and keeps arcs, bandwidths and switches."""
    width = network.bandwidth
    return (
        sorted(image) == list(range(network.n))
        and all(width.get((image[u], image[v])) == width[u, v] for u, v in network.arcs)
        and all(image[v] in network.switches for v in network.switches)
    )


def break_symmetries(
    formula: Formula, calls: Calls, network: Network, images: Any, keeping: Any = ()
) -> None:
    """Require that the calls of round 1 are lexicographically at least each of their images.

    The calls are a vector over the links, in which a call is larger than no call. An automorphism
    that keeps the task's sets of nodes maps schedules to schedules. Of all images of a schedule,
    one with the largest first round is at least its own images: so if a schedule exists, such a one
    does.
    """
    for image in images:
        require(is_automorphism(network, image), "a symmetry is no automorphism of the network")
        for nodes in keeping:
            require({image[v] for v in nodes} == set(nodes), "a symmetry does not keep the task")
        lexicographically_largest(formula, calls, image)


def lexicographically_largest(formula: Formula, calls: Calls, image: Any, *conditions: int) -> None:
    """Require for one automorphism what `break_symmetries` does, if the conditions hold."""
    number = {link: a for a, link in enumerate(calls.links)}
    equal_so_far = unless = [-condition for condition in conditions]
    for a, (u, v) in enumerate(calls.links):
        x, y = image[u], image[v]
        b = number[x, y] if (x, y) in number else number[y, x]
        if a != b:
            one, other = calls(a, 1), calls(b, 1)
            formula.add(*equal_so_far, one, -other)
            equal = formula.new()
            formula.add(*equal_so_far, -one, -other, equal)
            formula.add(*equal_so_far, one, other, equal)
            equal_so_far = [*unless, -equal]
