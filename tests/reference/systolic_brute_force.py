"""The least numbers of rounds of periodic schedules on tiny networks, by enumeration of all periods; no code
of the package is used.

A schedule A[1..m] has period p when A[t + p] = A[t] for all t with t + p <= m; where p >= m this asks for
nothing. With an edge colouring every edge is used at most once, in either direction, in the rounds 1..p. One
number of rounds is tried after another. For every number the slots 1..p are chosen in all ways, slot by slot,
for many prefixes at once; then the slots are repeated until the end.

What is left out loses nothing:
- rounds to which a call can be added, since more calls never hurt (with an edge colouring they do, and
  nothing is left out);
- prefixes which could not be completed in time even if no period were asked for, since the least number of
  rounds from every state of knowledge to the end of a gossip is computed beforehand;
- prefixes that are the same but for the slots that no later round repeats, when they use the same edges and
  lead to the same knowledge;
- prefixes that an automorphism, one that keeps the nodes of the task, maps to a smaller one;
- one-way gossip with an edge colouring when there is a bridge: all calls of a period would cross it in the
same direction. A task that ends at all ends within p (n - 1) rounds: an item that reaches no new node in p
rounds never does.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
import numpy.typing as npt

from tests.reference.brute_force import (
    Arc,
    State,
    all_rounds,
    arcs_of,
    gossip_rounds,
    least_rounds,
)

Numbers = npt.NDArray[np.int64]

MOST_PREFIXES = 100_000  # extended at once
UNREACHED = 100  # more rounds than any gossip of at most five nodes takes


class Optimum(NamedTuple):
    """The least number of rounds of a task, None when no number suffices."""

    graph: nx.Graph
    two_way: bool
    task: str  # "gossip", "broadcast" or "accumulation"
    node: int | None  # the source or the root
    edge_colouring: bool
    period: int
    value: int | None


def systolic_gossip_rounds(
    graph: nx.Graph, two_way: bool, period: int, *, edge_colouring: bool = False
) -> int | None:
    """The least number of rounds with the period until every node has the items of all nodes."""
    n = graph.number_of_nodes()
    connected = nx.is_strongly_connected if graph.is_directed() else nx.is_connected
    if not connected(graph):
        return None
    if not edge_colouring and (rounds := gossip_rounds(graph, two_way)) <= period:
        return rounds
    if edge_colouring and not two_way and n > 1 and nx.has_bridges(graph.to_undirected()):
        return None  # the calls of one period all cross a bridge in the same direction
    return _least_rounds(_gossip(n, arcs_of(graph), two_way, edge_colouring), period)


def systolic_broadcast_rounds(graph: nx.Graph, two_way: bool, period: int, source: int) -> int | None:
    """The least number of rounds with the period until the message of the source is everywhere."""
    return systolic_multicast_rounds(graph, two_way, period, [source], range(graph.number_of_nodes()))


def systolic_multicast_rounds(
    graph: nx.Graph, two_way: bool, period: int, sources: Collection[int], targets: Collection[int]
) -> int | None:
    """The least number of rounds with the period until the message of the sources is at all targets."""
    n = graph.number_of_nodes()
    start, goal = (tuple(int(v in nodes) for v in range(n)) for nodes in (sources, targets))
    rounds = _without_period(graph, two_way, start, goal)
    if rounds is None or rounds <= period:
        return rounds
    packed_start, packed_goal = (sum(1 << v for v in nodes) for nodes in (sources, targets))
    kept = (frozenset(sources), frozenset(targets))
    return _least_rounds(_Task(n, 1, arcs_of(graph), two_way, packed_start, packed_goal, kept=kept), period)


def systolic_accumulation_rounds(graph: nx.Graph, two_way: bool, period: int, root: int) -> int | None:
    """The least number of rounds with the period until the root has the items of all nodes."""
    n = graph.number_of_nodes()
    everything = (1 << n) - 1
    rounds = _without_period(
        graph, two_way, tuple(1 << v for v in range(n)), tuple(everything * (v == root) for v in range(n))
    )
    if rounds is None or rounds <= period:
        return rounds
    kept = (frozenset({root}),)
    task = _Task(n, n, arcs_of(graph), two_way, _own_items(n), everything << n * root, kept=kept)
    return _least_rounds(task, period)


def _without_period(graph: nx.Graph, two_way: bool, start: State, goal: State) -> int | None:
    return least_rounds(graph.number_of_nodes(), arcs_of(graph), two_way, start, [goal])[0]


def _own_items(n: int) -> int:
    return sum(1 << n * v + v for v in range(n))


@lru_cache(maxsize=2)
def _gossip(n: int, arcs: tuple[Arc, ...], two_way: bool, edge_colouring: bool) -> _Task:
    task = _Task(n, n, arcs, two_way, _own_items(n), (1 << n * n) - 1, edge_colouring=edge_colouring)
    task.fill_rounds_left()
    return task


class _Task:
    """What is known at first and what must be known in the end, the rounds to choose from, and the
    symmetries.

    A state of knowledge is a number: n times `width` bits, those of node 0 the lowest, bit i of a node for
    item i.
    """

    def __init__(
        self,
        n: int,
        width: int,
        arcs: tuple[Arc, ...],
        two_way: bool,
        start: int,
        goal: int,
        *,
        kept: tuple[frozenset[int], ...] = (),
        edge_colouring: bool = False,
    ) -> None:
        self.n, self.width, self.start, self.goal, self.edge_colouring = n, width, start, goal, edge_colouring
        every = list(all_rounds(arcs, two_way))
        self.maximal = np.array(
            [not any({*arc}.isdisjoint(v for call in calls for v in call) for arc in arcs) for calls in every]
        )
        self.rounds = (
            every
            if edge_colouring
            else [calls for calls, maximal in zip(every, self.maximal, strict=True) if maximal]
        )
        if not edge_colouring:
            self.maximal = np.ones(len(self.rounds), dtype=np.bool_)
        edges = sorted({(min(arc), max(arc)) for arc in arcs})
        self.edges = len(edges)
        self.uses = np.array(
            [sum(1 << edges.index((min(call), max(call))) for call in calls) for calls in self.rounds],
            dtype=np.int64,
        )
        self.shifts = np.array([self._shifts(calls, two_way) for calls in self.rounds], dtype=np.int64)
        self.symmetries = self._symmetries(arcs, two_way, kept)
        self.rounds_left: npt.NDArray[np.int8] | None = None

    def _shifts(self, calls: tuple[Arc, ...], two_way: bool) -> list[int]:
        """For every node where the bits of the node that it hears from begin; its own when nobody calls
        it.
        """
        caller = list(range(self.n))
        for u, v in calls:
            caller[v] = u
            if two_way:
                caller[u] = v
        return [self.width * v for v in caller]

    def _symmetries(self, arcs: tuple[Arc, ...], two_way: bool, kept: tuple[frozenset[int], ...]) -> Numbers:
        """For every automorphism that keeps these sets of nodes the number of the round that each round is
        mapped to.
        """
        digraph = nx.DiGraph(arcs)
        digraph.add_nodes_from(range(self.n))
        number = {frozenset(calls): place for place, calls in enumerate(self.rounds)}
        rows = []
        for image in nx.algorithms.isomorphism.DiGraphMatcher(digraph, digraph).isomorphisms_iter():
            if all(nodes == {image[v] for v in nodes} for nodes in kept):
                mapped = [[(image[u], image[v]) for u, v in calls] for calls in self.rounds]
                rows.append(
                    [number[frozenset((min(c), max(c)) if two_way else c for c in calls)] for calls in mapped]
                )
        return np.array(rows, dtype=np.int64)

    def after(self, states: Numbers, choice: Numbers) -> Numbers:
        """The states after one round each."""
        items = (1 << self.width) - 1
        result = states.copy()
        for v in range(self.n):
            result |= ((states >> self.shifts[choice, v]) & items) << self.width * v
        return result

    def fill_rounds_left(self) -> None:
        """For every state that rounds can lead to, the least number of rounds, of any kind, from there to the
        goal.
        """
        table = np.full(1 << self.n * self.width, UNREACHED, dtype=np.int8)
        seen = np.zeros(len(table), dtype=np.bool_)
        level = np.array([self.start], dtype=np.int64)
        while level.size:
            seen[level] = True
            following = np.zeros(0, dtype=np.int64)
            for choice in range(len(self.rounds)):
                new = self.after(level, np.array([choice]))
                following = np.union1d(following, new[~seen[new]])
            level = following
        open_states = np.flatnonzero(seen)
        done = (open_states & self.goal) == self.goal
        table[open_states[done]] = 0
        open_states = open_states[~done]
        rounds = 0
        while open_states.size and rounds < UNREACHED - 1:
            reached = np.zeros(len(open_states), dtype=np.bool_)
            for choice in np.flatnonzero(self.maximal).tolist():
                waiting = np.flatnonzero(~reached)
                reached[waiting] = table[self.after(open_states[waiting], np.array([choice]))] <= rounds
            rounds += 1
            table[open_states[reached]] = rounds
            open_states = open_states[~reached]
        self.rounds_left = table

    def left(self, states: Numbers) -> npt.NDArray[np.int8]:
        """At least so many rounds are left to do; 0 just at the goal."""
        result: npt.NDArray[np.int8]
        result = (
            ((states & self.goal) != self.goal).astype(np.int8)
            if self.rounds_left is None
            else self.rounds_left[states]
        )
        return result


@dataclass
class _Prefixes:
    """The first slots of many periods, and what they lead to."""

    depth: int
    states: Numbers
    used: Numbers  # the edges
    slots: Numbers  # the rounds that will be repeated, the first one in the lowest bits

    def part(self, chosen: Any) -> _Prefixes:
        return _Prefixes(self.depth, self.states[chosen], self.used[chosen], self.slots[chosen])


def _least_rounds(task: _Task, period: int) -> int | None:
    """The least number of rounds of a schedule with the period, None when no number suffices."""
    most = period * (task.n - 1)
    start = np.array([task.start], dtype=np.int64)
    least = int(task.left(start)[0])
    if least == 0:
        return 0
    for limit in range(least, min(2 * period, most + 1)):
        if (found := _Enumeration(task, period, limit).least()) is not None:
            return found
    return _Enumeration(task, period, most).least() if most >= 2 * period else None


class _Enumeration:
    """The search for the least number of rounds up to a limit."""

    def __init__(self, task: _Task, period: int, limit: int) -> None:
        self.task, self.period, self.limit = task, period, limit
        self.best = limit + 1
        self.repeated = max(0, min(period, limit - period))  # so many first slots come again
        self.bits = max(1, (len(task.rounds) - 1).bit_length())
        assert self.bits * period < 63

    def least(self) -> int | None:
        nothing = np.zeros(1, dtype=np.int64)
        self._extend(_Prefixes(0, np.array([self.task.start], dtype=np.int64), nothing, nothing))
        return self.best if self.best <= self.limit else None

    def _extend(self, prefixes: _Prefixes) -> None:
        """All ways to go on; `best` becomes the least number of rounds that is found."""
        while prefixes.depth < min(self.period, self.limit) and prefixes.states.size:
            if len(prefixes.states) > MOST_PREFIXES:
                for first in range(0, len(prefixes.states), MOST_PREFIXES):
                    self._extend(prefixes.part(slice(first, first + MOST_PREFIXES)))
                return
            prefixes = self._longer(prefixes)
        self._repeat(prefixes)

    def _longer(self, prefixes: _Prefixes) -> _Prefixes:
        """One more slot for every prefix."""
        depth = prefixes.depth + 1
        parts = []
        for choice in range(len(self.task.rounds)):
            uses = int(self.task.uses[choice])
            mine = prefixes.part((prefixes.used & uses) == 0) if self.task.edge_colouring else prefixes
            states = self.task.after(mine.states, np.array([choice]))
            used = mine.used | uses if self.task.edge_colouring else mine.used
            longer = _Prefixes(depth, states, used, mine.slots | choice << self.bits * (depth - 1))
            parts.append(longer.part(self._open(longer)))
        result = _joined(parts)
        if depth <= 2:
            result = result.part(self._smallest(result))
        if depth >= 2:
            result = self._merged(result)
        return result

    def _open(self, prefixes: _Prefixes) -> npt.NDArray[np.bool_]:
        """Which may still lead to a better result; those that are complete are counted."""
        left = self.task.left(prefixes.states)
        if not left.all():
            self.best = min(self.best, prefixes.depth)
        result: npt.NDArray[np.bool_] = left < self.best - prefixes.depth
        return result

    def _smallest(self, prefixes: _Prefixes) -> npt.NDArray[np.bool_]:
        """Which are not mapped to a smaller prefix by a symmetry; the first two slots count."""
        symmetries = self.task.symmetries
        first = prefixes.slots & ((1 << self.bits) - 1)
        second = prefixes.slots >> self.bits
        number = first * len(self.task.rounds) + second
        result = np.ones(len(first), dtype=np.bool_)
        for row in symmetries:
            result &= number <= row[first] * len(self.task.rounds) + (
                row[second] if prefixes.depth > 1 else 0
            )
        return result

    def _merged(self, prefixes: _Prefixes) -> _Prefixes:
        """One prefix only for the same state, the same edges, and the same slots that come again."""
        task = self.task
        kept_bits = self.bits * min(self.repeated, prefixes.depth)
        slots = prefixes.slots & ((1 << kept_bits) - 1)
        edge_bits = task.edges if task.edge_colouring else 0
        state_bits = task.n * task.width
        if kept_bits + edge_bits + state_bits >= 63:  # too many slots to be worth the while
            return prefixes
        keys = np.unique((slots << edge_bits | prefixes.used) << state_bits | prefixes.states)
        states = keys & ((1 << state_bits) - 1)
        keys >>= state_bits
        return _Prefixes(prefixes.depth, states, keys & ((1 << edge_bits) - 1), keys >> edge_bits)

    def _repeat(self, prefixes: _Prefixes) -> None:
        """The slots again and again until the last round that would still be better than the best."""
        while prefixes.states.size and prefixes.depth < self.best - 1:
            place = prefixes.depth % self.period
            choice = prefixes.slots >> self.bits * place & ((1 << self.bits) - 1)
            prefixes = _Prefixes(
                prefixes.depth + 1, self.task.after(prefixes.states, choice), prefixes.used, prefixes.slots
            )
            prefixes = prefixes.part(self._open(prefixes))


def _joined(parts: list[_Prefixes]) -> _Prefixes:
    return _Prefixes(
        parts[0].depth,
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.used for part in parts]),
        np.concatenate([part.slots for part in parts]),
    )
