"""Lower bounds on the time, each with the bottleneck that it names.

A cut with its nodes and its links, or links with their lengths.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from schedsolve.modelkit.demands import UNEQUAL_TASKS
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding, ranks_of
from schedsolve.modelkit.result import Bound, value_to_json
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.graph import Network
from schedsolve.network.groups import bandwidth_between, groups_by_weight

from ..claims.counting import counting_claim
from ..claims.cuts import cut_claim
from ..claims.lengths import lengths_claim
from ..rules.demand import (
    FLOW_TASKS,
    REDUCTIONS,
    TREE_TASKS,
    Link,
    bandwidth_across,
    end_of,
    root_units,
    unbalanced_switches,
    units_across,
)
from ..rules.orbits import orbits
from .cuts import single_bottleneck, tree_bottleneck
from .strength import has_strength, strength

MOST_NAMED = 6


def lower_bounds(problem: Problem) -> Iterator[Bound]:
    """Yield the bounds that are cheap.

    For trees and for one flow the exact cut; for an alltoall the best cut around one node, and the distances
    when every link is as long as its bandwidth is small.
    """
    if problem.task in REDUCTIONS:
        yield from _bounds_of_sums(problem)
        return
    network = forwarding(problem).network
    if problem.task in TREE_TASKS:
        yield cut_bound(problem, tree_bottleneck(network, root_units(problem)).nodes)
    elif problem.task not in ("alltoall", "alltoallv"):
        yield cut_bound(
            problem, single_bottleneck(network, end_of(problem), problem.task == "scatter")[0].nodes
        )
    else:
        everything = frozenset(range(network.node_count))
        sides = [side for v in network.compute_nodes for side in (frozenset({v}), everything - {v})]
        yield max(
            (cut_bound(problem, side) for side in sides if units_across(problem, side)),
            key=lambda bound: bound.value,
        )
        symmetries = symmetries_of(problem)
        first = orbits(network, symmetries).link_count
        yield lengths_bound(
            problem, {link: 1 / Fraction(network.bandwidth_of[link]) for link in first}, symmetries
        )


def _bounds_of_sums(problem: Problem) -> Iterator[Bound]:
    """Reduce, reduce-scatter.

    The exact cut of the copying task on the reversed network, seen from its other side.

    Allreduce: counting, and the best cut between compute nodes, in either direction.
    """
    network = forwarding(problem).network
    turned, everything = network.reversed(), frozenset(range(network.node_count))
    if problem.task != "allreduce":
        inward = tree_bottleneck(turned, root_units(problem))
        yield cut_bound(problem, everything - inward.nodes)
        return
    if not problem.parameters.get("switches_copy"):
        yield from _best_counting(problem)
    some = {network.compute_nodes[0]: 1}
    cuts = [tree_bottleneck(network, some).nodes, everything - tree_bottleneck(turned, some).nodes]
    yield max((cut_bound(problem, nodes) for nodes in cuts), key=lambda bound: bound.value)


def symmetries_of(problem: Problem) -> tuple[tuple[int, ...], ...]:
    """Return automorphisms that keep an alltoall, relays taken for switches; none where there are sizes."""
    if problem.task in UNEQUAL_TASKS:
        return ()
    return tuple(map(tuple, automorphism_generators(forwarding(problem).network)))


def rank_groups(problem: Problem, weights: Mapping[Link, float | Fraction]) -> Iterator[list[frozenset[int]]]:
    """Yield `groups_by_weight` with a rank in every group; others are left out."""
    ranks = set(ranks_of(problem))
    for groups in groups_by_weight(problem.network, weights):
        if not any(ranks.isdisjoint(group) for group in groups):
            yield groups


def _best_counting(problem: Problem) -> Iterator[Bound]:
    """Yield the best bound by counting, if there is one.

    Without a theorem that names the groups, they are those that links of a bandwidth join.
    """
    if has_strength(problem):
        yield counting_bound(problem, strength(problem.network).groups)
        return
    bandwidths = {link: Fraction(b) for link, b in problem.network.bandwidth_of.items()}
    counted = [counting_bound(problem, groups) for groups in rank_groups(problem, bandwidths)]
    if counted:
        yield max(counted, key=lambda bound: bound.value)


def counting_bound(problem: Problem, groups: Sequence[Collection[int]]) -> Bound:
    """Return the bound of the sends of every part of an allreduce between groups of nodes."""
    network = problem.network
    evidence: dict[str, Any] = {"kind": "counting"}
    words = f"{len(groups)} compute nodes"
    if any(len(group) > 1 for group in groups):
        evidence["groups"] = [[network.labels[v] for v in sorted(group)] for group in groups]
        words = f"{len(groups)} groups, such as {_names(network, sorted(groups[0]))},"
    bandwidth = min(bandwidth_between(network, groups, inward=side) for side in (True, False))
    reason = (
        f"counting: every part is sent {2 * (len(groups) - 1)} times between the {words} over bandwidth"
        f" {value_to_json(bandwidth)}"
    )
    return Bound("lower", counting_claim(problem, evidence), reason, evidence)


def cut_bound(problem: Problem, nodes: Collection[int]) -> Bound:
    """Return the bound of a cut, given by the nodes whose units must leave.

    Raises
    ------
    ClaimError
        If none must.
    """
    evidence = {"kind": "cut", "nodes": [problem.network.labels[v] for v in sorted(nodes)]}
    return Bound("lower", cut_claim(problem, evidence), cut_in_words(problem, nodes), evidence)


def cut_in_words(problem: Problem, nodes: Collection[int]) -> str:
    """Return what must leave which nodes, over which links."""
    network = problem.network
    links = cut_links(network, nodes)
    others = sorted(set(range(network.node_count)) - set(nodes))
    side = (
        f"all nodes but {_names(network, others)}"
        if len(others) < len(nodes)
        else f"{'node' if len(nodes) == 1 else 'nodes'} {_names(network, sorted(nodes))}"
    )
    units = units_across(problem, nodes)
    bandwidth = value_to_json(bandwidth_across(network, nodes))
    unbalanced = [] if problem.task in FLOW_TASKS else unbalanced_switches(network)
    caveat = (
        f"; perhaps not attained, as switches have more bandwidth on one side: {_names(network, unbalanced)}"
        if unbalanced
        else ""
    )
    return (
        f"cut: {units} {'unit' if units == 1 else 'units'} must leave {side} over bandwidth {bandwidth},"
        f" that of the {_links(network, links)}{caveat}"
    )


def cut_links(network: Network, nodes: Collection[int]) -> list[Link]:
    """Return the links that leave the nodes."""
    members = set(nodes)
    return [(u, v) for u, v in network.arcs if u in members and v not in members]


def lengths_bound(
    problem: Problem, lengths: Mapping[Link, Fraction], symmetries: Sequence[Sequence[int]] = ()
) -> Bound:
    """Return the bound of lengths of the first links of their orbits under the automorphisms."""
    network = problem.network
    labels = network.labels
    given = {link: x for link, x in lengths.items() if x}
    evidence = {
        "kind": "lengths",
        "lengths": [[labels[u], labels[v], value_to_json(x)] for (u, v), x in sorted(given.items())],
        **({"symmetries": [[labels[v] for v in image] for image in symmetries]} if symmetries else {}),
    }
    value = lengths_claim(problem, evidence)
    alike = ", and those that automorphisms take them to" if symmetries else ""
    reason = f"lengths: distances against bandwidth times length of the {_links(network, list(given))}{alike}"
    return Bound("lower", value, reason, evidence)


def _names(network: Network, nodes: Sequence[int]) -> str:
    named = ", ".join(str(network.labels[v]) for v in nodes[:MOST_NAMED])
    rest = len(nodes) - MOST_NAMED
    return f"{named} and {rest} more" if rest > 0 else named


def _links(network: Network, links: Sequence[Link]) -> str:
    named = ", ".join(f"{network.labels[u]}>{network.labels[v]}" for u, v in links[:MOST_NAMED])
    rest = len(links) - MOST_NAMED
    return f"{'link' if len(links) == 1 else 'links'} {named}" + (f" and {rest} more" if rest > 0 else "")
