"""Designs over a range of degrees, compared with known networks of the same degrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, Unpack

from schedsolve.experiments.designs.design import design, on_complete_network
from schedsolve.experiments.designs.levels import DESIGN_FORMAT
from schedsolve.experiments.designs.record import Design
from schedsolve.experiments.designs.search import Progress
from schedsolve.experiments.designs.wanted import Wanted, wanted
from schedsolve.modelkit.result import Result, Status, Value, result_to_json, value_to_json
from schedsolve.modelkit.search import Options
from schedsolve.network.classes.network_class import NetworkClass, Properties
from schedsolve.network.distances import farthest
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, counted
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve import solve

SECONDS_OF_A_ROW, SHARE_OF_RIVALS, SHARE_OF_CIRCULANTS = 30.0, 0.3, 0.2
"""How long a row takes at most where no time limit is given; and what part of it the known networks take, and
what part the circulants.
"""


@dataclass(frozen=True)
class DegreeRow:
    """The best network of a degree.

    Attributes
    ----------
    degree
        The most links of a node, or the links of every node.
    found
        The design.
    rivals
        The task on known networks of that degree, solved.
    circulants
        The best design among circulants, where the class has others too.
    """

    degree: int
    found: Design
    rivals: tuple[Result, ...]
    circulants: Design | None = None

    @property
    def open(self) -> bool:
        """Whether something about the best network is not proven."""
        return self.found.status not in (Status.OPTIMAL, Status.INFEASIBLE)

    @property
    def cells(self) -> list[str]:
        """The degree, the rounds or steps, the time, the network, the best circulant, and others."""
        found = self.found
        others = "; ".join(_rival_text(rival) for rival in self.rivals) or "-"
        network = "-" if found.network is None else found.network.name.partition(":")[2]
        circulants = "-" if self.circulants is None else ", ".join(_values(self.circulants, named=True))
        return [str(self.degree), *_values(found), network, circulants, others]


def _values(found: Design, *, named: bool = False) -> list[str]:
    """Return the rounds or steps of a design, where they count, and its time, where it has one."""
    asked, sides = found.wanted, found.sides
    time = [_range(sides.time, found.value)] if asked.timed else []
    if asked.objective == "time":
        return time
    reached = str(sides.reached) if sides.reached == sides.limit else f"{sides.limit}..{sides.reached or ''}"
    if found.status is Status.INFEASIBLE:
        reached = f"more than {asked.limit}"
    return [f"{reached} {asked.designs.limit}" if named else reached, *time]


@dataclass(frozen=True)
class DegreeFrontier:
    """Designs over a range of degrees; the file has each with its proof."""

    nodes: int
    rows: tuple[DegreeRow, ...]
    least_degree: int | None = None
    """The least degree with which the task takes as few rounds as in any network, where it was asked for."""

    @property
    def header(self) -> list[str]:
        """The names of the columns."""
        asked = self.rows[0].found.wanted
        columns = [] if asked.objective == "time" else [asked.designs.limit]
        columns += ["time"] if asked.timed else []
        return ["degree", *columns, "network", "circulants", "for comparison"]

    @property
    def lines(self) -> list[str]:
        """The least degree, in words, where it was asked for and found."""
        if self.least_degree is None:
            return []
        return [f"optimal: degree {self.least_degree}, proven; no smaller degree takes as few rounds"]

    @property
    def open(self) -> bool:
        """Whether a row is not proven on both sides."""
        return any(row.open for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return what `design --json` prints and `check` reads."""
        return {
            "format": DESIGN_FORMAT,
            "rows": [
                {
                    "degree": row.degree,
                    "design": row.found.to_json(),
                    "compared": [result_to_json(rival) for rival in row.rivals],
                    **({} if row.circulants is None else {"circulants": row.circulants.to_json()}),
                }
                for row in self.rows
            ],
            **({} if self.least_degree is None else {"least_degree": self.least_degree}),
        }


