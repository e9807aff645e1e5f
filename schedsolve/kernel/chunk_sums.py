"""Reductions in steps: the contributions that every sum contains.

Every compute node has one place for each chunk, which at first holds its own contribution. A
send brings the value that its sender had before the step; the receiver adds it to the value in
its place, or replaces that value. A value is a sum of contributions, each of them once. In the
end every node that wants a chunk has the sum of all: in a reduce the root, and in an allreduce
all compute nodes, want the chunks 0 to C - 1; in a reduce-scatter the i-th compute node wants
the i-th C chunks. An ordered sum is over consecutive nodes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .chunk_steps import chunks_of, steps_of
from .network import Network
from .wrong import require


def replay_sums(claim: dict[str, Any], network: Network, schedule: Any) -> Fraction:
    """Check a schedule against the rules and the task, and return its rounds per chunk."""
    count = chunks_of(claim, schedule)
    nodes = [v for v in range(network.n) if v not in network.switches]
    units = {"reduce": [claim.get("sources")], "allreduce": [nodes]}
    wanted: Any = {**units, "reduce-scatter": [[v] for v in nodes]}[claim["task"]]
    chunks = range(count * len(wanted))
    value = {(v, c): {rank} for rank, v in enumerate(nodes) for c in chunks}
    for step, sends in enumerate(steps_of(claim, network, schedule), 1):
        after: dict[Any, Any] = {}
        seen: set[Any] = set()
        for u, v, c, adds in sends:
            require((u, v, c) not in seen and c in chunks, f"step {step}: {u} {v} sends {c} twice")
            require(adds or (v, c) not in after, f"step {step}: what came to {v} of {c} is lost")
            seen.add((u, v, c))
            present = after.get((v, c), value[v, c]) if adds else set()
            total = present | value[u, c]
            require(len(total) == len(present) + len(value[u, c]), f"step {step}: {c} counts twice")
            run = max(total) - min(total) + 1 == len(total)
            require(run or not claim.get("ordered"), f"step {step}: {c} is added out of order")
            after[v, c] = total
        value.update(after)
    for number, ends in enumerate(wanted):
        for v in ends:
            for c in range(number * count, (number + 1) * count):
                require(len(value[v, c]) == len(nodes), f"in the end node {v} lacks a part of {c}")
    return Fraction(sum(step["rounds"] for step in schedule["steps"]), count)
