"""Distances: a message crosses one link in a round."""

from __future__ import annotations

from typing import Any

from .network import Network
from .tasks import as_broadcast, targets_of
from .wrong import require


def distances(network: Network, sources: Any) -> dict[int, int]:
    """Return the distance from the sources, in links, of every node that they reach."""
    found = dict.fromkeys(sources, 0)
    reached = list(found)
    for u in reached:
        for v in network.heads[u]:
            if v not in found:
                found[v] = found[u] + 1
                reached.append(v)
    return found


def distance_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """Every message crosses one link per round, so the farthest target bounds the rounds."""
    network = as_broadcast(claim, network)
    if claim["task"] == "gossip" or claim.get("open"):
        far = []
        for v in range(network.n):
            found = distances(network, [v])
            require(len(found) == network.n, f"node {v} does not reach all others")
            far.append(max(found.values()))
        return min(far) if claim.get("open") else max(far)
    found = distances(network, claim["sources"])
    require(all(v in found for v in targets_of(claim, network.n)), "a target cannot be reached")
    return max(found[v] for v in targets_of(claim, network.n))
