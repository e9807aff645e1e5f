"""What a schedule is compared with.

Algorithms that know the ranks only (`schedsolve.machines.textbook`), and the same families laid on the links
of the machine.

- Rings on the links: the buffer is shared out over rings through all ranks that together fill the links,
  which is what NCCL builds.
- Double binary trees: two binary trees, each rank a leaf of one of them, for half of the buffer each, in a
  pipeline (Sanders, Speck, Traff, Two-tree algorithms for full bandwidth broadcast, reduction and scan,
  2009).
- The others of the textbook with the ranks placed by a local search, so that what a step sends meets on
  links as little as it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations, pairwise
from math import gcd

from schedsolve.machines.movement.collectives import ONE_UNIT
from schedsolve.machines.movement.movement import Link, Movement, Transfer
from schedsolve.machines.routes import parallel_routes, routes_from
from schedsolve.machines.textbook import (
    algorithms,
    laid_out,
    shortest_step,
    textbook,
)
from schedsolve.machines.timing import Costs, Timing, timing
from schedsolve.modelkit.rank_steps import (
    RankSteps,
    at_once,
    backwards,
    in_waves,
    placed,
)
from schedsolve.network.graph import Network
from schedsolve.network.rings import Ring, rings_over

MOST_RINGS = 64
"""Rings, counted as often as they stand, into which the buffer is shared out."""
PIPELINES = (1, 4, 16, 64)
"""Parts of a half that go through double binary trees one after another; the best number is taken."""
MOST_PLACED = 32
"""Ranks up to which their places are searched for."""
TREE_TASKS = ("allreduce", "broadcast", "reduce")
RING_TASKS = ("allgather", "reduce-scatter", *TREE_TASKS)


@dataclass(frozen=True)
class Rival:
    """An algorithm's time.

    Attributes
    ----------
    on_links
        Whether it is laid on the links; otherwise it knows the ranks only.
    """

    name: str
    timing: Timing
    on_links: bool


def rivals(movement: Movement, costs: Costs, clock: str) -> list[Rival]:
    """Return the algorithms for the collective of a movement on its network, with the same root, timed."""
    plain = {name: timing(made, costs, clock) for name, made in textbook(movement)}
    found = [Rival(name, timed, on_links=False) for name, timed in plain.items()]
    trees = _trees(movement, list(range(movement.layout.ranks)))
    if trees:
        found.append(Rival("double binary trees", _fastest(trees, costs, clock), on_links=False))
    on_rings = rings_on_links(movement)
    if on_rings is not None:
        found.append(Rival("rings on the links", timing(on_rings, costs, clock), on_links=True))
    for algorithm in algorithms(movement):
        if algorithm.name != "ring" and movement.layout.ranks <= MOST_PLACED:
            places = _placed(movement.network, partial(algorithm.steps, movement.layout))
            laid = timing(algorithm.laid_out(movement, places), costs, clock)
            best = min(laid, plain[algorithm.name], key=lambda each: each.seconds)
            found.append(Rival(f"{algorithm.name} on the links", best, on_links=True))
    laid_trees = trees_on_links(movement)
    if laid_trees:
        fastest = _fastest(laid_trees, costs, clock)
        found.append(Rival("double binary trees on the links", fastest, on_links=True))
    return found


def _fastest(movements: Sequence[Movement], costs: Costs, clock: str) -> Timing:
    return min((timing(one, costs, clock) for one in movements), key=lambda each: each.seconds)


@lru_cache(maxsize=8)
def _rings(network: Network) -> list[Ring]:
    """Rings of nodes over links or through switches."""
    return rings_over(network, parallel_routes(network))


def ring_count(network: Network) -> int:
    """Return how many rings through all ranks the links hold, each of bandwidth 1."""
    return sum(ring.times for ring in _rings(network))


def rings_on_links(movement: Movement) -> Movement | None:
    """Return the collective over rings on the links; None where there is no ring or it is no ring's task."""
    n, collective, network = movement.layout.ranks, movement.collective, movement.network
    rings = _rings(network)
    if not rings or collective not in RING_TASKS:
        return None
    total = sum(ring.times for ring in rings)
    divisor = gcd(*(ring.times for ring in rings)) if total <= MOST_RINGS else Fraction(total, MOST_RINGS)
    shares = [max(1, int(ring.times / divisor)) for ring in rings]
    count = sum(shares)
    steps: list[list[Transfer]] = []
    first = 0
    for ring, share in zip(rings, shares, strict=True):
        between = {way[0][0]: tuple(link[0] for link in way[1:]) for way in ring.ways}
        numbers = [range(i * count + first, i * count + first + share) for i in range(n)]
        for at, sent in enumerate(_ring_steps(movement, [movement.rank[v] for v in ring.nodes])):
            if at == len(steps):
                steps.append([])
            for u, v, parts, adds in sent:
                sender, receiver = network.compute_nodes[u], network.compute_nodes[v]
                chunks = tuple(c for part in sorted(parts) for c in numbers[part])
                steps[at].append(Transfer(sender, receiver, chunks, adds, between[sender]))
        first += share
    per_unit = count * (n if collective in ONE_UNIT else 1)
    made = tuple(shortest_step(network, transfers) for transfers in steps)
    return Movement(collective, network, per_unit, made, movement.root)


