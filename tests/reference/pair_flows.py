"""The least time of units between pairs of nodes, as the textbook's multi-commodity flow: a flow for a pair.

Written apart from the package, which takes the flows of one source together and solves for corners. Every
pair has a flow of its own over all links; other nodes send on what they get; a link of bandwidth b carries
b T at most in the time T.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tests.reference.machines_program import exact_minimum
from tests.reference.machines_ways import Machine


def least_time(of: Machine, units: Mapping[tuple[int, int], int]) -> Fraction:
    """The least T in which the units of every pair (from, to) pass.

    Raises ArithmeticError when a pair has no way, or the float solver's corner is not optimal in fractions.
    """
    costs = [1]
    loads: dict[tuple[int, int], dict[int, Fraction | int]] = {
        link: {0: bandwidth} for link, bandwidth in of.links.items()
    }
    rows: list[tuple[dict[int, Fraction | int], Fraction | int]] = []
    for (start, end), amount in units.items():
        balance: dict[int, dict[int, Fraction | int]] = {}
        for u, v in of.links if amount else ():
            balance.setdefault(u, {})[len(costs)] = -1
            balance.setdefault(v, {})[len(costs)] = 1
            loads[u, v][len(costs)] = -1
            costs.append(0)
        for node, row in balance.items():
            # What is left over somewhere would be missing at the end.
            if node != start:
                rows.append((row, amount if node == end else 0))
    return exact_minimum(costs, [*((row, 0) for row in loads.values()), *rows])
