"""The exact optimum of a small network: all sequences of call graphs, best bound first.

A node of the tree is a prefix of call graphs. Its bound is the value of its covering program (`covering`);
a node whose bound is not below the cheapest schedule known is left, with the cuts and multipliers that prove
it. A prefix of all rounds is a set of given call graphs: its cheapest packing of arborescences is found
exactly (`leaf_packing`), a schedule and, by prices, a bound. Before the search a few prefixes of the least
bounds are followed to the end, for a cheap schedule soon.
"""

from __future__ import annotations

import heapq
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Schedule

from ..claims.call_graph_tree import (
    MOST_NODES,
    Cut,
    Prefix,
    Setting,
    TooManyCallGraphsError,
    cuts_bound,
    prices_bound,
)
from ..constructions.protocol import Protocol
from .covering import Cover, Coverings, Proof, Proofs
from .leaf_packing import LeafPacking, pack, protocol_of

MARGIN = 1e-7
DIVES = (1, 4)
"""How many prefixes are kept for every number of rounds, in the dives before the search."""
ROUGH = 10**6

Found = Bound | tuple[Problem, Schedule] | None


@dataclass
class Node:
    """A prefix and what bounds it.

    Cuts with multipliers in floats, or what is proven: cuts with multipliers in fractions, or the prices of a
    packing.

    Attributes
    ----------
    continuations
        None while it is a leaf.
    """

    prefix: Prefix
    cover: Cover
    proof: Proof | None = None
    packing: LeafPacking | None = None
    continuations: list[Node] | None = None


