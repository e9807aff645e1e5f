"""A product or a prefix on the fat-tree as an integer program, by what every message carries.

A unit of time is one step by the clock, and two steps in rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation, Solved, is_one

from ..claims.runs_formula import RunsFormula
from ..formulation import only_needed
from ..rules import Run, wanted_runs
from ..rules.tree import in_rounds, meeting_height, tree_of


@dataclass
class Variables:
    """The variables of a program: messages, what can be made when, joins, and the time if it is minimized.

    The first two are as in the plain formula. joins[p, run, last, t] says "p makes the product of the run
    at t from those up to `last` and from there on". `sent` and `received` have the messages by sender
    (receiver), their time of sending (arrival) and the height.
    """

    f: RunsFormula
    wanted: dict[int, Run]
    program: IntegerProgram = field(default_factory=IntegerProgram)
    joins: dict[tuple[int, Run, int, int], int] = field(default_factory=dict)
    sent: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    received: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    time: int | None = None

    @property
    def times(self) -> range:
        """The points of time."""
        return range(self.f.last + 1)

    @property
    def processors(self) -> range:
        """The processors."""
        return range(self.f.tree.processors)

    def crossing(
        self, table: dict[tuple[int, int, int], list[int]], part: range, t: int, j: int
    ) -> list[int]:
        """Return the messages of a table at a time, of some processors, that go above height j."""
        heights = range(j + 1, self.f.tree.height + 1)
        return [x for p in part for h in heights for x in table.get((p, t, h), ())]


def products_are_made(x: Variables) -> Iterator[Row]:
    """Processors can make their own operand, and later what they could before, receive, or can join."""
    for (p, run, t), can in x.f.holds.items():
        if not t and run == (p, p):
            yield compare([can], "<=", constant=1)
            continue
        before = [x.f.holds[p, run, t - 1]] if t else []
        arriving = [
            x.f.messages[q, p, run, t - x.f.delay(q, p)]
            for q in x.processors
            if q != p and (q, p, run, t - x.f.delay(q, p)) in x.f.messages
        ]
        joined = [x.joins[p, run, last, t] for last in range(run[0], run[1])]
        yield compare([can], "<=", [*before, *arriving, *joined])


def joined_from_both(x: Variables) -> Iterator[Row]:
    """Two products are joined only by a processor that can make both."""
    for (p, (first, end), last, t), joins in x.joins.items():
        yield compare([joins], "<=", [x.f.holds[p, (first, last), t]])
        yield compare([joins], "<=", [x.f.holds[p, (last + 1, end), t]])


def goal_products(x: Variables) -> Iterator[Row]:
    """In the end every processor can make what is wanted of it."""
    for p, run in x.wanted.items():
        yield compare([x.f.holds[p, run, x.f.last]], "=", constant=1)


def senders_can_make(x: Variables) -> Iterator[Row]:
    """Messages carry what their senders can make then."""
    for (p, _, run, t), message in x.f.messages.items():
        yield compare([message], "<=", [x.f.holds[p, run, t]])


def one_message_at_a_time(x: Variables) -> Iterator[Row]:
    """Processors send at most one message at a time, and receive at most one."""
    for t in x.times:
        for p in x.processors:
            for table in (x.sent, x.received):
                messages = x.crossing(table, range(p, p + 1), t, 0)
                if messages:
                    yield compare(messages, "<=", constant=1)


def one_message_a_round(x: Variables) -> Iterator[Row]:
    """In rounds a processor sends or receives at most one message of a round."""
    for t in x.times if x.f.rounds else ():
        for p in x.processors:
            mine = [m for (a, b, _, u), m in x.f.messages.items() if u == t and p in (a, b)]
            if mine:
                yield compare(mine, "<=", constant=1)


def channels_hold(x: Variables) -> Iterator[Row]:
    """At most w(2^j) messages leave, and enter, a subtree of height j > 0 at a time."""
    for j in range(1, x.f.tree.height):
        most = x.f.tree.capacities[j]
        for a in range(x.f.tree.subtrees(j)):
            part = range(a << j, (a + 1) << j)
            for t in x.times:
                for table in (x.sent, x.received):
                    crossing = x.crossing(table, part, t, j)
                    if crossing and most < len(part):
                        yield compare(crossing, "<=", constant=most)


def sent_when_rounds_begin(x: Variables) -> Iterator[Row]:
    """In rounds messages are sent when a round begins."""
    for (_, t, _), messages in x.sent.items() if x.f.rounds else ():
        yield compare(messages, "<=", [x.f.begins[t]])


def rounds_wait(x: Variables) -> Iterator[Row]:
    """In rounds no round begins before all messages have arrived."""
    for (_, t, h), messages in x.sent.items() if x.f.rounds else ():
        for u in range(t + 1, t + h):
            yield compare([*messages, x.f.begins[u]], "<=", constant=1)


def time_of_last_arrival(x: Variables) -> Iterator[Row]:
    """Time is at least that of the last arrival."""
    for t in x.times if x.time is not None else ():
        for q in x.processors:
            arriving = x.crossing(x.received, range(q, q + 1), t, 0)
            if arriving:
                yield compare([] if x.time is None else [x.time], ">=", dict.fromkeys(arriving, t))


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    products_are_made,
    joined_from_both,
    goal_products,
    senders_can_make,
    one_message_at_a_time,
    one_message_a_round,
    channels_hold,
    sent_when_rounds_begin,
    rounds_wait,
    time_of_last_arrival,
)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "`request.limit` suffices", or for the least time up to it."""
    problem = request.problem
    f = RunsFormula(tree_of(problem), request.limit, in_rounds(problem))
    x = Variables(f, dict(wanted_runs(problem, f.tree.processors)))
    new = x.program.variable
    if request.minimise:
        x.time = new("time", upper=f.last)
        x.program.costs = {x.time: 2 if f.rounds else 1}
    f.begins = [new(f"round_begins_t{t}") for t in x.times] if f.rounds else []
    for p, q in f.pairs():
        for a, b in f.runs:
            for t in range(f.last + 1 - f.delay(p, q)):
                message = new(f"sends_{p}_{q}_run_{a}_{b}_t{t}")
                f.messages[p, q, (a, b), t] = message
                height = meeting_height(p, q)
                x.sent.setdefault((p, t, height), []).append(message)
                x.received.setdefault((q, t + f.delay(p, q), height), []).append(message)
    for p in x.processors:
        for a, b in f.runs:
            for t in x.times:
                f.holds[p, (a, b), t] = new(f"can_make_{p}_run_{a}_{b}_t{t}")
                for last in range(a, b):
                    x.joins[p, (a, b), last, t] = new(f"joins_{p}_run_{a}_{last}_{b}_t{t}")
    x.program.require(FAMILIES, x)

    def read(value: Callable[[str], float]) -> Solved:
        chosen = [
            (t, p, q, run)
            for (p, q, run, t), message in f.messages.items()
            if is_one(value(x.program.variables[message].name))
        ]
        return problem, only_needed(problem, f, sorted(chosen))

    return IntegerFormulation(x.program, read, meaning(request))


def meaning(request: FormulationRequest) -> str:
    """Return in a sentence what a solution means."""
    unit = "two steps" if in_rounds(request.problem) else "a step"
    return (
        f"a schedule of at most time {request.limit}, a unit of t being {unit}; sends_p_q_run_0_2_t3 says"
        " that processor p sends the product of operands 0..2 to q at t = 3"
    )
