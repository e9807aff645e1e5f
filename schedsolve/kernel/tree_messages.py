"""Messages between the leaves of a tree whose channels have capacities.

N = 2^m processors 0, ..., N - 1 are the leaves of a complete binary tree. A subtree of n = 2^j
< N leaves is joined to its parent by a channel up and one down, of capacity w(n). A message
between processors whose lowest common ancestor has height h arrives 2h steps after it was sent:
sent at time s, it goes up through the channel of a subtree of height j < h in step s + j + 1,
and down in step s + 2h - j. A processor sends, and receives, at most one message per step.

By the clock, a message can be sent at any time; the value is the time of the last arrival. In
rounds, all messages of a round are sent when it begins, a processor sends or receives at most
one of them, and the round lasts twice the height of its highest message; the value is their sum.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .network import Network
from .wrong import require, require_form


def messages_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    w, n = claim["capacities"], claim["nodes"]
    right = 2 ** len(w) == n + 1 and w[0] > 0 and all(a <= b <= 2 * a for a, b in zip(w, w[1:]))
    leaves = all(2 * v < n for v in claim.get("sources", ()))
    require(right and leaves, "no capacity for each height, or an end that is no leaf")
    timing = "in rounds" if claim["in_rounds"] else "by the clock"
    ends = f" of leaf {claim['sources'][0]}" if claim.get("sources") else ""
    rule = "A message between leaves takes twice the height at which they meet, and in a step the"
    rule += f" channels above 1, 2, 4, ... leaves carry {w[:-1]} messages each way."
    return f"the least time of a {claim['task']}{ends} between the leaves, {timing},", rule


def processors_of(network: Network) -> int:
    """Return N, the number of leaves; raise WrongError unless the network is the tree."""
    n = (network.n + 1) // 2
    tree = [(v, n + v // 2) for v in range(2 * n - 2)]
    usual = n >= 2 and n & (n - 1) == 0 and network.n == 2 * n - 1 and not network.directed
    require(usual and network.edges == tree, "the network is not the tree")
    return n


def replay_leaf_broadcast(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the broadcast to all leaves, and return its time."""
    require(claim["task"] == "broadcast", "the schedule is that of a broadcast")
    held = {claim["sources"][0]: 0}
    messages, time = messages_of(claim, network, schedule)
    for start, arrival, u, v, operands in messages:
        require(held.get(u, arrival) <= start, f"leaf {u} does not hold the message at {start}")
        require(operands is None, "a message of a broadcast says no operands")
        held[v] = min(arrival, held.get(v, arrival))
    require(len(held) == processors_of(network), "in the end the message has not reached all")
    return time


def messages_of(claim: dict[str, Any], network: Network, schedule: Any) -> tuple[list[Any], int]:
    """Check a schedule against the rules of times and channels; return its messages and time."""
    n, messages, time = processors_of(network), [], 0
    call_form = {"from": int, "to": int, "operands?": [int, int]}
    form = {"messages": [{**call_form, "start": int}, ...]}
    require_form(schedule, {"rounds": [[call_form, ...], ...]} if claim["in_rounds"] else form)
    for number, calls in enumerate(schedule.get("rounds") or [schedule.get("messages", [])]):
        begins, busy = time, set[Any]()
        for call in calls:
            u, v = call["from"], call["to"]
            start = begins if claim["in_rounds"] else call["start"]
            require(max(u, v) < n and u != v, f"{call} is no message between two leaves")
            arrival = start + 2 * (u ^ v).bit_length()
            taken: Any = {(number, u), (number, v)}
            taken = taken if claim["in_rounds"] else {(start, u, 0), (arrival, v, 1)}
            require(not busy & taken, f"{call}: an end of it takes part in another message then")
            busy |= taken
            messages.append((start, arrival, u, v, call.get("operands")))
            time = max(time, arrival)
    load: Counter[Any] = Counter()
    for start, arrival, u, v, _ in messages:
        for j in range((u ^ v).bit_length()):
            load[j, u >> j, start + j + 1, "up"] += 1
            load[j, v >> j, arrival - j, "down"] += 1
    for (j, subtree, step, way), count in load.items():
        where = f"step {step}: the channel {way} at the subtree of leaves {subtree << j}, ..."
        require(count <= claim["capacities"][j], f"{where} carries {count} messages")
    return sorted(messages), time
