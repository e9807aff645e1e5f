"""Broadcasts of a message that is cut into packets of the same size.

In a round a node sends packets that it owned before the round to neighbors. With K ports it
uses at most K links in a round, for sending and receiving together, each in both directions;
with weak ports it sends to at most K nodes and receives from at most K. The cost of a round is
the size of its largest message, as a fraction of the whole message; that of a schedule is the
sum over its rounds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .network import Network
from .wrong import require, require_form


def packets_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    ports, weak = claim["ports"], claim.get("weak_ports")
    uses = (
        f"sends to at most {ports} and receives from as many" if weak else f"uses {ports} at most"
    )
    quantity = f"the least cost of a broadcast from node {claim['sources'][0]}"
    rule = (
        f"In a round packets of the message go along links, of which a node {uses}; a round costs"
    )
    return f"{quantity} in at most {claim['rounds']} rounds", f"{rule} its largest message."


def replay_packets(claim: dict[str, Any], network: Network, schedule: Any) -> Fraction:
    """Check a schedule against the rules and the task, and return its cost."""
    call_form = {"from": int, "to": int, "packets": [int, ...]}
    require_form(schedule, {"packet_count": int, "rounds": [[call_form, ...], ...]})
    count, everything = schedule["packet_count"], set(range(schedule["packet_count"]))
    require(count > 0, "the message has no packets")
    owned = [everything if v in claim["sources"] else set() for v in range(network.n)]
    cost = Fraction(0)
    fits = claim["task"] == "broadcast" and len(schedule["rounds"]) <= claim["rounds"]
    require(fits, "the schedule is no broadcast in so many rounds")
    for number, calls in enumerate(schedule["rounds"], 1):
        before, used = list(owned), set()
        for call in calls:
            u, v, packets = call["from"], call["to"], set(call["packets"])
            require((u, v) in network.bandwidth, f"round {number}: there is no link {u} {v}")
            require(packets and packets <= before[u], f"round {number}: {u} does not own {packets}")
            require(
                len(packets) == len(call["packets"]), f"round {number}: {call} repeats a packet"
            )
            require((u, v) not in used, f"round {number}: two messages go from {u} to {v}")
            used.add((u, v))
            owned[v] = owned[v] | packets
        for v in range(network.n):
            heads, tails = {y for x, y in used if x == v}, {x for x, y in used if y == v}
            weak = claim.get("weak_ports")
            most = max(len(heads), len(tails)) if weak else len(heads | tails)
            require(most <= claim["ports"], f"round {number}: node {v} uses too many ports")
        cost += Fraction(max((len(call["packets"]) for call in calls), default=0), count)
    require(all(packets == everything for packets in owned), "in the end a node misses a packet")
    return cost
