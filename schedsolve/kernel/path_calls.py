"""Rounds of calls along paths that share no link.

In a round every call goes along a path of the network; no link (of a directed network: no arc)
lies on two paths of a round, and with K ports a node takes part in at most K calls of a round.
Nodes that a call only passes through learn nothing. A call brings to its receiver what its
sender knew before the round, and a two-way call also does the opposite.
"""

from __future__ import annotations

from typing import Any

from .network import Network
from .tasks import demand, task_in_words
from .wrong import require, require_form


def path_calls_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    require(claim["task"] != "gossip" or not claim["directed"], "two-way calls go along no arcs")
    rule = "In a round calls go along paths that share no link"
    if claim["ports"] is not None:
        rule += f", and a node takes part in at most {claim['ports']}"
    way = "two-way" if claim["task"] == "gossip" else "one-way"
    brings = "who is called learns all that its caller knew before the round"
    brings += ", and two-way also the caller" if claim["task"] == "gossip" else ""
    quantity = f"the least number of rounds of {way} calls along paths that {task_in_words(claim)}"
    return quantity, f"{rule}; {brings}."


def replay_path_calls(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its number of rounds."""
    held, goal = demand(claim, network.n)
    call_form = {"from?": int, "to?": int, "between?": [int, int], "path?": [int, ...]}
    require_form(schedule, {"rounds": [[call_form, ...], ...]})
    for number, calls in enumerate(schedule["rounds"], 1):
        used: set[Any] = set()
        busy: list[int] = []
        before = list(held)
        for call in calls:
            ends = set(call) - {"path"}
            one_way = ends == {"from", "to"}
            require(one_way or (ends == {"between"} and not network.directed), f"{call} is no call")
            u, v = (call["from"], call["to"]) if one_way else call["between"]
            path = call.get("path") or (only_path(network, u, v))
            right = (path[0], path[-1]) == (u, v) and len(set(path)) == len(path) > 1
            require(right, f"round {number}: {path} is no path from {u} to {v}")
            for x, y in zip(path, path[1:]):
                link = (x, y) if network.directed else frozenset((x, y))
                require((x, y) in network.bandwidth, f"round {number}: there is no link {x} {y}")
                require(link not in used, f"round {number}: the link {x} {y} is used twice")
                used.add(link)
            busy += [u, v]
            held[v] = held[v] | before[u]
            if not one_way:
                held[u] = held[u] | before[v]
        most = max(map(busy.count, busy), default=0)
        require(claim["ports"] is None or most <= claim["ports"], f"round {number}: too few ports")
    for v, items in enumerate(goal):
        require(items <= held[v], f"after the last round node {v} does not know all that it should")
    return len(schedule["rounds"])


def only_path(network: Network, u: int, v: int) -> list[int]:
    """Return the link from u to v, or in a tree the path from u to v."""
    paths = [[u]]
    tree = not network.directed and len(network.edges) == network.n - 1
    for path in paths if tree and (u, v) not in network.bandwidth else ():
        if path[-1] == v:
            return path
        paths += [[*path, w] for w in network.heads[path[-1]] if w not in path]
    return [u, v]
