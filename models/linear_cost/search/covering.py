"""The covering programme of a prefix of call graphs: how much of each call graph every round should have for
no cut to be too small.

The variables are how much a call graph is used in a round: in the rounds of the prefix its call graphs only,
after it all, in fractions. Their sum is the cost. A row for every cut (`claims.call_graph_tree`): the arcs
that cross it carry 1 at least. The rows are found by maximum flows in the network of the nodes after every
round. What a variable does to a row depends on its call graph and its round only, so one programme serves all
prefixes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schedsolve.backends.lp import CoveringLp
from schedsolve.backends.max_flow import minimum_cut

from ..claims.call_graph_tree import Arc, CallGraph, Cut, Prefix, Setting

UNIT = 10**8
"""The flow of 1 while costs are floats."""
UNLIMITED = 1 << 50
FLOAT_ERROR = 1e-7
MOST_ROWS = 120
"""Rows beyond which those that were not needed lately are forgotten."""


@dataclass(frozen=True)
class Cover:
    """The optimum of a covering programme, in floats: its value, and the cuts that prove it with their
    multipliers.
    """

    value: float
    weights: Sequence[tuple[Cut, float]]


@dataclass
class Coverings:
    """Solves the covering programmes of one setting, and remembers the cuts."""

    setting: Setting
    cuts: dict[Cut, int] = field(default_factory=dict)
    lately: dict[Cut, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.everybody = (1 << self.setting.network.node_count) - 1
        self.flows = Flows(self.setting)
        self._begin()

    def _begin(self) -> None:
        """A programme anew, with the cuts that were needed lately."""
        self.program = CoveringLp()
        self.columns: dict[tuple[int, CallGraph], int] = {}
        self.used: set[int] = set()
        self.cuts = {}
        for cut in list(self.lately)[-MOST_ROWS // 2 :]:
            self._add(cut)
        self.lately = dict.fromkeys(self.cuts)

    def _column(self, t: int, graph: CallGraph) -> int:
        if (t, graph) not in self.columns:
            self.columns[t, graph] = x = self.program.variable(1.0)
            self.used.add(x)
            for cut, row in self.cuts.items():
                count = _crossing(graph, t, cut)
                if count:
                    self.program.extend(row, x, count)
        return self.columns[t, graph]

    def _add(self, cut: Cut) -> None:
        counts = {x: _crossing(graph, t, cut) for (t, graph), x in self.columns.items()}
        self.cuts[cut] = self.program.row({x: count for x, count in counts.items() if count})

    def cover(self, prefix: Prefix, enough: float) -> Cover:
        """The optimum for a prefix, or a lower bound of at least `enough` on it."""
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
            solution = self.program.solve()
            if solution is None:
                # Some row has no call graph at all that crosses it.
                return Cover(float(self.setting.rounds), self._closed_cut(wanted))
            value, values, multipliers = solution
            fresh = self._small_cuts(wanted, values) if value < enough else []
            if not fresh:
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
        return [cut for cut in self.flows.small_cuts(flow) if cut not in self.cuts]

    def _closed_cut(self, wanted: Mapping[int, tuple[int, CallGraph]]) -> list[tuple[Cut, float]]:
        return [
            (cut, float(self.setting.rounds))
            for cut in self.cuts
            if not any(_crossing(graph, t, cut) for t, graph in wanted.values())
        ][:1]


def _crossing(graph: CallGraph, t: int, cut: Cut) -> int:
    """How many arcs of a round's call graph cross a cut."""
    return sum(cut[u] < t < cut[v] for u, v in graph)


class Flows:
    """Maximum flows in the network of the nodes after every round; node v after round t has the number t N +
    v.

    targets: the nodes to which flows are looked for; all but the source when not given.
    """

    def __init__(self, setting: Setting, targets: Sequence[int] | None = None) -> None:
        import numpy as np

        others = [v for v in range(setting.network.node_count) if v != setting.source]
        self.targets = others if targets is None else targets
        self.n, self.rounds, self.source = setting.network.node_count, setting.rounds, setting.source
        useful = [a for a in setting.network.arcs if a[1] != setting.source]
        arcs = [
            ((t - 1) * self.n + v, t * self.n + v) for t in range(1, self.rounds + 1) for v in range(self.n)
        ]
        memory = len(arcs)
        self.place: dict[tuple[int, Arc], int] = {}
        for t in range(1, self.rounds + 1):
            for u, v in useful:
                self.place[t, (u, v)] = len(arcs)
                arcs.append(((t - 1) * self.n + u, t * self.n + v))
        self.tails, self.heads = np.array(arcs, dtype=np.int64).reshape(-1, 2).T.copy()
        self.empty: Any = np.zeros(len(arcs), dtype=np.int64)
        self.empty[:memory] = UNLIMITED

    def static_cuts(self, flow: Mapping[tuple[int, Arc], float]) -> list[Cut]:
        """The same for the steady state, in the network itself: 0 at the nodes of the source's side, 1 at the
        others.
        """
        import numpy as np

        arcs = np.array([arc for _, arc in flow], dtype=np.int64).reshape(-1, 2)
        capacities = np.array([round(amount * UNIT) for amount in flow.values()], dtype=np.int64)
        found: dict[Cut, None] = {}
        for v in self.targets:
            size, near = minimum_cut(arcs[:, 0].copy(), arcs[:, 1].copy(), capacities, self.source, v)
            if size < UNIT * (1 - FLOAT_ERROR):
                found[tuple(0 if x in near else 1 for x in range(self.n))] = None
        return list(found)

    def small_cuts(self, flow: Mapping[tuple[int, Arc], float]) -> list[Cut]:
        """Cuts that carry less than 1, one for a node at most."""
        capacities = self.empty.copy()
        for at, amount in flow.items():
            capacities[self.place[at]] = round(amount * UNIT)
        carrying = capacities > 0
        tails, heads, capacities = self.tails[carrying], self.heads[carrying], capacities[carrying]
        found: dict[Cut, None] = {}
        for v in self.targets:
            size, near = minimum_cut(tails, heads, capacities, self.source, self.rounds * self.n + v)
            if size < UNIT * (1 - FLOAT_ERROR):
                when = [self.rounds + 1] * self.n
                for x in near:
                    when[x % self.n] = min(when[x % self.n], x // self.n)
                found[tuple(when)] = None
        return list(found)
