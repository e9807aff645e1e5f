"""Bandwidths of links: positive integers or exact fractions; those of parallel links add up."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise, starmap
from math import ceil
from operator import itemgetter, lt
from reprlib import repr as _shown
from typing import Any, TypeVar

from schedsolve.network.all_pairs import MOST_LISTED, AllPairs
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import exact_number

Bandwidth = int | Fraction
_Node = TypeVar("_Node", bound=Hashable)
_Link = TypeVar("_Link", bound=Hashable)

ATTRIBUTE = "bandwidth"
"""The edge attribute that is read as the bandwidth; no other weight is read."""
LARGEST_PART = 10**36
"""The greatest numerator and denominator of a bandwidth in a file."""
SWITCH = "switch"
"""The node attribute that is true for a switch."""


def bandwidth_from_data(value: Any) -> Bandwidth:
    """Return the bandwidth that a file gives: a positive number, or text such as "25", "0.5" or "4/3".

    A Fraction is returned as it is; a number with a decimal point is read as that decimal fraction.

    Raises
    ------
    InputError
        If the value is anything else.
    """
    number = exact_number(value.strip() if isinstance(value, str) else value, decimal=True)
    if number is None or max(number.numerator, number.denominator) > LARGEST_PART:
        raise InputError(
            f"a bandwidth is a positive whole number or a fraction such as 4/3, not {_shown(value)}"
        )
    return exact_bandwidth(number)


def exact_bandwidth(value: Bandwidth) -> Bandwidth:
    """Return the bandwidth, as an integer if it is whole.

    Raises
    ------
    InputError
        If it is not positive.
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value <= 0:
        raise InputError(f"bandwidths are positive whole numbers or fractions, and {value} is not")
    return int(value) if Fraction(value).denominator == 1 else Fraction(value)


def rounds_needed(load: Mapping[_Link, int], bandwidth_of: Mapping[_Link, Bandwidth]) -> int:
    """Return the least number of whole rounds in which every link carries its load; 0 without a load."""
    # The most for each bandwidth first, as there are few of them, and fractions take long.
    most: dict[Bandwidth, int] = {}
    for link, count in load.items():
        bandwidth = bandwidth_of[link]
        most[bandwidth] = max(count, most.get(bandwidth, 0))
    return max((ceil(Fraction(count) / bandwidth) for bandwidth, count in most.items()), default=0)


def bandwidth_to_data(value: Bandwidth) -> int | str:
    """Return a whole number as it is, and a fraction as text ("4/3")."""
    return value if isinstance(value, int) else str(value)


def merged_links(
    links: Iterable[tuple[_Node, _Node, Bandwidth]], *, directed: bool
) -> tuple[tuple[tuple[_Node, _Node], ...], tuple[Bandwidth, ...]]:
    """Return the distinct links in the order of their first appearance, and their bandwidths.

    The bandwidths of parallel links add up.
    """
    total: dict[tuple[_Node, _Node], Bandwidth] = {}
    for u, v, bandwidth in links:
        pair = (v, u) if not directed and (v, u) in total else (u, v)
        total[pair] = total.get(pair, 0) + bandwidth
    return tuple(total), tuple(total.values())


def stored_edges(
    edges: Sequence[tuple[int, int]],
    bandwidths: Sequence[Bandwidth],
    labels: Sequence[int | str],
    directed: bool,
) -> tuple[Sequence[tuple[int, int]], Sequence[Bandwidth]]:
    """Return the edges sorted, with the ends of each undirected edge in order, and their bandwidths.

    Bandwidths that are all 1 are returned as an empty tuple, which stands for no bandwidths, and the edges of
    a complete network with many nodes as a sequence that lists none.

    Parameters
    ----------
    edges
        Pairs of nodes.
    bandwidths
        One for every edge, or none.
    labels
        Of all nodes, for errors.
    directed
        Whether the edges are arcs.

    Raises
    ------
    InputError
        If a pair is no edge or is given twice, there is another number of bandwidths, or one is not positive.
    """
    all_pairs = AllPairs(len(labels), directed)
    if bandwidths or not (isinstance(edges, AllPairs) and edges == all_pairs):
        generated = isinstance(edges, tuple) and not (bandwidths or directed)
        if not (generated and _are_in_order(edges, len(labels))):
            edges, bandwidths = _in_order(edges, bandwidths, labels, directed)
    if len(edges) == len(all_pairs):
        return all_pairs if len(labels) > MOST_LISTED else tuple(all_pairs), bandwidths
    return edges, bandwidths


def _in_order(
    edges: Sequence[tuple[int, int]],
    bandwidths: Sequence[Bandwidth],
    labels: Sequence[int | str],
    directed: bool,
) -> tuple[tuple[tuple[int, int], ...], tuple[Bandwidth, ...]]:
    n = len(labels)
    for u, v in edges:
        if not (0 <= u < n and 0 <= v < n):
            raise InputError(f"edge {u}-{v} is outside the nodes 0..{n - 1}")
        if u == v:
            raise InputError(f"self-loop at node {labels[u]}: remove it, a node cannot call itself")
    ends = edges if directed else [(min(edge), max(edge)) for edge in edges]
    ordered, widths = _sorted(ends, bandwidths)
    for one, other in pairwise(ordered):
        if one == other:
            raise InputError(f"edge {labels[one[0]]}-{labels[one[1]]} is given twice; give every edge once")
    return ordered, widths


def _sorted(
    edges: Sequence[tuple[int, int]], bandwidths: Sequence[Bandwidth]
) -> tuple[tuple[tuple[int, int], ...], tuple[Bandwidth, ...]]:
    if not bandwidths:
        return tuple(sorted(edges)), ()
    if len(bandwidths) != len(edges):
        raise InputError(f"{len(edges)} edges need as many bandwidths, not {len(bandwidths)}")
    pairs = sorted(zip(edges, map(exact_bandwidth, bandwidths), strict=True), key=lambda pair: pair[0])
    exact = tuple(bandwidth for _, bandwidth in pairs)
    return tuple(edge for edge, _ in pairs), () if all(b == 1 for b in exact) else exact


def _are_in_order(edges: Sequence[tuple[int, int]], node_count: int) -> bool:
    """Return whether undirected edges are already sorted, as generated families guarantee."""
    if not edges:
        return True
    if not all(map(lt, edges, islice(edges, 1, None))):
        return False
    return edges[0][0] >= 0 and all(starmap(lt, edges)) and max(map(itemgetter(1), edges)) < node_count
