"""Positions of nodes in files; they are for pictures only and not part of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

from schedsolve.network.graph import Label, Network

POSITION = "pos"
"""The node attribute in node-link JSON, a pair [x, y], as in networkx."""


def with_positions(network: Network, given: Mapping[Label, object]) -> Network:
    """Return the network with positions by label, x to the right and y upwards.

    The network has none unless every node has a distinct pair of numbers, since a picture needs all or none.
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
