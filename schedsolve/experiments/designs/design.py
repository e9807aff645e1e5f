"""Finding a design: the best network of a class, the task on it, and what is proven."""

from __future__ import annotations

from typing import Unpack

from schedsolve.experiments.designs.fastest import FastestSearch
from schedsolve.experiments.designs.levels import PartStore
from schedsolve.experiments.designs.record import Design
from schedsolve.experiments.designs.search import DesignSearch, Progress, Sides
from schedsolve.experiments.designs.shared import SharedLevels
from schedsolve.experiments.designs.wanted import Wanted, no_such_option, wanted
from schedsolve.modelkit.result import Result, Status
from schedsolve.modelkit.search import Options
from schedsolve.network.classes.network_class import NetworkClass, Properties, class_of, network_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve import solve

SECONDS_FOR_BANDWIDTH = 60.0
"""How long the fewest rounds per chunk are looked for in a network whose steps are known to suffice."""
CANDIDATES_AT_ONCE = 12
"""Of more candidates, each may take a share of the time as of so many."""
SHARE_OF_COMPLETE = 4
"""The complete network takes at most one part in so many of the time limit."""


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


def fastest_network(
    model: str,
    task: str,
    nodes: int,
    *,
    edges: int | str | None = None,
    time_limit: float | None = None,
    progress: Progress = lambda _: None,
    **properties: Unpack[Properties],
) -> Design:
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
    if Wanted(model, task, NetworkClass(2)).designs.limit != "time":
        raise InputError(f"networks have no time in {model}: design() finds those with few links")
    return design(model, task, nodes, edges=edges, time_limit=time_limit, progress=progress, **properties)


def _designed(asked: Wanted, clock: Clock, every: bool, progress: Progress, levels: SharedLevels) -> Design:
    """Return the design that is asked for."""
    if asked.objective == "time":
        given = {"all": every, "workers": levels.workers, "dask": levels.dask, "store": levels.store}
        for option in (name for name, value in given.items() if value):
            raise no_such_option(option, asked.model)
        times = FastestSearch(asked, progress)
        result = times.run(clock)
        return Design(asked, _status(asked, times.sides, result), times.sides, result, None, clock.elapsed)
    complete = on_complete_network(asked, clock.limit)
    least = 1 if complete is None else int(complete.lower_bound or 0)
    if asked.limit is not None and asked.limit < least:
        sides = Sides(least, asked.edge_counts[0])
        return Design(asked, Status.INFEASIBLE, sides, None, complete, clock.elapsed)
    search = DesignSearch(asked, least, clock, every=every, progress=progress, decide=levels.decide)
    sides = search.run()
    if asked.timed:
        sides.time = asked.designs.bound(asked.task, asked.members, asked.edges)
    result = _fastest(asked, sides, clock.left) if sides.candidates else _scheduled(asked, sides)
    status = _status(asked, sides, result)
    return Design(asked, status, sides, result, complete, clock.elapsed, levels.taken)


def on_complete_network(asked: Wanted, time_limit: float | None) -> Result | None:
    """Return the task on the complete network, certified; None where the model's limit is a parameter."""
    if asked.designs.limit != "rounds":
        return None
    network = Network.from_spec(f"complete:{asked.members.nodes}")
    problem = asked.problem(network)
    seconds = None if time_limit is None else time_limit / SHARE_OF_COMPLETE
    return solve(problem, Options(time_limit=seconds, certify=True))


def _scheduled(asked: Wanted, sides: Sides) -> Result | None:
    """Return the task on the network that was found, with its schedules."""
    if sides.rows is None:
        return None
    problem = asked.problem(network_of(sides.rows, directed=asked.members.directed), sides.reached)
    decides = asked.designs.limit == "rounds"
    seconds = None if decides else SECONDS_FOR_BANDWIDTH
    result = solve(problem, Options(time_limit=seconds, certify=True, warm_start=sides.schedule))
    if result.schedule is None and result.status is not Status.FEASIBLE:
        raise AssertionError(f"the decision and the solver disagree on {problem.network.name}")
    return result


def _fastest(asked: Wanted, sides: Sides, left: float) -> Result | None:
    """Return the task on the candidate in which it takes the least time, and keep that candidate.

    Each has its share of the time; one that attains the least time of the class ends it.
    """
    best: Result | None = None
    clock = Clock(Options(time_limit=max(0.0, min(SECONDS_FOR_BANDWIDTH, left))))
    for place, rows in enumerate(sides.candidates):
        share = clock.left / min(CANDIDATES_AT_ONCE, len(sides.candidates) - place)
        if best is not None and share < SECONDS_FOR_BANDWIDTH / 1000:
            break
        problem = asked.problem(network_of(rows, directed=asked.members.directed), sides.reached)
        result = solve(problem, Options(time_limit=max(0.1, share), certify=True))
        if result.value is not None and (best is None or best.value is None or result.value < best.value):
            best, sides.rows, sides.edges = result, rows, len(result.problem.network.edges)
        if result.interrupted or (best is not None and best.value == sides.time):
            break
    return best


def _status(asked: Wanted, sides: Sides, result: Result | None) -> Status:
    """Return what is proven."""
    if result is None:
        return Status.INFEASIBLE if sides.finished and asked.limit is not None else Status.UNKNOWN
    if asked.limit is not None and asked.edges is not None:
        return Status.FEASIBLE
    proven = sides.finished and (not asked.timed or result.value == sides.time)
    return Status.OPTIMAL if proven else Status.BOUNDED
