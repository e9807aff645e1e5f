"""Rounds of calls that share no node.

One-way: a call u -> v goes along an arc, and v learns all that u knew before the round.
Two-way: a call goes along an edge, and each end learns all that the other knew before the
round. In a round no node takes part in two calls.
"""

from __future__ import annotations

from typing import Any

from .network import Network
from .tasks import demand, task_in_words
from .wrong import require


def rounds_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    if claim["two_way"]:
        rule = "both its ends learn all that the other knew before the round"
    else:
        rule = "the node called learns all that its caller knew before the round"
    way = "two-way" if claim["two_way"] else "one-way"
    quantity = f"the least number of {way} rounds that {task_in_words(claim)}"
    return quantity, f"In a round calls go along links and share no node; by a call {rule}."


def replay_rounds(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its number of rounds."""
    held, goal = demand(claim, network.n)
    rounds = [[call_ends(call, claim["two_way"]) for call in calls] for calls in schedule["rounds"]]
    for number, calls in enumerate(rounds, 1):
        busy: set[int] = set()
        for u, v in calls:
            ways = [(u, v), (v, u)] if claim["two_way"] else [(u, v)]
            linked = all(way in network.bandwidth for way in ways)
            require(linked, f"round {number}: there is no link {u} {v}")
            require(u not in busy and v not in busy, f"round {number}: {u} {v} shares a node")
            busy |= {u, v}
        for u, v in calls:
            held[v] = held[u] | held[v]
            if claim["two_way"]:
                held[u] = held[v]
    for v, items in enumerate(goal):
        require(items <= held[v], f"after the last round node {v} does not know all that it should")
    return len(rounds)


def call_ends(call: Any, two_way: bool) -> tuple[int, int]:
    """Return the ends of a call {"between": [u, v]}, or of a one-way call {"from": u, "to": v}."""
    require(set(call) == ({"between"} if two_way else {"from", "to"}), f"{call} is no call here")
    u, v = call["between"] if two_way else (call["from"], call["to"])
    require(type(u) is int and type(v) is int, f"the ends of {call} are no nodes")
    return u, v
