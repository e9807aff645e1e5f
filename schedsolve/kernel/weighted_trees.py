"""Collectives in the steady state: parts go along trees, over links of given bandwidths.

The ranks are the nodes that are not switches, or those that are named; the others keep, copy
and add up, and have nothing of their own. In an allgather the unit of every rank must reach all
others, in an allgatherv its units, in a broadcast that of the source; in a reduce the
contributions of all ranks to one unit must be added up at the root, in a reduce-scatter in the
same way for the unit of every rank, and in an allreduce at some node, from which the result
then goes to all. Units are cut into parts, each with a tree. In a time T a link of bandwidth b
carries at most b T, of all trees together. Switches forward; where they copy, paths can also
end at them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

from .network import Network
from .ranks import ranks_in_words, ranks_of
from .steady_loads import orbit_firsts, require_carried
from .wrong import require, require_form

REDUCTIONS = ("reduce", "reduce-scatter", "allreduce")


def trees_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    ends = f" of node {claim['sources'][0]}" if claim.get("sources") else ""
    ends += ranks_in_words(claim)
    ordered = " of sums in the order of the nodes" if claim.get("ordered") else ""
    quantity = f"the least time of a unit of {claim['task']}{ends}{ordered}, in the steady state,"
    rule = "A unit is cut into parts, each of which goes along a tree of its own"
    if claim["task"] in REDUCTIONS:
        rule += ", on which contributions are added up"
    copies = "copy and keep" if claim.get("switches_copy") else "only forward"
    return (
        quantity,
        f"{rule}; in a time T a link of bandwidth b carries b T, and switches {copies}.",
    )


def replay_trees(claim: dict[str, Any], network: Network, schedule: Any) -> Fraction:
    """Check a schedule against the rules and the task, and return its time."""
    amount, paths = (int, str), [[int, ...], ...]
    tree = {"root": int, "weight": amount, "inward?": paths, "paths?": paths}
    require_form(schedule, {"time": amount, "trees": [tree, ...], "symmetries?": paths})
    task, ranks = claim["task"], ranks_of(claim, network)
    roots = claim["sources"] if task in ("broadcast", "reduce") else ranks
    units = dict(zip(ranks, claim.get("sizes", [1] * len(ranks))))
    images, time = schedule.get("symmetries", []), Fraction(schedule["time"])
    require(not (images and claim.get("ordered")), "symmetries do not keep an order")
    kept = all({image[v] for v in ranks} == set(ranks) for image in images)
    require(kept and not (images and "sizes" in claim), "symmetries do not keep the ranks")
    firsts = orbit_firsts(network, images)[0]
    weights: dict[int, Fraction] = defaultdict(Fraction)
    loads: dict[Any, Fraction] = defaultdict(Fraction)
    for number, tree in enumerate(schedule["trees"], 1):
        root, weight = tree["root"], Fraction(tree["weight"])
        require(weight > 0, f"the weight of tree {number} is {weight}")
        inward, paths = tree.get("inward", []), tree.get("paths", [])
        for path in (*inward, *paths):
            require_path(claim, network, path)
            for link in zip(path, path[1:]):
                loads[root, link] += weight
        require(task in REDUCTIONS or not inward, f"tree {number} adds up")
        require(task not in ("reduce", "reduce-scatter") or not paths, f"tree {number} copies")
        if task in REDUCTIONS:
            require_sum(claim, network, root, inward)
        if task not in ("reduce", "reduce-scatter"):
            reached = {root}
            for path in paths:
                passed_on = path[0] in reached and path[-1] not in reached
                require(passed_on, f"tree {number}: {path} brings nothing, or brings it twice")
                reached.add(path[-1])
            require(reached.issuperset(ranks), f"tree {number} does not reach every rank")
        weights[root] += weight
    require(len({firsts[root] for root in weights}) == len(weights), "two roots of one orbit")
    size = Counter(firsts[v] for v in range(network.n))
    stood_for = [v for v in range(network.n) if firsts[v] in {firsts[root] for root in weights}]
    if task == "allreduce":
        total = sum(size[firsts[root]] * weight for root, weight in weights.items())
        keeping = network.switches.isdisjoint(stood_for)
        require(keeping and total == 1, "the weights do not add up to 1")
    else:
        wanted = [v for v in sorted(roots) if units[v]]
        require(stood_for == wanted, "the trees are of other nodes than the task's")
        right = all(weight == units[v] for v, weight in weights.items())
        require(right, "the weights of a root do not add up to its units")
    require_carried(network, loads, images, time)
    return time


def require_path(claim: dict[str, Any], network: Network, path: Any) -> None:
    """Raise WrongError unless the path follows links through switches, between nodes that keep."""
    ends = [] if claim.get("switches_copy") else [path[0], path[-1]]
    right = len(path) > 1 and all(link in network.bandwidth for link in zip(path, path[1:]))
    right = right and all(v in network.switches for v in path[1:-1])
    require(
        right and not network.switches.intersection(ends), f"{path} is no path through switches"
    )


def require_sum(claim: dict[str, Any], network: Network, root: int, inward: Any) -> None:
    """Raise WrongError unless the root gets every contribution once.

    Every rank has a sum, at first its own contribution. Along every inward path, in order, the sum
    of its start goes to its end and is added there; the start no longer has it.
    """
    ranks = ranks_of(claim, network)
    sums = {v: {rank} for rank, v in enumerate(ranks)}
    passed = {root}
    for path in inward:
        start, end = path[0], path[-1]
        require(start not in passed and sums.get(start), f"{start} has nothing to pass on")
        require(end == root or end not in passed, f"{end} gets a sum that it does not pass on")
        passed.add(start)
        sums[end] = sums.get(end, set()) | sums[start]
        run = max(sums[end]) - min(sums[end]) + 1 == len(sums[end])
        require(run or not claim.get("ordered"), f"{end} adds up against the order of the nodes")
    require(sums.get(root) == set(range(len(ranks))), f"{root} lacks a contribution")
