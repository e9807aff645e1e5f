"""Tasks without copies as flows through the steps.

Tokens that share an origin, or that share a destination, are interchangeable.

A commodity is what starts at one node, or what ends at one; of the two ways to aggregate the one with fewer
commodities is taken. A flow of whole numbers falls apart into the ways of single chunks, and any way from an
origin to a destination serves the chunk that goes there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from schedsolve.network.automorphisms import Automorphism
from schedsolve.network.graph import Network

from ..claims.hops import Pair, Route, hop_distances, neighbours
from ..rules.collective import Collective


@dataclass(frozen=True)
class Commodity:
    """What starts where before the first step, and ends where after the last, in units of C chunks."""

    supply: Mapping[int, int]
    demand: Mapping[int, int]


NOTHING = 1e-7
"""Amounts of a float solver's flow that count as none."""
Arc = tuple[int, int, int, int]
"""A hop of a commodity: its number, the number of the route, the step; and -1. Or that it stays: its number,
-1, the step, and the node.
"""


def commodities(collective: Collective, group: Sequence[Automorphism]) -> list[Commodity]:
    """One commodity of every orbit under the group."""
    by_origin: dict[int, Counter[int]] = defaultdict(Counter)
    by_destination: dict[int, Counter[int]] = defaultdict(Counter)
    for shipment in collective.wanted:
        (destination,) = shipment.destinations
        by_origin[shipment.origin][destination] += 1
        by_destination[destination][shipment.origin] += 1
    outward = len(by_origin) <= len(by_destination)
    ends = by_origin if outward else by_destination
    found: list[Commodity] = []
    seen: set[int] = set()
    for v, others in sorted(ends.items()):
        if v not in seen:
            seen.update(image[v] for image in group)
            whole = {v: sum(others.values())}
            found.append(Commodity(whole, dict(others)) if outward else Commodity(dict(others), whole))
    return found


Hops = tuple[tuple[int, int], ...]
"""The hops of a chunk: (number of the route, step), in order."""


