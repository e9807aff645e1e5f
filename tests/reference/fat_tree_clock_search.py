"""Least times by the clock on tiny fat-trees, of broadcasts and of associative operations, by trying every
way of sending time by time; shares no code with the package.

A state at a time is what every processor can make and what is under way. Before a limit is passed, every set
of messages that fits the channels is sent from every state, idle processors among them; only a message that
would arrive after the limit, or that brings nothing new, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from tests.reference.fat_tree_brute_force import Held, closure, fits, path

Run = tuple[int, int]


class Flying(NamedTuple):
    """A message under way: the ends, how long ago it was sent, and the run that it brings."""

    sender: int
    receiver: int
    age: int
    run: Run


State = tuple[tuple[Held, ...], frozenset[Flying]]


def clock_optimum(n: int, capacities: Sequence[int], source: int = 0) -> int:
    """The least time of a broadcast by the clock."""
    message: Run = 0, 0
    start = tuple(frozenset([message] if p == source else []) for p in range(n))
    return _least_time(n, tuple(capacities), start, dict.fromkeys(range(n), message))


def associative_clock_optimum(n: int, capacities: Sequence[int], wanted: Mapping[int, Run]) -> int:
    """The least time by the clock until everybody can make the product that is wanted of them, sending any
    product they can make.
    """
    start = tuple(frozenset({(p, p)}) for p in range(n))
    return _least_time(n, tuple(capacities), start, wanted)


def _least_time(
    n: int, capacities: tuple[int, ...], start: tuple[Held, ...], wanted: Mapping[int, Run]
) -> int:
    limit = 0
    while not _suffices(n, capacities, start, wanted, limit):
        limit += 1
    return limit


def _suffices(
    n: int, capacities: tuple[int, ...], start: tuple[Held, ...], wanted: Mapping[int, Run], limit: int
) -> bool:
    level: set[State] = {(start, frozenset())}
    for left in range(limit, -1, -1):
        arrived = {
            state
            for state in (_arrived(state, n, wanted, left) for state in level)
            if _hopes(state, n, wanted, left)
        }
        if any(all(run in held[p] for p, run in wanted.items()) for held, _ in arrived):
            return True
        level = {
            (held, frozenset(m._replace(age=m.age + 1) for m in under_way.union(sent)))
            for held, under_way in arrived
            for sent in _sendings(held, under_way, n, capacities, wanted, left)
        }
    return False


def _arrived(state: State, n: int, wanted: Mapping[int, Run], left: int) -> State:
    """What is held once what is due has arrived, and what is still under way; runs that serve nobody any more
    are forgotten.
    """
    due = [m for m in state[1] if m.age == time_of(m.sender, m.receiver, n)]
    held = list(state[0])
    for m in due:
        held[m.receiver] = closure(held[m.receiver] | {m.run})
    kept = tuple(
        frozenset(run for run in runs if _serves(q, run, n, wanted, left)) for q, runs in enumerate(held)
    )
    return kept, state[1].difference(due)


@cache
def time_of(sender: int, receiver: int, n: int) -> int:
    """How long a message takes, and 0 to oneself."""
    return len(path(sender, receiver, n)) if sender != receiver else 0


def _hopes(state: State, n: int, wanted: Mapping[int, Run], left: int) -> bool:
    """Whether every operand is near enough to whoever wants it, if channels were wide."""
    places = [(q, 0, run) for q, runs in enumerate(state[0]) for run in runs]
    places += [(m.receiver, time_of(m.sender, m.receiver, n) - m.age, m.run) for m in state[1]]
    return all(
        any(first <= i <= last and wait + time_of(q, p, n) <= left for q, wait, (first, last) in places)
        for p, run in wanted.items()
        if run not in state[0][p]
        for i in range(run[0], run[1] + 1)
    )


def _serves(q: int, run: Run, n: int, wanted: Mapping[int, Run], left: int) -> bool:
    """Whether a run that is at q is part of what somebody wants whom q still reaches, or q itself wants."""
    return any(
        first <= run[0] and run[1] <= last and time_of(q, p, n) <= left for p, (first, last) in wanted.items()
    )


def _sendings(
    held: tuple[Held, ...],
    flying: frozenset[Flying],
    n: int,
    capacities: tuple[int, ...],
    wanted: Mapping[int, Run],
    left: int,
) -> Iterator[tuple[Flying, ...]]:
    """Every set of messages that can be sent now and serve somebody in the time left."""

    def choose(p: int, sent: tuple[Flying, ...]) -> Iterator[tuple[Flying, ...]]:
        if p == n:
            yield sent
            return
        yield from choose(p + 1, sent)
        for q in range(n):
            then = left - time_of(p, q, n)
            runs = [run for run in held[p] - held[q] if q != p and _serves(q, run, n, wanted, then)]
            more = frozenset((m.sender, m.receiver, -m.age) for m in flying.union(sent)) | {(p, q, 0)}
            if runs and _fits(more, n, capacities):
                for run in runs:
                    yield from choose(p + 1, (*sent, Flying(p, q, 0, run)))

    return choose(0, ())


@cache
def _fits(messages: frozenset[tuple[int, int, int]], n: int, capacities: tuple[int, ...]) -> bool:
    return fits(list(messages), n, capacities)
