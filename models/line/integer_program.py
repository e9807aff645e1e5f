"""The line model as an integer program for other solvers.

Variables of a broadcast, multicast or accumulation (the latter as the broadcast that it is when run
backwards, with all arcs reversed); 0 or 1 unless stated otherwise:

- `knows_v_0_t3`: node v knows the message after round 3.
- `call_u_v_t3`: a call of round 3 uses the arc from u to v.
- `makes_v_t3`: the number of calls that node v makes in round 3, an integer.
- `used_t3`: round 3 is used; only if the number of rounds is minimised.

Variables of a gossip, whose calls go both ways:

- `call_u_v_t3`, `starts_u_v_t3`, `ends_u_v_t3`: a call uses the arc, starts or ends with it;
  `goes_on_u_v_v_w_t3`: a call continues from the arc u-v to the arc v-w.
- `knows_v_i_t3`: node v knows item i after round 3; `forth_u_v_i_t3`, `back_u_v_i_t3`: the call along the
  arc carries item i forwards (backwards); `arrives_u_v_i_t3`, `returns_u_v_i_t3`: item i reaches the end
  (the start) of the call that ends (starts) with the arc.

Size, for n nodes, m edges, M rounds: O(M (n + m)) variables and rows for one message, O(M n (m + sum of
squared degrees)) for a gossip.

Source: the rules of the model; Cohen, all-port line model; Farley (Networks 1980), one port.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
    is_one,
)
from schedsolve.modelkit.knowledge_rows import (
    at_start,
    goal_knowledge,
    start_knowledge,
    used_rounds,
    used_rounds_come_first,
)
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Round, Schedule
from schedsolve.modelkit.useful_calls import traced_calls
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted

from .claims.formula import line_formula
from .constructions.flow_search import flow_paths, simple_path
from .formulation import decode
from .rules import ports_of

Arc = tuple[int, int]


@dataclass
class Variables:
    """The variables of a program, by what they describe.

    `network` is that of the broadcast which the program describes. The variables that only a gossip has are
    empty for other tasks, and vice versa.
    """

    problem: Problem
    network: Network
    rounds: int
    program: IntegerProgram = field(default_factory=IntegerProgram)
    used: dict[int, int] = field(default_factory=dict)
    knows: dict[tuple[int, int, int], int] = field(default_factory=dict)
    uses: dict[tuple[Arc, int], int] = field(default_factory=dict)
    makes: dict[tuple[int, int], int] = field(default_factory=dict)
    starts: dict[tuple[Arc, int], int] = field(default_factory=dict)
    ends: dict[tuple[Arc, int], int] = field(default_factory=dict)
    turns: dict[tuple[Arc, int, int], int] = field(default_factory=dict)
    forth: dict[tuple[Arc, int, int], int] = field(default_factory=dict)
    back: dict[tuple[Arc, int, int], int] = field(default_factory=dict)
    arrives: dict[tuple[Arc, int, int], int] = field(default_factory=dict)
    returns: dict[tuple[Arc, int, int], int] = field(default_factory=dict)

    @property
    def is_gossip(self) -> bool:
        """Whether every node has an item."""
        return self.problem.task == "gossip"

    @property
    def items(self) -> range:
        """The items."""
        return range(self.network.node_count if self.is_gossip else 1)

    @property
    def times(self) -> range:
        """The rounds, from 1."""
        return range(1, self.rounds + 1)

    def into(self, v: int) -> list[Arc]:
        """Return the arcs that end at node v."""
        return [(u, v) for u in self.network.predecessors[v]]

    def out_of(self, v: int) -> list[Arc]:
        """Return the arcs that begin at node v."""
        return [(v, w) for w in self.network.successors[v]]

    def turns_to(self, arc: Arc, t: int) -> list[tuple[Arc, int]]:
        """Return the arcs from which a call can continue to `arc`, each with the variable that it does."""
        return [
            (before, self.turns[before, arc[1], t])
            for before in self.into(arc[0])
            if (before, arc[1], t) in self.turns
        ]

    def turns_from(self, arc: Arc, t: int) -> list[tuple[Arc, int]]:
        """Return the arcs to which a call can continue from `arc`, each with the variable that it does."""
        return [
            (after, self.turns[arc, after[1], t])
            for after in self.out_of(arc[1])
            if (arc, after[1], t) in self.turns
        ]


def one_call_an_edge(x: Variables) -> Iterator[Row]:
    """In every round at most one call uses an edge, whichever way, and none if the round is not used."""
    for t in x.times:
        for u, v in x.network.edges:
            both = [x.uses[arc, t] for arc in ((u, v), (v, u)) if (arc, t) in x.uses]
            # In a directed network the two arcs do not exclude each other.
            for calls in [[call] for call in both] if x.network.directed else [both]:
                yield compare(calls, "<=", [x.used[t]]) if x.used else compare(calls, "<=", constant=1)


def calls_pass_or_inform(x: Variables) -> Iterator[Row]:
    """At a node, used arcs in + calls that it makes = used arcs out + 1 in the round that informs it."""
    for t in x.times if not x.is_gossip else ():
        for v in range(x.network.node_count):
            into = [x.uses[arc, t] for arc in x.into(v)]
            out = [x.uses[arc, t] for arc in x.out_of(v)]
            yield compare([*into, x.makes[v, t], x.knows[v, 0, t - 1]], "=", [*out, x.knows[v, 0, t]])


def callers_know(x: Variables) -> Iterator[Row]:
    """A node makes at most as many calls as it has ports, and none unless it knew the message before."""
    for (v, t), makes in x.makes.items():
        most = x.program.variables[makes].upper or 0
        yield compare([makes], "<=", {x.knows[v, 0, t - 1]: most})


def knowledge_stays(x: Variables) -> Iterator[Row]:
    """A node that knows the message keeps it."""
    for t in x.times if not x.is_gossip else ():
        for v in range(x.network.node_count):
            yield compare([x.knows[v, 0, t - 1]], "<=", [x.knows[v, 0, t]])


def used_arcs_are_paths(x: Variables) -> Iterator[Row]:
    """If used, an arc starts or continues one call, and ends it or is continued; else it does neither."""
    for arc, t in x.starts:
        turns_in = [turn for _, turn in x.turns_to(arc, t)]
        turns_out = [turn for _, turn in x.turns_from(arc, t)]
        yield compare([x.uses[arc, t]], "=", [x.starts[arc, t], *turns_in])
        yield compare([x.uses[arc, t]], "=", [x.ends[arc, t], *turns_out])


def few_calls_a_node(x: Variables) -> Iterator[Row]:
    """With K ports, at most K calls of a round start or end at a node."""
    ports = ports_of(x.problem)
    for t in x.times if x.is_gossip and ports is not None else ():
        for v in range(x.network.node_count):
            starts = [x.starts[arc, t] for arc in x.out_of(v)]
            yield compare([*starts, *(x.ends[arc, t] for arc in x.into(v))], "<=", constant=ports or 0)


def forwards_from_the_start(x: Variables) -> Iterator[Row]:
    """A call carries forwards on an arc only what its first node knew or the arc before carried."""
    for (arc, i, t), forth in x.forth.items():
        yield compare([forth], "<=", [x.uses[arc, t]])
        yield compare([forth, x.starts[arc, t]], "<=", [x.knows[arc[0], i, t - 1]], 1)
        for before, turn in x.turns_to(arc, t):
            yield compare([forth, turn], "<=", [x.forth[before, i, t]], 1)


def backwards_from_the_end(x: Variables) -> Iterator[Row]:
    """A call carries backwards on an arc only what its last node knew or the arc after carried."""
    for (arc, i, t), back in x.back.items():
        yield compare([back], "<=", [x.uses[arc, t]])
        yield compare([back, x.ends[arc, t]], "<=", [x.knows[arc[1], i, t - 1]], 1)
        for after, turn in x.turns_from(arc, t):
            yield compare([back, turn], "<=", [x.back[after, i, t]], 1)


def items_arrive_at_ends(x: Variables) -> Iterator[Row]:
    """An item reaches the end of a call that carries it forwards, the start of one that carries it back."""
    for (arc, i, t), arrives in x.arrives.items():
        yield compare([arrives], "<=", [x.ends[arc, t]])
        yield compare([arrives], "<=", [x.forth[arc, i, t]])
        yield compare([x.returns[arc, i, t]], "<=", [x.starts[arc, t]])
        yield compare([x.returns[arc, i, t]], "<=", [x.back[arc, i, t]])


def knowledge_arrives(x: Variables) -> Iterator[Row]:
    """A node knows an item after a round only if it knew it before or a call of the round brings it there."""
    for t in x.times if x.is_gossip else ():
        for v in range(x.network.node_count):
            for i in x.items:
                arrives = [x.arrives[arc, i, t] for arc in x.into(v)]
                returns = [x.returns[arc, i, t] for arc in x.out_of(v)]
                yield compare([x.knows[v, i, t]], "<=", [x.knows[v, i, t - 1], *arrives, *returns])


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    start_knowledge,
    goal_knowledge,
    one_call_an_edge,
    calls_pass_or_inform,
    callers_know,
    knowledge_stays,
    used_arcs_are_paths,
    few_calls_a_node,
    forwards_from_the_start,
    backwards_from_the_end,
    items_arrive_at_ends,
    knowledge_arrives,
    used_rounds_come_first,
)


def _declare(request: FormulationRequest) -> Variables:
    problem = request.problem
    network = problem.broadcast_network
    x = Variables(problem, network, request.limit)
    new = x.program.variable
    if request.minimise:
        x.used = used_rounds(x.program, x.rounds)
    for t in range(x.rounds + 1):
        for v in range(network.node_count):
            for i in x.items:
                x.knows[v, i, t] = new(f"knows_{v}_{i}_t{t}")
    for t in x.times:
        for u, v in network.arcs:
            x.uses[(u, v), t] = new(f"call_{u}_{v}_t{t}")
        (_declare_paths if x.is_gossip else _declare_makers)(x, t)
    return x


def _declare_makers(x: Variables, t: int) -> None:
    ports = ports_of(x.problem)
    for v, out in enumerate(x.network.successors):
        most = len(out) if ports is None else min(ports, len(out))
        x.makes[v, t] = x.program.variable(f"makes_{v}_t{t}", upper=most)


def _declare_paths(x: Variables, t: int) -> None:
    new = x.program.variable
    for u, v in x.network.arcs:
        x.starts[(u, v), t] = new(f"starts_{u}_{v}_t{t}")
        x.ends[(u, v), t] = new(f"ends_{u}_{v}_t{t}")
        for w in x.network.successors[v]:
            if w != u:
                x.turns[(u, v), w, t] = new(f"goes_on_{u}_{v}_{v}_{w}_t{t}")
        for i in x.items:
            for name, table in (
                ("forth", x.forth), ("back", x.back), ("arrives", x.arrives), ("returns", x.returns)
            ):  # fmt: skip
                table[(u, v), i, t] = new(f"{name}_{u}_{v}_{i}_t{t}")


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "`limit` rounds suffice", or for the least number of at most `limit`."""
    x = _declare(request)
    x.program.require(FAMILIES, x)

    def read(value: Callable[[str], float]) -> Solved:
        def chosen(number: int) -> bool:
            return is_one(value(x.program.variables[number].name))

        problem = at_start(x.problem, value)
        if x.is_gossip:
            found = Schedule(tuple(_calls_of_paths(x, t, chosen) for t in x.times))
        else:
            found = Schedule(tuple(_calls_of_flow(x, t, value) for t in x.times))
            if problem.task == "accumulation":
                found = found.without_empty_end().reversed()
        return problem, traced_calls(problem.demands(), found).without_empty_end()

    return IntegerFormulation(x.program, read, _meaning(request))


