"""Bandwidths of links: positive whole numbers or exact fractions, as files write them, and how those of
parallel links add up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from reprlib import repr as _shown
from typing import Any, TypeVar

from schedsolve.errors import InputError
from schedsolve.number_reader import exact_number

Bandwidth = int | Fraction
_Node = TypeVar("_Node", bound=Hashable)

ATTRIBUTE = "bandwidth"
"""The name of an edge's attribute in files that have attributes; no other weight is read."""
LARGEST_PART = 10**36
"""The greatest numerator and denominator of a bandwidth in a file."""
SWITCH = "switch"
"""The name of a node's attribute, true for a switch."""


def bandwidth_from_data(value: Any) -> Bandwidth:
    """The bandwidth that a file gives: a positive number, or text such as "25", "0.5" or "4/3".

    A Fraction stands for itself, a number with a point stands for the decimal fraction that it is written as.
    Raises InputError for anything else.
    """
    number = exact_number(value.strip() if isinstance(value, str) else value, decimal=True)
    if number is None or number < 0 or max(number.numerator, number.denominator) > LARGEST_PART:
        raise InputError(
            f"a bandwidth is a positive whole number or a fraction such as 4/3, not {_shown(value)}"
        )
    return exact_bandwidth(number)


def exact_bandwidth(value: Bandwidth) -> Bandwidth:
    """The bandwidth as an integer where it is whole. Raises InputError unless it is positive."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or value <= 0:
        raise InputError(f"bandwidths are positive whole numbers or fractions, and {value} is not")
    return int(value) if Fraction(value).denominator == 1 else Fraction(value)


def bandwidth_to_data(value: Bandwidth) -> int | str:
    """A whole number as it is, a fraction as text ("4/3")."""
    return value if isinstance(value, int) else str(value)


def merged_links(
    links: Iterable[tuple[_Node, _Node, Bandwidth]], *, directed: bool
) -> tuple[tuple[tuple[_Node, _Node], ...], tuple[Bandwidth, ...]]:
    """The links without repetitions, in the order of their first appearance, and their bandwidths: those of
    parallel links add up.
    """
    total: dict[tuple[_Node, _Node], Bandwidth] = {}
    for u, v, bandwidth in links:
        pair = (v, u) if not directed and (v, u) in total else (u, v)
        total[pair] = total.get(pair, 0) + bandwidth
    return tuple(total), tuple(total.values())


def in_order_of_edges(
    edges: Sequence[tuple[int, int]], bandwidths: Sequence[Bandwidth]
) -> tuple[tuple[tuple[int, int], ...], tuple[Bandwidth, ...]]:
    """The edges sorted, and their bandwidths in the same order; none when all are 1, as without bandwidths.

    bandwidths: one for every edge, or none. Raises InputError for another number of them, and for one that is
    not positive.
    """
    if not bandwidths:
        return tuple(sorted(edges)), ()
    if len(bandwidths) != len(edges):
        raise InputError(f"{len(edges)} edges need as many bandwidths, not {len(bandwidths)}")
    pairs = sorted(zip(edges, map(exact_bandwidth, bandwidths), strict=True), key=lambda pair: pair[0])
    exact = tuple(bandwidth for _, bandwidth in pairs)
    return tuple(edge for edge, _ in pairs), () if all(b == 1 for b in exact) else exact
