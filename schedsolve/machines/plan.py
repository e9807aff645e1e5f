"""The best schedule for each size of a message on a machine.

The frontier of steps and the optimum of long messages, solved, timed by dependencies, and compared with rings
on the links and with NCCL's own model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Unpack

from schedsolve.display.presentation import problem_text
from schedsolve.display.tabular import Tabular
from schedsolve.errors import InputError
from schedsolve.limits.timeout import timeout
from schedsolve.machines.known_costs import known_hardware
from schedsolve.machines.nccl_model import (
    AMPERE,
    HOPPER,
    MOST_CHANNELS,
    TREE,
    VOLTA,
    Machine,
    nccl_seconds,
)
from schedsolve.machines.optimum import ProvenTime, proven_for
from schedsolve.machines.plan_candidates import (
    DEFAULT_SECONDS,
    ROWS_OF_STEPS,
    Candidate,
    candidates,
    laid_on_links,
)
from schedsolve.machines.rivals import ring_count, rings_on_links, trees_on_links
from schedsolve.machines.times import costs_for, price_of, size_of
from schedsolve.machines.timing import DEPENDENCIES, Costs, Timing, timing
from schedsolve.modelkit.collectives import ONE_UNIT
from schedsolve.modelkit.movement import MOST_TRANSFERS, Movement
from schedsolve.modelkit.search import Asked, Options, asked_options
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.problem import Problem
from schedsolve.report.text import table_lines
from schedsolve.result import value_to_json

MANY_RANKS, TRANSFERS_OF_MANY = 32, 10_000
"""Ranks from which on schedules are timed in fewer messages."""
LEAST_SECONDS, SHARE_OF_NEXT = 1.0, 0.6
"""To time a schedule, at least, and the share of what is left that each has, the most promising one first."""


@dataclass(frozen=True)
class PlanRow:
    """The best schedule for a size.

    size: as nccl-tests counts it. rings: what rings on the links take, if there are any. nccl: what NCCL's
    model says, in seconds, and whether of a ring or a tree. chosen: what that ring or tree takes on the
    links, by the same clock and costs as the schedule.
    """

    size: int
    best: Candidate
    timing: Timing
    rings: Timing | None
    nccl: tuple[float, str] | None
    chosen: Timing | None = None


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
    limit, start = given.time_limit or DEFAULT_SECONDS, time.monotonic()
    _, source = costs(network, 1)
    listed: list[Candidate] = []
    with timeout(limit):
        for one in candidates(task, network, node, given):
            listed.append(one)
    if not listed:
        raise InputError(f"no schedule was found for {task} on {network.name or 'the network'} in the time")
    found = tuple(listed)
    proven = _proven(found)
    made: list[PlanRow] = []
    for number, size in enumerate(sizes):
        share = (start + limit - time.monotonic()) / (len(sizes) - number)
        made.append(_row(size, found, costs, proven, share))
    rows = tuple(made)
    taken = [row.best for row in rows]
    shown: list[Candidate] = []
    for one in (*found[: 1 + ROWS_OF_STEPS], *taken):
        known = any(other.result.problem == one.result.problem for other in shown)
        if one not in shown and (one in taken or not known):
            shown.append(one)
    found = tuple(shown)
    return Plan(found, rows, proven, rows[0].timing.costs, source)


def _proven(found: Sequence[Candidate]) -> ProvenTime | None:
    """Return the bound of long messages, which holds for every schedule."""
    problem = found[0].source.problem
    ends = [str(problem.parameters[end]) for end in ("source", "root") if end in problem.parameters]
    root = ends[0] if ends else None
    return proven_for(problem.task, problem.network, root, found[0].result)


def _row(
    size: int,
    found: Sequence[Candidate],
    costs: Callable[[Network, int], tuple[Costs, str]],
    proven: ProvenTime | None,
    seconds: float,
) -> PlanRow:
    """Return the best schedule for a size; rivals are timed first, then schedules until the time is up."""
    end = time.monotonic() + seconds
    problem = found[0].source.problem
    network, ranks = problem.network, len(problem.network.compute_nodes)
    most = MOST_TRANSFERS if ranks <= MANY_RANKS else TRANSFERS_OF_MANY
    priced, _ = costs(network, size if problem.task in ONE_UNIT else max(1, -(-size // ranks)))
    nothing = _without_steps(problem)
    rings = rings_on_links(nothing)
    rings_timed = None if rings is None else timing(rings, priced)
    machine = _machine(network, priced)
    nccl = None if machine is None else nccl_seconds(nothing, size, machine)
    chosen = rings_timed
    if nccl is not None and nccl[1] == TREE:
        chosen = trees_on_links(nothing, priced, DEPENDENCIES)
    timed = _timed_until(end, _promising(found, priced), priced, most)
    rivals = {"rings on the links": rings_timed, "double binary trees on the links": chosen}
    for name, rival in rivals.items():
        if rival is not None and all(rival.seconds < one.seconds for one, _ in timed):
            laid = None
            with suppress(InputError):
                laid = laid_on_links(name, rival.movement, problem)
            if laid is not None:
                timed += _timed_until(end, [laid], priced, most) or [(rival, laid)]
    if not timed:
        timed = _timed_as_they_are(found, priced, most)
    best, candidate = min(timed, key=lambda pair: pair[0].seconds)
    return PlanRow(size, candidate, best, rings_timed, nccl, None if nccl is None else chosen)


def _without_steps(problem: Problem) -> Movement:
    """Return a movement of the same collective in which nothing moves, which rivals are laid out for."""
    ends = [problem.parameters[end] for end in ("source", "root") if end in problem.parameters]
    root = problem.network.node(ends[0]) if ends else None
    return Movement(problem.task, problem.network, 1, (), root)


def _promising(found: Sequence[Candidate], costs: Costs) -> list[Candidate]:
    """Return the schedules by what they would take if no link waited, the fastest first."""

    def seconds(one: Candidate) -> Fraction:
        steps = int(one.result.problem.parameters.get("steps", 1))
        return steps * costs.alpha + Fraction(one.result.value or 0) * costs.beta * costs.size

    return sorted(found, key=seconds)


def _timed_until(
    end: float, found: Sequence[Candidate], costs: Costs, most: int
) -> list[tuple[Timing, Candidate]]:
    """Return the schedules that could be cut and timed until then, in their order."""
    timed: list[tuple[Timing, Candidate]] = []
    for one in found:
        left = end - time.monotonic()
        if left <= 0:
            break
        with timeout(max(LEAST_SECONDS, SHARE_OF_NEXT * left)), suppress(InputError):
            timed.append((_timed(one, costs, most), one))
    return timed


def _timed_as_they_are(found: Sequence[Candidate], costs: Costs, most: int) -> list[tuple[Timing, Candidate]]:
    """Return a schedule in steps, uncut, which takes no time; without one, that for long messages."""
    in_steps = [one for one in found if one.source.in_parts]
    one = min(in_steps, key=lambda one: one.result.value or 0) if in_steps else found[0]
    whole = replace(one, source=replace(one.source, in_parts=False))
    return [(_timed(whole, costs, most), whole)]


def _timed(candidate: Candidate, costs: Costs, most: int) -> Timing:
    """Return how long it takes, computed here rather than when it is asked for."""
    made = timing(candidate.source.movement(costs=costs, most_transfers=most), costs)
    _ = made.seconds
    return made


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
        "nccl_on_links": None if row.chosen is None else float(row.chosen.seconds),
        "times_nccl_on_links": None if row.chosen is None or not own else float(row.chosen.seconds) / own,
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
        _cell(data["times_nccl_on_links"]) + choice,
        _cell(data["times_nccl"]),
    ]


HEADER = (
    "size", "schedule", "us", "algbw", "busbw", "times the optimum", "rings on links",
    "NCCL's choice", "its model",
)  # fmt: skip
"""Of the table: the last three are how many times as long they take.

The choice of NCCL is timed on the links as the schedule is, by its own model in the last column.
"""


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
