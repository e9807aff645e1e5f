"""The linear cost model for other solvers: exact for a given number of packets, or a lower bound by flows.

Variables with P packets:

- `link_u_v_t3`, 0 or 1: the link u-v is used in round 3, whichever way; with weak ports `arc_u_v_t3`, from u
  to v.
- `sends_u_v_p_t3`, 0 or 1: u sends packet p to v in round 3.
- `owns_v_p_t3`, 0 or 1: v owns packet p after round 3.
- `size_t3`, a whole number: how many packets the largest message of round 3 has; their sum, divided by P, is
  the cost.

Without packets, where an optimum for all numbers of packets together is at least as large:

- `link_u_v_t3` or `arc_u_v_t3` as above.
- `cost_t3`, between 0 and 1: the cost of round 3.
- `flow_w_u_v_t3`: how much of node w's own message flows from u to v in round 3; `stock_w_v_t3`: how much of
  it is at v after round 3. Each node is served by a flow of its own, so flows need not fit together: flow is
  not packing.

With prices alpha and tau the number of rounds is free:

- `used_t3`, 0 or 1: round 3 takes place; the used rounds come first. Minimised is the time, alpha for every
  used round and tau L for the cost, times P and the denominators of the prices.
- There are no more rounds than can be of use: in each of them some node gets a packet that it lacks, so that
  P (n - 1) suffice; and to one node after another the whole message takes n - 1 rounds of alpha + tau L, so
  that the best time is no more than that, and holds floor((n - 1) (1 + tau L / alpha)) rounds at most.

Size, for n nodes, m edges, R rounds: O(R m P) variables with packets, O(R n m) without.

Source: Beauquier, Delmas, Perennes (INRIA RR-3827, 1999), section 2; flows over time, Ford and Fulkerson
(1958).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor, lcm

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import (
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
    is_one,
)
from schedsolve.modelkit.knowledge_rows import used_rounds_come_first
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from .claims.best_rounds import prices, with_rounds
from .rules import Packets, shape_of

Arc = tuple[int, int]
MOST_PACKETS, MOST_ROUNDS = 10_000, 1000


@dataclass
class Variables:
    """The variables of a program, by what they speak of; those of the other kind of program are empty.

    links: those that are chosen, arcs with weak ports and edges without. most: what the sizes (or costs) of
    all rounds may sum to; None for no limit. prices: alpha and tau L, where `most` is a time. used: by round.
    """

    problem: Problem
    rounds: int
    packets: int
    most: Fraction | None
    prices: tuple[Fraction, Fraction] | None = None
    program: IntegerProgram = field(default_factory=IntegerProgram)
    link: dict[tuple[Arc, int], int] = field(default_factory=dict)
    size: dict[int, int] = field(default_factory=dict)
    used: dict[int, int] = field(default_factory=dict)
    sends: dict[tuple[Arc, int, int], int] = field(default_factory=dict)
    owns: dict[tuple[int, int, int], int] = field(default_factory=dict)
    flow: dict[tuple[int, Arc, int], int] = field(default_factory=dict)
    stock: dict[tuple[int, int, int], int] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        """The network."""
        return self.problem.network

    @property
    def weak(self) -> bool:
        """Whether ports for sending and receiving are counted apart."""
        return bool(self.problem.parameters.get("weak_ports"))

    @property
    def times(self) -> range:
        """The rounds."""
        return range(1, self.rounds + 1)

    @property
    def source(self) -> int:
        """The node that owns the message at the start."""
        return self.problem.sources[0]

    def link_of(self, arc: Arc, t: int) -> int:
        """The link that a message along an arc needs."""
        u, v = arc
        return self.link[arc if self.weak else (min(u, v), max(u, v)), t]


def few_links_a_node(x: Variables) -> Iterator[Row]:
    """A node uses at most K links in a round; with weak ports it sends along at most K and receives along at
    most K.
    """
    ports = shape_of(x.problem).ports
    for t in x.times:
        for v in range(x.network.node_count):
            out = [x.link_of((v, w), t) for w in x.network.successors[v]]
            into = [x.link_of((u, v), t) for u in x.network.predecessors[v]]
            for used in (out, into) if x.weak else (out,):
                yield compare(used, "<=", constant=ports)


def messages_need_a_link(x: Variables) -> Iterator[Row]:
    """A packet is sent along a link that is used in the round."""
    for (arc, _, t), sends in x.sends.items():
        yield compare([sends], "<=", [x.link_of(arc, t)])


def senders_own(x: Variables) -> Iterator[Row]:
    """A packet is sent by a node that owned it before the round."""
    for ((u, _), p, t), sends in x.sends.items():
        yield compare([sends], "<=", [x.owns[u, p, t - 1]])


def packets_arrive(x: Variables) -> Iterator[Row]:
    """A node owns a packet after a round only if it did before or the packet is sent to it in the round."""
    for (v, p, t), owns in x.owns.items():
        if t:
            arriving = [x.sends[(u, v), p, t] for u in x.network.predecessors[v]]
            yield compare([owns], "<=", [x.owns[v, p, t - 1], *arriving])


def source_owns_all(x: Variables) -> Iterator[Row]:
    """Before round 1 the source owns every packet, and the others none; after the last round all own all."""
    for (v, _, t), owns in x.owns.items():
        if t == 0:
            yield compare([owns], "=", constant=int(v == x.source))
        if t == x.rounds:
            yield compare([owns], "=", constant=1)


def largest_message(x: Variables) -> Iterator[Row]:
    """No message of a round has more packets than the size of the round."""
    for arc in x.network.arcs if x.sends else ():
        for t in x.times:
            yield compare([x.sends[arc, p, t] for p in range(x.packets)], "<=", [x.size[t]])


def flows_need_a_link(x: Variables) -> Iterator[Row]:
    """A flow goes along a link that is used in the round."""
    for (_, arc, t), flow in x.flow.items():
        yield compare([flow], "<=", [x.link_of(arc, t)])


def flows_fit_the_cost(x: Variables) -> Iterator[Row]:
    """Along every arc no flow carries more than the cost of the round."""
    for (_, _, t), flow in x.flow.items():
        yield compare([flow], "<=", [x.size[t]])


def flows_leave_from_stock(x: Variables) -> Iterator[Row]:
    """What flows out of a node in a round was there before it."""
    for (w, v, t), _ in x.stock.items():
        if t:
            out = [x.flow[w, (v, u), t] for u in x.network.successors[v]]
            yield compare(out, "<=", [x.stock[w, v, t - 1]])


def stock_is_kept(x: Variables) -> Iterator[Row]:
    """What is at a node after a round is what was there before, and what came in, less what went out."""
    for (w, v, t), stock in x.stock.items():
        if t:
            out = [x.flow[w, (v, u), t] for u in x.network.successors[v]]
            into = [x.flow[w, (u, v), t] for u in x.network.predecessors[v]]
            yield compare([stock, *out], "=", [x.stock[w, v, t - 1], *into])


def whole_message_for_everybody(x: Variables) -> Iterator[Row]:
    """Before round 1 the whole message of every node is at the source, after the last round at the node."""
    for (w, v, t), stock in x.stock.items():
        if t == 0:
            yield compare([stock], "=", constant=int(v == x.source))
        if t == x.rounds and v == w:
            yield compare([stock], "=", constant=1)


def cost_is_limited(x: Variables) -> Iterator[Row]:
    """The costs of all rounds sum to no more than what is allowed."""
    if x.most is not None and x.size and x.prices is None:
        yield compare(x.size.values(), "<=", constant=x.most)


def messages_need_a_used_round(x: Variables) -> Iterator[Row]:
    """Only in rounds that take place do messages have a size."""
    for t, used in x.used.items():
        yield compare([x.size[t]], "<=", {used: x.packets or 1})


def time_is_limited(x: Variables) -> Iterator[Row]:
    """The time of all rounds is no more than what is allowed."""
    if x.most is not None and x.prices is not None:
        yield compare(_times(x), "<=", constant=x.most)


def _times(x: Variables) -> dict[int, Fraction]:
    """Return what the variables add to the time."""
    alpha, tau = x.prices or (Fraction(0), Fraction(0))
    sizes = dict.fromkeys(x.size.values(), tau / (x.packets or 1))
    return {**dict.fromkeys(x.used.values(), alpha), **sizes}


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    few_links_a_node,
    messages_need_a_link,
    senders_own,
    packets_arrive,
    source_owns_all,
    largest_message,
    flows_need_a_link,
    flows_fit_the_cost,
    flows_leave_from_stock,
    stock_is_kept,
    whole_message_for_everybody,
    cost_is_limited,
    used_rounds_come_first,
    messages_need_a_used_round,
    time_is_limited,
)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """The integer program for the least cost, or for "so much cost suffices".

    Exact for the request's number of packets; without one the program asks for flows, which gives a lower
    bound for every number of packets. Raises InputError for too many packets.
    """
    packets = _packets(request)
    most = None if request.value is None else Fraction(request.value) * (packets or 1)
    if most is not None and packets:
        most = Fraction(floor(most))
    x = Variables(request.problem, shape_of(request.problem).rounds, packets, most)
    _declare(x)
    if request.minimise:
        x.program.costs = dict.fromkeys(x.size.values(), 1)
    return _written(x, request, packets or 1)


def priced_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the program for the least time at prices, or for "so much time suffices".

    Exact for the request's number of packets, as `integer_formulation` is; without one it bounds the time.

    Raises
    ------
    InputError
        For too many packets, or when too many rounds may be of use.
    """
    problem, packets = request.problem, _packets(request)
    alpha, tau = paid = prices(problem)
    most = None if request.value is None else Fraction(request.value)
    others = problem.network.node_count - 1
    rounds = floor(others * (1 + tau / alpha))
    rounds = rounds if not packets else min(rounds, packets * others)
    rounds = rounds if most is None else min(rounds, floor(most / alpha))
    if rounds > MOST_ROUNDS:
        raise InputError(f"more than {MOST_ROUNDS} rounds may be of use; --at-most and --packets limit them")
    x = Variables(with_rounds(problem, rounds), rounds, packets, most, paid)
    _declare(x)
    x.used = {t: x.program.variable(f"used_t{t}") for t in x.times}
    scale = _scale(problem, packets or 1)
    if request.minimise:
        x.program.costs = {i: int(price * scale) for i, price in _times(x).items()}
    return _written(x, request, scale)