def _ring_steps(movement: Movement, order: Sequence[int]) -> RankSteps:
    """Return the steps of one ring, its chunks n parts of its share.

    For rooted ones a chain from the root, or to it, in a pipeline.
    """
    if movement.collective not in ("broadcast", "reduce"):
        around = next(algorithm for algorithm in algorithms(movement) if algorithm.name == "ring")
        return around.steps(movement.layout, order)
    adds = movement.collective == "reduce"
    first = order.index(movement.layout.root) + adds
    chain = pairwise([*order[first:], *order[:first]])
    return in_waves([[(u, v, [0], adds)] for u, v in chain], len(order))


def _trees(movement: Movement, order: Sequence[int]) -> list[Movement]:
    """Return double binary trees, in each number of parts; none for other tasks."""
    if movement.collective not in TREE_TASKS or len(order) < 3:
        return []
    return [laid_out(movement, 2 * parts, _double_trees(movement, order, parts)) for parts in PIPELINES]


def trees_on_links(movement: Movement) -> list[Movement]:
    """Return double binary trees along a ring on the links, in each number of parts; none for other tasks."""
    return _trees(movement, _tree_order(movement))


def _tree_order(movement: Movement) -> list[int]:
    """Return the ranks in the order of a ring on the links, where there is one."""
    rings = sorted(_rings(movement.network), key=lambda ring: -ring.times)
    return [movement.rank[v] for v in rings[0].nodes] if rings else list(range(movement.layout.ranks))


def _double_trees(movement: Movement, order: Sequence[int], parts: int) -> RankSteps:
    """Two trees, the second over the ranks moved on by one, each for half of the chunks in a pipeline.

    Up by sums, then down, whichever the task has.

    A rooted task's root hands its data to, or gets them from, the trees' own roots.
    """
    n, root, halves = len(order), movement.layout.root, []
    tree = _binary_tree(n)
    for half in (0, 1):
        down = placed(tree, [order[(place + half) % n] for place in range(n)], int)
        top = down[0][0][0]
        across: RankSteps = [[(root, top, [0], False)]] if top != root else []
        steps = {
            "allreduce": backwards(down) + down,
            "broadcast": across + [[sent for sent in step if sent[1] != root] for step in down],
            "reduce": backwards(down) + backwards(across, adds=False),
        }[movement.collective]
        halves.append(in_waves(steps, parts, half * parts))
    return [step for step in at_once(*halves) if step]


def _binary_tree(n: int) -> RankSteps:
    """Return a broadcast down a binary tree of n places, all that are equally deep in one step.

    Even places are leaves; the root is the place with the most trailing zeros, counted from 1.
    """
    steps: RankSteps = []

    def build(first: int, last: int, depth: int, above: int | None = None) -> None:
        if first > last:
            return
        middle = max(range(first, last + 1), key=lambda place: (place + 1) & -(place + 1))
        if above is not None:
            steps.extend([] for _ in range(depth - len(steps)))
            steps[depth - 1].append((above, middle, [0], False))
        build(first, middle - 1, depth + 1, middle)
        build(middle + 1, last, depth + 1, middle)

    build(0, n - 1, 0)
    return steps


def _placed(network: Network, steps: Callable[[Sequence[int]], RankSteps]) -> list[int]:
    """Return the ranks in an order in which no exchange of two makes the steps' busiest links less busy."""
    nodes = network.compute_nodes
    best = list(range(len(nodes)))
    least = _cost(network, steps(best))
    improved = True
    while improved:
        improved = False
        for i, j in combinations(range(len(nodes)), 2):
            order = list(best)
            order[i], order[j] = order[j], order[i]
            cost = _cost(network, steps(order))
            if cost < least:
                best, least, improved = order, cost, True
    return best


def _cost(network: Network, steps: RankSteps) -> float:
    """Return the chunks of the busiest link by bandwidth, of all steps together."""
    nodes, total = network.compute_nodes, 0.0
    for step in steps:
        load: dict[Link, float] = {}
        for u, v, chunks, _ in step:
            for link in pairwise(routes_from(network, nodes[u], through_all=True)[nodes[v]]):
                load[link] = load.get(link, 0) + len(chunks) / float(network.bandwidth_of[link])
        total += max(load.values(), default=0)
    return total