def degree_frontier(
    model: str,
    task: str,
    nodes: int,
    degrees: Sequence[int] | Literal["least"],
    *,
    of_every_node: bool = False,
    source: str | None = None,
    ports: int | str | None = None,
    time_limit: float | None = None,
    progress: Progress = lambda _: None,
    **properties: Unpack[Properties],
) -> DegreeFrontier:
    """Return the best network for every degree: the fewest rounds or steps, then the least time.

    Parameters
    ----------
    model, task, nodes
        As for `design` and `fastest_network`.
    degrees
        The degrees; or "least" for the least degree with which the task takes as few rounds as in any
        network, and the one before.
    of_every_node
        Whether every node has this degree, or at most this degree.
    source, ports
        As for `design`.
    time_limit
        Stop after so many seconds with the best networks and bounds; half a minute for each degree if not
        given.
    progress
        Told what is being done.
    properties
        Further properties of the class.

    Raises
    ------
    InputError
        If the model has no such designs, or no network is in a class.
    """
    name = "regular" if of_every_node else "max_degree"
    options = {name: value for name, value in (("source", source), ("ports", ports)) if value is not None}
    if isinstance(degrees, str):
        return _least_degree(model, task, nodes, time_limit, {**properties, **options, "progress": progress})
    clock = Clock(Options(time_limit=SECONDS_OF_A_ROW * len(degrees) if time_limit is None else time_limit))
    rows = []
    for place, degree in enumerate(degrees):
        share = max(0.0, clock.left) / (len(degrees) - place)
        given: dict[str, Any] = {**properties, **options, name: degree, "progress": progress}
        given["time_limit"] = share * (1 - SHARE_OF_RIVALS - SHARE_OF_CIRCULANTS)
        found = design(model, task, nodes, **given, edges="any")
        given["time_limit"] = share * SHARE_OF_CIRCULANTS
        circulants = _circulants(model, task, nodes, given)
        rivals = _rivals(found.wanted, degree, share * SHARE_OF_RIVALS)
        rows.append(DegreeRow(degree, found, tuple(rivals), circulants))
    return DegreeFrontier(nodes, tuple(rows))


def _circulants(model: str, task: str, nodes: int, given: dict[str, Any]) -> Design | None:
    """Return the best circulant of a class, None where there is none or the class has no others."""
    if given.get("circulant"):
        return None
    with suppress(InputError):
        return design(model, task, nodes, **{**given, "circulant": True}, edges="any")
    return None


def _least_degree(
    model: str, task: str, nodes: int, time_limit: float | None, given: dict[str, Any]
) -> DegreeFrontier:
    """Return the least degree with which so few rounds suffice as in any network, and the degree before."""
    clock = Clock(Options(time_limit=time_limit))
    asked = wanted(model, task, NetworkClass(nodes), source=given.get("source"), ports=given.get("ports"))
    if asked.designs.limit != "rounds":
        raise InputError(f"--max-degree least is for models that count rounds, not for {model}")
    complete = on_complete_network(asked, time_limit)
    least_rounds = None if complete is None else complete.lower_bound
    rows: list[DegreeRow] = []
    for degree in range(1 if nodes == 2 else 2, nodes):
        left = None if time_limit is None else max(0.0, clock.left)
        given |= {"max_degree": degree, "rounds": least_rounds, "time_limit": left}
        found = design(model, task, nodes, **given, edges="any")
        rows = [*rows[-1:], DegreeRow(degree, found, ())]
        if found.status is not Status.INFEASIBLE:
            break
    least = rows[-1].degree if rows[-1].found.status is Status.OPTIMAL else None
    return DegreeFrontier(nodes, tuple(rows), least)


def _rivals(asked: Wanted, degree: int, seconds: float) -> Iterator[Result]:
    """Yield the task on known networks of a degree: in as few steps as there are, where they count."""
    limit = asked.designs.limit
    networks = [n for n in _known(asked.members.nodes, degree) if not (limit == "rounds" and n.directed)]
    clock = Clock(Options(time_limit=seconds))
    for place, network in enumerate(networks):
        share = max(0.1, clock.left / (len(networks) - place))
        problem = asked.problem(network, _diameter(network) if limit == "steps" else None)
        yield solve(problem, Options(time_limit=share, certify=True))


def _diameter(network: Network) -> int:
    return max(distance or 0 for distance in farthest(network.successors))


def _known(nodes: int, degree: int) -> Iterator[Network]:
    """Yield tori, hypercubes and generalised Kautz networks with so many nodes and links at each."""
    names = [f"torus:{'x'.join(map(str, sides))}" for sides in _sides(nodes, 3) if 2 * len(sides) == degree]
    names += [f"hypercube:{degree}"] if 1 << degree == nodes else []
    for name in [*names, f"genkautz:{degree},{nodes}"]:
        with suppress(InputError):
            yield Network.from_spec(name)


def _sides(nodes: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as an ascending product of sides of at least so much."""
    yield (nodes,)
    for side in range(least, nodes):
        if side * side <= nodes and nodes % side == 0:
            yield from ((side, *rest) for rest in _sides(nodes // side, side))


def _rival_text(result: Result) -> str:
    steps = result.problem.parameters.get("steps")
    said = "" if steps is None else f"{counted(steps, 'step')}, "
    return f"{result.problem.network.name} {said}{_range(result.lower_bound, result.value)}"


def _range(lower: Value | None, value: Value | None) -> str:
    """Return such as "15/4", or "15/4..5" where the two sides differ."""
    if lower == value:
        return str(value_to_json(value))
    return f"{'' if lower is None else value_to_json(lower)}..{'' if value is None else value_to_json(value)}"
