"""Positions of a machine's nodes: its compute nodes in a row, its switches in rows above."""

from __future__ import annotations

from collections.abc import Sequence

from schedsolve.network.graph import Network

Point = tuple[float, float]
MOST_IN_THE_ROW = 40
LEAST_GAP = 1.2
"""Between the switches of a row."""
MOST_ROWS = 4
ARCH = 0.8
"""How much higher the middle of a row is whose nodes are linked, relative to the height of a row."""
SLOPE = 0.16
"""The height of a row, relative to the width of the picture."""


def tiers(network: Network) -> list[Point]:
    """Return the positions, or none for a network that has no such form.

    Compute nodes with the same switches stand next to one another, and a switch above the middle of its
    neighbors below. Switches with more links are above those with fewer that are as far from the compute
    nodes. Without switches, with links between compute nodes, or with more than `MOST_IN_THE_ROW` of these,
    the result is empty.
    """
    row = network.compute_nodes
    linked = [
        set(near) | set(back) for near, back in zip(network.successors, network.predecessors, strict=True)
    ]
    if not network.switches or not 0 < len(row) <= MOST_IN_THE_ROW or any(linked[v] & set(row) for v in row):
        return []
    far = network.distances_from(row)
    kinds = {v: (far[v] or 0, len(linked[v])) for v in network.switches}
    if len(set(kinds.values())) > MOST_ROWS:
        kinds = {v: (distance, 0) for v, (distance, _) in kinds.items()}
    order = sorted(row, key=lambda v: (sorted((kinds[s], s) for s in linked[v]), v))
    at = {v: float(place) for place, v in enumerate(order)}
    up = dict.fromkeys(row, 0.0)
    height = max(2.0, SLOPE * len(row))
    for number, kind in enumerate(sorted(set(kinds.values())), 1):
        above = [v for v in sorted(network.switches) if kinds[v] == kind]
        below = {v: [at[w] for w in sorted(linked[v]) if w in at] for v in above}
        middle = {v: sum(below[v]) / len(below[v]) if below[v] else (len(row) - 1) / 2 for v in above}
        above.sort(key=lambda v: (middle[v], v))
        places = _apart([middle[v] for v in above])
        arched = any(linked[v] & set(above) for v in above)
        at |= dict(zip(above, places, strict=True))
        up |= dict(zip(above, _heights(places, number * height, ARCH * height * arched), strict=True))
    return [(at[v], up[v]) for v in range(network.node_count)]


def _heights(places: Sequence[float], low: float, arch: float) -> list[float]:
    """Return heights along an arch, so that links between nodes of a row pass below the others."""
    middle, half = (places[0] + places[-1]) / 2, max((places[-1] - places[0]) / 2, 1.0)
    return [low + arch * (1 - ((place - middle) / half) ** 2) for place in places]


def _apart(places: Sequence[float]) -> list[float]:
    """Return ascending places, moved to the right until they have gaps, and back so that their mean stays."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + LEAST_GAP) if moved else place)
    shift = (sum(moved) - sum(places)) / len(places)
    return [place - shift for place in moved]
