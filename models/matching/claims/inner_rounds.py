"""One-way gossip by its inner rounds: what its first two rounds and its last two leave to be done.

Premise. Let p = ceil(n/2), and let there be a gossip in M >= 4 rounds. At most floor(n/2) nodes call in
round 1, and at most as many are called in round M. So let O be any p nodes that do not call in round 1, and
D any p nodes that are not called in round M. After round 1 the item of o in O is known to o alone, and
rounds 2 to M - 1 bring the items of O to all of D: nobody of D learns anything in round M. Only these items
are looked at, as in Theorem 7 of docs/theorems.md.

1. In round 2 a node of O takes part in at most one call. Where o of O calls o' of O, drop the item of o.
   What is left of O are items that are each at few places, and these places are disjoint:
   - o calls a node outside O: the item of o is at both, a *pair*;
   - o calls o': the item of o' is at o' alone, and o is a place of no other item: *merged*;
   - else the item of o is at o alone.

   Nobody else knows any of these items. The merged count twice, as they stand for two nodes of O, and all
   together count p.
2. Backwards it is the same: where d' of D calls d of D in round M - 1, leave d out. Then every node of D
   that is left has places that together know all before round M - 1: itself and the node outside D that
   calls it; d' alone; or itself alone. The places are disjoint, and count p in the same way on the network
   with its arcs reversed.
3. So M - 4 rounds bring the items that are left from their places to the places of the nodes of D that are
   left, to one of each at least. That is all the formula asks for.
4. Of all choices of O and D and calls of rounds 2 to M - 1 that bring the items of O to D, where each node
   of O knows its own item at first and nobody another of them, take one with the fewest nodes of O and D
   whose place is itself alone. Let o be one of these, with an arc to v. If v were no place of an item, or
   alone likewise, let o call v in round 2 in place of what the two did in it. They did not call or were
   called by nodes of O, and o called nobody outside: so what is dropped comes from nodes outside O, which
   know nothing. Nobody knows less then, and fewer are alone. So v is of a pair or merged. The same holds
   backwards.
   The places count p as before.
5. Automorphisms make such choices of them, and so does running them backwards on an undirected network.
   Take one whose places of items are lexicographically largest, as a vector that says which nodes are the
   second of a merged place, and then which links are pairs. So it is at least its images, also those of
   who has to know all.
6. Prices (`.prices_outer`) may exclude numbers of calls of round 2 within O and of round M - 1 within D.
   These are the numbers of merged ones. The proof by prices looks at O, D and the rounds 2 to M - 1 alone.

That the places count p is said by nodes: let c places be merged, b nodes be alone and a links be pairs, so
that a + 2c + b = p. Then n - 2a - 2c - b nodes are of no place, which is 2c + b - (2p - n).

Steps 1 to 5 are a theorem of Coq for this formula (theory/InnerRefutation.v, `inner_rounds_refuted`). Step 6,
and so a formula with excluded numbers, is proven on paper alone.

The premise holds of every network. The formula is not equivalent to "M rounds suffice": it does not say
which nodes call in round 1 and are called in round M.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import add_largest
from schedsolve.network.graph import Network

from .fewest_calls import allowed_refutation, not_just
from .formula import RoundsFormula, knowledge_by_calls
from .prices_outer import Outer

PREMISE = "inner rounds"
LEAST_ROUNDS = 4
Link = tuple[int, int]


@dataclass(frozen=True)
class Places:
    """The variables that say where items are after the second round, or, backwards, who has to know all.

    Attributes
    ----------
    pairs
        For two neighbours, the smaller first, that an item is at both.
    merged
        For every arc, that an item is at its second node, and its first node is the place of none.
    alone
        For every node, that an item is there alone.
    seconds
        For every node, that it is the second node of one that is merged.
    """

    pairs: Mapping[Link, int]
    merged: Mapping[Link, int]
    alone: Sequence[int]
    seconds: Sequence[int]

    @property
    def compared(self) -> list[int]:
        """The vector that is compared with its images."""
        return [*self.seconds, *self.pairs.values()]

    def image_compared(self, image: Sequence[int]) -> list[int]:
        """Return the variables of that vector's image under an automorphism."""
        pairs = [self.pairs[min(image[u], image[v]), max(image[u], image[v])] for u, v in self.pairs]
        return [*(self.seconds[v] for v in image), *pairs]


@dataclass(frozen=True)
class InnerRoundsFormula(RoundsFormula):
    """The formula over the rounds between; an item has the number of a node that knows it at first.

    Attributes
    ----------
    starts
        Where the items are.
    ends
        Who has to know all, on the network with its arcs reversed.
    """

    starts: Places = field(kw_only=True)
    ends: Places = field(kw_only=True)