@dataclass
class Branching:
    """The search.

    Attributes
    ----------
    upper
        The cost of the cheapest schedule known, to be undercut.
    """

    setting: Setting
    upper: Fraction
    finished: bool = False
    nodes: int = 0
    _open: list[tuple[float, int, int, Node]] = field(default_factory=list)
    _stuck: list[Node] = field(default_factory=list)
    _count: Iterator[int] = field(default_factory=count)

    def run(self, end: float) -> Iterator[Protocol | None]:
        """Search until it is finished or the processor clock says `end`.

        Gives cheaper protocols, whose nodes are the network's, and None now and then.

        Raises
        ------
        TooManyCallGraphsError
        """
        self._coverings, self._proofs = Coverings(self.setting), Proofs(self.setting)
        self.root = self._node(self.setting.root)
        self._consider(self.root)
        for width in DIVES if self._open else ():
            yield from self._dive(width, end)
        while self._open and time.process_time() < end:
            found = self._expand(heapq.heappop(self._open)[-1], end)
            yield found
        self.finished = not self._open and not self._stuck

    def _dive(self, width: int, end: float) -> Iterator[Protocol | None]:
        """Towards a schedule at once: round after round keep so many prefixes, those of the least bounds."""
        level = [self.root.prefix]
        for _ in range(self.setting.rounds):
            found: list[tuple[float, int, Prefix]] = []
            for prefix in (following for kept in level for following in self.setting.continuations(kept)):
                if time.process_time() > end:
                    return
                value = self._coverings.cover(prefix, float(self.upper)).value
                if value < self.upper - MARGIN:
                    found.append((round(value, 6), len(found), prefix))
                yield None
            level = [prefix for _, _, prefix in sorted(found, key=lambda entry: entry[:2])[:width]]
        for prefix in level:
            packing = pack(self.setting, prefix, end)
            yield None if packing is None else self._cheaper(packing)

    def _cheaper(self, packing: LeafPacking) -> Protocol | None:
        """Return the protocol of a packing that costs less than what was known."""
        if packing.cost >= self.upper:
            return None
        self.upper = packing.cost
        return protocol_of(packing.weights, self.setting.rounds)

    def _node(self, prefix: Prefix) -> Node:
        self.nodes += 1
        proof = self._proofs.known(prefix, self.upper)
        if proof is not None:
            return Node(prefix, Cover(float(self.upper), ()), proof)
        return Node(prefix, self._coverings.cover(prefix, float(self.upper) + MARGIN))

    def _prove(self, node: Node) -> None:
        """Look for a proof that a node is not below the cheapest schedule, when its cover says so."""
        if node.proof is None and node.cover.value >= self.upper - MARGIN:
            node.proof = self._proofs.of_floats(node.prefix, node.cover.weights, self.upper)

    def _consider(self, node: Node) -> None:
        """Leave a node that is proven not to be below, or put it among the open ones."""
        self._prove(node)
        if node.proof is None:
            heapq.heappush(
                self._open,
                (round(node.cover.value, 6), -len(node.prefix.call_graphs), next(self._count), node),
            )

    def _expand(self, node: Node, end: float) -> Protocol | None:
        """Consider the continuations of an open node; a cheaper protocol where it has all rounds."""
        self._prove(node)
        if node.proof is not None:
            return None
        if len(node.prefix.call_graphs) == self.setting.rounds:
            return self._pack(node, end)
        node.continuations = [self._node(prefix) for prefix in self.setting.continuations(node.prefix)]
        for child in node.continuations:
            self._consider(child)
        return None

    def _pack(self, node: Node, end: float) -> Protocol | None:
        packing = pack(self.setting, node.prefix, end)
        node.packing = packing
        if packing is None:
            self._stuck.append(node)
            return None
        if not self._proves(node, min(self.upper, packing.cost)):
            self._stuck.append(node)
        return self._cheaper(packing)

    def _proves(self, node: Node, least: Fraction) -> bool:
        assert node.packing is not None
        return prices_bound(self.setting, node.prefix, node.packing.prices) >= least

    def evidence(self) -> tuple[Fraction, dict[str, Any]]:
        """Return what is proven so far: a lower bound, with the tree that proves it to a checker."""
        numbers: dict[Cut, int] = {}
        proofs: dict[str, int] = {}
        bounds: list[Fraction] = []

        def written(node: Node) -> Any:
            if node.continuations is not None:
                return [written(child) for child in node.continuations]
            if node.packing is not None:
                bounds.append(prices_bound(self.setting, node.prefix, node.packing.prices))
                return {"prices": [[*arc, str(price)] for arc, price in sorted(node.packing.prices.items())]}
            weighted = (
                node.proof.weighted()
                if node.proof
                else [(cut, Fraction(int(w * ROUGH), ROUGH)) for cut, w in node.cover.weights]
            )
            bounds.append(
                self._proofs.bound(node.proof, node.prefix)
                if node.proof
                else cuts_bound(self.setting, node.prefix, weighted)
            )
            proof = json.dumps([[numbers.setdefault(cut, len(numbers)), str(w)] for cut, w in weighted])
            return proofs.setdefault(proof, len(proofs))

        tree = written(self.root)
        data = {
            "kind": "call graphs",
            "cuts": [list(cut) for cut in numbers],
            "proofs": [json.loads(proof) for proof in proofs],
            "tree": tree,
        }
        return min(bounds), data


def no_enumeration(problem: Problem) -> str | None:
    """Why the call graphs are not gone through; None when they are."""
    nodes = problem.network.node_count
    if not 2 <= nodes <= MOST_NODES:
        return f"call graphs are enumerated for 2 to {MOST_NODES} nodes"
    try:
        Setting.of(problem).call_graphs((1 << nodes) - 1)
    except TooManyCallGraphsError as error:
        return str(error)
    return None


def branching(problem: Problem, upper: Fraction | None, seconds: float) -> Iterator[Found]:
    """Search a small network exactly: yield cheaper schedules than `upper`, and in the end the proven bound.

    Parameters
    ----------
    problem
        The problem.
    upper
        The best value known, or None.
    seconds
        How much time is left.
    """
    if no_enumeration(problem) is not None:
        return
    setting = Setting.of(problem)
    search = Branching(setting, Fraction(setting.rounds + 1) if upper is None else upper)
    for protocol in search.run(time.process_time() + seconds):
        yield None if protocol is None else (problem, protocol.schedule(lambda x: x))
    lower, evidence = search.evidence()
    yield Bound("lower", lower, f"search of all call graphs, {search.nodes} prefixes", evidence, by="search")
