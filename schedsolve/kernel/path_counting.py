"""Bounds by counting, in rounds of calls along paths."""

from __future__ import annotations

from typing import Any

from .counting import knowing
from .network import Network
from .tasks import as_broadcast
from .wrong import require


def calls_of(claim: dict[str, Any], network: Network) -> list[int]:
    """For every node how many calls it can make in a round: one a link, and one a port."""
    ports = network.n if claim["ports"] is None else claim["ports"]
    return [min(len(heads), ports) for heads in network.heads]


def spreading_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """A node makes one call a round for each link and port; those with most hear first."""
    calls = calls_of(claim, as_broadcast(claim, network))
    know, wanted = knowing(claim, network.n)
    if claim["task"] == "gossip" or claim.get("open"):
        able = max(calls) if claim.get("open") else min(calls)
        calls.remove(able)
    else:
        able = sum(calls[v] for v in claim["sources"])
        calls = [made for v, made in enumerate(calls) if v not in claim["sources"]]
    calls.sort(reverse=True)
    rounds = 0
    while know < wanted:
        require(able, "so many nodes are never informed")
        fresh, calls = calls[:able], calls[able:]
        know, able, rounds = know + len(fresh), able + sum(fresh), rounds + 1
    return rounds


def learning_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """A node learns in a round what it knows times its calls at most, so that grows as a power."""
    require(claim["task"] == "gossip", "no gossip")
    know, most, rounds = 1, max(calls_of(claim, network)), 0
    while know < network.n and most > 0:
        know, rounds = know * (most + 1), rounds + 1
    return rounds
