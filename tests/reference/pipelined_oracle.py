"""The least time per unit of pipelined collectives, as a linear program over all trees and all ways.

Written apart from the package, from the definition. A part of a unit goes out along a tree: over ways through
switches, each from a node that has the part to one that gets it, once. A sum comes in along a tree: a node
passes on what it has added up, once, and gets nothing more. Where switches copy and add up, they are such
nodes too. In an allreduce a part comes in to some root and goes out from it. A unit of a pair (scatter,
gather, alltoall) is cut over ways through any nodes. A link of bandwidth b carries b T in the time T. Trees
are found state by state; of those that load no link less only the least count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from tests.reference.machines_program import exact_minimum, least_rounds_of_plans
from tests.reference.machines_ways import (
    Machine,
    TooLargeError,
    Way,
    free_bits,
    least_loads,
    loads_of,
    unpacked,
    ways,
)

MOST_LOADS = 60_000
"""Loads that one list of trees goes through before it is given up."""


def least_time(
    task: str,
    of: Machine,
    node: int | None = None,
    *,
    ordered: bool = False,
    copying: bool = False,
    sizes: Sequence[Any] = (),
) -> Fraction | None:
    """The least time; None when the data cannot get where they must.

    node: the source or the root of a task that has one. ordered: sums are over consecutive compute nodes.
    copying: switches copy and add up. sizes: of an allgatherv for every member, of an alltoallv a row for
    each; a size of 2 is two units. Raises TooLargeError.
    """
    compute, bandwidths = of.members, list(of.links.values())
    roots = compute if node is None else (node,)
    if task == "allreduce":
        return _least_allreduce(of, ordered, copying)
    if task in ("broadcast", "allgather"):
        groups = [outward(of, root, copying) for root in roots]
    elif task == "allgatherv":
        trees = [outward(of, root, copying) for root in roots]
        groups = [tree for tree, size in zip(trees, sizes, strict=True) for _ in range(size)]
    elif task in ("reduce", "reduce-scatter"):
        groups = [inward(of, root, ordered, copying) for root in roots]
    else:
        pairs = {
            "alltoall": list(permutations(compute, 2)),
            "alltoallv": list(permutations(compute, 2)),
            "scatter": [(u, v) for u in roots for v in compute if u != v],
            "gather": [(u, v) for v in roots for u in compute if u != v],
        }[task]
        count = dict.fromkeys(pairs, 1)
        if task == "alltoallv":
            count = {(u, v): sizes[compute.index(u)][compute.index(v)] for u, v in pairs}
        groups = [found for u, v in pairs if count[u, v] for found in [_between(of, u, v)] * count[u, v]]
    return least_rounds_of_plans(groups, bandwidths, 1) if all(groups) else None


def _between(of: Machine, start: int, end: int) -> list[int]:
    """The loads of the ways from one node to another over any nodes."""
    nodes = {v for link in of.links for v in link} | {start, end}
    found = ways(of, (start, end), nodes - {start, end})
    return least_loads(
        (load for way, load in loads_of(of, found) if way.start == start), free_bits(len(of.links))
    )


def _hops(of: Machine, copying: bool) -> list[tuple[Way, int]]:
    """The ways that a part takes at a time, and their loads."""
    switches = {v for link in of.links for v in link} - set(of.compute)
    ends = (*of.compute, *sorted(switches)) if copying else of.compute
    return loads_of(of, ways(of, ends, switches))


def outward(of: Machine, root: int, copying: bool) -> list[int]:
    """The least loads of trees from a root that all members are on."""
    hops, free, left = _hops(of, copying), free_bits(len(of.links)), MOST_LOADS
    level: dict[frozenset[int], list[int]] = {frozenset((root,)): [0]}
    complete: list[int] = []
    while level:
        following: dict[frozenset[int], set[int]] = {}
        for have, loads in level.items():
            if have >= set(of.members):
                complete += loads
                continue
            for way, more in hops:
                if way.start in have and way.end not in have:
                    left -= len(loads)
                    if left < 0:
                        raise TooLargeError
                    following.setdefault(have | {way.end}, set()).update(load + more for load in loads)
        level = {have: least_loads(loads, free) for have, loads in following.items()}
    return least_loads(complete, free)


def inward(of: Machine, root: int, ordered: bool, copying: bool) -> list[int]:
    """The least loads of trees along which the contributions of all members are added up at a root.

    A state is the sum of every node, as the bits of the contributions in it; None where it was passed on.
    """
    hops, free, left = _hops(of, copying), free_bits(len(of.links)), MOST_LOADS
    nodes = sorted({v for link in of.links for v in link} | set(of.compute))
    rank = {v: i for i, v in enumerate(of.members)}
    everything = (1 << len(of.members)) - 1
    start = tuple(1 << rank[v] if v in rank else 0 for v in nodes)
    level: dict[tuple[int | None, ...], list[int]] = {start: [0]}
    complete: list[int] = []
    at = {v: i for i, v in enumerate(nodes)}
    while level:
        following: dict[tuple[int | None, ...], set[int]] = {}
        for sums, loads in level.items():
            if sums[at[root]] == everything:
                complete += loads
                continue
            for way, more in hops:
                after = _passed(sums, at[way.start], at[way.end], ordered) if way.start != root else None
                if after is not None:
                    left -= len(loads)
                    if left < 0:
                        raise TooLargeError
                    following.setdefault(after, set()).update(load + more for load in loads)
        level = {sums: least_loads(loads, free) for sums, loads in following.items()}
    return least_loads(complete, free)


def _passed(sums: Sequence[int | None], start: int, end: int, ordered: bool) -> tuple[int | None, ...] | None:
    """The sums after one node has passed on its own to another; None when it may not."""
    brought, present = sums[start], sums[end]
    if not brought or present is None:
        return None
    total = brought | present
    if ordered and "0" in bin(total)[2:].strip("0"):
        return None
    return tuple(None if i == start else total if i == end else value for i, value in enumerate(sums))


def _least_allreduce(of: Machine, ordered: bool, copying: bool) -> Fraction | None:
    """Every root takes a share of the parts, which comes in to it and goes out from it over trees."""
    links = list(of.links.values())
    costs: list[int] = [1]
    rows: list[tuple[dict[int, Fraction | int], int]] = [({0: bandwidth}, 0) for bandwidth in links]
    shares: dict[int, Fraction | int] = {}
    for root in of.compute:
        sides = inward(of, root, ordered, copying), outward(of, root, copying)
        if not all(sides):
            continue
        share = len(costs)
        costs.append(0)
        shares[share] = 1
        for trees in sides:
            first = len(costs)
            costs += [0] * len(trees)
            weights: dict[int, Fraction | int] = dict.fromkeys(range(first, len(costs)), 1)
            rows.append((weights | {share: -1}, 0))
            for number, place, count in _crossings(trees, first, len(links)):
                rows[place][0][number] = -count
    return exact_minimum(costs, [*rows, (shares, 1)]) if shares else None


def _crossings(trees: Sequence[int], first: int, places: int) -> Iterator[tuple[int, int, int]]:
    """Every tree's number, from the first on, with each link that it loads and how often."""
    for number, tree in enumerate(trees, first):
        for place, count in enumerate(unpacked(tree, places)):
            if count:
                yield number, place, count
