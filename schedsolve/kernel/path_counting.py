"""Bounds by counting, in rounds of calls along paths."""

from __future__ import annotations

from typing import Any

from .counting import knowing
from .network import Network
from .tasks import as_broadcast
from .wrong import require


def calls_of(claim: dict[str, Any], network: Network) -> list[int]:
    """Return how many calls each node can make per round: at most its links, and its ports."""
    ports = network.n if claim["ports"] is None else claim["ports"]
    return [min(len(heads), ports) for heads in network.heads]


def spreading_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """Each node makes one call per link and port in a round; those with the most hear first."""
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
