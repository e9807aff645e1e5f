"""The best schedule for each size of a message on a machine.

The frontier of steps and the optimum of long messages, solved, timed by dependencies, and compared with rings
on the links and with NCCL's own model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Unpack

from schedsolve.errors import InputError
from schedsolve.machines.known_costs import known_hardware
from schedsolve.machines.movements import SavedSchedule
from schedsolve.machines.nccl_model import AMPERE, HOPPER, MOST_CHANNELS, VOLTA, Machine, nccl_seconds
from schedsolve.machines.optimum import ProvenTime, long_message_model
from schedsolve.machines.rivals import ring_count, rings_on_links
from schedsolve.machines.times import costs_for, price_of, size_of
from schedsolve.machines.timing import Costs, Timing, timing
from schedsolve.modelkit.collectives import ONE_UNIT
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Asked, Options, asked_options
from schedsolve.models import build_problem, models
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.presentation import problem_text
from schedsolve.report.text import table_lines
from schedsolve.result import Result, Status, schedule_totals, value_to_json
from schedsolve.solving.constructions import construct, result_of
from schedsolve.solving.solve import solve
from schedsolve.tabular import Tabular

ROWS_OF_STEPS = 3
"""Numbers of steps that are solved for, from the least that there is."""
ROWS_BUILT, CONSTRUCTING = 4, 0.5
"""Further numbers of steps, for which schedules are constructed only, and the seconds that searches among
these have.
"""
SHORTEST = 0.1
"""Seconds of a solve."""
MOST_STEPS, DEFAULT_SECONDS = 64, 60.0
SHARE_OF_LONG, SHARE_BUILT = 0.4, 0.1
"""Of the time limit, for the optimum of long messages, and for constructions."""


@dataclass(frozen=True)
class Candidate:
    """A schedule that may be the best for some size. name: in words."""

    name: str
    result: Result
    source: SavedSchedule


@dataclass(frozen=True)
class PlanRow:
    """The best schedule for a size.

    size: as nccl-tests counts it. rings: what rings on the links take, if there are any. nccl: what NCCL's
    model says, in seconds, and whether of a ring or a tree.
    """

    size: int
    best: Candidate
    timing: Timing
    rings: Timing | None
    nccl: tuple[float, str] | None


@dataclass(frozen=True, repr=False)
class Plan(Tabular):
    """What was found, and the best of it for every size.

    The schedule for a size is that of `rows[i].best.result`, which `write_program` and `save_result` take.

    proven: the least time of a long unit, if a bound is known. source: where alpha and beta are from, when
    they were not given.
    """

    candidates: tuple[Candidate, ...]
    rows: tuple[PlanRow, ...]
    proven: ProvenTime | None
    costs: Costs
    source: str

    def __repr__(self) -> str:
        sizes = ", ".join(size_text(row.size) for row in self.rows)
        return f"<Plan {problem_text(self.candidates[0].result.problem)}: {sizes}>"

    def __str__(self) -> str:
        """Return the table that the command line prints."""
        return "\n".join(table_lines(HEADER, [row_cells(row, self.proven) for row in self.rows]))

    def records(self) -> list[dict[str, Any]]:
        """Return a row for each size; times are seconds, bandwidths GB/s."""
        return [row_to_json(row, self.proven) for row in self.rows]


def plan_of_sizes(
    task: str,
    network: NetworkLike,
    size: int | str | Iterable[int | str],
    *,
    alpha: float | str | Fraction | None = None,
    beta: float | str | Fraction | None = None,
    node: Any = None,
    options: Options | None = None,
    **keywords: Unpack[Asked],
) -> Plan:
    """Return the best certified schedule of a collective on a machine for each size.

    Parameters
    ----------
    task
        A collective, such as "allreduce".
    network
        A machine such as "dgx1", or what `Network.of` takes.
    size
        One size or several, as nccl-tests counts them: bytes of a rank's larger buffer, such as "64MB".
    alpha, beta
        Seconds of latency of a message, and seconds a byte on a link of bandwidth 1, exact as text; those of
        the machine unless given.
    node
        The source or the root, where there is one; the first unless given.
    options, keywords
        How to solve; the time limit, 60 s unless given, is that of everything.

    Raises
    ------
    InputError
        For what cannot be posed, and where no schedule was found.
    """
    several = isinstance(size, Iterable) and not isinstance(size, str)
    given: Any = size if several else [size]
    sizes = [size_of(one) for one in given]
    if not sizes:
        raise InputError("a plan is for one size or several, such as 64MB")
    latency, price = price_of(alpha, "alpha"), price_of(beta, "beta")
    asked = asked_options(options, keywords).watched()
    return plan(
        task,
        Network.of(network),
        sizes,
        lambda machine, count: costs_for(machine, latency, price, count),
        node=node,
        options=asked if asked.time_limit else replace(asked, time_limit=DEFAULT_SECONDS),
    )


def plan(
    task: str,
    network: Network,
    sizes: Sequence[int],
    costs: Callable[[Network, int], tuple[Costs, str]],
    *,
    node: Any = None,
    options: Options | None = None,
) -> Plan:
    """Return the best schedule for each size.

    task: a collective. sizes: bytes, as nccl-tests counts them: of a rank's larger buffer. costs: alpha and
    beta for a network and the bytes of a unit. node: the label of the source or the root, where there is one;
    the first unless given. options: how to solve; the time limit is that of everything. Raises InputError for
    what cannot be posed, and where no schedule was found.
    """
    given = options or Options(time_limit=DEFAULT_SECONDS)
    _, source = costs(network, 1)
    found = tuple(_candidates(task, network, node, given))
    if not found:
        raise InputError(f"no schedule was found for {task} on {network.name or 'the network'} in the time")
    proven = _proven(found)
    rows = tuple(_row(size, found, costs) for size in sizes)
    taken = [row.best for row in rows]
    found = tuple(one for number, one in enumerate(found) if number <= ROWS_OF_STEPS or one in taken)
    return Plan(found, rows, proven, rows[0].timing.costs, source)


def _candidates(task: str, network: Network, node: Any, options: Options) -> Iterator[Candidate]:
    """Yield the optimum of long messages, and schedules in few steps, each with more.

    Where nothing is solved in the time, what algorithms construct for long messages takes its place. The
    first numbers of steps are solved for; with more, algorithms build what may be faster for messages of a
    middle size.
    """
    start, limit = time.monotonic(), options.time_limit or DEFAULT_SECONDS
    problem = _problem(long_message_model(), task, network, node, {})
    result = solve(problem, replace(options, time_limit=SHARE_OF_LONG * limit))
    if result.indexed is not None:
        yield Candidate("long messages", result, _source(result))
    else:
        for one in construct(problem, seconds=CONSTRUCTING):
            built = result_of(problem, [one])
            yield Candidate(f"long messages, {one.algorithm.name}", built, _source(built))
    stepwise, solved, last = _model_of_steps(), 0, MOST_STEPS
    for steps in range(1, MOST_STEPS + 1):
        left = limit - (time.monotonic() - start)
        if solved == ROWS_OF_STEPS or left <= 0:
            break
        last = steps
        share = max(left - SHARE_BUILT * limit, SHORTEST) / (ROWS_OF_STEPS - solved)
        problem = _problem(stepwise, task, network, node, {"steps": steps})
        result = solve(problem, replace(options, time_limit=share))
        solved += result.status is not Status.INFEASIBLE
        yield from _candidate(result)
    for steps in _built_steps(network, last):
        if limit < time.monotonic() - start:
            return
        problem = _problem(stepwise, task, network, node, {"steps": steps})
        for one in construct(problem, seconds=CONSTRUCTING):
            yield from _candidate(result_of(problem, [one]))


def _built_steps(network: Network, solved: int) -> list[int]:
    """Return the numbers of steps above `solved` for which schedules are constructed only.

    The next few, and those of a ring, once round or twice, and one step less, in which rings both ways do it.
    """
    ranks = len(network.compute_nodes)
    rings = range(ranks - 2, ranks), range(2 * ranks - 3, 2 * ranks - 1)
    wanted = {*range(solved + 1, solved + 1 + ROWS_BUILT), *rings[0], *rings[1]}
    return sorted(steps for steps in wanted if solved < steps <= MOST_STEPS)


def _source(result: Result, *, in_parts: bool = False) -> SavedSchedule:
    return SavedSchedule("the plan", result.placed, result.indexed, result, in_parts=in_parts)


def _candidate(result: Result) -> Iterator[Candidate]:
    """Yield the schedule of a result in steps, if it has one."""
    if result.indexed is not None:
        totals = schedule_totals(result.indexed)
        counted = f"{_counted(totals['steps'], 'step')}, {_counted(totals['chunks'], 'chunk')}"
        yield Candidate(counted, result, _source(result, in_parts=True))


def _counted(count: object, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _model_of_steps() -> Model:
    """Return the model of machines whose schedules have a given number of steps."""
    return next(
        model
        for model in models().values()
        if model.machines and all("steps" in {p.name for p in task} for task in model.tasks.values())
    )


def _problem(model: Model, task: str, network: Network, node: Any, more: dict[str, Any]) -> Any:
    ends = {p.name for p in model.tasks.get(task, ())} & {"source", "root"}
    if node is not None and not ends:
        raise InputError(f"--node is for tasks that start or end at one node; {task} does not")
    chosen = node if node is not None else str(network.labels[network.compute_nodes[0]])
    return build_problem(model.name, task, network, {**dict.fromkeys(ends, chosen), **more})


def _proven(found: Sequence[Candidate]) -> ProvenTime | None:
    """Return the bound of long messages, which holds for every schedule."""
    bounds = [one.source.proven(one.source.movement(in_lockstep=True)) for one in found[:1]]
    return bounds[0]


def _row(
    size: int, found: Sequence[Candidate], costs: Callable[[Network, int], tuple[Costs, str]]
) -> PlanRow:
    network = found[0].source.problem.network
    ranks = len(network.compute_nodes)
    one = found[0].source.problem.task in ONE_UNIT
    priced, _ = costs(network, size if one else max(1, -(-size // ranks)))
    timed = [(timing(c.source.movement(costs=priced), priced), c) for c in found]
    best, candidate = min(timed, key=lambda pair: pair[0].seconds)
    rings = rings_on_links(best.movement)
    machine = _machine(network, priced)
    return PlanRow(
        size,
        candidate,
        best,
        None if rings is None else timing(rings, priced),
        None if machine is None else nccl_seconds(best.movement, size, machine),
    )


def _machine(network: Network, costs: Costs) -> Machine | None:
    """Return what NCCL's model knows of the machine.

    None without rings and where a byte takes no time.
    """
    rings = ring_count(network)
    if not rings or not costs.beta:
        return None
    known = known_hardware(network)
    boxes = known.boxes if known else 1
    bandwidth = float(rings / costs.beta) / 1e9
    generation = {"a100": AMPERE, "h100": HOPPER}.get(network.name.partition(":")[0], VOLTA)
    return Machine(bandwidth, min(MOST_CHANNELS, int(rings) or 1), boxes, generation)


def row_to_json(row: PlanRow, proven: ProvenTime | None) -> dict[str, Any]:
    """Return a row as a JSON object; times are seconds, bandwidths GB/s."""
    own = float(row.timing.seconds)
    return {
        "size": row.size,
        "unit_bytes": row.timing.costs.size,
        "schedule": row.best.name,
        "status": row.best.result.status.value,
        "value": value_to_json(row.best.result.value),
        "chunks": row.timing.movement.chunks,
        "seconds": own,
        "algbw": row.timing.algorithm_bandwidth,
        "busbw": row.timing.bus_bandwidth,
        "ratio_to_optimum": None if proven is None else proven.ratio(row.timing),
        "rings_on_links": None if row.rings is None else float(row.rings.seconds),
        "times_rings": None if row.rings is None or not own else float(row.rings.seconds) / own,
        "nccl_model": None if row.nccl is None else row.nccl[0],
        "nccl_choice": None if row.nccl is None else row.nccl[1],
        "times_nccl": None if row.nccl is None or not own else row.nccl[0] / own,
    }


def row_cells(row: PlanRow, proven: ProvenTime | None) -> list[str]:
    """Return a row for the table of `HEADER`."""
    data = row_to_json(row, proven)
    choice = "" if row.nccl is None else f" ({row.nccl[1]})"
    return [
        size_text(row.size),
        row.best.name,
        f"{data['seconds'] * 1e6:.4g}",
        _cell(data["algbw"]),
        _cell(data["busbw"]),
        _cell(data["ratio_to_optimum"]),
        _cell(data["times_rings"]),
        _cell(data["times_nccl"]) + choice,
    ]


HEADER = (
    "size", "schedule", "us", "algbw", "busbw", "times the optimum", "rings on links", "NCCL's model",
)  # fmt: skip
"""Of the table: the last two are how many times as long they take."""


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


def size_text(size: int) -> str:
    """Return bytes with the largest unit of 1000 that gives a whole number.

    ```pycon
    >>> size_text(64_000_000), size_text(1500), size_text(12)
    ('64MB', '1500B', '12B')

    ```
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "KB")):
        if size % unit == 0 and size:
            return f"{size // unit}{name}"
    return f"{size}B"
