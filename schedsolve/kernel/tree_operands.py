"""Products of consecutive operands, by messages between the leaves of a tree.

Leaf p holds operand p at first. A message brings a product of consecutive operands, which its
sender can form from what it holds by joining adjacent products. In the end of a product the root
must hold the product of all operands, and of a prefix leaf p that of operands 0 to p.
"""

from __future__ import annotations

from typing import Any

from .network import Network
from .tree_messages import messages_in_words, messages_of, processors_of
from .wrong import require


def operands_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    quantity, rules = messages_in_words(claim)
    wants = "the root has that of all"
    if claim["task"] == "prefix":
        wants = "every leaf p has that of the leaves 0 to p"
    return quantity, f"{rules} It brings a product of consecutive operands; in the end {wants}."


def replay_operands(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its time."""
    n = processors_of(network)
    messages, value = messages_of(claim, network, schedule)
    held = [{(p, p): 0} for p in range(n)]
    for start, arrival, u, v, (first, last) in messages:
        by_then = {run for run, time in held[u].items() if time <= start}
        require(joins(by_then, first, last), f"leaf {u} does not hold at {start} what it sends")
        held[v][first, last] = min(arrival, held[v].get((first, last), arrival))
    wanted = [(p, p) for p in range(n)]
    if claim["task"] == "product":
        wanted = [(claim["sources"][0], n - 1)]
    for p, last in wanted:
        require(joins(set(held[p]), 0, last), f"in the end leaf {p} does not hold what it should")
    return value


def joins(runs: set[tuple[int, int]], first: int, last: int) -> bool:
    """Return whether adjacent runs join to the run from the first to the last operand."""
    starts = [first]
    for start in starts:
        starts += [b + 1 for a, b in runs if a == start and b < last and b + 1 not in starts]
    return any((start, last) in runs for start in starts)
