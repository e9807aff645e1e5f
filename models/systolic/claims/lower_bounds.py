"""Lower bounds of the systolic models that anybody can recompute.

Every bound of the models without a period holds here too: a systolic schedule is a schedule. A bound above
the horizon, p (n - 1) rounds, says that no number of rounds suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.models.matching.claims.lower_bounds import LOWER_BOUNDS as MATCHING_BOUNDS
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules import is_edge_colouring, period_of
from .formula import horizon, without_period
from .path_theorem import is_path, path_theorem
from .paths import path_gossip

MOST_STEPS = 20_000_000
"""Nodes times arcs up to which every node is looked at as a cut node."""


def too_few_slots(problem: Problem) -> int | None:
    """A node whose removal leaves c parts needs a call with each of them, and a one-way gossip calls both
    ways: c or 2c slots.

    For one message: a slot for every part without a source that has a target, and one by which a node that is
    no source is informed. With edge colouring, a one-way gossip needs two edges to every part.
    """
    network, period = problem.network, period_of(problem)
    for v in range(network.node_count):
        near = set(network.successors[v]) | set(network.predecessors[v])
        if 2 * len(near) <= period and not is_edge_colouring(problem):
            continue
        if not network.is_tree and network.node_count * len(network.arcs) > MOST_STEPS:
            return None
        if _slots_needed(problem, v, near) > period:
            return horizon(problem) + 1
    return None


def _slots_needed(problem: Problem, v: int, near: set[int]) -> int:
    """How many slots the calls of node v need at least; more than any period has when none would do. near:
    its neighbours.
    """
    network = problem.network
    parts = (
        [{w} for w in near]
        if network.is_tree and problem.task == "gossip"
        else list(_parts_without(network, v))
    )
    if problem.task == "gossip":
        if is_two_way(problem):
            return len(parts)
        if is_edge_colouring(problem) and any(len(near & part) < 2 for part in parts):
            return period_of(problem) + 1
        return 2 * len(parts)
    if problem.choice:
        return len(parts)
    sources, targets = set(problem.sources), set(problem.targets)
    called = sum(1 for part in parts if part & targets and not part & sources)
    return called + (v not in sources and (called > 0 or v in targets))


def _parts_without(network: Network, v: int) -> Iterator[set[int]]:
    """The connected parts that the network falls into when v is removed, directions of arcs left aside."""
    seen = {v}
    for start in range(network.node_count):
        if start in seen:
            continue
        part = [start]
        seen.add(start)
        for u in part:
            for w in (*network.successors[u], *network.predecessors[u]):
                if w not in seen:
                    seen.add(w)
                    part.append(w)
        yield set(part)


def _one_way_path_gossip(problem: Problem) -> bool:
    return problem.task == "gossip" and not is_two_way(problem) and is_path(problem.network)


def path_collisions(problem: Problem) -> int | None:
    """Lemma 3.5: a one-way gossip on a path with period k >= 3 takes (k+2)/k (n-1) - 1 rounds at least, with
    k - 1 for an odd k.
    """
    n, k = problem.network.node_count, period_of(problem)
    if not _one_way_path_gossip(problem) or n < 2 or k < 3:
        return None
    return -(-(n - 1) // (k // 2)) + n - 2


def path_conflicts(problem: Problem) -> int | None:
    """Lemma 3.6: a one-way gossip on a path with n >= 3 and period k >= 3 takes k/(k-2) (n-2) rounds at
    least.
    """
    n, k = problem.network.node_count, period_of(problem)
    if not _one_way_path_gossip(problem) or n < 3 or k < 3:
        return None
    return -(-k * (n - 2) // (k - 2))


@dataclass(frozen=True)
class CompleteTree:
    """A complete tree in which every node but the leaves has `arity` children, all leaves at the same height
    below the root.

    children: of every node, in increasing order.
    """

    arity: int
    height: int
    root: int
    children: tuple[tuple[int, ...], ...]


def complete_tree(network: Network) -> CompleteTree | None:
    """The complete tree of arity 2 or more, and height 0 or more, that the network is, its nodes numbered in
    whatever way.
    """
    if not network.is_tree:
        return None
    n = network.node_count
    degrees = sorted({len(near) for near in network.successors})
    inner = [v for v, near in enumerate(network.successors) if len(near) > 1]
    if n > 1 and not (len(degrees) in (2, 3) and degrees[0] == 1 and degrees[1] >= 2):
        return None
    arity = 2 if n == 1 else degrees[1]
    root = 0 if n == 1 else next((v for v in inner if len(network.successors[v]) == arity), 0)
    children: list[tuple[int, ...]] = [()] * n
    level, height, above = [root], 0, {root: root}
    while True:
        for v in level:
            children[v] = tuple(sorted(w for w in network.successors[v] if w != above[v]))
        sizes = {len(children[v]) for v in level}
        if sizes == {0}:
            return CompleteTree(arity, height, root, tuple(children))
        if sizes != {arity}:
            return None
        above.update((w, v) for v in level for w in children[v])
        level, height = [w for v in level for w in children[v]], height + 1


def complete_tree_gossip(problem: Problem) -> int | None:
    """Proposition 4.1: a gossip in the complete k-ary tree of height h >= 1 takes 2kh rounds at least,
    two-way 2kh - 1.
    """
    tree = complete_tree(problem.network) if problem.task == "gossip" else None
    if tree is None or tree.height == 0:
        return None
    return 2 * tree.arity * tree.height - (1 if is_two_way(problem) else 0)


def _of_matching(bound: LowerBound, problem: Problem) -> int | None:
    return bound.compute(without_period(problem))


LOWER_BOUNDS = (
    *(
        LowerBound(bound.name, f"without a period: {bound.reason}", partial(_of_matching, bound))
        for bound in MATCHING_BOUNDS
    ),
    LowerBound(
        "too-few-slots",
        "a node has more parts of the network to call than the period has slots",
        too_few_slots,
    ),
    LowerBound("path-collisions", "theorem: Lemma 3.5 (Hromkovic et al. 1994)", path_collisions),
    LowerBound("path-conflicts", "theorem: Lemma 3.6 (Hromkovic et al. 1994)", path_conflicts),
    LowerBound(
        "complete-tree-gossip", "theorem: Proposition 4.1 (Hromkovic et al. 1994)", complete_tree_gossip
    ),
    LowerBound(
        "path-theorem",
        "theorem: 2 ceil(n/2) + 2 floor((n-3)/(k-2)) on a path with period k (docs/theorems.md, Theorem 1)",
        path_theorem,
        exact=True,
    ),
    LowerBound("path-gossip", "dynamic programme over the edges of the path", path_gossip, exact=True),
)
