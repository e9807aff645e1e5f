"""The formulas for "M rounds with period p suffice", satisfiable if and only if they do."""

from __future__ import annotations

from typing import Any

from .calls import Calls, break_symmetries, share_no_node
from .clauses import Formula
from .gossip_formula import gossip_formula
from .message_formula import kept_nodes, message_formula
from .network import Network
from .refutation import refute
from .tasks import as_broadcast
from .trees import require_tree
from .wrong import require


def colour_links(formula: Formula, calls: Calls, claim: dict[str, Any]) -> None:
    """Require, for an edge coloring, at most one call of each link per period, either way."""
    for link in dict.fromkeys(map(frozenset, calls.links)) if claim.get("edge_colouring") else ():
        along = [a for a, way in enumerate(calls.links) if frozenset(way) == link]
        formula.at_most_one([calls(a, t) for a in along for t in range(1, calls.slots + 1)])


def repeated_gossip_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which is built from the definition."""
    require(claim["task"] == "gossip", "the formula is that of a gossip")
    rounds = int(claim["lower_bound"]) - 1
    formula, calls, _ = gossip_formula(network, claim["two_way"], rounds, claim["period"])
    colour_links(formula, calls, claim)
    break_symmetries(formula, calls, network, claim["evidence"]["symmetries"])
    refute(formula, files)
    return rounds + 1


def tree_gossip_formula(
    claim: dict[str, Any], network: Network, rounds: int
) -> tuple[Formula, Calls]:
    """Return the formula of a gossip in a tree, and its calls.

    Behind an arc u -> v lie the nodes on the side of u in the tree without this link. What u knows
    only grows; so v knows all that lies behind u -> v once it is called after u knew all of it.

    - In every round every node takes part in at most one call.
    - Before round 1 no head knows all behind its arc; after the last round every head does.
    - A head that knows it after a round knew it before, or is called along the arc in the round.
    - A head that knows it after a round knew it before, or the tail knew before the round what lies
      behind it on each of its other arcs.
    """
    require_tree(network)
    arcs = network.arcs
    calls = Calls(network.edges if claim["two_way"] else arcs, rounds, claim["period"])
    formula = Formula(calls.count + (rounds + 1) * len(arcs))
    share_no_node(formula, calls, network.n)
    place = {arc: calls.count + a + 1 for a, arc in enumerate(arcs)}
    link = {way: a for a, (u, v) in enumerate(calls.links) for way in {(u, v), (v, u)}}
    link.update({way: a for a, way in enumerate(calls.links)})
    for u, v in arcs:
        behind = [place[w, u] for w in network.heads[u] if w != v]
        formula.add(-place[u, v])
        for t in range(1, rounds + 1):
            before, after = ((place[u, v] + s * len(arcs)) for s in (t - 1, t))
            formula.add(-after, before, calls(link[u, v], t))
            for other in behind:
                formula.add(-after, before, other + (t - 1) * len(arcs))
        formula.add(place[u, v] + rounds * len(arcs))
    return formula, calls


def repeated_tree_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, which is built from the definition."""
    require(claim["task"] == "gossip", "the formula is that of a gossip")
    rounds = int(claim["lower_bound"]) - 1
    formula, calls = tree_gossip_formula(claim, network, rounds)
    colour_links(formula, calls, claim)
    break_symmetries(formula, calls, network, claim["evidence"]["symmetries"])
    refute(formula, files)
    return rounds + 1


def repeated_message_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes one round less, with calls only in the p rounds after being informed.

    Of a schedule with period p keep the first call that informs each node. The calls that a node
    keeps lie in distinct rounds of the period, so there are at most p, with the one that informs
    it. Let every node make its calls one after another from the round after it is informed: no node
    is informed later. Conversely, calls within p rounds of a node can be repeated.
    """
    rounds, period = int(claim["lower_bound"]) - 1, claim["period"]
    network = as_broadcast(claim, network)
    formula, calls, known = message_formula(claim, network, rounds)
    for t in range(period + 1, rounds + 1):
        for a, (u, _) in enumerate(network.arcs):
            formula.add(-calls(a, t), -known(u, 0, t - period))
    break_symmetries(
        formula, calls, network, claim["evidence"]["symmetries"], kept_nodes(claim, network.n)
    )
    refute(formula, files)
    return rounds + 1
