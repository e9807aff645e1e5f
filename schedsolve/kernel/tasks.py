"""The tasks: which nodes hold which items at the start, and which must hold them at the end."""

from __future__ import annotations

from typing import Any

from .network import Network, turned_round


def demand(claim: dict[str, Any], n: int) -> tuple[list[set[int]], list[set[int]]]:
    """Return the items that every node holds at first, and those that it must hold in the end.

    - gossip: every node starts with an item of its own, its number, and must hold all.
    - accumulation: every node starts with an item of its own, and the sources must hold all.
    - broadcast, multicast: the sources start with item 0, and all nodes, or targets, must hold it.
    """
    task, everyone = claim["task"], set(range(n))
    if task in ("gossip", "accumulation"):
        wanting = everyone if task == "gossip" else set(claim["sources"])
        return [{v} for v in range(n)], [everyone if v in wanting else set() for v in range(n)]
    start = [{0} if v in claim["sources"] else set() for v in range(n)]
    return start, [{0} if v in targets_of(claim, n) else set() for v in range(n)]


def task_in_words(claim: dict[str, Any]) -> str:
    """Return in words what a schedule of the task does."""
    nodes = f"node {', '.join(map(str, claim.get('sources', [])))}"
    nodes = "the best node" if claim.get("open") else nodes
    nodes = "the node that takes longest" if claim.get("worst") else nodes
    if claim["task"] in ("gossip", "accumulation"):
        where = "every node" if claim["task"] == "gossip" else nodes
        return f"bring the items of all nodes to {where}"
    where = "all nodes" if claim["task"] == "broadcast" else f"the nodes {claim['targets']}"
    return f"bring the message of {nodes} to {where}"


def targets_of(claim: dict[str, Any], n: int) -> list[int]:
    """Return the nodes that the message must reach."""
    return list(claim["targets"]) if claim["task"] == "multicast" else list(range(n))


def as_broadcast(claim: dict[str, Any], network: Network) -> Network:
    """Return the network on which the task is a broadcast.

    An accumulation, run backwards with every call reversed, is a broadcast from its root.
    """
    return turned_round(network) if claim["task"] == "accumulation" else network
