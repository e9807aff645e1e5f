"""Bounds by counting who can know an item, in rounds whose calls share no node."""

from __future__ import annotations

from typing import Any

from .network import Network
from .tasks import as_broadcast, targets_of
from .wrong import require


def knowing(claim: dict[str, Any], n: int) -> tuple[int, int]:
    """How many nodes know an item at first, and how many must know it at last. A gossip contains a
    broadcast from every node.
    """
    if claim["task"] == "gossip" or claim.get("open"):
        return 1, n
    return len(claim["sources"]), len({*claim["sources"], *targets_of(claim, n)})


def doubling_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """In a round those who know an item at most double, as each of them takes part in one call."""
    know, wanted = knowing(claim, network.n)
    require(know > 0, "nobody knows the item at first")
    rounds = 0
    while know < wanted:
        know, rounds = 2 * know, rounds + 1
    return rounds


def degree_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """A node that an item reaches brings it to each neighbour once, and not back to its caller."""
    network = as_broadcast(claim, network)
    first = max(len(heads) for heads in network.heads)
    return rounds_of_growth(*knowing(claim, network.n), first, first - (not network.directed))


def rounds_of_growth(know: int, wanted: int, first: int, relay: int) -> int:
    """The rounds until so many nodes know an item, if those who know it at first inform a node in
    each of the rounds 1 to `first`, and the others one in each of the next `relay` rounds.
    """
    sources, fresh = know, [0]
    while know < wanted:
        new = (sources if len(fresh) <= first else 0) + sum(fresh[-relay:] if relay > 0 else ())
        require(new, "so many nodes are never informed")
        fresh.append(new)
        know += new
    return len(fresh) - 1


def odd_order_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """Among an odd number of nodes one is idle in round 1, so that its item is known to one node
    then; those who know it at most double in each round after.
    """
    n = network.n
    odd = claim["task"] == "gossip" and n >= 3 and n % 2 == 1
    require(odd and claim.get("ports", 1) == 1, "no gossip of an odd order with one call a node")
    return 1 + (n - 1).bit_length()