@dataclass
class FlowNetwork:
    """The arcs of all commodities through the steps, and the rows of their balance.

    Attributes
    ----------
    arcs
        In the order of their variables.
    balance
        For every commodity, layer (after so many steps) and node, the arcs that enter (+1) and leave (-1),
        and what has to come out of it: demand less supply.
    """

    network: Network
    routes: Sequence[Route]
    steps: int
    arcs: list[Arc] = field(default_factory=list)
    balance: dict[tuple[int, int, int], dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    excess: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def add(self, number: int, commodity: Commodity) -> None:
        """Add a commodity: hops and stays that can be part of a way from a supply to a demand."""
        near = neighbours(self.network)
        soon = _least(hop_distances(near, v) for v in commodity.supply)
        far = {v: hop_distances(near, v) for v in self.network.compute_nodes}
        late = {
            v: min((far[v][d] for d in commodity.demand if d in far[v]), default=self.steps + 1) for v in far
        }
        for step in range(1, self.steps + 1):
            for i, route in enumerate(self.routes):
                u, v = route.sender, route.receiver
                if u in soon and soon[u] < step and late[v] <= self.steps - step:
                    self._arc((number, i, step, -1), (number, step - 1, u), (number, step, v))
            for v in self.network.compute_nodes:
                if v in soon and soon[v] < step and late[v] <= self.steps - step:
                    self._arc((number, -1, step, v), (number, step - 1, v), (number, step, v))
        for v, amount in commodity.supply.items():
            self._require((number, 0, v), -amount)
        for v, amount in commodity.demand.items():
            self._require((number, self.steps, v), amount)

    def _arc(self, arc: Arc, tail: tuple[int, int, int], head: tuple[int, int, int]) -> None:
        self.balance[tail][len(self.arcs)] = -1
        self.balance[head][len(self.arcs)] = 1
        self.arcs.append(arc)

    def _require(self, place: tuple[int, int, int], amount: int) -> None:
        self.excess[place] = self.excess.get(place, 0) + amount
        self.balance[place] = self.balance[place]

    def loads(self, orbit: Mapping[Pair, Pair], group_size: int) -> dict[tuple[Pair, int], Counter[int]]:
        """For every orbit of links and step the arcs that load its links, and how often each of them."""
        size = Counter(orbit.values())
        load: dict[tuple[Pair, int], Counter[int]] = defaultdict(Counter)
        for j, (_, i, step, _) in enumerate(self.arcs):
            for link in self.routes[i].links if i >= 0 else ():
                load[orbit[link], step][j] += group_size // size[orbit[link]]
        return load


def _least(tables: Iterable[Mapping[int, int]]) -> dict[int, int]:
    least: dict[int, int] = {}
    for table in tables:
        for v, distance in table.items():
            least[v] = min(distance, least.get(v, distance))
    return least


def ways_of_chunks(
    flow: FlowNetwork, number: int, commodity: Commodity, chunks: int, amount: Callable[[int], int]
) -> list[tuple[int, int, Hops]]:
    """Ways into which a whole flow of one commodity falls: origin, destination, and (route, step) in order.

    Parameters
    ----------
    flow
        The flow on every arc.
    number
        The number of chunks.
    commodity
        Where the flow starts.
    chunks
        The number of chunks.
    amount
        Of the flow on an arc, by its number. A way that comes back to a node stays there instead.
    """
    left = {j: amount(j) for j, arc in enumerate(flow.arcs) if arc[0] == number}
    into: dict[tuple[int, int], list[int]] = defaultdict(list)
    for j in left:
        _, i, step, v = flow.arcs[j]
        into[step, flow.routes[i].receiver if i >= 0 else v].append(j)
    ways = []
    for destination, units in commodity.demand.items():
        for _ in range(units * chunks):
            v, hops = destination, []
            for step in range(flow.steps, 0, -1):
                j = next(j for j in into[step, v] if left[j])
                left[j] -= 1
                i = flow.arcs[j][1]
                if i >= 0:
                    hops.append((i, step))
                    v = flow.routes[i].sender
            ways.append((v, destination, _without_loops(flow, v, hops[::-1])))
    return ways


def weighted_ways(
    flow: FlowNetwork, number: int, commodity: Commodity, amounts: Sequence[float]
) -> dict[tuple[int, int, Hops], float]:
    """Ways into which a fractional flow of one commodity falls, with their weights.

    Backwards from a destination a way takes the arc with the most left each time, and its weight is the least
    on it. What is left of a float solver's rounding is dropped.
    """
    left = {j: amounts[j] for j, arc in enumerate(flow.arcs) if arc[0] == number and amounts[j] > NOTHING}
    into: dict[tuple[int, int], list[int]] = defaultdict(list)
    for j in left:
        _, i, step, v = flow.arcs[j]
        into[step, flow.routes[i].receiver if i >= 0 else v].append(j)
    ways: dict[tuple[int, int, Hops], float] = defaultdict(float)
    for destination, units in commodity.demand.items():
        wanted = float(units)
        while wanted > NOTHING:
            v, way = destination, []
            for step in range(flow.steps, 0, -1):
                j = max(into[step, v], key=left.__getitem__, default=-1)
                if j < 0 or left[j] <= NOTHING:
                    break
                way.append(j)
                i = flow.arcs[j][1]
                v = flow.routes[i].sender if i >= 0 else v
            if len(way) < flow.steps:
                break
            weight = min(wanted, *(left[j] for j in way))
            for j in way:
                left[j] -= weight
            wanted -= weight
            hops = [(flow.arcs[j][1], flow.arcs[j][2]) for j in reversed(way) if flow.arcs[j][1] >= 0]
            ways[v, destination, _without_loops(flow, v, hops)] += weight
    return ways


def _without_loops(flow: FlowNetwork, origin: int, hops: list[tuple[int, int]]) -> Hops:
    nodes: list[int] = [origin]
    kept: list[tuple[int, int]] = []
    for i, step in hops:
        receiver = flow.routes[i].receiver
        if receiver in nodes:
            place = nodes.index(receiver)
            nodes, kept = nodes[: place + 1], kept[:place]
        else:
            nodes.append(receiver)
            kept.append((i, step))
    return tuple(kept)
