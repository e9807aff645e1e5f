"""The matching models as an integer program, each rule a function that makes its rows.

Variables, all 0 or 1:

- `call_u_v_t3`: there is a call along the link u-v in round 3. A link is an arc, and an edge where a call
  goes both ways and there are several items. With a period there is one for every slot of it.
- `knows_v_i_t3`: node v knows item i after round 3; item i starts at node i, and a single message is item 0.
- `move_u_v_i_t3`: item i crosses the arc from u to v in round 3: the product of a call and of the sender's
  knowledge. A single message has none where nothing repeats: a call that moves nothing is useless, so a call
  is its own move.
- `used_t3`: something happens in round 3; only where the number of rounds is minimised.

An accumulation is written down as the broadcast that it is, run backwards, on the network with its arcs
turned round. Size, for n nodes, m edges, k items and M rounds: O(M m k) variables and rows.

Source: the rules of the models; Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation, Solved, calls_of_rounds
from schedsolve.modelkit.knowledge_rows import (
    at_start,
    goal_knowledge,
    start_knowledge,
    used_rounds,
    used_rounds_come_first,
)
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted

from ..constructions.useful_calls import only_useful_calls
from ..rules import is_two_way

Link = tuple[int, int]


@dataclass
class Variables:
    """The variables of a program, by what they speak of.

    network: that of the broadcast which the program describes. slots: how many rounds, from the first, have
    calls of their own. item_count: how many items there are. used: empty where nothing is minimised.
    """

    problem: Problem
    network: Network
    rounds: int
    slots: int
    item_count: int
    program: IntegerProgram = field(default_factory=IntegerProgram)
    used: dict[int, int] = field(default_factory=dict)
    call: dict[tuple[Link, int], int] = field(default_factory=dict)
    knows: dict[tuple[int, int, int], int] = field(default_factory=dict)
    move: dict[tuple[Link, int, int], int] = field(default_factory=dict)

    @property
    def links(self) -> Sequence[Link]:
        """The links that are called: edges where the direction of a call does not matter, else arcs."""
        return self.network.edges if self.both_ways else self.network.arcs

    @property
    def both_ways(self) -> bool:
        """Whether a call's two directions share a variable."""
        return is_two_way(self.problem) and self.item_count > 1

    def slot(self, t: int) -> int:
        """The slot of round t."""
        return (t - 1) % self.slots + 1

    def call_along(self, arc: Link, t: int) -> int:
        """The call that an item needs to cross an arc in round t."""
        u, v = arc
        link = (min(u, v), max(u, v)) if self.both_ways else arc
        return self.call[link, self.slot(t)]

    @property
    def items(self) -> range:
        """The items."""
        return range(self.item_count)

    @property
    def times(self) -> range:
        """The rounds."""
        return range(1, self.rounds + 1)


def one_call_a_node(x: Variables) -> Iterator[Row]:
    """In every round a node takes part in at most one call, and in none if the round is not used."""
    touching: dict[tuple[int, int], list[int]] = {}
    for (link, t), call in x.call.items():
        for v in link:
            touching.setdefault((v, t), []).append(call)
    for (_, t), calls in touching.items():
        if x.used and x.slots == x.rounds:
            yield compare(calls, "<=", [x.used[t]])
        else:
            yield compare(calls, "<=", constant=1)


def moves_need_a_call(x: Variables) -> Iterator[Row]:
    """What moves needs a call along its link in that round."""
    for (arc, _, t), move in x.move.items():
        call = x.call_along(arc, t)
        if call != move:
            yield compare([move], "<=", [call])


def senders_knew(x: Variables) -> Iterator[Row]:
    """What moves was known to its sender before the round."""
    for ((u, _), i, t), move in x.move.items():
        yield compare([move], "<=", [x.knows[u, i, t - 1]])


def knowledge_arrives(x: Variables) -> Iterator[Row]:
    """A node knows an item after a round only if it knew it before or the item moved there in that round."""
    for t in x.times:
        for v in range(x.network.node_count):
            for i in x.items:
                arriving = [x.move[(u, v), i, t] for u in x.network.predecessors[v]]
                yield compare([x.knows[v, i, t]], "<=", [x.knows[v, i, t - 1], *arriving])


def nothing_moves_in_unused_rounds(x: Variables) -> Iterator[Row]:
    """Where calls repeat, nothing moves in a round that is not used."""
    if x.used and x.slots < x.rounds:
        for (_, _, t), move in x.move.items():
            yield compare([move], "<=", [x.used[t]])


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    start_knowledge,
    goal_knowledge,
    one_call_a_node,
    moves_need_a_call,
    senders_knew,
    knowledge_arrives,
    used_rounds_come_first,
    nothing_moves_in_unused_rounds,
)


def declare(request: FormulationRequest, *, period: int | None = None) -> Variables:
    """The variables of a request; with a period, calls that are so many rounds apart are the same."""
    problem, rounds = request.problem, request.limit
    network = problem.broadcast_network
    items = network.node_count if problem.task == "gossip" else 1
    x = Variables(problem, network, rounds, min(period or rounds, rounds), items)
    new = x.program.variable
    if request.minimise:
        x.used = used_rounds(x.program, rounds)
    for t in range(1, x.slots + 1):
        for u, v in x.links:
            x.call[(u, v), t] = new(f"call_{u}_{v}_t{t}")
    for t in range(rounds + 1):
        for v in range(network.node_count):
            for i in x.items:
                x.knows[v, i, t] = new(f"knows_{v}_{i}_t{t}")
    for t in x.times:
        for u, v in network.arcs:
            for i in x.items:
                own = x.item_count == 1 and x.slots == rounds
                x.move[(u, v), i, t] = x.call[(u, v), t] if own else new(f"move_{u}_{v}_{i}_t{t}")
    return x


def call_meanings(x: Variables) -> dict[str, tuple[int, Call]]:
    """By name of a variable, the round and the call that it stands for."""
    two_way, backwards = is_two_way(x.problem), x.problem.task == "accumulation"
    meanings = {}
    for ((u, v), t), number in x.call.items():
        ends = (v, u) if backwards else (u, v)
        call = Call(min(ends), max(ends), True) if two_way else Call(*ends)
        round_number = x.rounds + 1 - t if backwards and x.slots == x.rounds else t
        meanings[x.program.variables[number].name] = round_number, call
    return meanings


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """The integer program for "so many rounds suffice", or for the least number up to there."""
    x = declare(request)
    x.program.require(FAMILIES, x)
    calls = call_meanings(x)

    def decode(value: Callable[[str], float]) -> Solved:
        problem = at_start(x.problem, value)
        schedule = Schedule(calls_of_rounds(calls, value, x.rounds))
        if problem.task == "accumulation":
            # Rounds that are not used come last in the broadcast, and so first here.
            first = next((t for t, made in enumerate(schedule.rounds) if made), len(schedule.rounds))
            schedule = Schedule(schedule.rounds[first:])
        return problem, only_useful_calls(problem, schedule).without_empty_end()

    return IntegerFormulation(x.program, decode, meaning(request), calls)


def meaning(request: FormulationRequest) -> str:
    """What a solution means, in a sentence."""
    backwards = (
        " run backwards: call_u_v_t1 is the last round's call from v to u"
        if request.problem.task == "accumulation"
        else ""
    )
    return (
        f"a schedule of at most {counted(request.limit, 'round')}{backwards}; the variables call_u_v_t"
        " that are 1 are"
        " its calls"
    )
