"""Networks as node-link JSON."""

from __future__ import annotations

from reprlib import repr as _shown
from typing import Any

from schedsolve.network.bandwidths import ATTRIBUTE, SWITCH, bandwidth_from_data, bandwidth_to_data
from schedsolve.network.files.reading import Reading, require_attribute, with_words
from schedsolve.network.graph import Label, Network
from schedsolve.network.positions import POSITION, with_positions
from schedsolve.runtime.errors import InputError

_NODE = ("id", SWITCH, POSITION)
_EDGE = ("source", "target", "key")


def network_to_json(network: Network) -> dict[str, Any]:
    """Return the network as node-link JSON.

    The object is {"directed": bool, "nodes": [{"id": label}], "edges": [{"source": label, "target": label}]};
    an edge has "bandwidth" if there are bandwidths, a switch has "switch": true, and all nodes have
    "pos": [x, y] if there are positions.
    """
    labels = network.labels
    places = [{POSITION: list(point)} for point in network.positions] or [{}] * network.node_count
    bandwidths = [{ATTRIBUTE: bandwidth_to_data(b)} for b in network.bandwidths] or [{}] * len(network.edges)
    return {
        "directed": network.directed,
        "nodes": [
            {"id": label, **({SWITCH: True} if v in network.switches else {}), **places[v]}
            for v, label in enumerate(labels)
        ],
        "edges": [
            {"source": labels[u], "target": labels[v], **bandwidth}
            for (u, v), bandwidth in zip(network.edges, bandwidths, strict=True)
        ],
    }


def network_from_json(obj: object, reading: Reading | None = None) -> Network:
    """Return the network that node-link JSON describes.

    The JSON is as `network_to_json` or networkx writes it ("links" may stand for "edges"). Attributes that
    are not used are named.

    Raises
    ------
    InputError
        If the structure is different, the graph is a multigraph, a label is neither an integer nor
        printable text, a node or an edge is given twice, an end of an edge is not a node, an edge is a
        loop, or a bandwidth is not valid.
    """
    if not isinstance(obj, dict) or ("edges" in obj) == ("links" in obj):
        raise InputError('a node-link network is an object with "nodes" and either "edges" or "links"')
    nodes, edges = obj.get("nodes"), obj.get("edges", obj.get("links"))
    if not isinstance(nodes, list) or not isinstance(edges, list):
        raise InputError('"nodes" and "edges" (or "links") must be lists of objects')
    directed = obj.get("directed", False)
    if not isinstance(directed, bool):
        raise InputError('"directed" must be true or false')
    if obj.get("multigraph", False) is not False:
        raise InputError("a multigraph cannot be read; give every edge once")
    labels: dict[Label, bool] = {}
    for item in nodes:
        label = _json_label(item, "id")
        if label in labels:
            raise InputError(f"node {_shown(label)} is given twice")
        labels[label] = _is_switch(item)
    pairs = [(_json_label(item, "source"), _json_label(item, "target")) for item in edges]
    for end in (end for pair in pairs for end in pair):
        if end not in labels:
            raise InputError(f"an edge names {_shown(end)}, which is not among the nodes")
    name = ATTRIBUTE if reading is None else reading.bandwidth
    if reading is not None:
        lacking = [pair for pair, item in zip(pairs, edges, strict=True) if name not in item]
        known = dict.fromkeys(key for item in edges for key in item if key not in _EDGE)
        require_attribute(name, known, lacking)
    network = Network.from_labels(
        labels,
        pairs,
        directed=directed,
        bandwidths=[bandwidth_from_data(item.get(name, 1)) for item in edges],
        switches=[label for label, switch in labels.items() if switch],
    )
    network = with_positions(network, {item["id"]: item.get(POSITION) for item in nodes})
    if reading is None:
        return network
    return with_words(
        network,
        "node-link JSON",
        [{key: item[key] for key in item if key not in _EDGE} for item in edges],
        [{key: item[key] for key in item if key not in _NODE} for item in nodes],
        name=name,
    )


def _is_switch(item: dict[str, Any]) -> bool:
    switch = item.get(SWITCH, False)
    if not isinstance(switch, bool):
        raise InputError(f'"{SWITCH}" must be true or false, not {_shown(switch)}')
    return switch


def _json_label(item: object, key: str) -> Label:
    label = item.get(key) if isinstance(item, dict) else None
    return checked_label(label, f'{_shown(item)} needs "{key}", a label that is an integer or text')


def checked_label(label: object, refusal: str) -> Label:
    """Return a JSON value that is a label: an integer or printable text.

    Raises
    ------
    InputError
        With the refusal if it is neither.
    """
    if isinstance(label, bool) or not isinstance(label, int | str):
        raise InputError(refusal)
    if isinstance(label, str) and not (label and label.isprintable()):
        raise InputError(f"{_shown(label)} is not printable text and cannot be a label")
    return label
