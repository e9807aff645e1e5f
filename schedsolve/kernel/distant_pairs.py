"""Gossip by pairs of nodes: the items of some nodes are to reach some others in M rounds.

An item crosses one link per round. So a node at distance d from the item's own node does not
hold it before round d; and if r links lead from it to the nearest node that is to get the
item, it is of no use that it learns it after round M - r. Between the two it holds the item
only if it held it before, or was called by a node that did: and for the caller these rounds
begin and end at most one round earlier. So a gossip in M rounds fulfils the formula, whichever
the pairs are.
"""

from __future__ import annotations

from typing import Any

from .calls import Calls, callers_of, share_no_node
from .clauses import Formula
from .distances import distances
from .network import Network, turned_round
from .refutation import refute
from .wrong import require


def useful_rounds(network: Network, rounds: int, i: int, goals: list[int]) -> dict[int, range]:
    """Return after which rounds it matters whether a node holds item i, for each such node."""
    here, there = distances(network, [i]), distances(turned_round(network), goals)
    for j in goals:
        require(0 < here.get(j, 0) <= rounds, f"the distance from {i} to {j} is not in 1..{rounds}")
    both = sorted(v for v in here if v in there and v != i)
    matters = {v: range(here[v], rounds - there[v] + 1) for v in both}
    return {v: after for v, after in matters.items() if after}


def distant_pairs_formula(network: Network, two_way: bool, rounds: int, pairs: Any) -> Formula:
    """Return the formula for "the items of these pairs arrive within the rounds".

    - In every round every node takes part in at most one call.
    - A node that holds an item after a round held it before, or is called in the round by one that
      did, where it matters; the item's own node always did, another not before it matters.
    - After the last round node j holds item i, for each pair (i, j).
    """
    goals: dict[int, list[int]] = {}
    for i, j in pairs:
        nodes = all(type(v) is int and v in range(network.n) for v in (i, j))
        require(nodes and i != j, f"{i} {j} are not two nodes")
        goals.setdefault(i, []).append(j)
    calls = Calls(network.edges if two_way else network.arcs, rounds)
    formula = Formula(calls.count)
    share_no_node(formula, calls, network.n)
    calling = callers_of(calls, network.n, two_way)
    known: dict[tuple[int, int, int], int] = {}
    for i, reached in goals.items():
        matters = useful_rounds(network, rounds, i, reached)
        known.update({(i, v, t): formula.new() for v, after in matters.items() for t in after})
    for (i, v, t), now in known.items():
        held = [-now, *(known[key] for key in [(i, v, t - 1)] if key in known)]
        useful = []
        for a, u in calling[v]:
            if (i, u, t - 1) in known:
                formula.add(*held, -calls(a, t), known[i, u, t - 1])
            if u == i or (i, u, t - 1) in known:
                useful.append(calls(a, t))
        formula.add(*held, *useful)
    for i, j in pairs:
        formula.add(known[i, j, rounds])
    return formula


def distant_pairs_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which follows the items of pairs.

    In every gossip the items of the pairs of nodes in evidence.json arrive.
    On its way from a node to another an item crosses one link per round.
    """
    require(claim["task"] == "gossip", "the pairs are those of a gossip")
    rounds = int(claim["lower_bound"]) - 1
    pairs = claim["evidence"]["pairs"]
    refute(distant_pairs_formula(network, claim["two_way"], rounds, pairs), files)
    return rounds + 1
