"""T, the least number of rounds of a broadcast of the whole message by K ports, and the calls of one.

A node is informed once, and from the next round on informs up to K neighbours a round. In a tree the least
number follows from the leaves up; elsewhere two bounds often meet, and else a SAT solver decides the numbers
between them, and refutes one less with a proof.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Maker, bound_to_json
from schedsolve.modelkit.schedule import Schedule
from schedsolve.network.graph import Network
from schedsolve.network.named.trees import order_from
from schedsolve.runtime.errors import counted
from schedsolve.runtime.limits.own_limits import met

from ..claims.least_rounds import rounds_formula
from ..claims.staircase import certain_rounds
from ..rules import rounds_allowed, shape_of
from .exchange import greedy
from .protocol import Protocol

Calls = tuple[tuple[tuple[int, int], ...], ...]
"""For every round the pairs of sender and receiver."""
TRIES = 40
LARGEST_FORMULA = 300_000
"""Calls over time beyond which no formula is written."""
SECONDS = 20.0
"""How long T is searched for while a problem is posed."""


@dataclass(frozen=True)
class LeastRounds:
    """At least `lower` rounds are needed; the calls take `upper`.

    Attributes
    ----------
    evidence
        Of a bound on the problem with `lower` - 1 rounds in all, that these are too few; None where `lower`
        is recomputed.
    """

    lower: int
    calls: Calls
    evidence: Mapping[str, Any] | None = None

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
    """Return what is known of T after about so many seconds.

    The network is connected.
    """
    if network.is_tree:
        calls = _tree_calls(network, source, ports)
        return LeastRounds(len(calls), calls)
    lower = certain_rounds(network, source, ports)
    if network.is_complete:
        swap = {0: source, source: 0}
        calls = tuple(
            tuple((swap.get(u, u), swap.get(v, v)) for u, v, _ in of_round)
            for of_round in greedy(ports, network.node_count).rounds
        )
        return LeastRounds(lower, calls)
    generator, end = random.Random(0), time.process_time() + seconds
    best = _greedy(network, source, ports, None)
    for _ in range(TRIES if network.node_count <= 2000 else 2):
        if len(best) == lower or time.process_time() > end:
            break
        best = min(best, _greedy(network, source, ports, generator), key=len)
    evidence: Mapping[str, Any] = {"kind": "staircase"}
    while lower < len(best) and len(network.arcs) * len(best) <= LARGEST_FORMULA:
        left = end - time.process_time()
        answer, found = _decide(network, source, ports, len(best) - 1, left) if left > 0 else (None, ())
        if answer is None:
            break
        if answer:
            best = found
        else:
            lower, evidence = len(best), dict(found)
    while lower < len(best) and len(network.arcs) * len(best) <= LARGEST_FORMULA:
        # The greatest number was not decided; the least one may be.
        left = min(end - time.process_time() + seconds / 2, seconds / 2)
        answer, found = _decide(network, source, ports, lower, left) if left > 0 else (None, ())
        if answer is None:
            break
        if answer:
            best = found
        else:
            lower, evidence = lower + 1, dict(found)
        end = time.process_time() if left <= 0 else end
    return LeastRounds(lower, best, evidence)


def _tree_calls(network: Network, source: int, ports: int) -> Calls:
    """Return the calls of a fastest broadcast in a tree.

    A node informs first the children that need the most rounds.
    """
    order, parent = order_from(network, source)
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


def _depths_behind(network: Network, source: int) -> list[int]:
    """Return for every node how many hops shortest paths from the source go on behind it."""
    distance = [d or 0 for d in network.distances_from([source])]
    depth = [0] * network.node_count
    for v in sorted(range(network.node_count), key=lambda v: -distance[v]):
        for u in network.predecessors[v]:
            if distance[u] < distance[v]:
                depth[u] = max(depth[u], depth[v] + 1)
    return depth


def _greedy(network: Network, source: int, ports: int, generator: random.Random | None) -> Calls:
    """In every round informed nodes call the neighbours behind which the most uninformed nodes are far away.

    With a generator nodes with few uninformed neighbours call first, and chance has a part in the order;
    without one those call first behind which nodes are farthest away.
    """
    depth = _depths_behind(network, source)
    noise = [generator.random() if generator else 0.0 for _ in range(network.node_count)]
    free = [len(s) for s in network.successors]
    informed, rounds = [source], []
    known = {source}
    for w in network.predecessors[source]:
        free[w] -= 1
    while len(informed) < network.node_count:
        calls: list[tuple[int, int]] = []
        for u in sorted(informed, key=lambda u: (free[u], noise[u]) if generator else (-depth[u], u)):
            near = sorted(
                (w for w in network.successors[u] if w not in known),
                key=lambda w: (-depth[w], -free[w] * (0.5 + noise[w]) if generator else w, noise[w]),
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
) -> tuple[bool | None, Any]:
    """Return whether so many rounds suffice, with the calls or the refutation; None if time is too short."""
    formula = rounds_formula(network, source, ports, rounds)

    def no_schedule(_: set[int]) -> tuple[Problem, Schedule]:
        raise ValueError("the calls are read off the variables")

    said = {"kind": "refutation", "rounds": rounds}
    search = SatSearch(lambda: SatQuestion(formula.cnf, [], no_schedule, said), with_proof=True)
    try:
        answer = search.advance(seconds)
        if not answer:
            refutation = None if answer is None else search.evidence()
            return (None, ()) if refutation is None else (False, refutation)
        true = search.model()
    finally:
        search.close()
    calls: list[list[tuple[int, int]]] = [[] for _ in range(rounds)]
    told = {source}
    for (u, v, t), x in sorted(formula.called.items(), key=lambda item: item[0][2]):
        if x in true and v not in told:
            told.add(v)
            calls[t - 1].append((u, v))
    return True, tuple(map(tuple, calls))


def evidence_of(problem: Problem, known: LeastRounds) -> dict[str, Any]:
    """Return what proves T to a checker: the fastest broadcast, and that one round less is too few.

    Parameters
    ----------
    problem
        On a network whose T is not recomputed.
    known
        What is known of the least number of rounds.
    """
    too_few = known.lower - 1
    reason = f"a broadcast takes more than {counted(too_few, 'round')}"
    by: Maker = "search" if (known.evidence or {}).get("kind") == "refutation" else "theorem"
    bound = Bound("lower", known.lower, reason, known.evidence, by=by)
    return {
        "schedule": fastest_schedule(known).to_json(problem.network.labels),
        "lower": [{**bound_to_json(bound), "evidence": dict(known.evidence or {})}],
    }


def fastest_schedule(known: LeastRounds) -> Schedule:
    """Return the whole message along the calls."""
    return _whole_message(known.calls)


def _whole_message(calls: Calls) -> Schedule:
    messages = tuple(tuple((u, v, (0,)) for u, v in of_round) for of_round in calls)
    return Protocol(1, messages).schedule(lambda x: x)


def rounds_decided(problem: Problem, seconds: float) -> Bound | tuple[Problem, Schedule] | None:
    """Whether the rounds of a problem suffice for a broadcast.

    A schedule, or a bound beyond what any can cost; None where that is not decided in time.
    """
    network, rounds, ports = problem.network, rounds_allowed(problem), shape_of(problem).ports
    if len(network.arcs) * rounds > LARGEST_FORMULA:
        met("arcs times rounds", LARGEST_FORMULA)
        return None
    answer, found = _decide(network, problem.sources[0], ports, rounds, seconds)
    if answer is None:
        met("seconds for a formula", seconds)
        return None
    if answer:
        return problem, _whole_message(found)
    return Bound(
        "lower", rounds + 1, f"a broadcast takes more than {counted(rounds, 'round')}", found, by="search"
    )