def _scale(problem: Problem, packets: int) -> int:
    """Return the least number known by which times with so many packets are whole."""
    alpha, tau = prices(problem)
    return packets * lcm(alpha.denominator, tau.denominator)


def _packets(request: FormulationRequest) -> int:
    """Return the number of packets, 0 for flows."""
    packets = request.packets or 0
    if packets > MOST_PACKETS:
        raise InputError(f"--packets takes at most {MOST_PACKETS}")
    return packets


def _written(x: Variables, request: FormulationRequest, scale: int) -> IntegerFormulation:
    """Return the program with its rows, and the way back."""
    x.program.require(FAMILIES, x)
    calls = {
        x.program.variables[sends].name: (t, Call(u, v, payload=Packets((p,))))
        for ((u, v), p, t), sends in x.sends.items()
    }
    read = (lambda value: (request.problem, _schedule(x, value))) if x.packets else _no_schedule
    return IntegerFormulation(x.program, read, _meaning(request), calls, scale=scale)


def _declare(x: Variables) -> None:
    _declare_links(x)
    (_declare_packets if x.packets else _declare_flows)(x)


def _declare_links(x: Variables) -> None:
    for t in x.times:
        for u, v in x.network.arcs if x.weak else x.network.edges:
            x.link[(u, v), t] = x.program.variable(f"{'arc' if x.weak else 'link'}_{u}_{v}_t{t}")


