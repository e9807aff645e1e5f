"""A design: the network that was found, its schedules, and the proof that none is better."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Unpack

from schedsolve.certify.text.text import schedule_lines
from schedsolve.experiments.designs.levels import DESIGN_FORMAT, PartStore
from schedsolve.experiments.designs.search import DesignSearch, Progress, Sides
from schedsolve.experiments.designs.shared import SharedLevels
from schedsolve.experiments.designs.wanted import Wanted, wanted
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import LEAST_TIME, Result, Status, result_to_json, value_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import Properties, class_of, graph_text, network_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve import solve

SECONDS_FOR_BANDWIDTH = 60.0
"""How long the fewest rounds per chunk are looked for in a network whose steps are known to suffice."""
CANDIDATES_AT_ONCE = 12
"""Of more candidates, each may take a share of the time as of so many."""
SHARE_OF_COMPLETE = 4
"""The complete network takes at most one part in so many of the time limit."""


@dataclass(frozen=True)
class Design:
    """What is known of a design.

    Attributes
    ----------
    wanted
        What was asked for.
    status
        "optimal" if both sides are proven; "feasible" or "infeasible" if rounds and links were given.
    sides
        The best network, the bounds and the levels that were decided.
    result
        The task on the network, with its schedules; None without one.
    complete
        The task on the complete network, which no network is faster than; None where it says nothing.
    seconds
        How long it took.
    taken
        How many parts of levels were taken from a store and not decided again, and of how many.
    """

    wanted: Wanted
    status: Status
    sides: Sides
    result: Result | None
    complete: Result | None
    seconds: float
    taken: tuple[int, int] = (0, 0)

    def __repr__(self) -> str:
        return f"<Design {self.wanted.model} {self.wanted.task}: {self.verdict}>"

    @property
    def verdict(self) -> str:
        """What was found, in one line."""
        taken, of = self.taken
        return f"{self._found}{_proven(self.status, taken, of)}"

    @property
    def _found(self) -> str:
        sides, name = self.sides, self.wanted.designs.limit
        if self.status is Status.INFEASIBLE:
            return f"infeasible: no network of the class takes {_count(self.wanted.limit or 0, name)}"
        if sides.edges is None or sides.reached is None:
            return f"unknown: no network found; it takes at least {_count(sides.limit, name)}"
        links, reached = _count(sides.edges, "links"), _count(sides.reached, name)
        found = f"{links}, {reached}"
        if self.wanted.any_links and not self.wanted.timed:
            found = f"{reached}, in a network with {links}"
        if self.status is Status.OPTIMAL:
            return f"optimal: {found}{f', {self._time}' if self.wanted.timed else ''}"
        if self.status is Status.FEASIBLE:
            return f"feasible: {found}"
        return f"bounded: {found}{self._open_side}"

    @property
    def _open_side(self) -> str:
        """What is not proven, in words."""
        sides, name = self.sides, self.wanted.designs.limit
        if self.wanted.timed and sides.reached == sides.limit:
            bound = LEAST_TIME.quantity(self.least_time)
            return f", {self._time}; {name} proven, {bound} at least"
        if sides.reached != sides.limit:
            return f"; it takes at least {_count(sides.limit, name)}"
        return f"; at least {_count(sides.lower, 'links')}"

    @property
    def least_time(self) -> Fraction | None:
        """A time that no network of the class goes below, where the least time is wanted."""
        return _class_bound(self.wanted) if self.wanted.timed else None

    @property
    def _time(self) -> str:
        return LEAST_TIME.quantity(None if self.result is None else self.result.value)

    @property
    def lines(self) -> list[str]:
        """What was found, line by line: the network, its schedule, and what was excluded."""
        lines, sides, name = [self.verdict], self.sides, self.wanted.designs.limit
        if self.result is not None:
            network, arrow = self.result.problem.network, "->" if self.wanted.members.directed else "-"
            links = " ".join(f"{u}{arrow}{v}" for u, v in network.edges)
            lines += [f"network {self._text(sides.rows or ())}: {links}"]
            lines += schedule_lines(self.result.problem, self.result.indexed, self.result.node_index)
        fewest = 0 if sides.reached is None else self.wanted.question(sides.reached).fewest_links
        if fewest > self.wanted.members.edge_counts()[0]:
            lines.append(f"fewer than {fewest} links do not suffice, by the degrees of neighbours")
        for limit in sorted({level.limit for level in sides.levels}):
            levels = [level for level in sides.levels if level.limit == limit]
            shown = ", ".join(f"{_count(level.edges, 'links')}: {level.graphs}" for level in levels)
            lines.append(f"none of these networks takes {_count(limit, name)}: {shown}")
        if sides.all is not None:
            lines += [f"all {len(sides.all)}:", *(f"  {self._text(rows)}" for rows in sides.all)]
        return lines

    def _text(self, rows: Rows) -> str:
        """Return the graph6 or digraph6 string."""
        return graph_text(rows, directed=self.wanted.members.directed)

    @property
    def network(self) -> Network | None:
        """The network, None if none was found."""
        return None if self.result is None else self.result.problem.network

    @property
    def networks(self) -> list[Network] | None:
        """All best networks, where they were asked for and found; else None."""
        found = self.sides.all
        if found is None:
            return None
        return [network_of(rows, directed=self.wanted.members.directed) for rows in found]

    def to_json(self) -> dict[str, Any]:
        """Return the design as the JSON object that `design --json` prints and `check` reads."""
        sides, members, asked = self.sides, self.wanted.members, self.wanted
        name = asked.designs.limit

        proven = sides.reached == sides.limit
        limit, edges = asked.limit, asked.edges
        data: dict[str, Any] = {
            "format": DESIGN_FORMAT,
            "model": asked.model,
            "task": asked.task,
            "nodes": members.nodes,
            "class": members.to_json(),
            **({"source": asked.choice} if asked.has_source else {}),
            **asked.designs.parameters,
            "asked": {
                name: "least" if limit is None else limit,
                "edges": "any" if asked.any_links else "least" if edges is None else edges,
            },
            "status": self.status.value,
            "edges": sides.edges,
            name: sides.reached,
            "lower_bound": sides.lower if proven else members.edge_counts()[0],
            **({f"least_{name}": sides.limit} if limit is None else {}),
            **({"least_time": value_to_json(self.least_time)} if asked.timed else {}),
            "network": None if sides.rows is None else self._text(sides.rows),
            **({} if sides.all is None else {"networks": [self._text(rows) for rows in sides.all]}),
            "result": None if self.result is None else result_to_json(self.result),
            "evidence": {
                "kind": "generation",
                "complete": None if self.complete is None else result_to_json(self.complete),
                "levels": [level.to_json() for level in sides.levels],
            },
            "runtime_seconds": round(self.seconds, 3),
            **(
                {"taken_from_store": dict(zip(("parts", "of"), self.taken, strict=True))}
                if self.taken[0]
                else {}
            ),
        }
        return data


def _proven(status: Status, taken: int, of: int) -> str:
    """Return that an optimum is proven, or how much of what was decided was taken from a store."""
    if taken:
        return f"; {taken} of {counted(of, 'part')} of what was decided taken from the store, not recomputed"
    return ", proven" if status is Status.OPTIMAL else ""


def _count(number: int, unit: str) -> str:
    """Return such as "1 round" or "2 rounds"."""
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


def design(
    model: str,
    task: str,
    nodes: int,
    *,
    rounds: int | str | None = None,
    steps: int | str | None = None,
    edges: int | str | None = None,
    source: str | None = None,
    ports: int | str | None = None,
    every: bool = False,
    time_limit: float | None = None,
    workers: int | None = None,
    dask: str | None = None,
    store: PartStore | None = None,
    progress: Progress = lambda _: None,
    **properties: Unpack[Properties],
) -> Design:
    """Return the sparsest network with the fewest rounds of a task, both sides proven where possible.

    ```pycon
    >>> from schedsolve import design
    >>> design("telephone", "gossip", 6).verdict
    'optimal: 6 links, 3 rounds, proven'

    ```

    Parameters
    ----------
    model, task, nodes
        Their names, and the number of nodes.
    rounds, steps, edges
        The number of rounds, or of steps where the model counts these, and the most links; the least of
        each if not given.
    source
        Of a broadcast: "max" (or "all"), every source takes so many rounds, or "min" (or "one"), one does.
    ports
        In the line model: in how many calls of a round a node may take part, a number or "all" (the default).
    every
        Return every best network.
    time_limit
        Stop after so many CPU seconds (see `SharedLevels.clock`) with the best network and the bounds.
    workers, dask
        The number of processes (1) that decide networks; or a Dask scheduler's address, or "local".
    store
        Keeps what is decided, such as an open `schedsolve.solving.store.Store`; a search run again resumes.
    progress
        Told what is being done.
    properties
        Of the class from which the network is chosen.

    Raises
    ------
    InputError, WorkError
        If the model has no such design, or no network is in the class; if workers die of their work.
    """
    members = class_of(nodes, properties)
    asked = wanted(model, task, members, source=source, rounds=rounds, steps=steps, edges=edges, ports=ports)
    with SharedLevels(model, workers, dask, store) as levels:
        return _designed(asked, levels.clock(time_limit), every, progress, levels)


def _designed(asked: Wanted, clock: Clock, every: bool, progress: Progress, levels: SharedLevels) -> Design:
    """Return the design that is asked for."""
    complete = on_complete_network(asked, clock.limit)
    least = 1 if complete is None else int(complete.lower_bound or 0)
    if asked.limit is not None and asked.limit < least:
        sides = Sides(least, asked.edge_counts[0])
        return Design(asked, Status.INFEASIBLE, sides, None, complete, clock.elapsed)
    search = DesignSearch(asked, least, clock, every=every, progress=progress, decide=levels.decide)
    sides = search.run()
    result = _fastest(asked, sides, clock.left) if sides.candidates else _scheduled(asked, sides)
    status = _status(asked, sides, result)
    return Design(asked, status, sides, result, complete, clock.elapsed, levels.taken)


def on_complete_network(asked: Wanted, time_limit: float | None) -> Result | None:
    """Return the task on the complete network, certified; None where the model's limit is a parameter."""
    if asked.designs.limit != "rounds":
        return None
    network = Network.from_spec(f"complete:{asked.members.nodes}")
    problem = problem_on(asked, network, None)
    seconds = None if time_limit is None else time_limit / SHARE_OF_COMPLETE
    return solve(problem, Options(time_limit=seconds, certify=True))


