"""Whether any number of rounds that repeat with period p suffices.

An item that reaches a node reaches it through at most n - 1 calls, each of which is repeated
within p rounds. So what p repeated rounds achieve at all they achieve within p (n - 1) rounds,
if and only if their calls lead from where an item is to every node where it is wanted.
"""

from __future__ import annotations

from typing import Any

from .calls import Calls, break_symmetries, share_no_node
from .clauses import Formula
from .message_formula import kept_nodes
from .network import Network
from .refutation import refute
from .repeated_formulas import colour_links
from .tasks import as_broadcast, targets_of


def connection_formula(claim: dict[str, Any], network: Network) -> tuple[Formula, Calls]:
    """Return the formula for "some number of rounds suffices", and its calls.

    - In every round of the period every node takes part in at most one call.
    - For a gossip, node 0 reaches every node along calls and, one-way, every node reaches node 0.
    - For one message, the sources (if open, some one node) reach every target along calls.
    """
    gossip, period = claim["task"] == "gossip", claim["period"]
    both_ways = gossip and claim["two_way"]
    calls = Calls(network.edges if both_ways else network.arcs, period, period)
    formula = Formula(calls.count)
    share_no_node(formula, calls, network.n)
    colour_links(formula, calls, claim)
    used = [formula.new() for _ in calls.links]
    for a, variable in enumerate(used):
        formula.add(-variable, *(calls(a, t) for t in range(1, period + 1)))
    there = [(u, v, used[a]) for a, (u, v) in enumerate(calls.links)]
    back = [(v, u, used[a]) for a, (u, v) in enumerate(calls.links)]
    ways = [there] if not gossip else [there + back] if both_ways else [there, back]
    starts = [0] if gossip else None if claim.get("open") else claim["sources"]
    for arcs in ways:
        reach(formula, network.n, arcs, starts, targets_of(claim, network.n))
    return formula, calls


def reach(formula: Formula, n: int, arcs: Any, starts: Any, targets: list[int]) -> None:
    """Require that arcs (tail, head, variable of use) lead from the starts to the targets.

    If `starts` is None, some one node is the start. A node that a step adds is the head of a used
    arc whose tail was reached before; n - 1 steps are enough.
    """
    reached = [formula.new() for _ in range(n)]
    if starts is None:
        formula.at_most_one(reached)
    else:
        for v, x in enumerate(reached):
            formula.add(x if v in starts else -x)
    for _ in range(n - 1):
        after = [formula.new() for _ in range(n)]
        through: list[list[int]] = [[] for _ in range(n)]
        for u, v, used in arcs:
            passed = formula.new()
            formula.add(-passed, used)
            formula.add(-passed, reached[u])
            through[v].append(passed)
        for v in range(n):
            formula.add(-after[v], reached[v], *through[v])
        reached = after
    for v in targets:
        formula.add(reached[v])


def impossible(claim: dict[str, Any], network: Network, files: dict[str, str]) -> float:
    """proof.lrat refutes the formula, built here, for "some number of rounds suffices"."""
    network = as_broadcast(claim, network)
    formula, calls = connection_formula(claim, network)
    kept = [] if claim["task"] == "gossip" else kept_nodes(claim, network.n)
    break_symmetries(formula, calls, network, claim["evidence"]["symmetries"], kept)
    refute(formula, files)
    return float("inf")
