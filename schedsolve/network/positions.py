"""Where files say that nodes lie; for pictures only, no part of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from schedsolve.network.graph import Label, Network

POSITION = "pos"
"""The attribute of nodes in node-link JSON, a pair [x, y], as networkx has it."""


def with_positions(network: Network, given: Mapping[Label, object]) -> Network:
    """The network with these positions, x to the right and y upwards, by label; without any where not every
    node has a pair of numbers of its own, as a picture needs all or none.
    """
    points = [_point(given.get(label)) for label in network.labels]
    found = tuple(point for point in points if point is not None)
    if len(set(found)) < network.node_count:
        return network
    return replace(network, positions=found)


def _point(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    x, y = value
    if any(isinstance(z, bool) or not isinstance(z, int | float) or abs(z) > 1e9 for z in (x, y)):
        return None
    return (float(x), float(y)) if isfinite(x) and isfinite(y) else None
