"""Lower bounds of the systolic models that anybody can recompute.

Every bound of the models without a period holds here too: a systolic schedule is a schedule. A bound above
the horizon, p (n - 1) rounds, says that no number of rounds suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.models.matching.claims.lower_bounds import LOWER_BOUNDS as MATCHING_BOUNDS
from schedsolve.models.matching.claims.lower_bounds import growth_rounds, head_count
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.graph import Network
from schedsolve.problem import Problem

from ..rules import is_edge_colouring, period_of
from .complete_trees import complete_tree
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


def period_growth(problem: Problem) -> int | None:
    """A node that an item reaches in round t passes it on in rounds t + 1, ..., t + p - 1 only, to one node
    in each; a source in rounds 1, ..., p.

    In round t + p it takes part in the same call as in round t, with the node that it has the item from;
    whomever it calls in a later round it called p rounds before, who holds the item since. So with one source
    and p = 2, at most 2t nodes hold it after t rounds.
    """
    period, (sources, wanted) = period_of(problem), head_count(problem)
    rounds = growth_rounds(sources, wanted, period, period - 1)
    return horizon(problem) + 1 if rounds is None else rounds


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


def complete_tree_gossip(problem: Problem) -> int | None:
    """Proposition 4.1: a gossip in the complete k-ary tree of height h >= 1 takes 2kh rounds at least,
    two-way 2kh - 1.
    """
    tree = complete_tree(problem.network) if problem.task == "gossip" else None
    if tree is None or tree.height == 0:
        return None
    return 2 * tree.arity * tree.height - (1 if is_two_way(problem) else 0)


def short_tree_period(problem: Problem) -> int | None:
    """Theorem 2: in the complete k-ary tree of height 2 or more no two-way gossip of 2kh - 1 rounds has
    period k + 1.

    A node of depth 1 has k + 1 edges, so one slot for each: a child of the root is called up and down in one
    slot. In 2kh - 1 rounds the one that calls up in round kh - 1 would be called down in round kh + k or
    later, and kh + k - 1 is the last that leaves time for the nodes below.
    """
    tree = complete_tree(problem.network) if problem.task == "gossip" and is_two_way(problem) else None
    if tree is None or tree.height <= 1 or period_of(problem) != tree.arity + 1:
        return None
    return 2 * tree.arity * tree.height


def _of_matching(bound: LowerBound, problem: Problem) -> int | None:
    return bound.compute(without_period(problem))


LOWER_BOUNDS = (
    *(
        LowerBound(
            bound.name,
            f"without a period: {bound.reason}",
            partial(_of_matching, bound),
            listed=bound.listed,
        )
        for bound in MATCHING_BOUNDS
    ),
    LowerBound(
        "too-few-slots",
        "a node has more parts of the network to call than the period has slots",
        too_few_slots,
    ),
    LowerBound(
        "period-growth",
        "counting: whom a node calls in a later period already knows, so it informs at most p - 1 others",
        period_growth,
    ),
    LowerBound("path-collisions", "theorem: Lemma 3.5 (Hromkovic et al. 1994)", path_collisions),
    LowerBound("path-conflicts", "theorem: Lemma 3.6 (Hromkovic et al. 1994)", path_conflicts),
    LowerBound(
        "complete-tree-gossip", "theorem: Proposition 4.1 (Hromkovic et al. 1994)", complete_tree_gossip
    ),
    LowerBound(
        "short-tree-period",
        "theorem: no optimal two-way gossip in a complete k-ary tree has period k + 1 (Theorem 2)",
        short_tree_period,
    ),
    LowerBound(
        "path-theorem",
        "theorem: 2 ceil(n/2) + 2 floor((n-3)/(k-2)) on a path with period k (docs/theorems.md, Theorem 1)",
        path_theorem,
        exact=True,
    ),
    LowerBound("path-gossip", "dynamic programme over the edges of the path", path_gossip, exact=True),
)
