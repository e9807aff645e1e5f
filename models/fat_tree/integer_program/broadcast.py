"""A broadcast on the fat-tree as an integer program, by counts.

A unit of time is one step by the clock, and two steps in rounds.

The processors are renamed by the symmetries of the tree, so that the source comes first in each of its
subtrees, and in every other subtree the first one is informed first (`claims.formula`). Processor p
stands for the one with the number p xor the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest, IntegerFormulation, Solved, is_one

from ..claims.formula import BroadcastFormula, declare_variables
from ..constructions.searched_broadcast import schedule_from_places
from ..rules.tree import in_rounds, tree_of


@dataclass
class Variables:
    """The variables of a program: those of the plain formula, and the time if it is minimized."""

    f: BroadcastFormula
    program: IntegerProgram = field(default_factory=IntegerProgram)
    time: int | None = None

    @property
    def receivers(self) -> range:
        """All processors but the source."""
        return range(1, self.f.tree.processors)

    @property
    def times(self) -> range:
        """The points of time."""
        return range(self.f.last + 1)

    def subtrees(self, height: int) -> Iterator[range]:
        """Yield the processors of every subtree of a height."""
        return (range(a << height, (a + 1) << height) for a in range(self.f.tree.subtrees(height)))


def reached_once(x: Variables) -> Iterator[Row]:
    """Every processor but the source receives exactly one message."""
    for p in x.receivers:
        yield compare([r for t in x.times for r in x.f.received(p, t)], "=", constant=1)


def held_from_arrival(x: Variables) -> Iterator[Row]:
    """Processors hold the message from the time when they receive it."""
    for (p, t), informed in x.f.informed.items():
        before = [x.f.informed[p, t - 1]] if (p, t - 1) in x.f.informed else []
        yield compare([informed], "=", [*before, *x.f.received(p, t)])


def senders_are_informed(x: Variables) -> Iterator[Row]:
    """Processors send at most one message at a time, and none unless they hold the message then."""
    for p in range(x.f.tree.processors):
        for t in x.times:
            sent = x.f.sent(p, t)
            if sent and p:
                yield compare(sent, "<=", [x.f.informed[p, t]])
            elif sent:
                yield compare(sent, "<=", constant=1)


def halves_exchange(x: Variables) -> Iterator[Row]:
    """Messages received from the other half are as many as were sent from there, their duration earlier."""
    for h in range(1, x.f.tree.height + 1):
        for number, here in enumerate(x.subtrees(h - 1)):
            there = range((number ^ 1) << (h - 1), ((number ^ 1) + 1) << (h - 1))
            for t in x.times:
                sent = [x.f.sends[p, t, h] for p in here if (p, t, h) in x.f.sends]
                arrival = t + x.f.delay(h)
                received = [x.f.receives[q, arrival, h] for q in there if (q, arrival, h) in x.f.receives]
                if sent or received:
                    yield compare(sent, "=", received)


def channels_hold(x: Variables) -> Iterator[Row]:
    """At most w(2^j) messages leave, and enter, a subtree of height j at a time."""
    for j in range(x.f.tree.height):
        most = x.f.tree.capacities[j]
        for part in x.subtrees(j):
            for t in x.times:
                for count in (x.f.sent, x.f.received):
                    crossing = [variable for p in part for variable in count(p, t, j)]
                    if len(crossing) > most:
                        yield compare(crossing, "<=", constant=most)


def first_informed_first(x: Variables) -> Iterator[Row]:
    """First processors of subtrees are informed no later than the first ones of the other halves."""
    for h in range(1, x.f.tree.height + 1):
        for part in x.subtrees(h):
            first, other = part[0], part[len(part) // 2]
            for t in x.times:
                if (first, t) in x.f.informed and (other, t) in x.f.informed:
                    yield compare([x.f.informed[other, t]], "<=", [x.f.informed[first, t]])


def sent_when_rounds_begin(x: Variables) -> Iterator[Row]:
    """In rounds messages are sent when a round begins."""
    for (_, t, _), sends in x.f.sends.items() if x.f.rounds else ():
        yield compare([sends], "<=", [x.f.begins[t]])


def rounds_wait(x: Variables) -> Iterator[Row]:
    """In rounds no round begins before all messages have arrived."""
    for (_, t, h), sends in x.f.sends.items() if x.f.rounds else ():
        for u in range(t + 1, t + h):
            yield compare([sends, x.f.begins[u]], "<=", constant=1)


def time_of_last_arrival(x: Variables) -> Iterator[Row]:
    """Time is at least that of the last arrival."""
    for p in x.receivers if x.time is not None else ():
        arrivals = {r: t for t in x.times for r in x.f.received(p, t)}
        yield compare([] if x.time is None else [x.time], ">=", arrivals)


FAMILIES: tuple[Callable[[Variables], Iterator[Row]], ...] = (
    reached_once,
    held_from_arrival,
    senders_are_informed,
    halves_exchange,
    channels_hold,
    first_informed_first,
    sent_when_rounds_begin,
    rounds_wait,
    time_of_last_arrival,
)


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "a broadcast takes at most `request.limit`", or for the least time."""
    problem = request.problem
    f = BroadcastFormula(tree_of(problem), request.limit, in_rounds(problem))
    x = Variables(f)
    if request.minimise:
        x.time = x.program.variable("time", upper=f.last)
        x.program.costs = {x.time: 2 if f.rounds else 1}
    declare_variables(f, lambda: x.program.variable(""))
    for number, name in f.names().items():
        x.program.variables[number] = replace(x.program.variables[number], name=name)
    x.program.require(FAMILIES, x)

    def read(value: Callable[[str], float]) -> Solved:
        def chosen(table: dict[tuple[int, int, int], int]) -> list[tuple[int, int, int]]:
            return [place for place, v in table.items() if is_one(value(x.program.variables[v].name))]

        return problem, schedule_from_places(problem, f, chosen(f.sends), chosen(f.receives))

    return IntegerFormulation(x.program, read, meaning(request))


def meaning(request: FormulationRequest) -> str:
    """Return in a sentence what a solution means."""
    unit = "two steps" if in_rounds(request.problem) else "a step"
    return (
        f"a schedule of at most time {request.limit}, a unit of t being {unit}; receives_p_t3_height2 says"
        " that processor p receives at t = 3 from one that it meets at height 2, and processors are named by"
        " the tree's symmetries so that the source is first"
    )
