"""What lengths of the links claim about flows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm
from typing import Any, TypeVar

from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.runtime.files.number_reader import exact_number

from ..rules.demand import FLOW_TASKS, Link, flow_ends, flow_units
from ..rules.orbits import Orbits, orbits

Length = TypeVar("Length", int, float)


def lengths_claim(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """Return the time that lengths of the links prove.

    The sum of the distances that the units have to go, divided by the sum of bandwidth times length.

    In a time T the links can carry at most T times the sum of bandwidth times length, when what crosses a
    link counts with its length; and every unit counts with the distance between its ends at least. It holds
    for any lengths of 0 or more. Relays keep, copy and add up nothing that would help a flow, and are taken
    for switches, also where automorphisms take one to the other.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "lengths", [from, to, length] of links, 0 for the others; "symmetries", automorphisms, which give
        every link the length of the first listed link of its orbit, so that distances from one node an orbit
        are enough.

    Raises
    ------
    ClaimError
        If the lengths prove nothing.
    """
    if problem.task not in FLOW_TASKS:
        raise ClaimError("lengths are for flows; this task has none")
    if problem.task in UNEQUAL_TASKS and evidence.get("symmetries"):
        raise ClaimError(f"symmetries do not keep the sizes that an {problem.task} has")
    problem = forwarding(problem)
    network = problem.network
    try:
        symmetries = [[network.node(v) for v in image] for image in evidence.get("symmetries", [])]
        rows = [
            (network.node(u), network.node(v), exact_number(x)) for u, v, x in evidence.get("lengths", [])
        ]
        of = orbits(network, symmetries)
    except (InputError, TypeError, ValueError) as error:
        raise ClaimError(f"lengths are [from, to, length], symmetries automorphisms: {error}") from None
    given = [(u, v, x) for u, v, x in rows if x is not None and x >= 0 and (u, v) in network.bandwidth_of]
    if len(given) < len(rows):
        raise ClaimError("a length is of a link, and a whole number or a fraction as text, at least 0")
    by_orbit = {of.link[u, v]: x for u, v, x in reversed(given)}
    unit = lcm(*(x.denominator for x in by_orbit.values()))
    lengths = {link: (by_orbit.get(of.link[link], 0) * unit).numerator for link in network.arcs}
    capacity = Fraction(0)
    for link, b in network.bandwidth_of.items():
        capacity += b * lengths[link]
    if not capacity:
        raise ClaimError("some length is above 0")
    return _distances_to_go(problem, lengths, of) / capacity


def _distances_to_go(problem: Problem, lengths: Mapping[Link, int], of: Orbits) -> int:
    """Return the sum of the distances between the ends of all units."""
    network = problem.network
    ends = set(flow_ends(problem))
    members: defaultdict[int, list[int]] = defaultdict(list)
    for v, first in enumerate(of.node):
        members[first].append(v)
    total = 0
    for first, nodes in members.items():
        if ends.isdisjoint(nodes):
            continue
        if not ends.issuperset(nodes):
            raise ClaimError("a symmetry does not keep the problem")
        distances = distances_from(network, lengths, [first], backwards=problem.task == "gather")
        total += len(nodes) * sum(x * distances[w] for w, x in flow_units(problem, first).items())
    return total


def distances_from(
    network: Network, lengths: Mapping[Link, Length], starts: Iterable[int], *, backwards: bool = False
) -> dict[int, Length]:
    """Return the distance from the nearest start of every node that can be reached (Dijkstra 1959).

    Backwards it is the distance to the start. Whole lengths give whole numbers, of any size.
    """
    ways: Sequence[Sequence[int]] = network.predecessors if backwards else network.successors
    distance: dict[int, Length] = {}
    queue: list[tuple[Length, int]] = [(0, v) for v in sorted(starts)]
    while queue:
        d, u = heappop(queue)
        if u in distance:
            continue
        distance[u] = d
        for v in ways[u]:
            if v not in distance:
                heappush(queue, (d + lengths[(v, u) if backwards else (u, v)], v))
    return distance
