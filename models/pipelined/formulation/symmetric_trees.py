"""Trees of large machines: under symmetries, and for an allreduce without any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.graph import Network
from schedsolve.network.groups import joined_groups

from ..bounds import counting_bound
from ..bounds.strength import goes_both_ways
from ..claims.lengths import distances_from
from ..rules.demand import MIRRORED, REDUCTIONS, Link, end_of, tree_roots
from ..rules.orbits import orbits
from ..rules.schedule import PipelinedSchedule
from .grown_trees import GrownTrees, Lengths, Shape
from .spanning_trees import center
from .tree_columns import TreeColumns

MOST_EXPLICIT = 40
"""Compute nodes up to which trees are listed one by one instead."""
LATEST = 0.9
"""The share of the time after which no more trees are looked for: their weights take a while."""
LONGEST_SECONDS, DIGITS = 3600.0, 9


def search_symmetric(
    problem: Problem, lower: Fraction, seconds: float
) -> Iterator[Bound | PipelinedSchedule | None]:
    """Yield trees under the symmetries of a large network, and bounds by counting; None in between.

    Nothing for orders, ranks and sizes of the nodes and switches that copy, and without symmetries only for
    an allreduce that goes both ways.

    Parameters
    ----------
    problem
        The problem.
    lower
        A time that is proven, which is enough.
    seconds
        The time left.
    """
    network, both_ways = problem.network, goes_both_ways(problem)
    if len(network.compute_nodes) <= MOST_EXPLICIT or set(problem.parameters) - {"source", "root"}:
        return
    fixing = (end_of(problem),) if problem.task in ("broadcast", "reduce") else ()
    symmetries = automorphism_generators(network, fixing=fixing)
    yield None
    if not symmetries and not (both_ways and network.switches):
        return
    columns = grown_columns(problem, symmetries)
    for _ in columns.solve(min(LONGEST_SECONDS, seconds * LATEST), None):
        if columns.value is not None and columns.value <= float(lower) * (1 + 1e-9):
            break
        yield None
    if both_ways:
        yield counting_by_lengths(problem, columns.best)
    schedule = columns.schedule()
    if schedule is not None:
        yield schedule


def grown_columns(problem: Problem, symmetries: Sequence[Sequence[int]] = ()) -> TreeColumns:
    """Return the program of the trees of a problem, of one unit for each orbit of roots.

    Grown trees are to be added; they are the cheapest ones where an allreduce goes both ways.
    """
    both_ways = goes_both_ways(problem)
    inward, outward = problem.task in REDUCTIONS, problem.task not in MIRRORED
    of = orbits(problem.network, symmetries)
    roots = sorted({of.node[v] for v in tree_roots(problem)})
    if both_ways:
        shapes = [Shape((center(problem.network),), inward, outward)]
    elif problem.task == "allreduce":
        shapes = [Shape(tuple(roots), inward, outward)]
    else:
        shapes = [Shape((root,), inward, outward, of.node_count[root]) for root in roots]
    return TreeColumns(
        problem,
        shapes,
        lambda lengths: GrownTrees(problem.network, lengths, both_ways).tree,
        proves=both_ways,
        both_ways=both_ways,
        symmetries=symmetries,
    )


def counting_by_lengths(problem: Problem, lengths: Lengths) -> Bound:
    """Return the best bound of groups that are balls around the compute nodes.

    On a network whose links have one bandwidth b and one length x both ways, it is the time of the best trees
    when the lengths are those of the program's optimum, with switches too. Let balls of radius r grow
    around all compute nodes, through switches; those that meet are a group, K(r) in all. While r grows, a
    link enters a group, or its reverse does, for x in all at most: what the balls pass over from its two
    ends. So the bandwidth into the groups, taken over all r, is the sum of b x over the edges at most. The
    cheapest spanning tree of ways between compute nodes is the sum over all r of 2 (K(r) - 1), since two
    groups join when the way between them is 2 r long. So some r has groups whose 2 (K(r) - 1) / (bandwidth
    into them) is at least the ratio of this tree, both ways, to the sum of b x over the links.
    """
    counted = [counting_bound(problem, groups) for groups in groups_by_radius(problem.network, lengths)]
    return max(counted, key=lambda bound: bound.value)


def groups_by_radius(network: Network, lengths: Mapping[Link, float]) -> Iterator[list[frozenset[int]]]:
    """Yield the groups that balls around the compute nodes make, for every radius at which they change.

    Before these, every compute node by itself; a single group of all nodes is not yielded.
    """
    yield [frozenset({v}) for v in network.compute_nodes]
    near = distances_from(network, lengths, network.compute_nodes)
    met = {
        (u, v): round(max(near[u], near[v], (near[u] + near[v] + x) / 2), DIGITS)
        for (u, v), x in lengths.items()
        if u in near and v in near
    }
    for radius in sorted(set(met.values())):
        groups = joined_groups(network, (link for link, r in met.items() if r <= radius))
        if len(groups) < 2:
            return
        yield groups
