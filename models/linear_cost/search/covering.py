"""The covering program of a prefix of call graphs.

How much of each call graph every round should have for no cut to be too small.

The variables are how much a call graph is used in a round: in the rounds of the prefix its call graphs only,
after it all, in fractions. Their sum is the cost. A row for every cut (`claims.call_graph_tree`): the arcs
that cross it carry 1 at least. The rows are found by maximum flows in the network of the nodes after every
round. What a variable does to a row depends on its call graph and its round only, so one program serves all
prefixes.

Cuts with multipliers in whole numbers are the proofs: of a bound for a prefix, and of others for which they
prove it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from schedsolve.backends.growing_lp import GrowingLp
from schedsolve.backends.lp import solve_lp
from schedsolve.modelkit.formulas.linear_program import LinearProgram

from ..bounds import others, small_cuts
from ..claims.call_graph_tree import Arc, CallGraph, Cut, Prefix, Setting

MOST_ROWS = 120
"""Rows beyond which those that were not needed lately are forgotten."""


SIMPLEST = 2520
"""Denominators of multipliers that are tried first."""
LARGEST_WHOLE = 1 << 40
MOST_REMEMBERED = 1500


@dataclass(frozen=True)
class Cover:
    """The optimum of a covering program, in floats, and the cuts that prove it with their multipliers."""

    value: float
    weights: Sequence[tuple[Cut, float]]


@dataclass
class Coverings:
    """Solves the covering programs of one setting, and remembers the cuts."""

    setting: Setting
    cuts: dict[Cut, int] = field(default_factory=dict)
    lately: dict[Cut, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.everybody = (1 << self.setting.network.node_count) - 1
        self.targets = others(self.setting)
        self._begin()

    def _begin(self) -> None:
        """Begin a program again, with the cuts that were needed lately."""
        self.program = GrowingLp()
        self.columns: dict[tuple[int, CallGraph], int] = {}
        self.used: set[int] = set()
        self.cuts = {}
        for cut in list(self.lately)[-MOST_ROWS // 2 :]:
            self._add(cut)
        self.lately = dict.fromkeys(self.cuts)

    def _column(self, t: int, graph: CallGraph) -> int:
        if (t, graph) not in self.columns:
            self.columns[t, graph] = x = self.program.variable(1)
            self.used.add(x)
            for cut, row in self.cuts.items():
                count = _crossing(graph, t, cut)
                if count:
                    self.program.enter(row, x, count)
        return self.columns[t, graph]

    def _add(self, cut: Cut) -> None:
        counts = {x: _crossing(graph, t, cut) for (t, graph), x in self.columns.items()}
        self.cuts[cut] = self.program.row({x: n for x, n in counts.items() if n}, ">=", 1)

    def cover(self, prefix: Prefix, enough: float) -> Cover:
        """Return the optimum for a prefix, or a lower bound of at least `enough` on it."""
        if len(self.cuts) > MOST_ROWS:
            self._begin()
        free = self.setting.call_graphs(self.everybody)
        wanted = {}
        for t in range(1, self.setting.rounds + 1):
            graphs = [prefix.call_graphs[t - 1]] if t <= len(prefix.call_graphs) else free
            for graph in graphs:
                wanted[self._column(t, graph)] = (t, graph)
        for x in self.used ^ wanted.keys():
            self.program.use(x, x in wanted)
        self.used = set(wanted)
        while True:
            value = self.program.solve()
            if value is None:
                # Some row has no call graph at all that crosses it.
                return Cover(float(self.setting.rounds), self._closed_cut(wanted))
            fresh = self._small_cuts(wanted, self.program.values()) if value < enough else []
            if not fresh:
                multipliers = self.program.duals()
                weights = [
                    (cut, multipliers[row]) for cut, row in self.cuts.items() if multipliers[row] > 1e-9
                ]
                for cut, _ in weights:
                    self.lately.pop(cut, None)
                    self.lately[cut] = None
                return Cover(value, weights)
            for cut in fresh:
                self._add(cut)
                self.lately[cut] = None

    def _small_cuts(self, wanted: Mapping[int, tuple[int, CallGraph]], values: Sequence[float]) -> list[Cut]:
        """Cuts, not rows yet, that call graphs of these amounts do not cover."""
        flow: dict[tuple[int, Arc], float] = {}
        for x, (t, graph) in wanted.items():
            if values[x] > 1e-12:
                for arc in graph:
                    flow[t, arc] = flow.get((t, arc), 0.0) + values[x]
        return [cut for cut in small_cuts(self.setting, flow, self.targets) if cut not in self.cuts]

    def _closed_cut(self, wanted: Mapping[int, tuple[int, CallGraph]]) -> list[tuple[Cut, float]]:
        return [
            (cut, float(self.setting.rounds))
            for cut in self.cuts
            if not any(_crossing(graph, t, cut) for t, graph in wanted.values())
        ][:1]


def _crossing(graph: CallGraph, t: int, cut: Cut) -> int:
    """How many arcs of a round's call graph cross a cut."""
    return sum(cut[u] < t < cut[v] for u, v in graph)


@dataclass(frozen=True)
class Proof:
    """Cuts with multipliers that are multiples of 1/scale.

    `loads[t - 1]` says for every arc the sum of the multipliers of the cuts that it crosses in round t.
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
        """Return the cuts and their multipliers, as fractions."""
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
        """Return the numbers of a call graph's arcs."""
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
        """Return a proof of at least so much near the multipliers; None when there is none."""
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
        """Return the best multipliers of these cuts, from an exact solution."""
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
        """Return what a proof proves for a prefix: its multipliers together, by the greatest load above 1."""
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
        """Return a proof made before that proves at least so much for this prefix too."""
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
