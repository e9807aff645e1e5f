"""Maximum flows and minimum cuts with integer capacities of any size, without a solver.

A few sweeps send what they can along trees of shortest paths; then Dinic's algorithm augments along shortest
paths until none is left. The searches run backwards from the sinks, so that many sources cost nothing.

Source: Dinic 1970.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

MOST_SWEEPS = 8
"""Sweeps before Dinic's algorithm, whose number of searches is bounded."""


class FlowNetwork:
    """A directed network for flows.

    Parameters
    ----------
    node_count
        The number of nodes, which are 0..node_count-1.
    arcs
        Pairs (tail, head), numbered from 0; the capacities of parallel arcs add up.
    capacities
        The capacity of every arc, an integer of at least 0.
    """

    def __init__(self, node_count: int, arcs: Sequence[tuple[int, int]], capacities: Sequence[int]) -> None:
        self.node_count = node_count
        self._tail: list[int] = []
        self._capacity: list[int] = []
        self._entering: list[list[int]] = [[] for _ in range(node_count)]
        for (u, v), capacity in zip(arcs, capacities, strict=True):
            # Entry 2 a is arc number a, entry 2 a + 1 its reverse in the residual network.
            self._entering[v].append(len(self._tail))
            self._entering[u].append(len(self._tail) + 1)
            self._tail += (u, v)
            self._capacity += (capacity, 0)
        self._left = list(self._capacity)

    def set_capacity(self, arc: int, capacity: int) -> None:
        """Change the capacity of an arc, given by its number from 0."""
        self._capacity[2 * arc] = capacity

    def maximum_flow(
        self, sources: Collection[int], sinks: Collection[int], enough: int | None = None
    ) -> int:
        """Return the value of a maximum flow from all sources to all sinks together.

        Parameters
        ----------
        sources, sinks
            Disjoint sets of nodes.
        enough
            A value at which the search stops; None for no such value.
        """
        self._left = list(self._capacity)
        is_source = bytearray(self.node_count)
        for v in sources:
            is_source[v] = 1
        value = 0
        for _ in range(MOST_SWEEPS):
            swept = self._sweep(is_source, sinks, None if enough is None else enough - value)
            value += swept
            if not swept:
                break
        while enough is None or value < enough:
            distance = self._distances(is_source, sinks)
            if distance is None:
                break
            value += self._augment(is_source, sinks, distance, None if enough is None else enough - value)
        return value

    def cut(self, sources: Collection[int], sinks: Collection[int]) -> tuple[int, frozenset[int]]:
        """Return the value of a maximum flow, and the largest source side of a minimum cut.

        The source side holds all sources, and no sink can be reached from it in the residual network.

        Parameters
        ----------
        sources, sinks
            Disjoint sets of nodes.
        """
        value = self.maximum_flow(sources, sinks)
        reaching = set(sinks)
        queue = list(sinks)
        for v in queue:
            for a in self._entering[v]:
                if self._left[a] and self._tail[a] not in reaching:
                    reaching.add(self._tail[a])
                    queue.append(self._tail[a])
        return value, frozenset(range(self.node_count)) - reaching

    def flow(self) -> list[int]:
        """Return the flow of every arc in the last maximum flow, which may contain cycles."""
        return [self._capacity[2 * a] - self._left[2 * a] for a in range(len(self._capacity) // 2)]

    def _sweep(self, is_source: bytearray, sinks: Collection[int], most: int | None) -> int:
        """Send flow along a tree of shortest paths to the sinks, all at once; return its value.

        Sources at many distances would each take a search of their own otherwise.
        """
        left, tail, entering = self._left, self._tail, self._entering
        below: dict[int, list[int]] = {v: [] for v in sinks}
        reached = list(sinks)
        for v in reached:
            for a in entering[v]:
                u = tail[a]
                if left[a] and u not in below:
                    below[v].append(a)
                    if not is_source[u]:
                        below[u] = []
                        reached.append(u)
        # What can come through each arc of the tree, from the leaves up.
        coming: dict[int, int] = {}
        through = dict.fromkeys(reached, 0)
        for v in reversed(reached):
            for a in below[v]:
                u = tail[a]
                coming[a] = left[a] if is_source[u] else min(left[a], through[u])
                through[v] += coming[a]
        # What is sent through it, from the sinks down.
        total = 0
        wanted = dict.fromkeys(reached, 0)
        for v in sinks:
            wanted[v] = through[v] if most is None else min(through[v], most - total)
            total += wanted[v]
        for v in reached:
            for a in below[v]:
                amount = min(coming[a], wanted[v])
                wanted[v] -= amount
                left[a] -= amount
                left[a ^ 1] += amount
                if tail[a] in wanted:
                    wanted[tail[a]] = amount
        return total

    def _distances(self, is_source: bytearray, sinks: Collection[int]) -> list[int] | None:
        """Return the residual distance of every node to the sinks; None if no source reaches them.

        It is -1 for nodes farther away than the nearest source.
        """
        left, tail, entering = self._left, self._tail, self._entering
        distance = [-1] * self.node_count
        for v in sinks:
            distance[v] = 0
        layer = list(sinks)
        while layer:
            following = []
            met = False
            for v in layer:
                step = distance[v] + 1
                for a in entering[v]:
                    u = tail[a]
                    if distance[u] < 0 and left[a]:
                        distance[u] = step
                        met = met or bool(is_source[u])
                        following.append(u)
            if met:
                return distance
            layer = following
        return None

    def _augment(
        self, is_source: bytearray, sinks: Collection[int], distance: list[int], most: int | None
    ) -> int:
        """Send flow until every shortest path has a saturated arc or the flow is `most`; return its value."""
        left, tail, entering = self._left, self._tail, self._entering
        following = [0] * self.node_count
        total = 0
        for sink in sinks:
            path: list[int] = []
            v = sink
            while True:
                if is_source[v]:
                    amount = min(left[a] for a in path)
                    if most is not None:
                        amount = min(amount, most - total)
                    for a in path:
                        left[a] -= amount
                        left[a ^ 1] += amount
                    total += amount
                    if total == most:
                        return total
                    # Go back to the sink's side of the first arc that is now saturated.
                    place = next(i for i, a in enumerate(path) if not left[a])
                    v = tail[path[place] ^ 1]
                    del path[place:]
                    continue
                arcs = entering[v]
                while following[v] < len(arcs):
                    a = arcs[following[v]]
                    if left[a] and distance[tail[a]] == distance[v] + 1:
                        break
                    following[v] += 1
                if following[v] < len(arcs):
                    path.append(arcs[following[v]])
                    v = tail[path[-1]]
                elif path:
                    v = tail[path.pop() ^ 1]
                    following[v] += 1
                else:
                    break
        return total
