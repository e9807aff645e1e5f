"""A heuristic for broadcasts and multicasts in any network: rounds by maximum flow, with restarts.

The sets of nodes that can be called in one round, along edge-disjoint paths, are the independent sets
of a matroid (a gammoid). So the greedy choice, node by node in the order of decreasing weight, each
node kept if the flow can be augmented to it, calls a set of the greatest weight.

Many nodes informed close to one another are of little use in the next round. So half of the restarts choose
nodes that are spread over the network, and inform these first, all others in the last round.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from schedsolve.modelkit.search import Effort
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .tree_broadcast import Rounds

FIRST_RUN_SECONDS = 2.0
NOISES = (0.0, 0.3, 1.0, 3.0)
"""The strength of randomness in the order of calls, relative to a node's degree."""


def flow_broadcast(
    network: Network,
    sources: Collection[int],
    targets: Collection[int],
    ports: int | None,
    effort: Effort,
) -> Rounds:
    """Return a broadcast or multicast; runs are repeated in other orders and from the middle of the best one.

    Parameters
    ----------
    network
        The network; every target must be reachable from a source.
    sources, targets
        The nodes that know the message before round 1, and the nodes to inform.
    ports
        The most calls of a round in which a node may take part; None for any number.
    effort
        The seed 0 makes the first run deterministic in its order by degree; the first run may take
        FIRST_RUN_SECONDS in any case.

    Raises
    ------
    InputError
        If not even the first run ends in time.
    """
    begun = time.process_time()
    generator = random.Random(effort.seed)
    first_end = begun + max(effort.seconds, FIRST_RUN_SECONDS)
    search = _Search(network, sources, targets, ports, generator, first_end)
    best = search.run([], 0.0 if effort.seed == 0 else 0.3)
    if best is None:
        raise InputError("the network is too large for the time limit")
    search.end = begun + effort.seconds
    while len(best) > effort.goal and time.process_time() < search.end:
        noise = generator.choice(NOISES)
        if generator.randrange(2):
            found = search.run([], noise, search.spread(len(best) - 2))
        else:
            found = search.run(best[: generator.randrange(len(best))], noise)
        if found is not None and len(found) <= len(best):
            best = found
    return best


@dataclass
class _Search:
    """The data that all runs share; they stop at the time `end` of the processor's clock."""

    network: Network
    sources: Collection[int]
    targets: Collection[int]
    ports: int | None
    generator: random.Random
    end: float

    def run(self, kept: Rounds, noise: float, first: Collection[int] = ()) -> Rounds | None:
        """Return a protocol that continues the rounds `kept`; None if the time is up before.

        Parameters
        ----------
        kept
            The rounds before.
        noise
            The strength of randomness in the order of calls.
        first
            Nodes that are informed before the targets.
        """
        rounds = list(kept)
        informed = set(self.sources) | {callee for calls in rounds for _, callee, _ in calls}
        stations, targets = set(first), set(self.targets)
        while not targets <= informed:
            wanted = targets if stations <= informed else stations
            flow = _Flow(self.network, informed, self.ports)
            called = []
            for v in self._by_weight(informed, wanted, noise):
                if time.process_time() > self.end:
                    return None
                if flow.augment(v):
                    called.append(v)
            rounds.append([(path[0], path[-1], path) for path in flow_paths(called, flow.arcs(), flow.made)])
            informed.update(called)
        return rounds

    def spread(self, rounds: int) -> set[int]:
        """Return at most as many nodes as can be informed in some rounds, which have most others around them.

        Node after node, each has the most neighbours that are not around those before, itself included.
        """
        near = self.network.successors
        most = len(self.sources)
        for _ in range(rounds):
            most *= 1 + min(max(map(len, near)), self.ports or self.network.node_count)
        chosen, around = set[int](), set[int]()
        order = [(-1 - len(ends), self.generator.random(), v) for v, ends in enumerate(near)]
        order += [(-self.network.node_count, 0.0, v) for v in self.sources]
        heapify(order)
        while order and len(chosen) < most and len(around) < self.network.node_count:
            gain, tie, v = heappop(order)
            fresh = -len({v, *near[v]} - around)
            if v in self.sources or fresh <= gain:
                chosen.add(v)
                around.update((v, *near[v]))
            elif fresh:
                heappush(order, (fresh, tie, v))
        return chosen

    def _by_weight(self, informed: Collection[int], wanted: Collection[int], noise: float) -> list[int]:
        """Return the uninformed nodes, targets and nodes with many edges first, with random noise."""
        weight = {
            v: (
                v in wanted,
                len(self.network.successors[v]) * (1 + noise * self.generator.random()),
                self.generator.random(),
            )
            for v in range(self.network.node_count)
            if v not in informed
        }
        return sorted(weight, key=lambda v: weight[v], reverse=True)


class _Flow:
    """A flow of calls, each one unit, from informed nodes, within their ports, to the nodes called."""

    def __init__(self, network: Network, informed: Collection[int], ports: int | None) -> None:
        self.network = network
        self.used: set[tuple[int, int]] = set()
        self.made = [0] * network.node_count
        self.closed: set[int] = set()
        self.limit = [
            (network.node_count if ports is None else ports) if v in informed else 0
            for v in range(network.node_count)
        ]

    def arcs(self) -> list[tuple[int, int]]:
        """Return the arcs that carry a call."""
        return sorted(self.used)

    def augment(self, callee: int) -> bool:
        """Add a call to `callee`, with rerouting where needed, and return whether that is possible."""
        if callee in self.closed:
            return False
        # Search backwards from the callee for a node that can make one more call. A call of a node without a
        # free port can be taken over by another node.
        follows = {callee: callee}
        queue = [callee]
        for v in queue:
            if self.made[v] < self.limit[v]:
                self._push(v, callee, follows)
                return True
            for u in self._before(v):
                if u not in follows:
                    follows[u] = v
                    queue.append(u)
        # No later call comes through these: its caller would have been found here.
        self.closed.update(queue)
        return False

    def _before(self, v: int) -> Iterator[int]:
        """Yield the nodes from which one more unit can flow to v.

        It flows over a free edge, or cancels flow from v to them.
        """
        for u in self.network.predecessors[v]:
            if (u, v) not in self.used and (self.network.directed or (v, u) not in self.used):
                yield u
        for u in self.network.successors[v]:
            if (v, u) in self.used:
                yield u

    def _push(self, start: int, callee: int, follows: dict[int, int]) -> None:
        self.made[start] += 1
        u = start
        while u != callee:
            v = follows[u]
            if (v, u) in self.used:
                self.used.remove((v, u))
            else:
                self.used.add((u, v))
            u = v


def flow_paths(
    callees: Iterable[int], arcs: Iterable[tuple[int, int]], made: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the paths of a round's flow, traced back from the callees.

    Parameters
    ----------
    callees
        The nodes called.
    arcs
        The arcs that carry a call.
    made
        The number of calls that each node makes.
    """
    into: dict[int, list[int]] = {}
    for u, v in arcs:
        into.setdefault(v, []).append(u)
    left = list(made)
    for callee in callees:
        walk = [into[callee].pop()]
        while not left[walk[-1]]:
            walk.append(into[walk[-1]].pop())
        left[walk[-1]] -= 1
        yield simple_path([*reversed(walk), callee])


def simple_path(walk: Sequence[int]) -> tuple[int, ...]:
    """Return a walk without its cycles: a path with the same ends that uses only edges of the walk."""
    path: list[int] = []
    for v in walk:
        if v in path:
            del path[path.index(v) + 1 :]
        else:
            path.append(v)
    return tuple(path)
