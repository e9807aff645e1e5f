"""The least cost of a broadcast by trying everything, exactly: all sequences of call graphs, all ways that a
packet can take, and the linear program of their weights. It shares no code with the package.

A call graph is a set of arcs that a round can use; one more arc never hurts, so only largest sets are tried.
With strict ports the links of a node, whichever way they are used, are at most so many; with weak ports the
arcs out of it, and the arcs into it. A packet's first receipts are a way; a broadcast of any number of
packets is weights of ways that sum to 1, and a round costs as much as the largest sum of weights on an arc.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from ortools.linear_solver import pywraplp

Links = tuple[tuple[int, int], ...]
Way = tuple[tuple[int, int, int], ...]
NEAR = 1e-6


def least_cost(
    nodes: int, links: Links, source: int, ports: int, rounds: int, *, weak: bool = False
) -> Fraction | None:
    """The least cost in so many rounds; None when they do not suffice."""
    sets = call_graphs(nodes, links, ports, weak)
    packings = [list(_ways(nodes, chosen, source)) for chosen in product(sets, repeat=rounds)]
    rough = [(_rough_cost(ways, rounds), ways) for ways in packings if ways]
    if not rough:
        return None
    near = min(cost for cost, _ in rough) + NEAR
    return min(_exact_cost(ways, rounds) for cost, ways in rough if cost <= near)


def least_time(
    nodes: int,
    links: Links,
    source: int,
    ports: int,
    alpha: Fraction,
    tau: Fraction,
    *,
    most: int,
    weak: bool = False,
) -> tuple[Fraction, int] | None:
    """The least alpha times the rounds plus tau times the cost, and a number of rounds that has it; None when
    more than `most` rounds would have to be tried.

    A node receives all of the message through so many ports, so that no cost is below 1 / ports.
    """
    if nodes == 1:
        return Fraction(0), 0
    best: tuple[Fraction, int] | None = None
    for rounds in range(most + 1):
        if best is not None and alpha * rounds + tau / ports >= best[0]:
            return best
        cost = least_cost(nodes, links, source, ports, rounds, weak=weak)
        if cost is not None:
            found = alpha * rounds + tau * cost, rounds
            best = found if best is None else min(best, found)
    return None


def least_rounds(nodes: int, links: Links, source: int, ports: int) -> int | None:
    """The least number of rounds of a broadcast; None when somebody is out of reach.

    Only arcs from nodes that are informed to others count, and such an arc is the only one into its end.
    """
    level, rounds = {frozenset({source})}, 0
    while not any(len(informed) == nodes for informed in level):
        following = set()
        for informed in level:
            for chosen in call_graphs(nodes, links, ports, weak=False):
                following.add(informed.union(v for u, v in chosen if u in informed))
        if following <= level:
            return None
        level, rounds = following, rounds + 1
    return rounds


@cache
def call_graphs(nodes: int, links: Links, ports: int, weak: bool) -> list[Links]:
    """The sets of arcs that a round can use, and to which no arc can be added."""
    arcs = [arc for u, v in links for arc in ((u, v), (v, u))]

    def fits(chosen: Sequence[tuple[int, int]]) -> bool:
        if not weak:
            return all(sum(v in link for link in chosen) <= ports for v in range(nodes))
        out, into = ([sum(arc[side] == v for arc in chosen) for v in range(nodes)] for side in (0, 1))
        return max([*out, *into]) <= ports

    fitting: list[frozenset[tuple[int, int]]] = [frozenset()]
    largest: list[frozenset[tuple[int, int]]] = []
    choices = arcs if weak else list(links)
    for size in range(1, len(choices) + 2):
        bigger = [frozenset(c) for c in combinations(choices, size) if fits(c)]
        largest += [one for one in fitting if not any(one < other for other in bigger)]
        fitting = bigger
    return [
        tuple(sorted(one if weak else {arc for u, v in one for arc in ((u, v), (v, u))})) for one in largest
    ]


def _ways(nodes: int, chosen: Sequence[Links], source: int) -> Iterator[Way]:
    """All ways of a packet: by node the round and the sender of its first receipt."""
    others = [v for v in range(nodes) if v != source]
    options = [[(t, u, v) for t, arcs in enumerate(chosen, 1) for u, w in arcs if w == v] for v in others]
    for receipts in product(*options):
        when = {v: t for t, _, v in receipts} | {source: 0}
        if all(when[u] < t for t, u, _ in receipts):
            yield receipts


def _rough_cost(ways: Sequence[Way], rounds: int) -> float:
    """The least cost of weights of these ways, in floats."""
    solver = pywraplp.Solver.CreateSolver("GLOP")
    costs = [solver.NumVar(0, 1, "") for _ in range(rounds)]
    weights = [solver.NumVar(0, 1, "") for _ in ways]
    solver.Add(sum(weights) == 1)
    users: dict[tuple[int, int, int], list[int]] = {}
    for j, way in enumerate(ways):
        for arc in way:
            users.setdefault(arc, []).append(j)
    for arc, by in users.items():
        solver.Add(sum(weights[j] for j in by) <= costs[arc[0] - 1])
    solver.Minimize(sum(costs))
    assert solver.Solve() == solver.OPTIMAL
    return float(solver.Objective().Value())


def _exact_cost(ways: Sequence[Way], rounds: int) -> Fraction:
    """The same exactly, as the dual: the greatest price of the cheapest way, when prices of arcs sum to at
    most 1 in every round.
    """
    arcs = sorted({arc for way in ways for arc in way})
    rows = [[Fraction(arc[0] == t) for arc in arcs] + [Fraction(0)] for t in range(1, rounds + 1)]
    rows += [[-Fraction(arc in way) for arc in arcs] + [Fraction(1)] for way in map(set, ways)]
    limits = [Fraction(1)] * rounds + [Fraction(0)] * len(ways)
    return maximum(rows, limits, [Fraction(0)] * len(arcs) + [Fraction(1)])


def maximum(
    rows: Sequence[Sequence[Fraction]], limits: Sequence[Fraction], gains: Sequence[Fraction]
) -> Fraction:
    """The greatest gain of x >= 0 with every row at most its limit, none of which is negative, by the simplex
    method with Bland's rule.
    """
    width = len(gains)
    table = [
        [*row, *(Fraction(i == j) for j in range(len(rows))), limit]
        for i, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    bottom = [-gain for gain in gains] + [Fraction(0)] * (len(rows) + 1)
    basis = list(range(width, width + len(rows)))
    while (entering := next((j for j, cost in enumerate(bottom[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        leaving = min(ratios)[2]
        pivot = table[leaving][entering]
        table[leaving] = [x / pivot for x in table[leaving]]
        for row in [*table[:leaving], *table[leaving + 1 :], bottom]:
            if factor := row[entering]:
                row[:] = [x - factor * y if y else x for x, y in zip(row, table[leaving], strict=True)]
        basis[leaving] = entering
    return bottom[-1]


def least_cost_of_packets(
    nodes: int, links: Links, source: int, ports: int, rounds: int, packets: int, *, weak: bool = False
) -> Fraction | None:
    """The least cost in so many rounds of a message that is cut into so many packets, from who owns what
    round by round; None when the rounds do not suffice.
    """
    everything = (1 << packets) - 1
    level = {tuple(everything * (v == source) for v in range(nodes)): 0}
    for _ in range(rounds):
        following: dict[tuple[int, ...], int] = {}
        for owned, cost in level.items():
            for arcs in call_graphs(nodes, links, ports, weak):
                for size in range(packets + 1):
                    for after in _received(owned, arcs, size):
                        following[after] = min(following.get(after, cost + size), cost + size)
        level = following
    done = level.get((everything,) * nodes)
    return None if done is None else Fraction(done, packets)


def _received(owned: tuple[int, ...], arcs: Links, size: int) -> set[tuple[int, ...]]:
    """Who can own what after a round in which every arc of a call graph carries so many packets at most."""
    states = {owned}
    for u, v in arcs:
        fresh = [1 << p for p in range(owned[u].bit_length()) if owned[u] >> p & 1 and not owned[v] >> p & 1]
        states = {
            (*state[:v], state[v] | sum(sent), *state[v + 1 :])
            for state in states
            for sent in combinations(fresh, min(size, len(fresh)))
        }
    return states
