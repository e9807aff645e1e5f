"""Messages through the routers of a tree.

2^h nodes 0, 1, ... are the leaves of a complete binary tree. A router node of level l joins
2^(l+1) consecutive leaves and consists of 2^l routers, each with two ports down, one to each
half, and two ports up. A message goes up to the lowest level whose router node joins its ends,
and down again; port p of router r of level l leads to router r + p 2^l of level l + 1, so the
bits of the router of level l on its route are its first l ports, the lowest bit first. Every
link has a wire up and a wire down. In a round no two messages use the same wire; every message
is sent in exactly one round.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .network import Network
from .tree_messages import processors_of
from .wrong import require, require_form


def routes_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    leaves = all(u != v and 2 * max(u, v) < claim["nodes"] for u, v in claim["messages"])
    require(leaves, "a message has one end only, or an end that is no leaf")
    count = len(claim["messages"])
    quantity = (
        f"the least number of rounds that deliver {count} messages, those that verify.py names,"
    )
    return (
        quantity,
        "In a round no two messages use the same wire of the routers between the leaves.",
    )


def replay_routes(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its number of rounds."""
    call_form = {"from": int, "to": int, "upstream_ports?": [int, ...]}
    require_form(schedule, {"rounds": [[call_form, ...], ...]})
    n = processors_of(network)
    left = Counter((u, v) for u, v in claim["messages"])
    for number, calls in enumerate(schedule["rounds"], 1):
        used: set[Any] = set()
        for call in calls:
            u, v, ports = call["from"], call["to"], call.get("upstream_ports", [])
            left[u, v] -= 1
            require(left[u, v] >= 0, f"round {number}: {u} {v} is no message left to deliver")
            require(
                u in range(n) and v in range(n) and u != v, f"round {number}: {u} {v} are no leaves"
            )
            levels = (u ^ v).bit_length()
            right = len(ports) == levels - 1 and set(ports) <= {0, 1}
            require(right, f"round {number}: {u} {v} goes up by {ports}")
            for level in range(levels):
                router = sum(port << i for i, port in enumerate(ports[:level]))
                for wire in (
                    ("up", level, u >> level, router),
                    ("down", level, v >> level, router),
                ):
                    require(wire not in used, f"round {number}: {u} {v} uses the wire {wire} again")
                    used.add(wire)
    require(not +left, "in the end a message is not delivered")
    return len(schedule["rounds"])


def most_messages_bound(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """Every node sends at most one message per round, and receives at most one."""
    processors_of(network)
    ends = [Counter(message[end] for message in claim["messages"]) for end in (0, 1)]
    return max((count for counted in ends for count in counted.values()), default=0)
