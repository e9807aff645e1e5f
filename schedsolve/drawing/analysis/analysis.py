"""What an analysis of a schedule holds.

Time-paths, how every item spreads, and a model's own tables; pure data.

References
----------
Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Definition 3.3. The complexity defined there is
read as the maximum over the pairs of nodes of the least global time of a time-path between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.display.presentation import analysis_text, problem_text
from schedsolve.runtime.errors import InputError, counted

Cell = int | str


@dataclass(frozen=True)
class TimePath:
    """A simple path and the increasing rounds in which a message crosses its arcs.

    ```pycon
    >>> path = TimePath((0, 1, 2), (2, 5))
    >>> path.start_delay, path.delays, path.global_time
    (1, (2,), 5)

    ```

    nodes: the nodes in order, at least one.
    rounds: for every arc the round of the call that crosses it; one fewer than the nodes.
    """

    nodes: tuple[int, ...]
    rounds: tuple[int, ...]

    @property
    def start_delay(self) -> int:
        """The rounds that pass before the first call; 0 for a path without arcs."""
        return self.rounds[0] - 1 if self.rounds else 0

    @property
    def delays(self) -> tuple[int, ...]:
        """For every inner node, in order, the delay between being informed and calling.

        In rounds, between the call that informs it and the call that it makes.
        """
        return tuple(after - before - 1 for before, after in pairwise(self.rounds))

    @property
    def global_delay(self) -> int:
        """The start delay and the delays together, in rounds."""
        return self.start_delay + sum(self.delays)

    @property
    def global_time(self) -> int:
        """The number of arcs plus the global delay, which is the last round; 0 for a path without arcs."""
        return len(self.rounds) + self.global_delay


@dataclass(frozen=True)
class Spread:
    """How one item spreads, every node being informed as early as the schedule allows.

    Attributes
    ----------
    origins
        The nodes that hold the item at the start, ascending.
    wanted
        The other nodes that must hold it at the end, ascending.
    arrivals
        For every node the round after which it first holds the item; 0 at an origin, None where it never
        arrives.
    senders
        For every node the node that it first gets the item from; None at an origin and where it never
        arrives.
    """

    origins: tuple[int, ...]
    wanted: tuple[int, ...]
    arrivals: tuple[int | None, ...]
    senders: tuple[int | None, ...]

    def path(self, node: int) -> TimePath | None:
        """Return the time-path from an origin to a node whose every part arrives as early as possible.

        None when the item never arrives.
        """
        arrival = self.arrivals[node]
        if arrival is None:
            return None
        nodes, rounds = [node], []
        sender = self.senders[node]
        while sender is not None:
            assert arrival is not None
            nodes.append(sender)
            rounds.append(arrival)
            arrival, sender = self.arrivals[sender], self.senders[sender]
        return TimePath(tuple(reversed(nodes)), tuple(reversed(rounds)))


@dataclass(frozen=True)
class NodeDelay:
    """What a node adds to the critical time-paths.

    Attributes
    ----------
    waiting
        The sum of the delays of the paths that have it as an inner node, in rounds.
    starting
        The sum of the start delays of the paths that begin there, in rounds.
    paths
        The number of critical paths that pass through it, begin or end there.
    """

    node: int
    waiting: int
    starting: int
    paths: int


@dataclass(frozen=True)
class Table:
    """A titled table of a model's own, with remarks below it; every row has the length of the header.

    Attributes
    ----------
    name
        A word for it, by which `Analysis.table` finds it.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remarks: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, repr=False)
class Analysis:
    """Why a schedule takes as long as it does.

    A pair is an item and a node that must get it and does not hold it at the start.

    Attributes
    ----------
    problem
        The problem, its source or root given.
    rounds
        The number of rounds of the schedule.
    spreads
        One for every item of the task, by item.
    notes
        What the model adds.
    """

    problem: Problem
    rounds: int
    spreads: tuple[Spread, ...]
    notes: tuple[Table, ...] = ()

    def __repr__(self) -> str:
        tables = "".join(f", {table.name}" for table in self.notes)
        return f"<Analysis {problem_text(self.problem)}: {counted(self.rounds, 'round')}{tables}>"

    def __str__(self) -> str:
        """Return what the command line prints."""
        return analysis_text(self)

    def table(self, name: str) -> Table:
        """Return the model's table of that name.

        Raises
        ------
        InputError
            If there is none.
        """
        for table in self.notes:
            if table.name == name:
                return table
        names = ", ".join(table.name for table in self.notes if table.name)
        raise InputError(f"this analysis has no table '{name}'; it has {names or 'none'}")

    def pairs(self) -> Iterator[tuple[Spread, int]]:
        """Every pair of an item, by its spread, and a node that must get it, in order."""
        return ((spread, node) for spread in self.spreads for node in spread.wanted)

    @cached_property
    def pair_count(self) -> int:
        """The number of pairs."""
        return sum(len(spread.wanted) for spread in self.spreads)

    @cached_property
    def unreached(self) -> tuple[tuple[Spread, int], ...]:
        """The pairs whose item never arrives."""
        return tuple((spread, node) for spread, node in self.pairs() if spread.arrivals[node] is None)

    @cached_property
    def last_arrival(self) -> int:
        """The greatest arrival round of a pair whose item arrives; 0 when there is none."""
        return max((spread.arrivals[node] or 0 for spread, node in self.pairs()), default=0)

    @property
    def complexity(self) -> int | None:
        """The rounds that the schedule needs.

        The maximum over the pairs of the least global time; None when some pair is unreached.
        """
        return None if self.unreached else self.last_arrival

    @cached_property
    def critical_paths(self) -> tuple[TimePath, ...]:
        """The time-paths of the pairs that are reached last."""
        last = self.last_arrival
        paths = (spread.path(node) for spread, node in self.pairs() if spread.arrivals[node] == last)
        return tuple(path for path in paths if path is not None)

    @cached_property
    def node_delays(self) -> tuple[NodeDelay, ...]:
        """The nodes at which critical paths lose time.

        The greatest loss, waiting and starting together, first, then by node.
        """
        n = self.problem.network.node_count
        waiting, starting, count = [0] * n, [0] * n, [0] * n
        for path in self.critical_paths:
            starting[path.nodes[0]] += path.start_delay
            for node, delay in zip(path.nodes[1:-1], path.delays, strict=True):
                waiting[node] += delay
            for node in path.nodes:
                count[node] += 1
        found = [
            NodeDelay(v, waiting[v], starting[v], count[v]) for v in range(n) if waiting[v] + starting[v]
        ]
        return tuple(sorted(found, key=lambda delay: (-delay.waiting - delay.starting, delay.node)))

    def spread_from(self, origin: int) -> Spread | None:
        """Return the spread of the item that a node holds at the start; None when it holds none."""
        return next((spread for spread in self.spreads if origin in spread.origins), None)
