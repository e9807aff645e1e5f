"""Cuts with multipliers as proofs: whether they prove a bound for a prefix, in whole numbers, and for which
other prefixes they prove it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from schedsolve.backends.lp import solve_lp
from schedsolve.formulas.linear_program import LinearProgram

from ..claims.call_graph_tree import Arc, CallGraph, Cut, Prefix, Setting

SIMPLEST = 2520
"""Denominators of multipliers that are tried first."""
LARGEST_WHOLE = 1 << 40
MOST_REMEMBERED = 1500


@dataclass(frozen=True)
class Proof:
    """Cuts with multipliers that are multiples of 1/scale; `loads[t - 1]`: by arc, how much of them it
    crosses in round t.
    """

    cuts: tuple[Cut, ...]
    multipliers: tuple[int, ...]
    scale: int
    loads: Any

    @property
    def total(self) -> int:
        """The sum of the multipliers."""
        return sum(self.multipliers)

    def weighted(self) -> list[tuple[Cut, Fraction]]:
        """The cuts and their multipliers, as fractions."""
        return [(cut, Fraction(w, self.scale)) for cut, w in zip(self.cuts, self.multipliers, strict=True)]


@dataclass
class Proofs:
    """Makes the proofs of one setting, and remembers the last ones."""

    setting: Setting
    _places: dict[CallGraph, list[int]] = field(default_factory=dict)
    _crossings: dict[Cut, Any] = field(default_factory=dict)
    _known: list[Proof] = field(default_factory=list)

    def __post_init__(self) -> None:
        import numpy as np

        self.arcs: list[Arc] = [a for a in self.setting.network.arcs if a[1] != self.setting.source]
        self.number = {arc: i for i, arc in enumerate(self.arcs)}
        self.free = self.setting.call_graphs((1 << self.setting.network.node_count) - 1)
        self.members: Any = np.zeros((len(self.free), len(self.arcs)), dtype=np.int64)
        for i, graph in enumerate(self.free):
            self.members[i, self.places(graph)] = 1
        rounds = self.setting.rounds
        self._loads: Any = np.zeros((MOST_REMEMBERED, rounds, len(self.arcs)))
        self._heaviest: Any = np.zeros((MOST_REMEMBERED, rounds))
        self._totals: Any = np.zeros(MOST_REMEMBERED)
        self._next = 0

    def places(self, graph: CallGraph) -> list[int]:
        """The numbers of a call graph's arcs."""
        if graph not in self._places:
            self._places[graph] = [self.number[arc] for arc in graph]
        return self._places[graph]

    def crossings(self, cut: Cut) -> Any:
        """By round and arc, whether the arc crosses the cut: 0 or 1."""
        import numpy as np

        if cut not in self._crossings:
            when = np.array(cut)
            rounds = np.arange(1, self.setting.rounds + 1)[:, None]
            tails, heads = np.array(self.arcs).T
            crossing = (when[tails] < rounds) & (when[heads] > rounds)
            self._crossings[cut] = crossing.astype(np.int64)
        return self._crossings[cut]

    def of_floats(
        self, prefix: Prefix, weights: Sequence[tuple[Cut, float]], least: Fraction
    ) -> Proof | None:
        """A proof of at least so much near the multipliers; None when there is none."""
        near = [(cut, Fraction(w).limit_denominator(SIMPLEST)) for cut, w in weights]
        proof = self._whole([(cut, w) for cut, w in near if w])
        if proof is not None and self.bound(proof, prefix) >= least:
            return self._remember(proof)
        proof = self._whole([(cut, Fraction(round(w * 10**8), 10**8)) for cut, w in weights])
        if proof is not None and self.bound(proof, prefix) >= least:
            return self._remember(proof)
        proof = self._whole(self._exact(prefix, [cut for cut, _ in weights]))
        return self._remember(proof) if proof is not None and self.bound(proof, prefix) >= least else None

    def _whole(self, weighted: Sequence[tuple[Cut, Fraction]]) -> Proof | None:
        scale = lcm(*(w.denominator for _, w in weighted))
        whole = [int(w * scale) for _, w in weighted]
        if not whole or scale * sum(whole) * len(self.arcs) > 1 << 62 or max(whole) > LARGEST_WHOLE:
            return None
        loads = sum(w * self.crossings(cut) for (cut, _), w in zip(weighted, whole, strict=True))
        return Proof(tuple(cut for cut, _ in weighted), tuple(whole), scale, loads)

    def _exact(self, prefix: Prefix, cuts: Sequence[Cut]) -> list[tuple[Cut, Fraction]]:
        """The best multipliers of these cuts, from an exact solution."""
        program = LinearProgram()
        rows: list[dict[int, int]] = [{} for _ in cuts]
        for t in range(1, self.setting.rounds + 1):
            graphs = [prefix.call_graphs[t - 1]] if t <= len(prefix.call_graphs) else self.free
            for graph in graphs:
                x = program.variable(1, self.setting.rounds)
                for row, cut in zip(rows, cuts, strict=True):
                    row[x] = int(self.crossings(cut)[t - 1, self.places(graph)].sum())
        for row in rows:
            program.add(row, ">=", 1)
        solution = solve_lp(program)
        return [] if solution is None else [(cuts[i], w) for i, w in solution.multipliers.items()]

    def bound(self, proof: Proof, prefix: Prefix) -> Fraction:
        """What a proof proves for a prefix: its multipliers together, by the greatest load above 1."""
        greatest = proof.scale
        for t in range(self.setting.rounds):
            loads = proof.loads[t]
            if t < len(prefix.call_graphs):
                greatest = max(greatest, int(loads[self.places(prefix.call_graphs[t])].sum()))
            else:
                greatest = max(greatest, int((self.members @ loads).max()))
        return Fraction(proof.total, greatest)

    def _remember(self, proof: Proof) -> Proof:
        """Keep a proof, in place of the oldest when there are many."""
        place = len(self._known) if len(self._known) < MOST_REMEMBERED else self._next
        self._next = (place + 1) % MOST_REMEMBERED
        self._known[place : place + 1] = [proof]
        self._loads[place] = proof.loads / proof.scale
        self._heaviest[place] = (self._loads[place] @ self.members.T).max(axis=1)
        self._totals[place] = proof.total / proof.scale
        return proof

    def known(self, prefix: Prefix, least: Fraction) -> Proof | None:
        """A proof made before that proves at least so much for this prefix too."""
        import numpy as np

        count, given = len(self._known), len(prefix.call_graphs)
        if not count:
            return None
        greatest = np.ones(count)
        if given < self.setting.rounds:
            greatest = np.maximum(greatest, self._heaviest[:count, given:].max(axis=1))
        for t, graph in enumerate(prefix.call_graphs):
            greatest = np.maximum(greatest, self._loads[:count, t, self.places(graph)].sum(axis=1))
        values = self._totals[:count] / greatest
        best = int(values.argmax())
        if values[best] < float(least) - 1e-9:
            return None
        return self._known[best] if self.bound(self._known[best], prefix) >= least else None
