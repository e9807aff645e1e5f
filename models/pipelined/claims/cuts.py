"""What a cut claims, and what flows claim of trees, computed straight from the definitions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.formulas.flows import FlowNetwork
from schedsolve.problem import Problem

from ..rules.demand import (
    TREE_TASKS,
    bandwidth_across,
    tree_roots,
    unbalanced_switches,
    units_across,
    whole_bandwidths,
)


def cut_claim(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """The time that a cut proves: the units that must leave its nodes, divided by the bandwidth that leaves
    them.

    evidence: "nodes", the labels of the nodes.
    Raises ClaimError when nothing must leave them.
    """
    labels = evidence.get("nodes")
    number = {label: v for v, label in enumerate(problem.network.labels)}
    if not isinstance(labels, list) or not all(
        isinstance(label, int | str) and label in number for label in labels
    ):
        raise ClaimError("a cut is given by the labels of its nodes")
    nodes = {number[label] for label in labels}
    units = units_across(problem, nodes)
    if not units:
        raise ClaimError("nothing must leave the nodes of the cut")
    bandwidth = bandwidth_across(problem.network, nodes)
    if not bandwidth:
        raise ClaimError("nothing can leave the nodes of the cut")
    return units / bandwidth


def flows_claim(problem: Problem, evidence: Mapping[str, Any]) -> Fraction:
    """The time in which trees exist for an allgather or a broadcast, without the trees: an upper bound.

    When all switches have as much bandwidth in as out, trees exist for a rate of x units of every root if and
    only if a flow of x times the number of roots gets from them, x from each, to every single compute node
    (Edmonds 1973 and Bang-Jensen, Frank, Jackson 1995; for allgathers Zhao et al., ForestColl). The flows are
    computed, each from the roots and the compute nodes before it: a cut that leaves out one of these has been
    looked at.

    evidence: "time", as text. Raises ClaimError when a switch is unbalanced or a flow is too small.
    """
    network = problem.network
    if problem.task not in TREE_TASKS:
        raise ClaimError("flows to single nodes show that trees exist; this task has none")
    if unbalanced_switches(network):
        raise ClaimError("a switch has more bandwidth on one side than on the other")
    try:
        time = Fraction(str(evidence.get("time")))
    except (ValueError, ZeroDivisionError):
        raise ClaimError('flows are for a "time"') from None
    if time <= 0:
        raise ClaimError("a time is positive")
    unit, whole = whole_bandwidths(network)
    rate = unit / time
    roots = tree_roots(problem)
    source = network.node_count
    flows = FlowNetwork(
        source + 1,
        [*whole, *((source, v) for v in roots)],
        [c * rate.denominator for c in whole.values()] + [rate.numerator] * len(roots),
    )
    needed = rate.numerator * len(roots)
    sources = [source, *roots] if len(roots) == 1 else [source]
    for v in network.compute_nodes:
        if v in sources:
            continue
        if flows.maximum_flow(sources, [v], needed) < needed:
            raise ClaimError(f"node {network.labels[v]} does not get enough in the time {time}")
        sources.append(v)
    return time
