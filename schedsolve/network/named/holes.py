"""Networks without some of their nodes and links: `torus:8x8-without-5,0-1`."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from dataclasses import replace

from schedsolve.network.files.understood import understood
from schedsolve.network.graph import Label, Network
from schedsolve.network.named.derived_texts import WITHOUT
from schedsolve.runtime.errors import InputError, cut, shown
from schedsolve.runtime.limits.budget import naming

MOST_HYPHENS = 20
"""The most hyphens of a link, those of labels included; each is tried as the one between the labels."""


def without(network: Network, holes: str) -> Network:
    """Return the network without some nodes, with all their links, and without some links.

    Parameters
    ----------
    network
        The whole network, with n nodes.
    holes
        Labels of nodes, and links U-V as pairs of labels, separated by commas: "5,0-1". What is the label of
        a node is that node, even if it could be read as a link. In a directed network U-V is the arc from U
        to V, else the edge in both directions.

    Returns
    -------
    The other nodes with their labels, switches and positions, numbered 0..m-1 in the same order, and the
    links between them with their bandwidths. The name is that of the network with `-without-` and the holes.

    Raises
    ------
    InputError
        If there is no such node or link, if something is named twice, if no node is left, or if the network
        was connected (strongly, if directed) and is no longer.
    """
    with naming(f"{cut(network.name, 60)} without {cut(holes, 60)}"):
        lost = [_hole(network, item) for item in holes.split(",")]
        if len(set(lost)) < len(lost):
            raise InputError("a node or link is named twice")
        smaller = _restricted(network, set(lost))
        if network.is_connected:
            _check_connected(smaller)
    if network.understood:
        smaller = understood(
            smaller, f"without {cut(holes, 60)}", also=f"of {network.understood}", whole=False
        )
    return replace(smaller, name=f"{network.name or 'network'}{WITHOUT}{holes}")


def _hole(network: Network, item: str) -> int | tuple[int, int]:
    """Return the node, or the edge as it is stored, that an item of the holes names."""
    try:
        return network.node(item)
    except InputError:
        if "-" not in item.strip("-"):
            raise
    for u, v in _pairs(network, network, item):
        if (u, v) in network.arc_set:
            return (u, v) if network.directed else (min(u, v), max(u, v))
    raise InputError(f"there is no link {cut(item, 60)}")


def link_ends(one: Network, other: Network, item: str) -> tuple[Label, Label]:
    """Return the labels of a node of one network and a node of another that "U-V" names.

    Raises
    ------
    InputError
        If there is no such pair of nodes, or several are meant by hyphens within labels.
    """
    pairs = _pairs(one, other, item)
    if len(pairs) != 1:
        raise InputError(f"{shown(item)} names {len(pairs)} pairs of nodes U-V, and must name one")
    u, v = pairs[0]
    return one.labels[u], other.labels[v]


def _pairs(one: Network, other: Network, item: str) -> list[tuple[int, int]]:
    """Return the pairs of a node of each network that "U-V" may name, by the place of the hyphen.

    Raises
    ------
    InputError
        If a node is unknown where there is only one hyphen, or there are too many.
    """
    if item.count("-") > MOST_HYPHENS:
        raise InputError(f"{cut(item, 60)} has more than {MOST_HYPHENS} hyphens")
    places = [i for i, character in enumerate(item) if character == "-"]
    ends = [(item[:i], item[i + 1 :]) for i in places if item[:i] and item[i + 1 :]]
    if len(ends) == 1:
        return [(one.node(ends[0][0]), other.node(ends[0][1]))]
    found = []
    for u, v in ends:
        with suppress(InputError):
            found.append((one.node(u), other.node(v)))
    return found


def _restricted(network: Network, lost: Container[int | tuple[int, int]]) -> Network:
    kept = [v for v in range(network.node_count) if v not in lost]
    if not kept:
        raise InputError("no node is left")
    number = {v: i for i, v in enumerate(kept)}
    edges = [
        (edge, bandwidth)
        for edge, bandwidth in zip(
            network.edges, network.bandwidths or (1,) * len(network.edges), strict=True
        )
        if edge not in lost and edge[0] in number and edge[1] in number
    ]
    positions = network.positions
    return replace(
        network,
        node_count=len(kept),
        edges=tuple((number[u], number[v]) for (u, v), _ in edges),
        bandwidths=tuple(bandwidth for _, bandwidth in edges),
        labels=tuple(network.labels[v] for v in kept),
        nodes=tuple(network.nodes[v] for v in kept),
        default_sources=tuple(number[v] for v in network.default_sources if v in number),
        switches=frozenset(number[v] for v in network.switches if v in number),
        positions=tuple(positions[v] for v in kept) if len(positions) == network.node_count else (),
        attributes=None,
    )


def _check_connected(network: Network) -> None:
    """Raise InputError with two nodes, one of which no longer reaches the other."""
    for given, first_sends in ((network, True), (network.reversed(), False)):
        distances = given.distances_from([0])
        if None in distances:
            ends = network.labels[0], network.labels[distances.index(None)]
            start, end = ends if first_sends else ends[::-1]
            raise InputError(f"the network falls apart: {start} no longer reaches {end}")