def _declare_packets(x: Variables) -> None:
    for t in x.times:
        x.size[t] = x.program.variable(f"size_t{t}", upper=x.packets)
    for p in range(x.packets):
        for t in x.times:
            for u, v in x.network.arcs:
                x.sends[(u, v), p, t] = x.program.variable(f"sends_{u}_{v}_{p}_t{t}")
        for t in range(x.rounds + 1):
            for v in range(x.network.node_count):
                x.owns[v, p, t] = x.program.variable(f"owns_{v}_{p}_t{t}")


def _declare_flows(x: Variables) -> None:
    def amount(name: str) -> int:
        return x.program.variable(name, integer=False)

    for t in x.times:
        x.size[t] = amount(f"cost_t{t}")
    for w in range(x.network.node_count):
        if w != x.source:
            for t in x.times:
                for u, v in x.network.arcs:
                    x.flow[w, (u, v), t] = amount(f"flow_{w}_{u}_{v}_t{t}")
            for t in range(x.rounds + 1):
                for v in range(x.network.node_count):
                    x.stock[w, v, t] = amount(f"stock_{w}_{v}_t{t}")


def _schedule(x: Variables, value: Callable[[str], float]) -> Schedule:
    """The schedule of a solution; what a node owns already is not sent to it, and once is enough."""
    owned = {(x.source, p) for p in range(x.packets)}
    rounds = []
    for t in x.times:
        sent: dict[Arc, list[int]] = {}
        fresh: set[tuple[int, int]] = set()
        for ((u, v), p, of_round), sends in x.sends.items():
            due = of_round == t and (v, p) not in owned | fresh
            if due and is_one(value(x.program.variables[sends].name)):
                sent.setdefault((u, v), []).append(p)
                fresh.add((v, p))
        owned |= fresh
        rounds.append(tuple(Call(u, v, payload=Packets(packets)) for (u, v), packets in sent.items()))
    return Schedule(tuple(rounds), head={"packet_count": x.packets}).without_empty_end()


def _no_schedule(_: Callable[[str], float]) -> Solved:
    raise InputError(
        "a solution of flows is a lower bound and no schedule, as flows need not fit together; formulate with"
        " --packets P for one"
    )


def _meaning(request: FormulationRequest) -> str:
    if "alpha" in request.problem.parameters:
        if request.packets:
            return f"a broadcast of {request.packets} packets in the rounds whose used_t is 1"
        return "no broadcast: its value is a lower bound on the time, as flow is not packing"
    if request.packets:
        return (
            f"a broadcast of {request.packets} packets in the rounds that there are; the sizes size_t sum to"
            f" {request.packets} times its cost"
        )
    return (
        "no broadcast: its value is a lower bound on the cost, as every node has a flow of its own, and flow"
        " is not packing"
    )


FORMULATIONS = Formulations(integer_formulation, takes_packets=True, bounds_only=True, needs_value=False)
PRICED = replace(FORMULATIONS, integer=priced_formulation, denominator=_scale)
