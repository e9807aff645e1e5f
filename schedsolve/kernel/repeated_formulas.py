"""The formulas for "so many rounds that repeat with period p suffice": each has a model if and
only if they do.
"""

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
    """With an edge colouring every link is called once in a period, whichever way."""
    for link in dict.fromkeys(map(frozenset, calls.links)) if claim.get("edge_colouring") else ():
        along = [a for a, way in enumerate(calls.links) if frozenset(way) == link]
        formula.at_most_one([calls(a, t) for a in along for t in range(1, calls.slots + 1)])


def repeated_gossip_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """The formula for one round less is built from the definition, and proof.lrat refutes it."""
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
    """The formula of a gossip in a tree. Behind an arc u -> v lie the nodes that the tree without
    this link keeps together with u. What u knows only grows; so all that lies behind u -> v is at v
    as soon as a call came after all of it was at u.

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
    """The formula for one round less is built from the definition, and proof.lrat refutes it."""
    require(claim["task"] == "gossip", "the formula is that of a gossip")
    rounds = int(claim["lower_bound"]) - 1
    formula, calls = tree_gossip_formula(claim, network, rounds)
    colour_links(formula, calls, claim)
    break_symmetries(formula, calls, network, claim["evidence"]["symmetries"])
    refute(formula, files)
    return rounds + 1


def repeated_message_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """A node calls only in the p rounds after it is informed; proof.lrat refutes one round less.

    Of a schedule with period p keep the first call that informs each node. The calls that a node
    keeps lie in different rounds of the period, so they are at most p with the one that informs it.
    Let every node make its calls one after another from the round after it is informed: nobody is
    informed later. The other way round, calls within p rounds of a node can be repeated.
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
