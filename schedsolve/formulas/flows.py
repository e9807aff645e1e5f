"""Maximum flows and minimum cuts with whole capacities of any size, without a solver.

Source: Dinic 1970: augment along shortest paths until none is left. The search runs backwards from the sinks,
so that many sources cost nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


class FlowNetwork:
    """A directed network for flows.

    node_count: nodes are 0..node_count-1. arcs: pairs (tail, head); several from one node to another count
    together. capacities: of the arcs, whole numbers, at least 0.
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
        """Change the capacity of an arc, by its number from 0."""
        self._capacity[2 * arc] = capacity

    def maximum_flow(
        self, sources: Collection[int], sinks: Collection[int], enough: int | None = None
    ) -> int:
        """The value of a maximum flow from all sources to all sinks together, which must be disjoint; when
        `enough` is given, the search ends with it.
        """
        self._left = list(self._capacity)
        is_source = bytearray(self.node_count)
        for v in sources:
            is_source[v] = 1
        value = 0
        while enough is None or value < enough:
            distance = self._distances(is_source, sinks)
            if distance is None:
                break
            value += self._augment(is_source, sinks, distance, None if enough is None else enough - value)
        return value

    def cut(self, sources: Collection[int], sinks: Collection[int]) -> tuple[int, frozenset[int]]:
        """The value of a maximum flow, and the largest set of nodes with all sources that a minimum cut
        leaves.
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
        """What every arc carries in the last maximum flow; flow in circles is possible."""
        return [self._capacity[2 * a] - self._left[2 * a] for a in range(len(self._capacity) // 2)]

    def _distances(self, is_source: bytearray, sinks: Collection[int]) -> list[int] | None:
        """Of every node the residual distance to the sinks, -1 beyond the nearest source; None when no source
        reaches them.
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
        """Send flow along shortest paths until every one has a saturated arc, or `most` was sent."""
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
