"""The best schedule for each size of a message on a machine.

The frontier of steps and the optimum of long messages, solved, timed by dependencies, and compared with rings
on the links and with NCCL's own model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from time import process_time
from typing import Any, Unpack

from schedsolve.certify.text.text import table_lines
from schedsolve.machines.movement.collectives import ONE_UNIT
from schedsolve.machines.movement.movement import Movement
from schedsolve.machines.optimum import ProvenTime, proven_for
from schedsolve.machines.plan_candidates import (
    DEFAULT_SECONDS,
    ROWS_OF_STEPS,
    Candidate,
    candidates,
    long_messages,
)
from schedsolve.machines.plan_timing import LaidRivals, SizeSearch
from schedsolve.machines.times import costs_for, price_of, size_of
from schedsolve.machines.timing import Costs, Timing
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import value_to_json
from schedsolve.modelkit.search import Asked, Options, asked_options
from schedsolve.network.graph import Network, NetworkLike
from schedsolve.runtime.display.presentation import problem_text
from schedsolve.runtime.display.tabular import Tabular
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.timeout import timeout

LEAST_SHARE = 0.04
"""Of the time limit, for all sizes to be timed, at least, where finding schedules takes all of it."""
SHARE_OF_RIVALS = 0.4
"""Of the time limit, at most, for the rings and trees on the links that all schedules are compared with."""
MOST_SHARED = 2
"""Each size has that part of the time left, or, of fewer sizes, its own."""


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
        """Return the table that the command line prints, without columns in which nothing stands."""
        columns = zip(HEADER, *(row_cells(row, self.proven) for row in self.rows), strict=True)
        header, *rows = zip(*(column for column in columns if any(column[1:])), strict=True)
        return "\n".join(table_lines(header, rows))

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
        How to solve; the time limit, 60 s of CPU time unless given, is that of everything.

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
    the first unless given. options: how to solve; the time limit is that of everything, in CPU time. Raises
    InputError for what cannot be posed, and where no schedule was found.
    """
    given = options or Options(time_limit=DEFAULT_SECONDS)
    limit, start = given.time_limit or DEFAULT_SECONDS, process_time()
    _, source = costs(network, 1)
    rivals = LaidRivals(long_messages(task, network, node))
    priced = _priced(sizes, rivals.problem, costs)
    rivals.time_all(priced, SHARE_OF_RIVALS * limit)
    listed: list[Candidate] = []
    with timeout(start + limit - process_time(), of_processor=True):
        for one in candidates(task, network, node, given):
            listed.append(one)
    if not listed:
        raise InputError(f"no schedule was found for {task} on {network.name or 'the network'} in the time")
    found = tuple(listed)
    proven = None
    with timeout(max(LEAST_SHARE * limit, start + limit - process_time()), of_processor=True):
        proven = _proven(found)
    made = _rows(priced, found, rivals, start + limit, LEAST_SHARE * limit / len(priced))
    rows = tuple(made[size] for size in sizes)
    taken = [row.best for row in rows]
    shown: list[Candidate] = []
    for one in (*found[: 1 + ROWS_OF_STEPS], *taken):
        known = any(other.result.problem == one.result.problem for other in shown)
        if one not in shown and (one in taken or not known):
            shown.append(one)
    found = tuple(shown)
    return Plan(found, rows, proven, rows[0].timing.costs, source)


def _priced(
    sizes: Sequence[int], problem: Problem, costs: Callable[[Network, int], tuple[Costs, str]]
) -> dict[int, Costs]:
    """Return the costs of the units of each size, the smallest first."""
    ranks = len(problem.network.compute_nodes)
    made: dict[int, Costs] = {}
    for size in sorted(set(sizes)):
        unit = size if problem.task in ONE_UNIT else max(1, -(-size // ranks))
        made[size], _ = costs(problem.network, unit)
    return made


def _rows(
    priced: Mapping[int, Costs], found: Sequence[Candidate], rivals: LaidRivals, end: float, least: float
) -> dict[int, PlanRow]:
    """Return the best schedule for each size, timed until the end, for the longest messages first.

    What these are cut into is timed for others too. Each size has `least` seconds at least.
    """
    cuts: dict[str, Movement] = {}
    made: dict[int, PlanRow] = {}
    left = list(priced)
    while left:
        seconds = (end - process_time()) / min(len(left), MOST_SHARED)
        size = left.pop()
        chosen = SizeSearch(size, priced[size], found, rivals, cuts).run(max(least, seconds))
        made[size] = PlanRow(
            size, chosen.best, chosen.timing, chosen.rings, chosen.nccl, chosen.nccl_on_links
        )
    return made


def _proven(found: Sequence[Candidate]) -> ProvenTime | None:
    """Return the bound of long messages, which holds for every schedule."""
    problem = found[0].source.problem
    ends = [str(problem.parameters[end]) for end in ("source", "root") if end in problem.parameters]
    root = ends[0] if ends else None
    return proven_for(problem.task, problem.network, root, found[0].result)


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
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


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
