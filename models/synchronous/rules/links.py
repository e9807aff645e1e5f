"""What links allow, whatever is sent: the ways of sends, and the bandwidths in the rounds of a step."""

from __future__ import annotations

from collections import Counter

from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted

from .steps import Send, Step


def broken_path(network: Network, send: Send) -> str | None:
    """Return what is wrong with the way of a send; None when nothing is."""
    labels = network.labels
    name = f"the path from {labels[send.sender]} to {labels[send.receiver]}"
    for end in (send.sender, send.receiver):
        if end in network.switches:
            return f"node {labels[end]} is a switch, which only forwards"
    for v in send.switches:
        if v not in network.switches:
            return f"{name} passes {labels[v]}, which is no switch"
    if len(set(send.switches)) < len(send.switches):
        return f"{name} passes a switch twice"
    for u, v in send.links:
        if (u, v) not in network.arc_set:
            return f"there is no link from {labels[u]} to {labels[v]} in the network"
    return None


def overloaded(network: Network, step: Step) -> str | None:
    """Return the first link that carries more in a step than its bandwidth allows.

    None when all are within it.
    """
    labels = network.labels
    load: Counter[tuple[int, int]] = Counter()
    for send in step.sends:
        for link in send.links:
            load[link] += len(send.chunks)
    for (u, v), count in load.items():
        if count > network.bandwidth_of[u, v] * step.rounds:
            return (
                f"the link from {labels[u]} to {labels[v]} carries {counted(count, 'chunk')} in"
                f" {counted(step.rounds, 'round')}, and its bandwidth is {network.bandwidth_of[u, v]}"
            )
    return None