def inner_rounds_formula(
    network: Network,
    rounds: int,
    images: Sequence[Sequence[int]] = (),
    excluded: Collection[Outer] = (),
) -> InnerRoundsFormula:
    """Return a formula that has a model if `rounds` >= 4 rounds suffice for a one-way gossip.

    - The calls of the rounds between and who holds what are as in `gossip_formula`.
    - The places of items count p, merged ones twice, and so do those of the nodes that have to know all. A
      node is of at most one of them. From one that is alone every arc leads to one of a pair or merged.
    - Before these rounds a node holds only the item of a place that it is of. The item of a pair has the
      number of the smaller node.
    - After them, of the places of each who has to know all, one holds the item, for every item.
    - The second nodes of the merged ones and then the pairs are lexicographically at least their image under
      each automorphism, and on an undirected network at least that of the places of those who have to know
      all.
    - The numbers of merged ones at the two ends are none of the excluded pairs.

    images: automorphisms, as the image of each node. excluded: pairs, as `.prices_outer` proves them. Raises
    ClaimError for an image that is no automorphism.
    """
    n = network.node_count
    between = RoundsFormula(Cnf(), network, network.arcs, rounds - 4, n)
    knowledge_by_calls(between, two_way=False)
    cnf = between.cnf
    starts, ends = _places(cnf, network), _places(cnf, network.reversed())
    f = InnerRoundsFormula(cnf, network, network.arcs, rounds - 4, n, starts=starts, ends=ends)
    _exclude(f, excluded)
    _begin_at_places(f)
    _end_at_places(f)
    add_largest(cnf, network, images, starts.compared, starts.image_compared, ends.image_compared)
    return f


def _places(cnf: Cnf, network: Network) -> Places:
    """Add places that count p, and return their variables."""
    nodes = range(network.node_count)
    pairs = {link: cnf.new() for link in sorted({(min(arc), max(arc)) for arc in network.arcs})}
    merged = {arc: cnf.new() for arc in network.arcs}
    alone, seconds, idle = ([cnf.new() for _ in nodes] for _ in range(3))
    taken = [[x for link, x in (*pairs.items(), *merged.items()) if v in link] for v in nodes]
    for v in nodes:
        cnf.at_most_one([*taken[v], alone[v], idle[v]])
    for v in nodes:
        cnf.add(*taken[v], alone[v], idle[v])
        calling = [x for (_, second), x in merged.items() if second == v]
        cnf.add(-seconds[v], *calling)
        cnf.extend([seconds[v], -x] for x in calling)
    _count_half(cnf, alone, seconds, idle)
    cnf.extend([-alone[u], *taken[v]] for u, v in network.arcs)
    return Places(pairs, merged, alone, seconds)


def _count_half(cnf: Cnf, alone: Sequence[int], seconds: Sequence[int], idle: Sequence[int]) -> None:
    """Say that 2c + b is 2p - n more than the number of idle nodes, which are of no place.

    The counters go up to p, and no greater numbers come up: 2c + b nodes are not idle, so both together are
    at most n. Nor is 2c + b = 0 for an odd n: no node would be idle, and pairs alone are an even number of
    nodes.
    """
    half, odd = (len(idle) + 1) // 2, len(idle) % 2
    weight = cnf.counted([x for v, x in enumerate(alone) for x in (seconds[v], seconds[v], x)], half)
    for more, fewer in zip(weight[odd:], cnf.counted(idle, half - odd), strict=True):
        cnf.extend([[-more, fewer], [more, -fewer]])


def _begin_at_places(f: InnerRoundsFormula) -> None:
    nodes = range(f.network.node_count)
    for v, i in product(nodes, nodes):
        if v != i:
            pair = f.starts.pairs.get((i, v))
            f.cnf.add(-f.held(v, i, 0), *([] if pair is None else [pair]))


def _end_at_places(f: InnerRoundsFormula) -> None:
    """After the last round the places of each who has to know all hold every item that there is."""
    nodes = range(f.network.node_count)
    there = [f.cnf.new() for _ in nodes]
    items = [(u, x) for (u, _), x in f.starts.pairs.items()]
    items += [(v, x) for (_, v), x in f.starts.merged.items()]
    items += enumerate(f.starts.alone)
    f.cnf.extend([-x, there[i]] for i, x in items)
    knowing = [([u, v], x) for (u, v), x in f.ends.pairs.items()]
    knowing += [([v], x) for (_, v), x in f.ends.merged.items()]
    knowing += [([v], x) for v, x in enumerate(f.ends.alone)]
    for places, x in knowing:
        f.cnf.extend([-x, -there[i], *(f.held(v, i, f.rounds) for v in places)] for i in nodes)


def _exclude(f: InnerRoundsFormula, excluded: Collection[Outer]) -> None:
    """Forbid numbers of merged places that are excluded (step 6)."""
    if excluded:
        most = (f.network.node_count + 1) // 4
        calls = [f.starts.merged[arc] for arc in f.links], [f.ends.merged[arc[::-1]] for arc in f.links]
        inner = [f.cnf.counted(each, most + 1) for each in calls]
        for c, d in excluded:
            f.cnf.add(*not_just(inner[0], c), *not_just(inner[1], d))


def compared_variables(network: Network) -> int:
    """Return how many variables the formula compares for each automorphism."""
    return 2 * (network.node_count + len(network.arcs))


def inner_rounds_refuted(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return what a refutation with this premise must refute: the bound that it proves, and the formula.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds" and "symmetries" as in `refutation_formula`; "outer_calls", if given, as in `.prices_outer`.

    Raises
    ------
    ClaimError
        If the premise does not apply.
    """
    compared = compared_variables(problem.network)
    rounds, symmetries, excluded = allowed_refutation(problem, evidence, PREMISE, compared, LEAST_ROUNDS)
    formula = inner_rounds_formula(problem.network, rounds, symmetries, excluded)
    formula.cnf.names = formula.names
    return rounds + 1, formula.cnf
