"""The network of a class in which a task takes the least time, both sides proven."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack

from schedsolve.certify.text.text import schedule_lines
from schedsolve.experiments.designs.by_model import EXAMPLES
from schedsolve.experiments.designs.known import known_networks, symmetric_networks
from schedsolve.experiments.designs.levels import FASTEST_FORMAT, FastestDesigns, digest_of, form_hash
from schedsolve.experiments.designs.of_model import fastest_designs_of
from schedsolve.experiments.designs.search import Progress
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import LEAST_TIME, Result, Status, Value, result_to_json, value_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import NetworkClass, Properties, class_of, network_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted, did_you_mean, shown
from schedsolve.runtime.files.number_reader import whole_number
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve import solve

SECONDS_AFTER_INTERRUPT = 2.0
"""How long known networks are solved after Ctrl-C or SIGTERM, so that it leaves one."""


@dataclass(frozen=True)
class FastestNetwork:
    """What is known of the fastest network of a class.

    Attributes
    ----------
    model, task
        Their names.
    members
        The class.
    edges
        The most links that were asked for, None for any number.
    status
        "optimal" if no network of the class takes less time, which is proven; else "bounded" or "unknown".
    lower_bound
        A time that no network of the class goes below.
    result
        The task on the fastest network that was found, None without one.
    graphs, digest
        The number of networks in the class, one of each isomorphism class, and the digest of their canonical
        forms, as in `schedsolve.experiments.designs.levels.Level`; of none where counting proves the lower
        bound.
    others
        Results that exclude those networks of which one look at them does not.
    seconds
        How long it took.
    """

    model: str
    task: str
    members: NetworkClass
    edges: int | None
    status: Status
    lower_bound: Fraction
    result: Result | None
    graphs: int
    digest: str
    others: tuple[Result, ...]
    seconds: float

    def __repr__(self) -> str:
        return f"<FastestNetwork {self.model} {self.task}: {self.verdict}>"

    @property
    def network(self) -> Network | None:
        """The network, None if none was found."""
        return None if self.result is None else self.result.problem.network

    @property
    def value(self) -> Fraction | None:
        """The time of the task in the network, None without one."""
        return None if self.result is None or self.result.value is None else Fraction(self.result.value)

    @property
    def verdict(self) -> str:
        """What was found, in one line."""
        if self.network is None:
            return f"unknown: no network found; {LEAST_TIME.quantity(self.lower_bound)} at least"
        found = f"{LEAST_TIME.quantity(self.value)}, {counted(len(self.network.edges), 'link')}"
        if self.status is Status.OPTIMAL:
            return f"optimal: {found}, proven"
        return f"bounded: {found}; {LEAST_TIME.quantity(self.lower_bound)} at least"

    @property
    def lines(self) -> list[str]:
        """What was found, line by line: the network, its schedule, and how the others were excluded."""
        lines = [self.verdict]
        if self.result is not None and self.network is not None:
            links = " ".join(f"{u}-{v}" for u, v in self.network.edges)
            lines += [f"network {self.network.name.partition(':')[2]}: {links}"]
            lines += schedule_lines(self.result.problem, self.result.indexed, self.result.node_index)
        if self.status is Status.OPTIMAL and not self.graphs:
            lines.append(
                "no network with so many nodes and links takes less: by counting units and distances"
            )
        elif self.status is Status.OPTIMAL:
            lines.append(
                f"none of the {self.graphs} networks of the class takes less: {len(self.others)} of them were"
                " solved, the others are excluded by cuts, sends and distances"
            )
        return lines

    def to_json(self) -> dict[str, Any]:
        """Return what `design --json` prints and `check` reads."""
        rows_text = None if self.network is None else self.network.name.partition(":")[2]
        return {
            "format": FASTEST_FORMAT,
            "model": self.model,
            "task": self.task,
            "nodes": self.members.nodes,
            "class": self.members.to_json(),
            "asked": {"edges": "any" if self.edges is None else self.edges},
            "status": self.status.value,
            "value": value_to_json(self.value),
            "lower_bound": value_to_json(self.lower_bound),
            "network": rows_text,
            "result": None if self.result is None else result_to_json(self.result),
            "evidence": {
                "kind": "networks",
                "graphs": self.graphs,
                "digest": self.digest,
                "results": [result_to_json(result) for result in self.others],
            },
            "runtime_seconds": round(self.seconds, 3),
        }


def fastest_designs(model: str, task: str) -> FastestDesigns:
    """Return what the model brings for such designs of the task.

    Raises
    ------
    InputError
        If it brings none.
    """
    found = fastest_designs_of(model)
    if found is None:
        raise InputError(f"there are no designs for {model}; there are such as {', '.join(EXAMPLES)}")
    if task not in found.tasks:
        raise InputError(
            f"there are no designs for {model} {task}; there are for {', '.join(found.tasks)}"
            f"{did_you_mean(task, found.tasks)}"
        )
    return found


def fastest_network(
    model: str,
    task: str,
    nodes: int,
    *,
    edges: int | str | None = None,
    time_limit: float | None = None,
    progress: Progress = lambda _: None,
    **properties: Unpack[Properties],
) -> FastestNetwork:
    """Return the network of a class in which a task takes the least time, both sides proven where possible.

    ```pycon
    >>> from schedsolve import fastest_network
    >>> fastest_network("pipelined", "alltoall", 6, regular=3).verdict
    'optimal: time 7/3, 9 links, proven'

    ```

    Parameters
    ----------
    model, task
        Their names; the task is a collective without a source.
    nodes
        The number of nodes.
    edges
        The most links; any number if not given.
    time_limit
        Stop after so many CPU seconds with the best network and the bounds.
    progress
        Told what is being done.
    properties
        Of the class from which the network is chosen.

    Raises
    ------
    InputError
        If the model has no such design, no network is in the class, or nothing limits it.
    """
    clock, members = Clock(Options(time_limit=time_limit)), class_of(nodes, properties)
    designs = fastest_designs(model, task)
    most = None if edges in (None, "any") else whole_number(edges, 0, 10**6, text=True)
    if most is None and edges not in (None, "any"):
        raise InputError(f"--edges of a fastest network takes the most links, not {shown(edges)}")
    if members.directed:
        raise InputError(f"designs for {model} are undirected networks")
    if most is None and not members.limited:
        raise InputError(
            "the fastest network is the complete one: limit degrees (--regular) or links (--edges)"
        )
    if not members.edge_counts(most):
        raise InputError("no connected network of the class has so few links")
    search = _Search(model, task, members, most, designs, progress)
    search.run(clock)
    return search.found(clock.elapsed)


@dataclass
class _Search:
    """The networks of a class, in the order of what one look at each shows, solved until none is better."""

    model: str
    task: str
    members: NetworkClass
    edges: int | None
    designs: FastestDesigns
    progress: Progress
    graphs: int = 0
    hashes: int = 0
    whole: bool = False
    looks: list[tuple[Fraction, int, Rows]] = field(default_factory=list)
    solved: list[tuple[Fraction, Result]] = field(default_factory=list)
    best: Result | None = None

    def __post_init__(self) -> None:
        self.bound = self.designs.bound(self.task, self.members, self.edges)

    def run(self, clock: Clock) -> None:
        """Solve known networks that none of the class can beat, then generate the class, in half the time.

        Where the class is not generated to its end, the known networks are all solved.
        """
        try:
            self._look_at_known(clock)
            first = [look for look in self.looks if look[0] == self.bound]
            if self._solve(first, clock) == self.bound:
                return
            known, self.looks, self.solved = self.looks, [], []
            half = Clock(Options(time_limit=None if clock.limit is None else clock.limit / 2))
            with half.interrupting(grace=0.0):
                self._generate()
                self.whole = True
            self.looks += [] if self.whole else known
        except KeyboardInterrupt:
            clock = Clock(Options(time_limit=SECONDS_AFTER_INTERRUPT))
        self.looks.sort()
        self._solve(self.looks, clock)
        self.bound = max(self.bound, self._bound())

    def _solve(self, looks: list[tuple[Fraction, int, Rows]], clock: Clock) -> Value | None:
        """Solve the networks in this order while they may be better; return the best time."""
        for position, (look, _, rows) in enumerate(looks):
            value = None if self.best is None else self.best.value
            if value is not None and value <= look:
                break
            self.progress(
                f"{position} of {counted(len(looks), 'network')} solved, time {value_to_json(value)}"
            )
            left = None if clock.limit is None else max(0.0, clock.left)
            result = solve(self._problem(rows), Options(time_limit=left, certify=True))
            self.solved.append((look, result))
            if result.value is not None and (value is None or result.value < value):
                self.best = result
            if result.interrupted or clock.over:
                break
        return None if self.best is None else self.best.value

    def _generate(self) -> None:
        for edges in self.members.edge_counts(self.edges):
            for rows in self.members.members(edges):
                if self.graphs % 64 == 0:
                    self.progress(f"{counted(self.graphs, 'network')} generated")
                self._look_at(rows, edges)
                self.graphs += 1
                self.hashes += form_hash(rows)

    def _look_at_known(self, clock: Clock) -> None:
        for rows, edges in known_networks(self.members):
            if self.edges is None or edges <= self.edges:
                self._look_at(rows, edges)
        for rows, edges in symmetric_networks(self.members, self.members.edge_counts(self.edges)[-1]):
            if clock.over:
                return
            self._look_at(rows, edges)

    def _look_at(self, rows: Rows, edges: int) -> None:
        self.looks.append((self.designs.least_time(self._problem(rows)), edges, rows))

    def _problem(self, rows: Rows) -> Problem:
        return build_problem(self.model, self.task, network_of(rows))

    def _bound(self) -> Fraction:
        """Return a time that no network of the class goes below: the least of their lower bounds."""
        if not self.whole:
            return Fraction(0)
        bounds = [look for look, _, _ in self.looks[len(self.solved) :]]
        bounds += [max(look, Fraction(result.lower_bound or 0)) for look, result in self.solved]
        return min(bounds)

    def found(self, seconds: float) -> FastestNetwork:
        """Return what is known when the search has ended."""
        value = None if self.best is None else self.best.value
        if value is None:
            status = Status.UNKNOWN
        else:
            status = Status.OPTIMAL if value == self.bound else Status.BOUNDED
        others = tuple(result for look, result in self.solved if self.whole and look < self.bound)
        return FastestNetwork(
            self.model,
            self.task,
            self.members,
            self.edges,
            status,
            self.bound,
            self.best,
            self.graphs if self.whole else 0,
            digest_of(self.hashes if self.whole else 0),
            others,
            seconds,
        )
