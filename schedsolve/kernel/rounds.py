"""Rounds of calls that share no node.

One-way: a call u -> v goes along an arc, and v learns all that u knew before the round.
Two-way: a call goes along an edge, and each end learns all that the other knew before the
round. In a round no node takes part in two calls.
"""

from __future__ import annotations

from typing import Any

from .network import Network
from .tasks import demand, task_in_words
from .wrong import require, require_form


def rounds_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    require(not (claim["two_way"] and claim["directed"]), "two-way calls go along no arcs")
    way, learns = "one-way", "the node called learns all that its caller"
    if claim["two_way"]:
        way, learns = "two-way", "both its ends learn all that the other"
    quantity = f"the least number of {way} rounds that {task_in_words(claim)}"
    rule = "In a round calls go along links and share no node; by a call"
    return quantity, f"{rule} {learns} knew before the round."


def replay_rounds(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its number of rounds."""
    (held, goal), rounds = demand(claim, network.n), rounds_of(claim, schedule)
    for number, calls in enumerate(rounds, 1):
        busy: set[int] = set()
        for u, v in calls:
            require((u, v) in network.bandwidth, f"round {number}: there is no link {u} {v}")
            require(u not in busy and v not in busy, f"round {number}: {u} {v} shares a node")
            busy |= {u, v}
        for u, v in calls:
            held[v] = held[u] | held[v]
            if claim["two_way"]:
                held[u] = held[v]
    for v, items in enumerate(goal):
        require(items <= held[v], f"after the last round node {v} does not know all that it should")
    return len(rounds)


def rounds_of(claim: dict[str, Any], schedule: Any) -> list[list[tuple[int, int]]]:
    """Return the rounds: calls {"between": [u, v]} if two-way, otherwise {"from": u, "to": v}."""
    call: Any = {"between": [int, int]} if claim["two_way"] else {"from": int, "to": int}
    require_form(schedule, {"rounds": [[call, ...], ...]})
    if claim["two_way"]:
        return [[(*call["between"],) for call in calls] for calls in schedule["rounds"]]
    return [[(call["from"], call["to"]) for call in calls] for calls in schedule["rounds"]]
