"""Collectives in steps, each of one or more rounds.

The compute nodes are the nodes that are not switches. The first shipment of a task consists of
chunks 0 to C - 1, the second of the next C chunks, and so on. An allgather has one shipment
from every compute node to all others; a broadcast one from the source to all others; a gather
one from every compute node to the root; a scatter one from the source to every compute node; an
alltoall one for every pair of compute nodes, in order.

A send takes chunks from a compute node that held them before the step, over one link or over a
path through switches, to a compute node that did not hold them and gets each only once. In a
step of r rounds a link of bandwidth b carries at most b r chunks.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from .network import Network
from .wrong import require, require_form


def steps_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    ends = f" of node {claim['sources'][0]}" if claim.get("sources") else ""
    chunks = f" of {claim['chunks']} chunks" if claim.get("chunks") else ""
    ordered = " of sums in the order of the nodes" if claim.get("ordered") else ""
    quantity = f"the least number of rounds per chunk of {claim['task']}{ends}{chunks}{ordered} in"
    rule = (
        "In a step of r rounds a link of bandwidth b carries at most b r chunks, and a node sends"
    )
    return f"{quantity} {claim['steps']} steps", f"{rule} what it had before the step."


def shipments(claim: dict[str, Any], network: Network) -> list[tuple[int, list[int]]]:
    """Return the origin of each shipment, and the other nodes that must get it."""
    nodes = [v for v in range(network.n) if v not in network.switches]
    task, ends = claim["task"], claim.get("sources", [])
    named = ("broadcast", "gather", "scatter") if ends else ("allgather", "alltoall")
    right = task in named and len(ends) < 2 and set(ends) <= set(nodes)
    require(right, f"{task} is no task that ships chunks, or a switch is at an end")
    if task in ("allgather", "broadcast"):
        return [(v, [w for w in nodes if w != v]) for v in ends or nodes]
    if task == "gather":
        return [(v, [w for w in ends if w != v]) for v in nodes]
    return [(v, [w] if w != v else []) for v in ends or nodes for w in nodes]


def replay_copies(claim: dict[str, Any], network: Network, schedule: Any) -> Fraction:
    """Check a schedule against the rules and the task, and return its rounds per chunk."""
    count = chunks_of(claim, schedule)
    wanted = shipments(claim, network)
    held: list[set[int]] = [set() for _ in range(network.n)]
    for number, (origin, _) in enumerate(wanted):
        held[origin].update(range(number * count, (number + 1) * count))
    for step, sends in enumerate(steps_of(claim, network, schedule), 1):
        arriving: list[tuple[int, int]] = []
        for u, v, chunk, adds in sends:
            require(not adds, f"step {step}: a send adds")
            require(chunk in held[u] and chunk not in held[v], f"step {step}: {u} {v} {chunk}")
            arriving.append((v, chunk))
        require(len(set(arriving)) == len(arriving), f"step {step}: a chunk arrives twice")
        for v, chunk in arriving:
            held[v].add(chunk)
    for number, (_, destinations) in enumerate(wanted):
        for v in destinations:
            chunks = set(range(number * count, (number + 1) * count))
            require(chunks <= held[v], f"in the end node {v} lacks a chunk of shipment {number}")
    return Fraction(sum(step["rounds"] for step in schedule["steps"]), count)


def chunks_of(claim: dict[str, Any], schedule: Any) -> int:
    """Return the number of chunks of a shipment."""
    send = {"from": int, "to": int, "chunks": [int, ...], "path?": [int, ...], "adds?": bool}
    steps = [{"rounds": int, "sends": [send, ...]}, ...]
    require_form(schedule, {"chunks?": int, "steps": steps})
    count = schedule.get("chunks", claim.get("chunks"))
    require(count, "the schedule does not say how many chunks there are")
    require(claim.get("chunks") in (None, count), "the schedule has another number of chunks")
    require(len(schedule["steps"]) == claim["steps"], "the schedule has another number of steps")
    return int(count)


def steps_of(claim: dict[str, Any], network: Network, schedule: Any) -> Any:
    """Yield the sends (sender, receiver, chunk, adds) of every step, checking the links' loads."""
    for number, step in enumerate(schedule["steps"], 1):
        sends: list[Any] = []
        load: Counter[Any] = Counter()
        require(step["rounds"], f"step {number} takes no round")
        for send in step["sends"]:
            u, v, through = send["from"], send["to"], send.get("path", [])
            way = [u, *through, v]
            right = network.switches.issuperset(through) and len(set(way)) == len(way)
            require(right and not network.switches & {u, v}, f"step {number}: {way} is no path")
            for link in zip(way, way[1:]):
                load[link] += len(send["chunks"])
            sends += [(u, v, chunk, send.get("adds", False)) for chunk in send["chunks"]]
        for link, count in load.items():
            most = network.bandwidth.get(link, 0) * step["rounds"]
            require(
                count <= most, f"step {number}: {link} carries {count} chunks, more than {most}"
            )
        yield sends
