"""Maximum flows and minimum cuts with integer capacities of any size, without a solver.

A few sweeps send what they can along trees of shortest paths; then Dinic's algorithm augments along shortest
paths until none is left. The searches run backwards from the sinks, so that many sources cost nothing.

Source: Dinic 1970.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

MOST_SWEEPS = 8
"""Sweeps before Dinic's algorithm, whose number of searches is bounded."""
MOST_PATHS = 32
"""Shortest paths to a node, one after the other, before sweeps and Dinic's algorithm."""


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
        return self._more_flow(is_source, sinks, enough)

    def _more_flow(self, is_source: bytearray, sinks: Collection[int], enough: int | None) -> int:
        """Add flow to the present one until it is a maximum, or as much as is enough; return how much."""
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
        above: dict[int, int] = {}
        reached = list(sinks)
        for v in reached:
            for a in entering[v]:
                u = tail[a]
                if not left[a]:
                    continue
                if is_source[u] or above.get(u) == v:
                    below[v].append(a)
                elif u not in below:
                    below[v].append(a)
                    below[u], above[u] = [], v
                    reached.append(u)
        # What can come through each arc of the tree, from the leaves up; parallel arcs share what comes.
        coming: dict[int, int] = {}
        through = dict.fromkeys(reached, 0)
        for v in reversed(reached):
            for a in below[v]:
                u = tail[a]
                coming[a] = left[a] if is_source[u] else min(left[a], through[u])
                through[v] += coming[a]
                if not is_source[u]:
                    through[u] -= coming[a]
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
                    wanted[tail[a]] += amount
        return total

    def _distances(self, is_source: bytearray, sinks: Collection[int]) -> list[int] | None:
        """Return the residual distance of every node to the sinks; None if no source reaches them.

        It is -1 for nodes from which the sinks are reached through sources only.
        """
        left, tail, entering = self._left, self._tail, self._entering
        distance = [-1] * self.node_count
        for v in sinks:
            distance[v] = 0
        layer = list(sinks)
        met = False
        while layer:
            following = []
            for v in layer:
                step = distance[v] + 1
                for a in entering[v]:
                    u = tail[a]
                    if distance[u] < 0 and left[a]:
                        distance[u] = step
                        if is_source[u]:
                            met = True
                        else:
                            following.append(u)
            layer = following
        return distance if met else None

    def _augment(
        self, is_source: bytearray, sinks: Collection[int], distance: list[int], most: int | None
    ) -> int:
        """Send flow until every path that comes nearer has a saturated arc; return its value, at most `most`.

        From a source a path may begin with any arc. So all shortest paths are among these, and many longer
        ones where sources are at many distances.
        """
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
                    if left[a] and (distance[tail[a]] == distance[v] + 1 or is_source[tail[a]]):
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


class RootedFlows(FlowNetwork):
    """Whether enough flow gets from the sources to one node after another, each a source from then on.

    A set of nodes without any source is left out by a cut that is looked at for the first of its nodes, so
    the later ones may be sources. The flow to a node stays when it becomes a source, and the search for flow
    to the next begins with it: what has come a long way to a node often serves its neighbors too.

    Parameters
    ----------
    node_count, arcs, capacities
        As of a `FlowNetwork`.
    sources
        The first sources.

    Attributes
    ----------
    looked_at
        How many nodes the searches have looked at.
    """

    def __init__(
        self,
        node_count: int,
        arcs: Sequence[tuple[int, int]],
        capacities: Sequence[int],
        sources: Collection[int],
    ) -> None:
        super().__init__(node_count, arcs, capacities)
        self._is_source = bytearray(node_count)
        for v in sources:
            self._is_source[v] = 1
        self._seen = [0] * node_count
        self._toward = [0] * node_count
        self._searches = self.looked_at = 0

    def join(self, node: int) -> None:
        """Count a node among the sources, whatever gets to it."""
        self._is_source[node] = 1

    def spread_to(self, sink: int, needed: int, most_nodes: int | None = None) -> bool:
        """Return whether a flow of the needed value gets to a node; if so, it is a source from now on.

        The present flow is kept at all nodes but sources: as much leaves each as enters it. So none gets to
        the new sink in all, and what augments it to a maximum is what a new flow would be (Ford, Fulkerson).
        After a node to which it does not get, only those that `join` may follow.

        Parameters
        ----------
        sink
            The node.
        needed
            The value.
        most_nodes
            How many nodes are looked at before it is given up, and False says nothing; None for no end.
        """
        if self._is_source[sink]:
            return True
        value, most = 0, self.node_count if most_nodes is None else most_nodes
        for _ in range(MOST_PATHS):
            before = self.looked_at
            sent = self._along_a_shortest_path(sink, needed - value, most)
            value += sent
            most -= 0 if most_nodes is None else self.looked_at - before
            if value == needed or not sent:
                break
        if value < needed and most_nodes is None:
            self.looked_at += self.node_count
            value += self._more_flow(self._is_source, [sink], needed - value)
        self._is_source[sink] = value >= needed
        return value >= needed

    def _along_a_shortest_path(self, sink: int, most: int, most_nodes: int) -> int:
        """Send flow along one shortest path to the sink; return how much.

        The search goes backwards and ends at the first source, so that near ones cost little.
        """
        left, tail, entering = self._left, self._tail, self._entering
        seen, toward = self._seen, self._toward
        self._searches += 1
        stamp = seen[sink] = self._searches
        queue = [sink]
        for v in queue:
            for a in entering[v]:
                u = tail[a]
                if left[a] and seen[u] != stamp:
                    seen[u], toward[u] = stamp, a
                    if self._is_source[u]:
                        self.looked_at += len(queue)
                        return self._send(u, sink, most)
                    queue.append(u)
            if len(queue) > most_nodes:
                break
        self.looked_at += len(queue)
        return 0

    def _send(self, source: int, sink: int, most: int) -> int:
        """Send what fits along the path of the last search; return how much."""
        path, v = [], source
        while v != sink:
            path.append(self._toward[v])
            v = self._tail[path[-1] ^ 1]
        amount = min(most, *(self._left[a] for a in path))
        for a in path:
            self._left[a] -= amount
            self._left[a ^ 1] += amount
        return amount
