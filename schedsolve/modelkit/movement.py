"""A schedule as data that move: in every step, which chunks one rank sends to another. What programs are made
of, and what their time is computed from, whatever the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from schedsolve.errors import InputError
from schedsolve.modelkit.collectives import Layout
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule

Link = tuple[int, int]
COLLECTIVE_OF_TASK = {"gossip": "allgather", "broadcast": "broadcast", "accumulation": "gather"}
"""What rounds of calls amount to. An accumulation brings all items to the root, each of its own."""


class Transfer(NamedTuple):
    """Chunks that one compute node sends to another within a step.

    sender, receiver: nodes of the network. chunks: their numbers, ascending. adds: whether the receiver adds
    them to its own; else they take their place. between: the nodes that the transfer only passes, in order.
    """

    sender: int
    receiver: int
    chunks: tuple[int, ...]
    adds: bool = False
    between: tuple[int, ...] = ()

    @property
    def links(self) -> tuple[Link, ...]:
        """The links that it crosses, in order."""
        return tuple(pairwise((self.sender, *self.between, self.receiver)))


class MovementStep(NamedTuple):
    """A step: how many rounds it lasts in its model, and its transfers. What is sent is what the sender had
    before the step.
    """

    rounds: int
    transfers: tuple[Transfer, ...]


@dataclass(frozen=True)
class Movement:
    """A collective carried out in steps.

    collective: its name. network: where; its compute nodes in order are the ranks. chunks: of a unit. steps:
    in order. root: the compute node where a rooted collective starts or ends.
    """

    collective: str
    network: Network
    chunks: int
    steps: tuple[MovementStep, ...]
    root: int | None = None

    @cached_property
    def rank(self) -> Mapping[int, int]:
        """The rank of every compute node."""
        return {v: i for i, v in enumerate(self.network.compute_nodes)}

    @cached_property
    def layout(self) -> Layout:
        """The buffers of the ranks."""
        root = 0 if self.root is None else self.rank[self.root]
        return Layout(self.collective, len(self.rank), self.chunks, root)

    @property
    def rounds(self) -> int:
        """The rounds of all steps."""
        return sum(step.rounds for step in self.steps)


def ends_of(network: Network, call: Call) -> tuple[int, ...]:
    """The path of a call that crosses one link."""
    return call[:2]


def movement_of_calls(
    problem: Problem,
    schedule: Schedule,
    chunks: int | None,
    path_of: Callable[[Network, Call], tuple[int, ...] | None] = ends_of,
) -> Movement:
    """The movement of calls that bring all that their senders know: every call sends what the receiver does
    not know yet, and of two calls that bring the same in one round the first.

    chunks: into how many an item is cut; 1 unless given. path_of: the nodes that a call goes through. Raises
    InputError for a task that is no collective, more sources than one, and a clocked schedule.
    """
    collective = COLLECTIVE_OF_TASK.get(problem.task)
    if collective is None or schedule.messages is not None:
        raise InputError(
            f"a {problem.task} of {problem.model} is no collective; programs are for"
            f" {', '.join(COLLECTIVE_OF_TASK)}"
        )
    root = None
    if collective != "allgather":
        root, *others = problem.sources
        if others:
            raise InputError(f"a program's {problem.task} has one source, and this one has {1 + len(others)}")
    network, count = problem.network, chunks or 1
    held = list(problem.demand().start)
    steps = []
    for calls in schedule.rounds:
        before, transfers = list(held), []
        for call in calls:
            path = path_of(network, call) or call[:2]
            for way in (path, path[::-1]) if call.two_way else (path,):
                sender, receiver = way[0], way[-1]
                fresh = before[sender] & ~held[receiver]
                items = [i for i in range(fresh.bit_length()) if fresh >> i & 1]
                held[receiver] |= fresh
                numbers = tuple(i * count + j for i in items for j in range(count))
                if numbers:
                    transfers.append(Transfer(sender, receiver, numbers, between=way[1:-1]))
        steps.append(MovementStep(count, tuple(transfers)))
    return Movement(collective, network, count, tuple(steps), root)
