"""T, the least number of rounds of a broadcast of the whole message by K ports, and the calls of one.

A node is informed once, and from the next round on informs up to K neighbours a round. In a tree the least
number follows from the leaves up; elsewhere two bounds often meet, and else a SAT solver decides the numbers
between them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from schedsolve.backends.sat import decide
from schedsolve.formulas.cnf import Cnf
from schedsolve.network.graph import Network

from ..constructions.exchange import greedy

Calls = tuple[tuple[tuple[int, int], ...], ...]
"""For every round the pairs of sender and receiver."""
TRIES = 40
LARGEST_FORMULA = 300_000
"""Calls over time beyond which no formula is written."""
SECONDS = 20.0
"""How long T is searched for while a problem is posed."""


@dataclass(frozen=True)
class LeastRounds:
    """At least `lower` rounds are needed; the calls take `upper`."""

    lower: int
    calls: Calls

    @property
    def upper(self) -> int:
        """The number of rounds of the calls."""
        return len(self.calls)

    @property
    def proven(self) -> bool:
        """Whether both are the same."""
        return self.lower == self.upper


@lru_cache(maxsize=64)
def least_rounds(network: Network, source: int, ports: int, seconds: float = SECONDS) -> LeastRounds:
    """What is known of T after about so many seconds. The network is connected."""
    distance = [d or 0 for d in network.distances_from([source])]
    if network.is_tree:
        calls = _tree_calls(network, source, ports)
        return LeastRounds(len(calls), calls)
    lower = max(*distance, _doubling(network.node_count, ports))
    if network.is_complete:
        swap = {0: source, source: 0}
        calls = tuple(
            tuple((swap.get(u, u), swap.get(v, v)) for u, v, _ in of_round)
            for of_round in greedy(ports, network.node_count).rounds
        )
        return LeastRounds(lower, calls)
    generator, end = random.Random(0), time.monotonic() + seconds
    best = _greedy(network, source, ports, None)
    for _ in range(TRIES if network.node_count <= 2000 else 2):
        if len(best) == lower or time.monotonic() > end:
            break
        best = min(best, _greedy(network, source, ports, generator), key=len)
    while lower < len(best) and len(network.arcs) * len(best) <= LARGEST_FORMULA:
        left = end - time.monotonic()
        rounds = len(best) - 1
        answer, calls = _decide(network, source, ports, rounds, left) if left > 0 else (None, ())
        if answer is None:
            break
        if answer:
            best = calls
        else:
            lower = len(best)
    while lower < len(best) and len(network.arcs) * len(best) <= LARGEST_FORMULA:
        # The greatest number was not decided; the least one may be.
        left = min(end - time.monotonic() + seconds / 2, seconds / 2)
        answer, calls = _decide(network, source, ports, lower, left) if left > 0 else (None, ())
        if answer is None:
            break
        if answer:
            best = calls
        else:
            lower += 1
        end = time.monotonic() if left <= 0 else end
    return LeastRounds(lower, best)


def _doubling(nodes: int, ports: int) -> int:
    """The least T with (K + 1)^T >= N."""
    rounds = 0
    while (ports + 1) ** rounds < nodes:
        rounds += 1
    return rounds


def _tree_calls(network: Network, source: int, ports: int) -> Calls:
    """The calls of a fastest broadcast in a tree: a node informs first the children that need the most
    rounds.
    """
    parent, order = {source: source}, [source]
    for u in order:
        for v in network.successors[u]:
            if v not in parent:
                parent[v] = u
                order.append(v)
    children: dict[int, list[int]] = {v: [] for v in order}
    for v in order[1:]:
        children[parent[v]].append(v)
    needs: dict[int, int] = {}
    for u in reversed(order):
        children[u].sort(key=lambda v: -needs[v])
        needs[u] = max((i // ports + 1 + needs[v] for i, v in enumerate(children[u])), default=0)
    when = {source: 0}
    rounds: list[list[tuple[int, int]]] = [[] for _ in range(needs[source])]
    for u in order:
        for i, v in enumerate(children[u]):
            when[v] = when[u] + i // ports + 1
            rounds[when[v] - 1].append((u, v))
    return tuple(tuple(calls) for calls in rounds)


def _greedy(network: Network, source: int, ports: int, generator: random.Random | None) -> Calls:
    """In every round informed nodes call the neighbours behind which the most uninformed nodes are far away;
    with a generator, equal ones and the weights of these by chance.
    """
    distance = [d or 0 for d in network.distances_from([source])]
    depth = [0] * network.node_count
    for v in sorted(range(network.node_count), key=lambda v: -distance[v]):
        for u in network.predecessors[v]:
            if distance[u] < distance[v]:
                depth[u] = max(depth[u], depth[v] + 1)
    noise = [generator.random() if generator else 0.0 for _ in range(network.node_count)]
    free = [len(s) for s in network.successors]
    informed, rounds = [source], []
    known = {source}
    for w in network.predecessors[source]:
        free[w] -= 1
    while len(informed) < network.node_count:
        calls: list[tuple[int, int]] = []
        for u in sorted(informed, key=lambda u: (free[u], noise[u])):
            near = sorted(
                (w for w in network.successors[u] if w not in known),
                key=lambda w: (-depth[w], -free[w] * (0.5 + noise[w]), noise[w]),
            )
            for w in near[:ports]:
                known.add(w)
                calls.append((u, w))
        for _, w in calls:
            informed.append(w)
            for x in network.predecessors[w]:
                free[x] -= 1
        informed = [u for u in informed if free[u] > 0] if len(known) < network.node_count else list(known)
        rounds.append(tuple(calls))
    return tuple(rounds)


def _decide(
    network: Network, source: int, ports: int, rounds: int, seconds: float
) -> tuple[bool | None, Calls]:
    """Whether so many rounds suffice, and the calls.

    - `knows[v, t]`: v is informed after round t; it stays so.
    - `called[u, v, t]`: u informs v in round t: it was informed before.
    - Who becomes informed in a round is called in it; nobody calls more than K nodes a round.
    - All are informed in the end, and nobody earlier than his distance.
    """
    cnf = Cnf()
    distance = [d or 0 for d in network.distances_from([source])]
    knows = {(v, t): cnf.new() for v in range(network.node_count) for t in range(rounds + 1)}
    called: dict[tuple[int, int, int], int] = {}
    for u, v in network.arcs:
        for t in range(distance[u] + 1, rounds + 1):
            if v != source:
                called[u, v, t] = x = cnf.new()
                cnf.add(-x, knows[u, t - 1])
    for v in range(network.node_count):
        cnf.add(knows[v, rounds])
        for t in range(distance[v]):
            cnf.add(-knows[v, t])
        for t in range(1, rounds + 1):
            cnf.add(-knows[v, t - 1], knows[v, t])
            coming = [called[u, v, t] for u in network.predecessors[v] if (u, v, t) in called]
            if v != source:
                cnf.add(-knows[v, t], knows[v, t - 1], *coming)
            going = [called[v, w, t] for w in network.successors[v] if (v, w, t) in called]
            if len(going) > ports:
                cnf.at_most(going, ports)
    answer, true = decide(cnf, seconds)
    if not answer:
        return answer, ()
    found: list[list[tuple[int, int]]] = [[] for _ in range(rounds)]
    told = {source}
    for (u, v, t), x in sorted(called.items(), key=lambda item: item[0][2]):
        if x in true and v not in told:
            told.add(v)
            found[t - 1].append((u, v))
    return True, tuple(tuple(calls) for calls in found)


def whole_message(calls: Sequence[Sequence[tuple[int, int]]]) -> list[list[tuple[int, int, tuple[int, ...]]]]:
    """The calls as messages of one packet."""
    return [[(u, v, (0,)) for u, v in of_round] for of_round in calls]
