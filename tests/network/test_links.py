"""Links as saved results hold them: every network comes back, and what is no network is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schedsolve.network.graph import Network
from schedsolve.network.links import links_to_json, network_from_links
from schedsolve.runtime.errors import InputError

NAMED = [
    "path:1", "cycle:5", "tree:2,3", "grid:2x3", "ccc:3", "debruijn:3", "petersen", "random-tree:9,2",
    "fat-tree:8", "kautz:2,2", "genkautz:2,7", "dragonfly:2,1", "leaf-spine:2,3,2", "dgx1", "amd4", "a100:2",
    "mi250:1", "graph6:Bw",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_families_come_back(name: str) -> None:
    """Nodes in their order, arcs, bandwidths and switches, through JSON."""
    network = Network.from_spec(name)
    again = network_from_links(json.loads(json.dumps(links_to_json(network))), name)
    assert (again, again.name) == (network, name)


def test_labels_and_fractions_come_back() -> None:
    """Names of nodes, in the order in which they stand, and bandwidths that are not whole."""
    network = Network.from_labels(["b", "a", 7], [("a", "b"), (7, "a")], directed=True, switches=["a"])
    assert network_from_links(json.loads(json.dumps(links_to_json(network))), "") == network
    data = {**links_to_json(network), "bandwidths": ["4/3", 2]}
    again = network_from_links(data, "")
    assert links_to_json(again)["bandwidths"] == ["4/3", 2]
    assert again.labels == ("b", "a", 7)


PATH: dict[str, Any] = {"directed": False, "nodes": [0, 1, 2], "edges": [[0, 1], [1, 2]]}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"directed": 0}, "true or false"),
        ({"directed": None}, "true or false"),
        ({"edges": {}}, '"links" are'),
        ({"nodes": "abc"}, "lists of labels"),
        ({"nodes": [0, 1, 1, 2]}, "stands twice"),
        ({"nodes": [0, 1, True]}, "whole number or a text"),
        ({"nodes": [0, 1, 2.0]}, "whole number or a text"),
        ({"nodes": [0, 1, 2, "\n"]}, "printable"),
        ({"nodes": []}, "joins two of its nodes"),
        ({"nodes": [], "edges": []}, "empty"),
        ({"edges": [[0, 1], [1, 3]]}, "joins two of its nodes"),
        ({"edges": [[0, 1], [1, "2"]]}, "joins two of its nodes"),
        ({"edges": [[0, 1], [1, 2.0]]}, "whole number or a text"),
        ({"edges": [[0, 1], [1, 2, 1]]}, "joins two of its nodes"),
        ({"edges": [[0, 1], [1, 0]]}, "given twice"),
        ({"edges": [[0, 1], [2, 2]]}, "self-loop"),
        ({"bandwidths": [1]}, "2 edges need as many"),
        ({"bandwidths": [1, 0]}, "positive"),
        ({"bandwidths": 2}, "a list"),
        ({"switches": [3]}, "switch 3"),
        ({"switches": [1.0]}, "whole number or a text"),
    ],
)
def test_what_is_no_network_is_refused(change: dict[str, Any], reason: str) -> None:
    """In one line that says why."""
    with pytest.raises(InputError, match=reason):
        network_from_links({**PATH, **change}, "path:3")
    with pytest.raises(InputError, match="links"):
        network_from_links([], "path:3")
