"""Lower bounds of the systolic models that can be recomputed.

Every bound of the models without a period holds here as well, because a systolic schedule is a
schedule. A bound above the horizon, p (n - 1) rounds, means that no number of rounds suffices.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.models.matching.claims.lower_bounds import LOWER_BOUNDS as MATCHING_BOUNDS
from schedsolve.models.matching.claims.lower_bounds import growth_rounds, head_count
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.graph import Network

from ..rules import is_edge_colouring, period_of
from .complete_trees import complete_tree
from .formula import horizon, without_period
from .path_theorem import path_theorem
from .paths import path_gossip

MOST_STEPS = 20_000_000
"""The most nodes times arcs for which every node is tried as a cut node."""


def too_few_slots(problem: Problem) -> int | None:
    """Return the horizon plus 1 if some node needs more slots than the period has; None otherwise.

    1. A node whose removal leaves c parts needs a call with each of them, and in a one-way gossip a
       call in each direction: c or 2c slots.
    2. For one message it needs a slot for every part without a source that has a target, and, if it is not a
       source itself, one in which it is informed.
    3. With edge colouring, a one-way gossip needs two edges to every part.

    There are as many parts as neighbours, or fewer; so only a one-way gossip may need more slots than a node
    has neighbours. (Of one message, a part has a source if the node is none.)
    """
    network, period = problem.network, period_of(problem)
    one_way_gossip = problem.task == "gossip" and not is_two_way(problem)
    in_tree = network.is_tree
    for v, out in enumerate(network.successors):
        near = {*out, *network.predecessors[v]} if network.directed else out
        few = (1 + one_way_gossip) * len(near) <= period
        if few and not (one_way_gossip and is_edge_colouring(problem)):
            continue
        if not in_tree and network.node_count * len(network.arcs) > MOST_STEPS:
            return None
        if _slots_needed(problem, v, set(near)) > period:
            return horizon(problem) + 1
    return None


def _slots_needed(problem: Problem, v: int, near: set[int]) -> int:
    """Return the least number of slots that the calls of node v need; `near` are its neighbours.

    It is more than the period if no period would do.
    """
    network = problem.network
    in_tree = network.is_tree and problem.task == "gossip"
    if in_tree and is_two_way(problem):
        return len(near)
    parts = [{w} for w in near] if in_tree else list(_parts_without(network, v))
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
    """Yield the connected components of the network without v, the directions of its arcs ignored."""
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
    """Return the bound by growth with a period; the horizon plus 1 if no number of rounds suffices.

    A node that an item reaches in round t passes it on only in rounds t + 1, ..., t + p - 1, to one
    node in each; a source in rounds 1, ..., p. For in round t + p it takes part in the same call as
    in round t, with the node from which it has the item; and every node that it calls in a later
    round it called p rounds before, and that node has held the item since then. So with one source
    and p = 2, at most 2t nodes hold it after t rounds.
    """
    period, (sources, wanted) = period_of(problem), head_count(problem)
    rounds = growth_rounds(sources, wanted, period, period - 1)
    return horizon(problem) + 1 if rounds is None else rounds


def short_tree_period(problem: Problem) -> int | None:
    """Return 2kh for a two-way gossip with period k + 1 in the complete k-ary tree of height h >= 2.

    Theorem 2: no gossip of 2kh - 1 rounds has this period.

    1. A node of depth 1 has k + 1 edges, so one slot for each: a child of the root is called up and
       down in one slot.
    2. In 2kh - 1 rounds, the child that calls up in round kh - 1 would be called down in round kh + k
       or later, and kh + k - 1 is the last round that leaves time for the nodes below.
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
    LowerBound("path-gossip", "dynamic program over the edges of the path", path_gossip, exact=True),
)
