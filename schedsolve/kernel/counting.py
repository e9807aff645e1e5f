"""Bounds by counting the nodes that can know an item, in rounds whose calls share no node."""

from __future__ import annotations

from typing import Any

from .network import Network
from .tasks import as_broadcast, targets_of
from .wrong import require


def knowing(claim: dict[str, Any], n: int) -> tuple[int, int]:
    """Return how many nodes know an item at first, and how many must know it in the end.

    A gossip contains a broadcast from every node.
    """
    if claim["task"] == "gossip" or claim.get("open"):
        return 1, n
    return len(claim["sources"]), len({*claim["sources"], *targets_of(claim, n)})


def degree_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """Each node informs a neighbor at most once, and never its own caller."""
    network = as_broadcast(claim, network)
    first = max(len(heads) for heads in network.heads)
    return rounds_of_growth(*knowing(claim, network.n), first, first - (not network.directed))


def rounds_of_growth(know: int, wanted: int, first: int, relay: int) -> int:
    """Return the rounds until `wanted` nodes know an item, from `know` sources.

    A source informs one node in each of rounds 1 to `first`, others in each of `relay` rounds.
    """
    sources, fresh = know, [0]
    while know < wanted:
        new = (sources if len(fresh) <= first else 0) + sum(fresh[-relay:] if relay > 0 else ())
        require(new, "so many nodes are never informed")
        fresh.append(new)
        know += new
    return len(fresh) - 1


def odd_order_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """With n odd, some node is idle in round 1; those who know its item at most double after."""
    n = network.n
    odd = claim["task"] == "gossip" and n >= 3 and n % 2 == 1
    require(odd and claim.get("ports", 1) == 1, "no gossip of an odd order with one call a node")
    return 1 + (n - 1).bit_length()
