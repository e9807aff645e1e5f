"""Chakra traces run literally, in orders drawn at random: every rank is given numbers, and a message carries
what its sender had at first and what the messages brought that it depends on. Nothing of the package.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

SEND = 5
ADDING = ("allreduce", "reduce", "reduce-scatter")
Values = dict[int, int]


def first(task: str, ranks: int, chunks: int, rank: int) -> Values:
    """What a rank has at first, by chunk: a number that no sum of others gives."""
    own = {
        "allgather": range(rank * chunks, (rank + 1) * chunks),
        "alltoall": range(rank * ranks * chunks, (rank + 1) * ranks * chunks),
        "reduce-scatter": range(ranks * chunks),
    }.get(task, range(chunks))
    return {chunk: 1000 ** (rank + 1) + chunk for chunk in own}


def wanted(task: str, ranks: int, chunks: int, rank: int) -> Values:
    """What it is to have at the end."""
    parts = {
        "allgather": range(ranks * chunks),
        "alltoall": [(r * ranks + rank) * chunks + k for r in range(ranks) for k in range(chunks)],
        "reduce-scatter": range(rank * chunks, (rank + 1) * chunks),
    }.get(task, range(chunks))
    held = [first(task, ranks, chunks, r) for r in range(ranks)]
    return {chunk: sum(one.get(chunk, 0) for one in held) for chunk in parts}


def is_right(traces: Sequence[Mapping[int, Any]], task: str, chunks: int, seed: int) -> bool:
    """Whether all nodes run, and every rank ends with what it is to have; traces: the nodes by number."""
    draw, ranks = random.Random(seed), len(traces)
    waiting = [(rank, number) for rank, nodes in enumerate(traces) for number in nodes]
    done: set[tuple[int, int]] = set()
    flying: dict[tuple[int, int, int], list[Values]] = {}
    came: dict[tuple[int, int], Values] = {}
    while waiting:
        draw.shuffle(waiting)
        for rank, number in waiting:
            node = traces[rank][number]
            if all((rank, other) in done for other in node.after):
                tag, size = node.values["comm_tag"], node.values["comm_size"]
                if node.kind == SEND:
                    held = _held(traces, came, task, chunks, rank, _before(traces[rank], number))
                    carried = {chunk: held.get(chunk, 0) for chunk in _chunks(node)} | {-1: size}
                    flying.setdefault((rank, node.values["comm_dst"], tag), []).append(carried)
                    break
                queue = flying.get((node.values["comm_src"], rank, tag))
                if queue:
                    came[rank, number] = queue.pop(0)
                    if came[rank, number].pop(-1) != size:
                        return False
                    break
        else:
            return False
        done.add((rank, number))
        waiting.remove((rank, number))
    ended = [_held(traces, came, task, chunks, rank, set(traces[rank])) for rank in range(ranks)]
    results = [wanted(task, ranks, chunks, rank) for rank in range(ranks)]
    return not any(flying.values()) and all(
        held.get(chunk) == value
        for held, own in zip(ended, results, strict=True)
        for chunk, value in own.items()
    )


def _before(nodes: Mapping[int, Any], number: int) -> set[int]:
    """All nodes of a rank that one depends on."""
    found: set[int] = set()
    left = [number]
    while left:
        new = set(nodes[left.pop()].after) - found
        found |= new
        left += new
    return found


def _held(
    traces: Sequence[Mapping[int, Any]],
    came: Mapping[tuple[int, int], Values],
    task: str,
    chunks: int,
    rank: int,
    numbers: set[int],
) -> Values:
    """What a rank has after some of its receives, in the order of their numbers."""
    held = first(task, len(traces), chunks, rank)
    for number in sorted(numbers):
        for chunk, value in came.get((rank, number), {}).items():
            adds = traces[rank][number].name.startswith("add")
            held[chunk] = held.get(chunk, 0) + value if adds else value
    return held


def _chunks(node: Any) -> list[int]:
    found: list[int] = []
    for part in re.split(",", node.name.split()[1]):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found
