"""One-way gossip by origins and destinations.

Let S be the nodes that call in round 1 and R those called in the last of M >= 2 rounds. The
item of a node called in round 1 spreads from that node only, which by then also holds its
caller's item; so a node that learns the items of all nodes outside S learns those of S. And a
node called in the last round knows all if its caller did before, and the caller is not called
then. So M rounds suffice if and only if there are such S and R, and M - 2 rounds that bring the
items of all nodes outside S to all nodes outside R. Larger S and R demand less. Automorphisms
map gossips to gossips, and so does reversing time where links have no direction, which
exchanges S and R: of the pairs that these map to one another one is needed.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from .calls import is_automorphism, lexicographically_largest
from .clauses import Formula
from .gossip_formula import gossip_formula
from .network import Network, turned_round
from .refutation import refute
from .wrong import require


def sets_of_callers(network: Network) -> list[frozenset[int]]:
    """Return the maximal sets of nodes that can all call in one round."""
    found: list[frozenset[int]] = []
    for size in range(network.n // 2, -1, -1):
        for nodes in map(frozenset, combinations(range(network.n), size)):
            if not any(nodes < larger for larger in found) and can_call(network, nodes):
                found.append(nodes)
    return found


def can_call(network: Network, nodes: frozenset[int]) -> bool:
    """Return whether the nodes can call distinct nodes, none of them among these nodes."""

    def can(callers: list[int], free: frozenset[int]) -> bool:
        heads = free.intersection(network.heads[callers[0]] if callers else ())
        return not callers or any(can(callers[1:], free - {v}) for v in heads)

    return can(sorted(nodes), frozenset(range(network.n)) - nodes)


def pairs_of_sets(network: Network, images: Any) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return a pair (S, R) of every orbit under the automorphisms and exchange of S and R."""
    callers, called = sets_of_callers(network), sets_of_callers(turned_round(network))
    chosen, seen = [], set()
    for pair in product(callers, called):
        pending = [] if pair in seen else [pair]
        chosen += pending
        while pending:
            s, r = pending.pop()
            if (s, r) not in seen:
                seen.add((s, r))
                pending += [] if network.directed else [(r, s)]
                pending += [(moved(s, image), moved(r, image)) for image in images]
    return chosen


def moved(nodes: frozenset[int], image: list[int]) -> frozenset[int]:
    """Return the images of the nodes."""
    return frozenset(image[v] for v in nodes)


def origins_formula(network: Network, rounds: int, pairs: Any, keeping: Any) -> Formula:
    """Return the formula for "`rounds` rounds suffice", over all but the first and last round.

    - Calls and knowledge are as in a gossip, without its goal.
    - In the end every node outside R holds the item of every node outside S.
    - No node of S calls in the first of these rounds, and no node of R is called in the last.
    - Some S is chosen, which says of each node whether it is in S, and so is R; and of the pairs
      there is one with both.
    - Where (S, R) is chosen, the first of these rounds is lexicographically at least its image
      under each of the automorphisms `keeping` that keep S and R.
    """
    n, between = network.n, rounds - 2
    formula, calls, known = gossip_formula(network, False, between, goal=False)
    in_s, in_r = ([formula.new() for _ in range(n)] for _ in range(2))
    for v, i in product(range(n), range(n)):
        formula.add(known(v, i, between), in_r[v], in_s[i])
    if between > 0:
        for a, (u, v) in enumerate(calls.links):
            formula.add(-in_s[u], -calls(a, 1))
            formula.add(-in_r[v], -calls(a, between))
    s_chosen = {s: formula.new() for s in dict.fromkeys(s for s, _ in pairs)}
    r_chosen = {r: formula.new() for r in dict.fromkeys(r for _, r in pairs)}
    formula.add(*s_chosen.values())
    for chosen, member in ((s_chosen, in_s), (r_chosen, in_r)):
        for nodes, choice in chosen.items():
            for v in range(n):
                formula.add(-choice, member[v] if v in nodes else -member[v])
    for s, choice in s_chosen.items():
        formula.add(-choice, *(r_chosen[other] for one, other in pairs if one == s))
    for s, r in pairs if between > 0 else ():
        for image in keeping:
            if moved(s, image) == s and moved(r, image) == r:
                lexicographically_largest(formula, calls, image, s_chosen[s], r_chosen[r])
    return formula


def origins_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes the formula for one round less, by origins and destinations.

    Who is called in round 1 is heard of only with the item of its caller.
    Who is called in the last round knows all if its caller did before.
    """
    rounds = int(claim["lower_bound"]) - 1
    one_way = claim["task"] == "gossip" and not claim["two_way"]
    require(rounds >= 2 and one_way, "origins and destinations are for one-way gossips")
    images, keeping = claim["evidence"]["symmetries"], claim["evidence"]["keeping"]
    for image in images + keeping:
        require(is_automorphism(network, image), "a symmetry is no automorphism of the network")
    pairs = pairs_of_sets(network, images)
    refute(origins_formula(network, rounds, pairs, keeping), files)
    return rounds + 1
