"""What is found of a problem, one thing after the other.

Better lower bounds, schedules, and for trees that would be too many to write down the theorem by which they
exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from time import process_time
from typing import TypeVar

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding
from schedsolve.modelkit.result import Bound
from schedsolve.network.graph import Network
from schedsolve.runtime.limits.own_limits import met

from ..bounds import lengths_bound, symmetries_of
from ..bounds.cuts import single_bottleneck, tree_bottleneck
from ..constructions.relays import at_relays
from ..rules.demand import end_of, root_units, unbalanced_switches
from ..rules.schedule import PipelinedSchedule
from .alltoall import Sources, alltoall_flows, flows_of
from .balance import balanced_part
from .trees import packed_trees

LARGEST_TREES = 100_000
"""Compute nodes times roots up to which trees are written down."""

LATEST = 0.6
"""The share of the time after which no more trees are made: it is enough to know that they exist."""
SHARE_TO_SEE, SPEED_UP = 0.1, 2
"""The share of this time that passes before the choice of links is given up as too slow, and how much faster
than so far it is expected to go on: the last trees take less.
"""

Found = TypeVar("Found")
Finding = Bound | PipelinedSchedule | None


def search_trees(problem: Problem, seconds: float) -> Iterator[Finding]:
    """Allgather and broadcast.

    The trees that attain the cut; the theorem by which there are such trees, where they would be too many or
    the time is nearly over.

    With an unbalanced switch the cut need not be attained: then trees of the part that is balanced. Relays
    are taken for switches: where they are balanced, copying there gains nothing.
    """
    start = process_time()
    asked, problem = problem, forwarding(problem)
    network, roots = problem.network, root_units(problem)
    part: Network | None = network
    if unbalanced_switches(network):
        part = balanced_part(network)
        if part is None or not _all_reach(part, tuple(roots)):
            return
    assert part is not None
    time = tree_bottleneck(part, roots).time
    yield None
    large = len(roots) * len(network.compute_nodes) > LARGEST_TREES
    begun = None
    for finding, spent in _with_seconds(packed_trees(part, roots, time)) if not large else ():
        if isinstance(finding, PipelinedSchedule):
            yield at_relays(asked, finding)
            return
        yield None
        begun = spent if finding and begun is None else begun
        slow = begun is not None and spent - begun > (SHARE_TO_SEE + SPEED_UP * finding) * LATEST * seconds
        if slow or process_time() - start > LATEST * seconds:
            break
    met(*(("compute nodes times roots", LARGEST_TREES) if large else ("seconds for trees", LATEST * seconds)))
    if part is network:
        yield existence(time)


def _with_seconds(findings: Iterator[Found]) -> Iterator[tuple[Found, float]]:
    """Yield what is found, and how many seconds that took so far, without those of others in between."""
    spent = 0.0
    while True:
        resumed = process_time()
        finding = next(findings, None)
        spent += process_time() - resumed
        if finding is None:
            return
        yield finding, spent


def existence(time: Fraction) -> Bound:
    """Return the upper bound that trees exist for this time."""
    return Bound(
        "upper",
        time,
        "trees exist: flows of all units get to every compute node, and the switches are balanced (Edmonds;"
        " Bang-Jensen, Frank, Jackson)",
        {"kind": "flows", "time": str(time)},
    )


def _all_reach(network: Network, roots: tuple[int, ...]) -> bool:
    compute = network.compute_nodes
    return all(
        network.distances_from([root])[v] is not None for root in (roots[0], compute[0]) for v in compute
    ) and all(network.reversed().distances_from([compute[0]])[root] is not None for root in roots)


def search_flows(problem: Problem, seconds: float) -> Iterator[Finding]:
    """Scatter and gather: the flow that attains the cut.

    Alltoall: lengths and flows of the linear program.
    """
    problem = forwarding(problem)
    network = problem.network
    if problem.task not in ("alltoall", "alltoallv"):
        end = end_of(problem)
        bottleneck, flow = single_bottleneck(network, end, problem.task == "scatter")
        amounts = {link: x * bottleneck.time for link, x in flow.items()}
        yield PipelinedSchedule(bottleneck.time, flows=flows_of({end: amounts}))
        return
    symmetries = symmetries_of(problem)
    yield None
    sources = Sources.of(problem, symmetries)
    for found in alltoall_flows(sources, seconds):
        if found is None:
            yield None
        else:
            yield lengths_bound(problem, found.lengths, symmetries)
            if found.flows:
                yield PipelinedSchedule(found.time, flows=flows_of(found.flows), symmetries=symmetries)
