"""Who takes part in a collective, and how much each has for the others."""

from __future__ import annotations

from typing import Any

from .network import Network
from .wrong import require, require_form


def ranks_of(claim: dict[str, Any], network: Network) -> list[int]:
    """Return the nodes that have data and want data: all compute nodes, or those that are named."""
    compute = [v for v in range(network.n) if v not in network.switches]
    ranks: list[int] = claim.get("ranks") or compute
    require(set(ranks) <= set(compute) and ranks == sorted(set(ranks)), "ranks are compute nodes")
    require(set(claim.get("sources", ())) <= set(ranks), "the source, or the root, is no rank")
    return ranks


def units_from(claim: dict[str, Any], ranks: list[int], v: int) -> dict[int, int]:
    """Return how many units a rank has for every other, or of a gather gets from it."""
    sizes = claim.get("sizes")
    if not sizes:
        return {w: 1 for w in ranks if w != v}
    row = dict(zip(ranks, sizes))[v]
    others = {w: row if isinstance(row, int) else dict(zip(ranks, row))[w] for w in ranks if w != v}
    return {w: units for w, units in others.items() if units}


def ranks_in_words(claim: dict[str, Any]) -> str:
    """Return whom the collective is among, and the sizes."""
    if "sizes" in claim:
        count = len(claim.get("ranks") or range(claim["nodes"] - len(claim.get("switches", ()))))
        row = int if claim["task"] == "allgatherv" else [int] * count
        require_form(claim["sizes"], [row] * count)
    among = f" among nodes {', '.join(map(str, claim['ranks']))}" if claim.get("ranks") else ""
    return among + (f" of sizes {claim['sizes']}" if claim.get("sizes") else "")
