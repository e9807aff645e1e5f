"""A mixed integer programme over all call graphs of a few nodes: the links of every round are chosen together
with the costs of the rounds.

It asks for flows, not for packets: a flow of 1 to every node, each for itself, as
`call_graph_flow.flow_costs` does for given call graphs. So its optimum is a lower bound on the cost of a
broadcast, and it is reached where the arborescences of the best call graphs can be packed. The solver
computes with floats: its values are called computed, never proven. What is exact is said of the call graphs
found, afterwards.

Symmetry: nodes other than the source can be renumbered at will, and what no flow needs can be left out or
added.

- A link between two nodes that have had no link so far carries nothing; it is left out. So a first link is
  one to a node linked before.
- In round 1 only the source has something to send, so all other nodes are idle, and the source may as well
  use all its k links.
- The nodes are renumbered in the order of the rounds of their first links. Within a round they are sorted by
  the sum of the numbers of the nodes that these links lead to, all of which were linked before and so have
  their numbers already.

Source: Beauquier, Delmas, Perennes (INRIA RR-3827, 1999), section 2, for the model; flows over time, Ford and
Fulkerson (1958).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from schedsolve.backends.mip import solve_mip
from schedsolve.formulas.linear_program import LinearProgram

from ..rules import Shape


@dataclass(frozen=True)
class ComputedCallGraphs:
    """What the float solver computed.

    call_graphs: the best found, the arcs (sender, receiver) of every round. value: the sum of the costs of
    the rounds with them. bound: what the solver takes for a lower bound over all call graphs. is_closed:
    whether both agree up to float errors.
    """

    call_graphs: tuple[frozenset[tuple[int, int]], ...]
    value: float
    bound: float
    is_closed: bool


def best_call_graphs(
    shape: Shape, seconds: float, *, weak_ports: bool = False, at_least: Fraction = Fraction(0)
) -> ComputedCallGraphs | None:
    """The call graphs for which the flow programme costs least, found in so many seconds; None when none are
    found.

    shape: with at least 2 nodes; made for up to 9. weak_ports: count the ports for sending and for receiving
    apart.
    at_least: a proven lower bound, which ends the search when it is reached.
    """
    programme = _Programme(shape, weak_ports)
    programme.write()
    programme.lines.add(dict.fromkeys(programme.costs.values(), 1), ">=", at_least)
    solution = solve_mip(programme.lines, set(programme.links.values()), seconds)
    if solution is None:
        return None
    rounds: list[set[tuple[int, int]]] = [set() for _ in range(shape.rounds)]
    for (t, u, v), x in programme.links.items():
        if solution.values[x] > 0.5:
            rounds[t - 1].update({(u, v)} if weak_ports else {(u, v), (v, u)})
    return ComputedCallGraphs(
        tuple(frozenset(arcs) for arcs in rounds), solution.value, solution.bound, solution.is_closed
    )


@dataclass
class _Programme:
    """The programme.

    - `links[t, u, v]`, 0 or 1: the link between u < v is used in round t, both ways; with weak ports, the arc
      from u to v is.
    - `costs[t]`: the cost of round t; their sum is minimised.
    - `linked[v, t]`: node v has had a link in one of the rounds 1..t.
    - `loads[t, u, v]`: what the arc from u to v carries of each flow in round t at most.
    """

    shape: Shape
    weak_ports: bool
    lines: LinearProgram = field(default_factory=LinearProgram)
    links: dict[tuple[int, int, int], int] = field(default_factory=dict)
    costs: dict[int, int] = field(default_factory=dict)
    linked: dict[tuple[int, int], int] = field(default_factory=dict)
    loads: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def write(self) -> None:
        """Declare the variables and write all rows."""
        nodes, rounds = range(self.shape.nodes), range(1, self.shape.rounds + 1)
        for t in rounds:
            self.costs[t] = self.lines.variable(1, 1)
            for u in nodes:
                for v in nodes:
                    if u < v or (self.weak_ports and u != v):
                        self.links[t, u, v] = self.lines.variable(0, 1)
        for v in nodes:
            for t in rounds:
                self.linked[v, t] = self.lines.variable(0, 1)
        self.limit_ports()
        self.start_at_the_source()
        self.record_links()
        self.number_the_nodes()
        self.limit_loads()
        for w in nodes[1:]:
            self.send_one_to(w)

    def limit_ports(self) -> None:
        """A node uses at most k links in a round; with weak ports it sends along at most k arcs and receives
        along at most k.
        """
        for t in range(1, self.shape.rounds + 1):
            for u in range(self.shape.nodes):
                for arcs in (self._out(t, u), self._into(t, u)):
                    self.lines.add(dict.fromkeys(arcs, 1), "<=", self.shape.ports)

    def start_at_the_source(self) -> None:
        """In round 1 the source is linked with the nodes 1..k, if there are so many, and there is no other
        link.
        """
        for (t, u, v), x in self.links.items():
            if t == 1:
                self.lines.add({x: 1}, "=", int(u == 0 and v <= self.shape.ports))

    def record_links(self) -> None:
        """A node has been linked exactly when a link of it was used; no link joins two nodes that had none
        before.

        With weak ports an arc leads from a node that has been linked, and only arcs to a node count.
        """
        for (t, u, v), x in self.links.items():
            self.lines.add({self.linked[v, t]: 1, x: -1}, ">=", 0)
            if not self.weak_ports:
                self.lines.add({self.linked[u, t]: 1, x: -1}, ">=", 0)
            if t > 1:
                before = (
                    {self.linked[u, t - 1]: 1}
                    if self.weak_ports
                    else {self.linked[u, t - 1]: 1, self.linked[v, t - 1]: 1}
                )
                self.lines.add({**before, x: -1}, ">=", 0)
        for (v, t), y in self.linked.items():
            if v == 0:
                self.lines.add({y: 1}, "=", 1)
                continue
            before = {self.linked[v, t - 1]: -1} if t > 1 else {}
            self.lines.add({y: 1, **before, **dict.fromkeys(self._into(t, v), -1)}, "<=", 0)
            if t > 1:
                self.lines.add({y: 1, **before}, ">=", 0)

    def number_the_nodes(self) -> None:
        """Nodes are numbered by the rounds of their first links, then by the sum of the numbers of the nodes
        linked with in that round.
        """
        large = self.shape.ports * self.shape.nodes
        for v in range(1, self.shape.nodes - 1):
            for t in range(1, self.shape.rounds + 1):
                self.lines.add({self.linked[v, t]: 1, self.linked[v + 1, t]: -1}, ">=", 0)
                if t == 1:
                    continue
                row = {self.linked[v + 1, t]: -large, self.linked[v + 1, t - 1]: large}
                row |= {self.linked[v, t]: -large, self.linked[v, t - 1]: large}
                for u in range(self.shape.nodes):
                    if u != v + 1:
                        self._raise(row, self._link(t, u, v + 1), u)
                    if u != v:
                        self._raise(row, self._link(t, u, v), -u)
                self.lines.add(row, ">=", -2 * large)

    def _raise(self, row: dict[int, int], variable: int, amount: int) -> None:
        row[variable] = row.get(variable, 0) + amount

    def limit_loads(self) -> None:
        """A load is at most the cost of the round, and nothing where the link is not used.

        So the loads of all arcs out of a node in a round sum to at most k times the cost of the round, and
        those into it as well.
        """
        nodes = range(self.shape.nodes)
        for t, cost in self.costs.items():
            for u, v in ((u, v) for u in nodes for v in nodes[1:] if u != v and (t > 1 or u == 0)):
                self.loads[t, u, v] = load = self.lines.variable(0, 1)
                self.lines.add({load: 1, cost: -1}, "<=", 0)
                self.lines.add({load: 1, self._link(t, u, v): -1}, "<=", 0)
            for w in nodes:
                for end in (1, 2):
                    loads = [x for arc, x in self.loads.items() if arc[0] == t and arc[end] == w]
                    self.lines.add({**dict.fromkeys(loads, 1), cost: -self.shape.ports}, "<=", 0)

    def send_one_to(self, w: int) -> None:
        """A flow of 1 goes from the source to node w over time.

        - What leaves a node in rounds 1..t came to it in rounds 1..t-1, but at the source; w receives 1 in
          all, nothing returns to the source or leaves w.
        - An arc carries at most its load.
        """
        held: dict[int, dict[int, int]] = {v: {} for v in range(1, self.shape.nodes)}
        for t in range(1, self.shape.rounds + 1):
            leaving: dict[int, dict[int, int]] = {v: {} for v in held}
            coming: dict[int, dict[int, int]] = {v: {} for v in held}
            for (_, u, v), load in (
                (arc, load) for arc, load in self.loads.items() if arc[0] == t and arc[1] != w
            ):
                flow = self.lines.variable(0, 1)
                self.lines.add({flow: 1, load: -1}, "<=", 0)
                coming[v][flow] = 1
                if u != 0:
                    leaving[u][flow] = -1
            for v, balance in held.items():
                if leaving[v]:
                    balance.update(leaving[v])
                    self.lines.add(balance, ">=", 0)
                balance.update(coming[v])
        self.lines.add(held[w], "=", 1)

    def _link(self, t: int, u: int, v: int) -> int:
        return self.links[(t, u, v) if self.weak_ports or u < v else (t, v, u)]

    def _out(self, t: int, u: int) -> Iterator[int]:
        return (self._link(t, u, v) for v in range(self.shape.nodes) if v != u)

    def _into(self, t: int, v: int) -> Iterator[int]:
        return (self._link(t, u, v) for u in range(self.shape.nodes) if u != v)
