"""The links of a network in a saved result: what determines the network exactly, and no more."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Iterator
from reprlib import repr as _shown
from typing import Any

from schedsolve.network.bandwidths import bandwidth_from_data, bandwidth_to_data
from schedsolve.network.graph import Label, Network
from schedsolve.runtime.errors import InputError

MOST_LINKS = 100_000
"""The most links that are written; a result on a larger network holds only its name."""


def links_to_json(network: Network, *, edges: bool = True) -> dict[str, Any]:
    """Return the network as a JSON object with its nodes' labels and, unless it is told not to, its edges.

    The object is {"directed": bool, "nodes": [label, ...], "edges": [[label, label], ...]}, with
    "bandwidths", one for every edge, and "switches" if there are any.

    ```pycon
    >>> links_to_json(Network(3, ((0, 1), (1, 2))))
    {'directed': False, 'nodes': [0, 1, 2], 'edges': [[0, 1], [1, 2]]}

    ```
    """
    labels = network.labels
    links: dict[str, Any] = {"directed": network.directed, "nodes": list(labels)}
    if edges:
        links["edges"] = [[labels[u], labels[v]] for u, v in network.edges]
    if network.bandwidths:
        links["bandwidths"] = [bandwidth_to_data(bandwidth) for bandwidth in network.bandwidths]
    if network.switches:
        links["switches"] = [labels[v] for v in sorted(network.switches)]
    return links


def edges_text(network: Network) -> Iterator[str]:
    """Yield the canonical JSON text of "edges" as `links_to_json` has them, in parts, one for each node."""
    names = [json.dumps(label) for label in network.labels]
    yield "["
    begun = False
    for u, near in enumerate(network.successors):
        heads = near if network.directed else near[bisect(near, u) :]
        if heads:
            between = f"],[{names[u]},"
            yield f"{',' if begun else ''}[{names[u]},{between.join([names[v] for v in heads])}]"
            begun = True
    yield "]"


def network_from_links(data: Any, name: str) -> Network:
    """Return the network whose links `links_to_json` wrote.

    Parameters
    ----------
    data
        The JSON object.
    name
        The network's name, for display.

    Raises
    ------
    InputError
        If the structure is different, a node is given twice, an end of an edge is not a node, and as
        `Network` does.
    """
    parts = data if isinstance(data, dict) else {}
    directed, edges = parts.get("directed"), parts.get("edges")
    if not isinstance(directed, bool) or not isinstance(edges, list):
        raise InputError('"links" are {"directed": true or false, "nodes": [...], "edges": [[u, v], ...]}')
    nodes = _labels(parts.get("nodes"), "nodes")
    known = set(nodes)
    if len(known) < len(nodes):
        raise InputError('a label stands twice among the "nodes" of "links"')
    pairs: list[tuple[Label, Label]] = []
    for edge in edges:
        ends = _labels(edge, "edges")
        if len(ends) != 2 or not known.issuperset(ends):
            raise InputError(f'an edge of "links" joins two of its nodes; {_shown(edge)} does not')
        pairs.append((ends[0], ends[1]))
    bandwidths = parts.get("bandwidths", [])
    if not isinstance(bandwidths, list):
        raise InputError(f'"bandwidths" of "links" are a list, one for every edge, not {_shown(bandwidths)}')
    return Network.from_labels(
        nodes,
        pairs,
        directed=directed,
        name=name,
        bandwidths=[bandwidth_from_data(bandwidth) for bandwidth in bandwidths],
        switches=_labels(parts.get("switches", []), "switches"),
    )


def _labels(data: Any, where: str) -> list[Label]:
    if not isinstance(data, list):
        raise InputError(f'"{where}" of "links" hold lists of labels, not {_shown(data)}')
    for label in data:
        if isinstance(label, bool) or not isinstance(label, int | str):
            raise InputError(
                f'a label in "{where}" of "links" is a whole number or a text, not {_shown(label)}'
            )
        if isinstance(label, str) and not (label and label.isprintable()):
            raise InputError(f"{_shown(label)} is not printable text and cannot be a label")
    return data