def _calls_of_paths(x: Variables, t: int, chosen: Callable[[int], bool]) -> Round:
    """Return the two-way calls of a round, traced from the arcs with which they start."""
    calls = []
    for (first, of_round), starts in x.starts.items():
        if of_round != t or not chosen(starts):
            continue
        nodes, arc = [*first], first
        while not chosen(x.ends[arc, t]):
            arc = next(after for after, turn in x.turns_from(arc, t) if chosen(turn))
            nodes.append(arc[1])
        path = simple_path(nodes)
        if len(path) > 1:
            calls.append(Call(path[0], path[-1], True, Path(path)))
    return tuple(calls)


def _calls_of_flow(x: Variables, t: int, value: Callable[[str], float]) -> Round:
    """Return the calls of a round of one message, recovered from the arcs that they use."""

    def whole(number: int) -> int:
        return round(value(x.program.variables[number].name))

    everyone = range(x.network.node_count)
    fresh = [v for v in everyone if whole(x.knows[v, 0, t]) > whole(x.knows[v, 0, t - 1])]
    arcs = [arc for (arc, of_round), uses in x.uses.items() if of_round == t and whole(uses)]
    paths = flow_paths(fresh, arcs, [whole(x.makes[v, t]) for v in everyone])
    return tuple(Call(path[0], path[-1], False, Path(path)) for path in paths)


def _meaning(request: FormulationRequest) -> str:
    backwards = " run backwards, with all arcs reversed" if request.problem.task == "accumulation" else ""
    return (
        f"a schedule of at most {counted(request.limit, 'round')}{backwards}; the variables call_u_v_t"
        " that are 1 are"
        " the arcs of its calls' paths"
    )


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """Return the plain formula of the claims, with the names of its variables."""
    f = line_formula(request.problem, request.limit)
    return CnfFormulation(f.cnf, f.names(), lambda true: decode(request.problem, f, true), _meaning(request))


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