def _scheduled(asked: Wanted, sides: Sides) -> Result | None:
    """Return the task on the network that was found, with its schedules."""
    if sides.rows is None:
        return None
    problem = problem_on(asked, network_of(sides.rows, directed=asked.members.directed), sides.reached)
    decides = asked.designs.limit == "rounds"
    seconds = None if decides else SECONDS_FOR_BANDWIDTH
    result = solve(problem, Options(time_limit=seconds, certify=True, warm_start=sides.schedule))
    if result.schedule is None and result.status is not Status.FEASIBLE:
        raise AssertionError(f"the decision and the solver disagree on {problem.network.name}")
    return result


def _class_bound(asked: Wanted) -> Fraction:
    """Return a time that no network of the class goes below."""
    least_time, members = asked.designs.least_time, asked.members
    return (
        Fraction(0) if least_time is None else least_time(asked.task, members.nodes, members.largest_degree)
    )


def _fastest(asked: Wanted, sides: Sides, left: float) -> Result | None:
    """Return the task on the candidate in which it takes the least time, and keep that candidate.

    Each has its share of the time; one that attains the least time of the class ends it.
    """
    bound, best = _class_bound(asked), None
    clock = Clock(Options(time_limit=max(0.0, min(SECONDS_FOR_BANDWIDTH, left))))
    for place, rows in enumerate(sides.candidates):
        share = clock.left / min(CANDIDATES_AT_ONCE, len(sides.candidates) - place)
        if best is not None and share < SECONDS_FOR_BANDWIDTH / 1000:
            break
        problem = problem_on(asked, network_of(rows, directed=asked.members.directed), sides.reached)
        result = solve(problem, Options(time_limit=max(0.1, share), certify=True))
        if result.value is not None and (best is None or best.value is None or result.value < best.value):
            best, sides.rows, sides.edges = result, rows, len(result.problem.network.edges)
        if result.interrupted or (best is not None and best.value == bound):
            break
    return best


def problem_on(asked: Wanted, network: Network, limit: int | None) -> Problem:
    """Return the task on a network, with a number of rounds to decide, or a number of steps."""
    options = {asked.designs.limit: limit, "source": asked.choice if asked.has_source else None}
    return build_problem(asked.model, asked.task, network, {**options, **asked.designs.parameters})


def _status(asked: Wanted, sides: Sides, result: Result | None) -> Status:
    """Return what is proven."""
    given = asked.limit is not None and asked.edges is not None
    if sides.reached is None:
        none = sides.finished and asked.limit is not None
        return Status.INFEASIBLE if none else Status.UNKNOWN
    if given:
        return Status.FEASIBLE
    if asked.timed and (result is None or result.value != _class_bound(asked)):
        return Status.BOUNDED
    return Status.OPTIMAL if sides.finished else Status.BOUNDED
